"""Arrays of numbers as text, as Python, numpy and JSON print them: `[[-1, -1, 1], [3, -2, 2]]`.

-1 is hidden, -2 a known mine, 0 to 8 revealed; null and None are hidden as well. Lists of one-letter texts
are cells too, and so are texts that are rows (`["??1", "3*2"]`); other languages write braces. A name may
stand before them, as in a program (`board = [[…]]`), and the mine total may follow, as a number or on a line
such as `mines: 3`.
"""

from __future__ import annotations

import re

from msat.errors import BoardError
from msat.formats import grid
from msat.formats.array import VALUES
from msat.formats.cutting import Row
from msat.formats.form import Form, Source
from msat.formats.parsed import ParsedBoard
from msat.formats.pasted import read_cells
from msat.formats.source import Line, number_in, quote, spaced_once

__all__ = ["FORM"]

# Between two things that repeat there is one way to share out the spaces: where there were more, twenty rows
# and a mistake behind them took hours.
_NAME = r"\s*(?:[\w.]+\s*\(\s*)?"
_ARRAY = rf"{_NAME}\[(?:\s*\[[^][]*\](?:\s*,)?)+\s*\]"
_ROWS = r"\s*\[(?:\s*(?:\"[^\"]*\"|'[^']*')(?:\s*,)?)+\s*\]"
_START = rf"{_NAME}\[\s*\[\s*(?:[-+]?[0-9]|[\"']|null|None|\])"
_BEHIND = r"(?:, ?dtype ?= ?[\w.'\"]+)? ?\)? ?[,;]? ?(?:(?i:mines)? ?[:=]? ?(?P<mines>[+-]?\w+))?"
"""What may stand behind an array, in which no two spaces follow each other."""


_ASSIGNED = r"\s*[A-Za-z_][\w .:*<>,\[\]]{0,80}=\s*(?=(?:[\w.]+\s*\()?\s*[\[{]\s*[\[{\"'])"
"""The name before an array that was copied out of a program: `board = `, `int board[2][3] = `."""


def _with_brackets(text: str) -> str:
    """The text without a name before it, and with brackets for the braces of an array in C."""
    assigned = re.match(_ASSIGNED, text)
    text = text[assigned.end() :] if assigned else text
    return (
        text.replace("{", "[").replace("}", "]").replace(";", " ") if re.match(r"\s*\{\s*\{", text) else text
    )


def _looks_like(source: Source) -> bool:
    text = _with_brackets(source.text)
    return re.match(_START, text) is not None or re.match(_ROWS, text) is not None


def _parse(source: Source) -> ParsedBoard:
    source = source._replace(text=_with_brackets(source.text))
    found = re.match(_ARRAY, source.text) or re.match(_ROWS, source.text)
    if found is None:
        raise BoardError(
            f"{quote(source.text.strip())} is not an array: write rows of numbers as in '[[-1, 1], [1, 1]]'"
        )
    behind = re.fullmatch(_BEHIND, spaced_once(source.text[found.end() :]))
    if behind is None:
        raise BoardError(
            f"{quote(source.text[found.end() :].strip())} behind the array is no mine total: "
            "write it as in '[[-1, 1], [1, 1]] 1'"
        )
    mines = None if behind["mines"] is None else number_in(behind["mines"], "the array", "mines", BoardError)
    rows = []
    if re.match(_ROWS, source.text):
        texts = re.findall(r"\"([^\"]*)\"|'([^']*)'", found[0])
        lines = [Line(number, one or other) for number, (one, other) in enumerate(texts, 1)]
        return grid.parse_rows(lines, edges="clues")._replace(mines=mines)
    for number, row in enumerate(re.findall(r"\[([^][]*)\]", found[0])):
        if "..." in row:
            raise BoardError(f"row {number} of the array is shortened by '...': print it in full")
        cells = [cell.strip("\"'") for cell in re.split(r"\s*,\s*|\s+", row.strip())]
        rows.append(Row(Line(number, row), [_cell(cell) for cell in cells]))
    return ParsedBoard(*_checked(rows), mines)


def _cell(text: str) -> str:
    """A cell as people write it; numpy writes whole numbers of float arrays as "1."."""
    return "?" if text in ("null", "None") else re.sub(r"(?<=\d)\.0*$", "", text)


def _checked(rows: list[Row]) -> tuple[int, int, bytes]:
    for number, row in enumerate(rows):
        for column, cell in enumerate(row.cells):
            if re.fullmatch("[-+]?[0-9]{1,99}", cell) and not -2 <= int(cell) <= 8:
                raise BoardError(f"array[{number}][{column}] is {cell[:40]}, not a cell: use {VALUES}")
    return read_cells(rows, {})


def _print(board: ParsedBoard) -> str:
    names = {255: "-1", 254: "-2", **{number: str(number) for number in range(9)}}
    cells = [names[value] for value in board.values]
    rows = [f"[{', '.join(cells[i : i + board.width])}]" for i in range(0, len(cells), board.width)]
    return "[" + ",\n ".join(rows) + f"]\nmines: {board.mines}"


FORM = Form(
    "array",
    "lists of numbers, -1 hidden and -2 a known mine",
    signs="[],",
    looks_like=_looks_like,
    parse_board=_parse,
    print_board=_print,
)
