"""Boards as msat draws them: with numbered rows and columns, rings, percents, among lines of text.

`solve`, `hint`, `explain`, `play` and `watch` draw what they know into the hidden cells: `+` a safe one, `*`
a mine, `07` or a letter how likely a mine is. Here they become hidden cells again. A `*` or an `X` is what
msat found if the legend says so, or if it stands in brackets; else it is a known mine, as in any other text.

The viewer draws small boards with five columns and two lines a cell, and writes beside them: the lines
between and what stands to the right are passed over. What it shows of mines is what it found; marks have a
sign of their own.

The total is taken from a line `mines: 10`, from the summary (`9×9, 10 mines`) or from the mines that left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msat.errors import BoardError
from msat.formats.cutting import Row
from msat.formats.form import Form, Source
from msat.formats.grid import board_rows, setting
from msat.formats.parsed import MINE_BYTE, ParsedBoard
from msat.formats.pasted import read_cells
from msat.formats.signs import plain
from msat.formats.source import Line, number_in

__all__ = ["FORM"]

_RINGS = "[]()<> "
LONGEST_NUMBER = 9
"""Digits of the longest number in a drawing; all of them are small."""

_HIDDEN = re.compile(r"\+|@|[0-9]{2}|[a-j]")
_FOUND = re.compile(r"[*✱X✹]")
_WIDE = 4
"""Columns of the cells that only the viewer draws, with their sign in the middle."""

_VIEWER = re.compile(r"\W*(playing|what if|won|lost)\b.* mines? left\b")
"""The first line of its screen."""

_EXAMPLE = "for example, "
"""How the line above a layout begins that is only an example."""


class _Header(NamedTuple):
    """The line with the columns' numbers: where each cell ends, and how many columns of text it has."""

    ends: list[int]
    pitch: int
    first: int


class _Block(NamedTuple):
    """Some columns of a drawing: its rows, and the number of its first column."""

    first: int
    rows: list[Row]
    heading: str
    """The last line of text above it."""


def _header(text: str) -> _Header | None:
    """The columns, if a line numbers them: `0  1  2`, or just the last digits, with or without spaces."""
    tokens = list(re.finditer(r"[0-9]+", text))
    if not tokens or re.search(r"[^0-9\s]", text):
        return None
    if len(tokens) == 1 and len(tokens[0][0]) > 2 - (tokens[0][0] != "01"):
        start, digits = tokens[0].start(), tokens[0][0]
        first = int(digits[0])
        if all(int(digit) == (first + k) % 10 for k, digit in enumerate(digits)):
            return _Header([start + k + 1 for k in range(len(digits))], 1, first)
        return None
    if any(len(token[0]) > LONGEST_NUMBER for token in tokens):
        return None
    numbers, ends = [int(token[0]) for token in tokens], [token.end() for token in tokens]
    for period in (100, 10):
        if all(number == (numbers[0] + k) % period for k, number in enumerate(numbers)):
            gaps = {after - before for before, after in pairwise(ends)}
            if len(gaps) == 1:
                return _Header(ends, gaps.pop(), numbers[0])
            return _Header(ends, 3, numbers[0]) if not gaps else None
    return None


def _row(line: Line, header: _Header, label: int) -> Row | None:
    """The cells of a line that begins with this row number."""
    text = _beside(plain(line.text), header)
    wide = (header.pitch - 1) // 2 if header.pitch >= _WIDE else 0  # what a cell has after its sign
    begin = header.ends[0] - header.pitch + wide
    found = re.fullmatch(rf"\s*0*{label}\s*", text[:begin]) if begin > 0 else None
    if found is None:
        return None
    cells = []
    for end in header.ends:
        window = text[max(begin, end - header.pitch) : end]
        sign = window.strip(_RINGS)
        ringed = text.rfind("[", 0, end) > text.rfind("]", 0, end)  # neighbours may share a ring
        cells.append(f"[{sign}" if ringed and _FOUND.fullmatch(sign) else sign)
    return Row(line, cells) if not text[header.ends[-1] :].strip(_RINGS) else None


def _beside(text: str, header: _Header) -> str:
    """A line without what stands beside a board of wide cells."""
    end = header.ends[-1] + 1
    return text[:end] if header.pitch >= _WIDE and not text[end : end + 2].strip() else text


def _is_between(line: Line, header: _Header) -> bool:
    """Whether a line is the lower half of a row of wide cells."""
    return header.pitch >= _WIDE and not _beside(plain(line.text), header).strip()


