"""Every limit of `msat.limits`: what is as large is taken, what is larger refused by a line that says so."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import msat
from msat import arrays, limits
from msat.arena import Plan, Sweep, page
from msat.arena.folder import Code, Folder
from msat.arena.journal import line_of, read_lines
from msat.arena.workforce import crew_size
from msat.cli.jsonl import serve
from msat.engines.counting import sampling
from msat.formats.json_text import read_json
from msat.game import Game
from msat.record import Record
from msat.replays import binary_record, peer
from msat.strategies.naming import load
from msat.tui.app import storage
from msat.tui.app.session import Session
from tests.support.command import Cli

TRIED: set[str] = set()
"""The limits that some test here tries."""


def tries(*names: str) -> Callable[[Any], Any]:
    """Mark a test as that of a limit."""
    TRIED.update(names)
    return lambda test: test


def refused(call: Callable[[], object], message: str) -> None:
    """A call is refused for a limit, in a line that can be read."""
    with pytest.raises(msat.MsatError) as caught:
        call()
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def answers(line: bytes) -> list[dict[str, Any]]:
    """What the service says."""
    out = io.StringIO()
    defaults = {"mines": None, "form": None, "engine": "auto", "budget": None, "marks": "judge"}
    serve(io.BytesIO(line), out, defaults)
    return [json.loads(text) for text in out.getvalue().splitlines()]


def test_every_limit_is_tried() -> None:
    assert set(limits.__all__) == TRIED


@tries("REPLAY_BYTES", "REPLAY_MEMORY", "REPLAY_SECONDS")
def test_binary_replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.avf"
    with file.open("wb") as out:
        out.truncate(limits.REPLAY_BYTES + 1)
    refused(lambda: Record.load(file), f"at most {limits.REPLAY_BYTES:,} are read")
    refused(lambda: binary_record(bytes(limits.REPLAY_BYTES + 1), "game.avf"), "too large")
    told: list[list[str]] = []

    def ended(command: list[str], timeout: float, **_: object) -> object:
        told.append(command)
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", ended)
    refused(lambda: binary_record(b"x", "game.avf"), f"takes more than {4 * limits.REPLAY_SECONDS} s")
    assert told[0][-2:] == [str(limits.REPLAY_MEMORY), str(limits.REPLAY_SECONDS)]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit on Windows")
def test_the_process_that_reads_a_replay_limits_itself(tmp_path: Path) -> None:
    child = str(Path(peer.__file__).with_name("peer_child.py"))
    script = f"import runpy, resource, sys; sys.argv = ['x', 'avf', '{1 << 28}', '5']\n"
    script += f"try:\n    runpy.run_path({child!r}, run_name='__main__')\nexcept BaseException:\n    pass\n"
    script += "print(resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])"
    pytest.importorskip("ms_toollib")
    command = [sys.executable, "-c", script]  # where it is started, ms_toollib writes the log of its crash
    done = subprocess.run(command, input=b"", capture_output=True, check=False, cwd=tmp_path)
    assert done.stdout.split() in ([b"268435456", b"5"], [])  # or the process was ended by the library itself


@tries("MAX_PICTURED_CELLS")
def test_pictures() -> None:
    largest = msat.Board.blank(100, limits.MAX_PICTURED_CELLS // 100, 1)
    assert msat.svg.board(largest, coordinates=False)
    assert largest._repr_svg_() is not None
    larger = msat.Board.blank(100, limits.MAX_PICTURED_CELLS // 100 + 1, 1)
    refused(lambda: msat.svg.board(larger), f"{limits.MAX_PICTURED_CELLS:,} cells fit")
    assert larger._repr_svg_() is None


@tries("MAX_PIXELS")
def test_wide_pictures() -> None:
    board = msat.Board.parse("?1? 1")
    assert f'width="{limits.MAX_PIXELS}"' in msat.svg.board(board, size=limits.MAX_PIXELS)
    refused(lambda: msat.svg.board(board, size=limits.MAX_PIXELS + 1), "give 1 to 100,000")
    refused(lambda: msat.svg.board(board, size=10**5000), "give 1 to 100,000")


@tries("MAX_SIDE")
def test_sides() -> None:
    assert msat.Board.blank(limits.MAX_SIDE, 1, 0).height == 1000
    refused(lambda: msat.Board.blank(limits.MAX_SIDE + 1, 1, 0), "between 1 and 1000")
    refused(lambda: msat.Board.blank(10**5000, 1, 0), "a number of 16,610 bits×1")
    refused(lambda: msat.Board.from_array([[0] * 1001], 0), "between 1 and 1000")

    def endless() -> Any:
        while True:
            yield 0

    refused(lambda: msat.Board.from_array([endless()], 0), "between 1 and 1000")
    refused(lambda: msat.Board.from_array(([0] for _ in endless()), 0), "between 1 and 1000")


@tries("TEXT_LIMIT")
def test_text() -> None:
    text = "??1/3?2/??? 3"
    padded = text + "\n" * (limits.TEXT_LIMIT - len(text))
    assert msat.Board.parse(padded) == msat.Board.parse(text)
    refused(lambda: msat.Board.parse(padded + "\n"), "at most 16,777,216 are read")


def small_record() -> str:
    game = Game(msat.Layout.parse("..*"))
    game.open((0, 0))
    return game.record.to_json()


@tries("RECORD_BYTES")
def test_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = small_record()
    padded = text + " " * (limits.RECORD_BYTES - len(text))
    assert Record.from_json(padded) == Record.from_json(text)
    refused(lambda: Record.from_json(padded + " "), f"at most {limits.RECORD_BYTES:,} are read")
    file = tmp_path / "game.json"
    file.write_text(padded)
    assert Record.load(file) == Record.from_json(text)
    with file.open("a") as end:
        end.write(" ")
    refused(lambda: Record.load(file), f"at most {limits.RECORD_BYTES:,} are read")
    monkeypatch.setattr(msat.record, "RECORD_BYTES", len(text) - 1)
    refused(lambda: Record.from_json(text), "are read")
    saved = Game(msat.Layout.parse("." * 1000)).record
    refused(lambda: saved.save(tmp_path / "other.json"), "could not be read again")
    assert not (tmp_path / "other.json").exists()


@tries("SESSION_BYTES")
def test_sessions() -> None:
    text = storage.dump(Session.of_board(msat.Board.parse("??/11 1")))
    padded = text + " " * (limits.SESSION_BYTES - len(text))
    assert storage.parse(padded).board == msat.Board.parse("??/11 1")
    refused(lambda: storage.parse(padded + " "), f"at most {limits.SESSION_BYTES:,} are read")


@tries("REQUEST_BYTES")
def test_requests() -> None:
    line = b'"??/11 1"'
    padded = line + b" " * (limits.REQUEST_BYTES - len(line) - 1) + b"\n"
    assert [answer.get("solutions") for answer in answers(padded)] == [2]
    longer, after = answers(padded[:-1] + b"  \n" + line)
    assert f"at most {limits.REQUEST_BYTES:,} bytes are read" in longer["error"]["message"]
    assert after["solutions"] == 2  # the next line is served
    longest, after = answers(b"x" * (3 * limits.REQUEST_BYTES) + b"\n" + line)
    assert "is too long" in longest["error"]["message"]
    assert after["solutions"] == 2


@tries("RUN_BYTES")
def test_run_json(tmp_path: Path) -> None:
    Folder.create(tmp_path / "run", "sim", Plan("logic").to_object(), Code("0" * 16))
    file = tmp_path / "run" / "run.json"
    text = file.read_text()
    file.write_text(text + " " * (limits.RUN_BYTES - len(text)))
    assert Folder.open(tmp_path / "run").kind == "sim"
    with file.open("a") as end:
        end.write(" ")
    refused(lambda: Folder.open(tmp_path / "run"), "is too large: at most 1,048,576 bytes are read")


@tries("JOURNAL_LINE_BYTES")
def test_lines_of_games(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    line = line_of({"game": 1})[:-1]
    padded = line + " " * (limits.JOURNAL_LINE_BYTES - len(line) - 1) + "\n"
    file.write_text(padded + padded[:-1] + "  \n" + line + "\n")
    first, second, third = (value for _, value in read_lines(file))
    assert first == third == {"game": 1}
    assert "line 2 is damaged: it is longer than 16,777,216 bytes" in str(second)


@tries("JSON_DEPTH", "NUMBER_DIGITS")
def test_json() -> None:
    deep = "[" * limits.JSON_DEPTH + "]" * limits.JSON_DEPTH
    assert read_json(deep, msat.BoardError)
    refused(lambda: read_json(f"[{deep}]", msat.BoardError), "nested deeper than 20")
    for kind in ("[", '{"a":'):
        refused(lambda kind=kind: read_json(kind * 100_000, msat.BoardError), "JSON")  # type: ignore[misc]
    digits = "1" * limits.NUMBER_DIGITS
    assert read_json(digits, msat.BoardError) == int(digits)
    refused(lambda: read_json(digits + "1", msat.BoardError), "a number of 101 digits: at most 100 are read")
    assert read_json(digits[:-2] + ".5", msat.BoardError) > 1e96
    refused(lambda: read_json(digits + ".5", msat.BoardError), "at most 100 are read")
    for line in (b'{"id": ' + b"9" * 990_000 + b', "board": "?1? 1"}', b"[" * 1_000_000, b'{"a":' * 100_000):
        answer, after = answers(line + b'\n"?1? 1"\n')
        assert len(answer["error"]["message"]) < 300
        assert after["solutions"] == 2


@tries("NAME_LENGTH")
def test_names() -> None:
    name = "best:layouts=" + "0" * (limits.NAME_LENGTH - 15) + "50"
    assert load(name).values["layouts"] == 50
    refused(lambda: load(name.replace("=", "=0")), "a name of 1,001 characters: at most 1,000 are read")
    plan = Plan("logic").to_object()
    long = "x" * limits.NAME_LENGTH
    assert Plan.from_object(plan | {"parameters": {long: long}})
    refused(lambda: Plan.from_object(plan | {"parameters": {long + "x": 1}}), "is no parameter")
    refused(lambda: Plan.from_object(plan | {"parameters": {"x": long + "x"}}), "is no parameter")


@tries("MAX_GAMES", "MAX_PER_SEED")
def test_games() -> None:
    assert Plan("logic", games=limits.MAX_GAMES, per_seed=limits.MAX_PER_SEED).games == 1 << 32
    refused(lambda: Plan("logic", games=limits.MAX_GAMES + 1), "give 1 to 4294967296")
    refused(lambda: Plan("logic", per_seed=limits.MAX_PER_SEED + 1), "give 1 to 10000")
    refused(lambda: Plan("logic", seed=limits.MAX_GAMES), "give 0 to 4294967295")


@pytest.mark.skipif(sys.platform == "win32", reason="measures memory as POSIX does")
def test_a_report_of_many_games_takes_no_memory_for_those_that_are_missing(tmp_path: Path) -> None:
    import resource

    settings = Plan("logic", games=limits.MAX_GAMES).to_object()
    Folder.create(tmp_path / "run", "sim", settings, Code("0" * 16))
    plan = {"a": settings, "b": settings, "test": {}}
    Folder.create(tmp_path / "pairs", "compare", plan, Code("0" * 16))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text = page([tmp_path / "run", tmp_path / "pairs"])
    assert "Unfinished: 4294967296 of 4294967296 games" in text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


@tries("MAX_SWEEP_VALUES")
def test_values_of_a_sweep() -> None:
    plan = Plan("logic", 40, 40, 10).to_object()
    values = [f"{r},{c}" for r in range(40) for c in range(40)]
    assert Sweep.from_object({"plan": plan, "what": "start", "values": values[:1000]})
    refused(
        lambda: Sweep.from_object({"plan": plan, "what": "start", "values": values[:1001]}), "give 1 to 1000"
    )


@tries("MAX_WORKERS")
def test_workers() -> None:
    assert crew_size(limits.MAX_WORKERS) == 1000
    refused(lambda: crew_size(limits.MAX_WORKERS + 1), "from 1 to 1,000")
    assert len(msat.analyze_many([msat.Board.parse("?1? 1")], workers=limits.MAX_WORKERS)) == 1
    refused(lambda: msat.analyze_many([], workers=limits.MAX_WORKERS + 1), "from 1 to 1,000")


@tries("MAX_SEED", "MAX_INDEX")
def test_seeds() -> None:
    assert msat.Layout.random(4, 4, 3, seed=limits.MAX_SEED).mines == 3
    refused(lambda: msat.Layout.random(4, 4, 3, seed=limits.MAX_SEED + 1), "give 0 to 2^128 − 1")
    assert msat.Layout.kiss(1, 4, 1, seed=1, index=limits.MAX_INDEX, start=(0, 0)).mines == 1
    refused(
        lambda: msat.Layout.kiss(1, 4, 1, seed=1, index=limits.MAX_INDEX + 1, start=(0, 0)),
        "give 0 to 100000",
    )


@tries("MAX_STACK_CELLS")
def test_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MAX_STACK_CELLS", 12)
    assert msat.probabilities([[[-1, 1]] * 3] * 2, 1).shape == (2, 3, 2)
    refused(
        lambda: msat.probabilities([[[-1, 1]] * 3] * 3, 1),
        "3 boards of 3×2 are too many at a time: at most 2",
    )


@tries("MAX_SAMPLED_CELLS")
def test_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    board = msat.Board.parse("?1? 1")
    refused(lambda: msat.sample(board, n=10**12), "at most 357,913,941 layouts of this size are drawn")
    monkeypatch.setattr(sampling, "MAX_SAMPLED_CELLS", 30)
    assert len(msat.sample(board, n=10)) == 10
    refused(lambda: msat.sample(board, n=11), "at most 10 layouts of this size are drawn")


@tries("MAX_ANIMATED_CELLS")
def test_animations(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PIL")
    (tmp_path / "game.json").write_text(small_record())
    command = ("watch", str(tmp_path / "game.json"), "--gif", str(tmp_path / "game.gif"))
    monkeypatch.setattr("msat.cli.shows.MAX_ANIMATED_CELLS", 3 * 11)
    assert cli(*command) == 0, cli.err
    monkeypatch.setattr("msat.cli.shows.MAX_ANIMATED_CELLS", 3 * 11 - 1)
    assert cli(*command) == 2
    assert "--gif of 1 step on a 1×3 board would be too large" in cli.err
    assert cli.out == ""


@tries("MAX_CLAUSES", "REPORTED_LINES")
def test_elsewhere() -> None:
    """The limits of `encode` and of reports of damage are tried in test_encodings.py and test_resuming.py."""
    for file, name in (
        ("encode/test_encodings.py", "MAX_CLAUSES"),
        ("arena/test_resuming.py", "980 more lines"),
    ):
        assert name in (Path(__file__).parent / file).read_text()
