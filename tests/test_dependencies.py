"""What msat uses of other packages that they do not promise: each has an upper bound and a test here.

When a newer version comes out: install it, run this file and the tests of what it names, raise the bound.
"""

from __future__ import annotations

import io
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packaging.requirements import Requirement

import msat
from msat import _compiler, _kernel_cache
from msat._jit import unowned
from tests.conftest import JIT
from tests.test_layers import imported

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CORE = {need.name: need for need in map(Requirement, PROJECT["dependencies"])}


def is_internal(name: str) -> bool:
    """Whether a dotted name of another package is one that its authors keep to themselves."""
    package, *inner = name.split(".")
    hidden = any(part.startswith("_") or part.endswith("_impl") for part in inner)
    return hidden or (package == "numba" and "core" in inner)


def test_whose_internals_are_used_has_an_upper_bound() -> None:
    used = {
        name.split(".")[0]
        for file in Path(msat.__file__).parent.rglob("*.py")
        for name in imported(file.read_text("utf-8"), "msat")
        if is_internal(name) and not name.startswith(("msat", "__future__"))
    }
    assert used == {"numba", "rich", "uvicorn"}
    for name in used | {"python-sat"}:  # of which it matters when it leaves Ctrl-C alone
        need = CORE[name]
        assert "<" in {bound.operator for bound in need.specifier}, f"{need} has no upper bound"


@pytest.mark.parametrize("need", CORE.values(), ids=str)
def test_what_is_installed_is_within_the_bounds(need: Requirement) -> None:
    assert need.specifier.contains(version(need.name), prereleases=True)


def step(x: int) -> int:
    return x * 3 + 1


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_numba_can_be_told_to_call_a_kernel_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that `_compiler.py` changes in numba has its effect."""
    home = "msat.problem._kernels.boxes"  # a module whose file can be read for a digest
    kept: dict[str, bytes] = {}
    monkeypatch.setattr(_kernel_cache, "write", kept.__setitem__)
    monkeypatch.setattr(_kernel_cache, "read", kept.get)
    monkeypatch.setattr(_kernel_cache, "claim", lambda name: True)
    monkeypatch.setattr(step, "__module__", home)
    called: Any = _compiler.compile_kernel(step, {}, apart=True)
    monkeypatch.setattr(f"{home}.step", called, raising=False)

    def twice(x: int) -> int:
        return int(called(x) + called(2))

    twice.__module__ = home
    caller: Any = _compiler.compile_kernel(twice, {}, apart=False)
    assert caller(5) == 23
    assert len(called.signatures) == 1, "a constant is compiled for itself"
    assert {"step", "twice"} <= {name.partition("-")[0].rpartition(".")[2] for name in kept}, "not our files"
    (compiled,) = caller.overloads.values()
    assert {load.name for load in compiled.library._reload_init} == {"step"}, "a caller forgets what it calls"
    machine_code = compiled.library.get_llvm_str()
    apart = rf"^declare .*step\w*{_kernel_cache.source_digest(home)}"
    assert re.search(apart, machine_code, re.MULTILINE), "a callee became a part of its caller"

    again: Any = _compiler.compile_kernel(twice, {}, apart=False)
    again.compile(tuple(compiled.signature.args))
    (loaded,) = again.overloads.values()
    assert {load.name for load in loaded.reload_init} == {"step"}, "what is kept forgets what it calls"


def assign(array: Any) -> None:
    array[:2] = array[2:].copy()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_numba_can_be_hastened(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `_haste.py` changes has its effect: arrays are assigned without strings, no lock is told of."""
    from numba.core import event

    monkeypatch.setattr(_kernel_cache, "write", lambda name, data: None)
    monkeypatch.setattr(_kernel_cache, "read", lambda name: None)
    monkeypatch.setattr(_kernel_cache, "claim", lambda name: True)
    monkeypatch.setattr(assign, "__module__", "msat.problem._kernels.boxes")
    kernel: Any = _compiler.compile_kernel(assign, {}, apart=True)
    array = np.arange(4)
    with (
        event.install_recorder("numba:compile") as made,
        event.install_recorder("numba:llvm_lock") as locks,
    ):
        kernel(array)
    assert array.tolist() == [2, 3, 2, 3]
    modules = {told.data["dispatcher"].py_func.__module__ for _, told in made.buffer}
    assert not any("unicode" in name for name in modules), "strings are compiled to tell of shapes"
    assert len(locks.buffer) < 100, "each time that LLVM is entered somebody is told"


