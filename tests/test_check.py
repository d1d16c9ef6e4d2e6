"""Checked answers: right ones pass, and whatever an engine gets wrong is noticed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import msat
from msat import check as check_module
from msat.board import Board
from msat.engines.counting import engine as counting
from msat.engines.counting._kernels.answer import COMPONENT, OPEN, PROVEN_MINE, PROVEN_SAFE
from msat.engines.counting.engine import Counted, count_array
from msat.engines.solvers import sat
from msat.errors import BudgetExceeded, CheckFailed, InconsistentBoard
from tests.conftest import JIT, scaled
from tests.support.oracle import counts
from tests.support.positions import scattered, small_boards

pytestmark = pytest.mark.kernel

BOARD = Board.parse("1???/???? 2")  # nothing is forced here …
FORCED = Board.parse("??1/3?2/??? 3")  # … and here r2c1 is a mine and r2c2 is safe


@pytest.mark.parametrize("engine", ["auto", "counting", "sat", "cpsat"])
def test_right_answers_pass(engine: str) -> None:
    for board in small_boards(scaled(20 if engine == "cpsat" else 100), 61, most_hidden=12):
        if not counts(board)[0]:
            with pytest.raises(InconsistentBoard):
                msat.analyze(board, engine, check=True)
            continue
        expected = msat.analyze(board)
        checked = msat.analyze(board, engine, check=True)
        assert (checked.safe, checked.mined) == (expected.safe, expected.mined)


@pytest.mark.parametrize("share", [0.6, 0.95])
def test_right_answers_on_expert_boards_pass(share: float) -> None:
    if not JIT:
        pytest.skip("too large for uncompiled kernels")
    for seed in range(3):
        board = scattered(16, 30, 99, share, seed=seed)
        assert msat.analyze(board, check=True).safe == msat.analyze(board).safe


def break_engine(monkeypatch: pytest.MonkeyPatch, damage: Callable[[Counted], Any]) -> None:
    """Let the counting engine answer, then damage its answer."""

    def damaged(*arguments: Any, **options: Any) -> Counted:
        found = count_array(*arguments, **options)
        changed = damage(found)
        return changed if isinstance(changed, Counted) else found

    monkeypatch.setattr(counting, "count_array", damaged)


def set_verdict(cell: tuple[int, int], verdict: int) -> Callable[[Counted], None]:
    def damage(found: Counted) -> None:
        found.verdict[cell] = verdict

    return damage


@pytest.mark.parametrize(
    ("board", "cell", "verdict", "complaint"),
    [
        (BOARD, (0, 1), PROVEN_SAFE, r"r0c1 is said to be safe, but a mine there is possible"),
        (BOARD, (1, 3), PROVEN_MINE, r"r1c3 is said to be a mine, but no mine there is possible"),
        (FORCED, (2, 2), PROVEN_MINE, r"r2c2 is said to be a mine, but no mine there is possible"),
        (FORCED, (2, 1), OPEN, r"r2c1 is said to be open, but is always a mine"),
        (FORCED, (2, 2), OPEN, r"r2c2 is said to be open, but is no mine"),
        (FORCED, (0, 2), PROVEN_SAFE, r"r0c2 is said to be forced, but is not hidden"),
    ],
)
def test_a_wrong_verdict_is_noticed(
    monkeypatch: pytest.MonkeyPatch, board: Board, cell: tuple[int, int], verdict: int, complaint: str
) -> None:
    break_engine(monkeypatch, set_verdict(cell, verdict))
    msat.analyze(board)  # unchecked, nobody notices
    with pytest.raises(CheckFailed, match=complaint) as info:
        msat.analyze(board, check=True)
    position = str(info.value).partition("please report ")[2]
    assert Board.parse(position) == board, "the error prints the position"


def test_a_wrong_probability_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def damage(found: Counted) -> None:
        found.probability[0, 1] += 1e-6

    break_engine(monkeypatch, damage)
    with pytest.raises(
        CheckFailed, match=r"r0c1 was given a probability of 0\.33333\d*, and 0\.33333\d* by sat"
    ):
        msat.analyze(BOARD, check=True)


@pytest.mark.parametrize(("engine", "second"), [("auto", "sat"), ("sat", "counting"), ("cpsat", "counting")])
def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch, engine: str, second: str) -> None:
    class Wrong:
        solutions = 11

        def probability(self, r: int, c: int) -> Fraction:
            return Fraction(1, 3)

    module = sat if second == "sat" else counting
    monkeypatch.setattr(module, "count", lambda *_, **__: Wrong())
    with pytest.raises(CheckFailed, match=f"12 layouts were counted, and 11 by {second}: please report"):
        msat.analyze(BOARD, engine, check=True)


def test_a_contradiction_that_is_none_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    break_engine(monkeypatch, lambda found: found._replace(status=COMPONENT))
    monkeypatch.setattr(counting, "contradiction", lambda *_: InconsistentBoard("made up"))
    with pytest.raises(CheckFailed, match="said to contradict itself, but there is a layout"):
        msat.analyze(BOARD, check=True)


def test_a_board_with_nothing_hidden() -> None:
    assert msat.analyze(Board.parse("*1/11 1"), check=True).solutions == 1
    with pytest.raises(InconsistentBoard):
        msat.analyze(Board.parse("*1/12 1"), check=True)


def test_a_witness_that_does_not_agree_with_the_board_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def layouts(*_: object) -> Any:
        yield frozenset({(0, 1), (0, 2)})  # as it happens, a layout …
        yield frozenset({(0, 2), (0, 3)})  # … and none, since r0c0 sees no mine

    monkeypatch.setattr(check_module._LayoutFinder, "layouts", layouts)
    with pytest.raises(CheckFailed, match=r"mines at \[\(0, 2\), \(0, 3\)\] were taken for a layout"):
        msat.analyze(BOARD, check=True)


def test_a_budget_that_does_not_suffice_leaves_the_library_usable() -> None:
    board = scattered(16, 30, 99, 0.6, seed=1) if JIT else FORCED
    with pytest.raises(BudgetExceeded):
        msat.analyze(board, budget=1e-9, check=True)
    assert np.isfinite(float(msat.analyze(FORCED, check=True).probability[0, 0]))


def test_an_error_of_a_check_is_an_assertion_error() -> None:
    assert issubclass(CheckFailed, AssertionError)
    assert issubclass(CheckFailed, msat.MsatError)
