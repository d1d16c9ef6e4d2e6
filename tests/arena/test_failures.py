"""What may happen to a long run: Ctrl-C, kill -9, a full disk, a damaged file. No finished game is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import msat
from msat.arena import Plan, results, simulate
from msat.arena.folder import Folder
from msat.arena.journal import Journal, line_of
from msat.arena.simulation import read_tally
from msat.arena.workforce import _begin_worker
from msat.cli.runs import keeping
from tests.conftest import scaled
from tests.support.arena_players import SOME, kept_games
from tests.support.clock import wait_until
from tests.support.command import alive, ended, process
from tests.support.runs import lines, timeless

SMALL = Plan("logic", 9, 9, 10, games=scaled(100))
SLOW = Plan("tests.support.arena_players:Slow", 5, 5, 5, games=24, parameters={"pause": 0.1})

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are those of POSIX")


def run_slow(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """The slow run in a process of its own, which has finished some games and will never finish them all."""
    settings = ("--strategy", SLOW.strategy, "--size", "5x5x5", "--games", str(SLOW.games))
    runner = process(
        "sim", *settings, "--param", "pause=0.1", "--out", str(folder), *options, MSAT_TEST_RUN=str(folder)
    )
    wait_until(lambda: runner.poll() is not None or kept_games(folder) >= SOME)
    assert runner.poll() is None, runner.communicate()
    return runner


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Within, no file can grow beyond so many bytes: a write across that is cut short, the next one fails."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def is_free(folder: Path) -> bool:
    """Whether nobody writes there: the workers of a killed runner may still hold it for a moment."""
    try:
        with Folder.open(folder).journal():
            return True
    except msat.FolderError as busy:
        assert "in use" in str(busy)  # noqa: PT017
        return False


def complete(folder: Path) -> None:
    """Complete the slow run, and compare it with one that nothing happened to."""
    wait_until(partial(is_free, folder))
    tally = simulate(SLOW, folder, resume=True, workers=2)
    undisturbed = simulate(replace(SLOW, parameters={"pause": 0}), folder.parent / "undisturbed", workers=1)
    assert timeless(tally) == timeless(undisturbed)
    assert lines(folder) == lines(folder.parent / "undisturbed")


@posix
@pytest.mark.parametrize("workers", ["1", "2"])
def test_kill_9_of_the_runner(workers: str, tmp_path: Path) -> None:
    runner = run_slow(tmp_path / "run", "--workers", workers)
    runner.kill()
    runner.communicate()
    kept = (tmp_path / "run" / "games.jsonl").read_bytes()
    assert kept.count(b"\n") < SLOW.games
    complete(tmp_path / "run")
    whole = kept[: kept.rindex(b"\n") + 1]
    assert (tmp_path / "run" / "games.jsonl").read_bytes().startswith(whole)


@pytest.mark.parametrize(
    ("command", "strategies", "told"),
    [
        ("sweep", ["mine:Own"], "sweep --strategy mine:Own --resume run"),
        ("sim", ["best"], "sim --resume run"),
        ("compare", ["safest", "best"], "compare --resume run"),
        ("compare", ["mine:Own", "best"], "compare mine:Own best --resume run"),
    ],
)
def test_the_command_that_goes_on(
    command: str, strategies: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt), keeping(Path("run"), command, *strategies):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == f"msat: stopped; finished games are kept: 'msat {told}' goes on\n"


@posix
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c(workers: str, tmp_path: Path) -> None:
    runner = run_slow(tmp_path / "run", "--workers", workers)
    runner.send_signal(signal.SIGINT)
    status, _, err = ended(runner)
    assert status == 130
    assert err == (
        "msat: stopped; finished games are kept: "
        f"'msat sim --strategy {SLOW.strategy} --resume {tmp_path / 'run'}' goes on\n"
    )
    assert "Unfinished: " in (tmp_path / "run" / "results.txt").read_text()
    complete(tmp_path / "run")


@posix
def test_workers_end_with_a_killed_runner(tmp_path: Path) -> None:
    runner = run_slow(tmp_path / "run", "--workers", "2")
    children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children")
    if not children.exists():
        runner.kill()
        pytest.skip("the system does not list child processes")
    workers = children.read_text().split()
    assert len(workers) == 2
    runner.kill()
    runner.communicate()
    wait_until(lambda: not any(alive(worker) for worker in workers), lambda: "workers outlive their runner")


@posix
class TestWorkersThatDie:
    @pytest.fixture(autouse=True)
    def _environment(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lives = tmp_path / "lives"
        self.lives.mkdir()
        monkeypatch.setenv("MSAT_TEST_LIVES", str(self.lives))
        monkeypatch.setenv("MSAT_TEST_RUNNER", str(os.getpid()))

    def test_their_games_are_played_by_others(self, tmp_path: Path) -> None:
        plan = Plan("tests.support.arena_players:Deadly", 5, 5, 5, games=40)
        for name in ("one", "two"):
            (self.lives / name).touch()
        tally = simulate(plan, tmp_path / "run", workers=2)
        assert list(self.lives.iterdir()) == []
        assert timeless(tally) == timeless(simulate(plan, workers=1))
        assert [line["game"] for line in lines(tmp_path / "run")] == list(range(40))

    def test_if_they_always_die_the_run_gives_up_and_can_be_resumed(self, tmp_path: Path) -> None:
        plan = Plan("tests.support.arena_players:Deadly", 5, 5, 5, games=40)
        for number in range(100):
            (self.lives / str(number)).touch()
        with pytest.raises(msat.ArenaError, match="worker processes died 3 times without finishing a game"):
            simulate(plan, tmp_path / "run", workers=2)
        for life in self.lives.iterdir():
            life.unlink()
        tally = simulate(plan, tmp_path / "run", workers=2, resume=True)
        assert timeless(tally) == timeless(simulate(plan, workers=1))


@posix
@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk(workers: int, tmp_path: Path) -> None:
    whole = simulate(SMALL, tmp_path / "whole", workers=1)
    room = 40 * scaled(100)
    with (
        room_for(room),
        pytest.raises(msat.FolderError, match=r"cannot be written: File too large; .*resume=True"),
    ):
        simulate(SMALL, tmp_path / "run", workers=workers)
    kept = (tmp_path / "run" / "games.jsonl").read_text()
    assert len(kept) <= room
    assert all(json.loads(line) for line in kept.splitlines())
    assert kept == "" or kept.endswith("\n")
    assert timeless(simulate(SMALL, tmp_path / "run", resume=True, workers=workers)) == timeless(whole)
    assert (tmp_path / "run" / "games.jsonl").read_text().startswith(kept)


class TestDamage:
    @pytest.fixture
    def run(self, tmp_path: Path) -> Path:
        simulate(SMALL, tmp_path / "run", workers=1)
        return tmp_path / "run"

    def complete(self, run: Path) -> list[str]:
        """Complete a run that was damaged; what was reported."""
        messages: list[str] = []
        whole = simulate(SMALL, workers=1)
        tally = simulate(SMALL, run, resume=True, workers=1, report=messages.append)
        assert timeless(tally) == timeless(whole)
        assert (run / "results.txt").read_text().splitlines()[:10] == results.text(SMALL, whole).splitlines()[
            :10
        ]
        return messages

    def test_a_line_that_is_no_json(self, run: Path) -> None:
        file = run / "games.jsonl"
        before = file.read_text().splitlines()
        before[2] = before[2][:20]
        file.write_text("\n".join(before) + "\n")
        [message] = self.complete(run)
        assert f"{file}, line 3 is damaged: '{before[2]}'" in message
        assert file.read_text().splitlines()[: len(before)] == before  # what was there stays, even that

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (line_of({"game": 1}), "line of game 1 is damaged: not the result of a game: {'game': 1}"),
            ("[1, 2]\n", "line 2 is damaged: '[1, 2]': it has no checksum"),
            (line_of({"game": "one"}), "line 2 is damaged: no game"),
        ],
    )
    def test_a_line_that_is_no_game(self, run: Path, damage: str, message: str) -> None:
        file = run / "games.jsonl"
        found = file.read_text().splitlines(keepends=True)
        found[1] = damage
        file.write_text("".join(found))
        assert message in self.complete(run)[0]

    def test_a_game_of_another_run(self, run: Path) -> None:
        file = run / "games.jsonl"
        found = file.read_text().splitlines(keepends=True)
        other = json.loads(found[1])
        other["seed"] += 5
        del other["check"]
        found[1] = line_of(other)
        file.write_text("".join(found))
        assert "not a game of this run" in self.complete(run)[0]

    def test_a_line_that_was_cut_off(self, run: Path) -> None:
        file = run / "games.jsonl"
        text = file.read_text()
        file.write_text(text[:-20])
        assert self.complete(run) == []
        assert sorted(file.read_text().splitlines())[0] == sorted(text.splitlines())[0]

    def test_a_line_that_lacks_only_its_end(self, run: Path) -> None:
        file = run / "games.jsonl"
        text = file.read_text()
        file.write_text(text[:-1])
        assert self.complete(run) == []
        assert file.read_text() == text

    def test_a_game_that_is_there_twice(self, run: Path) -> None:
        file = run / "games.jsonl"
        text = file.read_text()
        file.write_text(text + text)
        assert self.complete(run) == []

    def test_reading_changes_nothing(self, run: Path) -> None:
        file = run / "games.jsonl"
        file.write_text(file.read_text()[:-20])
        before = file.read_bytes()
        messages: list[str] = []
        _, tally = read_tally(Folder.open(run), messages.append)
        assert tally.games == SMALL.games - 1
        assert len(messages) == 1
        assert file.read_bytes() == before


class TestFolders:
    def test_a_finished_run_stays_as_it_is(self, tmp_path: Path) -> None:
        tally = simulate(SMALL, tmp_path / "run", workers=1)
        before = (tmp_path / "run" / "games.jsonl").read_bytes()
        assert simulate(SMALL, tmp_path / "run", workers=1, resume=True) == tally
        assert (tmp_path / "run" / "games.jsonl").read_bytes() == before

    def test_a_folder_is_not_used_twice(self, tmp_path: Path) -> None:
        simulate(SMALL, tmp_path / "run", workers=1)
        with pytest.raises(msat.FolderError, match="holds a run already: resume=True completes it"):
            simulate(SMALL, tmp_path / "run", workers=1)

    def test_another_run(self, tmp_path: Path) -> None:
        simulate(SMALL, tmp_path / "run", workers=1)
        before = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()}
        other = Plan("safest", 9, 9, 10, games=SMALL.games)
        with pytest.raises(msat.FolderError, match='another run: there strategy is "logic", not "safest"'):
            simulate(other, tmp_path / "run", workers=1, resume=True)
        assert {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()} == before

    def test_other_files(self, tmp_path: Path) -> None:
        (tmp_path / "letter.txt").write_text("Dear")
        with pytest.raises(msat.FolderError, match="is not empty and holds no run"):
            simulate(SMALL, tmp_path, workers=1)
        with pytest.raises(msat.FolderError, match="is a file: give a folder"):
            simulate(SMALL, tmp_path / "letter.txt", workers=1)
        with pytest.raises(msat.FolderError, match=r"holds no run: there is no run.json in it"):
            simulate(SMALL, tmp_path, workers=1, resume=True)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "run.json is damaged"),
            ("{}", "does not describe a run of msat"),
            ('{"format": "msat-run", "version": 9}', "version 9: this msat reads versions up to 2"),
            ('{"format": "msat-run", "version": 1}', "lacks 'kind' or 'settings'"),
            (
                '{"format": "msat-run", "version": 1, "kind": "sweep", "settings": {}}',
                "holds a 'sweep', not a 'sim'",
            ),
        ],
    )
    def test_a_damaged_description(self, text: str, message: str, tmp_path: Path) -> None:
        (tmp_path / "run.json").write_text(text)
        with pytest.raises(msat.FolderError, match=message):
            simulate(SMALL, tmp_path, workers=1, resume=True)

    @posix
    def test_two_runs_at_once(self, tmp_path: Path) -> None:
        simulate(SMALL, tmp_path / "run", workers=1)
        with (
            Folder.open(tmp_path / "run").journal(),
            pytest.raises(msat.FolderError, match="in use by another"),
        ):
            simulate(SMALL, tmp_path / "run", workers=1, resume=True)


@posix
def test_a_write_that_stops_half_way_leaves_whole_lines(tmp_path: Path) -> None:
    first = '{"game": 1}\n'
    with Journal(tmp_path / "journal") as journal:
        journal.append(first)
        with (
            room_for(len(first) + 5),
            pytest.raises(msat.FolderError, match="File too large; what was written"),
        ):
            journal.append('{"game": 2}\n')
    assert (tmp_path / "journal").read_text() == first


def test_workers_end_when_told_to_whatever_the_runner_does_with_that_signal() -> None:
    usual = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with ProcessPoolExecutor(1, initializer=_begin_worker) as pool:
            assert pool.submit(signal.getsignal, signal.SIGTERM).result() is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, usual)