def busy(numbers: Any, size: int, at: int) -> float:
    """Too much to be put in the place of each of its calls."""
    total = 0.0
    for i in range(size):
        for j in range(i, size):
            total = total * 0.5 + (numbers[at] if (i ^ j) & 3 else float(i * j))
            while total > 9.0:
                total = total % 7.0 - 1.0 if i % 3 else total % 5.0 - 2.0
        for j in range(size - i):
            total += np.sin(total) if (i + j) % 5 else np.cos(total) * np.exp(-total * total)
    return total


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_kernels_do_without_what_numba_does_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are nobody else's, an index is no place from the end, and references are not counted."""
    monkeypatch.setattr(_kernel_cache, "write", lambda name, data: None)
    monkeypatch.setattr(_kernel_cache, "read", lambda name: None)
    monkeypatch.setattr(_kernel_cache, "claim", lambda name: True)
    monkeypatch.setattr(busy, "__module__", "msat.problem._kernels.boxes")
    part: Any = _compiler.compile_kernel(busy, {"boundscheck": True}, apart=False)

    def twice(numbers: Any, at: int) -> float:
        mine = unowned(numbers)
        return float(part(mine[1:], 9, at) + part(mine[2:], 7, at))

    twice.__module__ = busy.__module__
    numbers = np.arange(5.0)
    caller: Any = _compiler.compile_kernel(twice, {"boundscheck": True}, apart=True)
    assert caller(numbers, 1) == busy(numbers[1:], 9, 1) + busy(numbers[2:], 7, 1)
    with pytest.raises(IndexError):
        caller(numbers, -1)
    (compiled,) = caller.overloads.values()
    code = compiled.library.get_llvm_str()
    assert "NumbaEnv" in code
    assert not re.search(r"^define linkonce_odr .*busy", code, re.MULTILINE), "others might call a part"
    assert "NRT_incref(" not in code.partition("cpython")[0], "references are counted"


def test_python_sat_asks_whether_it_is_in_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """In another thread, where `msat/interrupting.py` calls it, it leaves Ctrl-C to Python."""
    import pysat._utils
    import pysat.card
    import pysat.solvers

    with ThreadPoolExecutor(1) as other:
        assert other.submit(pysat._utils.MainThread.check).result() is False
    asked = []

    class Asked:
        @staticmethod
        def check() -> bool:
            asked.append("once")
            return False

    monkeypatch.setattr(pysat.solvers, "MainThread", Asked)
    monkeypatch.setattr(pysat.card, "MainThread", Asked)
    pysat.card.CardEnc.atmost([1, 2, 3], 1, encoding=pysat.card.EncType.seqcounter)
    assert len(asked) == 1
    with pysat.solvers.Solver("glucose4", bootstrap_with=[[1], [-1, 2]]) as solver:
        assert solver.solve()
        assert len(asked) == 2
        solver.conf_budget(100)
        assert solver.solve_limited()
        assert len(asked) == 3


def test_rich_draws_by_a_form_that_can_be_changed() -> None:
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console

    from msat.tui.svg import without_web_fonts

    assert "@font-face" in CONSOLE_SVG_FORMAT
    console = Console(record=True, file=io.StringIO(), width=20)
    console.print("seven")
    drawn = console.export_svg(code_format=without_web_fonts(CONSOLE_SVG_FORMAT))
    assert "seven" in drawn
    assert "@font-face" not in drawn
    assert "url(https" not in drawn.replace('"', "")


def test_uvicorn_speaks_http_by_a_protocol_that_can_be_extended() -> None:
    """What `msat/service/connection.py` overrides and calls is there, and is called by the same names."""
    from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

    assert STATUS_LINE[200] == b"HTTP/1.1 200 OK\r\n"
    source = (Path(msat.__file__).parent / "service" / "connection.py").read_text("utf-8")
    overridden = set(re.findall(r"super\(\)\.(\w+)\(", source)) - {"__init__"}
    assert overridden
    for name in overridden:
        assert hasattr(HttpToolsProtocol, name), f"HttpToolsProtocol has no {name} any more"
