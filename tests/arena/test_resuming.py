"""Completing a run: only by the code that began it, and only what is really missing or damaged."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import msat
from msat.arena import Plan, Settings, Sprt, Sweep, compare, page, simulate, sweep
from msat.arena import journal as journals
from msat.arena.code import PLAYING, playing_code
from msat.arena.folder import Folder
from msat.arena.journal import Journal, checksum, line_of
from msat.arena.simulation import read_tally
from tests.conftest import scaled
from tests.support.command import ROOT, Cli
from tests.support.runs import lines, timeless

PLAN = Plan("logic", 9, 9, 10, games=scaled(60))

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of POSIX")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    simulate(PLAN, tmp_path / "run", workers=1)
    return tmp_path / "run"


def head_of(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "run.json").read_text())
    return found


def rewrite(run: Path, **changes: Any) -> None:
    """Change what `run.json` says, as if msat had written it so."""
    head = head_of(run) | changes
    del head["check"]
    head["check"] = checksum(json.dumps(head, sort_keys=True).encode())
    (run / "run.json").write_text(json.dumps(head))


def make_old(run: Path) -> None:
    """Make of a folder what the version before checksums would have written."""
    head = {name: value for name, value in head_of(run).items() if name not in ("code", "values", "check")}
    (run / "run.json").write_text(json.dumps(head | {"version": 1}))
    games = run / "games.jsonl"
    games.write_text(re.sub(r', "check": "\w{8}"', "", games.read_text()))


class TestComplete:
    @pytest.mark.parametrize("workers", [1, 2, 3])
    def test_a_run(self, run: Path, workers: int) -> None:
        before = (run / "games.jsonl").read_bytes()
        tally = simulate(PLAN, run, resume=True, workers=workers)
        assert tally.games == PLAN.games
        assert (run / "games.jsonl").read_bytes() == before

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_sweep(self, tmp_path: Path, workers: int) -> None:
        settings = Sweep(Plan("logic", 4, 5, 4, games=10), "start", ("0,0", "1,2", "1,1"))
        whole = sweep(settings, tmp_path / "sweep", workers=1)
        resumed = sweep(settings, tmp_path / "sweep", resume=True, workers=workers)
        assert [timeless(p.tally) for p in resumed] == [timeless(p.tally) for p in whole]
        (tmp_path / "sweep" / "001_start=1,2" / "games.jsonl").unlink()
        resumed = sweep(settings, tmp_path / "sweep", resume=True, workers=workers)
        assert [timeless(p.tally) for p in resumed] == [timeless(p.tally) for p in whole]

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_comparison(self, tmp_path: Path, workers: int) -> None:
        settings = Settings(
            Plan("safest", 9, 9, 10, games=10), Plan("logic", 9, 9, 10, games=10), Sprt(0.5, 0.9)
        )
        whole = compare(settings, tmp_path / "run", workers=1)
        assert compare(settings, tmp_path / "run", resume=True, workers=workers).text() == whole.text()

    def test_nothing_to_do_without_a_folder_either(self) -> None:
        assert simulate(Plan("logic", 4, 4, 1, games=1), workers=2).games == 1


class TestExtending:
    def test_a_run(self, run: Path, tmp_path: Path) -> None:
        longer = replace(PLAN, games=PLAN.games + 20)
        tally = simulate(longer, run, resume=True, workers=1)
        assert timeless(tally) == timeless(simulate(longer, tmp_path / "whole", workers=1))
        assert lines(run) == lines(tmp_path / "whole")
        assert head_of(run)["settings"] == longer.to_object() | {"start": [3, 3]}
        assert timeless(read_tally(Folder.open(run), pytest.fail)[1]) == timeless(tally)

    def test_by_the_command(self, cli: Cli, run: Path) -> None:
        assert (
            cli("sim", "--resume", "--out", str(run), "--games", str(PLAN.games + 5), "--workers", "1") == 0
        )
        assert f"Samples: {PLAN.games + 5}\n" in cli.out
        assert cli("sim", "--resume", "--out", str(run), "--games", str(PLAN.games)) == 2
        assert f"the folder of {PLAN.games + 5} games: more extend it, {PLAN.games} cannot" in cli.err

    def test_a_run_of_an_older_version(self, run: Path) -> None:
        make_old(run)
        longer = replace(PLAN, games=PLAN.games + 5)
        assert simulate(longer, run, resume=True, workers=1, report=lambda _: None).games == longer.games
        assert head_of(run)["version"] == 1
        assert read_tally(Folder.open(run), pytest.fail)[1].games == longer.games

    def test_nothing_else_may_change_with_it(self, run: Path) -> None:
        with pytest.raises(msat.FolderError, match="another run: there seed is 1, not 2"):
            simulate(replace(PLAN, games=PLAN.games + 5, seed=2), run, resume=True, workers=1)
        rewrite(run, code="0123456789abcdef")
        with pytest.raises(msat.FolderError, match="code that plays has changed"):
            simulate(replace(PLAN, games=PLAN.games + 5), run, resume=True, workers=1)
        assert head_of(run)["settings"]["games"] == PLAN.games

    def test_a_sweep_and_a_comparison(self, cli: Cli, tmp_path: Path) -> None:
        options = ("--size", "4x4x2", "--workers", "1", "--out")
        sweep_out, compare_out = str(tmp_path / "sweep"), str(tmp_path / "compare")
        assert cli("sweep", "start", "--strategy", "logic", "--games", "3", *options, sweep_out) == 0
        assert cli("sweep", "--resume", "--out", sweep_out, "--games", "6", "--workers", "1") == 0
        assert re.findall(r"^ +\d,\d +6 ", cli.out, re.MULTILINE)
        assert cli("compare", "logic", "logic", "--games", "3", *options, compare_out) == 0
        assert cli("compare", "--resume", "--out", compare_out, "--games", "6", "--workers", "1") == 0
        assert "undecided after 6 boards" in cli.out


class TestVersions:
    def test_the_folder_tells_who_played(self, run: Path) -> None:
        head = head_of(run)
        assert head["msat"] == msat.__version__
        assert head["code"] == playing_code("logic")
        assert head["version"] == 2

    def test_another_version(self, run: Path) -> None:
        rewrite(run, msat="0.0.9")
        before = (run / "games.jsonl").read_bytes()
        with pytest.raises(
            msat.FolderError,
            match=rf"begun by msat 0\.0\.9, and this is {msat.__version__}.*that version, or play anew into",
        ):
            simulate(PLAN, run, resume=True, workers=1)
        assert (run / "games.jsonl").read_bytes() == before
        assert "Wins" in page([run])  # to be read it need not be the same

    def test_other_code(self, run: Path) -> None:
        rewrite(run, code="0123456789abcdef")
        with pytest.raises(
            msat.FolderError,
            match=r"code that plays has changed since .*go back to that code to complete it, or",
        ):
            simulate(PLAN, run, resume=True, workers=1)

    def test_a_sweep_and_a_comparison(self, cli: Cli, tmp_path: Path) -> None:
        options = ("--size", "4x4x2", "--games", "3", "--workers", "1", "--out")
        assert cli("sweep", "start", "--strategy", "logic", *options, str(tmp_path / "sweep")) == 0
        assert cli("compare", "logic", "safest", *options, str(tmp_path / "compare")) == 0
        for command in ("sweep", "compare"):
            rewrite(tmp_path / command, code="0123456789abcdef")
            assert cli(command, "--resume", "--out", str(tmp_path / command)) == 2
            assert "the code that plays has changed" in cli.err

    def test_a_strategy_of_ones_own_is_part_of_the_code(self, tmp_path: Path) -> None:
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from msat.arena.code import playing_code; print(playing_code('mine:Player', 'logic'))"
        )

        def digest(source: str) -> str:
            (tmp_path / "mine.py").write_text(source)
            command = [sys.executable, "-B", "-c", code, str(tmp_path)]
            return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout

        first = digest("from tests.support.arena_players import First as Player\n")
        assert digest("from tests.support.arena_players import Slow as Player\n") != first
        assert digest("from tests.support.arena_players import First as Player\n") == first

    def test_a_worker_with_other_code(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from msat.arena.games import play_portion

        with pytest.raises(msat.ArenaError, match="a worker has other playing code than the run"):
            play_portion(PLAN, "0123456789abcdef", 0, 1)

    def test_all_that_plays_is_in_the_digest(self) -> None:
        """Whatever a game of any strategy loads of msat is in `PLAYING`, or only reads, writes and words."""
        code = """
