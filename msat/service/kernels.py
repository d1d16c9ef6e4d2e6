"""Kernels of the service: it answers at once with plain ones, and gets faster when they are compiled.

While they are not, one process compiles in the background. When it is done, workers are forked from a nursery
that loads machine code, and then this process takes it over itself: the compiler is imported in a thread, and
the kernels are exchanged between two questions.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import subprocess

from msat import _jit
from msat.service.workers import Pool

__all__ = ["Kernels"]

_log = logging.getLogger("msat.service")

NICENESS = 15
"""Compiling gives way to workers, and these to the serving process: somebody waits for what they do."""

LOOK = 0.5
"""Seconds after which to look again whether compiling is done."""


class Kernels:
    """Loads what the serving process needs, and has compiled what is not."""

    def __init__(self, pool: Pool) -> None:
        self.ready = False
        """Whether questions can be answered."""
        self._pool = pool
        self._compilers: list[subprocess.Popen[bytes]] = []
        self._task: asyncio.Task[None] | None = None

    @property
    def compiled(self) -> bool:
        """Whether kernels are machine code in this process."""
        return _jit.is_compiled()

    @property
    def compiling(self) -> bool:
        """Whether they are about to be."""
        return self._task is not None and not self._task.done()

    async def start(self) -> None:
        """Load everything that answers; returns when the first question can come."""
        await asyncio.to_thread(_load)
        self.ready = True
        self._pool.start(self.compiled)
        if not self.compiled and _jit.mode() == "auto":
            _jit.manage()
            self._task = asyncio.create_task(self._compile())

    async def _compile(self) -> None:
        self._compilers = await asyncio.to_thread(_jit.start_workers, 1, True, NICENESS)
        while any(compiler.poll() is None for compiler in self._compilers):
            await asyncio.sleep(LOOK)
        if any(compiler.returncode for compiler in self._compilers):
            statuses = [compiler.returncode for compiler in self._compilers]
            _log.warning("kernels could not be compiled (status %s): they stay plain", statuses)
            return
        self._pool.renew()
        await asyncio.to_thread(_import_compiler)
        _jit.exchange()  # here, where no kernel is running
        await asyncio.to_thread(_load)

    def close(self) -> None:
        """Stop compiling."""
        if self._task is not None:
            self._task.cancel()
        for compiler in self._compilers:
            if compiler.poll() is None:
                compiler.kill()
                compiler.wait()


def _import_compiler() -> None:
    import msat._compiler  # noqa: F401


def _load() -> None:
    """Answer a question of every kind that is answered in this process, so that the next finds all loaded."""
    from msat.questions.ask import ask
    from msat.questions.requests import Analyze, Cells, Convert, Generate, Sample

    board = "?1????/??????/??2??? 6"
    for question in (Analyze, Cells, Sample, Convert):
        ask(question(board=board))
    ask(Analyze(board="**?/111 1"))
    ask(Generate(preset="beginner", seed=1))
    gc.collect()
    gc.freeze()  # what is loaded stays: to look through it again and again would make somebody wait
