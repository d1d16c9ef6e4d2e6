"""The one theme: every style and every sign of the viewer, by name.

Colours are chosen to be read on dark and on light terminals alike: text colours have a contrast of at least
3 : 1 to black and to white (a test computes it), and whatever has a background brings its own foreground. No
meaning rests on colour alone: every state has a sign of its own, and highlights are brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.style import Style

__all__ = ["ASCII", "CLUES", "HEAT", "HEAT_BETWEEN", "PLAIN", "STYLES", "UNICODE", "Signs", "heat_index"]

CLUES = (
    Style(dim=True),
    Style(color="#3b7ddd"),
    Style(color="#2e8b57"),
    Style(color="#e0403a"),
    Style(color="#7a5ce0", bold=True),
    Style(color="#b5622a"),
    Style(color="#1f8fa3"),
    Style(bold=True),
    Style(color="#808080", bold=True),
)
"""The numbers 0 to 8, near their classic colours; 7, classically black, takes the terminal's own."""

_HEAT_COLOURS = (
    "#5fd787",
    "#87d787",
    "#afd787",
    "#d7d787",
    "#ffd787",
    "#ffd75f",
    "#ffaf5f",
    "#ff8f6f",
    "#ff7f7f",
    "#ff6f8f",
)


def _darker(colour: str) -> str:
    return "#" + "".join(f"{int(colour[i : i + 2], 16) * 17 // 20:02x}" for i in (1, 3, 5))


HEAT = tuple(Style(color="#000000", bgcolor=colour) for colour in _HEAT_COLOURS)
"""The background of a mine probability, by tens of percent: from pale green over yellow to red."""

HEAT_BETWEEN = tuple(Style(color="#000000", bgcolor=_darker(colour)) for colour in _HEAT_COLOURS)
"""The same for every other column, where percents stand side by side."""

STYLES = {
    "label": Style(dim=True),
    "hidden": Style(color="#808080"),
    "mark": Style(color="#b86a64"),
    "doubtful": Style(color="#b5622a", bold=True),
    "mine": Style(color="#e0403a"),
    "wrong": Style(color="#ffffff", bgcolor="#8700af", bold=True),
    "exploded": Style(color="#ffffff", bgcolor="#c02020", bold=True),
    "safe": Style(color="#ffffff", bgcolor="#00692f", bold=True),
    "proven mine": Style(color="#ffffff", bgcolor="#c02020"),
    "move": Style(color="#000000", bgcolor="#00d7ff", bold=True),
    "answer": Style(bold=True),
    "last": Style(reverse=True, bold=True),
    "ring": Style(color="#b5622a", bold=True),
    "clue": Style(color="#000000", bgcolor="#ffd75f", bold=True),
    "cursor": Style(color="#000000", bgcolor="#87afff", bold=True),
    "key": Style(bold=True),
    "guess": Style(color="#b5622a", bold=True),
    "won": Style(color="#2e8b57", bold=True),
    "lost": Style(color="#e0403a", bold=True),
    "past": Style(color="#3b7ddd"),
    "future": Style(dim=True),
}
"""Every other style."""


def heat_index(risk: float) -> int:
    """Which of the ten steps of heat a mine probability has.

    >>> heat_index(0.0), heat_index(0.19), heat_index(1.0)
    (0, 1, 9)
    """
    return min(int(risk * 10), 9)


_TO_ASCII = str.maketrans("×–…≈·", "x-~~0")


@dataclass(frozen=True)
class Signs:
    """The characters that a frame is made of, each one column wide."""

    zero: str
    hidden: str
    mark: str
    doubtful: str
    """A mark that may be wrong …"""
    wrong: str
    """… and one that is."""
    mine: str
    exploded: str
    safe: str
    move: str
    """The move that is advised, where there is no room for brackets."""
    past: str
    future: str
    guess: str
    won: str
    lost: str
    separator: str
    more: str
    last: str = "()"
    clue: str = "[]"
    cursor: str = "><"

    def number(self, value: int) -> str:
        """The sign of a revealed cell."""
        return str(value) if value else self.zero

    def text(self, text: str) -> str:
        """A text, in signs of the same kind.

        >>> ASCII.text("16×30, 40–60 % …")
        '16x30, 40-60 % ~'
        """
        if not self.more.isascii():
            return text
        return text.translate(_TO_ASCII).encode("ascii", "replace").decode()


UNICODE = Signs(
    zero="·",
    hidden="■",
    mark="⚑",
    doubtful="⚐",
    wrong="✗",
    mine="✱",
    exploded="✹",
    safe="+",
    move="@",
    past="━",
    future="─",
    guess="◆",
    won="✔",
    lost="✘",
    separator="·",
    more="…",
)
"""For terminals."""

PLAIN = replace(UNICODE, hidden="?", mark="F", doubtful="F", wrong="w", mine="*", exploded="X")
"""For pipes and files: the signs that people type as well."""

ASCII = replace(PLAIN, zero="0", past="=", future="-", guess="o", won="!", lost="x", separator="|", more="~")
"""For terminals that know nothing else; a dot would mean hidden to some, and 0 to others."""
