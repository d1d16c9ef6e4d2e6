"""What is shown of text from elsewhere: control characters and markup as text, never as commands."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from msat import svg
from msat.arena import Plan, simulate
from msat.arena.journal import line_of
from msat.board import Board
from msat.game import Game
from msat.layout import Layout
from msat.player import play
from msat.record import Record
from msat.tui.app.session import Session
from msat.tui.app.viewer import Viewer
from msat.wording import visible
from tests.support.command import ROOT, Cli
from tests.support.screens import drive

EVIL = "a\x1b]0;title\x07b\x9b31mc\u202ed\ud800e\nmsat: done [bold]f[/bold] [/] g"
SHOWN = "a\\x1b]0;title\\x07b\\x9b31mc\\u202ed\\ud800e\\nmsat: done [bold]f[/bold] [/] g"

posix = pytest.mark.skipif(sys.platform == "win32", reason="file descriptors are those of POSIX")


def test_visible() -> None:
    assert visible(EVIL) == SHOWN
    assert visible("3×3, é, 日本 and 🚩") == "3×3, é, 日本 and 🚩"
    assert visible("a\n\x1bb", keep="\n") == "a\n\\x1bb"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A saved game whose reason is not what it should be."""
    game = Game(Layout.parse("..*\n...\n..."), "best")
    game.open((2, 0), probability=0.75, reason=EVIL)
    game.record.save(tmp_path / "game.json")
    return tmp_path / "game.json"


class Screen(io.StringIO):
    """A terminal to write on."""

    def isatty(self) -> bool:
        return True


