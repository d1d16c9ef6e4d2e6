"""What chats put around a board: who says it and when, before every line, and sentences above and below.

    [12:31] bob: what is safe here?
    [12:31] bob: ??1
    [12:31] bob: 3?2

Only what cannot be a row is taken away: the same name before all rows, and lines of words outside of them.
What stands between rows stays, and is told as what it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from msat.formats.labels import are_labels
from msat.formats.source import Line

__all__ = ["has_words", "without_sentences", "without_speakers"]

_DATE = r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4},?\s+"
_TIME = rf"\[?(?:{_DATE})?[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:\s?[AaPp][Mm])?\]?"
_SAID = rf"\s*(?:{_TIME}\s*(?:[-–—]\s*)?)?(?:<\s?[@+%]?([^<>]{{1,40}})>|([^\W\d][\w .'-]{{0,39}}):)\s(.*)"
_CELL_LETTERS = frozenset("HMFfxX")
_PUNCTUATION = ".,:;!?()…'\"”“’—–-"


def has_words(lines: Sequence[Line]) -> bool:
    """Whether there are letters that are no cells: else there is nothing to look for."""
    return any(re.search(r"[^\W\d_HMFfxX]", line.text) for line in lines)


def _said(line: Line) -> tuple[str, str] | None:
    """Who says a line, and what."""
    found = re.fullmatch(_SAID, line.text)
    return None if found is None else (found[1] or found[2], found[3])


def _is_word(text: str) -> bool:
    """Whether a text is a word, and not a row of cells with a mistake in it."""
    return len(text) > 1 and text.isalpha() and 2 * sum(sign in _CELL_LETTERS for sign in text) <= len(text)


def _is_sentence(text: str) -> bool:
    """Whether a line is made of words rather than of cells.

    >>> [_is_sentence(text) for text in ("what is safe here?", "Thanks", "? ? abc", "ABC")]
    [True, True, False, False]
    """
    tokens = text.split()
    words = [token.strip(_PUNCTUATION) for token in tokens]
    real = [word for word in words if _is_word(word)]
    if not any(len(word) > 2 for word in real):
        return False
    if len(tokens) == 1:
        return "?" not in text and not are_labels(list(words[0]))
    signs = [token for token in tokens if len(token) == 1 and not token.isalpha()]
    return len(signs) < len(real)


def without_speakers(lines: Sequence[Line], skipped: Callable[[Line], bool]) -> list[Line]:
    """The lines without who says them, where one and the same says all that may be rows; `skipped` are none.

    >>> lines = [Line(1, "<bob> ??1"), Line(2, "<bob> 3?2")]
    >>> [line.text for line in without_speakers(lines, lambda line: False)]
    ['??1', '3?2']
    """
    found = {line.number: None if skipped(line) else _said(line) for line in lines}
    rows = []
    for line in lines:
        said = found[line.number]
        if not skipped(line) and not _is_sentence(said[1] if said else line.text):
            rows.append(said)
    if len(rows) < 2 or not all(rows) or len({said[0] for said in rows if said}) > 1:
        return list(lines)
    return [Line(line.number, said[1]) if (said := found[line.number]) else line for line in lines]


def without_sentences(lines: Sequence[Line]) -> list[Line]:
    """The lines without sentences above and below all others; what is nothing but sentences stays.

    >>> [line.text for line in without_sentences([Line(1, "Is this a guess?"), Line(2, "?1"), Line(3, "11")])]
    ['?1', '11']
    """
    words = [_is_sentence(line.text) for line in lines]
    widths = {len(_signs(line.text)) for line, said in zip(lines, words, strict=True) if not said}
    rows = [at for at, line in enumerate(lines) if not words[at] or _may_be_row(line.text, widths)]
    return list(lines[rows[0] : rows[-1] + 1]) if rows else list(lines)


def _may_be_row(text: str, widths: set[int]) -> bool:
    """Whether a word is as long as the rows and mostly one letter: hidden cells in a sign that is unknown."""
    signs = _signs(text)
    return len(signs) in widths and 2 * max(Counter(signs).values()) > len(signs)


def _signs(text: str) -> str:
    return "".join(text.split())
