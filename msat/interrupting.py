"""Long work in a thread of its own: how Ctrl-C gets through, and how a budget is kept to the point.

Kernels, and solvers written in C, do not look at Python's signals, and some of their steps take longer than
anybody wants to wait. So the work is done in another thread, and the one who asked only waits, which Ctrl-C
and the clock can end at any time. The deadline is then cut short: the work notices at its next look at it,
mostly at once, and CP-SAT is told to stop. What does not notice in a moment is left behind: it ends by itself
at its next look, and what it finds is dropped. Nothing that it works on is shared.

python-sat answers Ctrl-C in the main thread by jumping out of the middle of a solver, which breaks it; in
another thread it leaves Ctrl-C alone.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

from msat.deadline import Deadline
from msat.errors import BudgetExceeded

__all__ = ["interruptible"]

Result = TypeVar("Result")

MOMENT = 0.05
"""Seconds that work which was cut short has to notice, and to tell what it has found."""

SETTLING = 2.0
"""Seconds that the end of the process waits for solvers: they would crash if they lost their ground."""


class _TaskThread(threading.Thread):
    """The thread of one task."""

    def __init__(self, task: Callable[[], Any], deadline: Deadline) -> None:
        super().__init__(name="msat-work", daemon=True)
        self._task = copy_context().run
        self._what = task
        self.deadline = deadline
        self.results: list[Any] = []
        self.errors: list[BaseException] = []

    def run(self) -> None:
        """Do the task."""
        try:
            self.results.append(self._task(self._what))
        except BaseException as error:
            self.errors.append(error)


_left_behind: list[_TaskThread] = []


def interruptible(task: Callable[[], Result], deadline: Deadline, undone: str = "not finished") -> Result:
    """The result of `task`, waited for until the deadline, or Ctrl-C.

    A task that is not done by then is a BudgetExceeded, its own if it raises one, else one that says what is
    `undone`. Inside of a task, another one is simply done.

    >>> interruptible(lambda: 6 * 7, Deadline(None))
    42
    >>> import time
    >>> interruptible(lambda: time.sleep(1), Deadline(0), "not rested")
    Traceback (most recent call last):
    msat.errors.BudgetExceeded: not rested within 0 seconds
    """
    here = threading.current_thread()
    if isinstance(here, _TaskThread) or (here is not threading.main_thread() and deadline.left() is None):
        return task()
    worker = _TaskThread(task, deadline)
    try:
        worker.start()
        worker.join(deadline.left())
    except BaseException:  # KeyboardInterrupt, or whatever else a handler of signals raises
        _leave(worker)
        raise
    if worker.is_alive():
        _leave(worker)
    if worker.errors:
        raise worker.errors[0]
    if not worker.results:
        raise BudgetExceeded(f"{undone} {deadline.within()}", deadline.width)
    found: Result = worker.results[0]
    return found


def _leave(worker: _TaskThread) -> None:
    """Let the work end, and do not wait for it longer than a moment."""
    worker.deadline.cut_short()
    if worker.is_alive():
        worker.join(MOMENT)
    if worker.is_alive():
        _left_behind[:] = [other for other in _left_behind if other.is_alive()]
        _left_behind.append(worker)


@atexit.register
def _settle() -> None:
    """Wait for solvers that were told to stop before Python takes itself apart."""
    end = time.monotonic() + SETTLING
    for worker in _left_behind:
        while worker.is_alive() and worker.deadline.in_solver and time.monotonic() < end:
            worker.join(0.02)
