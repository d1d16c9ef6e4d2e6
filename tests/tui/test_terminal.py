"""The viewer in a real terminal, under tmux: a game to its end, and a terminal that goes away."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from msat import Record
from msat.tui.app import storage
from tests.support.clock import PATIENCE, wait_until
from tests.support.command import alive, children
from tests.support.terminal import CommandOnTerminal

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None, reason="tmux is not installed: apt-get install tmux runs these tests"
)


class Terminal:
    """A tmux session of 80×24 that runs a command of msat, with a server of its own."""

    def __init__(self, folder: Path, *argv: str) -> None:
        self._socket = str(folder / "tmux")
        environment = {
            "XDG_STATE_HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "TERM": "screen-256color",
            "LANG": "C.UTF-8",
        }
        pairs = [part for pair in environment.items() for part in ("-e", "=".join(pair))]
        command = [sys.executable, "-m", "msat", *argv]
        started = self._run("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", *pairs, *command)
        assert started.returncode == 0, started.stderr

    def _run(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["tmux", "-u", "-S", self._socket, *argv], capture_output=True, text=True)

    def _tmux(self, *argv: str) -> str:
        return self._run(*argv).stdout

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def wait_for(self, seen: Callable[[str], object]) -> str:
        """The screen as soon as it is as wanted."""
        screens: list[str] = []

        def look() -> object:
            screens.append(self.screen())
            assert screens[-1] or not self.gone(), f"it has ended, with this on its screen: {screens[-2:-1]}"
            return seen(screens[-1])

        wait_until(look, lambda: f"not seen:\n{screens[-1]}")
        return screens[-1]

    def gone(self) -> bool:
        return not self._tmux("list-sessions")

    def processes(self) -> tuple[int, list[int]]:
        """The process of the command, and those that it has started."""
        pid = int(self._tmux("list-panes", "-F", "#{pane_pid}"))
        return pid, children(pid)

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_terminal(*argv: str) -> Terminal:
        opened.append(Terminal(tmp_path, *argv))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.close()


def test_a_game_to_its_end_and_back(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    tmux = terminal("tui", "--fresh")
    tmux.wait_for(lambda screen: "success so far" in screen and "■" in screen)
    tmux.press("s")
    screen = tmux.wait_for(lambda screen: re.search("(✔ won|✘ lost) ·", screen))
    assert "3BV" in screen
    end = "won" if "won" in screen else "lost"
    tmux.press("q")
    wait_until(tmux.gone)
    session, notice = storage.load(tmp_path / "msat" / "session.json")
    assert notice == ""
    assert session is not None
    assert session.state == end
    # The next start continues where this one ended.
    again = terminal("tui")
    again.wait_for(lambda screen: f"{end} ·" in screen)
    again.press("u")
    again.wait_for(lambda screen: "playing ·" in screen)


@pytest.mark.parametrize("end", ["close", "hang up", "terminate"])
def test_a_lost_terminal_does_not_lose_the_game(
    terminal: Callable[..., Terminal], tmp_path: Path, end: str
) -> None:
    tmux = terminal("tui", "--fresh")
    tmux.wait_for(lambda screen: "success so far" in screen)
    tmux.press("n")
    tmux.wait_for(lambda screen: "proven safe by" in screen or "guess r" in screen)
    file = tmp_path / "msat" / "session.json"
    file.unlink(missing_ok=True)  # so that what is found below was saved at the end
    viewer, solver = tmux.processes()
    assert solver
    if end == "close":
        tmux.close()
    else:
        os.kill(viewer, {"hang up": signal.SIGHUP, "terminate": signal.SIGTERM}[end])
    wait_until(lambda: not any(alive(pid) for pid in (viewer, *solver)))
    assert json.loads(file.read_text())["format"] == "msat-session"
    session, _ = storage.load(file)
    assert session is not None
    assert len(session.game.moves) > 1


@pytest.mark.parametrize("end", ["hang up", "terminate"])
def test_a_terminal_that_takes_nothing_does_not_hold_the_viewer(tmp_path: Path, end: str) -> None:
    viewer = CommandOnTerminal("tui", "--fresh", environment={"XDG_STATE_HOME": str(tmp_path)})
    try:
        viewer.wait_for("success so far")
        wait_until(lambda: children(viewer.process.pid))
        solver = children(viewer.process.pid)
        termios.tcflow(viewer.theirs, termios.TCOOFF)
        if end == "hang up":
            viewer.hang_up()
        else:
            viewer.process.terminate()
        assert viewer.process.wait(PATIENCE) == 0
        assert not any(alive(pid) for pid in solver)
        if end == "terminate":
            assert termios.tcgetattr(viewer.theirs) == viewer.usual
    finally:
        viewer.close()
    session, _ = storage.load(tmp_path / "msat" / "session.json")
    assert session is not None


@pytest.mark.parametrize("end", ["interrupt", "hang up"])
def test_live_playback_keeps_a_game_that_is_cut_short(
    terminal: Callable[..., Terminal], tmp_path: Path, end: str
) -> None:
    save = tmp_path / "game.json"
    tmux = terminal("play", "--preset", "expert", "--seed", "1", "--speed", "0.2", "--save", str(save))
    screen = tmux.wait_for(lambda screen: "success so far" in screen)
    assert screen.splitlines()[0].startswith("playing · 99 mines left · success so far 100.0%")
    if end == "interrupt":
        tmux.press("C-c")
    else:
        tmux.close()
    wait_until(save.exists)
    assert Record.load(save).state == "playing"
