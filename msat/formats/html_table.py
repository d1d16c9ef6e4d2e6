"""Boards in the source of a page: a `<table>` becomes rows with bars, which are read as any pasted grid is.

A cell is what it shows, or else what its attributes say: `class="open3"`, `alt="flag"`. What tells nothing is
a blank, which is hidden on some pages and 0 on others: it is told apart, or asked about, as all blanks are.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import unescape
from itertools import pairwise

from msat.errors import BoardError
from msat.formats.signs import HIDDEN_SIGNS
from msat.formats.source import quote

__all__ = ["is_html", "rows_of"]

# `html.parser` begins anew at each sign that opens something which nothing closes: kilobytes take it seconds.
# Here every search ends at the next "<", or is made once.
_TAG = (
    r"<!--|<[!?][^<>]*+>"
    r"|<(?P<close>/?)(?P<name>[a-zA-Z][\w:-]*+)(?P<told>(?:[^<>=]++|=\s*+(?:\"[^\"<]*+\"|'[^'<]*+')?+)*+)>"
)
_ATTRIBUTE = r"(?<![\w:-])([\w:-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'][^\s>]*+))"
_INLINE = {"a", "abbr", "b", "bdi", "code", "em", "font", "i", "img", "mark", "small", "span", "strong", "u"}
_SHOWN_BY = ("alt", "src", "title", "aria-label")
_DATA = ("data-state", "data-value", "data-status")
_TOLD_BY = ("class", *_SHOWN_BY, *_DATA)
_FLAG = {"flag", "flagged", "flags", "marked", "bombflagged", "mineflagged"}
_HIDDEN = {"hidden", "closed", "covered", "unopened", "unrevealed", "unclicked", "concealed", "hide"}
_MINE = {"mine", "bomb"}
_SHOWN_MINE = {"bombrevealed", "bombdeath", "exploded"}
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
    tags = re.compile(_TAG)
    at = 0
    while (tag := tags.search(text, at)) is not None:
        reader.data(text[at : tag.start()])
        at = tag.end()
        name = (tag["name"] or "").lower()
        if tag[0] == "<!--":
            at = _find("-->", text, at) + len("-->")
        elif name in ("script", "style") and not tag["close"]:
            at = _find(f"</{name}", text, at)
        elif name and tag["close"]:
            reader.end(name)
        elif name:
            reader.start(name, _attributes(tag["told"]))
    reader.data(text[at:])
    reader.end_row()
    if reader.tables > 1:
        raise BoardError(f"this page has {reader.tables} tables: give the one that is the board")
    return "\n".join(reader.lines)


def _find(end: str, text: str, at: int) -> int:
    """Where something ends that is no part of the page that is seen: nowhere, if nothing ends it."""
    found = re.compile(re.escape(end), re.IGNORECASE).search(text, at)
    return len(text) if found is None else found.start()


def _plain(text: str) -> str:
    """A text with the signs that its entities name; no sign has a number of eight digits."""
    return unescape(re.sub("&#[xX]?[0-9a-fA-F]{8,}", "\ufffd", text)) if "&" in text else text


def _attributes(text: str) -> list[tuple[str, str]]:
    """Names and values of those attributes of a tag that tell of a cell."""
    found = re.findall(_ATTRIBUTE, text)
    told = [(name.lower(), _plain(double or single or bare)) for name, double, single, bare in found]
    return [(name, value) for name, value in told if name in _TOLD_BY and value]


class _Reader:
    """Collects the cells of a table, and lines of text outside."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tables = 0
        self._around: list[str] = []  # text outside of rows
        self._row: list[str] | None = None
        self._rows = 0
        self._shown: list[str] | None = None  # the text of a cell …
        self._told: list[tuple[str, str]] = []  # … and what attributes say of it
        self._shows_numbers = False
        self._kept = ""  # where the first cell is that shows nothing, and keeps a number

    def start(self, tag: str, told: list[tuple[str, str]]) -> None:
        """A row or a cell begins; what a cell has inside tells about it as well."""
        if tag == "table":
            self.tables += 1
        if tag == "tr":
            self.end_row()
            self._row = []
        elif tag in ("td", "th"):
            self._end_cell()
            if self._row is None:
                self._row = []
            self._shown, self._told = [], []
        elif tag not in _INLINE:
            self._around.append("\n")
        if self._shown is not None:
            self._told += told

    def end(self, tag: str) -> None:
        """A row or a cell ends."""
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self.end_row()
        elif tag not in _INLINE:
            self._around.append("\n")

    def data(self, text: str) -> None:
        """Text: of a cell, or outside, as the mine total may be."""
        if self._shown is not None:
            self._shown.append(_plain(text))
        elif self._row is None:
            self._around.append(_plain(text))

    def _end_cell(self) -> None:
        if self._shown is None or self._row is None:
            return
        shown = "".join(self._shown).strip()
        told = _meaning(self._told)
        here = f"table row {self._rows + 1}, cell {len(self._row) + 1}"
        said = quote(" ".join(value for _, value in self._told))
        if told == "?" and shown in _NUMBERS:
            raise BoardError(
                f"{here}: it shows {shown}, and is hidden by its attributes, {said}: "
                "give the board as a player sees it"
            )
        if told is None and not shown:
            raise BoardError(
                f"{here}: it shows nothing, and its attributes, {said}, may be what is hidden in it "
                "or what a player sees: write '?', a number or '*' into the cell"
            )
        self._check_kept(shown, told, here)
        if told is not None and (not shown or (told == "?" and shown in HIDDEN_SIGNS)):
            shown = told
        self._row.append(shown.replace("|", "¦"))
        self._shown = None

    def _check_kept(self, shown: str, told: str | None, here: str) -> None:
        """Refuse numbers that only data tell, where others are shown: those are what the page hides."""
        self._shows_numbers = self._shows_numbers or shown in _NUMBERS[1:]
        only_data = (
            told in _NUMBERS[1:] and _meaning([each for each in self._told if each[0] not in _DATA]) == ""
        )
        if not shown and only_data:
            self._kept = self._kept or f"{here}: it shows nothing, and its data say {told}"
        if self._kept and self._shows_numbers:
            raise BoardError(
                f"{self._kept}, while others show their numbers: write '?' or the number into the cell"
            )

    def end_row(self) -> None:
        """Keep the row that was read, if it has cells, or else the text that was."""
        self._end_cell()
        self.lines += [line.strip() for line in "".join(self._around).splitlines() if line.strip()]
        self._around = []
        if self._row:
            self.lines.append(f"|{'|'.join(self._row)}|")
            self._rows += 1
        self._row = None


def _meaning(attributes: Collection[tuple[str, str]]) -> str | None:
    """The sign of a cell by its attributes; "" where they tell nothing, None where that may be two things.

    >>> [_meaning([("class", told)]) for told in ("square open3", "is-flagged", "hd_closed", "empty", "td")]
    ['3', 'F', '?', '0', '']
    >>> _meaning([("src", "img/mine.png")]), _meaning([("class", "mine")]), _meaning([("class", "open n3")])
    ('*', None, None)
    """
    told = [
        re.sub(r"\.\w+$", "", value.rpartition("/")[2]) for _, value in attributes
    ]  # of a picture, its name
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
    if _SHOWN_MINE & set(words):
        return "*"
    if _MINE & set(words):  # pages keep in a class what they hide, and show a picture
        shown = _OPEN & set(words) or any(name in _SHOWN_BY for name, _ in attributes)
        return "*" if shown else None
    if _OPEN & set(words):
        return None if any(word.isdecimal() for word in words) else "0"
    return ""
