"""Exact numbers: how many layouts agree with a board, and the probability of a cell as a fraction.

Components are counted in whole numbers of any size along the tapes of the forward pass (`_kernels/replay.py`,
or simply read off the doubles where these stayed below 2^53), then multiplied as polynomials in the number of
mines and closed with the binomials of the rest. Slower than the fast path, and asked for only on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from msat.encode._kernels import NOT_UNKNOWN, REST
from msat.engines._kernels.answer import ANSWERED, prefilter
from msat.engines._kernels.replay import DIGIT_BITS, replay_layer
from msat.engines.passes import LAST_RULE, Budget, ComponentPass, run_forward
from msat.engines.polynomial import Poly, product, product_of_all, quotient

__all__ = ["ExactCount"]


class ExactCount:
    """Whole numbers and fractions for one position that has been found free of broken clues.

    `budget` limits the time of each question, in seconds.
    """

    def __init__(self, array: NDArray[np.int8], mines: int, budget: float | None = None) -> None:
        self._grid = np.empty_like(array)
        status, _, known = prefilter(array, -3, LAST_RULE, self._grid)
        if status != ANSWERED:
            raise ValueError("the position has a broken clue")
        self._left = mines - known
        self._seconds = budget
        with Budget(budget) as clock:
            self._pass = run_forward(self._grid, clock)
            self._polys = [self._polynomial(c, -1, clock) for c in self._pass.components]
        self._least = sum(c.low for c in self._pass.components)
        self._with_mine: dict[int, int] = {}

    @cached_property
    def solutions(self) -> int:
        """The number of layouts that agree with the position."""
        return self._close(self._all, self._pass.rest, self._left)

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""
        b = int(self._pass.flat.box_of[r * self._grid.shape[1] + c])
        if b == NOT_UNKNOWN:
            return Fraction(int(self._grid[r, c] == -2))
        if b == REST:
            return Fraction(self._close(self._all, self._pass.rest - 1, self._left - 1), self.solutions)
        if b not in self._with_mine:
            self._with_mine[b] = self._layouts_with_mine_in(b)
        return Fraction(self._with_mine[b], self.solutions)

    def _layouts_with_mine_in(self, b: int) -> int:
        for component, poly in zip(self._pass.components, self._polys, strict=True):
            if b in component.order:
                with Budget(self._seconds) as clock:
                    mined = self._polynomial(component, b, clock)
                return self._close(product(quotient(self._all, poly), mined), self._pass.rest, self._left)
        raise AssertionError(f"box {b} lies in no component")

    @cached_property
    def _all(self) -> Poly:
        """All components together."""
        return product_of_all(self._polys)

    def _close(self, poly: Poly, cells: int, left: int) -> int:
        """Layouts with `left` mines, given the polynomial of all components and a rest of so many cells."""
        total = 0
        most = left - self._least  # mines in the rest if the components hold their least
        binomial = comb(cells, min(most, cells)) if most >= 0 else 0
        for extra, ways in enumerate(poly):
            mines = most - extra
            if mines < 0:
                break
            if mines <= cells:
                total += ways * binomial
                # From C(cells, mines) to C(cells, mines − 1): far cheaper than each binomial by itself.
                binomial = binomial * mines // (cells - mines + 1)
        return total

    def _polynomial(self, component: ComponentPass, box: int, clock: Budget) -> Poly:
        """Placements of a component by mine count; with a `box`, those with a mine in a given cell of it."""
        if box < 0 and component.peak_bits <= 53:
            return [int(value) for value in component.values]
        flat, tape, order = self._pass.flat, component.tape, component.order
        digits = component.peak_bits // DIGIT_BITS + 1
        here = np.zeros((component.room(), digits), np.int64)
        there = np.zeros_like(here)
        here[0, 0] = 1
        for layer in range(order.size):
            clock.check(component.width)
            b = int(order[layer])
            replay_layer(flat, b, b == box, tape, layer, here, there)
            here, there = there, here
        return [_number(row) for row in here[: component.values.size].tolist()]


def _number(digits: Sequence[int]) -> int:
    """The whole number with these digits, lowest first."""
    return sum(digit << (DIGIT_BITS * i) for i, digit in enumerate(digits))