def _blocks(lines: list[Line]) -> Iterator[_Block]:
    """Every part of a drawing that the text holds."""
    at, heading = 0, ""
    while at < len(lines):
        header = _header(plain(lines[at].text))
        if header is None:
            heading = lines[at].text.strip()
            at += 1
            continue
        rows: list[Row] = []
        first = next((n for n in (0, 1) if at + 1 < len(lines) and _row(lines[at + 1], header, n)), None)
        at += 1
        while first is not None and at < len(lines):
            row = _row(lines[at], header, first + len(rows))
            if row is not None:
                rows.append(row)
            elif not _is_between(lines[at], header):
                break
            at += 1
        if rows and not (at < len(lines) and _is_row(lines[at], header, (first or 0) + len(rows))):
            yield _Block(header.first, rows, heading)


def _is_row(line: Line, header: _Header, label: int) -> bool:
    """Whether a line is the next row, though not below the others: rows of 10 and more that stick out.

    Then all of them are labelled by hand, and are read as such: here the last ones would be left out.
    """
    number, *cells = plain(line.text).split() or [""]
    columns = len(header.ends)
    apart = len(cells) == columns and all(len(cell) == 1 for cell in cells)
    return number == str(label) and (apart or [len(cell) for cell in cells] == [columns])


def _drawings(source: Source) -> list[_Block]:
    """The whole boards: blocks that go on where one before them ended are joined with it."""
    found: list[_Block] = []
    for block in _blocks(source.lines):
        if found:
            last = found[-1]
            width = len(last.rows[0].cells)
            if (
                (last.first + width - block.first) % 10 == 0
                and len(block.rows) == len(last.rows)
                and (block.first or width % 10 == 0)
            ):
                joined = [Row(a.line, a.cells + b.cells) for a, b in zip(last.rows, block.rows, strict=True)]
                found[-1] = last._replace(rows=joined)
                continue
        found.append(block)
    return [block for block in found if not block.heading.startswith(_EXAMPLE)]


def _looks_like(source: Source) -> bool:
    return bool(_drawings(source))


def _parse(source: Source) -> ParsedBoard:
    drawings = _drawings(source)
    if not drawings:
        raise BoardError("no board is drawn here: a drawing has a line of column numbers above numbered rows")
    if len(drawings) > 1:
        where = ", ".join(str(block.rows[0].line.number) for block in drawings[:5])
        raise BoardError(
            f"the text draws {len(drawings)} boards, at the lines {where}{', …' if drawings[5:] else ''}: "
            "give one of them"
        )
    drawn = {row.line.number for row in drawings[0].rows}
    others = [plain(line.text) for line in source.lines if line.number not in drawn]
    found = any(re.search(r"[*✱] mine\b", text) or _VIEWER.match(text) for text in others)
    rows = [Row(row.line, [_cell(cell, found) for cell in row.cells]) for row in drawings[0].rows]
    height, width, values = read_cells(rows, {})
    return ParsedBoard(height, width, values, _mines(source, others, values.count(MINE_BYTE)))


def _cell(sign: str, found: bool) -> str:
    """The sign of a cell as people write it."""
    if sign.startswith("[") or _HIDDEN.fullmatch(sign) or (found and _FOUND.fullmatch(sign)):
        return "?"
    return "F" if sign in ("w", "✹") else sign


def _mines(source: Source, others: list[str], marked: int) -> int | None:
    """The mine total, if the text around the drawing tells it."""
    for line in source.lines:
        said = setting("mines", line) or ""
        if re.fullmatch("[0-9]+", said):
            return number_in(said, str(line), "mines", BoardError)
    for text in others:
        if total := re.match(r"\s*\d+[×x]\d+, (\d{1,9}) mines?\b", text):
            return int(total[1])
        if left := re.search(r"(?:^|[·|] )(-?\d{1,9}) mines? left\b", text):
            return int(left[1]) + marked
    return None


def _print(board: ParsedBoard) -> str:
    """The board as `explain` draws it, and the total."""
    rows = [row.replace("0", "·").replace("*", "F") for row in board_rows(board)]
    margin = len(str(board.height - 1)) + 1
    header = " " * margin + "".join(f"{column % 100:>3}" for column in range(board.width))
    lines = [f"{r:>{margin - 1}} " + "".join(f"{cell:>3}" for cell in row) for r, row in enumerate(rows)]
    return "\n".join([header, *lines, f"mines: {board.mines}"])


FORM = Form(
    "drawing",
    "what solve, hint, explain and play draw",
    signs="·■⚑+[]()",
    looks_like=_looks_like,
    parse_board=_parse,
    print_board=_print,
)
