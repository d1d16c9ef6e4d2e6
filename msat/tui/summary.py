"""How a game ended: in words for the reader, and as plain values for programs."""

from __future__ import annotations

from typing import Any

from msat.record import Record
from msat.wording import cell_name, counted

__all__ = ["conclusion", "fields"]


def conclusion(record: Record, count: int, unit: str = "decision") -> str:
    """How the game ended after `count` decisions (or clicks), in one sentence.

    >>> from msat.game import Game
    >>> from msat.layout import Layout
    >>> game = Game(Layout.parse("..*"))
    >>> _ = game.open((0, 0))
    >>> conclusion(game.record, 1)
    'Won after 1 decision: 2 opened, 0 marked, 0 guesses'
    """
    game = record.game()
    end = {"won": "Won", "lost": "Lost", "playing": "Given up"}[game.state]
    if game.exploded is not None:
        claimed = game.moves[-1].probability
        end += f" at {cell_name(game.exploded)}"
        if claimed is not None:
            sure = "claimed to be safe for certain" if claimed >= 1 else f"safe with {claimed:.2%}"
            end += f", which was {sure},"
    opened, marked = len(game.board.revealed), len(game.board.marked)
    guesses = counted(len(record.guesses), "guess", "guesses")
    if record.guesses:
        guesses += f"{', all' if record.guesses[1:] else ','} safe with {record.success_probability:.1%}"
    return f"{end} after {counted(count, unit)}: {opened} opened, {marked} marked, {guesses}"


def fields(record: Record, decisions: int) -> dict[str, Any]:
    """The result of a game as a plain JSON value; the fields are documented in the help of `play`."""
    layout, board = record.layout, record.game().board
    return {
        "state": record.state,
        "guesses": [{"cell": list(cell), "safety": safety} for cell, safety in record.guesses],
        "success_probability": record.success_probability,
        "strategy": record.strategy,
        "decisions": decisions,
        "moves": len(record.moves),
        "opened": len(board.revealed),
        "marked": len(board.marked),
        "seconds": record.seconds,
        "height": layout.height,
        "width": layout.width,
        "mines": layout.mines,
    }
