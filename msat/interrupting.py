"""Long work in a thread of its own: how Ctrl-C gets through, and how a budget is kept to the point.

Kernels, and solvers written in C, do not look at Python's signals, and some of their steps take longer than
anybody wants to wait. So the work is done in another thread, and the one who asked only waits, which Ctrl-C
and the clock can end at any time. The deadline is then cut short: the work notices at its next look at it,
mostly at once, and CP-SAT is told to stop. What does not notice in a moment is left behind: it ends by itself
at its next look, and what it finds is dropped. Nothing that it works on is shared.

A thread that has done its task waits for the next one, which is handed over in a fraction of the time that
starting a thread takes. Before a fork those that wait are sent away: the child would not have them.

While all wait for a full collection of Python's garbage, a tenth of a second or more even if it holds little
but what was imported, nothing of this works. So none begins in the last second of a budget.

python-sat answers Ctrl-C in the main thread by jumping out of the middle of a solver, which breaks it; in
another thread it leaves Ctrl-C alone.
"""

from __future__ import annotations

import atexit
import gc
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

from msat.deadline import FOR_EVER, Deadline
from msat.errors import BudgetExceeded

__all__ = ["interruptible", "is_left_behind"]

Result = TypeVar("Result")

MOMENT = 0.05
"""Seconds that work which was cut short has to notice, and to tell what it has found."""

BREATH = 0.1
"""Seconds that are waited without coming up for Ctrl-C: one that comes just before does not end a wait."""

SETTLING = 2.0
"""Seconds that the end of the process waits for solvers: they would crash if they lost their ground."""

LAST = 1.0
"""Seconds before the end of a budget in which no full collection of garbage begins."""

NEVER = 1 << 30
"""Collections of young garbage before one of all."""

KEPT = 4
"""Threads that wait for work; as many questions may be asked at once before one is started anew."""


class _LongWork:
    """Work, and what became of it."""

    def __init__(self, work: Callable[[], Any], deadline: Deadline) -> None:
        self.deadline = deadline
        self._work = work
        self._context = copy_context()
        self._going_on = threading.Lock()
        self._going_on.acquire()
        self.results: list[Any] = []
        self.errors: list[BaseException] = []

    def do(self) -> None:
        """Do it, in any thread."""
        try:
            self.results.append(self._context.run(self._work))
        except BaseException as error:
            self.errors.append(error)

    def end(self) -> None:
        """Let those go on who wait for it."""
        self._going_on.release()

    def wait(self, seconds: float | None) -> bool:
        """Whether it was done within so many seconds."""
        end = time.monotonic() + (FOR_EVER if seconds is None else seconds)
        while not self._going_on.acquire(timeout=min(BREATH, max(0.0, end - time.monotonic()))):
            if time.monotonic() >= end:
                return False
        self._going_on.release()
        return True


class _WorkThread(threading.Thread):
    """A thread that does one task after another."""

    def __init__(self) -> None:
        super().__init__(name="msat-work", daemon=True)
        self._tasks: list[_LongWork] = []
        self._idle = threading.Lock()
        self._idle.acquire()

    def give(self, task: _LongWork) -> None:
        """Hand a task over; the worker must be idle."""
        self._tasks.append(task)
        self._idle.release()

    def dismiss(self) -> None:
        """Let it end; it must be idle."""
        self._idle.release()
        self.join()

    def run(self) -> None:
        """Do what is given, until there are enough others to do it."""
        staying = True
        while staying:
            self._idle.acquire()
            if not self._tasks:
                return
            task = self._tasks.pop()
            task.do()
            staying = len(_waiting) < KEPT
            if staying:
                _waiting.append(self)  # before the task ends: whoever waits for it may ask again at once
            task.end()
            del task  # what it holds may be large


_waiting: list[_WorkThread] = []
_left_behind: list[_LongWork] = []
_put_off: list[tuple[int, int, int]] = []  # when garbage is collected as a rule: the last one put aside


def interruptible(work: Callable[[], Result], deadline: Deadline, undone: str = "not finished") -> Result:
    """The result of `work`, waited for until the deadline, or Ctrl-C.

    Work that is not done by then is a BudgetExceeded, its own if it raises one, else one that says what is
    `undone`. Inside of such work, more of it is simply done.

    >>> interruptible(lambda: 6 * 7, Deadline(None))
    42
    >>> import time
    >>> interruptible(lambda: time.sleep(1), Deadline(0), "not rested")
    Traceback (most recent call last):
    msat.errors.BudgetExceeded: not rested within 0 seconds
    """
    here = threading.current_thread()
    if isinstance(here, _WorkThread) or (here is not threading.main_thread() and deadline.left() is None):
        return work()
    if deadline.over() and not deadline.grace(MOMENT):
        raise BudgetExceeded(f"{undone} {deadline.within()}", deadline.width)
    task = _LongWork(work, deadline)
    try:
        _worker().give(task)
        _wait(task)
    except BaseException:  # KeyboardInterrupt, or whatever else a handler of signals raises
        _leave(task)
        raise
    if task.errors:
        raise task.errors.pop()
    if not task.results:
        raise BudgetExceeded(f"{undone} {deadline.within()}", deadline.width)
    found: Result = task.results.pop()
    return found


def _worker() -> _WorkThread:
    """One that waits for work, or a new one."""
    try:
        return _waiting.pop()
    except IndexError:
        worker = _WorkThread()
        worker.start()
        return worker


def _wait(task: _LongWork) -> None:
    """Wait until it is done, or the time is over."""
    left = task.deadline.left()
    if left is None or left > LAST:
        if task.wait(left and left - LAST):
            return
        left = task.deadline.left()
    usual = gc.get_threshold()
    try:
        if usual[2] != NEVER:  # otherwise somebody else sees to it
            _put_off[:] = [usual]
            gc.set_threshold(*usual[:2], NEVER)
        done = task.wait(left)
        while not done and not task.deadline.over():  # by a clock of its own
            done = task.wait(task.deadline.left())
        if not done:
            _leave(task)
    finally:
        if usual[2] != NEVER:
            gc.set_threshold(*usual)


def _leave(task: _LongWork) -> None:
    """Let the work end, and do not wait for it longer than a moment."""
    task.deadline.cut_short()
    if not task.wait(task.deadline.grace(MOMENT)):
        _left_behind[:] = [other for other in _left_behind if not other.wait(0)]
        _left_behind.append(task)


def is_left_behind() -> bool:
    """Whether there is work that was left behind, and goes on."""
    return not all(task.wait(0) for task in _left_behind)


@atexit.register
def _settle() -> None:
    """Wait for solvers that were told to stop before Python takes itself apart."""
    end = time.monotonic() + SETTLING
    for task in _left_behind:
        while task.deadline.in_solver and time.monotonic() < end and not task.wait(0.02):
            pass


def _dismiss() -> None:
    """Send those away that wait for work."""
    with suppress(IndexError):
        while True:
            _waiting.pop().dismiss()


def _begin_anew() -> None:
    """In a child: it has none of the threads that worked, nor of those that would collect garbage again."""
    _left_behind.clear()
    _waiting.clear()  # one that became idle after the others were sent away would do nothing it is given
    if gc.get_threshold()[2] == NEVER:
        for usual in _put_off:
            gc.set_threshold(*usual)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_dismiss, after_in_child=_begin_anew)
