"""The decorators of every kernel, and the choice between two speeds: plain Python, and machine code.

Compiling everything takes about a minute, while most questions are answered by the same functions as plain
Python in less than a second, and without loading the compiler. So on a machine that has compiled nothing yet,
kernels begin as they are written. `MSAT_KERNELS` chooses:

    auto      (the default) machine code if it is there, and worth to be loaded; else plain, until there is
              much to do
    compiled  machine code, compiled when it is first called
    plain     never compiled, and numba is not needed; chosen where it is not installed

What is "much" is told by work, not by luck. Whoever knows that a long calculation comes calls `hurry`, which
compiles, in several processes, before it goes on. Where many small questions add up, the time spent in
kernels is counted; after PATIENCE seconds of it, another process begins to compile in the background, and
when it is done all kernels of this process are exchanged between two calls. Answers are the same either way.

To load the compiler and machine code takes half a second, longer than most single answers. So a command that
asks one question about a board (`begin_plain`) begins plain even where all is compiled, and exchanges kernels
as soon as it has worked for as long as loading takes, or calls `hurry`.

Why like this: a dispatcher that swaps every kernel by itself would mix plain callers with compiled callees,
which compiles versions for kinds of numbers that only plain Python passes; a choice once and for all at the
first import would leave long-lived processes slow, or make the first answer wait. Exchanging all at once, in
the modules that hold them, costs nothing in between.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar, overload

from msat import _kernel_cache
from msat.errors import MissingPackage, UnknownName
from msat.installing import install

__all__ = [
    "announce",
    "begin_plain",
    "compile_all",
    "hurry",
    "is_compiled",
    "kernel",
    "leaf",
    "mode",
    "unowned",
    "waiting",
    "working_time",
]

A = TypeVar("A")
F = TypeVar("F", bound=Callable[..., Any])

MODES = ("auto", "compiled", "plain")

PATIENCE = 3.0
"""Seconds of work in plain kernels after which compiling begins."""

LOADING = 0.3
"""The same where all are compiled, and only have to be loaded."""

SMALL = 1000
"""Cells of a board about which one question is answered sooner than machine code is loaded."""

MUCH_PATIENCE = 30.0
"""The same where nothing can be kept: then this process has to compile for itself, and calls wait for it."""

LOOK = 0.2
"""Seconds between two looks at how far others are with compiling."""


class _Kernel(NamedTuple):
    """A function that was decorated, and how it is compiled."""

    function: Callable[..., Any]
    bound: Callable[..., Any]
    options: dict[str, Any]
    apart: bool
    inside: bool


def mode() -> str:
    """How this process takes its kernels, by MSAT_KERNELS: one of MODES."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "plain"
    chosen = os.environ.get("MSAT_KERNELS") or "auto"
    if chosen not in MODES:
        raise UnknownName.of("MSAT_KERNELS", chosen, MODES)
    if chosen != "plain" and find_spec("numba") is None:
        if chosen == "compiled":
            raise MissingPackage(f"MSAT_KERNELS=compiled needs the package numba: {install('numba')}")
        return "plain"
    return chosen


FORKING = 60.0
"""Seconds that a fork waits for a kernel to be compiled by another thread."""


class _State:
    """Which speed this process has, and what it has spent at the lower one."""

    def __init__(self) -> None:
        self.mode = mode()
        self.compiled = self.mode == "compiled" or (
            self.mode == "auto" and _kernel_cache.is_kept(_kernel_cache.all_kept())
        )
        self.kernels: list[_Kernel] = []
        self.decorated = False
        self.kept = False
        """Whether machine code is there, and was left aside for a small question."""
        self.spent = 0.0
        self.managed = False
        self.inside = 0
        self.lock = threading.RLock()
        self.workers: list[subprocess.Popen[bytes]] = []

    def enter(self) -> float:
        """A kernel is called from outside of all kernels, or from another one."""
        with self.lock:
            self.inside += 1
        return time.thread_time()

    def leave(self, began: float) -> None:
        """It has returned."""
        with self.lock:
            self.inside -= 1
            if self.inside:
                return
            self.spent += time.thread_time() - began
            if self.spent < (LOADING if self.kept else PATIENCE) or self.compiled or self.managed:
                return
            if self.kept:
                exchange()
            elif not _kernel_cache.can_keep():  # what others compile would not get here
                if self.spent >= MUCH_PATIENCE:
                    exchange()
            elif not self.workers:
                self.workers = start_workers(1, background=True)
            elif all(worker.poll() is not None for worker in self.workers):
                exchange()


