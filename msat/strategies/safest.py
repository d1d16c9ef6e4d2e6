"""`safest`: opens what is proven safe, else the cell with the lowest exact mine probability.

What: greedy play on exact probabilities. Among equally safe cells it prefers one that can teach something
(some neighbour is not yet known), then the one with the fewest hidden neighbours, which is the likeliest to
open an area (corners before edges before the middle), then the first in reading order.
Cost: one exact analysis per decision.
When it loses: it weighs only the next click. A slightly riskier cell that would have told more, or a
fifty-fifty that has to be faced anyway and is better faced early, is passed over.
"""

from __future__ import annotations

from typing import ClassVar

from msat.analysis import Analysis, analyze
from msat.board import HIDDEN, Board, Cell
from msat.strategies.strategy import Choice, Strategy

__all__ = ["Safest", "ranking"]

_SAME = 1e-9
"""Probabilities closer than this are equal: floats of equal fractions differ by rounding only."""


def ranking(analysis: Analysis) -> tuple[tuple[Cell, float], ...]:
    """All hidden cells that are not proven mines, with their safety, the best to open first.

    >>> ranking(analyze(Board.parse("???/121 2")))
    (((0, 1), 1.0),)
    """
    board = analysis.board
    forced = analysis.safe | analysis.mined
    rows = analysis.probability.tolist()
    risk = {(r, c): float(rows[r][c]) for r, c in board.hidden if (r, c) not in analysis.mined}

    level: dict[Cell, int] = {}
    previous, steps = 0.0, 0
    for cell in sorted(risk, key=risk.__getitem__):
        steps += risk[cell] - previous > _SAME
        previous, level[cell] = risk[cell], steps

    def merit(cell: Cell) -> tuple[int, bool, int, Cell]:
        hidden = [other for other in board.neighbours(cell) if board[other] == HIDDEN]
        teaches = any(other not in forced for other in hidden)
        return level[cell], not teaches, len(hidden), cell

    return tuple((cell, 1.0 - risk[cell]) for cell in sorted(risk, key=merit))


class Safest(Strategy):
    """Opens what is proven safe, else the least risky cell."""

    name: ClassVar[str] = "safest"
    summary: ClassVar[str] = "opens what is proven safe, else the cell with the lowest exact mine probability"

    def choose(self, board: Board) -> Choice | None:
        """All proven safe cells, or the least risky one; None if every hidden cell is a mine.

        >>> choice = Safest().choose(Board.parse("????/???? 2"))
        >>> choice.cells, choice.safety
        (((0, 0),), 0.75)
        """
        analysis = analyze(board)
        mines = tuple(sorted(analysis.mined))
        if analysis.safe:
            return Choice(tuple(sorted(analysis.safe)), 1.0, "proven safe", mines=mines, kind="count")
        ranked = ranking(analysis)
        if not ranked:
            return None
        cell, safety = ranked[0]
        touched = any(board[other] >= 0 for other in board.neighbours(cell))
        reason = "least risky" if touched else "least risky, away from all clues"
        return Choice((cell,), safety, reason, ranked, mines)
