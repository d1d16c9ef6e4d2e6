"""Links of the web analyser: positions (`analysis=…`) and layouts (`b=…&m=…`), which other programs share.

A position begins with width, height and mines in base 62, of two, two and four digits; then come runs of
equal cells, row by row. Every kind of cell has digits of its own, so that the digits of a run tell both what
it is of and, in the base of how many there are, how long it is. Around a mark `F` the numbers are written
lower by one, which makes longer runs; `I` is such a mine that nobody marked, `O` a mark around which nothing
is lowered.

A layout has its size in `b`, as 1, 2 or 3 for the presets, or as WIDTHHEIGHT with as many digits each; and in
`m` the mines in base 32, five cells a digit, the first cell in the highest bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from msat.cells import neighbours
from msat.errors import BoardError, LayoutError, MsatError
from msat.formats.form import Form, Source
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard, ParsedLayout
from msat.formats.source import quote
from msat.limits import MAX_SIDE

__all__ = ["ANALYSER", "FORM"]

ANALYSER = "https://davidnhill.github.io/JSMinesweeper/index.html"
"""Where the links lead to; they are read with any address before the `?`, or without one."""

_BASE62 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_BASE32 = "0123456789abcdefghijklmnopqrstuv"
_SIZES = ((2, "width"), (2, "height"), (4, "mines"))
_HEADER = sum(length for length, _ in _SIZES)

_COUNTS = (
    *zip("012345678", (10, 7, 5, 5, 4, 3, 3, 1, 1), strict=True),
    ("I", 4),
    ("H", 10),
    ("F", 8),
    ("O", 1),
)
"""How many digits each kind of cell has, in the order of base 62."""

_PRESET_SIZES = {"1": (9, 9), "2": (16, 16), "3": (16, 30)}


class _Digit(NamedTuple):
    kind: str
    value: int
    base: int


def _digits() -> Iterator[tuple[str, _Digit]]:
    left = iter(_BASE62)
    for kind, count in _COUNTS:
        for value in range(count):
            yield next(left), _Digit(kind, value, count)


_DIGITS = dict(_digits())
_OF_KIND = {kind: [char for char, digit in _DIGITS.items() if digit.kind == kind] for kind, _ in _COUNTS}


def _queries(source: Source) -> dict[str, str]:
    """What a link asks for; empty if the text is no link."""
    if len(source.lines) != 1:
        return {}
    text = source.lines[0].text.strip()
    if not text.isascii() or any(map(str.isspace, text)):
        return {}
    return dict(re.findall(r"(?:^|[?&])(analysis|b|m)=([^&#]*)", text))


def _looks_like(source: Source) -> bool:
    found = _queries(source)
    return "analysis" in found or {"b", "m"} <= found.keys()


def _wanted(source: Source, keys: tuple[str, ...], other: str, error: type[MsatError]) -> list[str]:
    found = _queries(source)
    missing = [key for key in keys if not found.get(key)]
    if missing:
        raise error(f"this link has no {missing[0]}=, which {other}: {quote(source.lines[0].text.strip())}")
    return [found[key] for key in keys]


def _number62(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number * 62 + _BASE62.index(digit)
    return number


def _cells_of(data: str, count: int) -> str:
    """The kinds of all cells; runs that are too long are refused before they are written out."""
    kinds: list[str] = []
    left = count
    for kind, group in groupby((_DIGITS[char] for char in data), key=lambda digit: digit.kind):
        digits = list(group)
        length = len(digits) if digits[0].base == 1 else 0
        if not length:
            for digit in digits:
                length = length * digit.base + digit.value
                if length > left:
                    break
        left -= length
        if left < 0:
            break
        kinds.append(kind * length)
    if left:
        many = "more" if left < 0 else f"{left} fewer"
        raise BoardError(f"the link's analysis= holds {many} cells than the {count} of its size")
    return "".join(kinds)


def _parse_board(source: Source) -> ParsedBoard:
    """The position of an `analysis=` link."""
    (text,) = _wanted(
        source, ("analysis",), "has the position; a link with b= and m= is a layout", BoardError
    )
    bad = next((char for char in text if char not in _DIGITS), None)
    if bad is not None:
        raise BoardError(f"the link's analysis= has {bad!r}, which is neither a letter nor a digit")
    if len(text) <= _HEADER:
        raise BoardError(
            f"the link's analysis={text} is cut off: size and mines alone take {_HEADER} characters"
        )
    sizes, at = [], 0
    for length, _ in _SIZES:
        sizes.append(_number62(text[at : at + length]))
        at += length
    width, height, mines = sizes
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise BoardError(f"the link is of a {height}×{width} board: sides are 1 to {MAX_SIDE}")
    kinds = _cells_of(text[_HEADER:], height * width)
    codes = {"H": HIDDEN_BYTE, "I": HIDDEN_BYTE, "F": MINE_BYTE, "O": MINE_BYTE}
    values = bytearray(codes[kind] if kind in codes else int(kind) for kind in kinds)
    for position, kind in enumerate(kinds):
        if kind in "FI":
            for around in neighbours(height, width, position):
                if values[around] <= 8:
                    values[around] += 1
                    if values[around] > 8:
                        cell = divmod(around, width)
                        raise BoardError(
                            f"the link shows a number above 8 at {cell}, counting the mines around"
                        )
    return ParsedBoard(height, width, bytes(values), mines)


def _print_board(board: ParsedBoard) -> str:
    """The link to a position."""
    height, width, values, mines = board
    lowered = bytearray(values)
    kinds: dict[int, str] = {}
    for position, value in enumerate(values):
        if value == MINE_BYTE:
            numbers = [around for around in neighbours(height, width, position) if values[around] <= 8]
            if all(lowered[around] for around in numbers):
                kinds[position] = "F"
                for around in numbers:
                    lowered[around] -= 1
            else:
                kinds[position] = "O"
    cells = (kinds.get(i) or ("H" if value == HIDDEN_BYTE else str(value)) for i, value in enumerate(lowered))
    head = ""
    for (length, _), number in zip(_SIZES, (width, height, mines or 0), strict=True):
        head += "".join(_BASE62[number // 62**place % 62] for place in reversed(range(length)))
    return f"{ANALYSER}?analysis={head}" + "".join(_run(kind, len(list(run))) for kind, run in groupby(cells))


def _run(kind: str, length: int) -> str:
    digits = _OF_KIND[kind]
    if len(digits) == 1:
        return digits[0] * length
    text = ""
    while length:
        length, digit = divmod(length, len(digits))
        text = digits[digit] + text
    return text


def _parse_layout(source: Source) -> ParsedLayout:
    """The layout of a link with `b=` and `m=`."""
    told = "a layout needs beside the other; a link with analysis= is a position"
    size, mines = _wanted(source, ("b", "m"), told, LayoutError)
    if not re.fullmatch("[0-9]{1,8}", size) or (len(size) % 2 and size not in _PRESET_SIZES):
        raise LayoutError(
            f"the link's b={size} is no size: use 1, 2, 3 or WIDTHHEIGHT, such as 0810 for 8 by 10"
        )
    half = len(size) // 2
    height, width = _PRESET_SIZES.get(size) or (int(size[half:]), int(size[:half]))
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise LayoutError(f"the link's b={size} is a {height}×{width} board: sides are 1 to {MAX_SIDE}")
    cells, places = height * width, -(-height * width // 5)
    if len(mines) != places:
        raise LayoutError(f"the link's m= has {len(mines)} digits: a {height}×{width} board takes {places}")
    mask = bytearray()
    for digit in mines.lower():
        if digit not in _BASE32:
            raise LayoutError(f"the link's m= has {digit!r}, which is no digit: use 0 to 9 and a to v")
        value = _BASE32.index(digit)
        mask += bytes(value >> place & 1 for place in (4, 3, 2, 1, 0))
    if any(mask[cells:]):
        raise LayoutError(f"the link's m= has a mine beyond the last cell of its {height}×{width} board")
    return ParsedLayout(height, width, bytes(mask[:cells]), None)


def _print_layout(layout: ParsedLayout) -> str:
    """The link to a layout, which has no place for the start."""
    height, width, mask, _ = layout
    preset = next((name for name, shape in _PRESET_SIZES.items() if shape == (height, width)), None)
    digits = max(len(str(width)), len(str(height)))
    size = preset or f"{width:0{digits}}{height:0{digits}}"
    padded = mask + bytes(-len(mask) % 5)
    mines = "".join(
        _BASE32[sum(padded[i + place] << 4 - place for place in range(5))] for i in range(0, len(padded), 5)
    )
    return f"{ANALYSER}?b={size}&m={mines}"


FORM = Form(
    "link",
    "a link of the web analyser",
    looks_like=_looks_like,
    parse_board=_parse_board,
    print_board=_print_board,
    parse_layout=_parse_layout,
    print_layout=_print_layout,
    keeps_start=False,
)
