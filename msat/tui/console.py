"""The console that frames are printed on: which colours and which signs it takes.

Colour follows rich's rules (none in a pipe), except that `NO_COLOR` turns off bold and dim as well.
"""

from __future__ import annotations

import os
import sys

from rich.console import Console

from msat.tui.theme import ASCII, PLAIN, UNICODE, Signs

__all__ = ["make_console", "signs_for"]


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let the caller decide; rich would end the process with status 1."""
        raise BrokenPipeError


def make_console() -> Console:
    """Standard output as a console."""
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
