"""One input tried: the rule that every reader keeps, and the smallest input that still breaks it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable

from msat.errors import MsatError
from tests.fuzz.readers import Reader

__all__ = ["LONGEST_MESSAGE", "SLOW", "Escape", "attempt", "shrink"]

LONGEST_MESSAGE = 1500
"""Characters of an error message: one that repeats the input may be as long as that is."""

SLOW = 10.0
"""Seconds of the processor that no small input may take; far above what any takes. By the clock it may be
six times as many: other work of the machine is not the reader's."""


class Escape(Exception):
    """An input that got through: not answered, and not refused by an `MsatError` either."""

    def __init__(self, reader: Reader, data: bytes, what: str, where: str = "") -> None:
        super().__init__(f"{reader.name}: {what} {where}: {data[:200]!r}")
        self.reader = reader
        self.data = data
        self.what = what
        """What came out, by which two escapes are told apart."""


def attempt(reader: Reader, data: bytes) -> bool:
    """Whether the input is answered; False if it is refused as it should be. Otherwise an `Escape`."""
    begin, worked = time.monotonic(), time.process_time()
    try:
        reader.read(data)
        answered = True
    except MsatError as refused:
        answered = False
        message = str(refused)
        if len(message) > LONGEST_MESSAGE:
            raise Escape(reader, data, "a long message", f"({len(message)}) {message[:80]}") from refused
        if not all(char.isprintable() or char == "\n" for char in message):
            raise Escape(reader, data, "a message with control characters", repr(message[:200])) from refused
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as bad:
        frame = traceback.extract_tb(bad.__traceback__)[-1]
        where = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        raise Escape(reader, data, f"{type(bad).__name__} at {where}", str(bad)[:80]) from bad
    clock, worked = time.monotonic() - begin, time.process_time() - worked
    if worked > SLOW or clock > 6 * SLOW:
        raise Escape(reader, data, "slow", f"{worked:.1f} s, {clock:.1f} by the clock")
    return answered


def shrink(found: Escape, tries: int = 2000) -> Escape:
    """The same escape by a smaller input, as far as leaving parts out gets."""

    def breaks(data: bytes) -> Escape | None:
        try:
            attempt(found.reader, data)
        except Escape as again:
            return again if again.what == found.what else None
        return None

    return _smallest(found, breaks, tries)


def _smallest(found: Escape, breaks: Callable[[bytes], Escape | None], tries: int) -> Escape:
    size = max(1, len(found.data) // 2)
    while size:
        place, smaller = 0, False
        while place < len(found.data):
            if tries == 0:
                return found
            tries -= 1
            again = breaks(found.data[:place] + found.data[place + size :])
            if again is None:
                place += size
            else:
                found, smaller = again, True
        size = size if smaller and size == 1 else size // 2
    return found
