"""The limits of a question: time, memory, and Ctrl-C.

Whoever asks gives a *budget*: seconds, or None for no limit. Inside, that becomes a `Deadline`, which begins
when the question does and is handed on to whatever works on it; a step of the work that may take long asks it
whether to go on. What is not finished in time is a `BudgetExceeded` whose message quotes the budget that was
given, also where a step had only a share of it. Functions that take a budget take a running deadline as well.
"""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from numbers import Real
from time import monotonic as now
from time import process_time
from types import FrameType
from typing import Any, TypeAlias, TypeVar

from msat.constants import DAY
from msat.errors import BudgetExceeded, ParameterError
from msat.wording import argument, quoted

__all__ = [
    "MEMORY_LIMIT",
    "MORE_MEMORY",
    "NO_MEMORY",
    "Budget",
    "Deadline",
    "Interrupts",
    "ProcessorDeadline",
    "checked_seconds",
    "memory_limit",
]

Item = TypeVar("Item")

MEMORY_LIMIT = 2 << 30
"""Bytes that the work on one question may take, if the variable MSAT_MEMORY does not say otherwise."""

MORE_MEMORY = " (MSAT_MEMORY allows more)"
"""What to do about too little of it, for who can."""

NO_MEMORY = "the board needs more memory than there is"
"""What is told where the system gives none, whatever may be taken."""

