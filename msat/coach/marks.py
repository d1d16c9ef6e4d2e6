"""`judge_marks`: marks are opinions, numbers are facts. What do the numbers say about each mark?

Whoever talks to a person judges the marks first, and answers from the numbers and the marks that they prove.
`analyze` itself takes every mark for granted, as programs expect that know their mines.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msat.analysis import Analysis, analyze
from msat.board import HIDDEN, Board, Cell, check_board
from msat.deadline import Budget, Deadline
from msat.errors import BudgetExceeded
from msat.kinds import several
from msat.value import explained

__all__ = ["Mark", "Verdict", "judge_marks", "mark_of", "trusted"]

Verdict = Literal["proven", "wrong", "unproven"]


@explained
class Mark(NamedTuple):
    """What the numbers say about a mark."""

    verdict: Verdict
    """"proven" if every layout has a mine there, "wrong" if none has, else "unproven"."""
    probability: Fraction | None
    """The probability of a mine there, exactly; None where the board is too wide to be counted in time."""

    def to_object(self, cell: Cell | None = None) -> dict[str, Any]:
        """Plain JSON values, with the cell of the mark if it is told."""
        chance = None if self.probability is None else float(self.probability)
        where = {} if cell is None else {"cell": list(several(cell, "cell", "(row, column)"))}
        return {**where, "verdict": self.verdict, "probability": chance}


def judge_marks(board: Board, budget: Budget = None) -> dict[Cell, Mark]:
    """Every mark of a board in reading order, judged by the numbers and the mine total alone.

    All marks are taken as hidden, so that one wrong mark does not make others look right. `budget` limits the
    seconds for all of it; numbers that contradict each other raise `InconsistentBoard`.

    >>> import msat
    >>> for cell, mark in msat.judge_marks(msat.Board.parse("**?/111 1")).items():
    ...     print(cell, mark.verdict, mark.probability)
    (0, 0) wrong 0
    (0, 1) proven 1
    """
    check_board(board, "judge_marks")
    if not board.marked:
        return {}
    found = analyze(board.without_marks(), budget=Deadline.of(budget))  # the exact chances included
    return {cell: mark_of(found, cell) for cell in board.marked}


def mark_of(found: Analysis, cell: Cell) -> Mark:
    """What the analysis of a board without its marks says about one of them."""
    if cell in found.mined:
        return Mark("proven", Fraction(1))
    if cell in found.safe:
        return Mark("wrong", Fraction(0))
    try:
        return Mark("unproven", found.exact(*cell))
    except BudgetExceeded:
        return Mark("unproven", None)


def trusted(board: Board, judged: Mapping[Cell, Mark]) -> Board:
    """The board that a person is answered from: proven marks stay, others are hidden.

    >>> board = Board.parse("**?/111 1")
    >>> trusted(board, judge_marks(board))
    Board.parse('?*?/111 1')
    """
    return board.replace({cell: HIDDEN for cell, mark in judged.items() if mark.verdict != "proven"})
