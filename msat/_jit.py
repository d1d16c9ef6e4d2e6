"""The decorators of every compiled kernel. Nothing else imports numba, but `_kernel_cache.py`.

Numba makes every callee a part of its callers and optimises it once more in each of them: a kernel at the top
of a chain of calls is compiled with everything below it, and that again in every other chain. That took two
thirds of the time to compile, for little: calls that are made once a microsecond need not be inlined. So a
kernel may be set `apart`: it is compiled once and called by its name. Small steps of inner loops are not.

Compiling takes a while, once per machine, for each kernel when it is first called. If a person is watching
(stderr is a terminal) they are told: at once the very first time, later on if it takes more than a moment.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, TypeVar, overload

import numba
from numba.core import event as events
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import Compiler
from numba.core.untyped_passes import ExtractByteCode

from msat._kernel_cache import KernelCache, cache_folder, source_digest

__all__ = ["kernel", "leaf"]

F = TypeVar("F", bound=Callable[..., Any])

MOMENT = 1.0
"""Seconds of compiling that nobody needs to be told about."""


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


def _watch() -> None:
    """See to it that a person who watches is told."""
    if numba.config.DISABLE_JIT or sys.stderr is None or not sys.stderr.isatty():
        return
    folder = cache_folder()
    if folder is None or not folder.is_dir() or next(folder.iterdir(), None) is None:
        _tell("its kernels")
    else:
        events.register("numba:compile", Notice())


_watch()


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, apart: bool = False, inlined: bool = False) -> Callable[[F], F]: ...


def kernel(function: F | None = None, *, apart: bool = False, inlined: bool = False) -> F | Callable[[F], F]:
    """Compile `function` with numba, without Python objects, and keep the result on disk.

    With `apart` it is compiled once and called; otherwise it becomes a part of every kernel that calls it, as
    a function there or, always if it is `inlined`, in the place of the call. A call hands over every field of
    every array in a tuple, some two hundred numbers for a problem and a tape: a step that is split off for
    its readers, and made for every box, is better inlined.
    """
    options = {"forceinline": inlined}
    return _decorator(options, apart) if function is None else _compiled(function, options, apart)


@overload
def leaf(function: F) -> F: ...
@overload
def leaf(*, apart: bool = False, inlined: bool = False) -> Callable[[F], F]: ...


def leaf(function: F | None = None, *, apart: bool = False, inlined: bool = False) -> F | Callable[[F], F]:
    """A `kernel` that makes no arrays, nor calls one that does: compiled without counting references.

    Numba counts the references to every array that is passed to a function or taken from a tuple, with
    atomic operations. For an inner step of a pass, given a dozen arrays, these took longer than its work.
    """
    options = {"_nrt": False, "forceinline": inlined}
    return _decorator(options, apart) if function is None else _compiled(function, options, apart)


def _decorator(options: dict[str, Any], apart: bool) -> Callable[[F], F]:
    return lambda function: _compiled(function, options, apart)


def _compiled(function: F, options: dict[str, Any], apart: bool) -> F:
    compiled: Any = numba.njit(error_model="numpy", pipeline_class=_NamedCompiler, **options)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(function)
        _take_literals_as_numbers(compiled)
        if apart:
            _set_apart(compiled)
    made: F = compiled
    return made


class _NamedCompiler(Compiler):  # type: ignore[misc]  # numba has no types
    """Names a kernel by its source instead of by a running number: a caller on disk finds it by that name."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """What the base class does, with a name of our own."""
        identity = FunctionIdentity.from_function(func)
        identity.unique_id = source_digest(func.__module__)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        self.state.func_id = identity
        ExtractByteCode().run_pass(self.state)
        self.state.lifted = ()
        self.state.lifted_from = None
        return self._compile_bytecode()


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


class _Load(NamedTuple):
    """Brings a kernel into the process; stored with its callers, whose code needs it there before theirs."""

    module: str
    name: str
    signature: tuple[Any, ...]

    def __call__(self) -> None:
        """Read the kernel from disk, or compile it."""
        getattr(import_module(self.module), self.name).compile(self.signature)


def _set_apart(compiled: Any) -> None:
    """Let kernels that call this one do so by its name, instead of taking its code into theirs."""
    usual = compiled.add_overload
    context = compiled.targetctx

    def add_overload(result: Any) -> None:
        usual(result)
        inner = context._defns[result.entry_point].versions[0][1]
        load = _Load(compiled.py_func.__module__, compiled.py_func.__name__, tuple(result.signature.args))

        def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            context.active_code_library._reload_init.add(load)
            return inner(context, builder, signature, args)

        call.signature = inner.signature  # type: ignore[attr-defined]
        call.libs = ()  # type: ignore[attr-defined]  # what would be linked into the caller
        context.remove_user_function(result.entry_point)
        context._defns[result.entry_point].append(call, call.signature)  # type: ignore[attr-defined]

    compiled.add_overload = add_overload
