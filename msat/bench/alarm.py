"""A time limit that also stops code which does not look at its budget.

Engines keep budgets while a solver runs, but not in every step around it (on a 200×200 board, the products
of polynomials after counting by SAT take a minute). A benchmark has to end all the same.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from msat.errors import BudgetExceeded

__all__ = ["alarm"]


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `BudgetExceeded` in the block after so many seconds.

    Only the main thread can be stopped so, and only where the system has such alarms; elsewhere the block
    just runs.

    >>> import time
    >>> with alarm(0.01):
    ...     time.sleep(60)
    Traceback (most recent call last):
    msat.errors.BudgetExceeded: not finished within 0.01 seconds
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_: int, __: FrameType | None) -> None:
        raise BudgetExceeded(f"not finished within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
