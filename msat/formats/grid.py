"""Rows of cells, one below the other: what a person types, and what `str(board)` and `str(layout)` print.

A board:        A layout:
    ? ? 1           ..*
    3 ? 2           .*.
    mines: 3        start: 0 0

Cells stand all together or all apart. The setting (`mines`, `start`) is a line before or after the rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from msat.errors import BoardError, LayoutError, MsatError
from msat.formats.form import Form, Source
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard, ParsedLayout
from msat.formats.source import Line, check_rows, number_in, quote, read_row

__all__ = [
    "BOARD_CELLS",
    "BOARD_USAGE",
    "FORM",
    "LAYOUT_CELLS",
    "LAYOUT_USAGE",
    "board_rows",
    "layout_rows",
    "parse_cells",
    "print_rows",
    "setting",
]

BOARD_CELLS: Mapping[str, int] = {
    **dict.fromkeys("?#-", HIDDEN_BYTE),
    **{str(number): number for number in range(9)},
    **dict.fromkeys("*xXMF", MINE_BYTE),
}
LAYOUT_CELLS: Mapping[str, int] = {".": 0, "*": 1}

BOARD_USAGE = "'?', '#' or '-' (hidden), '0' to '8' (revealed), '*', 'x', 'X', 'M' or 'F' (known mine)"
LAYOUT_USAGE = "'.' (safe) or '*' (mine)"

# Patterns are kept as text: `re` compiles each at its first use, so that `import msat` need not.
_PAIR = r"\(?\s*([0-9]{1,4})(?:\s*,\s*|\s+)([0-9]{1,4})\s*\)?"

_PRINTED = bytes.maketrans(bytes([HIDDEN_BYTE, MINE_BYTE, *range(9)]), b"?*012345678")


def board_rows(board: ParsedBoard, dot: int | None = None) -> list[str]:
    """The rows of a board in its canonical characters; cells with the value `dot` are printed as dots."""
    text = board.values.translate(_PRINTED).decode("ascii")
    if dot is not None:
        text = text.replace(chr(_PRINTED[dot]), ".")
    return [text[i : i + board.width] for i in range(0, len(text), board.width)]


def layout_rows(layout: ParsedLayout) -> list[str]:
    """The rows of a layout, '.' and '*'."""
    text = layout.mask.translate(bytes.maketrans(b"\0\1", b".*")).decode("ascii")
    return [text[i : i + layout.width] for i in range(0, len(text), layout.width)]


def setting(name: str, line: Line) -> str | None:
    """What a line such as `mines: 10` or `start 3 3` says, or None if it is not such a line."""
    found = re.fullmatch(rf"(?i:{name})\b\s*[:=]?(.*)", line.text.strip())
    return None if found is None else found[1].strip()


def _split(lines: list[Line], name: str, error: type[MsatError]) -> tuple[list[Line], Line | None]:
    """The rows, and the line with the setting, if there is one."""
    settings = [line for line in lines if setting(name, line) is not None]
    rows = [line for line in lines if setting(name, line) is None]
    if not rows:
        raise error("no rows: write at least one row of cells")
    for above, below in pairwise(rows):
        if below.number != above.number + 1:
            raise error(
                f"line {above.number + 1}: the rows end here but go on in {below}: leave no line between rows"
            )
    if len(settings) > 1:
        raise error(f"{settings[1]}: {quote(settings[1].text.strip())} was already said in {settings[0]}")
    return rows, settings[0] if settings else None


def _grid(
    rows: list[Line], cells: Mapping[str, int], usage: str, error: type[MsatError]
) -> tuple[int, int, bytes]:
    read = ((str(line), read_row(line.text, str(line), cells, usage, error)) for line in rows)
    return check_rows(read, error)


def parse_cells(lines: list[Line], cells: Mapping[str, int]) -> ParsedBoard:
    """Read rows and perhaps a line with the mine total."""
    rows, said = _split(lines, "mines", BoardError)
    grid = _grid(rows, cells, BOARD_USAGE, BoardError)
    mines = None
    if said is not None:
        mines = number_in(setting("mines", said) or "", str(said), "mines", BoardError)
    return ParsedBoard(*grid, mines)


def _parse_layout(source: Source) -> ParsedLayout:
    """Read rows and perhaps a line with the start."""
    rows, said = _split(source.lines, "start", LayoutError)
    grid = _grid(rows, LAYOUT_CELLS, LAYOUT_USAGE, LayoutError)
    start = None
    if said is not None:
        given = setting("start", said) or ""
        pair = re.fullmatch(_PAIR, given)
        if pair is None:
            raise LayoutError(
                f"{said}: {quote(given)} is not a cell: write row and column as in 'start: 3 3'"
            )
        start = (int(pair[1]), int(pair[2]))
    return ParsedLayout(*grid, start)


def print_rows(rows: list[str], mines: int | None) -> str:
    """Rows with spaces between the cells, and the mine total as the last line."""
    return "\n".join([*map(" ".join, rows), f"mines: {mines}"])


def _print_layout(layout: ParsedLayout) -> str:
    """The rows, and the start as the last line where there is one."""
    rows, start = layout_rows(layout), layout.start
    return "\n".join(rows if start is None else [*rows, f"start: {start[0]} {start[1]}"])


FORM = Form(
    "grid",
    "rows of text",
    signs="".join(BOARD_CELLS),
    looks_like=lambda source: True,
    parse_board=lambda source: parse_cells(source.lines, BOARD_CELLS),
    print_board=lambda board: print_rows(board_rows(board), board.mines),
    parse_layout=_parse_layout,
    print_layout=_print_layout,
)