import sys
from msat.arena import Plan
from msat.arena.games import play_games
from msat.strategies import names
for name in names():
    for rng in ("pcg", "kiss"):
        list(play_games(Plan(name, 9, 9, 10, games=1, rng=rng), 0, 1))
print(*(name for name in sys.modules if name.startswith("msat.")))
"""
        command = [sys.executable, "-c", code]
        loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
        other = {
            "errors",
            "wording",
            "limits",
            "deadline",
            "installing",
            "interrupting",
            "kinds",
            "value",
            "_compiler",
            "_haste",
            "notebook",
            "svg",
            "_jit",
            "_kernel_cache",
            "formats",
            "record",
            "arena",
        }
        for name in loaded:
            file = name.removeprefix("msat.").replace(".", "/")
            inside = any(file == part.removesuffix(".py") or file.startswith(f"{part}/") for part in PLAYING)
            assert inside or file.split("/")[0] in other, f"{name} plays along, and is not in PLAYING"
        for part in PLAYING:
            assert (Path(msat.__file__).parent / part).exists()


class TestChecksums:
    def test_every_line_has_one(self, run: Path) -> None:
        for line in (run / "games.jsonl").read_text().splitlines():
            value = json.loads(line)
            del value["check"]
            assert line_of(value) == line + "\n"

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ('"won": true', '"won": false'),
            ('"moves": ', '"moves": 1'),
            ('"guesses": []', '"guesses": [["a", [0, 0], 0.5, true]]'),
            ('"check": "', '"cheek": "'),
            (', "check": ', ', "check":'),
        ],
    )
    def test_damage_is_noticed_and_played_again(self, run: Path, old: str, new: str) -> None:
        whole = simulate(PLAN, workers=1)
        games = run / "games.jsonl"
        assert old in games.read_text()
        games.write_text(games.read_text().replace(old, new, 1))
        messages: list[str] = []
        tally = simulate(PLAN, run, resume=True, workers=1, report=messages.append)
        assert timeless(tally) == timeless(whole)
        assert len(messages) == 1
        assert re.search(
            "line [0-9]+ is damaged.*(checksum does not match|no checksum); it is left", messages[0]
        )

    def test_every_single_bit_of_a_line(self, tmp_path: Path) -> None:
        line = line_of({"game": 3, "won": True}).encode()
        file = tmp_path / "journal"
        for place in range(8 * (len(line) - 1)):
            flipped = bytearray(line)
            flipped[place // 8] ^= 1 << place % 8
            file.write_bytes(flipped)
            values = [value for _, value in journals.read_lines(file, checked=True)]
            assert all(isinstance(value, msat.FolderError) for value in values)

    def test_old_folders_are_read_and_completed(self, run: Path) -> None:
        whole = simulate(PLAN, workers=1)
        make_old(run)
        games = run / "games.jsonl"
        games.write_text("".join(games.read_text().splitlines(keepends=True)[::2]))
        _, tally = read_tally(Folder.open(run), pytest.fail)
        assert tally.games == (PLAN.games + 1) // 2
        messages: list[str] = []
        assert timeless(simulate(PLAN, run, resume=True, workers=1, report=messages.append)) == timeless(
            whole
        )
        assert messages == [
            f"{run} does not tell which msat began it: its games may be those of another version"
        ]
        assert timeless(read_tally(Folder.open(run), pytest.fail)[1]) == timeless(whole)

    def test_run_json_that_was_changed(self, run: Path) -> None:
        text = (run / "run.json").read_text()
        (run / "run.json").write_text(text.replace('"mines": 10', '"mines": 11'))
        messages: list[str] = []
        page([run], messages.append)
        assert "run.json was changed since it was written: its checksum does not match" in messages[0]
        with pytest.raises(
            msat.FolderError, match=r"run\.json was changed since it was written: .*restore it"
        ):
            simulate(Plan("logic", 9, 9, 11, games=PLAN.games), run, resume=True, workers=1)

    def test_many_damaged_lines_are_counted(self, run: Path) -> None:
        with (run / "games.jsonl").open("a") as file:
            file.write("nonsense\n" * 500 + line_of({"game": 1, "won": 3}) * 500)
        messages: list[str] = []
        assert read_tally(Folder.open(run), messages.append)[1].games == PLAN.games
        assert len(messages) == 21
        assert "980 more lines are damaged and left out" in messages[-1]


class TestTheFileOfGames:
    def test_removed_before_it_goes_on(self, cli: Cli, run: Path) -> None:
        whole = lines(run)
        (run / "games.jsonl").unlink()
        assert cli("sim", "--resume", "--out", str(run), "--workers", "1") == 0
        assert lines(run) == whole

    @pytest.mark.parametrize("replaced", [False, True])
    @pytest.mark.parametrize("last", [False, True])
    def test_removed_during_the_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool, last: bool
    ) -> None:
        def lose(tally: object) -> None:
            if not last or getattr(tally, "games", 0) == PLAN.games:
                games.unlink(missing_ok=True)
                if replaced:
                    games.touch()

        games = tmp_path / "run" / "games.jsonl"
        with pytest.raises(
            msat.FolderError, match=r"removed or replaced during the run.*resume=True plays what is"
        ):
            simulate(PLAN, tmp_path / "run", workers=1, on_progress=lose)
        assert simulate(PLAN, tmp_path / "run", workers=1, resume=True).games == PLAN.games
        assert len(lines(tmp_path / "run")) == PLAN.games

    @posix
    def test_links_are_not_followed(self, cli: Cli, run: Path, tmp_path: Path) -> None:
        mine = tmp_path / "mine.txt"
        mine.write_text("Dear diary")
        for name in ("games.jsonl", "run.json", "report.html"):
            (run / name).rename(tmp_path / name) if (run / name).exists() else None
            (run / name).symlink_to(mine)
            assert cli("sim", "--resume", "--out", str(run)) == (0 if name == "report.html" else 2)
            assert cli("report", str(run)) == (0 if name == "report.html" else 2)
            assert mine.read_text() == "Dear diary"
            if (tmp_path / name).exists():
                (tmp_path / name).replace(run / name)

    @posix
    @pytest.mark.parametrize("name", ["games.jsonl", "run.json"])
    def test_what_is_no_file(self, cli: Cli, run: Path, name: str) -> None:
        for make in (os.mkfifo, os.mkdir):
            (run / name).rename(run.parent / "kept")
            make(run / name)
            for command in (("report", str(run)), ("sim", "--resume", "--out", str(run))):
                assert cli(*command) == 2
                assert cli.err.count("\n") == 1
            (run / name).unlink() if make is os.mkfifo else (run / name).rmdir()
            (run.parent / "kept").rename(run / name)


class TestDisk:
    def test_lines_are_on_disk_within_the_time_that_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        synced: list[int] = []

        def fsync(file: int) -> None:
            if not os.path.isdir(f"/proc/self/fd/{file}"):
                synced.append(os.fstat(file).st_size)
            sync(file)

        sync = os.fsync
        monkeypatch.setattr(os, "fsync", fsync)
        monkeypatch.setattr(journals, "SYNC_SECONDS", 0.01)
        with Journal(tmp_path / "journal") as journal:
            journal.append("12345\n")
            for _ in range(1000):  # nothing is appended any more, and it is synced all the same
                if synced == [6]:
                    break
                time.sleep(0.01)
            journal.append("67890\n")
        assert synced[0] == 6
        assert synced[-1] == 12

    def test_a_disk_that_fails_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(file: int) -> None:
            raise OSError(5, "Input/output error")

        journal = Journal(tmp_path / "journal")
        journal.append("12345\n")
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(msat.FolderError, match=r"Input/output error; .*resume=True"):
            journal.__exit__(None, None, None)
