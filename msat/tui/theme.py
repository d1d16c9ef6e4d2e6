"""The one theme: every style and every sign of the viewer, by name.

Colours are chosen to be read on dark and on light terminals alike: text colours have a contrast of at least
4.5 : 1 to black and to white, what WCAG calls AA (a test computes it), and whatever has a background brings
its own foreground. Both at once is possible in a narrow band of lightness only: the colours differ in hue. No
meaning rests on colour alone: every state has a sign of its own, and highlights are brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.style import Style

__all__ = ["ASCII", "CLUES", "HEAT", "HEAT_BETWEEN", "PLAIN", "STYLES", "UNICODE", "Signs", "heat_index"]

_BLUE, _GREEN, _RED, _ORANGE, _GREY = "#2d73db", "#2c8553", "#de312b", "#b16029", "#767676"

CLUES = (
    Style(color=_GREY),
    Style(color=_BLUE),
    Style(color=_GREEN),
    Style(color=_RED),
    Style(color="#7c5fe1", bold=True),
    Style(color=_ORANGE),
    Style(color="#1c8193"),
    Style(bold=True),
    Style(color=_GREY, bold=True),
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
    "label": Style(color=_GREY),
    "hidden": Style(color=_GREY),
    "mark": Style(color="#b25d56"),
    "doubtful": Style(color=_ORANGE, bold=True),
    "mine": Style(color=_RED),
    "wrong": Style(color="#ffffff", bgcolor="#8700af", bold=True),
    "exploded": Style(color="#ffffff", bgcolor="#c02020", bold=True),
    "safe": Style(color="#ffffff", bgcolor="#00692f", bold=True),
    "proven mine": Style(color="#ffffff", bgcolor="#c02020"),
    "move": Style(color="#000000", bgcolor="#00d7ff", bold=True),
    "answer": Style(bold=True),
    "last": Style(reverse=True, bold=True),
    "ring": Style(color=_ORANGE, bold=True),
    "clue": Style(color="#000000", bgcolor="#ffd75f", bold=True),
    "cursor": Style(color="#000000", bgcolor="#87afff", bold=True),
    "key": Style(bold=True),
    "guess": Style(color=_ORANGE, bold=True),
    "won": Style(color=_GREEN, bold=True),
    "lost": Style(color=_RED, bold=True),
    "past": Style(color=_BLUE),
    "future": Style(color=_GREY),
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
    """The move that is advised, where there is no room for brackets …"""
    undecided: str
    """… and where there is: a cell that may have a mine or not."""
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
    undecided="?",
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
