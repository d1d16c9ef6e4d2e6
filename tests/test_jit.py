"""What a person is told while kernels are compiled, and how compiled kernels are kept."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from msat import _jit, _kernel_cache
from msat.engines.rules.deductions import deductions
from tests.conftest import JIT


def compiling(function: Any) -> Any:
    """The event that numba sends before it compiles a function."""
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def test_a_person_is_told_once_where_compiling_takes_its_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notice = _jit.Notice()
    times = iter([10.0, 10.5, 11.5, 20.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    for _ in range(2):
        notice.on_start(compiling(deductions))
        notice.on_end(compiling(deductions))
    assert capsys.readouterr().err == ""
    notice.on_start(compiling(deductions))
    assert capsys.readouterr().err.startswith("msat: compiling more of its kernels, once on this machine (")
    notice.on_start(compiling(deductions))
    assert capsys.readouterr().err == ""


def test_functions_of_others_are_none_of_our_business(capsys: pytest.CaptureFixture[str]) -> None:
    notice = _jit.Notice()
    notice.on_start(compiling(SimpleNamespace))
    notice._began = 0.0
    notice.on_start(compiling(SimpleNamespace))
    assert capsys.readouterr().err == ""


ANSWER = "import msat; print(msat.probabilities([[-1, 1], [-1, -1]], mines=1).sum())"


def answered(folder: Path) -> str:
    """The answer of a fresh process whose kernels are kept in `folder`."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", ANSWER], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not JIT, reason="nothing is compiled, so nothing is kept")
def test_kernels_that_are_damaged_or_missing_are_compiled_anew(tmp_path: Path) -> None:
    good = answered(tmp_path)
    kept = sorted((tmp_path / "msat-kernels").iterdir())
    whole = {file: file.read_bytes() for file in kept}
    # A caller finds what is compiled apart by a name that does not depend on when it was compiled.
    called = [file for file in kept if ".forward.forward-" in file.name or ".order.cheapest" in file.name]
    assert len(called) == 2
    called[0].unlink()
    called[1].write_bytes(whole[called[1]][:-100])
    roots = [file for file in kept if ".answer.answer-" in file.name]
    roots[0].write_bytes(whole[roots[0]][:2000] + b"\0" + whole[roots[0]][2001:])
    assert answered(tmp_path) == good
    for file in (*called, *roots):
        assert len(file.read_bytes()) > len(whole[file]) - 5000  # there again, and whole


def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    assert _kernel_cache._is_private(folder)
    folder.chmod(0o777)
    assert not _kernel_cache._is_private(folder)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert not _kernel_cache._is_private(link)


def test_a_digest_covers_what_a_kernel_is_made_of() -> None:
    closure = _kernel_cache._imports("msat.engines.counting._kernels.answer")
    assert "msat.engines.counting._kernels.forward" in closure
    assert "msat.strategies._kernels.game" in _kernel_cache._imports("msat.strategies._kernels.turns")
    digests = {
        _kernel_cache.source_digest(f"msat.engines.counting._kernels.{name}") for name in ("tape", "order")
    }
    assert len(digests) == 2
