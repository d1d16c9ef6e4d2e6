"""Random traces of the API: the same ones every time, and a fault that is planted to be found."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import msat
from tests.conftest import scaled
from tests.fuzz.traces import CALLS, Failed, Step, make, run, shrink


@pytest.mark.parametrize("seed", range(scaled(40)))
def test_traces(seed: int) -> None:
    try:
        run(make(Random(seed), 25))
    except Failed as failed:
        raise shrink(failed) from None


@pytest.mark.parametrize("call", CALLS)
def test_every_call_is_made(call: str) -> None:
    draw = Random(call)
    for _ in range(10):
        boards = [Step("new_board", (draw.randrange(99), draw.randrange(99), k)) for k in range(3)]
        run([*boards, Step("analyze", (1, 0, 1)), Step(call, (draw.randrange(99), draw.randrange(99), 5))])


def test_a_planted_fault_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        """An analysis that tells another number of solutions for boards with two mines."""

        def __init__(self, found: Any) -> None:
            self._found = found

        def __getattr__(self, name: str) -> Any:
            value = getattr(self._found, name)
            return value + 1 if name == "solutions" and self._found.board.mines == 2 else value

    right = msat.analyze
    monkeypatch.setattr(msat, "analyze", lambda *a, **o: Wrong(right(*a, **o)))
    steps = [step for seed in range(20) for step in make(Random(seed), 25)]
    with pytest.raises(Failed) as caught:
        run(steps)
    small = shrink(caught.value)
    assert len(small.steps) <= 3
    assert "AssertionError" in small.what
