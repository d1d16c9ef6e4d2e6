"""Advice: what to open on a board, how likely that is to win, why, and what else could be opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from msat import svg
from msat.analysis import Analysis
from msat.board import Board, Cell
from msat.coach import sentences
from msat.coach.guess_words import guess_reasons
from msat.notebook import figure
from msat.value import explained
from msat.wording import cell_name

__all__ = ["Advice", "Alternative"]


@explained
@dataclass(frozen=True)
class Alternative:
    """Another move, and what it would be worth."""

    cell: Cell
    """What would be opened."""
    safety: float
    """The probability that it is free of a mine."""
    win: Fraction | float | None
    """The chance to win after it: exact or estimated as that of the best move, and on the same layouts."""
    win_error: float
    """The standard error of an estimate; 0.0 where the chance is exact."""
    games: int = 0
    """The games that an estimate rests on; 0 where the chance is exact, or not known."""
    difference: Fraction | float | None = None
    """By how much the chance is above that of the best move; None if one of them is not known."""
    difference_error: float = 0.0
    """The standard error of that, mostly smaller than those of the chances: the layouts are the same."""
    progress: float | None = None
    """The chance, if the cell is safe, that its number proves another one safe, or that the game is won …"""
    second: float | None = None
    """… and how safe the best click after it is then, on average."""
    dead: bool = False
    """Whether it shows the same number in every layout in which it is safe: that tells nothing."""

    @property
    def chance(self) -> str:
        """The chance to win in words."""
        return sentences.chance(self.win, self.safety, self.games)

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "cell": list(self.cell),
            **_fields(self),
            "difference": None if self.difference is None else float(self.difference),
            "difference_error": None if self.difference is None else self.difference_error,
        }


@explained
@dataclass(frozen=True)
class Advice:
    """What to open on a board, and why."""

    board: Board
    """The board that was asked about."""
    cell: Cell | None
    """The cell to open; None where nothing is left to open."""
    cells: tuple[Cell, ...]
    """All cells that are proven safe, where there are any: they may all be opened. Else just the cell."""
    kind: str
    """How it was found: "rule", "count" (proven), "endgame", "pocket" (searched to the end),
    "unavoidable" (to be faced at the same risk whenever), "evaluated", "sampled" (compared with others),
    "blind", "guess" (the safest), or "won"."""
    safety: float
    """The probability that the cell is free of a mine; 1.0 only where that is proven."""
    win: Fraction | float | None
    """The chance to win: a Fraction, by perfect play, where it is exact; else a float: the safety, times the
    average chance of games that the player `best` plays on after the move; None where that is not known."""
    exact: bool
    """Whether `win` is exact."""
    win_error: float
    """The standard error of an estimate; 0.0 where the chance is exact."""
    games: int
    """The games that an estimate rests on; 0 where the chance is exact, or not known."""
    reason: str
    """Why, in one sentence."""
    unknown: str = ""
    """Why the chance to win is not known, in a few words; empty where it is known."""
    alternatives: tuple[Alternative, ...] = ()
    """Other moves that the player ranks high, those with the best chances to win first, then the safest; none
    where cells are proven safe."""
    progress: float | None = None
    """For a guess: the chance, if it is safe, that its number proves another cell safe, or wins the game …"""
    second: float | None = None
    """… and how safe the best click after it is then, on average."""
    dead: bool = False
    """Whether it shows the same number in every layout in which it is safe: that tells nothing."""
    analysis: Analysis | None = field(default=None, repr=False, compare=False)
    """For a guess: what was found out about the board, from which `reasons` are told."""

    @property
    def is_guess(self) -> bool:
        """Whether the cell is not proven to be safe."""
        return self.cell is not None and self.safety < 1.0

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why, in three sentences for a guess: what it risks, what it may show, and how often it wins."""
        return guess_reasons(self) if self.is_guess else (self.reason,)

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "cell": None if self.cell is None else list(self.cell),
            "cells": [list(cell) for cell in self.cells],
            "kind": self.kind,
            **_fields(self),
            "reason": self.reason,
            "reasons": list(self.reasons),
            "alternatives": [other.to_object() for other in self.alternatives],
        }

    def _repr_html_(self) -> str:
        rings = dict.fromkeys(self.cells, "safe" if self.safety == 1 else "choice")
        rings = dict.fromkeys((other.cell for other in self.alternatives), "clue") | rings
        if self.cell is not None:
            rings[self.cell] = "choice"
        moves: tuple[Advice | Alternative, ...] = (self, *self.alternatives)
        rows = [
            [cell_name(move.cell), f"{move.safety:.1%}", move.chance]
            for move in moves
            if move.cell is not None
        ]
        picture = svg.drawn(svg.board, self.board, highlights=rings)
        return figure(picture, self.reasons, ("cell", "safe", "wins"), rows)

    def __str__(self) -> str:
        rest = f" ± {100 * self.win_error:.1f}" if self.games else ""
        if self.unknown:
            rest = f" ({self.unknown})"
        return f"{self.reason}; chance to win: {self.chance}{rest}"

    @property
    def chance(self) -> str:
        """The chance to win in words."""
        return sentences.chance(self.win, self.safety, self.games)


def _fields(move: Advice | Alternative) -> dict[str, Any]:
    """What is said of the move and of others alike."""
    win = move.win
    return {
        "safety": move.safety,
        "win": None if win is None else float(win),
        "win_error": None if win is None else move.win_error,
        "win_exact": str(win) if isinstance(win, Fraction) else None,
        "games": move.games,
        "progress": move.progress,
        "second": move.second,
        "dead": move.dead,
    }
