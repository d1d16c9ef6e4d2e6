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

__all__ = ["ExactCount"]

Poly = list[int]
"""Coefficients by number of mines beyond the least."""


class ExactCount:
    """Whole numbers and fractions for one position that has been found free of broken clues."""

    def __init__(self, array: NDArray[np.int8], mines: int, budget: float | None = None) -> None:
        self._grid = np.empty_like(array)
        status, _, known = prefilter(array, -3, LAST_RULE, self._grid)
        if status != ANSWERED:
            raise ValueError("the position has a broken clue")
        self._left = mines - known
        self._budget = Budget(budget)
        self._pass = run_forward(self._grid, self._budget)
        self._polys = [self._polynomial(c, -1) for c in self._pass.components]
        self._least = sum(c.low for c in self._pass.components)
        self._in_box: dict[int, int] = {}

    @cached_property
    def solutions(self) -> int:
        """The number of layouts that agree with the position."""
        return self._close(self._behind[-1], 0)

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""
        b = int(self._pass.flat.box_of[r * self._grid.shape[1] + c])
        if b == NOT_UNKNOWN:
            return Fraction(int(self._grid[r, c] == -2))
        if b == REST:
            return Fraction(self._close(self._behind[-1], 1), self.solutions)
        if b not in self._in_box:
            self._in_box[b] = self._layouts_with_mine_in(b)
        return Fraction(self._in_box[b], self.solutions)

    def _layouts_with_mine_in(self, b: int) -> int:
        for i, component in enumerate(self._pass.components):
            if b in component.order:
                others = _product(self._behind[i], self._ahead[i + 1])
                return self._close(_product(others, self._polynomial(component, b)), 0)
        raise AssertionError(f"box {b} lies in no component")

    @cached_property
    def _behind(self) -> list[Poly]:
        """Products of the first 0, 1, 2, … components."""
        products = [[1]]
        for poly in self._polys:
            products.append(_product(products[-1], poly))
        return products

    @cached_property
    def _ahead(self) -> list[Poly]:
        """Products of the components from 0, 1, 2, … on."""
        products = [[1]]
        for poly in reversed(self._polys):
            products.append(_product(poly, products[-1]))
        return products[::-1]

    def _close(self, poly: Poly, fixed: int) -> int:
        """Layouts of the board, given the polynomial of all components and `fixed` given mines in the rest."""
        cells = self._pass.rest - fixed
        total = 0
        for extra, ways in enumerate(poly):
            mines = self._left - self._least - extra - fixed
            if ways and 0 <= mines <= cells:
                total += ways * comb(cells, mines)
        return total

    def _polynomial(self, component: ComponentPass, box: int) -> Poly:
        """Placements of a component by mine count; with `box` ≥ 0, those with a mine in a given cell of it."""
        if box < 0 and component.peak_bits <= 53:
            return [int(value) for value in component.values]
        flat, tape, order = self._pass.flat, component.tape, component.order
        digits = component.peak_bits // DIGIT_BITS + 1
        here = np.zeros((component.room(), digits), np.int64)
        there = np.zeros_like(here)
        here[0, 0] = 1
        for layer in range(order.size):
            self._budget.check(component.width)
            b = int(order[layer])
            replay_layer(flat, b, b == box, tape, layer, here, there)
            here, there = there, here
        return [_number(row) for row in here[: component.values.size].tolist()]


def _number(digits: Sequence[int]) -> int:
    """The whole number with these digits, lowest first."""
    return sum(digit << (DIGIT_BITS * i) for i, digit in enumerate(digits))


def _product(a: Poly, b: Poly) -> Poly:
    """The product of two polynomials."""
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                result[i + j] += x * y
    return result
