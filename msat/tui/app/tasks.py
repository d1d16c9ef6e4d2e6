"""What the viewer asks its solver: plain functions with plain answers, which travel between processes."""

from __future__ import annotations

from dataclasses import replace

from msat.analysis import analyze
from msat.board import Board, Cell
from msat.errors import BudgetExceeded
from msat.explanation.explanation import explain
from msat.layout import Layout
from msat.measures import metrics
from msat.strategies import Choice, get
from msat.tui.board import Overlay

__all__ = ["allowed", "choose", "measure", "overlay", "why"]


def overlay(board: Board) -> Overlay:
    """What is known about the hidden cells of a board."""
    try:
        return Overlay.of(analyze(board))
    except BudgetExceeded as error:
        return Overlay(error.safe, error.mined)


def choose(board: Board, strategy: str, guess1: bool, guess2: bool) -> Choice | None:
    """What a strategy would do on a board, with one or both kinds of guesses turned off."""
    player = get(strategy)
    named = {parameter.name for parameter in player.parameters}
    switches = {name: on for name, on in (("guess1", guess1), ("guess2", guess2)) if name in named}
    return allowed(get(strategy, **switches).choose(board), board, guess1, guess2)


def allowed(choice: Choice | None, board: Board, guess1: bool, guess2: bool) -> Choice | None:
    """The choice, or the best that the strategy ranked below it, if its kind of guess is turned off.

    >>> guess = Choice(((0, 3),), 0.8, "", ranking=(((0, 3), 0.8), ((0, 0), 0.5)))
    >>> allowed(guess, Board.parse("?1?? 1"), guess1=False, guess2=True).cells
    ((0, 0),)
    """
    if choice is None or not choice.is_guess:
        return choice
    ranking = (*((cell, choice.safety) for cell in choice.cells), *choice.ranking)
    for cell, safety in ranking:
        touched = any(board[each] >= 0 for each in board.neighbours(cell))
        if guess2 if touched else guess1:
            return replace(choice, cells=(cell,), safety=safety)
    return None


def why(board: Board, cell: Cell) -> tuple[str, frozenset[Cell]]:
    """Why a cell is what it is, in words, and the clues that this rests on."""
    explanation = explain(board, cell)
    return str(explanation), explanation.clues


def measure(layout: Layout) -> int:
    """The 3BV of a layout."""
    return metrics(layout).bbbv
