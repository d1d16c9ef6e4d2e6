"""The parts of a position that have nothing to do with each other, neither now nor later in the game.

Components share no clue now, but they may later: through the mine total, or through the number that a cell
between them will show. Parts are what remains apart: the number of mines in each is the same in all layouts,
and no cell that is still to be opened touches two of them. So the layouts of a position are the product of
those of its parts, and every part is a game of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from msat.board import Board, Cell
from msat.constants import HIDDEN, MINE, SAFE, SETTLED
from msat.deadline import Deadline
from msat.engines.counting.resumable import Pass, run_forward
from msat.problem._kernels.boxes import NOT_UNKNOWN
from msat.problem._kernels.boxes import REST as BOX_OF_REST

__all__ = ["IndependentPart", "independent_parts"]

REST = -1
"""Stands for the rest where components are meant."""


@dataclass(frozen=True)
class IndependentPart:
    """A position in which all but one part is settled, as `list_solutions` takes it."""

    array: NDArray[np.int8]
    mines: int  # the known ones of the whole board, and those of this part


def independent_parts(board: Board, safe: Collection[Cell], mined: Collection[Cell]) -> list[IndependentPart]:
    """The parts of a board that some layout agrees with, in reading order; none where all is known.

    `safe` and `mined` are all of its forced cells.

    >>> parts = independent_parts(Board.parse("?11?/?11? 2"), (), ())
    >>> [part.mines for part in parts], parts[1].array[0].tolist()
    ([1, 1], [-4, -4, 1, -1])
    """
    array = board.to_array()
    for cells, value in ((safe, SAFE), (mined, MINE)):
        for cell in cells:
            array[cell] = value
    known = int(np.count_nonzero(array == MINE))
    with Deadline(None) as deadline:
        done = run_forward(array, deadline)
    component_of = _components(done, board.width)
    fixed = _fixed_mines(done, board.mines - known)

    joined = _Groups()
    for cell, component in component_of.items():
        joined.join(cell, component)
        joined.join(component, component if component in fixed else REST)  # the total couples the others
        for near in board.neighbours(cell):
            if near in component_of:
                joined.join(cell, near)
    for cell in safe:
        around = [near for near in board.neighbours(cell) if near in component_of]
        for one, other in pairwise(around):
            joined.join(one, other)

    members: dict[Hashable, list[Cell]] = {}
    for cell in component_of:
        members.setdefault(joined.leader(cell), []).append(cell)
    mines = dict.fromkeys(members, 0)
    for component, held in fixed.items():
        mines[joined.leader(component)] += held
    if joined.leader(REST) in members:  # what the others leave
        mines[joined.leader(REST)] += board.mines - known - sum(fixed.values())
    return [
        IndependentPart(_alone(board, array, cells), known + mines[leader])
        for leader, cells in members.items()
    ]


class _Groups:
    """Things that belong together, directly or by way of others."""

    def __init__(self) -> None:
        self._towards: dict[Hashable, Hashable] = {}

    def leader(self, thing: Hashable) -> Hashable:
        """The one that stands for all that `thing` belongs together with."""
        way = []
        while (leader := self._towards.get(thing, thing)) != thing:
            way.append(thing)
            thing = leader
        self._towards.update(dict.fromkeys(way, thing))
        return thing

    def join(self, one: Hashable, other: Hashable) -> None:
        """Let two belong together from now on."""
        self._towards[self.leader(one)] = self.leader(other)


def _components(done: Pass, width: int) -> dict[Cell, int]:
    """The component of every unknown cell, or REST, in reading order."""
    of_box = np.full(done.flat.box_size.size, REST)
    for component, members in enumerate(np.split(done.flat.component_boxes, done.flat.component_start[1:-1])):
        of_box[members] = component
    return {
        divmod(at, width): REST if box == BOX_OF_REST else int(of_box[box])
        for at, box in enumerate(done.flat.box_of.tolist())
        if box != NOT_UNKNOWN
    }


def _fixed_mines(done: Pass, left: int) -> dict[int, int]:
    """The number of mines of every component that has the same in all layouts."""
    # Sets of numbers as bits: the sums of two sets are one of them, shifted by each number of the other.
    possible = [
        sum(1 << (int(component.low) + i) for i, ways in enumerate(component.values) if ways > 0)
        for component in done.components
    ]
    behind = [(1 << (int(done.rest) + 1)) - 1]  # the rest holds any number
    for counts in reversed(possible):
        behind.append(_sums(behind[-1], counts))
    before = 1
    fixed = {}
    for component, counts in enumerate(possible):
        others = _sums(before, behind[-2 - component])
        fitting = [m for m in _numbers(counts) if m <= left and others >> (left - m) & 1]
        if len(fitting) == 1:
            fixed[component] = fitting[0]
        before = _sums(before, counts)
    return fixed


def _numbers(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _sums(some: int, others: int) -> int:
    """All sums of a number of one set and a number of another.

    >>> list(_numbers(_sums(0b10010, 0b101)))
    [1, 3, 4, 6]
    """
    total = 0
    for number in _numbers(others):
        total |= some << number
    return total


def _alone(board: Board, array: NDArray[np.int8], cells: list[Cell]) -> NDArray[np.int8]:
    """The position with only these unknown cells, what is known to be safe around them, and their clues."""
    alone = np.where(array == MINE, array, np.int8(SETTLED))
    for cell in cells:
        alone[cell] = HIDDEN
        for near in board.neighbours(cell):
            if array[near] >= 0 or array[near] == SAFE:
                alone[near] = array[near]
    return alone
