"""The Ganak engine: exact counts from the model counter of that name (the optional package `pyganak`).

Why: an independent count, by software that does nothing else. What it costs: some milliseconds for every
count, two counts per component, and two more for every box whose probability is asked for. When it loses:
against the counting engine, always.

Models are to be counted by their number of mines. A formula that adds up its mines is many times harder to
count, and there is a cheaper way. Clues that share no box hold the sum of their needs in every model, so only
the mines in other boxes have to be told apart (see `ganak_worker.py` for how).

A model counter does not find forced cells; these are asked of the SAT engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import comb

from msat.board import Board
from msat.deadline import Budget, Deadline
from msat.encode.cnf import encode
from msat.encode.multiples import multiply
from msat.engines.solvers.box_count import BoxCount
from msat.engines.solvers.ganak_process import ask
from msat.engines.solvers.prepared import PreparedBoard
from msat.engines.solvers.sat import forced
from msat.errors import MissingPackage
from msat.installing import install
from msat.problem.problem import Component, Problem

__all__ = ["count", "forced", "require"]


def require() -> None:
    """Raise the error that says how to install Ganak, if it is not."""
    if find_spec("pyganak") is None:
        raise MissingPackage(f"engine 'ganak' needs the package pyganak: {install('pyganak')}")


def count(board: Board, budget: Budget = None) -> BoxCount:
    """Exact counts of a board: how many layouts now, box by box when first asked for, all in one budget."""
    require()
    deadline = Deadline.of(budget)
    position = PreparedBoard(board, deadline)
    counts = [
        _ComponentCounts(position.problem, component, deadline) for component in position.problem.components
    ]
    if deadline is not budget:  # a clock of its own
        deadline.stop()  # until the next question
    return BoxCount(position, counts)


class _ComponentCounts:
    """Layouts of one component by mine count (`box_count.ByMines`)."""

    def __init__(self, problem: Problem, component: Component, deadline: Deadline) -> None:
        self._formula = encode(problem, component=component)
        self._deadline = deadline
        apart, self._known_mines = _clues_apart(problem, component)
        groups = zip(component.boxes, self._formula.count, strict=True)
        self._by = [literal for b, group in groups if b not in apart for literal in group]
        self.ways = self._ask([_ways_to_fill(group) for group in self._formula.count])
        """Layouts by mine count."""

    def mined(self, i: int) -> dict[int, int]:
        """Layouts with a mine in the first cell of box `i` of the component."""
        ways = [_ways_to_fill(group) for group in self._formula.count]
        # The other cells of the box hold one mine less.
        ways[i] = [0, *_ways_to_fill(self._formula.count[i][1:])]
        with self._deadline.running():
            return self._ask(ways)

    def _ask(self, ways: Sequence[Sequence[int]]) -> dict[int, int]:
        """Layouts by mine count, where each number of mines in each box can be placed in so many ways."""
        clauses = self._formula.clauses + [[selector] for selector in self._formula.assumptions()]
        top = self._formula.variables
        for group, times in zip(self._formula.count, ways, strict=True):
            more, top = multiply(group, times, top)
            clauses += more
        counts = ask({"variables": top, "clauses": clauses, "by": self._by}, self._deadline)
        return {self._known_mines + mines: ways for mines, ways in enumerate(counts) if ways}


def _ways_to_fill(cells: Sequence[object]) -> list[int]:
    """In how many ways some cells hold 0, 1, 2, … mines."""
    return [comb(len(cells), mines) for mines in range(len(cells) + 1)]


def _clues_apart(problem: Problem, component: Component) -> tuple[set[int], int]:
    """The boxes of clues that share none with each other, large ones first, and the mines in them."""

    def cells(k: int) -> int:
        return sum(problem.boxes[b].size for b in problem.clues[k].boxes)

    boxes: set[int] = set()
    mines = 0
    for k in sorted(component.clues, key=cells, reverse=True):
        if boxes.isdisjoint(problem.clues[k].boxes):
            boxes.update(problem.clues[k].boxes)
            mines += problem.clues[k].need
    return boxes, mines
