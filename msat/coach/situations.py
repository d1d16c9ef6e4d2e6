"""The situations of a game: every move with what was known before it, by numbers and mine total alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from msat.analysis import Analysis, analyze
from msat.board import HIDDEN, MINE, Board, Cell
from msat.coach.judging import joint_safety
from msat.coach.marks import Mark, mark_of
from msat.deadline import Deadline
from msat.errors import BudgetExceeded
from msat.game import Game, Move
from msat.record import Record

__all__ = ["DecisionKind", "Situation", "analyze_before", "situations_of"]

DecisionKind = Literal["start", "proven", "needless", "blunder", "guess", "mark"]


class Situation(NamedTuple):
    """A move of the record, and what was known before it."""

    number: int
    move: Move
    board: Board
    analysis: Analysis
    opened: tuple[Cell, ...]
    kind: DecisionKind
    safety: Fraction
    marks: tuple[tuple[Cell, Mark], ...] = ()
    """Those that a chord trusted, and what the numbers said about each …"""
    wrong: tuple[Cell, ...] = ()
    """… and those of them that had no mine, whatever was known: with one of these a chord opens a mine."""

    @property
    def contested(self) -> bool:
        """Whether the choice may have been a mistake."""
        return self.kind in ("needless", "guess", "blunder")


def situations_of(record: Record, limit: Deadline) -> list[Situation]:
    """The moves of the record with what was known before each."""
    game = Game(record.layout, record.strategy)
    found: list[Situation] = []
    analysis = analyze_before(game.board, 1, limit)
    for number, move in enumerate(record.moves, 1):
        board = game.board
        unmarked = board.without_marks()
        if unmarked != analysis.board:
            analysis = analyze_before(unmarked, number, limit)
        opened: tuple[Cell, ...] = ()
        trusted: tuple[Cell, ...] = ()
        if move.kind == "open":
            opened = (move.cell,)
        elif move.kind == "chord":
            around = board.neighbours(move.cell)
            opened = tuple(cell for cell in around if board[cell] == HIDDEN)
            trusted = tuple(cell for cell in around if board[cell] == MINE)
        safety = _safety_of_start(record, move) if _is_start(analysis, opened) else None
        if safety is None:
            safety = joint_safety(analysis, opened or (move.cell,), limit)
        kind = _kind(analysis, opened, safety)
        marks = tuple((cell, mark_of(analysis, cell)) for cell in trusted)
        wrong = tuple(cell for cell in trusted if not record.layout.is_mine(cell))
        found.append(Situation(number, move, board, analysis, opened, kind, safety, marks, wrong))
        game.apply(move)
    return found


def analyze_before(board: Board, number: int, limit: Deadline) -> Analysis:
    """The analysis of the board before a move; an error that names the move where there is none."""
    limit.check(f"the game was not reviewed beyond move {number - 1}")
    analysis = analyze(board, budget=limit)
    if not analysis.complete:
        raise BudgetExceeded(
            f"the board before move {number} is too wide to be counted: the game is not reviewed"
        )
    return analysis


def _is_start(analysis: Analysis, opened: tuple[Cell, ...]) -> bool:
    return bool(opened) and not analysis.board.revealed


def _safety_of_start(record: Record, move: Move) -> Fraction | None:
    """1 for a start that was given and did no harm: somebody saw to that. None where it was a try."""
    given = move.cell == record.layout.start and not record.layout.is_mine(move.cell)
    return Fraction(1) if given else None


def _kind(analysis: Analysis, opened: tuple[Cell, ...], safety: Fraction) -> DecisionKind:
    if not opened:
        return "mark"
    if _is_start(analysis, opened):
        return "start"
    if safety in (0, 1):
        return "proven" if safety else "blunder"
    return "needless" if analysis.safe else "guess"
