"""Memory that is used again for the next answer: nothing of one answer may get into another."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import Board
from msat.engines.counting import engine
from msat.engines.counting._kernels.answer import ANSWERED, answer
from msat.problem._kernels.workspace import new_workspace, take_bytes, take_floats, take_ints, take_longs
from tests.conftest import JIT, scaled
from tests.support.positions import scattered, small_boards

pytestmark = pytest.mark.kernel

GARBAGE = (0, -1, 0x5555555555555555)


def boards_of_all_sizes() -> list[Board]:
    """Small ones, and between them some that are larger each time: the last does not fit the workspace."""
    small = list(small_boards(scaled(60), seed=5))
    sizes = (8, 16, 30, 60, 120) if JIT else (8, 12)
    large = [scattered(n, n, n * n // 6, 0.6, seed=n) for n in sizes]
    step = len(small) // len(large)
    return [board for i, board in enumerate(large) for board in (board, *small[i * step : (i + 1) * step])]


def answer_in(board: Board, workspace: NDArray[np.int64]) -> tuple[int, bytes]:
    """Status and, if there are any, probabilities and verdicts, bit for bit."""
    probability, verdict = np.empty(board.shape), np.empty(board.shape, np.int8)
    status, _ = answer(board.to_array(), -2, board.mines, 9, probability, verdict, workspace)
    return int(status), probability.tobytes() + verdict.tobytes() if status == ANSWERED else b""


def test_what_is_taken_does_not_overlap_and_what_does_not_fit_is_allocated() -> None:
    workspace = new_workspace(12)
    taken: list[NDArray[Any]] = [take_bytes(workspace, 9), take_ints(workspace, 3), take_longs(workspace, 1)]
    taken += [take_floats(workspace, 7), take_longs(workspace, 8), take_bytes(workspace, 0)]
    assert [array.size for array in taken] == [9, 3, 1, 7, 8, 0]
    assert [np.shares_memory(array, workspace) for array in taken] == [True] * 4 + [False] * 2
    for i, array in enumerate(taken):
        array[:] = i
    assert [set(array.tolist()) for array in taken] == [{0}, {1}, {2}, {3}, {4}, set()]
    workspace[0] = 1
    assert np.shares_memory(take_longs(workspace, 2), taken[0])


@pytest.mark.parametrize("words", [0, 50, 400, 3000, engine.WORKSPACE])
def test_answers_do_not_depend_on_what_lies_in_the_workspace(words: int) -> None:
    workspace = new_workspace(words)
    for i, board in enumerate(boards_of_all_sizes()):
        workspace[1:] = GARBAGE[i % len(GARBAGE)]
        assert answer_in(board, workspace) == answer_in(board, new_workspace(0)), board


def test_results_stay_as_they_were_when_more_are_asked_for() -> None:
    asked = []
    for board in boards_of_all_sizes() * 2:
        for _ in range(3):  # of one shape in a row: some are made ahead
            found = engine.count_array(board.to_array(), board.mines)
            asked.append((found.probability, found.verdict, found.probability.copy(), found.verdict.copy()))
    for probability, verdict, before, verdict_before in asked:
        assert np.array_equal(probability, before, equal_nan=True)
        assert np.array_equal(verdict, verdict_before)
    arrays = [array for row in asked for array in row[:2]]
    assert len({array.ctypes.data for array in arrays}) == len(arrays)
    assert all(array.base is None for array in arrays)


@pytest.fixture
def impatient_threads() -> Iterator[None]:
    """Let threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("impatient_threads")
def test_threads_do_not_disturb_each_other() -> None:
    boards = [board for board in boards_of_all_sizes() if answer_in(board, new_workspace(0))[0] == ANSWERED]
    expected = [msat.probabilities(board.to_array(), board.mines) for board in boards]
    wrong: list[Board] = []

    def ask(first: int) -> None:
        for _ in range(scaled(10)):
            for i in range(len(boards)):
                at = (i + first) % len(boards)
                found = msat.probabilities(boards[at].to_array(), boards[at].mines)
                if not np.array_equal(found, expected[at], equal_nan=True):
                    wrong.append(boards[at])

    threads = [threading.Thread(target=ask, args=(5 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
