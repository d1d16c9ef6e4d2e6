"""Keys while a game is played back: what they do, and that the terminal is given back on every way out."""

from __future__ import annotations

import os
import pty
import signal
import sys
import termios
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from msat import Layout, Record, play
from msat.tui.console import Terminal
from msat.tui.folding import WAYS, Way, runs_of
from msat.tui.keys import split
from msat.tui.playback import Left, Playback
from msat.tui.step import Step, Steps
from tests.support.terminal import CommandOnTerminal

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def record() -> Record:
    return play(Layout.random(9, 9, 10, seed=2, start=(3, 3)), "safest")


class Typed:
    """Keys that come one by one, each before the time of a step is over; then time passes."""

    there = True

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = list(keys)
        self.waited: list[float | None] = []

    def wait(self, seconds: float | None) -> str | None:
        self.waited.append(seconds)
        assert self._keys or seconds is not None, "it would wait for ever"
        return self._keys.pop(0) if self._keys else None


class Shown(Playback):
    """Notes which steps are shown."""

    def __init__(self, *keys: str) -> None:
        super().__init__(Terminal(), speed=8)
        self.numbers: list[int] = []
        self.typed = Typed(keys)
        self._keys = self.typed  # type: ignore[assignment]

    def _draw(self, step: Step) -> None:
        self.numbers.append(step.number)


class TestWhatTheyDo:
    def test_what_a_terminal_sends(self) -> None:
        assert split("\x1b[D\x1bOCq") == ["back", "on", "quit"]
        assert split("zä\x1b[24~+\x1b[1;5C-") == ["faster", "slower"]
        assert split("\x1b") == ["quit"]

    def test_on_back_first_last(self, record: Record) -> None:
        steps = Steps(record)
        count = len(steps)
        shown = Shown("on", "on", "back", "on", "last", "on", "back", "first", "quit")
        with pytest.raises(Left):
            shown.run(steps)
        assert shown.numbers == [1, 2, 3, 2, 3, count, count - 1, 1]

    def test_a_pause_lasts_until_a_key_ends_it(self, record: Record) -> None:
        steps = Steps(record)
        shown = Shown("pause", "pause")
        shown.run(steps)
        assert shown.numbers == list(range(1, len(steps) + 1))
        assert shown.typed.waited[1] is None
        assert None not in shown.typed.waited[2:]

    def test_at_the_end_it_waits_only_for_those_who_used_keys(self, record: Record) -> None:
        shown = Shown("last", "on", "on", "pause")
        shown.run(Steps(record))
        assert shown.numbers == [1, len(Steps(record))]

    def test_speed(self, record: Record) -> None:
        shown = Shown("faster", "faster", "slower")
        shown.show(Steps(record)[0])
        assert shown._speed == 16
        for _ in range(9):
            shown._change_speed(faster=True)
        assert shown._speed == 0
        assert "no waiting · space pauses" in shown._controls
        shown._change_speed(faster=False)
        assert shown._speed == 64
        for _ in range(12):
            shown._change_speed(faster=False)
        assert shown._speed == 0.25


class TestFolding:
    @pytest.mark.parametrize("way", WAYS)
    def test_all_clicks_are_there_once(self, record: Record, way: Way) -> None:
        steps = Steps(record, runs=runs_of(record, way))
        assert [step.number for step in steps] == list(range(1, len(steps) + 1))
        assert tuple(move for step in steps for move in step.moves) == record.moves
        assert steps[-1].state == "won"
        assert steps[len(steps) - 1] == steps[-1]

    def test_a_guess_stands_alone(self) -> None:
        record = play(Layout.random(16, 30, 99, seed=9, start=(3, 3)), "safest")
        guesses = {cell for cell, _ in record.guesses}
        assert guesses
        by_guess, by_decision = (Steps(record, runs=runs_of(record, way)) for way in ("guess", "decision"))
        assert len(by_guess) < len(by_decision) < len(Steps(record))
        for steps in (by_guess, by_decision):
            for step in steps:
                assert len(step.opened) == 1 or not guesses & set(step.opened)
            assert [guess.cell for guess in steps[-1].guesses] == [cell for cell, _ in record.guesses]
            assert all(steps[g.step - 1].opened == (g.cell,) for g in steps[-1].guesses)

    def test_remarks_stay_with_their_clicks(self, record: Record) -> None:
        clicks = sum(move.opens for move in record.moves)
        remarks = [f"remark {n}" for n in range(1, clicks + 1)]
        runs = runs_of(record, "guess")
        assert Steps(record, remarks)[2].decision.endswith("remark 3")
        assert Steps(record, remarks, runs)[-1].decision.endswith(f"remark {clicks}")


@pytest.fixture
def saved(record: Record, tmp_path: Path) -> Path:
    record.save(tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.fixture
def started(saved: Path) -> Iterator[CommandOnTerminal]:
    command = CommandOnTerminal("watch", str(saved), "--speed", "0.25")
    command.wait_for("space pauses")
    yield command
    command.close()


class TestTheTerminal:
    @pytest.mark.parametrize("way", ["q", "\x03", "term"])
    def test_it_is_given_back_on_every_way_out(self, started: CommandOnTerminal, way: str) -> None:
        assert not termios.tcgetattr(started.theirs)[3] & termios.ECHO
        started.press(" ")
        started.wait_for("paused")
        started.press("\x1b[C")  # the right arrow
        started.wait_for(" 2/7")
        if way == "term":
            started.process.send_signal(signal.SIGTERM)
            assert started.end() == -signal.SIGTERM
        else:
            started.press(f"{way}echo typed too late\n")
            assert started.end() == {"q": 0, "\x03": 130}[way]
        assert termios.tcgetattr(started.theirs) == started.usual
        assert b"typed too late" not in started.seen
        assert not started.left_over()

    def test_by_an_exception(self, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
        ours, theirs = pty.openpty()
        usual = termios.tcgetattr(theirs)
        with os.fdopen(theirs) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            monkeypatch.setattr("msat.tui.keys._is_ours", lambda stream: True)
            playback = Playback(Terminal(), 8)
            playback._keys._wanted = True

            def fail() -> None:
                with playback:
                    assert not termios.tcgetattr(theirs)[3] & termios.ECHO
                    raise ZeroDivisionError

            with pytest.raises(ZeroDivisionError):
                fail()
            assert termios.tcgetattr(theirs) == usual
        os.close(ours)

    def test_a_game_that_is_played(self, tmp_path: Path) -> None:
        file = tmp_path / "played.json"
        command = CommandOnTerminal("play", "--seed", "7", "--speed", "0.25", "--save", str(file))
        command.wait_for("space pauses")
        command.press("\x1b[C\x1b[Cq")
        assert command.end() == 0
        assert b"Stopped after 3 decisions" in command.seen
        assert termios.tcgetattr(command.theirs) == command.usual
        command.close()
        assert Record.load(file).state == "playing"
