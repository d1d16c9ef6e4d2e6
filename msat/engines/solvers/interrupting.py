"""Long questions to foreign solvers: a deadline, and Ctrl-C.

Solvers written in C do not look at Python's signals. So they are asked in portions that end after a fraction
of a second, and between two portions comes the question whether to go on (`Deadline.over`), and the chance
for Python to raise KeyboardInterrupt. Two obstacles:

- python-sat answers Ctrl-C by jumping out of the middle of a solver, which breaks the solver and leaves a
  handler behind that crashes at the next Ctrl-C. It does so only in the main thread: `python_sees_ctrl_c`
  lets it believe that this is another one.
- CP-SAT has no portions. It runs in a thread of its own (`interruptible`) and can be told to stop from the
  main thread, which only waits; and that waiting Python can interrupt.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from msat.engines.counting.resumable import Budget

__all__ = ["Allowance", "Deadline", "interruptible", "python_sees_ctrl_c"]

Result = TypeVar("Result")


class Deadline(Budget):
    """A number of seconds, or none, that begins now, and that can be cut short from another thread."""

    def __init__(self, seconds: float | None) -> None:
        super().__init__(seconds)
        self._cut_short = threading.Event()
        self._stop: Callable[[], None] | None = None

    def over(self) -> bool:
        """Whether to stop.

        >>> Deadline(None).over(), Deadline(0).over()
        (False, True)
        """
        return self._cut_short.is_set() or (self._end is not None and time.monotonic() >= self._end)

    def left(self) -> float | None:
        """The seconds that are left, or None if there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def within(self) -> str:
        """The limit in words, for the message that it was not kept."""
        return "before it was interrupted" if self.seconds is None else f"within {self.seconds:g} seconds"

    def cut_short(self) -> None:
        """End it now."""
        self._cut_short.set()
        stop = self._stop
        if stop is not None:
            stop()

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """While this lasts, cutting the deadline short also calls `stop`: for solvers that can be told to."""
        self._stop = stop
        try:
            yield
        finally:
            self._stop = None


class Allowance:
    """A number of seconds, or none, for several questions together; time between them does not count."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._left = seconds

    @contextmanager
    def question(self) -> Iterator[Deadline]:
        """The deadline of a question that is asked in a `with` block: what the earlier ones have left.

        >>> allowance = Allowance(3600)
        >>> with allowance.question() as deadline:
        ...     deadline.over(), deadline.within()
        (False, 'within 3600 seconds')
        """
        deadline = Deadline(self._left)
        deadline.seconds = self._seconds  # messages name the whole
        try:
            yield deadline
        finally:
            self._left = deadline.left()


class _AnotherThread:
    """Stands in for python-sat's own test for the main thread."""

    @staticmethod
    def check() -> bool:
        """Whether this is the main thread: no."""
        return False


@contextmanager
def python_sees_ctrl_c() -> Iterator[None]:
    """While this lasts, python-sat leaves Ctrl-C to Python, which acts on it when a call returns.

    >>> with python_sees_ctrl_c():
    ...     import pysat.solvers
    ...     pysat.solvers.MainThread.check()
    False
    """
    import pysat._utils
    import pysat.card
    import pysat.solvers

    modules = (pysat.card, pysat.solvers)
    for module in modules:
        module.MainThread = _AnotherThread
    try:
        yield
    finally:
        for module in modules:
            module.MainThread = pysat._utils.MainThread


def interruptible(task: Callable[[], Result], deadline: Deadline) -> Result:
    """The result of `task`, computed where Ctrl-C can reach the one who waits for it.

    After Ctrl-C the deadline is cut short, and when the task has noticed, KeyboardInterrupt goes on.

    >>> interruptible(lambda: 6 * 7, Deadline(None))
    42
    """
    if threading.current_thread() is not threading.main_thread():
        return task()
    results: list[Result] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(task())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, name="msat-solver", daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:  # KeyboardInterrupt, or whatever else a handler of signals raises
        deadline.cut_short()
        thread.join()
        raise
    if errors:
        raise errors[0]
    return results[0]
