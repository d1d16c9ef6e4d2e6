"""Paired comparisons: the error rates of the test on coins, and answers that depend on the settings alone."""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import msat
from msat.arena import Comparison, Plan, Settings, Sprt, compare
from msat.arena.comparison import read_comparison
from msat.arena.estimates import paired_interval, wilson
from msat.arena.folder import Folder
from msat.arena.journal import line_of
from msat.arena.pairs import Pair
from msat.arena.stopped import gain_interval, share_interval
from tests.conftest import JIT, scaled

needs_speed = pytest.mark.skipif(not JIT, reason="hundreds of games are too many for uncompiled kernels")


def settings(a: str = "safest", b: str = "logic", games: int = 400, test: Sprt | None = None) -> Settings:
    return Settings(Plan(a, 9, 9, 10, games=games), Plan(b, 9, 9, 10, games=games), test or Sprt(0.5, 0.7))


def walk(test: Sprt, share: float, coins: random.Random) -> tuple[str, int]:
    """The verdict on a coin that falls to A with probability `share`, and how many throws it took."""
    only_a = only_b = 0
    while True:
        if coins.random() < share:
            only_a += 1
        else:
            only_b += 1
        verdict = test.verdict(only_a, only_b)
        if verdict is not None:
            return verdict, only_a + only_b


def coverage(
    test: Sprt, share: float, interval: Callable[[int, int], tuple[float, float]], most: int = 100
) -> float:
    """How often the interval holds the share: all ways through the test, each by its exact chance.

    Ways that are undecided after `most` coins end there.
    """
    covered = 0.0
    running = {0: 1.0}
    for coins in range(1, most + 1):
        longer: dict[int, float] = defaultdict(float)
        for only_a, chance in running.items():
            longer[only_a + 1] += chance * share
            longer[only_a] += chance * (1 - share)
        running = {}
        for only_a, chance in longer.items():
            if test.verdict(only_a, coins - only_a) is None and coins < most:
                running[only_a] = chance
            else:
                low, high = interval(only_a, coins - only_a)
                covered += chance * (low <= share <= high)
    return covered


def known(test: Sprt) -> Callable[[int, int], tuple[float, float]]:
    """The interval that knows that a test stopped."""
    return lambda only_a, only_b: share_interval(test, only_a, only_b)[1:]


