"""The pool of workers, and who watches over them: what was begun can be stopped.

A job ends by its answer, at the end of its time, when whoever asked for it goes away (its task is cancelled),
when its worker dies or takes too much memory, or when the service stops. In all cases but the first its
worker is killed, and another one takes its place. Jobs wait in the order in which they came, so many at most.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from msat.service.frames import ANSWER, HELLO, LAST, PROBLEM, PROGRESS, QUESTION, pack, receive_async
from msat.service.nursery import Nursery

__all__ = ["Died", "Full", "Pool", "Stopped", "TimeUp", "TooMuchMemory"]

WATCH_SECONDS = 0.2
"""How often the memory of a busy worker is looked at."""

_GONE = (asyncio.IncompleteReadError, ConnectionError, OSError)


class Full(Exception):
    """So many jobs wait that no more are taken; `seconds` is after which time to try again."""

    def __init__(self, seconds: int) -> None:
        super().__init__("the queue is full")
        self.seconds = seconds


class Died(Exception):
    """The worker died."""


class TooMuchMemory(Exception):
    """The worker took more memory than it may have, and was killed."""


class TimeUp(Exception):
    """The time was over, and the worker was killed."""


class Stopped(Exception):
    """The pool is being closed."""


class _Worker:
    """A worker as the service sees it."""

    def __init__(
        self, pid: int, nursery: Nursery, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.pid = pid
        self.nursery = nursery
        self.gone = asyncio.Event()
        self.busy = False
        self.leaving = False
        """Whether it has said that it will end."""
        self._reader = reader
        self._writer = writer
        self._descriptor = _process_descriptor(pid)
        self._loaded = self._own_memory()

    async def answer(self, job: bytes, progress: Callable[[bytes], None] | None) -> tuple[bool, bytes]:
        """Whether it is an answer (or a problem), and what it is."""
        self._writer.write(pack(QUESTION, job))
        while True:
            sign, content = await receive_async(self._reader)
            if sign in (ANSWER, PROBLEM):
                return sign == ANSWER, content
            if sign == LAST:
                self.leaving = True
            elif sign == PROGRESS and progress is not None:
                progress(content)

    @property
    def dead(self) -> bool:
        """Whether it is known to have ended by itself."""
        return self._reader.at_eof()

    def memory(self) -> int:
        """Bytes that its work takes, or 0 where that cannot be told: not what it was forked with, which all
        share, nor files."""
        return max(0, self._own_memory() - self._loaded)

    def _own_memory(self) -> int:
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as statm:
                _, resident, shared, *_ = map(int, statm.read().split())
                return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    def kill(self) -> None:
        """End it, whatever it does."""
        with suppress(ProcessLookupError):
            if self._descriptor is None:
                os.kill(self.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
        self.close()

    def close(self) -> None:
        """Let go of it; idle, it ends by itself."""
        self._writer.close()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self.gone.set()


def _process_descriptor(pid: int) -> int | None:
    """What stands for the process also when its number belongs to another, where the system has that."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


