"""The one theme: every style and every sign of the viewer, by name.

Colours are chosen to be read on dark and on light terminals alike: text colours have a contrast of at least
3 : 1 to black and to white (a test computes it), and whatever has a background brings its own foreground. No
meaning rests on colour alone: every state has a sign of its own, and highlights are brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.style import Style

__all__ = ["ASCII", "CLUES", "HEAT", "PLAIN", "STYLES", "UNICODE", "Signs", "heat_index"]

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

HEAT = tuple(
    Style(color="#000000", bgcolor=colour)
    for colour in (
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
)
"""The background of a mine probability, by tens of percent: from green over yellow to red."""

STYLES = {
    "label": Style(dim=True),
    "hidden": Style(color="#808080"),
    "mark": Style(color="#e0403a", bold=True),
    "mine": Style(color="#e0403a"),
    "wrong": Style(color="#000000", bgcolor="#ffaf5f", bold=True),
    "exploded": Style(color="#ffffff", bgcolor="#c02020", bold=True),
    "safe": Style(color="#000000", bgcolor="#5fd787", bold=True),
    "proven mine": Style(color="#ffffff", bgcolor="#c02020", bold=True),
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


_TO_ASCII = str.maketrans("×–…≈·", "x-~~.")


@dataclass(frozen=True)
class Signs:
    """The characters that a frame is made of, each one column wide."""

    zero: str
    hidden: str
    mark: str
    mine: str
    wrong: str
    exploded: str
    safe: str
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


UNICODE = Signs("·", "■", "⚑", "✱", "✗", "✹", "+", "━", "─", "◆", "✔", "✘", "·", "…")
"""For terminals."""

PLAIN = replace(UNICODE, hidden="?", mark="*", mine="*", wrong="w", exploded="X")
"""For pipes and files: the signs that the other commands print as well."""

ASCII = Signs(".", "?", "*", "*", "w", "X", "+", "=", "-", "o", "!", "x", "|", "~")
"""For terminals that know nothing else."""
