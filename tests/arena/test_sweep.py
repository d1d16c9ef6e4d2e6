"""Sweeps: which values are tried, one run each, and the pictures of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import msat
from msat.arena import Plan, Sweep, simulate, sweep
from msat.arena.folder import Folder
from msat.arena.pictures import draw_sweep, heat_map
from msat.arena.sweeps import expand, read_sweep, start_classes, symmetric_cells, table, usual_values
from msat.errors import WrongType
from tests.conftest import scaled
from tests.support.installing import by_pip
from tests.support.runs import timeless

STARTS = Sweep(Plan("logic", 4, 5, 4, games=scaled(40)), "start", ("0,0", "1,2", "1,1"))
SLOWNESS = Sweep(Plan("tests.support.arena_players:Slow", 4, 4, 2, games=5), "pause", ("0", "0.001"))


class TestValues:
    @pytest.mark.parametrize(
        ("height", "width", "count"), [(16, 30, 120), (9, 9, 15), (16, 16, 36), (1, 1, 1)]
    )
    def test_one_start_of_each_symmetry_class(self, height: int, width: int, count: int) -> None:
        classes = start_classes(height, width)
        assert len(classes) == count
        images = [cell for start in classes for cell in symmetric_cells(height, width, start)]
        assert sorted(images) == [(r, c) for r in range(height) for c in range(width)]

    def test_ranges(self) -> None:
        assert expand(["-0.08:0.05:0.01"])[:2] == ("-0.08", "-0.07")
        assert len(expand(["-0.08:0.05:0.01"])) == 14
        assert expand(["8:30:2"]) == tuple(map(str, range(8, 31, 2)))

    @pytest.mark.parametrize("text", ["8:30:x", "8:30:0", "30:8:2", "0:1e9:1", "a:b:c"])
    def test_bad_ranges(self, text: str) -> None:
        with pytest.raises(msat.ArenaError, match=f"'{text}'"):
            expand([text])

    def test_usual_values(self) -> None:
        assert len(usual_values(Plan("logic"), "start")) == 120
        with pytest.raises(msat.ArenaError, match="logic has no parameter 'depth': sweep one of start"):
            usual_values(Plan("logic"), "depth")
        with pytest.raises(msat.ArenaError, match=r"which values of pause.*a number from 0 to 10"):
            usual_values(Plan("tests.support.arena_players:Slow"), "pause")

    def test_bad_values(self) -> None:
        plan = STARTS.plan
        with pytest.raises(msat.ArenaError, match="start '3' is no cell"):
            Sweep(plan, "start", ("3",))
        with pytest.raises(msat.CellError, match=r"\(9, 9\) is not on the 4×5 board"):
            Sweep(plan, "start", ("9,9",))
        with pytest.raises(msat.ArenaError, match="given twice: 0,0 0,0"):
            Sweep(plan, "start", ("0,0", "0,0"))
        with pytest.raises(msat.ParameterError, match=r"pause='11'.*from 0 to 10"):
            Sweep(SLOWNESS.plan, "pause", ("11",))
        with pytest.raises(msat.ArenaError, match="a sweep of 0 values"):
            Sweep(plan, "start", ())


class TestSweep:
    def test_each_value_is_a_run(self, tmp_path: Path) -> None:
        points = sweep(STARTS, tmp_path / "sweep", workers=1)
        for value, point in zip(STARTS.values, points, strict=True):
            r, c = map(int, value.split(","))
            alone = simulate(replace(STARTS.plan, start=(r, c)), workers=1)
            assert timeless(point.tally) == timeless(alone)
        text = (tmp_path / "sweep" / "results.txt").read_text()
        assert text == table(STARTS, points)
        assert text.count("\n") == 2 + len(points) + 1
        assert " *" in text

    def test_one_series_has_no_deviation(self) -> None:
        text = table(STARTS, sweep(STARTS, workers=1))
        assert text.count(" – ") == len(STARTS.values)
        assert text.endswith("no deviation: it takes two series of 100 games a value\n")
        settings = replace(STARTS, plan=replace(STARTS.plan, per_seed=10, games=20))
        assert "no deviation" not in table(settings, sweep(settings, workers=1))

    def test_resume(self, tmp_path: Path) -> None:
        whole = sweep(STARTS, tmp_path / "sweep", workers=1)
        games = tmp_path / "sweep" / "001_start=1,2" / "games.jsonl"
        games.write_text("".join(games.read_text().splitlines(keepends=True)[::2]))
        resumed = sweep(STARTS, tmp_path / "sweep", resume=True, workers=1)
        assert [timeless(p.tally) for p in resumed] == [timeless(p.tally) for p in whole]
        settings, points = read_sweep(Folder.open(tmp_path / "sweep"), pytest.fail)
        assert settings == STARTS
        assert [timeless(p.tally) for p in points] == [timeless(p.tally) for p in whole]

    def test_another_sweep(self, tmp_path: Path) -> None:
        sweep(STARTS, tmp_path / "sweep", workers=1)
        other = replace(STARTS, values=("0,0",))
        with pytest.raises(msat.FolderError, match="another run: there values is"):
            sweep(other, tmp_path / "sweep", resume=True, workers=1)


class TestPictures:
    def test_a_heat_map_fills_the_mirror_images(self) -> None:
        points = sweep(STARTS, workers=1)
        rates = heat_map(STARTS, points)
        assert rates[0, 0] == rates[3, 4] == rates[0, 4] == points[0].tally.percent
        assert np.isnan(rates[0, 1])
        assert np.count_nonzero(~np.isnan(rates)) == 4 + 2 + 4

    @pytest.mark.parametrize("settings", [STARTS, SLOWNESS], ids=["heat map", "line"])
    def test_png(self, settings: Sweep, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        file = tmp_path / "sweep.png"
        draw_sweep(settings, sweep(settings, workers=1), file)
        assert file.read_bytes().startswith(b"\x89PNG")
        assert file.stat().st_size > 5000

    def test_without_matplotlib(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        with pytest.raises(msat.MissingPackage, match=by_pip("matplotlib", "plots")):
            draw_sweep(STARTS, [], tmp_path / "sweep.png")


def test_values_may_be_numbers() -> None:
    plan = Plan("classic", 9, 9, 10)
    assert Sweep(plan, "end_play", (8, 10)) == Sweep(plan, "end_play", ("8", "10"))  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="give texts or numbers"):
        Sweep(plan, "end_play", (None,))  # type: ignore[arg-type]
