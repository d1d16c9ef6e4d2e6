"""The signs of cells: those whose meaning is sure, and those that mean hidden to some and 0 to others.

People write hidden cells, zeros and mines in many ways. A sign that always means one thing is read as that.
A dot, a blank and an empty square are hidden cells to some programs and zeros to others: a dot is read only
if a form says what it means; the others also where the signs beside them leave one meaning only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE
from msat.wording import argument

__all__ = [
    "BLANK",
    "BOARD_CELLS",
    "BOARD_USAGE",
    "EITHER",
    "HIDDEN_SIGNS",
    "ZERO_SIGNS",
    "Either",
    "meanings",
    "no_cell",
    "plain",
]

HIDDEN_SIGNS = "?#-_H■█▓▒░◼🟦🟩🟪❓❔🔲🔳"
ZERO_SIGNS = "0·"
MINE_SIGNS = "*xXMFf⚑⚐🚩🏴🏁⛳💣💥✱✗"

BOARD_CELLS: Mapping[str, int] = {
    **dict.fromkeys(HIDDEN_SIGNS, HIDDEN_BYTE),
    **{str(number): number for number in range(9)},
    **dict.fromkeys(ZERO_SIGNS, 0),
    **dict.fromkeys(MINE_SIGNS, MINE_BYTE),
}
"""The signs that mean one thing only."""

BOARD_USAGE = "'?', '#' or '-' (hidden), '0' to '8' (revealed), '*', 'x', 'X', 'M' or 'F' (known mine)"

BLANK = " "


class Either(NamedTuple):
    """Signs that are hidden to some, and 0 to others."""

    name: str
    signs: str
    shown: str
    """The sign in words."""


EITHER = (
    Either("dot", ".", "'.'"),
    Either("blank", BLANK, "a blank"),
    Either("white", "⬜□▢◻◽☐", "a white square"),
    Either("black", "⬛◾", "a black square"),
    Either("brown", "🟫", "a brown square"),
)

_WIDTHLESS = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u20e3\u200b\u200c\u200d\u2060\ufeff"))
"""Characters without a width of their own, such as those that make an emoji of a digit."""

_SPACES = dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"), " ")

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(sign): str(number) for number, sign in enumerate("⓪①②③④⑤⑥⑦⑧")
}
"""Signs of ASCII as they are written between Chinese or Japanese ones, and numbers in circles."""


def plain(text: str) -> str:
    """A text in which every character is a sign: '1️⃣', '１' and '①' are '1', and every kind of space one.

    >>> plain("1️⃣⬜️\u00a02")
    '1⬜ 2'
    """
    return text if text.isascii() else text.translate(_WIDTHLESS | _SPACES | _WIDE)


def meanings(present: Collection[str], asked: Mapping[str, int]) -> dict[str, int]:
    """What every sign means on a board that has these, where a form says what some of them mean.

    A sign that could be either is the one that no other sign is: nobody writes zeros, or hidden cells, in two
    ways on one board. Signs whose meaning stays open are not in the result.

    >>> found = meanings("⬛⬜1", {"black": HIDDEN_BYTE})
    >>> found["⬛"] == HIDDEN_BYTE, found["⬜"], "⬜" in meanings("⬛⬜1", {})
    (True, 0, False)
    """
    found = dict(BOARD_CELLS)
    hidden = any(sign in HIDDEN_SIGNS for sign in present)
    zero = any(sign in ZERO_SIGNS for sign in present)
    left = []
    for either in EITHER:
        if either.name in asked:
            value = asked[either.name]
            found |= dict.fromkeys(either.signs, value)
            hidden, zero = hidden or value == HIDDEN_BYTE, zero or value == 0
        elif any(sign in either.signs for sign in present):
            left.append(either)
    squares = [either for either in left if either.name in ("white", "black", "brown")]
    for either in (*squares, *(each for each in left if each.name == "blank")):
        # One kind of square alone is hidden: else nothing would be. A blank is what is left over.
        if hidden == zero and (hidden or either.name == "blank" or squares[1:]):
            continue
        value = 0 if hidden else HIDDEN_BYTE
        found |= dict.fromkeys(either.signs, value)
        hidden, zero = True, zero or value == 0
    return found


def no_cell(bad: str, usage: str = BOARD_USAGE) -> str:
    """Why a sign is not read as a cell; what the signs are is told by `usage`."""
    either = next((each for each in EITHER if bad in each.signs), None)
    if either is not None and usage is BOARD_USAGE:  # in .mine text and in layouts a dot is not in doubt
        ways = [argument("form", f"{either.name}-{meaning}") for meaning in ("hidden", "zero")]
        return (
            f"{either.shown} means hidden to some programs and 0 to others: "
            f"say which by {ways[0]} or {ways[1]}, or use '?' or '0'"
        )
    if bad == "9":
        return "'9' is not a cell: a cell has 8 neighbours, numbers are 0 to 8"
    return f"{bad!r} is not a cell: use {usage}"
