"""Boards in the source of a page: a `<table>` becomes rows with bars, which are read as any pasted grid is.

A cell is what it shows, or else what its attributes say: `class="open3"`, `alt="flag"`. What tells nothing is
a blank, which is hidden on some pages and 0 on others: it is told apart, or asked about, as all blanks are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser
from itertools import pairwise

from msat.errors import BoardError
from msat.formats.signs import HIDDEN_SIGNS
from msat.formats.source import quote

__all__ = ["is_html", "rows_of"]

_TOLD_BY = ("class", "alt", "src", "title", "aria-label", "data-state", "data-value", "data-status")
_FLAG = {"flag", "flagged", "flags", "marked", "bombflagged", "mineflagged"}
_HIDDEN = {"hidden", "closed", "covered", "unopened", "unrevealed", "unclicked", "concealed", "hide"}
_MINE = {"mine", "bomb", "bombrevealed", "bombdeath", "exploded"}
_OPEN = {"open", "opened", "revealed", "uncovered", "empty"}
_BEFORE_NUMBERS = {*_OPEN, "num", "number", "type", "value", "clue", "near", "adjacent", "mines"}
_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")
_NUMBERS = [*"012345678"]


def is_html(text: str) -> bool:
    """Whether a text is, or has in it, a table of a page."""
    return re.search(r"<(table|tbody|tr)\b[^<]*>", text, re.IGNORECASE) is not None


def rows_of(text: str) -> str:
    """The rows of the one table in a text, with bars between cells, and whatever text stands around it."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_row()
    if reader.tables > 1:
        raise BoardError(f"this page has {reader.tables} tables: give the one that is the board")
    return "\n".join(reader.lines)


class _Reader(HTMLParser):
    """Collects the cells of a table, and lines of text outside."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.tables = 0
        self._row: list[str] | None = None
        self._rows = 0
        self._shown: list[str] | None = None  # the text of a cell …
        self._told: list[str] = []  # … and what attributes say of it
        self._skipped = 0  # inside of scripts and styles

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """A row or a cell begins; what a cell has inside tells about it as well."""
        if tag == "table":
            self.tables += 1
        elif tag in ("script", "style"):
            self._skipped += 1
        elif tag == "tr":
            self.end_row()
            self._row = []
        elif tag in ("td", "th"):
            self._end_cell()
            if self._row is None:
                self._row = []
            self._shown, self._told = [], []
        if self._shown is not None:
            self._told += [value for name, value in attrs if name in _TOLD_BY and value]

    def handle_endtag(self, tag: str) -> None:
        """A row or a cell ends."""
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self.end_row()
        elif tag in ("script", "style"):
            self._skipped = max(0, self._skipped - 1)

    def handle_data(self, data: str) -> None:
        """Text: of a cell, or outside, as the mine total may be."""
        if self._skipped:
            return
        if self._shown is not None:
            self._shown.append(data)
        elif self._row is None:
            self.lines += [line.strip() for line in data.splitlines() if line.strip()]

    def _end_cell(self) -> None:
        if self._shown is None or self._row is None:
            return
        shown = "".join(self._shown).strip()
        told = _meaning(self._told)
        if told == "?" and shown in _NUMBERS:
            raise BoardError(
                f"table row {self._rows + 1}, cell {len(self._row) + 1}: it shows {shown}, and is hidden by "
                f"its attributes, {quote(' '.join(self._told))}: give the board as a player sees it"
            )
        if not shown or (told == "?" and shown in HIDDEN_SIGNS):
            shown = told
        self._row.append(shown.replace("|", "¦"))
        self._shown = None

    def end_row(self) -> None:
        """Keep the row that was read, if it has cells."""
        self._end_cell()
        if self._row:
            self.lines.append(f"|{'|'.join(self._row)}|")
            self._rows += 1
        self._row = None


def _meaning(attributes: Iterable[str]) -> str:
    """The sign of a cell by its attributes; "" where they tell nothing.

    >>> [_meaning([told]) for told in ("square open3", "cell is-flagged", "hd_closed", "img/empty.png", "td")]
    ['3', 'F', '?', '0', '']
    """
    told = [re.sub(r".*/|\.\w+$", "", each) for each in attributes]  # of a picture, its name alone
    words = re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", " ".join(told)).lower())
    if _FLAG & set(words):
        return "F"
    if _HIDDEN & set(words):
        return "?"
    numbers = [each for each in told if each in _NUMBERS]
    numbers += [number for word, number in pairwise(words) if word in _BEFORE_NUMBERS and number in _NUMBERS]
    numbers += [_NUMBERS[_NAMES.index(word)] for word in words if word in _NAMES]
    if numbers:
        return numbers[0]
    return "*" if _MINE & set(words) else "0" if _OPEN & set(words) else ""
