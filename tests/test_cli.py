"""The command line, mostly in-process: what it prints, and how it fails."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from msat import Board, Layout, Record, __version__
from msat.__main__ import main

ROOT = Path(__file__).parents[1]
ESCAPE = "\x1b"


class Cli:
    """Runs the command line and keeps what it printed."""

    def __init__(self, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capture = capsysbinary
        self._patch = monkeypatch
        self.data = b""
        self.out = self.err = ""

    def __call__(self, *argv: str, stdin: bytes = b"") -> int:
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            status = main(argv)
        except SystemExit as stop:  # argparse's way out of --help, --version and usage errors
            status = int(stop.code or 0)
        captured = self._capture.readouterr()
        self.data = captured.out
        self.out, self.err = captured.out.decode("utf-8", "replace"), captured.err.decode()
        return status

    def json(self, *argv: str, stdin: bytes = b"") -> Any:
        assert self(*argv, stdin=stdin) == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return Cli(capsysbinary, monkeypatch)


def process(*argv: str, **environment: str) -> subprocess.Popen[bytes]:
    """The command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "msat", *argv],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


class TestHelp:
    def test_version(self, cli: Cli) -> None:
        assert cli("--version") == 0
        assert cli.out == f"msat {__version__}\n"

    @pytest.mark.parametrize("command", [[], ["solve"], ["generate"], ["play"]])
    def test_help_has_examples(self, cli: Cli, command: list[str]) -> None:
        assert cli(*command, "--help") == 0
        assert "examples:\n  msat " in cli.out

    def test_help_documents_every_json_field(self, cli: Cli) -> None:
        answer = cli.json("solve", "??/11 1", "--json")
        cli("solve", "--help")
        documented = cli.out
        assert all(field in documented for field in answer)
        result = cli.json("play", "--size", "4x4x1", "--seed", "1", "--json")
        cli("play", "--help")
        documented = cli.out
        assert all(field in documented for field in result)


