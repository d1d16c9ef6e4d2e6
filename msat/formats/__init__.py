"""Every way in which a board or a layout is written down, and one parser that tells them apart.

| form         | looks like                           | recognised by                                       |
|--------------|--------------------------------------|-----------------------------------------------------|
| `grid`       | rows, a line `mines: N`              | anything else                                       |
| `line`       | `??1/3?2/??? 3`                      | one line with a `/`, or a row and a total (`?1? 1`) |
| `json`       | `{"height": …, "rows": […]}`         | a `{` at the start                                  |
| `mine`       | `9x9x10`, then rows of `H`, `F`, 0–8 | the header                                          |
| `array`      | `[[-1, 1], [1, 1]]`                  | brackets in brackets                                |
| `drawing`    | what msat draws, among text          | numbers above and beside the board                  |
| `board`      | `.board` text: header, `[view]`      | its title `# MINESWEEPER-BOARD`                     |
| `link`       | `…?analysis=…`, `…?b=…&m=…`          | one line with these                                 |
| `labelled`   | a grid with numbers along its edges  | only if asked for                                   |
| `dot-zero` … | a grid or a line, `.` for 0          | only if asked for                                   |

A grid is read as people paste it: with bars, borders, commas or tabs between cells, in emoji, with labels
along the edges, quoted or fenced, out of the source of a page (`pasted`, `cutting`, `labels`, `signs`,
`around`, `html_table`). What may be read in two ways is an error that names the forms to choose by.

Layouts are written as `grid`, `json`, `mine`, `board` and `link`, and in MBF, which is binary. One form a
file, listed in `registry`; what they share is in `source`. What is printed in a form is read back to an equal
value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msat.cells import Cell
from msat.errors import BoardError, LayoutError
from msat.formats import html_table, json_form, line
from msat.formats.around import unquoted
from msat.formats.form import Source
from msat.formats.parsed import ParsedBoard, ParsedLayout
from msat.formats.registry import FORMS, LAYOUT_FORMS, SIGNS, named, recognised
from msat.formats.source import TEXT_LIMIT, decode_text, lines_of, read_bytes, read_text, write_bytes
from msat.formats.total import likely_total
from msat.wording import argument

__all__ = [
    "FORMS",
    "LAYOUT_FORMS",
    "SIGNS",
    "TEXT_LIMIT",
    "board_object",
    "decode_text",
    "layout_object",
    "parse_board",
    "parse_board_object",
    "parse_layout",
    "parse_layout_object",
    "print_board",
    "print_layout",
    "read_bytes",
    "read_text",
    "total_hint",
    "write_bytes",
]


def parse_board(text: str, form: str | None = None) -> ParsedBoard:
    """Read a board in any form, or in the given one."""
    if form is None and isinstance(text, str):
        printed = line.parse_printed(text)
        if printed is not None:
            return printed
    chosen = None if form is None else named(form, lambda known: known.parse_board)
    lines = lines_of(text, BoardError)  # says so if it is no text, or too long
    if "<" in text and html_table.is_html(text):
        text = html_table.rows_of(text)
        lines = lines_of(text, BoardError)
    if ">" in text or "```" in text or "~~~" in text:
        text = unquoted(text)
        lines = lines_of(text, BoardError)
    source = Source(text, lines)
    if not source.lines:
        raise BoardError("empty text: a board has at least one row, such as '??1/3?2/??? 3'")
    if chosen is not None and chosen.parse_asked is not None:
        return chosen.parse_asked(source)
    parse = (chosen or recognised(source, lambda known: known.parse_board)).parse_board
    assert parse is not None
    return parse(source)


def parse_board_object(found: Mapping[str, Any]) -> ParsedBoard:
    """Read a board from its JSON object, which may be a part of another one."""
    return json_form.board_of(found)


def total_hint(text: str | None, parsed: ParsedBoard) -> str:
    """How to say the mine total of a board whose text does not."""
    hint = None if text is None else line.total_hint(lines_of(text, BoardError))
    if hint is not None:
        return hint
    mines, why = likely_total(parsed)
    behind = None if text is None else line.total_behind(text, mines)
    way = (
        f"add a line such as 'mines: {mines}'"
        if behind is None
        else f"write it behind the rows, as in {behind}"
    )
    return f"{way}, or give {argument('mines', mines)}{f' ({why})' if why else ''}"


def print_board(height: int, width: int, values: bytes, mines: int, form: str) -> str:
    """Write a board in a form."""
    write = named(form, lambda known: known.print_board).print_board
    assert write is not None
    return write(ParsedBoard(height, width, values, mines))


def parse_layout(text: str) -> ParsedLayout:
    """Read a layout in any form."""
    source = Source(text, lines_of(text, LayoutError))
    if not source.lines:
        raise LayoutError("empty text: a layout has at least one row of '.' and '*'")
    parse = recognised(source, lambda known: known.parse_layout).parse_layout
    assert parse is not None
    return parse(source)


def parse_layout_object(found: Mapping[str, Any]) -> ParsedLayout:
    """Read a layout from its JSON object, which may be a part of another one."""
    return json_form.layout_of(found)


def board_object(height: int, width: int, values: bytes, mines: int) -> dict[str, Any]:
    """The JSON object of a board, for use inside another one."""
    return json_form.board_object(ParsedBoard(height, width, values, mines))


def layout_object(height: int, width: int, mask: bytes, start: Cell | None) -> dict[str, Any]:
    """The JSON object of a layout, for use inside another one."""
    return json_form.layout_object(ParsedLayout(height, width, mask, start))


def print_layout(height: int, width: int, mask: bytes, start: Cell | None, form: str) -> str:
    """Write a layout in a form."""
    write = named(form, lambda known: known.parse_layout and known.print_layout).print_layout
    assert write is not None
    text = write(ParsedLayout(height, width, mask, start))
    assert isinstance(text, str)  # only what is no text has no parser of texts
    return text
