"""Keys while something is shown: read one by one, without being echoed, and given back to nobody.

A terminal collects a line and shows what is typed. While frames replace each other, that would land in the
frame, and at the end in the shell. `Keys` turns both off, and turns them on again on every way out: at the
end, by an exception, by Ctrl-C, by a signal that ends or stops the process. Where there is no terminal to
read from, there are no keys, and waiting is just waiting.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

try:
    import termios
    import tty
except ImportError:  # not on this system
    termios = tty = None  # type: ignore[assignment]

__all__ = ["Keys"]

_NAMES = {
    " ": "pause",
    "p": "pause",
    "\x1b[C": "on",
    "\x1bOC": "on",
    "l": "on",
    "n": "on",
    "\x1b[D": "back",
    "\x1bOD": "back",
    "h": "back",
    "b": "back",
    "\x1b[H": "first",
    "\x1bOH": "first",
    "\x1b[1~": "first",
    "\x1b[F": "last",
    "\x1bOF": "last",
    "\x1b[4~": "last",
    "+": "faster",
    "=": "faster",
    "\x1b[A": "faster",
    "\x1bOA": "faster",
    "-": "slower",
    "\x1b[B": "slower",
    "\x1bOB": "slower",
    "q": "quit",
    "\x1b": "quit",
    "\x04": "quit",
}
"""What the keys mean, by what a terminal sends for them."""

_LONGEST = 6
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))


def split(sent: str) -> list[str]:
    """The meanings of the keys in what a terminal sent; those without a meaning are left out.

    >>> split(" \\x1b[Cxq")
    ['pause', 'on', 'quit']
    """
    found = []
    while sent:
        length = next((n for n in range(min(_LONGEST, len(sent)), 0, -1) if sent[:n] in _NAMES), 0)
        if sent[0] == "\x1b" and length == 1 and len(sent) > 1:  # a key that has no meaning here
            length = next(
                (n for n in range(2, len(sent) + 1) if sent[n - 1].isalpha() or sent[n - 1] == "~"), 0
            )
            sent = sent[length or len(sent) :]
            continue
        if length:
            found.append(_NAMES[sent[:length]])
        sent = sent[length or 1 :]
    return found


class Keys:
    """The keys of a terminal; to be used in a `with` statement."""

    def __init__(self, wanted: bool = True) -> None:
        self._wanted = wanted
        self._number = -1  # the file descriptor
        self._usual: Any = None  # the terminal as it was
        self._handlers: dict[int, Any] = {}
        self._waiting: list[str] = []

    @property
    def there(self) -> bool:
        """Whether there are keys."""
        return self._usual is not None

    def __enter__(self) -> Keys:
        if self._wanted and termios is not None and _is_ours(sys.stdin):
            self._number = sys.stdin.fileno()
            with suppress(termios.error):
                self._usual = termios.tcgetattr(self._number)
                self._take()
                self._watch_signals()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        self._usual = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    def _take(self) -> None:
        tty.setcbreak(self._number, termios.TCSANOW)

    def _give_back(self) -> None:
        """Leave the terminal as it was, without keys that nobody read: the shell must not get them."""
        if self._usual is not None:
            with suppress(termios.error):  # the terminal may be gone
                termios.tcflush(self._number, termios.TCIFLUSH)
                termios.tcsetattr(self._number, termios.TCSANOW, self._usual)

    def _watch_signals(self) -> None:
        for number in (*_ENDING, signal.SIGTSTP):
            with suppress(ValueError):  # not in the main thread
                if signal.getsignal(number) == signal.SIG_DFL:  # nobody else sees to it
                    self._handlers[number] = signal.signal(number, self._interrupted)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """Give the terminal back, let the signal do what it does, and go on if that was only a stop."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._interrupted)
        with suppress(termios.error):
            self._take()

    def wait(self, seconds: float | None) -> str | None:
        """The next key, if one comes within some seconds (None: whenever it comes); None if not."""
        if self._usual is None:
            time.sleep(seconds or 0.0)
            return None
        end = None if seconds is None else time.monotonic() + max(seconds, 0.0)
        while not self._waiting:
            left = None if end is None else max(end - time.monotonic(), 0.0)
            if not select.select([self._number], [], [], left)[0]:
                return None
            sent = os.read(self._number, 1024)
            if not sent:  # the terminal was closed
                return "quit"
            self._waiting += split(sent.decode("utf-8", "replace"))
        return self._waiting.pop(0)


def _is_ours(stream: Any) -> bool:
    """Whether keys come from here: a terminal that this process is in front of."""
    try:
        return bool(stream.isatty()) and os.tcgetpgrp(stream.fileno()) == os.getpgrp()
    except (AttributeError, OSError, ValueError):
        return False