_state = _State()


def _locks() -> list[Any]:
    """The locks that a kernel is called or compiled under, in the order in which they are taken."""
    numba = sys.modules.get("numba.core.compiler_lock")
    return [_state.lock] if numba is None else [_state.lock, numba.global_compiler_lock._lock]


def _hold() -> None:
    """Before a fork: no other thread is at it. The child would wait for ever for one that it has not."""
    _held[threading.get_ident()] = [lock for lock in _locks() if lock.acquire(timeout=FORKING)]


def _let_go() -> None:
    for lock in reversed(_held.pop(threading.get_ident(), [])):
        lock.release()


def _free() -> None:
    """In the child, which has no other threads: nobody else is inside of a kernel, or waits for one."""
    _held.clear()
    for lock in _locks():
        lock._at_fork_reinit()
    _state.inside = 0
    _waited.begin_anew()


_held: dict[int, list[Any]] = {}  # by thread: two may fork at the same time

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_free)


def is_compiled() -> bool:
    """Whether kernels are machine code in this process."""
    return _state.compiled


class _Waited:
    """What this process has waited for machine code, in seconds; who waits now, and since when."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.begin_anew()

    def begin_anew(self) -> None:
        """Nobody waits."""
        self.now = 0
        self.since = 0.0
        self.lock = threading.Lock()


_waited = _Waited()


@contextmanager
def waiting() -> Iterator[None]:
    """Machine code is loaded or compiled here: no time of whoever needs it first."""
    with _waited.lock:
        if not _waited.now:
            _waited.since = time.perf_counter()
        _waited.now += 1
    try:
        yield
    finally:
        with _waited.lock:
            _waited.now -= 1
            if not _waited.now:
                _waited.seconds += time.perf_counter() - _waited.since


def working_time() -> float:
    """A clock that leaves out what was waited for machine code, by any thread: for how long a game took."""
    return time.perf_counter() - _waited.seconds


def begin_plain(cells: int) -> None:
    """Leave machine code aside for now: this process asks one question, about a board of so many cells."""
    if _state.mode == "auto" and _state.compiled and not _state.decorated and cells <= SMALL:
        _state.compiled = False
        _state.kept = True


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, apart: bool = False, inlined: bool = False, inside: bool = False) -> Callable[[F], F]: ...


def kernel(
    function: F | None = None, *, apart: bool = False, inlined: bool = False, inside: bool = False
) -> F | Callable[[F], F]:
    """Compile `function` with numba, without Python objects, and keep the result on disk.

    With `apart` it is compiled once and called; otherwise it becomes a part of every kernel that calls it, as
    a function there or, always if it is `inlined`, in the place of the call. A call hands over every field of
    every array in a tuple, some two hundred numbers for a problem and a tape: a step that is split off for
    its readers, and made for every box, is better inlined. Those set apart, which are what Python calls,
    release its lock while they run: other threads run beside them, and one may wait for Ctrl-C. Those that
    only kernels call are `inside`: they get no code to be called from Python, which is a third of it all.
    """
    options = {"forceinline": inlined}
    return (
        _decorator(options, apart, inside)
        if function is None
        else _compiled(function, options, apart, inside)
    )


@overload
def leaf(function: F) -> F: ...
@overload
def leaf(*, apart: bool = False, inlined: bool = False, inside: bool = False) -> Callable[[F], F]: ...


def leaf(
    function: F | None = None, *, apart: bool = False, inlined: bool = False, inside: bool = False
) -> F | Callable[[F], F]:
    """A `kernel` that makes no arrays, nor calls one that does: compiled without counting references.

    Numba counts the references to every array that is passed to a function or taken from a tuple, with
    atomic operations. For an inner step of a pass, given a dozen arrays, these took longer than its work.
    """
    options = {"_nrt": False, "forceinline": inlined}
    return (
        _decorator(options, apart, inside)
        if function is None
        else _compiled(function, options, apart, inside)
    )


def unowned(array: A) -> A:
    """`array` without its owner: compiled code does not count references to it, nor to what is cut from it.

    Counting takes atomic operations, which were a twentieth of the time of an answer. Whoever calls the
    kernel holds the array; nothing that is cut from it may be returned to Python.
    """
    return array


def _decorator(options: dict[str, Any], apart: bool, inside: bool) -> Callable[[F], F]:
    return lambda function: _compiled(function, options, apart, inside)


def _compiled(function: F, options: dict[str, Any], apart: bool, inside: bool) -> F:
    _kernel_cache.source(function.__module__)
    _state.decorated = True
    if _state.compiled:
        with waiting():
            from msat._compiler import compile_kernel

            return compile_kernel(function, options, apart, inside)
    bound = _metered(function) if apart and not inside and _state.mode == "auto" else function
    _state.kernels.append(_Kernel(function, bound, options, apart, inside))
    return bound


def _metered(function: F) -> F:
    """A plain kernel that notes what it costs."""

    @wraps(function)
    def call(*args: Any) -> Any:
        began = _state.enter()
        try:
            return function(*args)
        finally:
            _state.leave(began)

    return call  # type: ignore[return-value]


def exchange() -> None:
    """Let all kernels of this process be machine code from the next call on."""
    with waiting():
        from msat._compiler import compile_kernel

        with _state.lock:
            if _state.compiled:
                return
            made = {
                id(k.bound): compile_kernel(k.function, k.options, k.apart, k.inside) for k in _state.kernels
            }
            _state.compiled = True
            for module in list(sys.modules.values()):
                names = getattr(module, "__dict__", {})
                for name, value in list(names.items()):
                    if id(value) in made:
                        names[name] = made[id(value)]


def manage() -> None:
    """Leave it to the caller to have kernels compiled, and to exchange them when it suits: for services."""
    _state.managed = True


def start_workers(count: int, background: bool, niceness: int = 0) -> list[subprocess.Popen[bytes]]:
    """Processes that compile all kernels, sharing the work; in the background as long as this one lives.

    By their `niceness` they give way to others, where the system has that.
    """
    environment = {**os.environ, "MSAT_KERNELS": "compiled", "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1"}
    # What this process can import, they can.
    environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
    return [
        subprocess.Popen(
            [sys.executable, "-m", "msat.warming", str(number), str(niceness)]
            + (["--parent"] if background else []),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(count)
    ]


def hurry() -> None:
    """Have machine code before a long calculation: compile what is missing, in several processes.

    What is needed most is waited for (`warming.py`: all that a hint needs); the rest is compiled meanwhile.
    Whoever waits is told: by a bar on a terminal, else by one line on stderr, and in the library's log. Where
    nothing can be kept, this process compiles what it calls, as it goes.
    """
    if _state.compiled or _state.mode == "plain":
        return
    kept = any(map(_kernel_cache.is_kept, (_kernel_cache.all_kept(), _kernel_cache.first_kept())))
    if not kept and _kernel_cache.can_keep():
        workers = start_workers(_cores(), background=True)
        _wait(workers, lambda: _kernel_cache.is_kept(_kernel_cache.first_kept()))
    exchange()


def _cores() -> int:
    """How many processes compile at once: more than a few only wait for each other."""
    return max(1, min(4, os.cpu_count() or 1))


def announce() -> None:
    """Say that kernels are being compiled: to whoever reads stderr, and in the library's log."""
    import logging

    logging.getLogger("msat").info("compiling kernels, once on this machine")
    if sys.stderr is not None:
        print("msat: compiling kernels, once on this machine, a minute or less …", file=sys.stderr)


def compile_all() -> None:
    """Compile all kernels that are not kept yet, and show how far that is."""
    _wait(start_workers(_cores(), background=False), lambda: False)


def _wait(workers: list[subprocess.Popen[bytes]], enough: Callable[[], bool]) -> None:
    """Wait until enough is compiled, or all; show how far that is. Who is interrupted ends the workers."""

    def is_waiting() -> bool:
        return any(worker.poll() is None for worker in workers) and not enough()

    try:
        if sys.stderr is not None and sys.stderr.isatty():
            _show_bar(is_waiting)
        else:
            announce()
            while is_waiting():
                time.sleep(LOOK)
    except BaseException:
        for worker in workers:
            worker.kill()
            worker.wait()
        raise


def _show_bar(is_waiting: Callable[[], bool]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("compiling kernels, once on this machine", total=None)
        while is_waiting():
            done, of = _kernel_cache.count_kept()
            bar.update(task, completed=done, total=of)
            time.sleep(LOOK)
