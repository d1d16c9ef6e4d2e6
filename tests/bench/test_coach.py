"""The checks of the coach at length: that they run, hold on few cases, and notice what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

import msat
from bench import coach
from msat.coach.marks import Mark
from tests.conftest import JIT


@pytest.mark.parametrize("name", ["marks", "numbers", "hints", "endgames", "sums"])
def test_few_cases_hold(name: str) -> None:
    holds, text = coach.CHECKS[name][0](4)
    assert holds, text


@pytest.mark.skipif(not JIT, reason="hundreds of searches are too many for uncompiled kernels")
def test_perfect_play() -> None:
    holds, text = coach.perfect(4)
    assert holds, text


def test_what_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(board: msat.Board) -> dict[Any, Mark]:
        return dict.fromkeys(board.marked, Mark("proven", None))

    monkeypatch.setattr(msat, "judge_marks", judge)
    holds, text = coach.marks(4)
    assert not holds
    assert not text.endswith(" 0 wrong")


def test_all_but_one_way_is_told_apart() -> None:
    ways = coach.Ways(msat.Board.parse("?1?/??? 2"))
    assert ways.agreeing([(0, 1)]).sum() == 0
    assert ways.agreeing([(0, 1)], total=False).sum() == 5
    assert ways.agreeing([(0, 1)], marks=[(1, 1)], total=False).sum() == 1
