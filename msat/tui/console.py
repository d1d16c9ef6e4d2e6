"""The console: standard output as a reader sees it, its width, its signs, its colours.

Every command prints by it. Colour follows rich's rules (none in a pipe), but `NO_COLOR` turns off bold
and dim as well: what is printed then holds no escape codes at all. Where the encoding lacks a typographic
sign, ASCII stands in.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable

from rich.console import Console
from rich.segment import Segment, Segments
from rich.text import Text

from msat.tui.theme import ASCII, PLAIN, STYLES, UNICODE, Signs

__all__ = ["Terminal", "signs_for"]


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let the caller decide; rich would end the process with status 1."""
        raise BrokenPipeError


def _standard_output() -> Console:
    return _Console(
        file=sys.stdout,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        emoji=False,
        markup=False,
    )


def signs_for(encoding: str, terminal: bool, ascii_only: bool = False) -> Signs:
    """The signs for a terminal or a pipe of this encoding.

    >>> signs_for("utf-8", terminal=True).hidden, signs_for("ascii", terminal=True).hidden
    ('■', '?')
    """
    try:
        "".join(str(sign) for sign in vars(UNICODE).values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        ascii_only = True
    if ascii_only:
        return ASCII
    return UNICODE if terminal else PLAIN


class Terminal:
    """A console, standard output if no other is given, and what can be shown on it."""

    def __init__(self, ascii_only: bool = False, console: Console | None = None) -> None:
        self.console = console or _standard_output()
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        """Whether what is shown can be replaced."""
        self.signs = signs_for(self.console.encoding, self.live, ascii_only)

    @property
    def width(self) -> int | None:
        """Columns that a line may take; None where nothing limits it, as in a file."""
        limited = self.console.is_terminal or os.environ.get("COLUMNS")
        return self.console.width if limited else None

    @property
    def height(self) -> int | None:
        """Lines that can be seen at once; None where nothing limits them."""
        limited = self.console.is_terminal or os.environ.get("LINES")
        return self.console.height if limited else None

    def rows(self, *texts: str) -> int:
        """Lines that these texts take when they are printed by `wrapped`."""
        return sum(len(self._broken(text)) for text in texts)

    def _broken(self, text: str) -> list[str]:
        if self.width is None:
            return [text]
        indent = " " * (len(text) - len(text.lstrip()))
        return textwrap.wrap(text, self.width, subsequent_indent=indent) or [""]

    @property
    def styled(self) -> bool:
        """Whether styles show: not in a file, and not with `NO_COLOR`."""
        return self.console.color_system is not None

    def wrapped(self, text: str, style: str = "") -> None:
        """Print a text, broken between words where it is longer than a line."""
        for line in self._broken(text):
            self.line(line, style)

    def answer(self, text: str, part: str = "", style: str = "answer") -> None:
        """Print what was asked for, with the part that the eye is to fall on in a style of the theme.

        It wears the colours that the board shows the cell in: the answer is found before a word is read.
        """
        start = text.find(part) if part else 0
        end, at = start + len(part or text), 0
        for line in self._broken(text):
            at = text.index(line, at)
            styled = Text(line)
            styled.stylize(STYLES[style], max(start - at, 0), max(end - at, 0))
            self.line(styled)

    def line(self, text: str | Text | Iterable[Segment] = "", style: str = "") -> None:
        """Print one line as it is, in a style of the theme: the terminal may wrap it, msat does not."""
        if not isinstance(text, str | Text):
            segments = list(text)
            if self.styled:
                # Segments, unlike texts, do not end their line by themselves.
                self.console.print(Segments([*segments, Segment.line()]), soft_wrap=True, end="")
                return
            text = "".join(segment.text for segment in segments)
        if not self.styled:
            # Past rich, which takes a second for every hundred thousand cells even where nothing is styled.
            print(self.signs.text(str(text)), file=self.console.file)
            return
        styled = Text(text, STYLES[style] if style else "") if isinstance(text, str) else text
        styled.plain = self.signs.text(styled.plain)
        self.console.print(styled, soft_wrap=True)
