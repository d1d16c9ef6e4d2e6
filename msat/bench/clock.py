"""The clock of the benchmark: processor time, of this process and of the children it has waited for.

On a machine with other work to do, a call that takes longer than a slice of the scheduler is interrupted, and
by the clock on the wall seems several times as long as it is; one that is shorter does not. Processor time
has no such bias, and repeats far better from run to run. On an idle machine the two are the same.
"""

from __future__ import annotations

import time

try:
    import resource
except ImportError:  # Windows: engines that run in a child process seem to cost nothing there
    resource = None  # type: ignore[assignment]

__all__ = ["processor_time"]


def processor_time() -> float:
    """Seconds of the processor used so far; only differences mean something.

    >>> begin = processor_time()
    >>> processor_time() - begin < 1
    True
    """
    own = time.process_time()
    if resource is None:
        return own
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + children.ru_utime + children.ru_stime
