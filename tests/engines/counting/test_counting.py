"""The counting engine against the oracle, against itself by other ways, and at its limits."""

from __future__ import annotations

import os
import random
import signal
import textwrap
import threading
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import msat
from msat.board import HIDDEN, MINE, Board
from msat.deadline import Deadline
from msat.engines.counting import engine, resumable
from msat.engines.counting._kernels import answer as k
from msat.engines.counting._kernels import backward, combine, forward, order, replay, tape
from msat.engines.counting.exact import ExactCount
from msat.engines.counting.possible_totals import possible_totals
from msat.errors import BudgetExceeded, InconsistentBoard
from msat.problem._kernels.boxes import build
from msat.problem._kernels.workspace import new_workspace
from tests.conftest import FULL, JIT, scaled
from tests.support.clock import Clock
from tests.support.command import ended, hearing_ctrl_c, python
from tests.support.oracle import counts
from tests.support.positions import lattice, scattered, small_boards

pytestmark = pytest.mark.kernel


def agrees_with_oracle(board: Board) -> bool:
    """Compare every answer with the oracle's; False if the board has no layout (and msat says so)."""
    solutions, with_mine = counts(board)
    if solutions == 0:
        with pytest.raises(InconsistentBoard):
            msat.analyze(board)
        with pytest.raises(InconsistentBoard):
            msat.probabilities(board.to_array(), board.mines)
        return False
    a = msat.analyze(board)
    assert a.solutions == solutions, board
    assert a.safe == {cell for cell, n in with_mine.items() if n == 0}, board
    assert a.mined == {cell for cell, n in with_mine.items() if n == solutions}, board
    for cell, n in with_mine.items():
        assert a.exact(*cell) == Fraction(n, solutions), (board, cell)
        assert a.probability[cell] == pytest.approx(n / solutions, abs=1e-12), (board, cell)
    for cell in board.marked:
        assert a.probability[cell] == 1.0
    for cell in board.revealed:
        assert np.isnan(a.probability[cell])
    assert np.array_equal(msat.probabilities(board.to_array(), board.mines), a.probability, equal_nan=True)
    return True


@pytest.mark.parametrize("seed", range(4))
def test_random_small_boards_agree_with_the_oracle(seed: int) -> None:
    found = [agrees_with_oracle(board) for board in small_boards(scaled(1000), seed)]
    if FULL:
        assert sum(found) > 600
        assert found.count(False) > 100


def test_boards_with_up_to_twenty_hidden_cells_agree_with_the_oracle() -> None:
    boards = [board for board in small_boards(600, 77, most_hidden=20) if len(board.hidden) > 16]
    assert len(boards) > 30
    boards = boards[: scaled(len(boards))]
    for board in boards:
        agrees_with_oracle(board)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 5), (5, 1), (2, 2), (3, 4), (2, 8)])
def test_boards_without_clues_at_every_total(height: int, width: int) -> None:
    for mines in range(height * width + 1):
        if JIT or mines < 3:
            assert agrees_with_oracle(Board.blank(height, width, mines))


@pytest.mark.parametrize("seed", range(3))
def test_every_total_of_a_board(seed: int) -> None:
    for board in small_boards(scaled(40), 100 + seed, most_hidden=12):
        possible = possible_totals(board.to_array())
        every = range(board.height * board.width + 1)
        assert possible == [m for m in every if counts(board.replace({}, mines=m))[0]]


def by_the_long_way(board: Board) -> engine.Counted:
    probability = np.empty(board.shape)
    verdict = np.empty(board.shape, np.int8)
    array = board.to_array()
    with Deadline(None) as deadline:
        status, detail = engine._count_wide(array, -2, board.mines, deadline, probability, verdict)
    return engine.Counted(status, detail, probability, verdict)


def in_fractions(board: Board) -> engine.Counted:
    probability = np.empty(board.shape)
    verdict = np.empty(board.shape, np.int8)
    status = engine._count_in_fractions(board.to_array(), board.mines, None, probability, verdict)
    return engine.Counted(status, -1, probability, verdict)


def test_the_long_way_and_fractions_answer_like_the_fast_path() -> None:
    boards = [*small_boards(scaled(300), 7), scattered(8, 8, 10, 0.3, 1)]
    if JIT:
        boards += [scattered(16, 30, 99, 0.3, 2), scattered(30, 30, 180, 0.25, 3), lattice(12, 12, 20, 2, 4)]
    for board in boards:
        fast = engine.count_array(board.to_array(), board.mines)
        if fast.status == k.CLUE:
            continue  # found before counting begins
        long = by_the_long_way(board)
        assert long.status == fast.status
        if fast.status == k.ANSWERED:
            for other in (long, in_fractions(board)):
                assert np.array_equal(other.verdict, fast.verdict), board
                np.testing.assert_allclose(other.probability, fast.probability, rtol=1e-12, atol=1e-14)


