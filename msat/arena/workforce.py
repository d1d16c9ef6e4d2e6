"""Work over many games, cut into portions and spread over workers that may die.

A portion is a range of games. Its size follows the speed of play, so that a portion takes about a quarter of
a second: long enough that handing it out costs nothing, short enough that little is played twice when a
worker or the run itself is killed. A portion whose worker died is handed out again. Results come back in
whatever order portions finish; what needs an order (the sequential test) restores it by the games' numbers.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from multiprocessing import connection, parent_process
from typing import Generic, TypeVar

from msat.arena.done import Range
from msat.cells import check_workers
from msat.errors import ArenaError, WrongType
from msat.limits import MAX_GAMES, MAX_WORKERS
from msat.strategies.given import Given
from msat.wording import argument

__all__ = ["Portions", "crew_size", "work"]

T = TypeVar("T")

_SECONDS = 0.25
_SECONDS_ALONE = 0.02  # no worker to wait for: what Ctrl-C cuts off can be as little as this
_LARGEST = 1000
_STRIKES = 3
_PATIENCE = 2.0


def crew_size(workers: int | None, executor: Executor | None = None, players: Iterable[str] = ()) -> int:
    """The number of workers asked for, or one for each processor.

    Players that only this process knows, as those of a notebook, play in it; several workers are refused.

    >>> crew_size(3)
    3
    """
    if executor is not None and not hasattr(executor, "submit"):
        raise WrongType(f"{argument('executor', executor)} is not accepted: give an Executor, or None")
    only_here = [player for player in players if isinstance(player, Given)] if executor is None else []
    if workers is None:
        return 1 if only_here else _available_cores()
    # processes of this machine, or somebody's
    crew = check_workers(workers, MAX_WORKERS if executor is None else MAX_GAMES)
    if crew > 1 and only_here:
        only_here[0].refuse()
    return crew


def _available_cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Portions:
    """Hands out games in portions that take about as long as wished."""

    def __init__(self, ranges: Iterable[Range], workers: int, seconds: float = _SECONDS) -> None:
        self._ranges = list(ranges)[::-1]  # the next one last
        self._workers = workers
        self._seconds = seconds
        self._size = 1.0
        self._left = sum(count for _, count in self._ranges)

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def take(self) -> Range:
        """The next portion."""
        first, count = self._ranges.pop()
        # Towards the end portions get smaller, so that all workers finish at about the same time.
        fair = self._left // (2 * self._workers)
        size = max(1, min(count, int(self._size), fair))
        if size < count:
            self._ranges.append((first + size, count - size))
        self._left -= size
        return first, size

    def give_back(self, portion: Range) -> None:
        """Take back a portion that was not played, to be handed out next."""
        self._ranges.append(portion)
        self._left += portion[1]

    def learn(self, count: int, seconds: float) -> None:
        """Adapt the size to how long a portion took."""
        wished = count * self._seconds / max(seconds, 1e-6)
        # Half of the way, and never far: one lucky portion must not make the next one endless.
        self._size = min(_LARGEST, max(1.0, (self._size + min(wished, 4 * self._size)) / 2))


class _Timed(Generic[T]):
    """A task that also tells how long it took, to be sent to a worker."""

    def __init__(self, task: Callable[[int, int], T]) -> None:
        self._task = task

    def __call__(self, first: int, count: int) -> tuple[T, float]:
        begin = time.perf_counter()
        return self._task(first, count), time.perf_counter() - begin


def work(
    task: Callable[[int, int], T],
    ranges: Iterable[Range],
    accept: Callable[[T], bool],
    workers: int,
    executor: Executor | None = None,
) -> None:
    """Call `task(first, count)` on portions of all ranges, and `accept` with each result, here.

    `accept` returns whether to go on. With `executor` the work is done there, for so many `workers` at a
    time; otherwise by that many processes, or in this one if it is only one. Ctrl-C still accepts what is
    finished.
    """
    timed = _Timed(task)
    if executor is None and workers == 1:
        portions = Portions(ranges, 1, _SECONDS_ALONE)
        while portions:
            first, count = portions.take()
            result, seconds = timed(first, count)
            portions.learn(count, seconds)
            if not accept(result):
                return
        return
    portions = Portions(ranges, workers)
    strikes = 0
    while portions:
        if strikes == _STRIKES:
            raise ArenaError(
                f"worker processes died {_STRIKES} times without finishing a game, last near game "
                f"{portions.take()[0]}; finished games are kept"
            )
        pool = ProcessPoolExecutor(workers, initializer=_begin_worker) if executor is None else executor
        crew = _Shift(pool, timed, portions, accept, workers)
        try:
            crew.run()
            return
        except BrokenExecutor as bad:
            if executor is not None:
                raise ArenaError(f"the executor broke ({bad}); finished games are kept") from None
            strikes = 1 if crew.progressed else strikes + 1
        finally:
            if executor is None:
                _dismiss(pool)


class _Shift(Generic[T]):
    """One executor at work until all is done, told to stop, or broken."""

    def __init__(
        self,
        pool: Executor,
        task: _Timed[T],
        portions: Portions,
        accept: Callable[[T], bool],
        workers: int,
    ) -> None:
        self._pool = pool
        self._task = task
        self._portions = portions
        self._accept = accept
        self._in_flight = 2 * workers  # so that nobody waits for the next portion
        self._pending: dict[Future[tuple[T, float]], Range] = {}
        self.progressed = False

    def run(self) -> None:
        try:
            while self._portions or self._pending:
                while self._portions and len(self._pending) < self._in_flight:
                    portion = self._portions.take()
                    try:
                        self._pending[self._pool.submit(self._task, *portion)] = portion
                    except BaseException:
                        self._portions.give_back(portion)
                        raise
                done, _ = wait(self._pending, return_when=FIRST_COMPLETED)
                if any(future.cancelled() for future in done):
                    raise BrokenExecutor("it cancelled work by itself")
                if not self._collect(done):
                    break
        except KeyboardInterrupt:
            for future in self._pending:
                future.cancel()
            done, _ = wait(self._pending, timeout=_PATIENCE)
            self._collect(future for future in done if not future.cancelled())
            raise
        finally:
            for future, portion in self._pending.items():
                future.cancel()
                self._portions.give_back(portion)

    def _collect(self, done: Iterable[Future[tuple[T, float]]]) -> bool:
        """Accept what is finished; the first failure is raised once all successes are safe."""
        failure: BaseException | None = None
        go_on = True
        for future in done:
            failed = future.exception()
            if failed is not None:
                failure = failed
                continue
            portion = self._pending.pop(future)
            result, seconds = future.result()
            self._portions.learn(portion[1], seconds)
            go_on = self._accept(result) and go_on
            self.progressed = True
        if failure is not None:
            raise failure
        return go_on


def _begin_worker() -> None:
    """In a worker process: leave Ctrl-C to the runner, and end when the runner does, or says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the runner does with its own
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A runner that is killed cannot tell its workers; without this they would wait for work for ever.
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _dismiss(pool: Executor) -> None:
    """End the workers without waiting for what they are doing.

    Python before 3.14 has no public way to do so, and would wait at its own end for the game in play.
    """
    processes = list(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError):
            os.kill(process, signal.SIGTERM)
