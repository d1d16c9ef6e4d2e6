"""How pasted rows are cut into cells: bars and borders, commas and tabs, brackets, or the shape of the block.

People paste boards out of programs, spreadsheets and chats. Whatever stands between the cells is taken away
here; what is left is one text a cell, empty for a blank. Labels along the edges are for `labels`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from msat.errors import BoardError
from msat.formats.signs import HIDDEN_SIGNS, plain
from msat.formats.source import Line
from msat.limits import MAX_SIDE

__all__ = ["Row", "by_shape", "by_signs_between", "by_spaces", "headed", "margins", "unframed"]

BARS = "|│┃║╎┆┇╏¦"
_BAR = f"[{BARS}]"
_BORDER = r"[\s|│┃║╎┆┇╏¦─━═┄┈╌┌┬┐├┼┤└┴┘┏┳┓┣╋┫┗┻┛╔╦╗╠╬╣╚╩╝╭╮╰╯╒╤╕╞╪╡╘╧╛╓╥╖╟╫╢╙╨╜+=:-]*"
_BRACKETED = r"\s*(?:\[[^][]?\]\s*)+"


class Row(NamedTuple):
    """A row of cells, and the line that it stands on."""

    line: Line
    cells: list[str]


def by_signs_between(lines: Sequence[Line]) -> list[Row] | None:
    """The cells of rows that something other than spaces separates; None where nothing does."""
    texts = [Line(line.number, plain(line.text)) for line in lines]
    if any(bar in line.text for line in texts for bar in BARS):
        return _by_bars(texts)
    for delimiter in ",;\t":
        if all(delimiter in line.text for line in texts):
            rows = [Row(line, [_unquoted(cell) for cell in line.text.split(delimiter)]) for line in texts]
            if delimiter != "\t" or all(len(cell) <= 2 for row in rows for cell in row.cells):
                return _without_margins(rows)
    if all(re.fullmatch(_BRACKETED, line.text) for line in texts):
        return [
            Row(line, [cell.strip() for cell in re.findall(r"\[([^][]?)\]", line.text)]) for line in texts
        ]
    return None


def _without_margins(rows: list[Row]) -> list[Row]:
    """The rows without outer columns that are blank beside hidden cells, where no 0 can be."""
    for at, beside in ((0, 1), (-1, -2)):
        while (
            all(len(row.cells) > 2 and not row.cells[at] for row in rows)
            and len({len(row.cells) for row in rows}) == 1
            and any(row.cells[beside] in HIDDEN_SIGNS for row in rows if row.cells[beside])
        ):
            rows = [Row(row.line, row.cells[1:] if at == 0 else row.cells[:-1]) for row in rows]
    return rows


def _unquoted(cell: str) -> str:
    return cell.strip().strip("\"'").strip()


def unframed(lines: Sequence[Line]) -> list[Line] | None:
    """The rows inside a frame that is drawn around all of them; None where there is none."""
    rows = _without_borders(lines)
    found = [re.fullmatch(rf"\s*{_BAR}([^{BARS}]*){_BAR}\s*", line.text) for line in rows]
    if not all(found) or not any(each and len(plain(each[1]).strip()) > 1 for each in found):
        return None
    return [Line(line.number, each[1]) for line, each in zip(rows, found, strict=True) if each]


def headed(lines: Sequence[Line]) -> tuple[Row | None, list[Line]]:
    """A line without bars above rows with bars, by its words or its signs, and the lines below it.

    The same line again below the rows is left out.

    >>> headed([Line(1, "  A B"), Line(2, "1|?|?|")])
    (Row(line=Line(number=1, text='  A B'), cells=['A', 'B']), [Line(number=2, text='1|?|?|')])
    """
    head, *below = lines
    if below and below[-1].text.split() == head.text.split():
        below.pop()
    rows = [line for line in below if _border(plain(line.text)) == "row"]
    barred = [any(bar in line.text for bar in BARS) for line in rows]
    if not rows or not all(barred) or any(bar in head.text for bar in BARS):
        return None, list(lines)
    return by_spaces([head])[0], below


def _by_bars(texts: list[Line]) -> list[Row]:
    """Rows with bars between the cells."""
    rows = _without_borders(texts)
    # Bars at the sides have no cell outside.
    left = all(line.text.lstrip()[:1] in BARS for line in rows)
    right = all(line.text.rstrip()[-1:] in BARS for line in rows)
    found = []
    for line in rows:
        cells = [cell.strip() for cell in re.split(_BAR, line.text)]
        found.append(Row(line, cells[left : len(cells) - right]))
    return found


def _without_borders(lines: Sequence[Line]) -> list[Line]:
    """The lines that do more than draw a border.

    A line of dashes is a border, unless dashes stand one by one, or are hidden cells in other rows as well,
    or there is a border beside it already.
    """
    kinds = [_border(plain(line.text)) for line in lines]
    for at, kind in enumerate(kinds):
        if kind == "dashes" and "border" in kinds[max(at - 1, 0) : at + 2]:
            kinds[at] = "row"
    rows = [line for line, kind in zip(lines, kinds, strict=True) if kind == "row"]
    if not rows or any("-" in line.text for line in rows):
        rows = [line for line, kind in zip(lines, kinds, strict=True) if kind != "border"]
    return rows or list(lines)


def _border(text: str) -> str:
    """What a line is: a "border", a "row" of cells, or "dashes", which may be either."""
    if not re.fullmatch(_BORDER, text) or not text.strip(f"{BARS} \t:"):  # bars alone hold blanks
        return "row"
    if re.search(r"[^\s|│┃║╎┆┇╏¦:-]", text):
        return "border"
    apart = [cell.strip() for cell in re.split(rf"{_BAR}|\s", text.strip())]
    return "row" if all(cell in ("", "-") for cell in apart) else "dashes"


def by_spaces(lines: Sequence[Line]) -> list[Row]:
    """Cells that stand all apart or, in a row that has no space, all together."""
    rows = []
    for line in lines:
        cells = plain(line.text).split()
        rows.append(Row(line, list(cells[0]) if len(cells) == 1 else cells))
    return rows


def by_shape(lines: Sequence[Line], framed: bool = False) -> list[Row]:
    """Cells in columns that are a fixed distance apart, some of them blank.

    In a frame the columns are counted from its left side; else the first column is where the first sign of
    any row stands, and rows that end early end with blanks.
    """
    placed = [_places(line.text) for line in lines]
    columns = sorted({at for signs, _ in placed for at in signs})
    pitch = gcd(*(column - columns[0] for column in columns)) or 1
    first = columns[0] % pitch if framed else columns[0]
    last = max(size for _, size in placed) - 1 if framed else columns[-1]
    width = (last - first) // pitch + 1
    if width > MAX_SIDE:  # blanks are written out here: a long line would make all of them long
        raise BoardError(f"the rows have {width:,} cells: a board has at most {MAX_SIDE} columns")
    return [
        Row(line, [signs.get(at, "") for at in range(first, last + 1, pitch)])
        for line, (signs, _) in zip(lines, placed, strict=True)
    ]


def margins(lines: Sequence[Line]) -> tuple[bool, bool]:
    """Whether all rows have blanks before, and behind, their signs that have room for a cell."""
    placed = [_places(line.text) for line in lines]
    columns = sorted({at for signs, _ in placed for at in signs})
    pitch = gcd(*(column - columns[0] for column in columns)) or 1
    sizes = {size for _, size in placed}
    before = columns[0] >= pitch and columns[0] % pitch == 0
    return before, len(sizes) == 1 and max(sizes) - 1 - columns[-1] >= pitch


def _places(text: str) -> tuple[dict[int, str], int]:
    """The signs of a line by the column in which each begins, and the columns of the whole line.

    >>> _places("1️⃣⬜ 2")
    ({0: '1', 2: '⬜', 5: '2'}, 6)
    """
    found: dict[int, str] = {}
    at = 0
    for sign in re.findall(r".\ufe0f?\u20e3|.", text.expandtabs(), re.DOTALL):
        shown = plain(sign)
        if shown and not shown.isspace():
            found[at] = shown
        wide = len(sign) > 1 or unicodedata.east_asian_width(sign) in "WF"
        at += (2 if wide else 1) if shown else 0
    return found, at
