"""The run: reference answers first, then rounds over all tasks, so that the machine's moods hit all alike.

Every task has an equal share of the time. Its first round takes as many items, in the order of the suite,
as fit into a quarter of that (one at least); further rounds repeat exactly these while the share lasts. Slow
engines so get through the beginning of a suite, in one round; fast ones through all of it, in several.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Callable, Iterable

from msat import __version__
from msat._jit import hurry
from msat.analysis import analyze
from msat.bench.clock import processor_time
from msat.bench.digests import ExactAnswer, combine_fingerprints, fingerprint
from msat.bench.report import Report, ReportRow, SuiteAnswers
from msat.bench.suites import Suite
from msat.bench.tasks import Task, check_only, missing_engines, tasks_of
from msat.deadline import Deadline

__all__ = ["ROUNDS", "SECONDS", "run"]

SECONDS = 60.0
"""How long a run takes, about, if nothing else is said."""

ROUNDS = 7

_FIRST_SHARE = 0.25

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how many steps are done, and of how many."""


def run(
    suites: Iterable[Suite],
    only: Iterable[str] = (),
    seconds: float = SECONDS,
    on_progress: Progress = lambda what, done, total: None,
) -> Report:
    """Time everything that is asked for, on these suites.

    >>> from msat.bench.suites import SUITES
    >>> report = run([SUITES["beginner"]], only=["counting", "forced"], seconds=0.1)
    >>> report.suites[0].digest
    'bb622fe1060ad112'
    >>> [(row.key, row.troubles) for row in report.rows]
    [(('beginner', 'counting', 'forced'), {})]
    """
    hurry()  # what is measured are compiled kernels
    chosen = frozenset(only)
    check_only(chosen)
    answered: list[SuiteAnswers] = []
    tasks: list[Task] = []
    suites = list(suites)
    for number, suite in enumerate(suites):
        on_progress(f"answers of {suite.name}", number, len(suites))
        answers = [ExactAnswer.of(analyze(position.board, "counting")) for position in suite.positions]
        fingerprints = [fingerprint(answer) for answer in answers]
        answered.append(SuiteAnswers(suite.name, combine_fingerprints(fingerprints), fingerprints))
        tasks += tasks_of(suite, answers, chosen)
    rows = [ReportRow(task.suite, task.player, task.question, task.items) for task in tasks]
    share = seconds / max(1, len(tasks))
    spent: list[list[float]] = [[] for _ in tasks]
    for number in range(ROUNDS):
        for step, (task, row) in enumerate(zip(tasks, rows, strict=True)):
            on_progress(
                f"round {number + 1}: {task.suite}, {task.player}",
                number * len(tasks) + step,
                ROUNDS * len(tasks),
            )
            if not spent[step] or sum(spent[step]) + max(spent[step]) <= share:
                begin = time.perf_counter()
                _round(task, row, _FIRST_SHARE * share)
                spent[step].append(time.perf_counter() - begin)
    return Report(__version__, machine(), answered, rows, missing_engines(chosen))


def machine() -> dict[str, str]:
    """What the figures were measured on, without anything that tells whose machine it is."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "architecture": platform.machine(),
    }


def _round(task: Task, row: ReportRow, seconds: float) -> None:
    """One round of a task: the first finds out how many items fit into so many seconds by the clock."""
    row.yardstick.append(_yardstick())
    if row.times:
        row.times.append([task.timed(item)[0] for item in range(len(row.letters))])
        return
    times: list[float] = []
    deadline = Deadline(seconds)
    while len(times) < task.items and not (times and deadline.over()):
        taken, letter = task.timed(len(times))
        times.append(taken)
        row.letters += letter
    row.times.append(times)


def _yardstick() -> float:
    """The time of a fixed piece of work, in seconds: hashing, and objects of Python; the best of three."""
    best = float("inf")
    for _ in range(3):
        begin = processor_time()
        total = hashlib.sha256()
        for number in range(300):
            total.update(b"%d" % number * 20)
        best = min(best, processor_time() - begin)
    return best