class TestCoins:
    @pytest.mark.parametrize(
        "test", [Sprt(0.5, 0.6), Sprt(0.5, 0.65, alpha=0.1, beta=0.02), Sprt(0.4, 0.5, alpha=0.01, beta=0.1)]
    )
    def test_error_rates(self, test: Sprt) -> None:
        trials = scaled(2000)
        coins = random.Random(20)
        wrongly = sum(walk(test, test.low, coins)[0] == "stronger" for _ in range(trials)) / trials
        missed = sum(walk(test, test.high, coins)[0] == "not stronger" for _ in range(trials)) / trials
        for rate, bound in ((wrongly, test.alpha), (missed, test.beta)):
            error = math.sqrt(bound * (1 - bound) / trials)
            assert rate <= bound + 3 * error
            assert rate >= bound / 3 - 3 * error  # nor is it so timid that it plays for nothing

    def test_beyond_the_bounds_errors_are_rare(self) -> None:
        test, coins, trials = Sprt(0.5, 0.6), random.Random(5), scaled(1000)
        assert sum(walk(test, 0.45, coins)[0] == "stronger" for _ in range(trials)) <= 0.01 * trials
        assert sum(walk(test, 0.65, coins)[0] == "not stronger" for _ in range(trials)) <= 0.01 * trials

    def test_it_is_shorter_than_a_test_of_fixed_length(self) -> None:
        test, coins, trials = Sprt(0.5, 0.6), random.Random(7), scaled(1000)
        # For the same two error rates: (z_alpha · sqrt(pq at low) + z_beta · sqrt(pq at high))² / 0.1².
        fixed = ((1.645 * 0.5 + 1.645 * math.sqrt(0.24)) / 0.1) ** 2
        for share in (test.low, test.high):
            mean = sum(walk(test, share, coins)[1] for _ in range(trials)) / trials
            assert mean < 0.7 * fixed

    def test_intervals_cover(self) -> None:
        coins, trials = random.Random(9), scaled(1000)
        covered = 0
        for _ in range(trials):
            low, high = wilson(sum(coins.random() < 0.3 for _ in range(200)), 200)
            covered += low <= 0.3 <= high
        assert covered >= 0.92 * trials

    def test_the_interval_of_a_paired_difference_covers(self) -> None:
        coins, trials = random.Random(11), scaled(1000)
        covered = 0
        for _ in range(trials):
            throws = [coins.random() for _ in range(300)]
            only_a = sum(throw < 0.10 for throw in throws)
            only_b = sum(0.10 <= throw < 0.16 for throw in throws)
            _, low, high = paired_interval(only_a, only_b, 300)
            covered += low <= 0.04 <= high
        assert covered >= 0.92 * trials

    def test_a_fixed_interval_misses_where_the_test_stopped(self) -> None:
        """What the interval of a stopped test is for: that of a fixed number of coins fails too often."""
        test = Sprt(0.5, 0.6, alpha=0.1, beta=0.1)
        fixed, stopped = (
            coverage(test, 0.55, lambda a, b: wilson(a, a + b)),
            coverage(test, 0.55, known(test)),
        )
        assert fixed < 0.93
        assert stopped >= 0.95

    @pytest.mark.parametrize("share", [0.5, 0.72])
    @pytest.mark.parametrize(
        "test", [Sprt(0.5, 0.75, alpha=0.1, beta=0.1), Sprt(0.5, 0.8, alpha=0.01, beta=0.2)]
    )
    def test_the_interval_of_a_stopped_test_covers(self, test: Sprt, share: float) -> None:
        assert coverage(test, share, known(test)) >= 0.95
        # A test that is cut off before it decides is covered as well.
        assert coverage(test, share, known(test), most=15) >= 0.95

    def test_the_estimate_of_a_stopped_test_is_in_the_middle(self) -> None:
        test = Sprt(0.5, 0.6, alpha=0.1, beta=0.1)
        middle = cache(lambda a, b: share_interval(test, a, b).value)
        for share in (0.5, 0.55, 0.6):
            over = coverage(test, share, lambda a, b: (middle(a, b), 1.0))
            assert over == pytest.approx(0.5, abs=0.07)

    def test_the_interval_of_a_gain_covers(self) -> None:
        test, coins, trials = Sprt(0.5, 0.6, alpha=0.1, beta=0.1), random.Random(12), scaled(150)
        covered = 0
        for _ in range(trials):
            only_a = only_b = games = 0
            while test.verdict(only_a, only_b) is None:
                throw = coins.random()
                only_a += throw < 0.12
                only_b += 0.12 <= throw < 0.20
                games += 1
            _, low, high = gain_interval(test, only_a, only_b, games)
            covered += low <= 0.04 <= high
        assert covered >= 0.94 * trials

    def test_where_no_test_can_stand(self) -> None:
        with pytest.raises(msat.ArenaError, match="no test stands at 500 to 3: it would have stopped before"):
            share_interval(Sprt(), 500, 3)
        assert share_interval(Sprt(), 0, 0) == (0.5, 0, 1)
        assert gain_interval(Sprt(), 0, 0, 0) == (0, -1, 1)
        low, high = gain_interval(Sprt(), 0, 0, 200)[1:]
        assert -0.03 < low == -high < -0.01

    def test_long_tests_do_not_underflow(self) -> None:
        found = share_interval(Sprt(0.5, 0.9), 2747, 1003)
        assert 0.4 < found.low < found.value < found.high < 0.95

    def test_edges(self) -> None:
        assert wilson(0, 0) == (0, 1)
        assert wilson(5, 5)[1] == 1
        assert paired_interval(0, 0, 0) == (0, -1, 1)
        estimate, low, high = paired_interval(0, 0, 10)  # ten boards that told nothing prove nothing
        assert estimate == 0
        assert low == -high < -0.1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": 0.6, "high": 0.5}, "bounds 0.6,0.5 are none: give 0 < LOW < HIGH < 1"),
        ({"high": 1.0}, "bounds 0.5,1 are none"),
        ({"alpha": 0.0}, "alpha=0.0 is no error rate"),
        ({"beta": 0.7}, "beta=0.7 is no error rate: give a number above 0 and below 0.5"),
    ],
)
def test_bad_tests(options: dict[str, float], message: str) -> None:
    with pytest.raises(msat.ArenaError, match=message):
        Sprt(**options)


def test_the_boards_must_be_the_same() -> None:
    with pytest.raises(msat.ArenaError, match="may differ in strategy only"):
        Settings(Plan("safest", seed=1), Plan("logic", seed=2))