def test_states_of_many_words_count_the_same() -> None:
    boards = [*small_boards(scaled(200), 11), scattered(8, 8, 12, 0.35, 5)]
    if JIT:
        boards += [scattered(16, 30, 99, 0.3, seed) for seed in range(5)]
    wide = 0
    for board in boards:
        try:
            usual = resumable.run_forward(board.to_array(), Deadline(None))
        except resumable.ImpossibleComponent:
            continue
        many = resumable.run_forward(board.to_array(), Deadline(None), per_word=1)
        for one, other in zip(usual.components, many.components, strict=True):
            assert np.array_equal(one.values, other.values), board
            wide = max(wide, one.width)
    assert wide >= 3


@pytest.mark.skipif(not JIT, reason="too wide for uncompiled kernels")
def test_a_frontier_with_more_open_clues_than_a_word_holds() -> None:
    board = lattice(40, 40, 90, 2, 1)
    widths = [c.width for c in resumable.run_forward(board.to_array(), Deadline(60)).components]
    assert max(widths) > tape.SLOTS_PER_WORD
    a = msat.analyze(board)
    assert np.nansum(a.probability) == pytest.approx(board.mines, rel=1e-12)
    check_against_fractions(board, a, cells=3)


def check_against_fractions(board: Board, a: msat.Analysis, cells: int) -> None:
    hidden = board.hidden
    for cell in hidden[:: max(1, len(hidden) // cells)]:
        assert a.probability[cell] == pytest.approx(float(a.exact(*cell)), rel=1e-11, abs=1e-15)


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
@pytest.mark.parametrize(("size", "mines", "share"), [(100, 2000, 0.35), (200, 8000, 0.2), (200, 39000, 0.5)])
def test_large_boards_whose_numbers_pass_the_range_of_doubles(size: int, mines: int, share: float) -> None:
    board = scattered(size, size, mines, share, seed=size)
    a = msat.analyze(board)
    assert np.nansum(a.probability) == pytest.approx(mines, rel=1e-12)
    assert a.solutions.bit_length() > 1100
    assert all(a.probability[cell] == 0.0 for cell in a.safe)
    assert all(a.probability[cell] == 1.0 for cell in a.mined)
    check_against_fractions(board, a, cells=2)


def snake(height: int, width: int) -> Board:
    """One narrow frontier, three cells wide, that winds over the whole board: a very long component."""
    array = np.full((height, width), MINE, np.int8)
    rows = range(0, height - 2, 4)
    for number, r in enumerate(rows):
        array[r : r + 3] = HIDDEN
        array[r + 1, 1 : width - 1 : 2] = 3
        if r + 4 in rows:
            c = 1 if number % 2 else width - 2
            array[r + 3, c - 1 : c + 2] = (HIDDEN, 3, HIDDEN)
    clues = int(np.count_nonzero(array >= 0))
    return Board.from_array(array, int(np.count_nonzero(array == MINE)) + 21 * clues // 10)


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
@pytest.mark.parametrize("size", [(3, 801), (3, 999), (28, 100), (100, 100)])
def test_components_with_more_placements_than_doubles_reach(size: tuple[int, int]) -> None:
    """Once the shares of steps overflowed here, and probabilities were nan."""
    board = snake(*size)
    (component,) = resumable.run_forward(board.to_array(), Deadline(None)).components
    assert component.peak_bits > 1000
    a = msat.analyze(board, engine="counting")
    assert not np.isnan(a.probability[board.to_array() == HIDDEN]).any()
    assert np.nansum(a.probability) == pytest.approx(board.mines, rel=1e-12)
    check_against_fractions(board, a, cells=2)


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
def test_totals_at_both_extremes_of_a_large_board() -> None:
    board = scattered(30, 30, 180, 0.3, seed=9)
    possible = possible_totals(board.to_array())
    for mines in (possible[0], possible[0] + 1, possible[-1] - 1, possible[-1]):
        at_extreme = board.replace({}, mines=mines)
        a = msat.analyze(at_extreme)
        assert np.nansum(a.probability) == pytest.approx(mines, rel=1e-12)
        check_against_fractions(at_extreme, a, cells=5)
    for mines in (possible[0] - 1, possible[-1] + 1):
        with pytest.raises(InconsistentBoard, match="possible totals"):
            msat.analyze(board.replace({}, mines=mines))


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
@pytest.mark.parametrize("step", [2, 3, 4])
@pytest.mark.parametrize("mines", [60, 99])
def test_lattices_are_solved(step: int, mines: int) -> None:
    board = lattice(16, 30, mines, step, seed=1)
    a = msat.analyze(board)
    assert np.nansum(a.probability) == pytest.approx(mines, rel=1e-12)
    check_against_fractions(board, a, cells=3)


@pytest.mark.parametrize("states", [64, 100, 1023])
def test_a_growing_tape_stays_in_step(states: int) -> None:
    """Once the arrays with an entry per state could get different sizes, and one was written past its end."""
    for used in range(states + 1):
        small = tape.new_tape(4, states, 2 * states, states, new_workspace(0))
        cursor = tape.new_runner(3, 0.0, tape.SLOTS_PER_WORD, new_workspace(0)).cursor
        cursor[tape.WIDTH] = 3
        tape.begin_component(small, cursor)
        cursor[tape.STATES] = used
        grown = resumable._grow(small._asdict(), cursor, Deadline(None))
        rooms = grown.low.size
        assert rooms >= used
        assert (grown.high.size, grown.least.size) == (rooms, rooms)
        assert (grown.value_at.size, grown.edge_at.size) == (rooms + 1, rooms + 1)


def test_the_budget_of_an_exact_number_begins_when_it_is_asked_for(clock: Clock) -> None:
    a = msat.analyze(Board.parse("?1???1?/??????? 2"), budget=100)
    for cell in ((0, 0), (0, 2)):
        clock.pass_by(101)
        assert a.exact(*cell) > 0


HOPELESS = "lattice(60, 60, 1100, 2, 1)"


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
def test_a_budget_ends_a_count_that_is_too_wide() -> None:
    board = eval(HOPELESS)
    with pytest.raises(BudgetExceeded, match=r"not counted within 0\.3 seconds"):
        msat.analyze(board, engine="counting", budget=0.3)  # without one it goes on until memory is full


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
def test_memory_ends_a_count_that_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.deadline.MEMORY_LIMIT", 20 << 20)
    with pytest.raises(BudgetExceeded, match="needs more than 20 MiB of memory") as info:
        msat.analyze(eval(HOPELESS), engine="counting")
    assert info.value.width > 20


@pytest.mark.skipif(not JIT or os.name == "nt", reason="needs compiled kernels and POSIX signals")
def test_ctrl_c_ends_a_long_count() -> None:
    script = f"""
        import msat
        from tests.support.positions import lattice
        board = {HOPELESS}
        msat.analyze(lattice(12, 12, 20, 2, 4))
        print("counting", flush=True)
        msat.analyze(board, engine="counting")
    """
    counting = python("-c", textwrap.dedent(script))
    assert counting.stdout is not None
    assert counting.stdout.readline() == b"counting\n"
    time.sleep(0.7)  # to where kernels run, on most machines; left alone, the count ends when memory is full
    counting.send_signal(signal.SIGINT)
    _, _, errors = ended(counting)
    assert errors.endswith("\nKeyboardInterrupt\n")


@pytest.mark.skipif(not JIT or os.name == "nt", reason="needs compiled kernels and POSIX signals")
def test_ctrl_c_at_any_moment_is_nothing_but_a_keyboard_interrupt() -> None:
    """Once an interrupt while numba made Python objects could crash the process."""
    board = scattered(60, 60, 500, 0.1, seed=1)
    by_the_long_way(board)
    rng = random.Random(1)
    interrupted = 0
    for _ in range(100):
        timer = threading.Timer(rng.uniform(0.0, 0.02), os.kill, (os.getpid(), signal.SIGINT))
        with hearing_ctrl_c():
            try:
                timer.start()
                while timer.is_alive():
                    by_the_long_way(board)
                by_the_long_way(board)  # the signal is on its way
            except KeyboardInterrupt:
                interrupted += 1
            timer.join()
    assert interrupted == 100
    assert msat.analyze(board).solutions > 0


@pytest.mark.skipif(not JIT, reason="uncompiled kernels have no signatures")
def test_every_kernel_is_compiled_for_one_signature() -> None:
    for board in (scattered(9, 9, 10, 0.3, 1), Board.blank(2, 2, 1), scattered(30, 30, 180, 0.3, 2)):
        msat.analyze(board)
        msat.probabilities(board.to_array().astype(np.int64), board.mines)
        msat.probabilities(board.to_array().tolist(), board.mines)
        ExactCount(board.to_array(), board.mines).probability(*board.hidden[0])
        by_the_long_way(board)
        frozen = board.to_array()
        frozen.flags.writeable = False
        msat.probabilities(frozen, board.mines)
        for dtype in (np.int8, np.int64):
            msat.probabilities(np.asfortranarray(board.to_array(), dtype), board.mines)
    kernels: list[Any] = [
        k.answer,
        k.prefilter,
        k.spread,
        combine.combine,
        backward.backward,
        order.cheapest_order,
        replay.replay_layer,
        tape.new_tape,
        tape.begin_component,
        build,
        forward.forward,
    ]
    for kernel in kernels:
        # None for one that is a part of others which were loaded.
        assert len(kernel.signatures) <= 1, kernel