class TestRecords:
    def test_watched_in_a_pipe(self, cli: Cli, record: Path) -> None:
        assert cli("watch", str(record)) == 0
        assert SHOWN in cli.out
        assert cli.out.replace("\n", "").isprintable()

    def test_watched_on_a_terminal(self, cli: Cli, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        screen = Screen()
        monkeypatch.setattr(sys, "stdout", screen)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setenv("LINES", "50")
        assert cli("watch", str(record), "--speed", "0") == 0
        assert "\x1b]" not in screen.getvalue()
        assert "\x9b" not in screen.getvalue()
        assert "[bold]f[/bold]" in screen.getvalue()

    def test_as_a_picture(self, cli: Cli, record: Path, tmp_path: Path) -> None:
        record.write_text(record.read_text().replace(json.dumps(EVIL), json.dumps("\x1b[b]<&")))
        assert cli("watch", str(record), "--svg", str(tmp_path / "a.svg")) == 0, cli.err
        assert cli("watch", str(record), "--svg-frames", str(tmp_path / "frames")) == 0, cli.err
        pictures = [tmp_path / "a.svg", *(tmp_path / "frames").iterdir()]
        assert len(pictures) >= 2
        for picture in pictures:
            shown = "".join(ElementTree.parse(picture).getroot().itertext())
            assert "\\x1b[b]<&" in shown.replace("\xa0", " ")

    def test_in_the_viewer(self, record: Path) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            shown.append(str(viewer.query_one("#reason", Static).render()))

        shown: list[str] = []
        drive(script, Session.of_record(Record.load(record)), notice=EVIL)
        assert shown == [SHOWN.replace("\\n", "\n")]

    def test_a_damaged_one(self, cli: Cli, record: Path) -> None:
        found = json.loads(record.read_text())
        for change in ({"format": EVIL}, {EVIL: 1}, {"strategy": 1, EVIL: EVIL}, {"layout": {EVIL: EVIL}}):
            record.write_text(json.dumps(found | change))
            assert cli("watch", str(record)) == 2
            assert cli.err.endswith("\n")
            assert cli.err[:-1].isprintable()
        assert cli("watch", EVIL) == 2
        assert cli.err[:-1].isprintable()


class TestRuns:
    @pytest.fixture
    def run(self, tmp_path: Path) -> Path:
        simulate(Plan("logic", 5, 5, 3, games=4), tmp_path / "run", workers=1)
        file = tmp_path / "run" / "games.jsonl"
        lines = file.read_text().splitlines(keepends=True)
        game = json.loads(lines[0])
        del game["check"]
        lines[0] = line_of(game | {"guesses": [[EVIL, [0, 0], 0.5, True]]})
        file.write_text("".join(lines) + f"{EVIL!s}\n".encode("utf-8", "replace").decode())
        return tmp_path / "run"

    def test_resumed(self, cli: Cli, run: Path) -> None:
        assert cli("sim", "--resume", "--out", str(run), "--workers", "1") == 0
        assert cli.out.replace("\n", "").isprintable()
        assert cli.err.replace("\n", "").isprintable()
        assert "A\\x1b]0;title" in cli.out
        assert "is damaged: " in cli.err

    def test_reported(self, cli: Cli, run: Path) -> None:
        assert cli("report", str(run)) == 0
        text = (run / "report.html").read_text()
        assert text.replace("\n", "").isprintable()
        assert "a\\x1b]0;title" in text


class TestErrors:
    @pytest.mark.parametrize(
        "arguments",
        [
            ("solve", EVIL),
            ("solve", "?1?", "--form", EVIL),
            ("solve", "?1? 1", "--engine", EVIL),
            ("sim", "--strategy", EVIL),
            ("sim", "--preset", EVIL),
            ("sim", EVIL),
            (EVIL,),
            ("explain", "?1? 1", EVIL),
            ("report", EVIL),
            ("generate", "--seed", EVIL),
        ],
    )
    def test_what_was_typed_is_shown_as_text(self, cli: Cli, arguments: tuple[str, ...]) -> None:
        assert cli(*arguments) == 2
        assert cli.out == ""
        assert cli.err.count("\n") == 1
        assert cli.err[:-1].isprintable()

    @pytest.mark.parametrize("arguments", [("solve",), ("sim", "--strategy"), ("sim", "--games"), ("bench",)])
    def test_long_ones_are_cut(self, cli: Cli, arguments: tuple[str, ...]) -> None:
        assert cli(*arguments, "x" * 100_000) == 2
        assert len(cli.err) < 1000


@posix
class TestClosedStreams:
    """`msat … <&-`, `>&-` and `2>&-`: no traceback, and no error message among the results."""

    @staticmethod
    def run(arguments: str, closed: str) -> tuple[int, bytes, bytes]:
        command = f'exec "{sys.executable}" -m msat {arguments} {closed}'
        done = subprocess.run(
            ["sh", "-c", command], cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, timeout=120
        )
        return done.returncode, done.stdout, done.stderr

    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
    @pytest.mark.parametrize(
        ("arguments", "status"),
        [
            ("generate --seed 1 --preset beginner", 0),
            ("solve 'nonsense/x 3'", 2),
            ("solve -", 2),
            ("solve --jsonl", 0),
            ("--help", 0),
            ("watch no-such-file", 2),
        ],
    )
    def test_no_traceback(self, arguments: str, status: int, closed: str) -> None:
        code, out, err = self.run(arguments, closed)
        assert code == status
        assert b"Traceback" not in err
        assert b"Exception" not in err
        assert b"msat:" not in out

    def test_what_is_written_does_not_land_in_a_file(self, tmp_path: Path) -> None:
        run = tmp_path / "run"
        options = f"sim --strategy logic --size 5x5x3 --games 3 --workers 1 --out '{run}'"
        assert self.run(options, "<&- >&- 2>&-")[0] == 0
        games = (run / "games.jsonl").read_text().splitlines()
        assert [json.loads(line)["game"] for line in games] == [0, 1, 2]
        assert sorted(os.listdir(run)) == ["games.jsonl", "results.txt", "run.json"]


def test_pictures_of_positions(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`solve` draws the chances, `hint` the move, `convert` the position alone."""
    monkeypatch.chdir(tmp_path)
    board = "??1/3?2/??? 3"
    assert cli("convert", board, "plain.svg") == 0
    assert cli("solve", board, "--svg", "chances.svg") == 0
    assert cli("hint", board, "--svg", "move.svg") == 0
    assert cli("hint", board, "--level", "4", "--svg", "level.svg", "--json") == 0
    plain, chances, move, level = (
        Path(f"{name}.svg").read_text("utf-8") for name in ("plain", "chances", "move", "level")
    )
    assert plain == f"{svg.board(Board.parse(board))}\n"
    assert chances.count(">50<") == 4
    assert len({plain, chances, move, level}) == 4
    play(Layout.parse("..*\n...\n..."), "safest").save("game.json")
    assert cli("convert", "game.json", "--to", "svg", "--move", "0") == 0
    assert cli.out == f"{Record.load('game.json').game(upto=0)._repr_svg_()}\n"
    assert cli("solve", f"{'/'.join(['?' * 200] * 51)} 9", "--svg", "large.svg") == 2
    assert "a picture has at most 10,000 cells: this board has 10,200" in cli.err
