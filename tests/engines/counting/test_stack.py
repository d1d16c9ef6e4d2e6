"""Stacks of boards: the answers of single calls, for any number of threads; errors name the board."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

import msat
from msat._jit import is_compiled
from msat.bench.positions import stuck
from msat.board import Board
from msat.engines.counting import stack as stack_module
from msat.engines.counting._kernels.stack import answer_boards
from tests.conftest import scaled

pytestmark = pytest.mark.kernel

HIDDEN_ROW = [-1, -1, -1]


def positions(count: int) -> tuple[Any, Any]:
    """Intermediate positions as a stack, and their totals."""
    found = list(islice(stuck(16, 16, 40), count))
    return np.stack([array for array, _ in found]), np.array([mines for _, mines in found])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_stack_has_the_answers_of_single_calls(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack_module, "PORTION", 3 * 256)
    boards, mines = positions(scaled(40))
    expected = [msat.probabilities(board, int(total)) for board, total in zip(boards, mines, strict=True)]
    found = msat.probabilities(boards, mines, threads=threads)
    assert found.tobytes() == np.stack(expected).tobytes()


def test_one_total_is_for_all() -> None:
    boards, _ = positions(3)
    expected = [msat.probabilities(board, 40) for board in boards]
    for total in (40, np.int16(40), [40, 40, 40]):
        assert np.array_equal(msat.probabilities(boards, total), np.stack(expected), equal_nan=True)


def test_totals_are_those_of_the_boards() -> None:
    totals = np.arange(10)
    found = msat.probabilities(np.full((10, 3, 3), -1, np.int8), totals)
    assert found[:, 0, 0] == pytest.approx(totals / 9)


def test_stacks_of_all_kinds_of_arrays() -> None:
    rows = [[-1, 1, -1], [-1, -1, -1]]
    expected = msat.probabilities(rows, 1)
    frozen = np.array([rows, rows], np.int8)
    frozen.flags.writeable = False
    kinds: list[Any] = [
        [rows, rows],
        [np.array(rows), np.array(rows)],
        np.array([rows, rows], np.int64),
        np.array([rows, rows], np.float64),
        np.array([rows] * 4, np.int8)[::2],
        np.asfortranarray([rows, rows]),
        frozen,
    ]
    for kind in kinds:
        found = msat.probabilities(kind, 1)
        assert np.array_equal(found, [expected, expected], equal_nan=True)
    assert msat.probabilities(np.empty((0, 2, 3), np.int8), 1).shape == (0, 2, 3)
    assert msat.probabilities(np.empty((0, 2, 3), np.int8), []).shape == (0, 2, 3)


def test_the_error_of_a_stack_names_the_board_and_says_the_same() -> None:
    good, bad = [[-1, 1, -1]], [[-1, 3, -1]]
    with pytest.raises(msat.InconsistentBoard) as alone:
        msat.probabilities(bad, 1)
    for threads in (1, 2):
        with pytest.raises(msat.InconsistentBoard) as caught:
            msat.probabilities([good, good, bad, good, bad], 1, threads=threads)
        assert str(caught.value) == f"board 2 of the stack: {alone.value}"
        assert caught.value.clues == alone.value.clues == {(0, 1)}


@pytest.mark.parametrize(
    ("boards", "mines", "message"),
    [
        ([[HIDDEN_ROW], [[-1, 9, -1]]], 1, "board 1 of the stack: "),
        ([[HIDDEN_ROW], [[-1, 0.5, -1]]], 1, "board 1 of the stack: "),
        ([[HIDDEN_ROW], [HIDDEN_ROW, HIDDEN_ROW]], 1, "the boards of a stack have one size"),
        (np.array([[HIDDEN_ROW], [[-1, 9, -1]]], np.int8), 1, "board 1 of the stack: "),
        ([[HIDDEN_ROW]] * 2, 4, "4 mines do not fit a 1×3 board"),
        ([[HIDDEN_ROW]] * 2, [1, 4], "board 1 of the stack: 4 mines do not fit a 1×3 board"),
        ([[HIDDEN_ROW]] * 2, [1, -1], "board 1 of the stack: -1 mines do not fit"),
        ([[HIDDEN_ROW]] * 2, [1, 1.5], "board 0 of the stack: mines=1.0 is not a whole number"),
        ([[HIDDEN_ROW]] * 2, [1, 1, 1], "mines=… has 3 totals for a stack of 2 boards: give one, or 2"),
        ([[HIDDEN_ROW]] * 2, True, "mines=True is not a whole number"),
        (np.empty((2, 0, 3), np.int8), 0, "no board is 0×3"),
    ],
)
def test_what_is_no_stack_is_refused(boards: Any, mines: Any, message: str) -> None:
    with pytest.raises(msat.BoardError) as caught:
        msat.probabilities(boards, mines)
    assert str(caught.value).startswith(message)


def test_threads_are_a_number() -> None:
    with pytest.raises(msat.ParameterError, match="threads=0: expected a whole number from 1 to"):
        msat.probabilities([[HIDDEN_ROW]], 1, threads=0)


def test_a_budget_is_for_all_boards() -> None:
    with pytest.raises(msat.BudgetExceeded, match="board 0 of the stack is not answered within 0 seconds"):
        msat.probabilities([[HIDDEN_ROW]], 1, budget=0.0)


def test_boards_that_the_fast_path_leaves_open_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those are whose tape would be too long: here all are said to be."""
    boards, mines = positions(2)
    expected = msat.probabilities(boards, mines)

    def none(*arguments: Any) -> None:
        arguments[6][:] = 5

    monkeypatch.setattr(stack_module, "answer_boards", none)
    assert np.array_equal(msat.probabilities(boards, mines), expected, equal_nan=True)


def test_an_error_in_a_thread_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise MemoryError("none left")

    monkeypatch.setattr(stack_module, "answer_boards", broken)
    monkeypatch.setattr(stack_module, "PORTION", 3)
    with pytest.raises(msat.BudgetExceeded, match="needs more memory than there is"):
        msat.probabilities([[HIDDEN_ROW]] * 4, 1, threads=2)


def test_many_boards_of_several_sizes_are_analysed_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.batch.TOGETHER_CELLS", 2 * 256)
    boards, mines = positions(6)
    batch = [Board.from_array(board, int(total)) for board, total in zip(boards, mines, strict=True)]
    batch[2:2] = [Board.parse("?1? 1"), Board.parse("?2?/??? 2")]
    for workers in (1, 2):
        found = msat.analyze_many(batch, workers=workers)
        for analysis, board in zip(found, batch, strict=True):
            alone = msat.analyze(board)
            assert analysis.board is board
            assert analysis.probability.tobytes() == alone.probability.tobytes()
            assert (analysis.safe, analysis.mined) == (alone.safe, alone.mined)
            assert analysis.probability.base is None, "who keeps one analysis keeps no others"
        assert [analysis.solutions for analysis in found[2:4]] == [2, msat.analyze(batch[3]).solutions]


def test_a_batch_refuses_a_budget_that_is_none() -> None:
    with pytest.raises(msat.ParameterError, match="budget=-1"):
        msat.analyze_many([Board.parse("?1? 1")], budget=-1)


def test_other_threads_run_beside_it() -> None:
    if is_compiled():
        assert answer_boards.targetoptions["nogil"]  # type: ignore[attr-defined]
    else:
        assert not hasattr(answer_boards, "targetoptions")
