"""Folding: clicks that needed no courage, shown as one step, so that what matters in a game is seen.

By decision, a step is all that was proven before its first click. By guess, a step is all that was proven one
after the other. What was proven is asked of the numbers, not of the player: games of people, and of players
that claim nothing, fold as well. A click that was not proven is always a step of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msat.analysis import analyze
from msat.board import Board, Cell
from msat.errors import BudgetExceeded
from msat.record import Record
from msat.tui.step import Step, steps_of

__all__ = ["WAYS", "Way", "runs_of"]

Way = Literal["cell", "decision", "guess"]

WAYS: tuple[Way, ...] = ("cell", "decision", "guess")
"""What a step is: a click, all that was proven at once, or all between two guesses."""

PATIENCE = 5.0
"""Seconds to find out what is proven on one board; clicks that are not known to be proven stand alone."""


def runs_of(record: Record, way: Way) -> tuple[int, ...]:
    """How many clicks in a row each step has; nothing where every click is one.

    >>> from msat.layout import Layout
    >>> from msat.player import play
    >>> record = play(Layout.random(9, 9, 10, seed=1, start=(4, 4)), "logic")
    >>> runs_of(record, "guess"), runs_of(record, "decision"), runs_of(record, "cell")
    ((1, 16), (1, 6, 7, 3), ())
    """
    return () if way == "cell" else tuple(_lengths(record, way))


def _lengths(record: Record, way: Way) -> Iterator[int]:
    before = Board.blank(record.layout.height, record.layout.width, record.layout.mines)
    known: frozenset[Cell] = frozenset()
    length = 0  # of the run that may still grow
    for step in steps_of(record):
        opened, again = _clicked(step, before), False
        if not opened <= known:
            again = True
            known = _safe(before.without_marks())
        proven = opened <= known
        if length and (not proven or (again and way == "decision")):
            yield length
            length = 0
        length += 1
        if not proven:
            yield length
            length = 0
        before = step.board
    if length:
        yield length


def _clicked(step: Step, before: Board) -> frozenset[Cell]:
    """The hidden cells that a step's clicks opened by themselves: around a number, for a chord."""
    found: set[Cell] = set()
    for move in step.moves:
        if move.kind == "chord":
            hidden = [cell for cell in before.neighbours(move.cell) if before[cell] < 0]
            found.update(cell for cell in hidden if step.board[cell] >= 0 or cell == step.exploded)
        elif move.opens:
            found.add(move.cell)
    return frozenset(found)


def _safe(board: Board) -> frozenset[Cell]:
    try:
        return analyze(board, budget=PATIENCE).safe
    except BudgetExceeded as error:
        return error.safe
