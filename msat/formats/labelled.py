"""Rows with numbers or letters along the edges, where these could also be clues: read only if asked for.

Labels that cannot be clues (letters, numbers above and beside the board) need no form: any grid is read
without them.
"""

from __future__ import annotations

from msat.formats.form import Form
from msat.formats.grid import board_rows, parse_rows
from msat.formats.parsed import ParsedBoard

__all__ = ["FORM"]


def _print(board: ParsedBoard) -> str:
    """Column numbers above, row numbers beside the cells, and the total."""
    rows = board_rows(board)
    wide, margin = len(str(board.width - 1)) + 1, len(str(board.height - 1))
    header = " " * margin + "".join(f"{column:>{wide}}" for column in range(board.width))
    lines = [f"{r:>{margin}}" + "".join(f"{cell:>{wide}}" for cell in row) for r, row in enumerate(rows)]
    return "\n".join([header, *lines, f"mines: {board.mines}"])


FORM = Form(
    "labelled",
    "rows of text with numbers or letters along the edges",
    parse_board=lambda source: parse_rows(source.lines, edges="labels"),
    print_board=_print,
)
