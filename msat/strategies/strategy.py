"""What a strategy is: something that looks at a board and says which cells to open, and why.

A strategy sees only the `Board`, never the layout, and keeps nothing between calls that would change its
answers: the same board gets the same choice. It is a class without arguments, so that it can be named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from msat.board import Board, Cell

__all__ = ["Choice", "Strategy"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a strategy."""

    cells: tuple[Cell, ...]
    """The cells to open now; more than one only if all of them are proven safe."""

    safety: float
    """The probability that each of them is free of a mine; 1.0 means proven."""

    reason: str
    """Why, in a few words, for the reader of a record."""

    ranking: tuple[tuple[Cell, float], ...] = ()
    """Cells with their safety, the best first, where the strategy compared several."""

    mines: tuple[Cell, ...] = ()
    """Hidden cells proven to be mines, for the player to mark."""


class Strategy(Protocol):
    """A way to play, known by its name."""

    @property
    def name(self) -> str:
        """The name that `get` and the command line know it by."""

    @property
    def summary(self) -> str:
        """What it does, in one line."""

    def choose(self, board: Board) -> Choice | None:
        """What to open on `board`; None if the strategy would rather stop than guess."""
