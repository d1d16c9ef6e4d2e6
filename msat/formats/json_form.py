"""Boards and layouts as JSON objects, for other programs.

{"height": 2, "width": 3, "mines": 3, "rows": ["??1", "3?2"]}
{"height": 2, "width": 3, "mines": 2, "start": [0, 0], "rows": ["..*", ".*."]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msat.errors import BoardError, LayoutError, MsatError, WrongType
from msat.formats.form import Form, Source
from msat.formats.grid import LAYOUT_CELLS, LAYOUT_USAGE, board_rows, layout_rows
from msat.formats.json_text import read_json
from msat.formats.parsed import ParsedBoard, ParsedLayout
from msat.formats.signs import BOARD_CELLS, BOARD_USAGE
from msat.formats.source import check_rows, checked_text, quote, read_row
from msat.wording import quoted

__all__ = [
    "FORM",
    "board_object",
    "board_of",
    "check_keys",
    "layout_object",
    "layout_of",
    "load_object",
    "shown",
    "take",
]

_NAMES = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}


def shown(value: Any) -> str:
    """A JSON value for an error message, shortened."""
    return quoted(value, lambda found: json.dumps(found, default=repr))


def load_object(text: object, error: type[MsatError]) -> dict[str, Any]:
    """The JSON object that `text` is."""
    loaded = read_json(checked_text(text).removeprefix("\ufeff"), error)
    if not isinstance(loaded, dict):
        raise error(f"the JSON text is not an object: {shown(loaded)}")
    return loaded


def check_keys(
    found: Mapping[str, Any], required: list[str], optional: list[str], error: type[MsatError]
) -> None:
    """Refuse missing and unknown keys, which are mostly spelling mistakes of each other."""
    if not isinstance(found, Mapping):
        raise WrongType(f"an object with the keys {', '.join(required)} was expected, not {shown(found)}")
    known = [*required, *optional]
    for key in found:
        if key not in known:
            raise error(f"unknown key {quote(str(key))}: the keys are {', '.join(known)}")
    for key in required:
        if key not in found:
            raise error(f"the key {key!r} is missing: the keys are {', '.join(known)}")


def take(found: Mapping[str, Any], key: str, kind: type, error: type[MsatError]) -> Any:
    """The value of `key`, which must be of this kind; true and false are no numbers."""
    value = found[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise error(f"{key!r} is {shown(value)}, not {_NAMES[kind]}")
    return value


def _grid(
    found: Mapping[str, Any], cells: Mapping[str, int], usage: str, error: type[MsatError]
) -> tuple[int, int, bytes]:
    height, width = take(found, "height", int, error), take(found, "width", int, error)
    rows = take(found, "rows", list, error)
    if not rows:
        raise error("'rows' is empty: give at least one row of cells")

    def read() -> Iterator[tuple[str, bytes]]:
        for number, row in enumerate(rows):
            where = f"rows[{number}]"
            if not isinstance(row, str):
                raise error(f"{where} is {shown(row)}, not a text")
            yield where, read_row(row, where, cells, usage, error)

    h, w, grid = check_rows(read(), error)
    if (h, w) != (height, width):
        raise error(f"'height' and 'width' say {shown(height)}×{shown(width)}, 'rows' is {h}×{w}")
    return h, w, grid


def board_of(found: Mapping[str, Any]) -> ParsedBoard:
    """Read a board; `mines` may be missing if the caller knows it."""
    check_keys(found, ["height", "width", "rows"], ["mines"], BoardError)
    mines = take(found, "mines", int, BoardError) if "mines" in found else None
    return ParsedBoard(*_grid(found, BOARD_CELLS, BOARD_USAGE, BoardError), mines)


def _parse(source: Source) -> ParsedBoard:
    """A board, or a request as programs send it: {"board": any form, "mines": 10}."""
    found = load_object(source.text, BoardError)
    if "board" not in found:
        return board_of(found)
    check_keys(found, ["board"], ["mines"], BoardError)
    inner = found["board"]
    if isinstance(inner, dict):
        board = board_of(inner)
    elif not isinstance(inner, str | list):
        raise BoardError(f"'board' is {shown(inner)}, not a text, rows or an object")
    else:
        from msat.formats import parse_board

        board = parse_board(inner if isinstance(inner, str) else json.dumps(inner))
    return board._replace(mines=take(found, "mines", int, BoardError)) if "mines" in found else board


def layout_of(found: Mapping[str, Any]) -> ParsedLayout:
    """Read a layout; `mines` is the number of mines in `rows`, `start` is null, missing or [row, column]."""
    check_keys(found, ["height", "width", "mines", "rows"], ["start"], LayoutError)
    height, width, mask = _grid(found, LAYOUT_CELLS, LAYOUT_USAGE, LayoutError)
    mines = take(found, "mines", int, LayoutError)
    if mines != mask.count(1):
        raise LayoutError(f"'mines' is {shown(mines)}, 'rows' holds {mask.count(1)}")
    start = None
    if found.get("start") is not None:
        pair = take(found, "start", list, LayoutError)
        if len(pair) != 2 or not all(type(part) is int for part in pair):
            raise LayoutError(f"'start' is {shown(pair)}, not [row, column]")
        start = (pair[0], pair[1])
    return ParsedLayout(height, width, mask, start)


def layout_object(layout: ParsedLayout) -> dict[str, Any]:
    """The JSON object of a layout."""
    return {
        "height": layout.height,
        "width": layout.width,
        "mines": layout.mask.count(1),
        "start": layout.start and list(layout.start),
        "rows": layout_rows(layout),
    }


def board_object(board: ParsedBoard) -> dict[str, Any]:
    """The JSON object of a board."""
    return {"height": board.height, "width": board.width, "mines": board.mines, "rows": board_rows(board)}


def _looks_like(source: Source) -> bool:
    return source.lines[0].text.lstrip().startswith("{")


FORM = Form(
    "json",
    "an object, for programs",
    looks_like=_looks_like,
    parse_board=_parse,
    print_board=lambda board: json.dumps(board_object(board)),
    parse_layout=lambda source: layout_of(load_object(source.text, LayoutError)),
    print_layout=lambda layout: json.dumps(layout_object(layout)),
)
