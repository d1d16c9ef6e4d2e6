"""Budgets and Ctrl-C: whatever a call is doing, it ends; what it was doing ends later, and harms nobody."""

from __future__ import annotations

import gc
import io
import os
import signal
import threading
from math import comb
from random import Random
from time import monotonic as now

import numpy as np
import pytest

import msat
import msat.interrupting as interrupting
from bench.budgets import CALLS, allowed
from msat.deadline import Deadline, ProcessorDeadline
from msat.encode.texts import FORMATS, write_encoding
from msat.engines.counting import bands, polynomial
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting.engine import count_array
from msat.engines.counting.exact import ExactCount
from msat.engines.solvers.prepared import PreparedBoard
from msat.errors import BudgetExceeded
from msat.interrupting import KEPT, LAST, MOMENT, NEVER, interruptible, is_left_behind
from tests.conftest import JIT
from tests.support.clock import wait_until
from tests.support.positions import lattice, small_boards

EASY = msat.Board.parse("??1/3?2/??? 3")


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
@pytest.mark.parametrize("name", [name for name in CALLS if not name.startswith("encode")])
def test_every_call_keeps_its_budget(name: str) -> None:
    """A board that none of them answers in hours: so what ends at all was ended."""
    board = lattice(60, 60, 1100, 2, 1)
    with pytest.raises(BudgetExceeded, match=r"(within|budget=)\s?0\.25") as info:
        CALLS[name](board, 0.25)
    assert "0.25 seconds" in str(info.value) or "budget=0.25" in str(info.value)  # not a share of it
    assert msat.analyze(EASY).solutions == 4


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_not_written_on_when_the_time_is_over(form: str) -> None:
    deadline = Deadline(3600)

    class Slow(io.StringIO):
        def write(self, text: str) -> int:
            deadline.cut_short()
            return super().write(text)

    whole, begun = io.StringIO(), Slow()
    board = lattice(70, 70, 1000, 3, 1)
    write_encoding(board, whole, form)
    with pytest.raises(BudgetExceeded, match=r"^not written within 3600 seconds$"):
        write_encoding(board, begun, form, budget=deadline)
    written = begun.getvalue()
    assert whole.getvalue().startswith(written)
    assert 0 < len(written) < len(whole.getvalue()) / 2


@pytest.mark.parametrize("form", FORMATS)
def test_a_large_board_is_not_even_begun_to_be_written(form: str) -> None:
    out = io.StringIO()
    with pytest.raises(BudgetExceeded, match=r"within 0 seconds$"):
        write_encoding(EASY, out, form, budget=0)
    assert not out.getvalue()


def test_how_far_a_call_may_go_beyond_its_budget() -> None:
    assert [allowed(budget) for budget in (0.1, 1, 20)] == [0.1, 0.1, 2.0]


class TestLeftBehind:
    """Work that does not look at its deadline."""

    def test_when_the_time_is_over(self) -> None:
        go_on = threading.Event()
        deadline = Deadline(0)
        with pytest.raises(BudgetExceeded, match=r"^not rested within 0 seconds$"):
            interruptible(go_on.wait, deadline, "not rested")
        assert deadline.over()
        go_on.set()

    @pytest.mark.skipif(os.name != "posix", reason="sends a signal")
    def test_after_ctrl_c(self) -> None:
        go_on = threading.Event()
        deadline = Deadline(None)

        def work() -> None:
            os.kill(os.getpid(), signal.SIGINT)
            go_on.wait()

        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
        try:
            with pytest.raises(KeyboardInterrupt):
                interruptible(work, deadline)
        finally:
            signal.signal(signal.SIGINT, before)
        assert deadline.over()
        go_on.set()

    def test_what_it_found_in_the_last_moment_counts(self) -> None:
        deadline = Deadline(0)

        def work() -> str:
            while not deadline.over():
                pass
            return "found"

        assert interruptible(work, deadline) == "found"

    def test_errors_come_through(self) -> None:
        def work() -> None:
            raise LookupError("lost")

        with pytest.raises(LookupError, match="lost"):
            interruptible(work, Deadline(None))

    def test_work_inside_of_work_is_simply_done(self) -> None:
        threads = interruptible(
            lambda: (threading.current_thread(), interruptible(threading.current_thread, Deadline(0))),
            Deadline(60),
        )
        assert threads[0] is threads[1]

    def test_it_is_known_until_it_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(interrupting, "_left_behind", [])  # not what other tests have left
        go_on, ended = threading.Event(), threading.Event()

        def work() -> None:
            go_on.wait()
            ended.set()

        with pytest.raises(BudgetExceeded):
            interruptible(work, Deadline(0))
        assert is_left_behind()
        go_on.set()
        ended.wait()
        assert interruptible(lambda: "found", Deadline(60)) == "found"  # whatever the other one still does
        wait_until(lambda: not is_left_behind())

    def test_there_is_one_moment_for_all_that_is_asked_with_a_budget(self) -> None:
        deadline = Deadline(60)
        deadline._end = now() - MOMENT  # as if the moment was over
        begun: list[int] = []
        for step in (deadline, deadline.share(0.5), deadline.ending(1)):
            with pytest.raises(BudgetExceeded, match=r"^not begun within 60 seconds$"):
                interruptible(lambda: begun.append(1), step, "not begun")
        assert not begun