class TestBadInput:
    """One line on stderr that quotes the input, exit status 2, nothing on stdout."""

    def check(self, cli: Cli, quoted: str, *argv: str, stdin: bytes = b"") -> None:
        assert cli(*argv, stdin=stdin) == 2
        assert cli.out == ""
        assert cli.err.startswith("msat: ")
        assert cli.err.count("\n") == 1
        assert quoted in cli.err

    @pytest.mark.parametrize(
        ("board", "options", "quoted"),
        [
            ("", [], "empty text"),
            ("  ", [], "empty text"),
            ("???/?? 1", [], "row 2 has 2 cells, row 1 has 3"),
            ("?z?/??? 1", [], "'z' is not a cell"),
            ("?9?/??? 1", [], "'9' is not a cell"),
            (".1./??? 1", [], "'.' means hidden to some programs and 0 to others"),
            ("??/?? 5", [], "mines=5"),
            ("??/??", ["--mines", "-1"], "mines=-1"),
            ("??/??", [], "the number of mines is missing"),
            ("??/?? 1", ["--mines", "2"], "mines=2"),
            ("?5/?? 2", [], "5"),
            ("1?/0? 1", [], "the 1 at"),
            ("**/1? 2", [], "the 1 at"),
            ("1??/??? 5", [], "possible totals"),
            ("??/11 1", ["--engine", "magic"], "'magic'"),
            ("??/11 1", ["--form", "morse"], "'morse'"),
            ("no/such/file.txt", [], "'no/such/file.txt' is no file, and no board either"),
        ],
    )
    def test_boards(self, cli: Cli, board: str, options: list[str], quoted: str) -> None:
        self.check(cli, quoted, "solve", board, *options)
        self.check(cli, quoted, "solve", board, *options, "--json")

    def test_files(self, cli: Cli, tmp_path: Path) -> None:
        picture, large, empty = tmp_path / "a.png", tmp_path / "large.txt", tmp_path / "empty.txt"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n")
        large.write_bytes(b"?" * 10_000_000)
        empty.write_bytes(b"")
        self.check(cli, "not text", "solve", str(picture))
        self.check(cli, "too large, 10,000,000 bytes", "solve", str(large))
        self.check(cli, "empty text", "solve", str(empty))
        self.check(cli, str(tmp_path), "solve", str(tmp_path))

    def test_standard_input(self, cli: Cli) -> None:
        self.check(cli, "standard input: not text", "solve", "-", stdin=b"\xff\xfe")
        self.check(cli, "standard input: too large", "solve", "-", stdin=b"?" * 10_000_000)
        self.check(cli, "empty text", "solve", "-")

    @pytest.mark.parametrize("command", ["generate", "play"])
    @pytest.mark.parametrize(
        ("options", "quoted"),
        [
            (["--preset", "exprt"], "unknown preset 'exprt': choose one of beginner, intermediate, expert"),
            (["--size", "16x30"], "'16x30' is no size: expected HEIGHTxWIDTHxMINES such as 16x30x99"),
            (["--size", "3x3x99"], "mines=99"),
            (["--size", "0x3x0"], "0×3"),
            (["--size", "3x3x1", "--preset", "expert"], "--preset"),
            (["--start", "3"], "'3' is no cell: expected ROW,COLUMN"),
            (["--start", "99,0"], "(99, 0) is not on the 16×30 board"),
            (["--seed", "x"], "'x'"),
            (["--seed", "1", "--index", "2"], "--index 2 needs --rng kiss"),
            (["--seed", "1", "--rng", "kiss", "--first", "any"], "--first any needs --rng pcg"),
            (["--rng", "dice"], "'dice'"),
        ],
    )
    def test_layouts(self, cli: Cli, command: str, options: list[str], quoted: str) -> None:
        self.check(cli, quoted, command, *options)

    def test_commands(self, cli: Cli, tmp_path: Path) -> None:
        self.check(cli, "COMMAND")
        self.check(cli, "'sovle'", "sovle")
        self.check(cli, "--fast", "solve", "??/11 1", "--fast")
        self.check(cli, "solve needs a BOARD", "solve")
        self.check(cli, "'??/11 1'", "solve", "--jsonl", "??/11 1")
        self.check(cli, "'gif'", "generate", "--format", "gif")
        self.check(cli, "--board", "generate", "--format", "mbf", "--board")
        self.check(cli, "nowhere", "generate", "--seed", "1", "--out", str(tmp_path / "nowhere" / "a"))
        self.check(cli, "'bset'", "play", "--strategy", "bset")
        self.check(cli, "'0' is no speed", "play", "--speed", "0")
        self.check(cli, "nowhere.txt", "play", "--layout", str(tmp_path / "nowhere.txt"))
        self.check(cli, "--seed", "play", "--layout", "a.txt", "--seed", "1")

    def test_a_truncated_mbf(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "cut.mbf"
        file.write_bytes(Layout.random(9, 9, 10, seed=1).to_mbf()[:-3])
        self.check(cli, "MBF truncated", "play", "--layout", str(file))

    def test_a_budget_that_does_not_suffice_is_status_3(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from msat import BudgetExceeded, analysis

        def give_up(*_: Any, **__: Any) -> None:
            raise BudgetExceeded("the frontier is 70 clues wide", width=70)

        monkeypatch.setattr(analysis, "analyze", give_up)
        assert cli("solve", "??/11 1", "--budget", "0.1") == 3
        assert cli.err == "msat: the frontier is 70 clues wide\n"


class TestSolve:
    def test_a_board(self, cli: Cli) -> None:
        assert cli("solve", "??1/3?2/??? 3") == 0
        assert ESCAPE not in cli.out
        lines = cli.out.splitlines()
        assert lines[:4] == ["    0  1  2", "0  50 50  1", "1   3 50  2", "2  50  *  +"]
        assert "best: open (2, 2), proven safe" in lines
        assert "solutions: 4" in lines

    def test_a_guess(self, cli: Cli) -> None:
        assert cli("solve", "1???/???? 2") == 0
        assert "best: open (0, 3), safe with 75.00% (as safe: " in cli.out

    def test_large_numbers_of_solutions_are_exact_and_rounded(self, cli: Cli) -> None:
        assert cli("solve", Board.blank(16, 16, 40).to_text("line")) == 0
        assert re.search(r"solutions: [\d,]{60,} \(≈\d\.\d\d×10\^\d+\)$", cli.out, re.MULTILINE)
        assert cli("solve", "-", stdin=Board.blank(200, 200, 8000).to_text().encode()) == 0
        assert re.search(r"solutions: ≈\d\.\d\d×10\^\d+ \(exactly: --json\)$", cli.out, re.MULTILINE)

    def test_sources_are_equal(self, cli: Cli, tmp_path: Path) -> None:
        text = "? ? 1\n3 ? 2\n? ? ?\n"
        file = tmp_path / "board.txt"
        file.write_text(text)
        answers = [
            cli.json("solve", "??1/3?2/??? 3", "--json"),
            cli.json("solve", "??1/3?2/???", "--mines", "3", "--json"),
            cli.json("solve", str(file), "--mines", "3", "--json"),
            cli.json("solve", "-", "--mines", "3", "--json", stdin=text.encode()),
            cli.json("solve", "..1/3.2/... 3", "--form", "dot-hidden", "--json"),
        ]
        assert all(answer == answers[0] for answer in answers)

    def test_json(self, cli: Cli) -> None:
        assert cli.json("solve", "??1/3?2/??? 3", "--json") == {
            "height": 3,
            "width": 3,
            "mines": 3,
            "safe": [[2, 2]],
            "mined": [[2, 1]],
            "probability": [[0.5, 0.5, None], [None, 0.5, None], [0.5, 1.0, 0.0]],
            "solutions": 4,
            "rest_probability": None,
            "best": {"cell": [2, 2], "safety": 1.0},
        }

    def test_json_keeps_huge_numbers_exact(self, cli: Cli) -> None:
        import math

        answer = cli.json("solve", Board.blank(16, 30, 99).to_text("line"), "--json")
        assert answer["solutions"] == math.comb(480, 99)
        before = sys.get_int_max_str_digits()
        assert cli("solve", "-", "--json", stdin=Board.blank(200, 200, 20_000).to_text().encode()) == 0
        assert len(max(re.findall(r"\d+", cli.out), key=len)) > 12_000
        assert sys.get_int_max_str_digits() == before

    def test_nothing_left_to_open(self, cli: Cli) -> None:
        assert cli("solve", "??/?? 4") == 0
        assert "best" not in cli.out
        assert cli.json("solve", "??/?? 4", "--json")["best"] is None


class TestTerminals:
    BOARD = Layout.random(16, 30, 99, seed=7, start=(3, 3))

    def solve(self, cli: Cli) -> list[str]:
        assert cli("generate", "--seed", "7", "--board") == 0
        assert cli("solve", "-", stdin=cli.data) == 0
        return cli.out.splitlines()

    def test_colour_if_wanted(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        assert ESCAPE in "".join(self.solve(cli))

    def test_no_color_means_no_escape_codes_at_all(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("NO_COLOR", "1")
        assert ESCAPE not in "".join(self.solve(cli))

    @pytest.mark.parametrize(("columns", "cells_a_line"), [(93, 30), (92, 30), (80, 30), (20, 17)])
    def test_lines_fit(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: int, cells_a_line: int
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        drawing = self.solve(cli)
        drawing = drawing[: drawing.index("16×30, 99 mines, 459 cells hidden") - 1]
        rows = [line for line in drawing if re.match(r" ?\d+ ", line)]
        assert max(map(len, drawing[:-1])) <= columns
        assert len(rows) >= 16
        if columns == 93:
            assert len(rows[1].split()) == 31
        else:
            assert len(rows[1].split()[1]) == cells_a_line

    def test_ascii_terminals(self) -> None:
        solver = process("solve", "0??/??? 2", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        out, err = solver.communicate()
        assert (solver.returncode, err) == (0, b"")
        assert b"2x3, 2 mines" in out
        assert out.isascii()


class TestService:
    def test_answers_line_by_line(self, cli: Cli) -> None:
        requests = [
            b'"??/11 1"',
            b'{"id": 7, "board": "???/121", "mines": 2}',
            b"",
            b"not json",
            b"\xff\xfe",
            b"[1, 2]",
            b'{"id": "x", "board": "1?/0? 1"}',
            b'{"id": null, "boart": "??/11 1"}',
            b'{"board": "??/11", "mines": "1"}',
            b'{"board": "??/11 1", "engine": "magic"}',
            b'{"id": [1], "board": "??1/3?2/??? 3"}',
        ]
        assert cli("solve", "--jsonl", stdin=b"\n".join(requests)) == 0
        answers = [json.loads(line) for line in cli.out.splitlines()]
        assert len(answers) == len(requests) - 1
        first, second, not_json, not_text, no_object, contradiction, typo, kind, engine, last = answers
        assert first["solutions"] == 2
        assert "id" not in first
        assert (second["id"], second["safe"], second["mined"]) == (7, [[0, 1]], [[0, 0], [0, 2]])
        assert not_json["id"] is None
        assert "'not json' is not JSON" in not_json["error"]["message"]
        assert "is not JSON" in not_text["error"]["message"]
        assert "'[1, 2]'" in no_object["error"]["message"]
        assert contradiction["id"] == "x"
        assert contradiction["error"]["type"] == "InconsistentBoard"
        assert contradiction["error"]["clues"]
        assert "'boart'" in typo["error"]["message"] or '"board"' in typo["error"]["message"]
        assert "'mines'" in kind["error"]["message"]
        assert "'magic'" in engine["error"]["message"]
        assert (last["id"], last["solutions"]) == ([1], 4)

    def test_options_are_defaults_of_requests(self, cli: Cli) -> None:
        assert cli("solve", "--jsonl", "--mines", "1", stdin=b'"??/11"\n{"board": "??/??", "mines": 2}') == 0
        assert [json.loads(line)["solutions"] for line in cli.out.splitlines()] == [2, 6]

    def test_every_answer_is_flushed_before_the_next_request(self) -> None:
        server = process("solve", "--jsonl")
        assert server.stdin is not None
        assert server.stdout is not None
        for total, solutions in ((1, 4), (2, 6), (4, 1)):
            server.stdin.write(b'"??/?? %d"\n' % total)
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["solutions"] == solutions
        _, err = server.communicate()
        assert (server.returncode, err) == (0, b"")

    def test_a_reader_that_goes_away(self) -> None:
        server = process("solve", "--jsonl")
        assert server.stdout is not None
        server.stdout.close()
        server.stdout = None
        _, err = server.communicate(b'"??/11 1"\n' * 100)
        assert err == b""
        assert server.returncode == 141


class TestGenerate:
    def test_the_same_seed_the_same_layout(self, cli: Cli) -> None:
        assert cli("generate", "--preset", "beginner", "--seed", "7") == 0
        assert Layout.parse(cli.out) == Layout.random(9, 9, 10, seed=7, start=(3, 3))
        assert cli.err == ""

    def test_a_random_seed_is_told(self, cli: Cli) -> None:
        assert cli("generate") == 0
        layout, seed = cli.out, re.search(r"--seed (\d+)", cli.err)
        assert seed is not None
        assert cli("generate", "--seed", seed[1]) == 0
        assert cli.out == layout

    @pytest.mark.parametrize("form", ["grid", "line", "json", "mine"])
    def test_a_started_board(self, cli: Cli, form: str) -> None:
        assert (
            cli("generate", "--size", "9x12x15", "--seed", "1", "--start", "4,5", "--board", "--format", form)
            == 0
        )
        board = Board.parse(cli.out)
        assert (board.height, board.width, board.mines) == (9, 12, 15)
        assert board[4, 5] == 0

    @pytest.mark.parametrize("form", ["grid", "json", "mine"])
    def test_layouts_in_every_form(self, cli: Cli, form: str) -> None:
        assert cli("generate", "--seed", "1", "--format", form) == 0
        assert Layout.parse(cli.out).cells == Layout.random(16, 30, 99, seed=1, start=(3, 3)).cells

    def test_kiss(self, cli: Cli) -> None:
        assert cli("generate", "--rng", "kiss", "--seed", "1", "--index", "2", "--start", "3,3") == 0
        assert Layout.parse(cli.out) == Layout.kiss(16, 30, 99, seed=1, index=2, start=(3, 3))

    def test_first_click_rules(self, cli: Cli) -> None:
        assert cli("generate", "--size", "2x2x3", "--seed", "1", "--first", "safe", "--start", "1,1") == 0
        assert Layout.parse(cli.out).cells == {(0, 0), (0, 1), (1, 0)}

    def test_mbf(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "seven.mbf"
        assert cli("generate", "--seed", "7", "--format", "mbf", "--out", str(file)) == 0
        assert cli.out == ""
        assert cli("generate", "--seed", "7", "--format", "mbf") == 0
        assert cli.data == file.read_bytes()
        assert Layout.from_mbf(cli.data).mines == 99


class TestPlay:
    def test_a_game(self, cli: Cli) -> None:
        assert cli("play", "--size", "3x3x1", "--seed", "1", "--start", "0,0", "--first", "safe") == 0
        assert cli.out.startswith("1. open (0, 0): the start\n")
        assert re.search(r"^(Won|Lost) after \d+ moves?, with (no|\d+) guess", cli.out, re.MULTILINE)

    def test_a_lost_game_shows_the_mine(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "layout.txt"
        file.write_text("*.\n")
        assert cli("play", "--layout", str(file)) == 0
        assert "1. guess (0, 0), safe with 50.00%" in cli.out
        assert "0   *  ?" in cli.out
        assert "Lost after 1 move, with 1 guess that" in cli.out

    def test_giving_up(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "layout.txt"
        file.write_text("*.\n..\n")
        assert cli("play", "--layout", str(file), "--start", "1,1", "--strategy", "logic") == 0
        assert "Given up after 1 move, with no guesses" in cli.out

    def test_json_and_save(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        result = cli.json("play", "--preset", "beginner", "--seed", "3", "--json", "--save", str(file))
        record = Record.load(file)
        assert result["state"] == record.state
        assert result["moves"] == len(record.moves)
        assert record.layout == Layout.random(9, 9, 10, seed=3, start=(3, 3))

    def test_mbf(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "a.mbf"
        file.write_bytes(Layout.random(9, 9, 10, seed=3, start=(3, 3)).to_mbf())
        result = cli.json("play", "--layout", str(file), "--start", "3,3", "--json")
        again = cli.json("play", "--preset", "beginner", "--seed", "3", "--json")
        assert result | {"seconds": 0} == again | {"seconds": 0}

    def test_speed(self, cli: Cli) -> None:
        begin = time.perf_counter()
        assert cli("play", "--size", "2x2x0", "--seed", "1", "--speed", "5") == 0
        assert time.perf_counter() - begin >= 0.2

    def test_a_pipe_that_closes(self) -> None:
        player = process("play", "--preset", "expert", "--seed", "1")
        assert player.stdout is not None
        assert player.stdout.readline() == b"1. open (3, 3): the start\n"
        player.stdout.close()
        player.stdout = None
        _, err = player.communicate()
        assert (player.returncode, err) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_quietly() -> None:
    player = process("play", "--preset", "expert", "--seed", "1", "--speed", "0.1", PYTHONUNBUFFERED="1")
    assert player.stdout is not None
    assert player.stdout.readline()
    player.send_signal(signal.SIGINT)
    _, err = player.communicate(timeout=20)
    assert (player.returncode, err) == (130, b"")


def test_ctrl_c_in_a_sub_command(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from msat import player

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(player, "play", interrupted)
    assert cli("play", "--seed", "1") == 130
    assert cli.err == ""
