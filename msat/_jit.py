"""The one decorator of every compiled kernel, and the cache that keeps them compiled.

Numba's own cache does not notice that a callee in another file changed: a caller then runs stale machine
code. So the cache lies in the user's cache directory, in a folder named by a digest of *all* kernel files:
a change anywhere recompiles whatever depends on it, a read-only installation works, and two versions of
msat never share code. `NUMBA_CACHE_DIR`, if set, takes the place of the user's cache directory.

Compiling takes a while, once per machine, for each kernel when it is first called. If a person is watching
(stderr is a terminal) they are told: at once the very first time, later on if it takes more than a moment.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numba
from numba.core import event as events

__all__ = ["Interrupts", "cache_folder", "kernel", "leaf"]

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent

MOMENT = 1.0
"""Seconds of compiling that nobody needs to be told about."""


def _user_cache() -> Path:
    """The platform's folder for files that can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _digest() -> str:
    """A digest of all kernel files: whatever lies in a folder or file named `_kernels`."""
    files = sorted([*_PACKAGE.rglob("_kernels/*.py"), *_PACKAGE.rglob("_kernels.py"), Path(__file__)])
    total = hashlib.sha256()
    for file in files:
        total.update(file.relative_to(_PACKAGE).as_posix().encode())
        total.update(file.read_bytes())
    # Numba does not tell code compiled with other settings apart by itself.
    settings = numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.LOOP_VECTORIZE
    total.update(repr(settings).encode())
    return total.hexdigest()[:16]


def _choose_folder() -> str:
    """The folder for this version's machine code; a temporary one where the user's is not writable."""
    base = Path(numba.config.CACHE_DIR) if numba.config.CACHE_DIR else _user_cache() / "msat"
    folder = base / f"kernels-{_digest()}"
    if numba.config.DISABLE_JIT:
        return str(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    if not usable:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        folder = Path(tempfile.gettempdir()) / f"msat-{user}" / folder.name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if sys.stderr is not None and sys.stderr.isatty():
        if next(folder.rglob("*.nbi"), None) is None:
            _tell("its kernels")
        else:
            events.register("numba:compile", Notice())
    return str(folder)


def _tell(what: str) -> None:
    print(
        f"msat: compiling {what}, once on this machine (half a minute for answers, two for all players) …",
        file=sys.stderr,
    )


class Notice(events.Listener):  # type: ignore[misc]  # numba has no types
    """Tells a person, once, that kernels are being compiled that no earlier run needed."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._told = False

    def on_start(self, event: events.Event) -> None:
        """A kernel is about to be compiled, or a callee of it: one that is loaded from the cache is not."""
        if self._told or not event.data["dispatcher"].py_func.__module__.startswith("msat."):
            return
        now = time.monotonic()
        if self._began is None:
            self._began = now
        elif now > self._began + MOMENT:
            self._told = True
            _tell("more of its kernels")

    def on_end(self, event: events.Event) -> None:
        """Nothing is to be told at the end."""


cache_folder = _choose_folder()
"""Where the compiled kernels of this version are kept."""


def kernel(function: F) -> F:
    """Compile `function` with numba, without Python objects, cached under the digest of all kernels."""
    return _compiled(function, {})


def leaf(function: F) -> F:
    """A `kernel` that makes no arrays, nor calls one that does: compiled without counting references.

    Numba counts the references to every array that is passed to a function or taken from a tuple, with
    atomic operations. For an inner step of a pass, given a dozen arrays, these took longer than its work.
    """
    return _compiled(function, {"_nrt": False})


def _compiled(function: F, options: dict[str, Any]) -> F:
    # The cache folder is read when a function is decorated, so it is set for that moment only: other
    # packages that use numba keep their own.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_folder
    try:
        compiled: F = numba.njit(cache=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    if not numba.config.DISABLE_JIT:
        _take_literals_as_numbers(compiled)
    return compiled


def _take_literals_as_numbers(compiled: Any) -> None:
    """Let all calls of a kernel from others that differ in constants share one version of it.

    Numba compiles a version of its own for each constant argument, and one more for a variable that begins
    as a constant and is changed in a loop: it infers the types before the loop first. That gains nothing,
    since the compiler behind it sees the constants anyway, and cost a sixteenth of the time to compile.
    """
    usual = compiled.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return usual(tuple(map(numba.types.unliteral, args)), {k: numba.types.unliteral(kws[k]) for k in kws})

    compiled.get_call_template = get_call_template


class Interrupts:
    """Holds Ctrl-C back in a `with` block, and lets it through where that is safe.

    Python may raise KeyboardInterrupt whenever it runs Python code, also while numba makes Python objects of
    a kernel's results: there the exception is lost, or the process crashes. So calls of kernels in a row are
    made inside such a block, with `release()` between them. Only the main thread ever gets an interrupt.
    """

    def __init__(self) -> None:
        self._usual: Any = None
        self._waiting: list[FrameType | None] = []

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            usual = signal.getsignal(signal.SIGINT)
            if callable(usual):  # otherwise it is ignored, or not handled by Python
                self._usual = usual
                signal.signal(signal.SIGINT, lambda _, frame: self._waiting.append(frame))
        return self

    def __exit__(self, *_: object) -> None:
        if self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
            self.release()

    def release(self) -> None:
        """Let an interrupt through that has come since."""
        if self._waiting:
            self._usual(signal.SIGINT, self._waiting.pop())
