"""The benchmark: suites that stay the same, digests that tell answers apart, comparisons that know noise."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

import msat
from msat.analysis import analyze
from msat.bench import SUITES, Report, choose_suites, compare, digest, fingerprint, run
from msat.bench.alarm import alarm
from msat.bench.digests import ExactAnswer, combine_fingerprints
from msat.bench.positions import lattices
from msat.bench.report import ReportRow, SuiteAnswers
from msat.bench.tasks import DIFFERENT, SAME, TIMED_OUT, tasks_of
from tests.conftest import JIT, scaled
from tests.support.clock import PATIENCE, Clock
from tests.support.oracle import counts

COMMITTED = json.loads((Path(__file__).parents[1] / "digests.json").read_text("utf-8"))

SLOW_UNCOMPILED = {"large-50", "large-100", "large-200"}
"""Making these positions takes minutes with the compiler off."""


def row(times: list[list[float]], letters: str = "==", yardstick: float = 1e-3) -> ReportRow:
    return ReportRow("expert", "counting", "forced", 2, times, letters, [yardstick] * len(times))


def report(*rows: ReportRow, fingerprints: tuple[str, ...] = ("a", "b")) -> Report:
    return Report(
        "1", {}, [SuiteAnswers("expert", combine_fingerprints(fingerprints), list(fingerprints))], [*rows], {}
    )


@pytest.mark.kernel
@pytest.mark.parametrize("name", SUITES)
def test_the_answers_are_the_committed_ones(name: str) -> None:
    # Uncompiled kernels get the first positions only: those are why each has a fingerprint of its own.
    if not JIT and name in SLOW_UNCOMPILED:
        pytest.skip("takes half a minute or more with the compiler off")
    suite = SUITES[name]
    known = COMMITTED[name]["fingerprints"].split()
    some = list(islice(suite.make(), scaled(suite.size)))
    found = [fingerprint(ExactAnswer.of(analyze(position.board, "counting"))) for position in some]
    assert found == known[: len(some)]
    assert COMMITTED[name]["digest"] == combine_fingerprints(known)
    assert len(known) == suite.size


@pytest.mark.parametrize("engine", ["sat", "cpsat", "auto"])
def test_every_engine_has_the_same_digest(engine: str) -> None:
    assert digest(SUITES["beginner"], engine) == COMMITTED["beginner"]["digest"]


def test_ganak_has_the_same_fingerprints() -> None:
    pytest.importorskip("pyganak")
    for position, known in zip(
        SUITES["beginner"].positions[:3], COMMITTED["beginner"]["fingerprints"].split(), strict=False
    ):
        assert fingerprint(ExactAnswer.of(analyze(position.board, "ganak"))) == known


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_digest_does_not_depend_on_the_hash_seed(seed: str) -> None:
    code = "from msat.bench import *; print(digest(SUITES['beginner']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == COMMITTED["beginner"]["digest"]


def test_a_fingerprint_tells_every_part_of_an_answer_apart() -> None:
    cells = frozenset({(0, 1)})
    answers = [
        ExactAnswer(2, cells, frozenset()),
        ExactAnswer(3, cells, frozenset()),
        ExactAnswer(2, frozenset(), cells),
    ]
    assert len({fingerprint(answer) for answer in answers}) == 3


def test_committed_fingerprints_are_those_of_plain_enumeration() -> None:
    known = COMMITTED["beginner"]["fingerprints"].split()
    checked = 0
    for position, committed in zip(SUITES["beginner"].positions, known, strict=True):
        if len(position.board.hidden) > 22:
            continue
        solutions, with_mine = counts(position.board)
        safe = frozenset(cell for cell, mined in with_mine.items() if mined == 0)
        mined = frozenset(cell for cell, mined in with_mine.items() if mined == solutions)
        assert fingerprint(ExactAnswer(solutions, safe, mined)) == committed
        checked += 1
    assert checked >= 10


def test_positions_are_new_each_time_and_equal() -> None:
    first, again = next(lattices(5, 5, 4, 2)), next(lattices(5, 5, 4, 2))
    assert first.board == again.board
    assert first.array is not again.array


@pytest.mark.parametrize("name", ["beginner", "expert", "endgame"])
def test_stuck_positions_leave_something_to_find_out(name: str) -> None:
    for position in SUITES[name].positions[:10]:
        assert not [found for found in msat.deductions(position.board, last_rule=2) if not found.mine]
        assert position.board.hidden


class TestRun:
    def test_every_engine_and_strategy_is_asked(self) -> None:
        found = run([SUITES["beginner"]], seconds=0.01)
        asked = {(row.player, row.question) for row in found.rows}
        expected = {("rules", "forced"), ("counting", "forced"), ("counting", "probabilities")}
        expected |= {(engine, q) for engine in ("sat", "cpsat") for q in ("forced", "probabilities")}
        expected |= {(strategy, "games") for strategy in msat.strategies.names()}
        if "ganak" not in found.skipped:
            expected.add(("ganak", "probabilities"))
        assert asked == expected
        assert all(row.letters and not row.troubles.get("wrong") for row in found.rows)

    def test_more_time_means_rounds_over_the_same_positions(self, clock: Clock) -> None:
        clock.tick = 0.01
        found = run([SUITES["beginner"]], only=["counting"], seconds=2)
        for row in found.rows:
            assert len(row.times) == len(row.yardstick) > 1
            assert {len(times) for times in row.times} == {len(row.letters)}

    def test_progress_is_told(self) -> None:
        told: list[tuple[str, int, int]] = []
        run([SUITES["beginner"]], ["rules"], 0.01, lambda *step: told.append(step))
        assert told[0] == ("answers of beginner", 0, 1)
        assert told[1][0] == "round 1: beginner, rules"
        assert all(done < total for _, done, total in told)

    def test_wrong_answers_are_noticed(self) -> None:
        suite = SUITES["beginner"]
        right = [ExactAnswer.of(analyze(position.board)) for position in suite.positions]
        wrong = [ExactAnswer(solutions + 1, mined, safe) for solutions, safe, mined in right]
        item = next(i for i, answer in enumerate(right) if answer.safe)
        for task in tasks_of(suite, right, frozenset({"rules", "counting", "sat"})):
            assert task.timed(item)[1] == SAME
        for task in tasks_of(suite, wrong, frozenset({"counting", "sat"})):
            assert task.timed(item)[1] == DIFFERENT

    def test_an_alarm_stops_what_ignores_its_budget(self) -> None:
        with pytest.raises(msat.BudgetExceeded, match=r"not finished within 0\.05 seconds"), alarm(0.05):
            time.sleep(PATIENCE)
        with alarm(PATIENCE):
            pass
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)  # called off


class TestRow:
    def test_figures(self) -> None:
        found = ReportRow(
            "dense", "sat", "forced", 9, [[1.0, 2.0, 9.0], [3.0, 2.0, 9.0], [2.0, 2.0, 9.0]], "==t"
        )
        assert found.seconds == [2.0, 2.0, 9.0]
        assert (found.quantile(50), found.quantile(100)) == (2.0, 9.0)
        assert found.rate == pytest.approx(2 / 13)
        assert found.troubles == {"time-outs": 1}
        assert TIMED_OUT == "t"

    def test_json_and_back(self) -> None:
        whole = report(row([[1e-5, 2e-5]]))
        assert Report.from_json(whole.to_json()) == whole

    @pytest.mark.parametrize("text", ["", "{}", "[1]", '{"form": "msat bench 1"}'])
    def test_what_is_no_report(self, text: str) -> None:
        with pytest.raises(msat.BenchError, match=r"old\.json holds no benchmark"):
            Report.from_json(text, "old.json")

    def test_another_form(self) -> None:
        with pytest.raises(msat.BenchError, match="'msat bench 7': this msat reads 'msat bench 1'"):
            Report.from_json('{"form": "msat bench 7"}')


class TestCompare:
    def verdict(self, new: ReportRow, old: ReportRow) -> str:
        (change,) = compare(report(new), report(old))
        return change.verdict

    def test_faster_and_slower(self) -> None:
        quick, slow = row([[1e-5, 2e-5]] * 3), row([[2e-5, 4e-5]] * 3)
        assert self.verdict(quick, slow) == "faster"
        assert self.verdict(slow, quick) == "slower"
        assert self.verdict(slow, slow) == "same"

    def test_a_spread_that_includes_no_change_is_no_change(self) -> None:
        noisy = row([[1e-5, 2e-5], [2e-5, 4e-5], [4e-5, 8e-5]])
        assert self.verdict(noisy, row([[2e-5, 4e-5]] * 3)) == "same"

    def test_few_rounds_say_nothing(self) -> None:
        assert self.verdict(row([[1e-5, 1e-5]] * 2), row([[9e-5, 9e-5]] * 3)) == "unsure"

    def test_a_slower_machine_is_no_slower_code(self) -> None:
        quick, slow = row([[1e-5, 2e-5]] * 3, yardstick=1e-3), row([[2e-5, 4e-5]] * 3, yardstick=2e-3)
        assert self.verdict(slow, quick) == "same"

    def test_one_slow_item_is_not_the_row(self) -> None:
        old = ReportRow("dense", "sat", "forced", 3, [[1.0, 1.0, 1.0]] * 3, "===", [1.0] * 3)
        new = ReportRow("dense", "sat", "forced", 3, [[1.0, 1.0, 9.0]] * 3, "===", [1.0] * 3)
        (change,) = compare(report(new), report(old))
        assert (change.ratio, change.verdict) == (1.0, "same")

    def test_different_answers_are_counted(self) -> None:
        same = row([[1e-5, 2e-5]])
        (change,) = compare(report(same), report(same, fingerprints=("a", "c")))
        assert change.different == 1
        (change,) = compare(report(row([[1e-5, 2e-5]], "=!")), report(same))
        assert change.different == 1

    def test_only_what_both_have(self) -> None:
        assert compare(report(row([[1e-5, 2e-5]])), report()) == []


def test_unknown_suites_are_refused() -> None:
    assert [suite.name for suite in choose_suites([])] == list(SUITES)
    with pytest.raises(msat.UnknownName, match="unknown suite 'huge': choose one of beginner, "):
        choose_suites(["huge"])
