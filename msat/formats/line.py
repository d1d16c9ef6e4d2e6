"""A board on one line, for a command line, a log or a test: rows joined by `/`, then the mine total.

    ??1/3?2/??? 3

A colon may stand in place of the space. `1 1` could be a row of two cells or one cell and a total, so a `/`
makes the difference: a board of one row is printed with a `/` at its end (`1/ 1`), and a line without any `/`
is only taken for this form if it cannot be a row of single cells (`?1? 1`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msat.errors import BoardError
from msat.formats.form import Form, Source
from msat.formats.grid import board_rows, setting
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard
from msat.formats.signs import BOARD_USAGE, meanings, plain
from msat.formats.source import Line, check_rows, number_in, quote, read_row
from msat.limits import MAX_SIDE

__all__ = ["FORM", "looks_like", "parse_printed", "parse_rows", "total_hint"]

_LINE = r"\s*(?P<rows>[^\s:]+)(?:(?:\s*:\s*|\s+)(?P<mines>\S+))?\s*"
_ROW_AND_TOTAL = r"\S{2,}\s+[+-]?[0-9]+|\S\s+[+-]?[0-9]{2,}"


def looks_like(source: Source) -> bool:
    """Whether this text is a board on one line rather than a grid of one row."""
    lines = source.lines
    if len(lines) != 1:
        return False
    if setting("mines", lines[0]) is not None:
        return False
    text = lines[0].text.strip()
    if "/" in text or ":" in text:
        return True
    return re.fullmatch(_ROW_AND_TOTAL, text) is not None and not re.search(r"[],;|│┃║[]", text)


_PRINTED = re.compile(r"((?:[?*0-8]+/)+[?*0-8]*) (0|[1-9][0-9]{0,6})")
_VALUES = bytes.maketrans(b"?*012345678", bytes([HIDDEN_BYTE, MINE_BYTE, *range(9)]))


def parse_printed(text: str) -> ParsedBoard | None:
    """A board that is written just as it is printed, read at once; None for any other text.

    Programs send what other programs printed, thousands a second: to look at it cell by cell, so that what is
    wrong with it can be told, takes longer than to answer it.

    >>> parse_printed("??/11 1"), parse_printed("??/1 1"), parse_printed("?? 1")
    (ParsedBoard(height=2, width=2, values=b'\\xff\\xff\\x01\\x01', mines=1), None, None)
    """
    found = _PRINTED.fullmatch(text)
    if found is None:
        return None
    rows = found[1].removesuffix("/").split("/")
    width = len(rows[0])
    if len(rows) > MAX_SIDE or width > MAX_SIDE or len(set(map(len, rows))) > 1:
        return None
    return ParsedBoard(len(rows), width, "".join(rows).encode().translate(_VALUES), int(found[2]))


def total_hint(lines: list[Line]) -> str | None:
    """How to write a single cell and its total, if `lines` are that: `? 1` is read as a row of two cells."""
    found = re.fullmatch(r"\s*(\S)\s+([0-9])\s*", lines[0].text) if len(lines) == 1 else None
    if found is None:
        return None
    row = quote(lines[0].text.strip())
    return f"{row} is a row of two cells; one cell and its total is {quote(f'{found[1]}/ {found[2]}')}"


def total_behind(text: str, mines: int) -> str | None:
    """The end of a board in line form with its total, to be quoted; None if the text is in another form."""
    rows = text.strip()
    if "\n" in rows or "/" not in rows or rows.startswith(("{", "[")):
        return None
    start, _, last = rows.rpartition("/")
    return quote(f"{'…' if start.count('/') > 2 else start}/{last} {mines}")


def parse_rows(lines: list[Line], asked: Mapping[str, int]) -> ParsedBoard:
    """Read the rows and, if it is there, the total; `asked` says what signs mean that are in doubt."""
    if len(lines) != 1:
        raise BoardError(f"{lines[1]}: a board in line form has one line, such as '??1/3?2/??? 3'")
    line = Line(lines[0].number, plain(lines[0].text))
    parts = re.fullmatch(_LINE, line.text)
    if parts is None:
        raise BoardError(
            f"{line}: a board in line form has no spaces but one before the mine total, as in '??1/3?2/??? 3'"
        )
    cells = meanings(set(parts["rows"]), asked)
    height, width, values = check_rows(_rows(line, parts["rows"], parts.start("rows"), cells), BoardError)
    mines = None if parts["mines"] is None else number_in(parts["mines"], str(line), "mines", BoardError)
    return ParsedBoard(height, width, values, mines)


def _rows(line: Line, text: str, offset: int, cells: Mapping[str, int]) -> Iterator[tuple[str, bytes]]:
    for row in text.removesuffix("/").split("/"):
        read = read_row(row, str(line), cells, BOARD_USAGE, BoardError, offset)
        yield f"{line}, column {offset + 1}", read
        offset += len(row) + 1


def _print(board: ParsedBoard) -> str:
    """The rows with `/` between them (after it, if there is only one), a space, the total."""
    rows = board_rows(board)
    return f"{'/'.join(rows)}{'/' if len(rows) == 1 else ''} {board.mines}"


FORM = Form(
    "line",
    "one line, for a command line or a log",
    signs="/",
    looks_like=looks_like,
    parse_board=lambda source: parse_rows(source.lines, {}),
    print_board=_print,
)
