"""Runs of many games: what they depend on, what they add up to, and who may do the work."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import msat
from msat.arena import Plan, Tally, results, simulate
from msat.arena.done import Done
from msat.arena.folder import Folder, new_path
from msat.arena.games import play_games
from msat.arena.simulation import read_tally
from msat.arena.tally import GameResult
from msat.arena.workforce import Portions
from msat.layout import Layout
from msat.strategies.strategy import Guess
from tests.conftest import JIT, scaled
from tests.support.runs import lines, timeless

SMALL = Plan("safest", 9, 9, 10, games=scaled(120))


class TestPlan:
    def test_a_plan_reads_back_what_it_wrote(self) -> None:
        plan = Plan("logic", 8, 9, 10, start=(1, 2), first="safe", seed=5, games=7, per_seed=3)
        assert Plan.from_object(json.loads(json.dumps(plan.to_object()))) == plan

    def test_a_name_tells_what_is_not_as_usual(self) -> None:
        assert Plan("safest").name == "safest_expert"
        plan = Plan("logic", 8, 9, 10, start=(1, 2), first="safe", rng="pcg", seed=5, games=7)
        assert plan.name == "logic_8x9x10_start=1,2_first=safe_seed=5_games=7"

    def test_parameters_behind_the_name(self) -> None:
        plan = Plan("tests.support.arena_players:Slow:pause=0.5")
        assert (plan.strategy, plan.parameters) == ("tests.support.arena_players:Slow", {"pause": 0.5})
        assert plan == Plan("tests.support.arena_players:Slow", parameters={"pause": 0.5})

    def test_document_000s_puzzles(self) -> None:
        plan = Plan("logic", 9, 9, 10, rng="kiss", seed=3, start=(2, 2), per_seed=4)
        assert plan.layout(9) == Layout.kiss(9, 9, 10, seed=5, index=1, start=(2, 2))

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"strategy": "bogus"}, "unknown strategy 'bogus': choose one of .*logic"),
            ({"strategy": "no.such.module:Player"}, "'no.such.module:Player' cannot be loaded: No module"),
            (
                {"strategy": "tests.support.arena_players:Nobody"},
                "cannot be loaded: .* no attribute 'Nobody'",
            ),
            ({"strategy": "tests.support.arena_players:Path"}, "is no subclass of msat.strategies.Strategy"),
            ({"strategy": "logic:Logic"}, "'logic:Logic': 'Logic' is no parameter"),
            ({"parameters": {"depth": 3}}, "safest has no parameter 'depth'"),
            (
                {"strategy": "tests.support.arena_players:Slow", "parameters": {"pause": 11}},
                "pause=11 .* from 0 to 10",
            ),
            ({"start": (16, 0)}, r"\(16, 0\) is not on the 16×30 board"),
            ({"mines": 472}, "472 mines do not fit a 16×30 board that keeps 9 cells free"),
            ({"mines": 480, "first": "safe"}, "480 mines do not fit .* keeps 1 cells free"),
            ({"first": "free"}, "unknown first-click rule 'free': choose one of open, safe, any"),
            ({"rng": "mt"}, "unknown generator 'mt': choose one of pcg, kiss"),
            ({"rng": "kiss", "first": "any"}, "first='any' needs rng='pcg'"),
            ({"games": 0}, "games=0 is out of range: give 1 to"),
            ({"seed": -1}, "seed=-1 is out of range"),
            ({"per_seed": 20_000}, "per_seed=20000 is out of range: give 1 to 10000"),
            ({"games": 1.5}, "games=1.5 is not a whole number"),
        ],
    )
    def test_bad_settings(self, settings: dict[str, Any], message: str) -> None:
        with pytest.raises(msat.MsatError, match=message):
            Plan(**settings)


class TestTally:
    def test_every_statistic(self) -> None:
        def game(number: int, won: bool, *guesses: tuple[str, float, bool]) -> GameResult:
            cells = tuple(Guess(kind, (0, 0), safety, survived) for kind, safety, survived in guesses)
            return GameResult(number, number, 0, won, 10, cells, 20, 3, 2, 0.5, 0.0)

        tally = Tally()
        tally.add(game(0, True), 0)
        tally.add(game(1, True, ("guess1", 0.5, True), ("guess2", 0.8, True)), 0)
        tally.add(game(2, False, ("guess2", 0.6, False)), 1)
        tally.add(game(3, False), 1)
        assert (tally.games, tally.wins, tally.losses, tally.percent) == (4, 2, 2, 50)
        assert tally.guesses_per_win == 1
        assert tally.guesses_per_loss == 0.5
        assert tally.win_probability == pytest.approx((1 + 0.4) / 2)
        assert tally.loss_probability == pytest.approx((0.6 + 1) / 2)
        assert tally.wins_by_guesses == {0: 1, 2: 1}
        assert (tally.kinds["guess2"].used, tally.kinds["guess2"].failed) == (2, 1)
        assert tally.kinds["guess2"].probability == pytest.approx(0.7)
        # Two series with rates 1 and 0 around 1/2.
        assert tally.deviation == pytest.approx(math.sqrt(0.25 + 0.25) / 2)

    def test_one_series_has_no_deviation(self) -> None:
        text = results.text(SMALL, simulate(Plan("safest", 9, 9, 10, games=20), workers=1))
        assert "\nDeviation: none: it takes two series of 100 games\n" in text

    def test_the_order_of_games_does_not_matter(self) -> None:
        games = list(play_games(SMALL, 0, SMALL.games))
        forwards, backwards, parts = Tally(), Tally(), [Tally(), Tally()]
        for result in games:
            forwards.add(result, result.game // 100)
            parts[result.game % 2].add(result, result.game // 100)
        for result in reversed(games):
            backwards.add(result, result.game // 100)
        parts[1].merge(parts[0])
        assert forwards.longest == parts[1].longest == max(round(game.seconds * 1e6) for game in games)
        assert timeless(forwards) == timeless(backwards) == timeless(parts[1])

    def test_many_guesses_are_counted_together(self) -> None:
        tally = Tally()
        for count in (7, 8, 12):
            guesses = (Guess("guess", (0, 0), 0.9, True),) * count
            tally.add(GameResult(count, 1, 0, True, 9, guesses, 1, 1, 1, 0.0), 0)
        assert tally.wins_by_guesses == {7: 1, 8: 2}

    def test_the_results_name_every_statistic_of_document_000(self) -> None:
        text = results.text(SMALL, simulate(SMALL, workers=1))
        for name in (
            "start",
            "Samples",
            "Wins",
            "Percent",
            "Deviation",
            "Average guess per win",
            "Average guess per loss",
            "Average win prob",
            "Average loss prob",
        ):
            assert f"\n{name}: " in text
        assert "Wins with guesses:\n      0      1      2" in text

    def test_a_warning_for_each_slow_computation(self) -> None:
        tally = Tally()
        tally.add(GameResult(7, 8, 0, True, 9, (), 1, 1, 1, 3.0, 2.5), 0)
        tally.add(GameResult(8, 9, 0, True, 9, (), 1, 1, 1, 3.0, 0.5), 0)
        warnings = [line for line in results.text(SMALL, tally).splitlines() if "Warning" in line]
        seed = SMALL.seed_of(7)[0]
        assert warnings == [f"Warning: a computation in game 7 (seed {seed}, index 0) took 2.5 s"]


class TestSimulate:
    def test_a_game_of_a_run_is_the_game_that_play_plays(self) -> None:
        for result in play_games(SMALL, 3, 4):
            record = msat.play(SMALL.layout(result.game), "safest")
            assert (record.won, len(record.guesses)) == (result.won, len(result.guesses))
            assert msat.metrics(record.layout) == (result.bbbv, result.openings, result.islands)

    def test_a_first_click_may_hit_a_mine(self) -> None:
        plan = Plan("logic", 2, 2, 4, first="any", games=3)
        assert [(result.won, result.moves) for result in play_games(plan, 0, 3)] == [(False, 1)] * 3

    @pytest.mark.skipif(not JIT, reason="several processes of uncompiled kernels take too long")
    @pytest.mark.parametrize("workers", [2, 3])
    def test_the_result_does_not_depend_on_the_workers(self, workers: int, tmp_path: Path) -> None:
        alone = simulate(SMALL, tmp_path / "alone", workers=1)
        together = simulate(SMALL, tmp_path / "together", workers=workers)
        assert timeless(alone) == timeless(together)
        assert lines(tmp_path / "alone") == lines(tmp_path / "together")

    @pytest.mark.parametrize(
        "make",
        [
            lambda: ThreadPoolExecutor(2),
            pytest.param(
                lambda: ProcessPoolExecutor(2),
                marks=pytest.mark.skipif(not JIT, reason="uncompiled kernels take too long"),
            ),
            lambda: Here(),
        ],
        ids=["threads", "processes", "own"],
    )
    def test_any_executor(self, make: Callable[[], Executor]) -> None:
        with make() as executor:
            tally = simulate(SMALL, executor=executor, workers=2)
        assert timeless(tally) == timeless(simulate(SMALL, workers=1))

    def test_a_folder_tells_all(self, tmp_path: Path) -> None:
        folder = tmp_path / "deep" / "run"
        tally = simulate(SMALL, folder, workers=1, puzzles="lost")
        assert read_tally(Folder.open(folder), pytest.fail) == (SMALL, tally)
        assert (folder / "results.txt").read_text() == results.text(SMALL, tally)
        lost = [line["game"] for line in lines(folder) if not line["won"]]
        puzzles = [json.loads(line) for line in (folder / "puzzles.jsonl").read_text().splitlines()]
        assert [puzzle["game"] for puzzle in puzzles] == lost
        for puzzle in puzzles:
            assert Layout.from_object(puzzle["layout"]) == SMALL.layout(puzzle["game"])

    def test_every_puzzle(self, tmp_path: Path) -> None:
        simulate(SMALL, tmp_path / "run", workers=1, puzzles="all")
        assert len((tmp_path / "run" / "puzzles.jsonl").read_text().splitlines()) == SMALL.games
        with pytest.raises(msat.UnknownName, match="'some': choose one of none, lost, all"):
            simulate(SMALL, workers=1, puzzles="some")

    def test_progress_is_told(self) -> None:
        seen: list[int] = []
        simulate(SMALL, workers=1, on_progress=lambda tally: seen.append(tally.games))
        assert seen == sorted(seen)
        assert seen[-1] == SMALL.games

    def test_a_strategy_of_ones_own(self) -> None:
        tally = simulate(Plan("tests.support.arena_players:First", 5, 5, 5, games=20), workers=1)
        assert tally.kinds["guess"].probability == 0.5
        assert 0 < tally.losses <= 20

    @pytest.mark.parametrize("workers", [0, -1, True, 1.5])
    def test_bad_workers(self, workers: Any, tmp_path: Path) -> None:
        with pytest.raises(msat.ParameterError, match=f"workers={workers}: expected a whole number"):
            simulate(SMALL, tmp_path / "run", workers=workers)
        assert not (tmp_path / "run").exists()

    @pytest.mark.skipif(not JIT, reason="so many games are too many for uncompiled kernels")
    @pytest.mark.skipif(sys.platform == "win32", reason="no resource limits to read there")
    def test_memory_stays_flat(self) -> None:
        code = """
