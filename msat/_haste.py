"""What lets numba compile our kernels faster, and changes nothing in what they answer.

Each of these was found by profiling all that a first hint compiles (383 functions), and holds only while a
kernel of ours is being compiled, under numba's own lock: other users of numba in the process see none of it.

- Python's collector of cycles is paused. It looked through all of LLVM's and numba's objects again and again,
  and found nothing: a tenth of the time.
- Two sets of flags are compared by what was set in one of them, not by every default. They are compared
  whenever the implementation of a function is looked up: a twelfth.
- Which signature of `+`, `getitem` or `len` fits given types is looked up once. Types are inferred until
  nothing changes any more, and each round asked again: 23,000 questions, 1,600 different ones. A tenth.
- What is said when arrays of different sizes are assigned to each other, which kernels never do, is a fixed
  text: numba compiled half of its strings to quote both shapes. A tenth.
- Nobody is told each time that LLVM is entered or left: 150,000 times, a twentieth. (What colours numba's
  errors, a fiftieth, is switched off by an environment variable where workers are started, in `_jit.py`.)
- An index is taken as it is, not from the end if it is negative (`_compiler.py` tells why): less to compile.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event, targetconfig, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.types import functions
from numba.extending import overload
from numba.np import arrayobj

__all__ = ["hasten"]

# Classes of numba, whose types some versions tell and some do not.
ConfigStack: Any = targetconfig.ConfigStack
TargetConfig: Any = targetconfig.TargetConfig
BaseFunction: Any = functions.BaseFunction

_usual_equal: Callable[[Any, Any], Any] = TargetConfig.__eq__
_usual_hash: Callable[[Any], int] = TargetConfig.__hash__
_usual_call_type: Callable[..., Any] = BaseFunction.get_call_type

_depth = [0]  # a kernel that is compiled has others compiled
_hashes: dict[type, int] = {}
_signatures: dict[tuple[Any, ...], Any] = {}


def _equal(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return _usual_equal(self, other)
    mine, others = self._values, other._values
    return mine == others or all(getattr(self, k) == getattr(other, k) for k in {**mine, **others})


def _hash(self: Any) -> int:  # of the names of the flags only, as numba has it
    kind = type(self)
    if kind not in _hashes:
        _hashes[kind] = _usual_hash(self)
    return _hashes[kind]


def _call_type(self: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    if kws:
        return _usual_call_type(self, context, args, kws)
    question = (self, context, args, ConfigStack.top_or_none())
    found = _signatures.get(question)
    if found is None:
        found = _signatures[question] = _usual_call_type(self, context, args, kws)
    return found


def _refuse(shape: Any, other: Any) -> None:
    """Stands for what is said when arrays of these shapes are assigned to each other."""


@overload(_refuse)  # type: ignore[untyped-decorator]
def _refuse_briefly(shape: Any, other: Any) -> Callable[[Any, Any], None]:
    def refuse(shape: Any, other: Any) -> None:
        raise ValueError("arrays of different sizes cannot be assigned to each other")

    return refuse


_usual_refuse: Any = arrayobj.raise_with_shape_context


_usual_index: Callable[..., Any] = arrayobj.fix_integer_index


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    if kind.signed and builder.function.name.startswith("_ZN4msat"):
        return context.cast(builder, index, kind, types.intp)
    return _usual_index(context, builder, kind, index, size)


_LOCKS = ("numba:llvm_lock", "numba:compiler_lock")
_usual_start: Callable[..., None] = event.start_event
_usual_end: Callable[..., None] = event.end_event


def _start(kind: str, data: Any = None) -> None:
    if kind not in _LOCKS:
        _usual_start(kind, data)


def _end(kind: str, data: Any = None, exc_details: Any = None) -> None:
    if kind not in _LOCKS:
        _usual_end(kind, data, exc_details)


@contextmanager
def _haste() -> Iterator[None]:
    with global_compiler_lock:
        if _depth[0]:
            yield
            return
        collecting = gc.isenabled()
        gc.disable()
        TargetConfig.__eq__, TargetConfig.__hash__ = _equal, _hash
        BaseFunction.get_call_type = _call_type
        arrayobj.raise_with_shape_context = _refuse
        arrayobj.fix_integer_index = _index
        event.start_event, event.end_event = _start, _end
        _depth[0] += 1
        try:
            yield
        finally:
            _depth[0] -= 1
            TargetConfig.__eq__, TargetConfig.__hash__ = _usual_equal, _usual_hash
            BaseFunction.get_call_type = _usual_call_type
            arrayobj.raise_with_shape_context = _usual_refuse
            arrayobj.fix_integer_index = _usual_index
            event.start_event, event.end_event = _usual_start, _usual_end
            if collecting:
                gc.enable()


def hasten(compiled: Any) -> None:
    """Let a kernel be compiled in haste, whenever that is."""
    usual = compiled.compile

    def compile_it(signature: Any) -> Any:
        with _haste():
            try:
                return usual(signature)
            except BaseException:  # Ctrl-C, say: whoever waits for it may compile it now
                compiled._cache.give_up()
                raise

    compiled.compile = compile_it
