"""Faults injected: each thing that a run does to its folder fails once, or is the last that the process does.

Whatever fails, and wherever the process is killed, no finished game is lost or doubled, and completing the
run gives the games of one that nothing happened to.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

import msat
from msat.arena import Plan, Settings, Sprt, Sweep, compare, files, journal, simulate, sweep
from msat.arena.comparison import read_comparison
from msat.arena.folder import Folder
from tests.conftest import scaled
from tests.support.runs import lines

posix = pytest.mark.skipif(sys.platform == "win32", reason="forks, and kills by signal")

OPERATIONS = ("open", "write", "fsync", "replace", "ftruncate", "close")
PLAN = Plan("logic", 5, 5, 5, games=12)


class Outcome(NamedTuple):
    """What became of a run with a fault in it."""

    reached: bool
    """Whether the run came as far as the fault."""
    error: str


class Faulty:
    """The module `os`, one of whose operations on files fails, or kills the process, when its time has come.

    `fault` is "error"; "full", a disk that takes half of what is written; "before" or "after", when the
    process is killed; or "torn", killed when half was written.
    """

    def __init__(self, when: int, fault: str) -> None:
        self._left = when
        self._fault = fault

    @property
    def reached(self) -> bool:
        return self._left < 0

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return (lambda *arguments: self._do(name, real, arguments)) if name in OPERATIONS else real

    def _do(self, name: str, real: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        self._left -= 1
        if self._left != -1:
            return real(*arguments)
        if self._fault in ("full", "torn") and name == "write":
            real(arguments[0], arguments[1][: len(arguments[1]) // 2])
        if self._fault == "after":
            real(*arguments)
        if self._fault in ("before", "after", "torn"):
            os.kill(os.getpid(), signal.SIGKILL)
        if name == "close":
            real(*arguments)  # it is closed all the same
        raise OSError(errno.ENOSPC, "No space left on device")


def run_with(fault: str, when: int, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Do some work with a fault in it."""
    faulty = Faulty(when, fault)
    with monkeypatch.context() as patch:
        patch.setattr(files, "os", faulty)
        patch.setattr(journal, "os", faulty)
        patch.setattr(journal, "SYNC_SECONDS", 1e6)  # only at the end: the same operations each time
        try:
            work()
        except msat.FolderError as bad:  # and nothing else
            return Outcome(faulty.reached, str(bad))
    return Outcome(faulty.reached, "")


def killed_with(
    fault: str, when: int, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> Outcome:
    """Do some work in a process of its own, which is killed on the way if it comes so far."""
    child = os.fork()
    if child == 0:
        try:
            run_with(fault, when, work, monkeypatch)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return Outcome(os.WIFSIGNALED(status), "")


class Work(NamedTuple):
    """A run into a folder, new or resumed."""

    name: str
    run: Callable[[Path, bool], object]
    parts: tuple[str, ...] = ("",)
    """Where in the folder its games are."""


def _sim(folder: Path, resume: bool) -> None:
    simulate(PLAN, folder, resume=resume, workers=1, puzzles="all")


def _sweep(folder: Path, resume: bool) -> None:
    sweep(Sweep(PLAN, "start", ("0,0", "1,1")), folder, resume=resume, workers=1)


def _compare(folder: Path, resume: bool) -> None:
    settings = Settings(PLAN, Plan("safest", 5, 5, 5, games=12), Sprt(0.5, 0.99, 0.001, 0.001))
    compare(settings, folder, resume=resume, workers=1)


WORKS = (
    Work("sim", _sim),
    Work("sweep", _sweep, ("000_start=0,0", "001_start=1,1")),
    Work("compare", _compare),
)


def games_of(folder: Path, work: Work) -> list[Any]:
    """The games, times aside, wherever they are."""
    if work.name != "compare":
        return [lines(folder / part) for part in work.parts]
    # Boards beyond the one that decided may be there or not: the portion in play ends with them.
    return [read_comparison(Folder.open(folder), pytest.fail).text(), (folder / "results.txt").read_text()]


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: a disk takes a minute for all that is brought onto it here."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(prefix="msat-", dir=memory) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The games of runs that nothing happens to."""
    found = {}
    for work in WORKS:
        folder = tmp_path_factory.mktemp("undisturbed") / work.name
        work.run(folder, False)
        found[work.name] = games_of(folder, work)
    return found


def completed(folder: Path, work: Work) -> list[Any]:
    """The games, once the run is completed; what was never begun is begun."""
    work.run(folder, (folder / "run.json").exists())
    assert not list(folder.rglob("*.tmp"))
    assert (folder / "results.txt").exists()
    return games_of(folder, work)


def _every_point(
    folder: Path,
    work: Work,
    fault: str,
    disturb: Callable[[str, int, Callable[[], object], pytest.MonkeyPatch], Outcome],
    monkeypatch: pytest.MonkeyPatch,
    expected: list[Any],
) -> int:
    """Disturb a run at each of its points in turn; how many there were."""
    for when in count():
        place = folder / str(when)
        outcome = disturb(fault, when, lambda place=place: work.run(place, False), monkeypatch)  # type: ignore[misc]
        assert completed(place, work) == expected, f"{fault} at point {when}: {outcome.error}"
        if not outcome.reached:
            return when
    raise AssertionError


@pytest.mark.parametrize("work", WORKS, ids=[work.name for work in WORKS])
@pytest.mark.parametrize("fault", ["error", "full"])
def test_whatever_fails_the_run_can_be_completed(
    work: Work, fault: str, tmp_path: Path, undisturbed: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    points = _every_point(tmp_path, work, fault, run_with, monkeypatch, undisturbed[work.name])
    assert points > 20


@posix
@pytest.mark.parametrize("work", WORKS, ids=[work.name for work in WORKS])
@pytest.mark.parametrize("fault", ["before", "after", "torn"])
def test_wherever_it_is_killed_the_run_can_be_completed(
    work: Work, fault: str, tmp_path: Path, undisturbed: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    points = _every_point(tmp_path, work, fault, killed_with, monkeypatch, undisturbed[work.name])
    assert points > 20


@posix
def test_resuming_may_be_killed_as_well(
    tmp_path: Path, undisturbed: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = WORKS[0]
    for when in range(scaled(30)):
        folder = tmp_path / str(when)
        for again in range(4):  # each time a little further
            began = (folder / "run.json").exists()
            killed_with("torn", when + again, lambda: work.run(folder, began), monkeypatch)  # noqa: B023
        assert completed(folder, work) == undisturbed["sim"]


def test_an_error_names_the_file_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = set()
    for when in count():
        folder = tmp_path / str(when)
        outcome = run_with("error", when, lambda folder=folder: _sim(folder, False), monkeypatch)  # type: ignore[misc]
        if not outcome.reached:
            break
        told.add(outcome.error.replace(str(folder), "F"))
    told.discard("")  # to close a file, or to clean up, may fail without harm
    assert told <= {
        "F/run.json cannot be written: No space left on device",
        "F/results.txt cannot be written: No space left on device",
        "F/puzzles.jsonl cannot be written: No space left on device",
        "F/games.jsonl cannot be opened: No space left on device",
        "F/games.jsonl cannot be written: No space left on device; what was written before is kept, and "
        "resume=True completes it",
    }
    assert len(told) >= 4