class TestOrder:
    def test_pairs_count_in_the_order_of_their_numbers(self) -> None:
        outcomes = random.Random(3).choices([(True, True), (True, False), (False, True)], [4, 3, 1], k=300)
        pairs = [Pair(game, a, b) for game, (a, b) in enumerate(outcomes)]
        in_order, shuffled = Comparison(settings()), Comparison(settings())
        for pair in pairs:
            in_order.add(pair)
        for pair in random.Random(4).sample(pairs, len(pairs)):
            shuffled.add(pair)
        assert in_order.verdict == "stronger"
        assert in_order.games < 300
        assert shuffled.text() == in_order.text()

    def test_a_gap_holds_the_rest_back(self) -> None:
        found = Comparison(settings())
        found.add(Pair(1, True, False))
        assert found.games == 0
        found.add(Pair(0, True, True))
        assert (found.games, found.both, found.only_a) == (2, 1, 1)


@needs_speed
class TestCompare:
    def test_counts(self) -> None:
        found = compare(settings(), workers=1)
        assert found.verdict == "stronger"
        assert (
            f"Boards: {found.games}, stopped there by the test; at most 400 were to be played" in found.text()
        )
        assert found.only_b == 0  # whatever logic wins without a guess, safest wins without a guess
        plans = found.settings.a, found.settings.b
        alone = [msat.arena.simulate(Plan(p.strategy, 9, 9, 10, games=found.games), workers=1) for p in plans]
        assert [tally.wins for tally in alone] == [found.both + found.only_a, found.both + found.only_b]

    def test_the_answer_does_not_depend_on_the_workers(self, tmp_path: Path) -> None:
        texts = {
            compare(settings(), tmp_path / str(workers), workers=workers).text() for workers in (1, 2, 3)
        }
        assert len(texts) == 1

    def test_nothing_is_decided_by_too_few_boards(self) -> None:
        found = compare(settings("logic", "logic", games=20), workers=1)
        assert (found.verdict, found.games, found.only_a, found.only_b) == (None, 20, 0, 0)
        assert "Answer: undecided after 20 boards" in found.text()

    def test_the_other_answer(self) -> None:
        found = compare(settings("logic", "safest"), workers=1)
        assert found.verdict == "not stronger"
        assert "A is not stronger than B by so much: its share is below 0.7" in found.text()

    def test_resume(self, tmp_path: Path) -> None:
        whole = compare(settings(), tmp_path / "whole", workers=1)
        file = tmp_path / "whole" / "games.jsonl"
        kept = file.read_text().splitlines(keepends=True)
        part = tmp_path / "part"
        part.mkdir()
        (part / "run.json").write_bytes((tmp_path / "whole" / "run.json").read_bytes())
        # Every third line is missing, the others are out of order, one is damaged, the last is cut off.
        mixed = [line for number, line in enumerate(kept) if number % 3][::-1]
        mixed[4] = line_of({"game": 5, "a": 1})
        (part / "games.jsonl").write_text("".join(mixed)[:-10])
        messages: list[str] = []
        resumed = compare(settings(), part, resume=True, workers=1, report=messages.append)
        assert resumed.text() == whole.text()
        assert len(messages) == 1
        assert "the line of game 5 is damaged: not a pair of games" in messages[0]

    def test_a_decided_comparison_plays_no_more(self, tmp_path: Path) -> None:
        whole = compare(settings(), tmp_path / "run", workers=1)
        before = (tmp_path / "run" / "games.jsonl").read_bytes()
        again = compare(settings(), tmp_path / "run", resume=True, workers=1)
        assert again.text() == whole.text() == (tmp_path / "run" / "results.txt").read_text()
        assert (tmp_path / "run" / "games.jsonl").read_bytes() == before
        assert read_comparison(Folder.open(tmp_path / "run"), pytest.fail).text() == whole.text()

    def test_another_comparison(self, tmp_path: Path) -> None:
        compare(settings(), tmp_path / "run", workers=1)
        with pytest.raises(msat.FolderError, match="is the folder of another run: there test is"):
            compare(settings(test=Sprt(0.5, 0.8)), tmp_path / "run", resume=True, workers=1)

    def test_each_line_has_both_games(self, tmp_path: Path) -> None:
        compare(settings(games=10), tmp_path / "run", workers=1)
        lines: list[dict[str, Any]] = [
            json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text().splitlines()
        ]
        assert [line["game"] for line in lines] == list(range(10))
        for line in lines:
            assert line["a"]["bbbv"] == line["b"]["bbbv"]
            assert line["b"]["guesses"] == []
