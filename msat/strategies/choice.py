"""What a strategy decides: a `Choice`, and what is refused before a game believes one.

A strategy may be anybody's. Whatever it returns is made a `Choice` of cells, numbers and texts here, or
refused in words that its author understands; so a game neither goes on for ever nor keeps what is no record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from numbers import Integral, Real
from typing import Any

from msat.board import Board, Cell
from msat.cells import check_cell
from msat.errors import CellError, GameError, WrongType
from msat.limits import NAME_LENGTH
from msat.value import explained
from msat.wording import counted, quoted

__all__ = ["BY_COUNTING", "PROVEN", "START", "Choice", "as_choice", "checked_choice"]

PROVEN = frozenset({"rule", "count"})
"""Kinds of choices that are proven; every other kind is a guess."""

START = "the start"
"""The reason of the first move, where the layout lays it down."""

BY_COUNTING = "proven safe by counting"
"""The reason of a move that no rule finds; which numbers prove it, `explain` tells."""


@explained
@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a strategy."""

    cells: tuple[Cell, ...]
    """The cells to open now; more than one only if all of them are proven safe."""

    safety: float
    """The probability that each of them is free of a mine, as the strategy sees it; 1.0 where proven."""

    reason: str
    """Why, in a few words, for the reader of a record."""

    ranking: tuple[tuple[Cell, float], ...] = ()
    """Cells with their safety, the best first, where the strategy compared several."""

    mines: tuple[Cell, ...] = ()
    """Hidden cells proven to be mines, for the player to mark."""

    kind: str = "guess"
    """How it was found: "rule" or "count" where it is proven, else the strategy's name for its guess."""

    reasons: tuple[str, ...] = ()
    """Why of each cell, where that is not the same for all."""

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "safety": self.safety,
            "reason": self.reason,
            "ranking": [[list(cell), safety] for cell, safety in self.ranking],
            "mines": [list(cell) for cell in self.mines],
            "kind": self.kind,
            "reasons": list(self.reasons),
        }

    def opened(self) -> Iterator[tuple[Cell, str]]:
        """Each cell to open, and why."""
        return zip(self.cells, self.reasons or repeat(self.reason), strict=False)

    @property
    def is_guess(self) -> bool:
        """Whether the cell may have a mine, as far as the strategy knows."""
        return self.kind not in PROVEN

    @property
    def is_sure(self) -> bool:
        """Whether the strategy claims that the cells have no mine."""
        return not self.is_guess or self.safety >= 1


def as_choice(board: Board, found: Any) -> Any:
    """What was chosen; a cell alone, a pair or an array of two, as the choice of it with its exact chance."""
    pair = isinstance(found, tuple | list) or getattr(found, "shape", None) == (2,)
    if isinstance(found, Choice) or not pair or len(found) != 2:
        return found
    try:
        cell = divmod(check_cell((found[0], found[1]), board.height, board.width), board.width)
    except CellError:
        return Choice((tuple(found),), 0.0, "its choice")  # to be refused
    if board[cell] >= 0:
        return Choice((cell,), 0.0, "its choice")  # to be refused as well
    from msat.analysis import analyze  # with the engines: only where a game is played

    risk = analyze(board).exact(*cell)
    if risk == 0:
        return Choice((cell,), 1.0, BY_COUNTING, kind="count")
    return Choice((cell,), float(1 - risk), "its choice")


def checked_choice(name: str, board: Board, found: object) -> Choice | None:
    """What the strategy of this name chose on `board`, if it is one that gets the game on; None to give up.

    >>> board = Board.parse("?1? 1")
    >>> checked_choice("mine", board, Choice(iter([[0, 0]]), 0.5, "a cell is a cell")).cells
    ((0, 0),)
    >>> checked_choice("mine", board, Choice((), 0.5, "nothing"))
    Traceback (most recent call last):
    msat.errors.GameError: strategy 'mine' chose no cell: give one, or None to give up
    """
    choice = as_choice(board, found)
    if choice is None:
        return None
    if not isinstance(choice, Choice):
        raise WrongType(
            f"strategy {name!r} chose {quoted(choice)}: "
            "give a cell such as (3, 4), a msat.strategies.Choice such as Choice(((3, 4),), 0.8, 'why'), "
            "or None to give up"
        )
    choice = _with_cells(name, board, choice)
    wrong = _wrong_field(choice)
    if wrong:
        raise GameError(f"strategy {name!r} made a choice with {wrong}")
    if not choice.cells and not choice.mines:
        raise GameError(f"strategy {name!r} chose no cell: give one, or None to give up")
    if choice.cells and all(board[cell] >= 0 for cell in choice.cells):
        raise GameError(
            f"strategy {name!r} chose {choice.cells[0]}, which is open already: "
            "choose a hidden cell, or None to give up"
        )
    return choice


def _with_cells(name: str, board: Board, choice: Choice) -> Choice:
    """The choice with its cells and mines as tuples of cells, whatever they came as."""
    found: dict[str, Any] = {}
    for field in ("cells", "mines"):
        given = getattr(choice, field)
        try:
            several = tuple(given)
        except TypeError:
            raise GameError(
                f"strategy {name!r} made a choice with {field}={quoted(given)}: "
                "give cells, each (row, column)"
            ) from None
        try:
            cells = tuple(divmod(check_cell(cell, *board.shape), board.width) for cell in several)
        except CellError as bad:
            raise CellError(f"strategy {name!r} chose what is no cell: {bad}{_meant(several)}") from None
        if not isinstance(given, tuple) or cells != given:
            found[field] = cells
    return replace(choice, **found) if found else choice


def _meant(several: tuple[object, ...]) -> str:
    """What to write where a cell stands in the place of cells, which happens to everybody once."""
    flat = len(several) == 2 and all(isinstance(number, Integral) for number in several)
    return f", and several as a tuple of them: Choice(({quoted(several)},), …)" if flat else ""


def _wrong_field(choice: Choice) -> str | None:
    """What is wrong with a choice apart from its cells, and what would be right."""
    safety = choice.safety
    if not isinstance(safety, Real) or not 0 <= safety <= 1:
        return f"safety={quoted(safety)}: give a number from 0 to 1, the chance that there is no mine"
    if len(choice.cells) > 1 and not choice.is_sure:
        return (
            f"{len(choice.cells)} cells and safety={safety}: only what is proven may be opened together; "
            "guess one cell at a time"
        )
    for field in ("reason", "kind"):
        if not isinstance(getattr(choice, field), str):
            return f"{field}={quoted(getattr(choice, field))}: give a text"
    if len(choice.kind) > NAME_LENGTH:
        return f"a kind of {len(choice.kind):,} characters: give at most {NAME_LENGTH:,}"
    reasons = choice.reasons
    if not isinstance(reasons, tuple | list) or not all(isinstance(reason, str) for reason in reasons):
        return f"reasons={quoted(reasons)}: give a tuple of texts, one for each cell, or none"
    if reasons and len(reasons) != len(choice.cells):
        return f"{len(reasons)} reasons for {counted(len(choice.cells), 'cell')}: give one for each, or none"
    return None
