"""The problem that a board poses: clues as cardinality constraints over boxes, and the mine total.

    sum of mines in the cells of each clue  = its need          (one constraint per clue)
    sum of mines in all unknown cells       = mines left        (the mine total)

Cells that are touched by exactly the same clues are interchangeable: they form a *box*, and only the number
of mines in a box matters. Boxes joined by clues form a *component*; components touch each other only
through the mine total. Unknown cells that no clue touches are the *rest*. Every solver's language (CNF,
pseudo-Boolean, CP-SAT) is written from this form.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from msat.board import Board, Cell
from msat.constants import HIDDEN, MINE, SAFE
from msat.deadline import Deadline, Interrupts
from msat.errors import CellError
from msat.problem._kernels.boxes import REST, build
from msat.wording import cell_name

__all__ = ["Box", "Clue", "Component", "Problem"]


UNREAD = "the board was not taken in"


@dataclass(frozen=True)
class Clue:
    """A revealed number that touches unknown cells: exactly `need` mines in its boxes."""

    cell: Cell
    need: int
    boxes: tuple[int, ...]


@dataclass(frozen=True)
class Box:
    """Unknown cells that are touched by exactly the same clues."""

    cells: tuple[Cell, ...]
    clues: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of cells, hence the most mines."""
        return len(self.cells)


@dataclass(frozen=True)
class Component:
    """Boxes that are joined by clues, and these clues: a problem of its own but for the mine total."""

    boxes: tuple[int, ...]
    clues: tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A board as constraints.

    >>> problem = Problem.of(Board.parse("??1/3?2/??? 3"))
    >>> [(clue.cell, clue.need, clue.boxes) for clue in problem.clues]
    [((0, 2), 1, (1,)), ((1, 0), 3, (0, 1, 2)), ((1, 2), 2, (1, 2, 3))]
    >>> [box.cells for box in problem.boxes]
    [((0, 0), (2, 0)), ((0, 1), (1, 1)), ((2, 1),), ((2, 2),)]
    >>> problem.mines_left, problem.rest
    (3, ())
    """

    board: Board
    clues: tuple[Clue, ...]
    boxes: tuple[Box, ...]
    components: tuple[Component, ...]
    rest: tuple[Cell, ...]
    mines_left: int  # in unknown cells
    broken: Cell | None  # a clue that its own neighbours contradict

    @classmethod
    def of(
        cls,
        board: Board,
        safe: Collection[Cell] = (),
        mined: Collection[Cell] = (),
        deadline: Deadline | None = None,
    ) -> Problem:
        """The problem of a board; hidden cells already known to be safe or mined are no longer unknown."""
        watch = (deadline or Deadline(None)).watch
        grid = board.to_array()
        for known, value in ((safe, SAFE), (mined, MINE)):
            for cell in watch(known, UNREAD):
                if grid[cell] != HIDDEN:
                    raise CellError(
                        f"{cell_name(cell)} is not hidden: only hidden cells can be given as known"
                    )
                grid[cell] = value
        with Interrupts():
            flat = build(grid)
        width = board.width

        def place(at: int) -> Cell:
            return divmod(int(at), width)

        cells: list[list[Cell]] = [[] for _ in flat.box_size]
        rest = []
        for at, b in watch(enumerate(flat.box_of.tolist()), UNREAD):
            if b >= 0:
                cells[b].append(place(at))
            elif b == REST:
                rest.append(place(at))
        boxes = tuple(
            Box(tuple(inside), tuple(flat.box_clues[b, : flat.box_degree[b]].tolist()))
            for b, inside in watch(enumerate(cells), UNREAD)
        )
        clues = tuple(
            Clue(place(at), int(need), tuple(sorted(flat.clue_boxes[k, : flat.clue_degree[k]].tolist())))
            for k, (at, need) in watch(enumerate(zip(flat.clue_cell, flat.clue_need, strict=True)), UNREAD)
        )
        components = []
        for members in watch(np.split(flat.component_boxes, flat.component_start[1:-1]), UNREAD):
            joined = tuple(sorted(members.tolist()))
            if joined:
                components.append(
                    Component(joined, tuple(sorted({k for b in joined for k in boxes[b].clues})))
                )
        return cls(
            board=board,
            clues=clues,
            boxes=boxes,
            components=tuple(components),
            rest=tuple(rest),
            mines_left=board.mines - int(np.count_nonzero(grid == MINE)),
            broken=None if flat.bad < 0 else place(flat.bad),
        )
