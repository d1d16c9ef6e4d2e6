"""Long questions to foreign solvers: how Ctrl-C gets through.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from msat.deadline import Deadline

__all__ = ["interruptible", "python_sees_ctrl_c"]

Result = TypeVar("Result")


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
