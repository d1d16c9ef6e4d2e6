"""What stands around a pasted board: fences, quotes, row labels with colons, its size, its total.

Chats, forums and notebooks put things before and behind the rows. They are taken away here, line by line, so
that what is left is rows and perhaps a line `mines: 10`, which `grid` reads. What may be a row as well is an
error that says how to choose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msat.errors import BoardError
from msat.formats.chat import has_words, without_sentences, without_speakers
from msat.formats.labels import are_labels
from msat.formats.signs import plain
from msat.formats.source import Line, quote, spaced_once
from msat.wording import argument

__all__ = ["bare_lines", "bombs_beside", "size_above", "total_below", "unquoted"]

_FENCE = r"\s*(?:`{3,}|~{3,})\s*(?:\w+\s*)?"
_QUOTED = r"\s*>.*"
_SPOILERS = r"\s*(?:\|\|[^|]+\|\|\s*)+"
_TOTAL = (
    r"(?i)(?:(?:(?:total|number)(?: of)? )?(?:mines|bombs)(?: (?:in )?total)? ?[:=]? ?([0-9]{1,9})"
    r"|([0-9]{1,9}) (?:mines?|bombs?)(?: (?:in )?(?:total|all))?) ?\.?"
)
_LEFT = (
    r"(?i)(?:(-?[0-9]{1,9}) (?:(?:mines?|bombs?) (?:are )?(?:left|remaining)"
    r"|(?:remaining|unmarked) (?:mines?|bombs?))"
    r"|(?:bombs (?:left|remaining)|remaining (?:mines|bombs)) ?[:=]? ?(-?[0-9]{1,9})) ?[.!]?"
)
_OUT_OF = (
    r"(?i)(?:mines|bombs|flags|💣|🚩)\ufe0f? ?[:=]? ?(-?[0-9]{1,9}) ?(?:/|of) ?([0-9]{1,9})"
    r"|(-?[0-9]{1,9}) ?(?:/|of) ?([0-9]{1,9}) ?(?:mines|bombs|flags|💣|🚩)\ufe0f?"
)
"""Marked, or left, out of all: either way the second is the total."""
_BOMBS_TOLD = r"💣\ufe0f? ?[:=] ?([0-9]{1,9})"
_BOMBS = r"💣\ufe0f? ?[x×]? ?([0-9]{1,9})|([0-9]{1,9}) ?[x×]? ?💣\ufe0f?"
_SIZE_TOLD = (
    r"(?i)(?:(?:size|board|grid) ?[:=]? ?)?([0-9]{1,4}) ?(?:[x×*]|by) ?([0-9]{1,4})(?: (?:board|grid))?"
    r" ?(?:[,;:/x×*-]|with|and)? ?([0-9]{1,7}) (?:mines?|bombs?) ?[.:]?"
)
_SIZE = r"([0-9]{1,4}) ?(?:[x×*,]| ) ?([0-9]{1,4})(?:[ ,;:x×*]+([0-9]{1,7})(?: (?i:mines?))?)?"
_LABELLED = r"\s*(?:(\w{1,3})\s*)?[:)|│┃║]\s+(\S.*)"
_RULER = r"[\s+|│┃║┼╫╪╋─━═┄-]*"

_NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
_CODES = {
    **{name: str(number) for number, name in enumerate(_NAMES)},
    "black_large_square": "⬛",
    "black_square_button": "🔲",
    "white_large_square": "⬜",
    "white_square_button": "🔳",
    "blue_square": "🟦",
    "green_square": "🟩",
    "bomb": "💣",
    "boom": "💥",
    "triangular_flag_on_post": "🚩",
    "question": "❓",
    "grey_question": "❔",
}
"""Emoji as chats write them, such as :one:."""


def unquoted(text: str) -> str:
    """A text without fences around code and without signs before quoted lines; lines keep their numbers.

    >>> unquoted("```\\n?1\\n```"), unquoted("> ?1\\n> 11")
    ('\\n?1\\n', '?1\\n11')
    """
    if "```" in text or "~~~" in text:
        text = "\n".join("" if re.fullmatch(_FENCE, line) else line for line in text.splitlines())
    if text.lstrip().startswith(">"):
        lines = text.splitlines()
        if all(re.fullmatch(_QUOTED, line) for line in lines if line.strip()):
            text = "\n".join(re.sub(r"^\s*>[ \t]?", "", line) for line in lines)
    return text


def bare_lines(lines: Sequence[Line], gaps: bool = False) -> list[Line]:
    """The lines without labels before colons, with emoji for their names, and the total as `mines: 10`.

    `gaps` between lines are rows of blanks.
    """
    found = [Line(line.number, _with_emoji(line.text)) for line in lines]
    if found and all(re.fullmatch(_SPOILERS, line.text) for line in found):
        raise BoardError(
            f"{found[0]}: '||' hides what is between it, and a text does not tell what was looked at: "
            "write '?' for what is hidden"
        )
    found = _without_colons([_total_named(line) for line in found])
    words = has_words(found)
    if words:
        found = [_total_named(line) for line in without_speakers(found, _says_total)]
    rows = [line for line in found if not _says_total(line)]
    for at in {0, len(rows) - 1} if len(rows) > 1 else ():
        found = _with_total(found, rows, rows[at], gaps)
    if not words:
        return found
    said = {line for line in found if _says_total(line)}
    return sorted([*without_sentences([line for line in found if line not in said]), *said])


def _told(pattern: str, line: Line) -> re.Match[str] | None:
    """What a line says, if `pattern` is all of it; in the pattern one space stands for any number of them.

    A pattern that looked for spaces itself would try each way to share out thousands of them.
    """
    return re.fullmatch(pattern, spaced_once(line.text))


def _says_total(line: Line) -> bool:
    return re.match(r"(?i)\s*mines\b", line.text) is not None


def _with_total(lines: list[Line], rows: list[Line], line: Line, gaps: bool) -> list[Line]:
    """The lines, with `mines: 10` for the first or last of the rows, if it is no row but tells that."""
    others = [other for other in rows if other is not line]
    told = _told(_SIZE_TOLD, line)
    if told is not None:
        widths = {_cells_in(other) for other in others}
        size = sorted((int(told[1]), int(told[2])))
        if len(widths) == 1 and size != sorted((len(others), *widths)):
            raise BoardError(
                f"{line}: {quote(line.text.strip())} is not the size of the rows: "
                f"they are {len(others)}×{min(widths)}"
            )
        total = told[3]
    else:
        alone = all(abs(line.number - other.number) > 1 for other in others)
        apart = all(below.number > above.number + 1 for above, below in pairwise(rows))
        told = _told(_BOMBS, line) if alone and not apart and not gaps else None
        if told is None:
            return lines
        total = told[1] or told[2]
    return [Line(line.number, f"mines: {total}") if other is line else other for other in lines]


def _total_named(line: Line) -> Line:
    """A line that tells the total, or how many mines are left, as `grid` reads it; any other as it is."""
    if each := _told(_TOTAL, line):
        return Line(line.number, f"mines: {each[1] or each[2]}")
    if each := _told(_LEFT, line):
        return Line(line.number, f"mines left: {each[1] or each[2]}")
    if each := _told(_BOMBS_TOLD, line):
        return Line(line.number, f"mines: {each[1]}")
    if each := _told(_OUT_OF, line):
        return Line(line.number, f"mines: {each[2] or each[4]}")
    return line


def bombs_beside(rows: Sequence[Line]) -> tuple[list[Line], int, Line] | None:
    """The rows without a line such as `💣 10` above or below them, the total, and that line.

    Where another line has as many signs it is a row.

    >>> bombs_beside([Line(1, "??1"), Line(2, "3?2"), Line(3, "💣 3")])[1:]
    (3, Line(number=3, text='💣 3'))
    """
    for at, others in ((-1, rows[:-1]), (0, rows[1:])):
        told = _told(_BOMBS, rows[at])
        if told is not None and others and all(_cells_in(line) != _cells_in(rows[at]) for line in others):
            return list(others), int(told[1] or told[2]), rows[at]
    return None


def _with_emoji(text: str) -> str:
    return re.sub(r":([a-z_]+):", lambda code: _CODES.get(code[1], code[0]), text) if ":" in text else text


def _without_colons(lines: list[Line]) -> list[Line]:
    """Rows such as `1: ? ? 1` or `1 | ? ? 1` without what is before the colon or bar, and without header."""
    said = {line for line in lines if _says_total(line)}
    rows = [line for line in lines if line not in said and not _is_ruler(line)]
    found = [(line, re.fullmatch(_LABELLED, line.text)) for line in rows]
    body = {line: each for line, each in found if each and each[1]}
    above = [line for line in rows if line not in body]
    if len(body) < 2 or not are_labels([each[1] for each in body.values()]) or above not in ([], rows[:1]):
        return lines
    inside = {line: Line(line.number, _behind_label(each)) for line, each in body.items()}
    if any(re.search(r"[|│┃║]", line.text) for line in inside.values()):
        return lines  # a table, which has bars between all of its cells
    if above:
        each = found[0][1]
        header = (_behind_label(each) if each else above[0].text).split()
        if not are_labels(list(header[0]) if len(header) == 1 else header):
            return lines
    return [inside.get(line, line) for line in lines if line in body or line in said]


def _is_ruler(line: Line) -> bool:
    return bool(re.fullmatch(_RULER, line.text) and re.search("[─━═┄-]{2}", line.text))


def _behind_label(found: re.Match[str]) -> str:
    """What stands behind the colon or bar, without a bar at its end."""
    text = found[2].rstrip()
    return text[:-1].rstrip() if text[-1] in "|│┃║" and len(text) > 1 else text


def _cells_in(line: Line) -> int:
    return len("".join(plain(line.text).split()))


def size_above(rows: list[Line], ask: bool) -> tuple[list[Line], int | None]:
    """The rows without a line above them that tells their size, and the total, if that line tells it.

    >>> size_above([Line(1, "2 2 1"), Line(2, "??"), Line(3, "11")], ask=True)
    ([Line(number=2, text='??'), Line(number=3, text='11')], 1)
    """
    head, *rest = rows
    size = _told(_SIZE, head)
    if size is None or not rest:
        return rows, None
    widths = {_cells_in(line) for line in rest}
    if len(widths) != 1 or sorted((int(size[1]), int(size[2]))) != sorted((len(rest), *widths)):
        return rows, None
    if _cells_in(head) in widths:
        if not ask:
            return rows, None
        raise BoardError(
            f"{head}: {quote(head.text.strip())} may be the size or a row of clues: "
            f"leave the size out, or say that it is a row by {argument('form', 'grid')}"
        )
    return rest, None if size[3] is None else int(size[3])


def total_below(rows: list[Line]) -> tuple[list[Line], int] | None:
    """The rows above a number that stands alone, which is no row: it is not as long as those are.

    >>> total_below([Line(1, "??1"), Line(2, "3?2"), Line(3, "12")])
    ([Line(number=1, text='??1'), Line(number=2, text='3?2')], 12)
    """
    *above, last = rows
    number = last.text.strip()
    widths = {_cells_in(line) for line in above}
    if len(widths) != 1 or widths == {len(number)} or not re.fullmatch("[0-9]{1,9}", number):
        return None
    return (above, int(number)) if min(widths) > 1 else None