FOR_EVER = 1e9
"""Seconds that nobody waits for: a larger budget is taken for this one, since no clock waits for longer."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def memory_limit() -> int:
    """The bytes that the work on one question may take: those of MSAT_MEMORY, such as 512M or 8G, or 2 GiB.

    >>> os.environ["MSAT_MEMORY"] = "1.5G"
    >>> memory_limit() >> 20
    1536
    >>> del os.environ["MSAT_MEMORY"]
    """
    given = os.environ.get("MSAT_MEMORY")
    if not given:
        return MEMORY_LIMIT
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)\s*([KMGT]?)(?:i?B)?", given.strip(), re.IGNORECASE)
    if found is None:
        raise ParameterError(
            f"the variable MSAT_MEMORY is {quoted(given)}: expected a size such as 512M or 8G"
        )
    return int(float(found[1]) * _UNITS[found[2].upper()])


class Interrupts:
    """Holds Ctrl-C back in a `with` block, and lets it through where that is safe.

    Python may raise KeyboardInterrupt whenever it runs Python code, also while numba makes Python objects of
    a kernel's results: there the exception is lost, or the process crashes. So calls of kernels in a row are
    made inside such a block, with `release()` between them. Only the main thread ever gets an interrupt.
    """

    def __init__(self) -> None:
        self._usual: Any = None
        self._waiting: list[FrameType | None] = []

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            usual = signal.getsignal(signal.SIGINT)
            if callable(usual):  # otherwise it is ignored, or not handled by Python
                self._usual = usual
                signal.signal(signal.SIGINT, lambda _, frame: self._waiting.append(frame))
        return self

    def __exit__(self, *_: object) -> None:
        if self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
            self.release()

    def release(self) -> None:
        """Let an interrupt through that has come since."""
        if self._waiting:
            self._usual(signal.SIGINT, self._waiting.pop())


def checked_seconds(seconds: object) -> float:
    """Seconds to think in, wherever they are asked for.

    >>> checked_seconds(2)
    2.0
    >>> checked_seconds(-1)
    Traceback (most recent call last):
    msat.errors.ParameterError: seconds=-1 is not accepted: give a number of seconds from 0 to 86,400
    """
    number = seconds if isinstance(seconds, (float, int, Real)) and not isinstance(seconds, bool) else -1
    if 0 <= number <= DAY:  # type: ignore[operator]  # numpy's numbers are real ones, too
        return float(number)
    expected = f"a number of seconds from 0 to {DAY:,}"
    raise ParameterError(f"{argument('seconds', seconds)} is not accepted: give {expected}")


class Deadline:
    """A number of seconds, or no limit, that begins now; also the memory of the question that it is for.

    In a `with` block it holds Ctrl-C back, which `check` lets through.

    >>> Deadline(None).over(), Deadline(0).over(), Deadline(0).within()
    (False, True, 'within 0 seconds')
    """

    # One is made for every question with a budget, some of which take microseconds: what is seldom needed is
    # not set until then.
    held: int = 0
    """Bytes of results that are finished and kept."""
    width: int = 0
    """The most clues open at once on a frontier that was begun."""
    _whole: Deadline | None = None
    _end: float | None = None
    _stopped: float | None = None
    _cut_short: bool = False
    _stop: Callable[[], None] | None = None
    _interrupts: Interrupts | None = None
    _entered: int = 0

    def __init__(self, seconds: float | None, part: float = 1) -> None:
        self.seconds = seconds
        """The budget that was given, which messages quote, also if only a part of it is meant."""
        if seconds is not None:
            if not isinstance(seconds, (float, int, Real)) or not seconds >= 0:
                raise ParameterError(f"{argument('budget', seconds)}: expected seconds, at least 0, or None")
            if seconds > FOR_EVER:
                self.seconds = seconds = FOR_EVER
            self._end = self._now() + part * seconds

    @classmethod
    def of(cls, budget: Budget) -> Deadline:
        """The deadline of a question that is asked now with this budget, or the running one that is given."""
        return budget if isinstance(budget, Deadline) else cls(budget)

    def share(self, part: float) -> Deadline:
        """A deadline for a step: it begins now and has a part of what is left, but quotes the whole budget.

        Cutting the whole short cuts the share short.

        >>> share = Deadline(3600).share(0.5)
        >>> share.allows(1700), share.allows(1900), share.within()
        (True, False, 'within 3600 seconds')
        """
        step = type(self)(None)
        step.seconds = self.seconds
        step._whole = self._whole or self
        left = self.left()
        if left is not None:
            step._end = self._now() + part * left
        return step

    def ending(self, earlier: float) -> Deadline:
        """A share that ends so many seconds earlier: for work whose result takes so long to be put together.

        >>> Deadline(10).ending(11).over()
        True
        """
        step = self.share(1)
        if step._end is not None:
            step._end -= earlier
        return step

    def over(self) -> bool:
        """Whether to stop."""
        whole = self._whole
        cut_short = self._cut_short or (whole is not None and whole._cut_short)
        return cut_short or (self._end is not None and self._time() >= self._end)

    def left(self) -> float | None:
        """The seconds that are left, or None if there is no limit."""
        return None if self._end is None else max(0.0, self._end - self._time())

    def grace(self, moment: float) -> float:
        """The seconds in which work that was cut short is waited for: one moment for the whole question.

        >>> Deadline(None).grace(0.05), Deadline(0).grace(5) > 4, Deadline(0).share(0.5).grace(0)
        (0.05, True, 0.0)
        """
        whole = self._whole or self
        if whole._end is None:
            return moment
        return max(0.0, min(moment, whole._end + moment - whole._time()))

    def allows(self, seconds: float) -> bool:
        """Whether so many seconds are left."""
        return self._end is None or self._time() + seconds <= self._end

    def within(self) -> str:
        """The limit in words, for the message that it was not kept."""
        return "before it was interrupted" if self.seconds is None else f"within {self.seconds:g} seconds"

    def check(self, undone: str, advice: str = "", width: int = 0) -> None:
        """Let an interrupt through, and raise BudgetExceeded if the time is over.

        The message tells what is undone, the limit, and advice, if there is any; `width` is the error's.

        >>> Deadline(0).check("not counted", ": allow more")
        Traceback (most recent call last):
        msat.errors.BudgetExceeded: not counted within 0 seconds: allow more
        """
        if self._interrupts is not None:
            self._interrupts.release()
        if self.over():
            raise BudgetExceeded(f"{undone} {self.within()}{advice}", width)

    def require(self, seconds: float, undone: str, advice: str = "", width: int = 0) -> None:
        """Raise BudgetExceeded unless so many seconds are left: before a step that cannot be stopped.

        >>> Deadline(1).require(2, "not counted")
        Traceback (most recent call last):
        msat.errors.BudgetExceeded: not counted within 1 seconds
        """
        self.check(undone, advice, width)
        if not self.allows(seconds):
            raise BudgetExceeded(f"{undone} {self.within()}{advice}", width)

    def watch(self, items: Iterable[Item], undone: str) -> Iterator[Item]:
        """The items, with a look at the clock every thousand of them.

        >>> list(Deadline(0).watch([1, 2], "not done"))
        Traceback (most recent call last):
        msat.errors.BudgetExceeded: not done within 0 seconds
        """
        for number, item in enumerate(items):
            if number % 1024 == 0:
                self.check(undone)
            yield item

    def check_memory(self, needed: int, width: int | str) -> None:
        """Raise BudgetExceeded if `needed` bytes more than are held would pass the limit.

        They are for a frontier with so many clues open at once, or for what is told.
        """
        limit = memory_limit()
        if self.held + needed > limit:
            told = width if isinstance(width, str) else f"a frontier with {width} clues open at once"
            raise BudgetExceeded(
                f"{told} needs more than {limit >> 20} MiB of memory{MORE_MEMORY}",
                0 if isinstance(width, str) else width,
            )

    def __enter__(self) -> Deadline:
        if not self._entered:
            self._interrupts = Interrupts().__enter__()
        self._entered += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._entered -= 1
        if not self._entered and self._interrupts is not None:
            self._interrupts.__exit__()

    def stop(self) -> None:
        """Stop the clock: the time until `running` does not count."""
        self._stopped = self._now()

    @contextmanager
    def running(self) -> Iterator[None]:
        """While this lasts, a clock that was stopped goes on; afterwards it is stopped again.

        >>> deadline = Deadline(3600)
        >>> deadline.stop()
        >>> with deadline.running():
        ...     deadline.over()
        False
        """
        if self._stopped is not None:
            if self._end is not None:
                self._end += self._now() - self._stopped
            self._stopped = None
        try:
            yield
        finally:
            self.stop()

    def cut_short(self) -> None:
        """End it now, from another thread than the one that works."""
        self._cut_short = True
        stop = self._stop
        if stop is not None:
            stop()

    @property
    def in_solver(self) -> bool:
        """Whether a solver is at work that can be told to stop."""
        return (self._whole or self)._stop is not None

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """While this lasts, cutting the deadline short also calls `stop`: for solvers that can be told to."""
        whole = self._whole or self
        whole._stop = stop
        try:
            yield
        finally:
            whole._stop = None

    def _time(self) -> float:
        return self._now() if self._stopped is None else self._stopped

    def _now(self) -> float:
        return now()


class ProcessorDeadline(Deadline):
    """Seconds of this process's work, not of the clock: while others have the processor, it stands still.

    For who asks how much work something is, not when it will be there.

    >>> ProcessorDeadline(0).over(), ProcessorDeadline(3600).share(0.5).allows(1700)
    (True, True)
    """

    def _now(self) -> float:
        return process_time()


Budget: TypeAlias = float | Deadline | None
"""Seconds, None for no limit, or a deadline that is running."""
