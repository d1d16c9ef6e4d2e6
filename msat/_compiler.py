"""How kernels become machine code: the only module that imports numba, loaded when it is first needed.

Numba makes every callee a part of its callers and optimises it once more in each of them: a kernel at the top
of a chain of calls is compiled with everything below it, and that again in every other chain. That took two
thirds of the time to compile, for little: calls that are made once a microsecond need not be inlined. So a
kernel may be set *apart*: it is compiled once and called by its name. The others are *parts*: only kernels
call them. Of a part nothing is kept but what its callers take in, LLVM's bitcode: it gets no machine code of
its own, and none to be called from Python, with which every field of every array in a tuple would be
unpacked. Machine code and wrappers of parts took a third of the time to compile. Kernels apart that only
others call (`inside`) have no such wrapper either.

What numba does for all its users, and kernels do without, cost a fifth of the time of an answer:

- It lets other code call the parts that a kernel has taken in, so each is handed every field of every array,
  a hundred numbers on the stack. Nobody else calls ours: they are handed what they use, or put in the place
  of their only call.
- It takes a negative index as one from the end, and asks at each access. Kernels have none: where indices
  are checked (NUMBA_BOUNDSCHECK), a negative one is an error, and all kernel tests run like that.
- It counts references to arrays; see `_jit.unowned`.

Several processes may compile at the same time (`warming.py`): each kernel is claimed by one of them, and the
others wait for what it writes.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numba
from llvmlite import binding as llvm
from llvmlite.ir import Constant
from numba.core import event as events
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.serialize import dumps
from numba.core.untyped_passes import ExtractByteCode
from numba.extending import intrinsic, overload

from msat import _kernel_cache
from msat._haste import hasten
from msat._jit import announce, unowned, waiting

__all__ = ["compile_kernel"]

F = TypeVar("F", bound=Callable[..., Any])

MOMENT = 1.0
"""Seconds of compiling that nobody needs to be told about."""

PAUSE = 0.05
"""Seconds between two looks at whether another process has compiled what is needed."""


class Notice(events.Listener):  # type: ignore[misc]  # numba has no types
    """Tells whoever waits, once, that kernels are being compiled that no earlier run needed."""

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
            announce()

    def on_end(self, event: events.Event) -> None:
        """Nothing is to be told at the end."""


class KernelCache(_Cache):  # type: ignore[misc]  # numba has no types
    """The files of one kernel: one for each signature (`_kernel_cache.py`)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        name = f"{function.__module__}.{function.__qualname__}".removeprefix("msat.")
        self._claimed: set[str] = set()
        self._name = f"{name}-{_kernel_cache.source_digest(function.__module__)}"

    @property
    def cache_path(self) -> str | None:
        """Where the files are."""
        folder = _kernel_cache.cache_folder()
        return None if folder is None else str(folder)

    def _file(self, signature: Any, context: Any) -> str:
        made_for = repr((signature, context.codegen().magic_tuple()))
        return f"{self._name}-{hashlib.sha256(made_for.encode()).hexdigest()[:16]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if it falls to this process to compile it."""
        target_context.refresh()
        file = self._file(sig, target_context)
        while True:
            data = _kernel_cache.read(file)
            if data is not None:
                try:
                    result = _rebuild(target_context, pickle.loads(data))
                    # What a kernel needs in the process, one needs as well that takes it into its code; numba
                    # tells that on only from kernels that it has just compiled itself.
                    result.library._reload_init.update(result.reload_init)
                    return result
                except Exception:  # whole, and yet none of ours: it is written anew
                    _kernel_cache.discard(file)
            if _kernel_cache.claim(file):
                self._claimed.add(file)
                return None
            time.sleep(PAUSE)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, if that is possible."""
        file = self._file(sig, data.target_context)
        _kernel_cache.write(file, dumps(data._reduce()))
        _kernel_cache.unclaim(file)
        self._claimed.discard(file)

    def give_up(self) -> None:
        """Let others compile what this process has failed to."""
        while self._claimed:
            _kernel_cache.unclaim(self._claimed.pop())

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """Not needed."""

    def flush(self) -> None:
        """Not needed: what has changed has another name."""


def compile_kernel(function: F, options: dict[str, Any], apart: bool, inside: bool = False) -> F:
    """`function` as a kernel that is compiled, or read from disk, when it is first called."""
    compiled: Any = numba.njit(
        error_model="numpy",
        nogil=apart,
        pipeline_class=_ApartCompiler if apart else _PartCompiler,
        no_cpython_wrapper=inside or not apart,
        no_cfunc_wrapper=True,
        **options,
    )(function)
    compiled._cache = KernelCache(function)
    hasten(compiled)
    _take_literals_as_numbers(compiled)
    if inside or not apart:
        _make_entry(compiled)
    if apart:
        _set_apart(compiled)
        _tell_waiting(compiled)
    made: F = compiled
    return made


class _NamedCompiler(Compiler):  # type: ignore[misc]  # numba has no types
    """Names a kernel by its source instead of by a running number: a caller on disk finds it by that name."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """What the base class does, with a name of our own."""
        identity = FunctionIdentity.from_function(func)
        identity.unique_id = _kernel_cache.source_digest(func.__module__)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        self.state.func_id = identity
        ExtractByteCode().run_pass(self.state)
        self.state.lifted = ()
        self.state.lifted_from = None
        return self._compile_bytecode()


class _Apart(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a kernel that is set apart, with all parts that it has taken in."""

    def _optimize_final_module(self) -> None:
        """Optimise it, knowing that nobody else calls its parts."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
        super()._optimize_final_module()


_NOBODY = SimpleNamespace(set_env=lambda name, environment: None)


class _Part(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a kernel that is only ever taken in by others: never made into machine code."""

    def _optimize_final_module(self) -> None:
        """Optimise it a little: what takes it in is optimised in full."""
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """Be ready to be taken in."""
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Who is told of the environment of a kernel: nobody, for there is no code that could need it."""
        return _NOBODY

    def get_pointer_to_function(self, name: str) -> int:
        """Where the machine code is: nowhere."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept on disk."""
        return self.name, "part", self._get_module_for_linking().as_bitcode()

    @classmethod
    def of(cls, codegen: Any, name: str, bitcode: bytes) -> _Part:
        """The part that was kept."""
        part = cls(codegen, name)
        part._final_module = part._shared_module = llvm.parse_bitcode(bitcode)
        part._finalize_final_module()
        return part


