"""Whether the terminal is light or dark: by what its environment says, or by asking it.

`COLORFGBG` is set by some terminals. Most answer OSC 11 with their background. Not all do: so a second
question that every terminal answers, what kind it is, is asked behind it; what has not come by then is not
waited for.
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Mapping

try:
    import termios
    import tty
except ImportError:  # not on this system
    termios = tty = None  # type: ignore[assignment]

__all__ = ["is_light", "light_by_answer", "light_by_environment"]

PATIENCE = 0.3
"""Seconds to wait for an answer."""

_ASK = b"\x1b]11;?\x1b\\\x1b[c"
_END = re.compile(rb"\x1b\[\?[0-9;]*c")
_COLOUR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")


def is_light() -> bool:
    """Whether the terminal of this process has a light background; no, where nobody knows."""
    found = light_by_environment(os.environ)
    if found is None and sys.stdin.isatty() and sys.stdout.isatty():
        found = light_by_answer(_answer())
    return bool(found)


def light_by_environment(environment: Mapping[str, str]) -> bool | None:
    """What `COLORFGBG` tells: foreground and background, as numbers of the 16 colours.

    >>> light_by_environment({"COLORFGBG": "0;15"}), light_by_environment({"COLORFGBG": "15;default;0"})
    (True, False)
    >>> light_by_environment({})
    """
    last = environment.get("COLORFGBG", "").rpartition(";")[2]
    return int(last) in (7, *range(9, 16)) if re.fullmatch("[0-9]{1,2}", last) else None


def light_by_answer(answer: bytes) -> bool | None:
    """What an answer to OSC 11 tells.

    >>> light_by_answer(b"\\x1b]11;rgb:ffff/ffff/ffff\\x07"), light_by_answer(b"\\x1b]11;rgb:10/10/10\\x07")
    (True, False)
    """
    found = _COLOUR.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    brightness: float = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return brightness > 0.5


def _answer() -> bytes:
    """What the terminal answers; keys are not echoed meanwhile, and everything is as before afterwards."""
    if termios is None:
        return b""
    file = sys.stdin.fileno()
    answer = b""
    try:
        before = termios.tcgetattr(file)
        tty.setcbreak(file, termios.TCSANOW)
    except termios.error:
        return b""
    try:
        os.write(sys.stdout.fileno(), _ASK)
        end = time.monotonic() + PATIENCE
        while not _END.search(answer) and len(answer) < 1000:
            ready, _, _ = select.select([file], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                break
            answer += os.read(file, 100)
    except OSError:
        pass
    finally:
        termios.tcsetattr(file, termios.TCSANOW, before)
    return answer
