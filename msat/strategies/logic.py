"""`logic`: opens every cell that is proven safe, and never guesses.

What: asks for all forced cells, the mine total included, and opens every safe one at once. Nothing that can
be deduced is missed, so it measures how far pure deduction goes on a board.
Cost: one exact analysis per decision.
When it loses: never by a mine. It stops wherever no cell is proven safe, which on most expert boards is
before the end.
"""

from __future__ import annotations

from typing import ClassVar

from msat.analysis import analyze
from msat.board import Board
from msat.strategies.strategy import Choice, Strategy

__all__ = ["Logic"]


class Logic(Strategy):
    """Opens every cell that is proven safe; gives up where there is none."""

    name: ClassVar[str] = "logic"
    summary: ClassVar[str] = "opens what is proven safe and stops where nothing is"

    def choose(self, board: Board) -> Choice | None:
        """All proven safe cells, or None.

        >>> print(Logic().choose(Board.parse("??/11 1")))
        None
        """
        analysis = analyze(board)
        if not analysis.safe:
            return None
        return Choice(
            cells=tuple(sorted(analysis.safe)),
            safety=1.0,
            reason="proven safe",
            kind="count",
            mines=tuple(sorted(analysis.mined)),
        )
