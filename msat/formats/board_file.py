"""`.board` text: a header, `key: value` lines, then the position as `[real]` (the mines), `[view]`, or both.

    # MINESWEEPER-BOARD v0.1
    # Render: ascii
    rows: 2
    columns: 3
    mines: 1
    [view]
    U1U
    U1F

`U` is hidden, `F` marked, `?` hidden and doubted, `X` and `@` are mines that the end of a game has shown, `#`
is a mark that it has shown to be wrong, whose cell is hidden still. `Render: emoji` has pictures for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from msat.cells import neighbours
from msat.errors import BoardError, LayoutError, MsatError
from msat.formats.form import Form, Source
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard, ParsedLayout, rows_of
from msat.formats.source import Line, check_rows, number_in, quote, read_row

__all__ = ["FORM"]

_TITLE = "# MINESWEEPER-BOARD"
_DIGITS = "012345678"
_NUMBERS = {digit: int(digit) for digit in _DIGITS}
_VIEW = {**dict.fromkeys("U?#", HIDDEN_BYTE), **_NUMBERS, **dict.fromkeys("FX@", MINE_BYTE)}
_REAL = {**_NUMBERS, "*": MINE_BYTE}
_USAGE = {
    "view": "'U' (hidden), 'F' (marked), '0' to '8' (revealed), '?', 'X', '@' or '#'",
    "real": "'*' (a mine) or '0' to '8'",
}
_EMOJI = {"⬜": "U", "🚩": "F", "❓": "?", "💥": "X", "💣": "@", "❌": "#"}
_PRINTED_VIEW = bytes.maketrans(bytes([HIDDEN_BYTE, MINE_BYTE, *range(9)]), b"UF012345678")


class _Parts(NamedTuple):
    settings: dict[str, int]
    sections: dict[str, list[Line]]


def _looks_like(source: Source) -> bool:
    return source.lines[0].text.strip().startswith(_TITLE)


def _parts(source: Source, error: type[MsatError]) -> _Parts:
    """The numbers of the header, and the lines of every section."""
    settings: dict[str, int] = {}
    sections: dict[str, list[Line]] = {}
    section: list[Line] | None = None
    for line in source.lines[1:]:
        text = line.text.strip()
        name = re.fullmatch(r"\[(\w{1,20})\]", text)
        if name:
            if name[1] in sections:
                raise error(f"{line}: the section [{name[1]}] is given twice")
            section = sections.setdefault(name[1], [])
        elif section is not None:
            section.append(line)
        elif not text.startswith("#"):
            key, colon, value = (part.strip() for part in text.partition(":"))
            if not colon:
                raise error(f"{line}: {quote(text)} is neither 'key: value' nor a section such as [view]")
            if key in ("rows", "columns", "mines"):
                settings[key] = number_in(value, str(line), key, error)
    missing = [key for key in ("rows", "columns", "mines") if key not in settings]
    if missing:
        raise error(f"the .board text has no line '{missing[0]}: N' before its sections")
    return _Parts(settings, sections)


def _section(
    parts: _Parts, name: str, cells: Mapping[str, int], error: type[MsatError]
) -> tuple[int, int, bytes]:
    """Height, width and values of a section, which must be as large as the header says."""
    lines = parts.sections.get(name)
    if not lines:
        raise error(f"the .board text has no section [{name}]: it shows {_shown(parts)}")
    rows = ((str(line), read_row(_plain(line.text), str(line), cells, _USAGE[name], error)) for line in lines)
    height, width, values = check_rows(rows, error)
    if (height, width) != (parts.settings["rows"], parts.settings["columns"]):
        promised = f"{parts.settings['rows']}×{parts.settings['columns']}"
        raise error(f"the header promises a {promised} board, [{name}] is {height}×{width}")
    return height, width, values


def _shown(parts: _Parts) -> str:
    found = [f"[{name}]" for name in ("real", "view") if parts.sections.get(name)]
    return f"{found[0]} alone" if found else "no cells at all"


def _plain(text: str) -> str:
    """A row with its emoji as letters, and digits without their frames."""
    text = text.replace("\ufe0f", "").replace("\u20e3", "")
    return "".join(_EMOJI.get(char, char) for char in text)


def _parse_board(source: Source) -> ParsedBoard:
    """What the player sees: `[view]`."""
    parts = _parts(source, BoardError)
    return ParsedBoard(*_section(parts, "view", _VIEW, BoardError), parts.settings["mines"])


def _parse_layout(source: Source) -> ParsedLayout:
    """Where the mines are: `[real]`, whose numbers must be theirs."""
    parts = _parts(source, LayoutError)
    height, width, values = _section(parts, "real", _REAL, LayoutError)
    mask = bytes(value == MINE_BYTE for value in values)
    if mask.count(1) != parts.settings["mines"]:
        raise LayoutError(f"the header promises {parts.settings['mines']} mines, [real] has {mask.count(1)}")
    for position, number in enumerate(_numbers(height, width, mask)):
        if values[position] not in (MINE_BYTE, number):
            cell = divmod(position, width)
            raise LayoutError(f"[real] has {values[position]} at {cell}, around which are {number} mines")
    return ParsedLayout(height, width, mask, None)


def _numbers(height: int, width: int, mask: bytes) -> bytes:
    counts = bytearray(height * width)
    for position, mine in enumerate(mask):
        if mine:
            for around in neighbours(height, width, position):
                counts[around] += 1
    return bytes(counts)


def _print(height: int, width: int, mines: int | None, section: str, cells: str) -> str:
    head = [
        f"{_TITLE} v0.1",
        "# Render: ascii",
        "",
        f"rows: {height}",
        f"columns: {width}",
        f"mines: {mines}",
    ]
    return "\n".join([*head, "game_mode: classic", "", f"[{section}]", *rows_of(cells, width)])


def _print_board(board: ParsedBoard) -> str:
    cells = board.values.translate(_PRINTED_VIEW).decode("ascii")
    return _print(board.height, board.width, board.mines, "view", cells)


def _print_layout(layout: ParsedLayout) -> str:
    height, width, mask, _ = layout
    counts = _numbers(height, width, mask)
    cells = "".join("*" if mine else str(count) for mine, count in zip(mask, counts, strict=True))
    return _print(height, width, mask.count(1), "real", cells)


FORM = Form(
    "board",
    ".board text: a header, then [view] or [real]",
    signs="".join(_VIEW),
    looks_like=_looks_like,
    parse_board=_parse_board,
    print_board=_print_board,
    parse_layout=_parse_layout,
    print_layout=_print_layout,
    keeps_start=False,
)
