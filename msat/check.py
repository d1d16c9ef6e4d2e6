"""Checked answers: what `analyze(board, check=True)` found is proven a second time, in another way.

- Every forced cell: a SAT solver finds no layout in which it is the other way round.
- Every other hidden cell: there is a layout with a mine there and one without. Each such witness is compared
  with the board directly, by the rules of the game.
- The numbers: another engine counts as many layouts, and finds the same probabilities.
- A contradiction: a SAT solver finds no layout.

To have as little as possible in common with what is checked, the formula is written from the board anew, in
another encoding, and goes to another solver. What does not agree is a fault of msat: `CheckFailed` prints
the position, so that it can be reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from msat.board import HIDDEN, MINE, Board, Cell
from msat.deadline import Budget, Deadline
from msat.encode.cnf import encode_equations
from msat.engines.registry import load
from msat.engines.solvers.sat_session import SatSession
from msat.errors import CheckFailed
from msat.interrupting import interruptible
from msat.wording import cell_name

__all__ = ["Checkable", "check_answer", "check_contradiction", "failure"]

SOLVER = "glucose4"
ENCODING = "seqcounter"

TOLERANCE = 1e-9
"""By how much two probabilities may differ: far above rounding, far below anything that matters."""


class Checkable(Protocol):
    """What is checked: an `Analysis`."""

    @property
    def board(self) -> Board:
        """The board that was analysed."""

    @property
    def complete(self) -> bool:
        """Whether everything was answered."""

    @property
    def safe(self) -> frozenset[Cell]:
        """Cells said to be safe."""

    @property
    def mined(self) -> frozenset[Cell]:
        """Cells said to be mines."""

    @property
    def solutions(self) -> int:
        """The number of layouts."""

    @property
    def probability(self) -> NDArray[np.float64]:
        """The probability of a mine in each cell."""


def check_answer(answer: Checkable, engine: str, budget: Budget = None) -> None:
    """Prove the answer of an engine a second way; CheckFailed if that does not succeed.

    >>> from msat.board import Board
    >>> class Wrong:
    ...     board, complete = Board.parse("1??/??? 1"), False
    ...     safe, mined = frozenset({(0, 1)}), frozenset()
    >>> check_answer(Wrong(), "auto")
    Traceback (most recent call last):
    msat.errors.CheckFailed: r0c1 is said to be safe, but a mine there is possible: please report 1??/??? 1
    """
    deadline = Deadline.of(budget)
    interruptible(lambda: _check_cells(answer, deadline), deadline)
    if answer.complete:
        _check_numbers(answer, "sat" if engine in ("auto", "counting") else "counting", deadline)


def check_contradiction(board: Board, budget: Budget = None) -> None:
    """Prove a second way that no layout agrees with a board; CheckFailed if one does.

    >>> check_contradiction(Board.parse("1?/0? 1"))
    """
    deadline = Deadline.of(budget)

    def find() -> frozenset[Cell] | None:
        with _LayoutFinder(board, deadline) as solver:
            return next(solver.layouts(), None)

    if interruptible(find, deadline) is not None:
        raise failure(board, "it is said to contradict itself, but there is a layout")


def _check_cells(answer: Checkable, deadline: Deadline) -> None:
    """Forced cells cannot be the other way round; all other hidden cells can be both."""
    board = answer.board
    open_both_ways = {(cell, mine) for cell in board.hidden for mine in (True, False)}
    with _LayoutFinder(board, deadline) as solver:
        for cells, mine in ((answer.safe, False), (answer.mined, True)):
            for cell in sorted(cells):
                if board[cell] != HIDDEN:
                    raise failure(board, f"{cell_name(cell)} is said to be forced, but is not hidden")
                if next(solver.layouts(cell, not mine), None) is not None:
                    said, possible = ("a mine", "no mine") if mine else ("safe", "a mine")
                    raise failure(
                        board, f"{cell_name(cell)} is said to be {said}, but {possible} there is possible"
                    )
                open_both_ways -= {(cell, True), (cell, False)}
        while open_both_ways:
            _witness(board, solver, *min(open_both_ways), open_both_ways)


def _witness(
    board: Board, solver: _LayoutFinder, cell: Cell, mine: bool, wanted: set[tuple[Cell, bool]]
) -> None:
    """Find layouts for one of the wanted (cell, mine), and strike out all that they show to be possible."""
    for mines in solver.layouts(cell, mine):
        if not _agrees(board, mines):
            raise failure(board, f"mines at {sorted(mines)} were taken for a layout of it")
        shown = {(other, other in mines) for other in board.hidden} & wanted
        if not shown:
            break  # further ones would show as little
        wanted -= shown
    if (cell, mine) in wanted:
        raise failure(
            board, f"{cell_name(cell)} is said to be open, but is {'no' if mine else 'always a'} mine"
        )


def _agrees(board: Board, mines: frozenset[Cell]) -> bool:
    """Whether mines are a layout of the board: the rules of the game, nothing else."""
    return (
        len(mines) == board.mines
        and all(cell in mines for cell in board.marked)
        and all(
            clue not in mines and sum(cell in mines for cell in board.neighbours(clue)) == board[clue]
            for clue in board.revealed
        )
    )


def _check_numbers(answer: Checkable, second: str, deadline: Deadline) -> None:
    """Another engine finds the same numbers."""
    board = answer.board
    counts = load(second).count(board, deadline)
    if counts.solutions != answer.solutions:
        raise failure(board, f"{answer.solutions} layouts were counted, and {counts.solutions} by {second}")
    for cell in board.hidden:
        found, expected = float(answer.probability[cell]), float(counts.probability(*cell))
        if not abs(found - expected) <= TOLERANCE:
            raise failure(
                board, f"{cell_name(cell)} was given a probability of {found}, and {expected} by {second}"
            )


class _LayoutFinder:
    """Layouts of a board from a SAT solver; the formula is written from the board in plain Python."""

    def __init__(self, board: Board, deadline: Deadline) -> None:
        self._board = board
        equations = []
        for clue in board.revealed:
            around = board.neighbours(clue)
            marked = sum(board[cell] == MINE for cell in around)
            equations.append(([cell for cell in around if board[cell] == HIDDEN], board[clue] - marked))
        self._left = board.mines - len(board.marked)
        self._formula = encode_equations(
            equations, unknowns=board.hidden, mines=self._left, encoding=ENCODING
        )
        self._boxes: dict[int, list[Cell]] = {group[0]: [] for group in self._formula.count}
        self._rest: list[Cell] = []
        for cell in board.hidden:
            self._boxes.get(self._formula.literal(cell, True), self._rest).append(cell)
        self._session = SatSession(self._formula, SOLVER, deadline)

    def __enter__(self) -> _LayoutFinder:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.__exit__()

    def layouts(self, cell: Cell | None = None, mine: bool = False) -> Iterator[frozenset[Cell]]:
        """Layouts with (or without) a mine in the cell; none if that is impossible.

        The first is what was asked for; in the others the mines of each box move on among its cells, so that
        one answer of the solver soon shows for many cells that they can be both.
        """
        asked = [] if cell is None else [self._formula.literal(cell, mine)]
        model = self._session.solve(asked)
        if model is None:
            return
        parts = [
            (self._boxes[group[0]], sum(literal in model for literal in group))
            for group in self._formula.count
        ]
        parts.append((self._rest, self._left - sum(count for _, count in parts)))
        # The cell itself comes first where it shall be a mine, else last.
        parts = [(sorted(cells, key=lambda other: (other == cell) != mine), count) for cells, count in parts]
        for turn in range(max(1, *(len(cells) for cells, _ in parts))):
            mines = set(self._board.marked)
            for cells, count in parts:
                first = turn * count
                mines.update(cells[(first + i) % len(cells)] for i in range(count))
            yield frozenset(mines)


def failure(board: Board, reason: str) -> CheckFailed:
    """The error for an answer about a board that msat itself does not confirm.

    >>> print(failure(Board.parse("?1? 1"), "two engines differ"))
    two engines differ: please report ?1?/ 1
    """
    return CheckFailed(f"{reason}: please report {board.to_text('line').strip()}")
