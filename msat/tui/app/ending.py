"""The end of the viewer when it is told to end, or its terminal goes away.

The interface ends by itself as long as its terminal takes what is written. It does not where the terminal has
gone, or nobody reads it any more: it waits for ever to write its last words. So a thread beside it waits, and
ends the process if the interface has not done so.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

try:
    import termios
except ImportError:  # not on this system
    termios = None  # type: ignore[assignment]

__all__ = ["Ending", "drop_unwritten"]

_KEYS, _SCREEN = 0, 2  # where Textual reads and writes

GRACE = 1.5
"""Seconds that the interface has to end by itself."""

_LAST_WORDS = (
    b"\x1b[<u\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[?1049l\x1b[?25h"
)
"""No keys, no mouse and no paste are told any more, the screen is as before, and the cursor is seen."""


class Ending:
    """Calls `leave` in the loop of the interface when the process is told to end; then `last`, if need be."""

    def __init__(self, leave: Callable[[], object], last: Callable[[], object]) -> None:
        self._leave = leave
        self._last = last
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begun = threading.Event()
        self._handlers: dict[int, Any] = {}
        self._usual = _terminal()

    def watch(self) -> None:
        """Take the signals of this process, and see whether its terminal is still there."""
        self._loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM"):
            with contextlib.suppress(AttributeError, ValueError):  # not on this system, not in this thread
                number = getattr(signal, name)
                self._handlers[number] = signal.signal(number, self._told)
        if hasattr(select, "poll") and self._usual is not None:
            threading.Thread(target=self._see, name="msat-terminal", daemon=True).start()
        threading.Thread(target=self._insist, name="msat-ending", daemon=True).start()

    def stop(self) -> None:
        """Signals do what they did before: there is nothing left to save."""
        while self._handlers:
            signal.signal(*self._handlers.popitem())

    def _told(self, number: int, frame: FrameType | None) -> None:
        self._begin()

    def _begin(self) -> None:
        """End; not by signals of the loop, which sees none while it waits for the terminal."""
        with contextlib.suppress(RuntimeError):  # it has ended
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._leave)
                self._begun.set()

    def _see(self) -> None:
        """Wait for the end of the terminal, which not every process is told by a signal."""
        watched = select.poll()
        watched.register(_KEYS, 0)
        if any(event & select.POLLHUP for _, event in watched.poll()):
            self._begin()

    def _insist(self) -> None:
        self._begun.wait()
        time.sleep(GRACE)
        self._last()
        self._give_back()
        os._exit(0)

    def _give_back(self) -> None:
        """Leave the terminal as it was, if it is there, and without waiting for it."""
        with contextlib.suppress(OSError, ValueError):
            os.set_blocking(_SCREEN, False)
            try:
                os.write(_SCREEN, _LAST_WORDS)
            finally:
                os.set_blocking(_SCREEN, True)
        if termios is not None and self._usual is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(_KEYS, termios.TCSANOW, self._usual)


def drop_unwritten() -> None:
    """Forget what the terminal does not take any more: Python would try to write it in the end, and fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


def _terminal() -> Any:
    """The settings of the terminal, if there is one."""
    if termios is not None:
        with contextlib.suppress(termios.error):
            return termios.tcgetattr(_KEYS)
    return None
