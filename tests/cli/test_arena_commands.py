"""The arena's commands, seen from outside: what they print, and how they refuse."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from msat.arena import Plan, results, simulate
from tests.conftest import scaled
from tests.support.command import Cli

GAMES = str(scaled(60))
SMALL = ("--preset", "beginner", "--games", GAMES, "--workers", "1")


@pytest.fixture
def run(cli: Cli, tmp_path: Path) -> Path:
    assert cli("sim", "--strategy", "logic", *SMALL, "--out", str(tmp_path / "run")) == 0
    return tmp_path / "run"


class TestSim:
    def test_it_prints_what_it_writes(self, cli: Cli, run: Path) -> None:
        plan = Plan("logic", 9, 9, 10, games=int(GAMES))
        expected = results.text(plan, simulate(plan, workers=1))
        assert cli.out == (run / "results.txt").read_text()
        assert cli.out.partition("Time")[0] == expected.partition("Time")[0]
        assert cli.err == f"msat: all games are in {run}\n"
        assert len((run / "games.jsonl").read_text().splitlines()) == int(GAMES)

    def test_a_folder_is_named_by_date_and_settings(
        self, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert cli("sim", "--strategy", "logic", *SMALL, "--start", "0,0", "--first", "safe") == 0
        [folder] = (tmp_path / "runs").iterdir()
        name = r"\d{4}-\d\d-\d\d_logic_beginner_start=0,0_first=safe_games=" + GAMES
        assert re.fullmatch(name, folder.name)

    def test_no_folder(self, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert cli("sim", "--strategy", "logic", *SMALL, "--no-folder") == 0
        assert list(tmp_path.iterdir()) == []
        assert cli.err == ""

    def test_seeds_times_puzzles(self, cli: Cli, tmp_path: Path) -> None:
        options = ("--size", "9x9x10", "--rng", "kiss", "--games", "3x4", "--start", "2,2", "--seed", "7")
        assert (
            cli("sim", "--strategy", "logic", *options, "--workers", "1", "--out", str(tmp_path / "run")) == 0
        )
        assert "seeds: 7 to 9, 4 puzzles each\n" in cli.out
        games = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text().splitlines()]
        assert [(game["seed"], game["index"]) for game in games] == [
            (seed, index) for seed in (7, 8, 9) for index in range(4)
        ]

    def test_resume_needs_no_other_option(self, cli: Cli, run: Path) -> None:
        games = run / "games.jsonl"
        whole = cli.out
        games.write_text("".join(games.read_text().splitlines(keepends=True)[::2]))
        assert cli("sim", "--resume", "--out", str(run), "--workers", "1") == 0
        assert cli.out.partition("Time")[0] == whole.partition("Time")[0]
        assert cli("sim", "--resume", "--out", str(run), *SMALL, "--strategy", "logic") == 0
        assert cli("sim", "--resume", str(run), "--workers", "1") == 0
        assert cli.out.partition("Time")[0] == whole.partition("Time")[0]

    def test_parameters_behind_the_name(self, cli: Cli) -> None:
        player = ("--strategy", "tests.support.arena_players:Slow:pause=0.001")
        options = ("--size", "5x5x5", "--games", "3", "--workers", "1", "--no-folder")
        assert cli("sim", *player, *options) == 0
        assert "\npause: 0.001\n" in cli.out
        assert cli("sim", *player, "--param", "pause=0.002", *options) == 0
        assert "\npause: 0.002\n" in cli.out

    def test_parameters(self, cli: Cli) -> None:
        player = ("--strategy", "tests.support.arena_players:Slow", "--param", "pause=0.001")
        assert cli("sim", *player, "--size", "5x5x5", "--games", "3", "--workers", "1", "--no-folder") == 0
        assert "\npause: 0.001\n" in cli.out

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--strategy", "bogus"], "unknown strategy 'bogus': choose one of"),
            (["--strategy", "logic", "--param", "depth=3"], "logic has no parameter 'depth'"),
            (["--param", "depth"], "--param: 'depth' is no parameter: expected NAME=VALUE"),
            (
                ["--strategy", "best:layouts"],
                "'best:layouts': 'layouts' is no parameter: expected NAME=VALUE",
            ),
            (["--strategy", "best:deep=2"], "best has no parameter 'deep': it takes layouts"),
            (
                ["--strategy", "best:layouts=2,layouts=3"],
                "'best:layouts=2,layouts=3': 'layouts' is given twice",
            ),
            (["--start", "16,0"], "(16, 0) is not on the 16×30 board"),
            (["--start", "corner"], "'corner' is no cell: expected ROW,COLUMN"),
            (["--size", "3x3x2"], "2 mines do not fit a 3×3 board that keeps 9 cells free"),
            (["--games", "many"], "'many' is no number of games: expected 5000, or 1000x100"),
            (["--games", "10x100", "--per-seed", "50"], "contradict each other"),
            (["--preset", "huge"], "unknown preset 'huge'"),
            (["--resume"], "--resume needs the folder of the run to complete: --resume FOLDER"),
            (["--resume", "nowhere"], "'nowhere' is no folder: write --resume and the folder of the run"),
            (["--resume", "tests", "--out", "x"], "--resume 'tests' and --out 'x' are two folders"),
            (["--no-folder", "--out", "x"], "--no-folder and --out 'x' exclude each other"),
            (["--rng", "kiss", "--first", "safe"], "--first safe needs --rng pcg"),
            (["--workers", "0", "--no-folder"], "--workers 0: expected a whole number from 1 to 1,000"),
            (["--workers", "2", "--scheduler", "x"], "not allowed with argument"),
        ],
    )
    def test_bad_input(self, cli: Cli, options: list[str], message: str) -> None:
        assert cli("sim", *options) == 2
        assert message in cli.err
        assert cli.err.count("\n") == 1
        assert cli.out == ""

    @pytest.mark.parametrize("size", ["9x9x75", "3x3x1", "1x2x1", "3x3x8"])
    def test_boards_without_room_for_the_usual_first_click(self, cli: Cli, size: str, tmp_path: Path) -> None:
        options = ("--strategy", "logic", "--size", size, "--first", "safe", "--games", "3", "--workers", "1")
        assert cli("sim", *options, "--out", str(tmp_path / "run")) == 0, cli.err
        assert cli("report", str(tmp_path / "run")) == 0, cli.err

    @pytest.mark.parametrize(
        "name",
        [
            ".logic:Logic",
            "..a:B",
            "a:",
            ":b",
            "a:b:c",
            "a b:c",
            "logic:",
            "msat.:Logic",
            "\n:x",
            "best:name=3",
        ],
    )
    def test_names_that_are_none(self, cli: Cli, name: str) -> None:
        assert cli("sim", "--strategy", name, "--no-folder") == 2
        assert cli.err.count("\n") == 1

    def test_a_folder_of_another_run(self, cli: Cli, run: Path) -> None:
        before = (run / "games.jsonl").read_bytes()
        assert cli("sim", "--out", str(run)) == 2
        assert "holds a run already" in cli.err
        assert cli("sim", "--resume", "--out", str(run), "--seed", "5") == 2
        assert "is the folder of another run: there seed is 1, not 5" in cli.err
        assert cli("compare", "--resume", "--out", str(run)) == 2
        assert "holds a 'sim', not a 'compare'" in cli.err
        assert (run / "games.jsonl").read_bytes() == before

    def test_a_damaged_line(self, cli: Cli, run: Path) -> None:
        games = run / "games.jsonl"
        games.write_text(games.read_text().replace('{"game": 1,', "{game 1,", 1))
        assert cli("sim", "--resume", "--out", str(run), "--workers", "1") == 0
        assert "line 2 is damaged: '{game 1," in cli.err
        assert f"Samples: {GAMES}\n" in cli.out


class TestSweep:
    def test_starts(self, cli: Cli, tmp_path: Path) -> None:
        folder = tmp_path / "sweep"
        size = ("--strategy", "logic", "--size", "3x4x2", "--games", "10", "--workers", "1")
        assert cli("sweep", "start", *size, "--out", str(folder)) == 0
        assert re.findall(r"^ +(\d,\d) +10 ", cli.out, re.MULTILINE) == ["0,0", "0,1", "1,0", "1,1"]
        assert (folder / "results.txt").read_text() == cli.out
        assert (folder / "sweep.png").exists() == ("matplotlib" not in cli.err)
        whole = cli.out
        assert cli("sweep", "--resume", "--out", str(folder), "--workers", "1") == 0
        assert cli.out == whole

    def test_a_parameter(self, cli: Cli) -> None:
        player = ("--strategy", "tests.support.arena_players:Slow", "--size", "4x4x2", "--games", "3")
        for values in (["0 0.001:0.002:0.001"], ["0", "0.001", "0.002"]):
            run = ("--values", *values, "--workers", "1", "--no-folder")
            assert cli("sweep", "pause", *player, *run) == 0
            assert re.findall(r"^ +([\d.]+) +3 ", cli.out, re.MULTILINE) == ["0", "0.001", "0.002"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ([], "sweep what? 'start', or a parameter of the strategy"),
            (["depth", "--strategy", "logic"], "logic has no parameter 'depth': sweep one of start"),
            (["start", "--values", "5"], "start '5' is no cell"),
            (["start", "--values", "1:2:0"], "'1:2:0' is no range"),
        ],
    )
    def test_bad_input(self, cli: Cli, options: list[str], message: str) -> None:
        assert cli("sweep", *options) == 2
        assert message in cli.err


class TestCompare:
    def test_it_answers(self, cli: Cli, tmp_path: Path) -> None:
        folder = tmp_path / "pairs"
        options = (
            "--preset",
            "beginner",
            "--bounds",
            "0.5,0.9",
            "--workers",
            "1",
            "--games",
            str(scaled(300)),
        )
        assert cli("compare", "safest", "logic", *options, "--out", str(folder)) == 0
        assert re.search(r"^Answer: (A is stronger than B|undecided)", cli.out, re.MULTILINE)
        assert (folder / "results.txt").read_text() == cli.out
        whole = cli.out
        assert cli("compare", "--resume", "--out", str(folder), "--workers", "1") == 0
        assert cli.out == whole
        assert cli("compare", "logic", "safest", "--resume", "--out", str(folder)) == 2
        assert "is the folder of another run" in cli.err

    def test_parameters_of_each_side(self, cli: Cli) -> None:
        a, b = (f"tests.support.arena_players:Slow:pause={pause}" for pause in ("0", "0.001"))
        assert cli("compare", a, b, "--size", "5x5x5", "--games", "3", "--workers", "1", "--no-folder") == 0
        assert (
            "A: tests.support.arena_players:Slow pause=0.0\nB: tests.support.arena_players:Slow pause=0.001\n"
            in cli.out
        )
        assert "only A: 0, only B: 0" in cli.out

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["safest"], "compare needs two strategies"),
            (["safest", "bogus"], "unknown strategy 'bogus'"),
            (["safest", "logic:depth=3"], "logic has no parameter 'depth'"),
            (["safest", "logic:depth"], "'logic:depth': 'depth' is no parameter: expected NAME=VALUE"),
            (
                ["safest", "bset:layouts"],
                "'bset:layouts' cannot be loaded: No module named 'bset'; give one of",
            ),
            (["safest", "logic", "--bounds", "0.5"], "'0.5' is no pair: expected LOW,HIGH"),
            (["safest", "logic", "--bounds", "0.6,0.5"], "bounds 0.6,0.5 are none"),
            (["safest", "logic", "--alpha", "0.5"], "--alpha 0.5 is no error rate"),
        ],
    )
    def test_bad_input(self, cli: Cli, options: list[str], message: str) -> None:
        assert cli("compare", *options) == 2
        assert message in cli.err


class TestReport:
    def test_it_writes_a_page(self, cli: Cli, run: Path) -> None:
        assert cli("report", str(run)) == 0
        assert cli.out == f"{run / 'report.html'}\n"
        assert (run / "report.html").read_text().startswith("<!DOCTYPE html>")
        assert cli("report", str(run), str(run), "--out", str(run / "two.html")) == 0
        assert (run / "two.html").read_text().count("<h2 ") == 2

    def test_bad_input(self, cli: Cli, run: Path) -> None:
        assert cli("report", str(run / "nothing")) == 2
        assert "holds no run: there is no run.json in it" in cli.err
        assert cli("report", str(run), "--out", str(run / "no" / "folder.html")) == 2
        assert "folder.html cannot be written: No such file or directory" in cli.err


@pytest.mark.parametrize(
    ("command", "defaults"),
    [
        ("sim", ["(default: safest)", "(default: 1000)", "(default: 100)", "(default: expert)"]),
        ("sweep", ["(default: safest)", "(default: 5000)", "(default: 500)", "(default: expert)"]),
        ("compare", ["(default: at most 100000)", "(default: 100)", "(default: expert)"]),
    ],
)
def test_help_names_the_defaults(cli: Cli, command: str, defaults: list[str]) -> None:
    assert cli(command, "--help") == 0
    said = " ".join(cli.out.split())
    for default in [*defaults, "(default: 1)", "(default: near a corner)"]:
        assert default in said


@pytest.mark.parametrize("command", ["sim", "sweep", "compare", "report"])
def test_help_has_examples(cli: Cli, command: str) -> None:
    assert cli(command, "--help") == 0
    assert f"examples:\n  msat {command} " in cli.out


class Screen(io.StringIO):
    """A terminal to write on."""

    def isatty(self) -> bool:
        return True


def test_the_progress_bar(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    player = ("--strategy", "tests.support.arena_players:Slow", "--size", "5x5x5")
    assert cli("sim", *player, "--games", "20", "--workers", "1", "--no-folder") == 0
    shown = re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", screen.getvalue())
    assert re.search(r"\d+/20 +\d+ games/s, won \d+\.\d\d % ± \d+\.\d\d +\d:\d\d:\d\d", shown)
    assert (
        cli(
            "compare", "safest", "logic", "--size", "9x9x10", "--games", "50", "--workers", "1", "--no-folder"
        )
        == 0
    )
    assert re.search(r"games/s, only A \d+, only B \d+, evidence [+-]\d", screen.getvalue())