class Pool:
    """So many workers, and a queue."""

    def __init__(self, workers: int, queue: int, memory: int) -> None:
        self.size = workers
        self.replaced = 0
        """How many workers were killed, or died, and had to be replaced."""
        self._queue = queue
        self._memory = memory
        self._nursery: Nursery | None = None
        self._old: list[Nursery] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._compiled = False
        self._slots: list[asyncio.Task[None]] = []
        self._workers: set[_Worker] = set()
        self._idle: deque[_Worker] = deque()
        self._waiting: deque[asyncio.Future[_Worker]] = deque()
        self._jobs: set[asyncio.Task[tuple[bool, bytes]]] = set()
        self._average = 1.0
        self._closed = False

    def start(self, compiled: bool) -> None:
        """Have workers started; they are there when they say so."""
        self._compiled = compiled
        self._nursery = Nursery(self._memory, compiled)
        self._slots = [asyncio.create_task(self._keep()) for _ in range(self.size)]

    def renew(self) -> None:
        """Take workers with compiled kernels from now on; who is busy finishes first."""
        assert self._nursery is not None
        nursery = Nursery(self._memory, compiled=True)
        self._compiled = True
        self._old.append(self._nursery)
        self._nursery = nursery
        for worker in list(self._idle):
            worker.close()
        self._idle.clear()
        self._close_old()

    def _close_old(self) -> None:
        """Let nurseries end whose last worker has."""
        used = {worker.nursery for worker in self._workers}
        for nursery in [each for each in self._old if each not in used]:
            nursery.close()
            self._old.remove(nursery)
            ending = asyncio.create_task(asyncio.to_thread(nursery.wait))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    @property
    def busy(self) -> int:
        """How many workers work."""
        return sum(worker.busy for worker in self._workers)

    @property
    def alive(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._waiting)

    async def run(
        self, job: bytes, seconds: float, progress: Callable[[bytes], None] | None = None
    ) -> tuple[bool, bytes]:
        """Have a job done; raises one of the errors of this module if it is not."""
        if self._closed:
            raise Stopped
        worker = await self._take()
        if self._closed:
            raise Stopped
        worker.busy = True
        began = monotonic()
        task = asyncio.create_task(worker.answer(job, progress))
        self._jobs.add(task)
        try:
            found = await self._watched(task, worker, began + seconds)
        except BaseException:
            task.cancel()
            worker.kill()
            self.replaced += 1
            raise
        finally:
            self._jobs.discard(task)
            worker.busy = False
            self._average += 0.2 * (monotonic() - began - self._average)
        if worker.leaving:
            worker.kill()
            self.replaced += 1
        else:
            self._free(worker)
        return found

    async def _watched(
        self, task: asyncio.Task[tuple[bool, bytes]], worker: _Worker, end: float
    ) -> tuple[bool, bytes]:
        most = self._memory << 20
        while True:
            left = end - monotonic()
            done, _ = await asyncio.wait([task], timeout=max(0.0, min(left, WATCH_SECONDS)))
            if self._closed:
                raise Stopped
            if done:
                try:
                    return task.result()
                except (*_GONE, asyncio.CancelledError):
                    raise Died from None
            if left <= 0:
                raise TimeUp
            if worker.memory() > most:
                raise TooMuchMemory

    async def _take(self) -> _Worker:
        """A worker that is idle, now or when it is this job's turn."""
        while self._idle:
            worker = self._idle.popleft()
            if worker.gone.is_set():
                continue
            if not worker.dead:
                return worker
            self.replaced += 1  # nobody has noticed yet that it died, and nobody would any more
            worker.close()
        if len(self._waiting) >= self._queue:
            raise Full(max(1, min(60, round(self._average * (len(self._waiting) + 1) / self.size))))
        turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._free(turn.result())
            raise
        finally:
            with suppress(ValueError):
                self._waiting.remove(turn)

    def _free(self, worker: _Worker) -> None:
        """Give a worker to who waits longest, or let it be idle."""
        if worker.nursery in self._old:  # it belongs to the time before kernels were compiled
            worker.close()
            return
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)

    async def _keep(self) -> None:
        """Keep one worker alive: one after the other, for ever."""
        pause = 0.05
        while True:
            worker = await self._begin()
            if worker is None:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 5.0)
                continue
            pause = 0.05
            self._workers.add(worker)
            self._free(worker)
            watch = asyncio.create_task(self._watch_idle(worker))
            await worker.gone.wait()
            watch.cancel()
            self._workers.discard(worker)
            self._close_old()

    async def _watch_idle(self, worker: _Worker) -> None:
        """Notice that a worker, or the nursery, died although nobody asked anything of it."""
        while not worker.gone.is_set():
            await asyncio.sleep(WATCH_SECONDS)
            if self._closed:
                return
            if self._nursery is not None and self._nursery.has_borne:
                with suppress(OSError):
                    self._living_nursery()  # so that the next worker need not wait until all is loaded
            if not worker.busy and worker in self._idle and worker.dead:
                self._idle.remove(worker)
                self.replaced += 1
                worker.close()

    async def _begin(self) -> _Worker | None:
        """A new worker that has said hello, or None if that failed."""
        try:
            nursery = self._living_nursery()
            connection = nursery.bear()
        except OSError:  # also where the system has no room for another process, which passes
            return None
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        try:
            sign, content = await receive_async(reader)
        except _GONE:
            writer.close()
            return None
        assert sign == HELLO
        nursery.has_borne = True
        return _Worker(int(content), nursery, reader, writer)

    def _living_nursery(self) -> Nursery:
        nursery = self._nursery
        if nursery is None or not nursery.alive:
            if nursery is not None:
                nursery.close()
            nursery = self._nursery = Nursery(self._memory, self._compiled)
        return nursery

    async def close(self) -> None:
        """Stop everything: jobs under way end with `Stopped`."""
        self._closed = True
        for turn in self._waiting:
            if not turn.done():
                turn.set_exception(Stopped())
        for task in list(self._jobs):
            task.cancel()
        for slot in self._slots:
            slot.cancel()
        for worker in list(self._workers):
            worker.kill()
        nurseries = [*self._old, *([self._nursery] if self._nursery else [])]
        for nursery in nurseries:
            nursery.close()
        for nursery in nurseries:
            await asyncio.to_thread(nursery.wait)
        await asyncio.gather(*self._ending)
