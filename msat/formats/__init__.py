"""Every way in which a board or a layout is written down, and one parser that tells them apart.

| form         | looks like                           | recognised by                                       |
|--------------|--------------------------------------|-----------------------------------------------------|
| `grid`       | rows, a line `mines: N`              | anything else                                       |
| `line`       | `??1/3?2/??? 3`                      | one line with a `/`, or a row and a total (`?1? 1`) |
| `json`       | `{"height": …, "rows": […]}`         | a `{` at the start                                  |
| `mine`       | `9x9x10`, then rows of `H`, `F`, 0–8 | the header                                          |
| `dot-hidden` | grid or line, `.` for hidden         | only if asked for                                   |
| `dot-zero`   | grid or line, `.` for 0              | only if asked for                                   |

Layouts are written as `grid`, `json` and `mine`, and in MBF, which is binary. One form a file; what they
share is in `source`. What is printed in a form is read back to an equal value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msat.cells import Cell
from msat.errors import BoardError, LayoutError, UnknownName
from msat.formats import grid, json_form, line, mine
from msat.formats.parsed import HIDDEN_BYTE, ParsedBoard, ParsedLayout
from msat.formats.source import TEXT_LIMIT, Line, decode_text, lines_of, read_text

__all__ = [
    "FORMS",
    "LAYOUT_FORMS",
    "TEXT_LIMIT",
    "decode_text",
    "layout_object",
    "parse_board",
    "parse_board_object",
    "parse_layout",
    "parse_layout_object",
    "print_board",
    "print_layout",
    "read_text",
    "total_hint",
]

FORMS = ("grid", "line", "json", "mine", "dot-hidden", "dot-zero")
"""The forms of a board's text."""

LAYOUT_FORMS = ("grid", "json", "mine")
"""The forms of a layout's text."""


def _form_of_board(lines: list[Line]) -> str:
    if lines[0].text.lstrip().startswith("{"):
        return "json"
    # "3x3x1" may also be a row of five cells: beside a line with the mines, or all alone, it is one.
    says_mines = any(grid.setting("mines", each) is not None for each in lines)
    if mine.header_of(lines[0]) and len(lines) > 1 and not says_mines:
        return "mine"
    return "line" if line.looks_like_line(lines) else "grid"


def parse_board(text: str, form: str | None = None) -> ParsedBoard:
    """Read a board in any form, or in the given one."""
    if form is not None and form not in FORMS:
        raise UnknownName.of("form", form, FORMS)
    lines = lines_of(text, BoardError)
    if not lines:
        raise BoardError("empty text: a board has at least one row, such as '??1/3?2/??? 3'")
    if form is None:
        form = _form_of_board(lines)
    if form == "json":
        return parse_board_object(json_form.load_object(text, BoardError))
    if form == "mine":
        return mine.parse_board(lines)
    cells = grid.DOT_CELLS.get(form, grid.BOARD_CELLS)
    if form == "line" or (form in grid.DOT_CELLS and line.looks_like_line(lines)):
        return line.parse_board(lines, cells)
    return grid.parse_board(lines, cells)


def parse_board_object(found: Mapping[str, Any]) -> ParsedBoard:
    """Read a board from its JSON object, which may be a part of another one."""
    return json_form.parse_board(found)


def total_hint(text: str) -> str | None:
    """What to write instead, if `text` is a cell and a total that are read as a row of two cells."""
    return line.total_hint(lines_of(text, BoardError))


def print_board(height: int, width: int, values: bytes, mines: int, form: str) -> str:
    """Write a board in a form."""
    match form:
        case "grid":
            return grid.print_board(grid.board_rows(values, width), mines)
        case "line":
            return line.print_board(grid.board_rows(values, width), mines)
        case "json":
            return json.dumps(json_form.board_object(height, width, mines, grid.board_rows(values, width)))
        case "mine":
            return mine.print_board(height, width, values, mines)
        case "dot-hidden":
            return grid.print_board(grid.board_rows(values, width, dot=HIDDEN_BYTE), mines)
        case "dot-zero":
            return grid.print_board(grid.board_rows(values, width, dot=0), mines)
        case _:
            raise UnknownName.of("form", form, FORMS)


def parse_layout(text: str) -> ParsedLayout:
    """Read a layout in any form."""
    lines = lines_of(text, LayoutError)
    if not lines:
        raise LayoutError("empty text: a layout has at least one row of '.' and '*'")
    if lines[0].text.lstrip().startswith("{"):
        return parse_layout_object(json_form.load_object(text, LayoutError))
    if mine.header_of(lines[0]):
        return mine.parse_layout(lines)
    return grid.parse_layout(lines)


def parse_layout_object(found: Mapping[str, Any]) -> ParsedLayout:
    """Read a layout from its JSON object, which may be a part of another one."""
    return json_form.parse_layout(found)


def layout_object(height: int, width: int, mask: bytes, start: Cell | None) -> dict[str, Any]:
    """The JSON object of a layout, for use inside another one."""
    return json_form.layout_object(height, width, start, grid.layout_rows(mask, width))


def print_layout(height: int, width: int, mask: bytes, start: Cell | None, form: str) -> str:
    """Write a layout in a form."""
    match form:
        case "grid":
            return grid.print_layout(grid.layout_rows(mask, width), start)
        case "json":
            return json.dumps(layout_object(height, width, mask, start))
        case "mine":
            return mine.print_layout(height, width, mask)
        case _:
            raise UnknownName.of("form", form, LAYOUT_FORMS)
