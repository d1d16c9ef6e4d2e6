"""From the counts of components to exact numbers.

The layouts of each component are counted by their number of mines. So components are polynomials, which are
multiplied, and closed with the binomials of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from msat.encode.problem import Component
from msat.engines.polynomial import Poly, binomials, dot, product_of_all, quotient
from msat.engines.position import Position
from msat.errors import Cell

__all__ = ["BoxCount", "ByMines", "Tally"]


@dataclass(frozen=True)
class Tally:
    """Layouts of one component by mine count."""

    ways: dict[int, int]
    """All of them."""
    mined: list[dict[int, int]]
    """Per box: those with a mine in its first cell."""


class ByMines(Protocol):
    """What `Tally` has, whichever way it was counted."""

    @property
    def ways(self) -> dict[int, int]:
        """Layouts by mine count."""

    @property
    def mined(self) -> list[dict[int, int]]:
        """Per box: those with a mine in its first cell."""


class BoxCount:
    """Whole numbers and fractions for one position, from the tallies of its components."""

    def __init__(self, position: Position, tallies: Sequence[ByMines]) -> None:
        self._position = position
        self._tallies = tallies
        self._lows = [min(tally.ways) for tally in tallies]
        self._polys = [
            _poly(tally.ways, low, max(tally.ways)) for tally, low in zip(tallies, self._lows, strict=True)
        ]
        self._found: dict[Cell, Fraction] = {}

    @cached_property
    def solutions(self) -> int:
        """The number of layouts that agree with the position."""
        return dot(self._all, self._rest)

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""
        if not self._found:
            self._fill()
        return self._found[r, c]

    def _fill(self) -> None:
        """The probability of every hidden cell."""
        problem = self._position.problem
        self._found.update(dict.fromkeys(self._position.safe, Fraction(0)))
        self._found.update(dict.fromkeys(self._position.mined, Fraction(1)))
        if problem.rest:
            rest = binomials(len(problem.rest) - 1, self._most - 1, len(self._all))
            mined = Fraction(dot(self._all, rest), self.solutions)
            self._found.update(dict.fromkeys(problem.rest, mined))
        for i, component in enumerate(problem.components):
            self._fill_component(i, component)

    def _fill_component(self, i: int, component: Component) -> None:
        problem = self._position.problem
        poly = self._polys[i]
        others = quotient(self._all, poly)
        # How many layouts everything else has, by the mines of this component beyond its least.
        weights = [dot(others, self._rest[extra:]) for extra in range(len(poly))]
        high = self._lows[i] + len(poly) - 1
        for b, ways in zip(component.boxes, self._tallies[i].mined, strict=True):
            mined = dot(_poly(ways, self._lows[i], high), weights)
            self._found.update(dict.fromkeys(problem.boxes[b].cells, Fraction(mined, self.solutions)))

    @cached_property
    def _all(self) -> Poly:
        """All components together."""
        return product_of_all(self._polys)

    @property
    def _most(self) -> int:
        """Mines in the rest if the components hold their least."""
        return self._position.problem.mines_left - sum(self._lows)

    @cached_property
    def _rest(self) -> Poly:
        """In how many ways the rest holds what the components leave, by mines beyond their least."""
        return binomials(len(self._position.problem.rest), self._most, len(self._all))


def _poly(ways: dict[int, int], low: int, high: int) -> Poly:
    return [ways.get(mines, 0) for mines in range(low, high + 1)]
