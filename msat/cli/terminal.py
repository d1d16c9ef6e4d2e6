"""The terminal: what it can show, and a rich console that keeps to it.

Colour follows rich's rules (none when piped), except that `NO_COLOR` turns off bold and dim as well: what is
printed then holds no escape codes at all. Where the encoding lacks a typographic sign, ASCII stands in.
"""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.text import Text

__all__ = ["Terminal"]

_ASCII = str.maketrans("×≈·–", "x~.-")  # one for one: the styled stretches of a line keep their places


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let the caller decide; rich would end the process with status 1."""
        raise BrokenPipeError


class Terminal:
    """Standard output as a reader sees it: its width, its signs, its colours."""

    def __init__(self) -> None:
        self._console = _Console(
            file=sys.stdout,
            color_system=None if os.environ.get("NO_COLOR") else "auto",
            highlight=False,
            emoji=False,
            markup=False,
        )
        try:
            "".join(map(chr, _ASCII)).encode(self._console.encoding)
            self._signs: dict[int, int] = {}
        except UnicodeEncodeError:
            self._signs = _ASCII

    @property
    def width(self) -> int | None:
        """Columns that a line may take; None where nothing limits it, as in a file."""
        limited = self._console.is_terminal or os.environ.get("COLUMNS")
        return self._console.width if limited else None

    @property
    def styled(self) -> bool:
        """Whether styles show: not in a file, and not with `NO_COLOR`."""
        return self._console.color_system is not None

    def line(self, text: str | Text = "") -> None:
        """Print one line as it is: the terminal may wrap it, msat does not."""
        if not self.styled:
            # Past rich, which takes a second for every hundred thousand cells even where nothing is styled.
            print(str(text).translate(self._signs), file=self._console.file)
            return
        if isinstance(text, str):
            text = Text(text)
        if self._signs:
            text.plain = text.plain.translate(self._signs)
        self._console.print(text, soft_wrap=True)
