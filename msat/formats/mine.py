"""`.mine` text, in which the web analyser keeps positions: a header `WIDTHxHEIGHTxMINES`, then rows.

`H` is hidden, `F` marked, a digit revealed; `M` and `?` are hidden mines that the game knows of. A player
does not, so a board takes them for hidden; a layout takes them, and the marked cells, for its mines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msat.errors import BoardError, LayoutError, MsatError
from msat.formats.form import Form, Source
from msat.formats.grid import setting
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard, ParsedLayout, rows_of
from msat.formats.source import Line, check_rows, quote, read_row

__all__ = ["FORM"]

_DIGITS = "012345678"
_BOARD_CELLS = {
    **dict.fromkeys("HM?", HIDDEN_BYTE),
    **{digit: int(digit) for digit in _DIGITS},
    "F": MINE_BYTE,
}
_LAYOUT_CELLS = {**dict.fromkeys("M?F", 1), **dict.fromkeys("H" + _DIGITS, 0)}
_USAGE = "'H' (hidden), 'F' (marked), '0' to '8' (revealed), 'M' or '?' (a hidden mine)"

_PRINTED_BOARD = bytes.maketrans(bytes([HIDDEN_BYTE, MINE_BYTE, *range(9)]), b"HF012345678")
_PRINTED_LAYOUT = bytes.maketrans(b"\0\1", b"HM")


def _header_of(line: Line) -> tuple[int, int, int] | None:
    """Width, height and mines, if the line is a header."""
    found = re.fullmatch("([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})", line.text.strip())
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def _parse(
    lines: list[Line], cells: Mapping[str, int], error: type[MsatError]
) -> tuple[int, int, bytes, int | None]:
    """Height, width, bytes and the header's mine total, if there is a header."""
    first = lines[0]
    header = _header_of(first)
    if header is None and any("H" in line.text for line in lines):  # rows of H need no header to be known by
        read = ((str(line), read_row(line.text, str(line), cells, _USAGE, error)) for line in lines)
        return *check_rows(read, error), None
    if header is None:
        raise error(
            f"{first}: {quote(first.text.strip())} is not a header WIDTHxHEIGHTxMINES, such as 9x9x10"
        )
    width, height, mines = header
    rows = lines[1:]
    if not rows or len(rows) != height:
        raise error(
            f"the header {quote(first.text.strip())} promises {height} rows, the text has {len(rows)}"
        )
    read = ((str(line), read_row(line.text, str(line), cells, _USAGE, error)) for line in rows)
    h, w, grid = check_rows(read, error)
    if w != width:
        raise error(f"the header {quote(first.text.strip())} promises {width} cells a row, the rows have {w}")
    return h, w, grid, mines


def _parse_board(source: Source) -> ParsedBoard:
    """What the player sees of the position."""
    return ParsedBoard(*_parse(source.lines, _BOARD_CELLS, BoardError))


def _parse_layout(source: Source) -> ParsedLayout:
    """The mines of the position, all of which must be shown."""
    height, width, mask, mines = _parse(source.lines, _LAYOUT_CELLS, LayoutError)
    shown = mask.count(1)
    if mines is not None and shown != mines:
        raise LayoutError(
            f"the header promises {mines} mines, the rows show {shown}: mark each by 'M', '?' or 'F'"
        )
    return ParsedLayout(height, width, mask, None)


def _looks_like(source: Source) -> bool:
    # "3x3x1" may also be a row of five cells: beside a line with the mines, or all alone, it is one.
    first, *rows = source.lines
    return bool(_header_of(first) and rows and all(setting("mines", line) is None for line in rows))


def _print(grid: bytes, height: int, width: int, mines: int | None) -> str:
    return "\n".join([f"{width}x{height}x{mines}", *rows_of(grid.decode("ascii"), width)])


def _print_board(board: ParsedBoard) -> str:
    """The header and the rows of a board."""
    return _print(board.values.translate(_PRINTED_BOARD), board.height, board.width, board.mines)


def _print_layout(layout: ParsedLayout) -> str:
    """The header and the rows of a layout, nothing opened."""
    return _print(layout.mask.translate(_PRINTED_LAYOUT), layout.height, layout.width, layout.mask.count(1))


FORM = Form(
    "mine",
    "the web analyser's position text",
    signs="".join(_BOARD_CELLS),
    looks_like=_looks_like,
    parse_board=_parse_board,
    print_board=_print_board,
    parse_layout=_parse_layout,
    print_layout=_print_layout,
    keeps_start=False,
)
