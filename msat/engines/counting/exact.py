"""Exact numbers: how many layouts agree with a board, and the probability of a cell as a fraction.

Components are counted in whole numbers of any size along the tapes of the forward pass (`_kernels/replay.py`,
or simply read off the doubles where these stayed below 2^53), then multiplied as polynomials in the number of
mines and closed with the binomials of the rest. Slower than the fast path, and asked for only on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.constants import MINE, SAFE
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting._kernels.replay import DIGIT_BITS, replay_layer
from msat.engines.counting.bands import apply_rules
from msat.engines.counting.contradiction import contradiction
from msat.engines.counting.polynomial import Poly, binomials, dot, product, product_of_all, quotient
from msat.engines.counting.resumable import ComponentPass, ImpossibleComponent, check_time, run_forward
from msat.interrupting import interruptible
from msat.problem._kernels.boxes import NOT_UNKNOWN, REST, build

__all__ = ["ExactCount"]


class ExactCount:
    """Whole numbers and fractions for one position that has been found free of broken clues.

    `budget` limits the time of each question, or of all together if it is a running deadline.
    """

    def __init__(self, array: NDArray[np.int8], mines: int, budget: Budget = None) -> None:
        self._grid = np.empty_like(array)
        deadline = Deadline.of(budget)
        status, _, known = apply_rules(array, self._grid, deadline, lowest=SAFE)
        if status != ANSWERED:
            raise ValueError("the position has a broken clue")
        self._left = mines - int(known)  # which is a number of numpy where kernels run uncompiled
        self._budget = budget
        with deadline:
            done = run_forward(self._grid, deadline)
            self._pass = replace(done, components=tuple(c.without_values() for c in done.components))
            del done  # the values are the larger part of its memory
            self._polys = [self._polynomial(c, -1, deadline) for c in self._pass.components]
        self._least = sum(c.low for c in self._pass.components)
        self._check_memory(deadline)
        self._found: dict[int, Fraction] = {}

    @classmethod
    def of(cls, board: Board, budget: Budget = None) -> Self:
        """The numbers of a board; one that no layout agrees with raises `InconsistentBoard`.

        >>> ExactCount.of(Board.parse("1??/??? 1")).solutions
        3
        """
        deadline = Deadline.of(budget)
        array = board.to_array()

        def count() -> list[Self]:
            grid = np.empty_like(array)
            status, _, _ = apply_rules(array, grid, deadline)
            if status == ANSWERED and build(grid).bad < 0:
                with suppress(ImpossibleComponent):
                    counted = cls(array, board.mines, deadline)
                    if counted.solutions:
                        return [counted]
            return []

        counts: list[Self] = interruptible(count, deadline, "not counted")
        if not counts:
            raise contradiction(array, board.mines, deadline)
        found = counts[0]
        found._budget = budget  # which begins anew with every question, if it is no running deadline
        return found

    def _check_memory(self, deadline: Deadline) -> None:
        """Refuse to begin where the whole numbers that follow would take more memory than is allowed."""
        length = 1 + sum(len(poly) - 1 for poly in self._polys)
        bits = sum(max(poly).bit_length() + len(poly).bit_length() for poly in self._polys)
        rest = self._pass.rest  # whose binomials are below 2^rest
        deadline.check_memory(length * (2 * bits + rest) // 8, "counting in whole numbers")

    @cached_property
    def solutions(self) -> int:
        """The number of layouts that agree with the position."""
        return dot(self._all, self._rest)

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""
        b = int(self._pass.flat.box_of[r * self._grid.shape[1] + c])
        if b == NOT_UNKNOWN:
            return Fraction(int(self._grid[r, c] == MINE))
        if b not in self._found:
            deadline = Deadline.of(self._budget)

            def find() -> Fraction:
                with deadline:
                    return Fraction(self._layouts_with_mine_in(b, deadline), self.solutions)

            self._found[b] = interruptible(find, deadline, "not counted")
        return self._found[b]

    def _layouts_with_mine_in(self, b: int, deadline: Deadline) -> int:
        """Layouts with a mine in a given cell of a box, or of the rest."""
        if b == REST:
            rest = binomials(self._pass.rest - 1, self._left - self._least - 1, len(self._all))
            return dot(self._all, rest)
        for component, poly in zip(self._pass.components, self._polys, strict=True):
            if b in component.order:
                others = quotient(self._all, poly)
                check_time(deadline, component.width)
                return dot(product(others, self._polynomial(component, b, deadline)), self._rest)
        raise AssertionError(f"box {b} lies in no component")

    @cached_property
    def _all(self) -> Poly:
        """All components together."""
        return product_of_all(self._polys)

    @cached_property
    def _rest(self) -> Poly:
        """In how many ways the rest holds what the components leave, by mines beyond their least."""
        return binomials(self._pass.rest, self._left - self._least, len(self._all))

    def _polynomial(self, component: ComponentPass, box: int, deadline: Deadline) -> Poly:
        """Placements of a component by mine count; with a `box`, those with a mine in a given cell of it."""
        if box < 0 and component.peak_bits <= 53:
            return [int(value) for value in component.values]
        flat, tape, order = self._pass.flat, component.tape, component.order
        digits = component.peak_bits // DIGIT_BITS + 1
        here = np.zeros((component.room(), digits), np.int64)
        there = np.zeros_like(here)
        here[0, 0] = 1
        for layer in range(order.size):
            check_time(deadline, component.width)
            b = int(order[layer])
            replay_layer(flat, b, b == box, tape, layer, here, there)
            here, there = there, here
        return [_number(row) for row in here[: component.values.size].tolist()]


def _number(digits: Sequence[int]) -> int:
    """The whole number with these digits, lowest first."""
    return sum(digit << (DIGIT_BITS * i) for i, digit in enumerate(digits))