class TestThreads:
    """They are kept for what is asked next."""

    def test_one_is_enough_for_one_question_after_another(self) -> None:
        threads = {interruptible(threading.current_thread, Deadline(60)) for _ in range(20)}
        assert len(threads) < 20

    def test_each_of_several_at_once_has_its_own(self) -> None:
        meet = threading.Barrier(3 * KEPT, timeout=600)
        found: list[tuple[int, int]] = []

        def ask(number: int) -> None:
            found.append((number, interruptible(lambda: (meet.wait(), number)[1], Deadline(3600))))

        asking = [threading.Thread(target=ask, args=(number,)) for number in range(3 * KEPT)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        assert sorted(found) == [(number, number) for number in range(3 * KEPT)]
        assert len(interrupting._waiting) <= KEPT

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
    def test_none_waits_while_the_process_forks(self) -> None:
        parent = interruptible(threading.current_thread, Deadline(60))
        child = os.fork()
        if not child:
            os._exit(interruptible(lambda: 42, Deadline(60)))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
        assert not parent.is_alive()
        assert interruptible(lambda: 42, Deadline(60)) == 42


class TestGarbage:
    """A full collection stops every thread for longer than a budget may be overdrawn."""

    def test_no_full_collection_begins_when_the_time_is_nearly_over(self) -> None:
        usual = gc.get_threshold()
        seen: list[int] = []

        def work() -> None:
            while NEVER not in seen:  # it is the one who waits that sees to it
                seen.append(gc.get_threshold()[2])

        interruptible(work, Deadline(LAST))
        assert gc.get_threshold() == usual

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
    def test_a_child_collects_as_ever(self) -> None:
        usual = gc.get_threshold()

        class Ending(Deadline):
            """One that is always about to end."""

            def left(self) -> float:
                return LAST

            def over(self) -> bool:
                return False

        def work() -> int:
            while gc.get_threshold()[2] != NEVER:
                pass
            child = os.fork()
            if not child:
                os._exit(gc.get_threshold() != usual)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

        assert interruptible(work, Ending(LAST)) == 0

    def test_otherwise_they_do(self) -> None:
        usual = gc.get_threshold()
        for budget in (None, 3600):
            assert interruptible(gc.get_threshold, Deadline(budget)) == usual

    def test_errors_leave_it_as_it_was(self) -> None:
        usual = gc.get_threshold()
        for budget in (0, 0.5):
            with pytest.raises(ZeroDivisionError):
                interruptible(lambda: 1 // 0, Deadline(budget))
            assert gc.get_threshold() == usual


def test_bands_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [lattice(9, 12, 20, 2, seed) for seed in range(3)] + list(small_boards(40, 5))
    whole = [count_array(board.to_array(), board.mines) for board in boards]
    monkeypatch.setattr(bands, "BAND", 12)
    monkeypatch.setattr("msat.engines.counting.engine.BAND", 0)
    monkeypatch.setattr("msat.engines.counting.engine.AT_ONCE", 0)
    for board, expected in zip(boards, whole, strict=True):
        found = count_array(board.to_array(), board.mines)
        assert (found.status == ANSWERED) == (expected.status == ANSWERED)
        if expected.status == ANSWERED:
            assert np.array_equal(found.verdict, expected.verdict)
            assert np.allclose(found.probability, expected.probability, rtol=0, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_what_was_proven_in_time_is_told(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object, **__: object) -> None:
        raise BudgetExceeded("the solver gave no answer within 5 seconds")

    monkeypatch.setattr("msat.engines.solvers.sat.Backbone.ask", too_late)
    monkeypatch.setattr("msat.engines.solvers.cpsat._solve", too_late)
    tried = 0
    for board in small_boards(60, 7):
        try:
            position = PreparedBoard(board)
        except msat.InconsistentBoard:
            continue
        if position.safe and position.problem.boxes:
            tried += 1
            with pytest.raises(BudgetExceeded, match=f"^not all .* 5 seconds: {len(position.safe)} ") as info:
                msat.analyze(board, engine=engine, budget=5)
            assert info.value.safe == frozenset(position.safe)
            assert info.value.mined == frozenset(position.mined)
    assert tried


class TestNumbersOfAnySize:
    """Python's own arithmetic in pieces, between which the clock is seen."""

    def test_products(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(polynomial, "PIECE", 64)
        draw = Random(1)
        for bits in (1, 63, 64, 65, 200, 5000):
            for others in (1, 64, 100, 3000):
                a, b = draw.getrandbits(bits), draw.getrandbits(others)
                assert polynomial.multiply(a, b) == a * b

    def test_binomials(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(polynomial, "MANY_CELLS", 0)
        for cells in range(1, 60):
            for mines in range(cells + 1):
                assert polynomial.binomial(cells, mines) == comb(cells, mines)

    def test_too_large_for_the_memory_that_is_allowed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MSAT_MEMORY", "1K")
        with pytest.raises(BudgetExceeded, match=r"^counting in whole numbers needs more than 0 MiB"):
            ExactCount.of(msat.Board.blank(100, 100, 2000))


def test_a_deadline_of_the_processor_waits_while_others_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.deadline.process_time", lambda: 1.0)  # whatever else this process does
    waiting = threading.Event()
    assert interruptible(lambda: waiting.wait(0.3), ProcessorDeadline(0.1)) is False
    with pytest.raises(BudgetExceeded, match="within 0 seconds"):
        interruptible(lambda: waiting.wait(300), ProcessorDeadline(0))
    waiting.set()


def test_a_child_does_not_wait_for_a_thread_that_it_does_not_have() -> None:
    # One that became idle just before a fork, after the others were sent away.
    interrupting._waiting.append(interrupting._WorkThread())
    interrupting._begin_anew()
    assert interrupting.interruptible(lambda: 42, Deadline(60)) == 42
