"""Deadlines: by a clock that is told what to show."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from msat import deadline as module
from msat.deadline import Deadline, Interrupts
from msat.errors import BudgetExceeded, ParameterError
from msat.wording import as_option, naming, shorten
from tests.support.clock import Clock


def test_it_is_over_when_its_seconds_are(clock: Clock) -> None:
    deadline = Deadline(3)
    assert (deadline.left(), deadline.over()) == (3, False)
    assert (deadline.allows(3), deadline.allows(3.1)) == (True, False)
    clock.time += 2
    assert (deadline.left(), deadline.over(), deadline.allows(1)) == (1, False, True)
    clock.time += 2
    assert (deadline.left(), deadline.over(), deadline.allows(0)) == (0, True, False)


def test_without_seconds_it_never_is(clock: Clock) -> None:
    deadline = Deadline(None)
    clock.time += 1e9
    assert (deadline.left(), deadline.over(), deadline.allows(1e9)) == (None, False, True)
    deadline.check("not done")


@pytest.mark.parametrize("wrong", [-1, float("nan"), "3", [1]])
def test_what_is_no_budget_is_refused_by_the_name_that_its_reader_uses(wrong: float) -> None:
    with pytest.raises(ParameterError) as error:
        Deadline(wrong)
    assert str(error.value) == f"budget={shorten(repr(wrong))}: expected seconds, at least 0, or None"
    with pytest.raises(ParameterError, match=r"^--budget "), naming(as_option):
        Deadline(wrong)


def test_a_running_one_is_taken_as_it_is(clock: Clock) -> None:
    deadline = Deadline(3)
    assert Deadline.of(deadline) is deadline
    assert Deadline.of(3).left() == 3
    assert Deadline.of(None).left() is None


def test_a_share_begins_when_it_is_made_and_quotes_the_whole(clock: Clock) -> None:
    deadline = Deadline(8)
    clock.time += 7
    share = deadline.share(0.25)
    assert share.left() == 0.25  # of the second that is left
    clock.time += 3
    with pytest.raises(BudgetExceeded, match=r"^not done within 8 seconds$"):
        share.check("not done")
    assert Deadline(None).share(0.25).left() is None


def test_time_between_questions_does_not_count(clock: Clock) -> None:
    deadline = Deadline(1000)
    clock.time += 100
    deadline.stop()
    for left in (900, 500, 100):
        clock.time += 86_400
        assert deadline.left() == left
        with deadline.running():
            assert deadline.left() == left
            clock.time += 400
    assert deadline.over()
    assert deadline.within() == "within 1000 seconds"


def test_an_error_tells_what_is_undone_and_what_may_help() -> None:
    with pytest.raises(BudgetExceeded) as error:
        Deadline(0).check("not counted", ": allow more", 7)
    assert str(error.value) == "not counted within 0 seconds: allow more"
    assert error.value.width == 7


def test_it_can_be_cut_short() -> None:
    deadline = Deadline(None)
    stopped = []
    with deadline.stopping(lambda: stopped.append(True)):
        assert not deadline.over()
        deadline.cut_short()
    assert stopped == [True]
    with pytest.raises(BudgetExceeded, match=r"^not done before it was interrupted$"):
        deadline.check("not done")


def test_memory_is_what_is_held_and_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MEMORY_LIMIT", 3 << 20)
    deadline = Deadline(None)
    deadline.held = 1 << 20
    deadline.check_memory(2 << 20, 5)
    with pytest.raises(BudgetExceeded, match="frontier with 5 clues open at once needs more than 3 MiB"):
        deadline.check_memory((2 << 20) + 1, 5)


def interrupted(held: Interrupts | Deadline) -> list[str]:
    """Press Ctrl-C while it is held back; what was reached all the same."""
    reached = []

    def work() -> None:
        with held:
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("inside")
            if isinstance(held, Deadline):
                with held:  # by a step that does not know who else holds it
                    reached.append("further inside")
                reached.append("still inside")

    with pytest.raises(KeyboardInterrupt):
        work()
    return reached


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_waits_until_it_is_let_through() -> None:
    usual = signal.getsignal(signal.SIGINT)
    assert interrupted(Interrupts()) == ["inside"]
    assert interrupted(Deadline(None)) == ["inside", "further inside", "still inside"]
    assert signal.getsignal(signal.SIGINT) is usual


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_tests_press_ctrl_c_also_where_it_is_ignored() -> None:
    """As in a background job, or under nohup."""
    code = "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code += "; sys.exit(pytest.main(sys.argv[1:]))"
    tried = ["-q", "-p", "no:cacheprovider", f"{__file__}::test_ctrl_c_waits_until_it_is_let_through"]
    done = subprocess.run([sys.executable, "-c", code, *tried], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_check_lets_ctrl_c_through() -> None:
    deadline = Deadline(None)
    reached = []

    def work() -> None:
        with deadline, deadline:
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("held back")
            deadline.check("not done")
            reached.append("not let through")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert reached == ["held back"]


@pytest.mark.parametrize(
    ("given", "size"),
    [("512M", 512 << 20), ("8g", 8 << 30), ("1.5GiB", 3 << 29), (" 4096 ", 4096), ("", 2 << 30)],
)
def test_the_memory_limit_is_that_of_the_environment(
    given: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSAT_MEMORY", given)
    assert module.memory_limit() == size


@pytest.mark.parametrize("given", ["much", "-1G", "1e9", "nan", "9" * 400])
def test_what_is_no_size_of_memory(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSAT_MEMORY", given)
    with pytest.raises(ParameterError, match="expected a size such as 512M or 8G"):
        module.memory_limit()


def test_a_share_ends_with_the_whole(clock: Clock) -> None:
    deadline = Deadline(8)
    share, earlier = deadline.share(0.5), deadline.ending(3)
    assert (share.left(), earlier.left()) == (4, 5)
    deadline.cut_short()
    assert share.over()
    assert earlier.over()
