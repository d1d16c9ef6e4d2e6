"""What a person is told while kernels are compiled."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from msat import _jit
from msat.engines.rules.deductions import deductions


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
