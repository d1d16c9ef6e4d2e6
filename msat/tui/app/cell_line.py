"""The line about the cell under the cursor: how likely a mine is, what it may show, whether that tells."""

from __future__ import annotations

from msat.board import MINE, Board, Cell
from msat.coach.sentences import percent
from msat.tui.app.tasks import Known
from msat.wording import cell_name, counted

__all__ = ["cell_line"]

_MARKS = {
    "proven": "marked, rightly",
    "wrong": "marked, wrongly",
    "unproven": "marked, not proven",
    "": "marked",
}
_LEAST = 0.0005  # numbers less likely than this have no place in one line


def cell_line(board: Board, cell: Cell, known: Known | None, unknown: str = "…") -> str:
    """All that is known about a cell; `unknown` says why there may be nothing.

    >>> from msat.tui.app.tasks import Believed, known
    >>> board = Board.parse("?1*/???/??? 2")
    >>> found = known(Believed(board, False))
    >>> cell_line(board, (0, 0), found)
    'r0c0 hidden · mine 20.0% · shows 0: 40%, 1: 40% · alive'
    >>> cell_line(board, (0, 2), found)
    'r0c2 marked, not proven · mine 20.0% · shows 0: 40%, 1: 40% · alive'
    >>> cell_line(board, (0, 1), found)
    'r0c1 shows 1 · 5 cells around it not opened'
    """
    name, value = cell_name(cell), board[cell]
    if value >= 0:
        hidden = sum(board[near] < 0 for near in board.neighbours(cell))
        return f"{name} shows {value} · {counted(hidden, 'cell')} around it not opened"
    if known is None:
        return f"{name} {'marked' if value == MINE else 'hidden'}" + (f" · {unknown}" if unknown else "")
    parts = [
        f"{name} {_MARKS[known.overlay.verdict(cell)] if value == MINE else 'hidden'}",
        _risk(known, cell),
    ]
    if known.chances is not None:
        chances = [float(chance) for chance in known.chances[cell]]
        numbers = [f"{n}: {chance:.0%}" for n, chance in enumerate(chances) if chance >= _LEAST]
        if numbers:
            parts.append(f"shows {', '.join(numbers)}")
            parts.append("dead: it tells nothing" if cell in known.dead else "alive")
    return " · ".join(parts)


def _risk(known: Known, cell: Cell) -> str:
    """How likely a mine is at a cell, in words."""
    overlay = known.overlay
    if cell in overlay.safe:
        return "proven safe"
    if cell in overlay.mined or overlay.verdict(cell) == "proven":
        return "proven to be a mine"
    risk = float("nan") if overlay.probability is None else float(overlay.probability[cell])
    return f"mine {percent(risk)}" if risk == risk else "not counted"
