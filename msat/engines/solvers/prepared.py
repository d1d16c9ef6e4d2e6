"""A position made ready for a solver: the rules have gone first, and the rest is a problem.

What the engines share: the same prefilter, the same error for a position that contradicts itself, and the
way back from boxes to the cells of the board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.board import Board, Cell
from msat.constants import MINE, SAFE
from msat.deadline import Budget, Deadline, Interrupts
from msat.engines.counting._kernels.answer import ANSWERED, OPEN, PROVEN_MINE, PROVEN_SAFE
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.counting._kernels.order import order_components
from msat.engines.counting.bands import apply_rules
from msat.engines.counting.contradiction import contradiction
from msat.errors import BudgetExceeded, InconsistentBoard
from msat.interrupting import interruptible
from msat.problem._kernels.boxes import build
from msat.problem._kernels.workspace import new_workspace
from msat.problem.problem import UNREAD, Component, Problem

__all__ = ["Possible", "PreparedBoard", "rough_mine_bounds"]

WRITING = 1e-6
"""Seconds for each cell to tell what was found: measured, and rounded up."""

LISTING = 8e-8
"""Seconds for each cell to hand over what the rules have proven: measured, and rounded up."""

_ROWS = 20
"""Rows that are listed at once."""

Possible = list[int]
"""What the cells of each box can be, CAN_BE_SAFE and CAN_BE_MINE; the last entry is that of the rest."""

_EITHER = CAN_BE_SAFE | CAN_BE_MINE
_VERDICT = {CAN_BE_SAFE: PROVEN_SAFE, CAN_BE_MINE: PROVEN_MINE, _EITHER: OPEN}


class PreparedBoard:
    """What the rules proved of a board, and the problem that they leave.

    >>> position = PreparedBoard(Board.parse("1??/1??/??? 3"))
    >>> sorted(position.mined), [box.cells for box in position.problem.boxes]
    ([], [((0, 1), (1, 1))])
    """

    REST: ClassVar[int] = -1
    """Where the rest stands in `Possible`."""

    def __init__(self, board: Board, budget: Budget = None) -> None:
        self.board = board
        self._deadline = deadline = Deadline.of(budget)
        array = board.to_array()
        grid = np.empty_like(array)

        def find() -> tuple[list[Cell], list[Cell]] | None:
            if apply_rules(array, grid, deadline)[0] != ANSWERED:
                return None
            return _cells(grid == SAFE), _cells((grid == MINE) & (array != MINE))

        found: tuple[list[Cell], list[Cell]] | None = interruptible(find, deadline, UNREAD)
        if found is None:
            raise self.contradiction()
        self._grid = grid
        self.safe, self.mined = found
        """Hidden cells that the rules prove to be safe, and those that they prove to be mines."""
        reading = deadline.ending(LISTING * array.size)
        try:
            self.problem = interruptible(
                lambda: Problem.of(board, self.safe, self.mined, reading), reading, UNREAD
            )
            """What the rules leave."""
        except BudgetExceeded as error:
            raise BudgetExceeded(str(error), error.width, self.safe, self.mined) from None
        unknown = sum(box.size for box in self.problem.boxes) + len(self.problem.rest)
        if self.problem.broken is not None or not 0 <= self.problem.mines_left <= unknown:
            raise self.contradiction()

    def order(self, component: Component) -> list[int]:
        """The boxes of a component in an order that keeps few clues open: that of the counting engine."""
        with Interrupts():
            flat = build(self._grid)
            order, _ = order_components(flat, self._grid.shape[1], new_workspace(0))
            for boxes in np.split(order, flat.component_start[1:-1]):
                if component.boxes[0] in boxes:
                    return [int(b) for b in boxes]
        raise AssertionError(f"no component has the boxes {component.boxes}")

    def contradiction(self) -> InconsistentBoard:
        """The error for a position that no layout agrees with."""
        return contradiction(self.board.to_array(), self.board.mines, self._deadline)

    def forced(self, rule_out: Callable[[PreparedBoard, Possible, Deadline], None]) -> NDArray[np.int8]:
        """What is proven of every cell, by a solver.

        `rule_out` is given what each box and the rest can be, and removes what they cannot. When it runs out
        of time, the error carries what it had removed by then.
        """
        possible = [_EITHER] * (len(self.problem.boxes) + 1)
        deadline = self._deadline.ending(WRITING * self._grid.size)
        try:
            interruptible(lambda: rule_out(self, possible, deadline), deadline)
        except BudgetExceeded:
            raise self._too_late(self._verdict(possible.copy()), deadline) from None
        if 0 in possible:
            raise self.contradiction()
        return self._verdict(possible)

    def _too_late(self, verdict: NDArray[np.int8], deadline: Deadline) -> BudgetExceeded:
        safe, mined = _cells(verdict == PROVEN_SAFE), _cells(verdict == PROVEN_MINE)
        return BudgetExceeded(
            f"not all forced cells were found {deadline.within()}: "
            f"{len(safe)} cells are proven safe and {len(mined)} mined so far",
            safe=safe,
            mined=mined,
        )

    def _verdict(self, possible: Possible) -> NDArray[np.int8]:
        verdict = np.full(self.board.shape, OPEN, np.int8)
        verdict[self._grid == SAFE] = PROVEN_SAFE
        verdict[(self._grid == MINE) & (self.board.to_array() != MINE)] = PROVEN_MINE
        groups = [*(box.cells for box in self.problem.boxes), self.problem.rest]
        for cells, can in zip(groups, possible, strict=True):
            if can != _EITHER:
                for cell in cells:
                    verdict[cell] = _VERDICT[can]
        return verdict

    def total_may_matter(self) -> bool:
        """Whether the mine total may rule anything out, told from simple bounds.

        If not, the boxes never hold so many mines that the rest would have none, nor so few that it would be
        full; then the rest is open, and the components have nothing to do with each other.
        """
        bounds = [rough_mine_bounds(self.problem, component) for component in self.problem.components]
        least, most = sum(low for low, _ in bounds), sum(high for _, high in bounds)
        return not (most < self.problem.mines_left < least + len(self.problem.rest))


def rough_mine_bounds(problem: Problem, component: Component) -> tuple[int, int]:
    """Simple bounds on the number of mines in a component: at least, at most.

    >>> problem = Problem.of(Board.parse("??1/3?2/??? 3"))
    >>> rough_mine_bounds(problem, problem.components[0])
    (1, 5)
    """
    charged = dict.fromkeys(component.clues, 0)
    for b in component.boxes:  # every box to one of its clues
        charged[problem.boxes[b].clues[0]] += problem.boxes[b].size
    most = sum(min(problem.clues[k].need, cells) for k, cells in charged.items())
    least = 0
    taken: set[int] = set()
    for k in component.clues:  # clues that share no box
        if taken.isdisjoint(problem.clues[k].boxes):
            taken.update(problem.clues[k].boxes)
            least += problem.clues[k].need
    return least, most


def _cells(where: NDArray[np.bool_]) -> list[Cell]:
    """The cells of a mask, some rows at a time: in one call for a million nobody could look at the clock."""
    found: list[Cell] = []
    for top in range(0, len(where), _ROWS):
        rows, columns = np.nonzero(where[top : top + _ROWS])
        found.extend(zip((rows + top).tolist(), columns.tolist(), strict=True))
    return found