import resource, sys
from msat.arena import Plan, simulate
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
simulate(Plan("logic", 9, 9, 10, games=1000), workers=1)
before = peak()
simulate(Plan("logic", 9, 9, 10, games=20000), workers=1)
print(peak() - before)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert int(done.stdout) < 8 * 1024  # KiB


class Here(Executor):
    """An executor that does the work at once, where it was asked for."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class TestPortions:
    def test_every_game_is_handed_out_once(self) -> None:
        portions = Portions([(0, 50), (60, 40)], workers=2)
        games: list[int] = []
        while portions:
            first, count = portions.take()
            games += range(first, first + count)
            portions.learn(count, 0.001)
        assert games == [*range(50), *range(60, 100)]

    def test_size_follows_speed(self) -> None:
        portions = Portions([(0, 1_000_000)], workers=2, seconds=0.25)
        for _ in range(30):
            _, count = portions.take()
            portions.learn(count, count * 0.001)
        assert 200 <= count <= 300
        for _ in range(30):
            _, count = portions.take()
            portions.learn(count, count * 1.0)
        assert count == 1

    def test_the_end_is_shared_out(self) -> None:
        portions = Portions([(0, 1000)], workers=4)
        sizes = []
        while portions:
            _, count = portions.take()
            sizes.append(count)
            portions.learn(count, 1e-6)
        assert sizes[-8:] == [1] * 8

    def test_missing(self) -> None:
        for total in (1, 2, 255, 256, 257, 600, 1025):
            draw = Random(total)
            games = {game for game in range(total) if draw.random() < 0.7}
            done = Done(total)
            assert all(done.add(game) for game in games)
            ranges = list(done.missing())
            found = [game for first, count in ranges for game in range(first, first + count)]
            assert found == [game for game in range(total) if game not in games]
            assert all(first + count < after for (first, count), (after, _) in pairwise(ranges))
            assert done.complete == (not found)

    def test_what_is_done_of_a_long_run_takes_little_memory(self) -> None:
        done = Done(1 << 32)
        assert done.add((1 << 32) - 1)
        assert list(done.missing()) == [(0, (1 << 32) - 1)]


def test_new_folders_have_new_names(tmp_path: Path) -> None:
    first = new_path("safest_expert", tmp_path)
    assert first.name.endswith("_safest_expert")
    assert first.name[:2] == "20"
    first.mkdir()
    assert new_path("safest_expert", tmp_path).name == f"{first.name}_2"
