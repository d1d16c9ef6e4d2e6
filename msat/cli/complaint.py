"""How a command says what is wrong: one line on standard error, below what was printed before."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

from msat.wording import visible

__all__ = ["complain"]

NAME = "msat:"

_LONGEST = 900
"""Characters of a complaint: what it repeats of its input may be endless."""


def complain(message: object) -> None:
    """Print a message as one line, whatever is in it."""
    sys.stdout.flush()
    line = visible(" ".join(str(message).split("\n")))
    shown = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    print(_for_people(shown) if sys.stderr.isatty() else f"{NAME} {shown}", file=sys.stderr)


def _for_people(text: str) -> str:
    """A complaint for a terminal: broken between words, and in red who speaks, so that it is no answer."""
    lines = textwrap.fill(f"{NAME} {text}", shutil.get_terminal_size().columns, break_on_hyphens=False)
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return lines if plain else f"\x1b[1;31m{NAME}\x1b[0m{lines.removeprefix(NAME)}"
