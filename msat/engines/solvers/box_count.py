"""From the counts of components to exact numbers.

The layouts of each component are counted by their number of mines. So components are polynomials, which are
multiplied, and closed with the binomials of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from msat.cells import Cell
from msat.engines.counting.polynomial import Poly, binomials, dot, product_of_all, quotient
from msat.engines.solvers.prepared import PreparedBoard

__all__ = ["BoxCount", "ByMines", "KnownByMines"]


class ByMines(Protocol):
    """Layouts of one component by mine count."""

    @property
    def ways(self) -> dict[int, int]:
        """All of them."""

    def mined(self, i: int) -> dict[int, int]:
        """Those with a mine in the first cell of the component's box `i`."""


class KnownByMines:
    """Numbers that are all known.

    >>> KnownByMines({1: 2}, [{1: 1}]).mined(0)
    {1: 1}
    """

    def __init__(self, ways: dict[int, int], mined: Sequence[dict[int, int]]) -> None:
        self.ways = ways
        self._mined = mined

    def mined(self, i: int) -> dict[int, int]:
        """Layouts with a mine in the first cell of box `i`."""
        return self._mined[i]


class BoxCount:
    """Whole numbers and fractions for one position, from the counts of its components.

    A position that no layout agrees with raises `InconsistentBoard`.
    """

    def __init__(self, position: PreparedBoard, components: Sequence[ByMines]) -> None:
        self._position = position
        self._components = components
        if not all(component.ways for component in components):
            raise position.contradiction()
        self._lows = [min(component.ways) for component in components]
        self._polys = [
            _poly(component.ways, low, max(component.ways))
            for component, low in zip(components, self._lows, strict=True)
        ]
        self._known_weights: dict[int, Poly] = {}
        if not self.solutions:
            raise position.contradiction()

    @cached_property
    def solutions(self) -> int:
        """The number of layouts that agree with the position."""
        return dot(self._all, self._rest)

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""
        if (r, c) not in self._found:
            i, place = self._place[r, c]
            box = self._position.problem.components[i].boxes[place]
            cells = self._position.problem.boxes[box].cells
            self._found.update(dict.fromkeys(cells, self._probability_in(i, place)))
        return self._found[r, c]

    @cached_property
    def _found(self) -> dict[Cell, Fraction]:
        """The probabilities that are known: at first those of cells outside of all boxes."""
        known = dict.fromkeys(self._position.safe, Fraction(0))
        known.update(dict.fromkeys(self._position.mined, Fraction(1)))
        cells = self._position.problem.rest
        if cells:
            rest = binomials(len(cells) - 1, self._most - 1, len(self._all))
            known.update(dict.fromkeys(cells, Fraction(dot(self._all, rest), self.solutions)))
        return known

    @cached_property
    def _place(self) -> dict[Cell, tuple[int, int]]:
        """For every cell of a box: the number of its component, and that of its box there."""
        problem = self._position.problem
        return {
            cell: (i, place)
            for i, component in enumerate(problem.components)
            for place, b in enumerate(component.boxes)
            for cell in problem.boxes[b].cells
        }

    def _probability_in(self, i: int, place: int) -> Fraction:
        """The probability of a mine in a cell of a box."""
        weights = self._weights(i)
        high = self._lows[i] + len(weights) - 1
        mined = _poly(self._components[i].mined(place), self._lows[i], high)
        return Fraction(dot(mined, weights), self.solutions)

    def _weights(self, i: int) -> Poly:
        """How many layouts everything else has, by the mines of component `i` beyond its least."""
        if i not in self._known_weights:
            others = quotient(self._all, self._polys[i])
            self._known_weights[i] = [dot(others, self._rest[extra:]) for extra in range(len(self._polys[i]))]
        return self._known_weights[i]

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