class _ApartCompiler(_NamedCompiler):
    """Compiles a kernel that others call by its name."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """What the base class does, for such a kernel."""
        self.state.library = _Apart(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class _PartCompiler(_NamedCompiler):
    """Compiles a kernel that only others take in."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """What the base class does, for such a kernel."""
        self.state.library = _Part(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


def _rebuild(target_context: Any, kept: tuple[Any, ...]) -> Any:
    """A compiled kernel from what was kept of it."""
    (name, kind, code), fndesc, environment, signature, objectmode, lifted, annotation, loads, others = kept
    if kind != "part":
        return CompileResult._rebuild(target_context, *kept)
    for load in loads:
        load()
    part = _Part.of(target_context.codegen(), name, code)
    return CompileResult(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=part,
        environment=environment,
        entry_point=target_context.get_executable(part, fndesc, environment),
        fndesc=fndesc,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=loads,
        referenced_envs=others,
    )


def _make_entry(compiled: Any) -> None:
    """Let calls of a part from Python go to a kernel of their own, made when there is one, that calls it.

    A part that is called that way often is better set apart.
    """
    function = compiled.py_func

    def entry(*args: Any) -> Any:
        return compiled(*args)

    entry.__module__ = function.__module__
    entry.__name__, entry.__qualname__ = f"{function.__name__}_entry", f"{function.__qualname__}_entry"
    made: list[Any] = []

    def find_entry(*args: Any, **kws: Any) -> Any:
        if not made:
            made.append(compile_kernel(entry, {}, apart=True))
        return made[0]

    def add_overload(result: Any) -> None:
        compiled.overloads[tuple(result.signature.args)] = result

    compiled.add_overload = add_overload
    compiled._compile_for_args = find_entry


def _tell_waiting(compiled: Any) -> None:
    """Note the time of a call from Python that first has to load or compile the kernel."""
    usual = compiled._compile_for_args

    def find(*args: Any, **kws: Any) -> Any:
        with waiting():
            return usual(*args, **kws)

    compiled._compile_for_args = find


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
        for environment in result._find_referenced_environments():  # of the parts that it has taken in
            result.library.codegen.set_env(environment.env_name, environment)
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


@intrinsic  # type: ignore[untyped-decorator]
def _without_owner(typing: Any, array: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = context.make_array(array)(context, builder, args[0])
        made.meminfo = Constant(made.meminfo.type, None)
        made.parent = Constant(made.parent.type, None)
        return made._getvalue()

    return array(array), make


@overload(unowned)  # type: ignore[untyped-decorator]
def _unowned(array: Any) -> Callable[[Any], Any]:
    def borrow(array: Any) -> Any:
        return _without_owner(array)

    return borrow


events.register("numba:compile", Notice())
