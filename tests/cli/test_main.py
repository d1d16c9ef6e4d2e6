"""The command line: its help, how it fails, and the commands `generate` and `play`."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from msat import Board, Layout, Record, __version__
from tests.support.clock import Clock
from tests.support.command import Cli, ended, process


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
            (".1./??? 1", [], "say which by --form dot-hidden or --form dot-zero"),
            ("??/?? 5", [], "5 mines do not fit a 2×2 board"),
            ("??/??", ["--mines", "-1"], "-1 mines do not fit"),
            (
                "??/??",
                [],
                "write it behind the rows, as in '??/?? 1', or give --mines 1",
            ),
            ("??/?? 1", ["--mines", "2"], "the text says mines: 1, and --mines 2 is given: leave one out"),
            ("?5/?? 2", [], "5"),
            ("1?/0? 1", [], "the 1 at"),
            ("**/1? 2", [], "the 1 at"),
            ("1??/??? 5", [], "possible totals"),
            ("??/11 1", ["--engine", "magic"], "'magic'"),
            ("??/11 1", ["--form", "morse"], "'morse'"),
            ("no/such/file.txt", [], "'no/such/file.txt': no such file"),
        ],
    )
    def test_boards(self, cli: Cli, board: str, options: list[str], quoted: str) -> None:
        self.check(cli, quoted, "solve", board, *options)
        self.check(cli, quoted, "solve", board, *options, "--json")

    def test_files(self, cli: Cli, tmp_path: Path) -> None:
        picture, large, empty = tmp_path / "a.png", tmp_path / "large.txt", tmp_path / "empty.txt"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n")
        large.write_bytes(b"?" * 20_000_000)
        empty.write_bytes(b"")
        self.check(cli, "not text", "solve", str(picture))
        self.check(cli, "too large, 20,000,000 bytes", "solve", str(large))
        self.check(cli, "empty text", "solve", str(empty))
        self.check(cli, str(tmp_path), "solve", str(tmp_path))

    def test_standard_input(self, cli: Cli) -> None:
        self.check(cli, "standard input: not text", "solve", "-", stdin=b"\xff\xfe")
        self.check(cli, "standard input: too large", "solve", "-", stdin=b"?" * 20_000_000)
        self.check(cli, "empty text", "solve", "-")

    @pytest.mark.parametrize("command", ["generate", "play"])
    @pytest.mark.parametrize(
        ("options", "quoted"),
        [
            (["--preset", "exprt"], "unknown preset 'exprt': choose one of beginner, intermediate, expert"),
            (["--size", "16x30"], "'16x30' is no size: expected HEIGHTxWIDTHxMINES such as 16x30x99"),
            (["--size", "3x3x99"], "99 mines do not fit"),
            (["--size", "0x3x0"], "0×3"),
            (["--size", "3x3x1", "--preset", "expert"], "--preset"),
            (["--start", "3"], "'3' is no cell: expected ROW,COLUMN"),
            (["--start", "99,0"], "(99, 0) is not on the 16×30 board"),
            (["--seed", "x"], "'x'"),
            (["--seed", "-1"], "--seed -1 is negative: give 0 or more"),
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
        self.check(
            cli,
            "--format mbf holds layouts only: leave --board out, or choose one of grid, line, json, mine, "
            "array, drawing",
            *("generate", "--format", "mbf", "--board"),
        )
        self.check(
            cli,
            "--format line holds boards only: add --board, or "
            "choose one of grid, json, mine, board, link, mbf",
            *("generate", "--format", "line"),
        )
        self.check(cli, "nowhere", "generate", "--seed", "1", "--out", str(tmp_path / "nowhere" / "a"))
        self.check(cli, "'bset'", "play", "--strategy", "bset")
        self.check(
            cli, "logic has no parameter 'x': it takes none", "play", "--strategy", "logic", "--param", "x=1"
        )
        self.check(cli, "--param: 'x' is no parameter: expected NAME=VALUE", "play", "--param", "x")
        self.check(cli, "'logic:x': 'x' is no parameter", "play", "--strategy", "logic:x")
        self.check(cli, "argument --speed: '-1' is no speed", "play", "--speed", "-1")
        for budget in ("-1", "nan", "soon"):
            self.check(cli, f"'{budget}' is no number above 0", "solve", "??/11 1", "--budget", budget)
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

    @pytest.mark.parametrize("form", ["grid", "json"])
    def test_a_layout_is_told_from_a_board(self, cli: Cli, form: str) -> None:
        assert cli("generate", "--preset", "beginner", "--seed", "1", "--format", form) == 0
        message = "is a layout, which shows the mines; solve needs what a player sees: add --board"
        self.check(cli, message, "solve", "-", stdin=cli.data)

    def test_dots_alone_are_no_layout(self, cli: Cli) -> None:
        self.check(cli, "--form dot-hidden", "solve", "-", "--mines", "1", stdin=b"...\n...\n")

    @pytest.mark.parametrize(
        ("command", "names"),
        [
            ("solve", ["auto, counting", "sat", "cpsat", "grid, line, json, mine, dot-hidden, dot-zero"]),
            ("play", ["logic", "safest", "beginner, intermediate, expert"]),
            (
                "generate",
                [
                    "grid, line, json, mine, array, drawing, board, link, mbf",
                    "beginner, intermediate, expert",
                ],
            ),
        ],
    )
    def test_help_names_the_choices(self, cli: Cli, command: str, names: list[str]) -> None:
        assert cli(command, "--help") == 0
        shown = " ".join(cli.out.split())
        assert [name for name in names if name not in shown] == []


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

    @pytest.mark.parametrize("form", ["mine", "mbf"])
    def test_a_start_that_is_lost_is_told(self, cli: Cli, form: str) -> None:
        assert cli("generate", "--seed", "7", "--start", "2,5", "--format", form) == 0
        assert cli.err == f"msat: {form} has no place for the start: play it with --start 2,5\n"

    @pytest.mark.parametrize("more", [["--format", "grid"], ["--format", "mine", "--board"]])
    def test_a_start_that_is_kept_is_not(self, cli: Cli, more: list[str]) -> None:
        assert cli("generate", "--seed", "7", *more) == 0
        assert cli.err == ""


class TestPlay:
    def test_a_game(self, cli: Cli) -> None:
        assert cli("play", "--size", "3x3x1", "--seed", "1", "--start", "0,0", "--first", "safe") == 0
        assert cli.out.startswith("1. open r0c0: the start\n")
        end = r"^(Won|Lost at .*) after \d+ decisions?: \d opened, \d marked, \d guess"
        assert re.search(end, cli.out, re.MULTILINE)

    def test_a_lost_game_shows_the_mines(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "layout.txt"
        file.write_text("*.*.\n")
        assert cli("play", "--layout", str(file)) == 0
        assert "1. guess r0c0, safe with 50.00%" in cli.out
        assert "0   X  ?  *  ?\nX the mine that went off   * mine\n" in cli.out
        assert cli.out.endswith(
            "Lost at r0c0, which was safe with 50.00%, after 1 decision: "
            "0 opened, 0 marked, 1 guess, safe with 50.0%\n"
        )

    def test_a_start_on_a_mine_is_no_guess(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "layout.txt"
        file.write_text("*.\nstart: 0 0\n")
        assert cli("play", "--layout", str(file)) == 0
        assert "Lost at r0c0 after 1 decision: 0 opened, 0 marked, 0 guesses\n" in cli.out
        assert cli.err == ""

    def test_the_sums_agree(self, cli: Cli) -> None:
        argv = ["play", "--preset", "beginner", "--seed", "2"]
        assert cli(*argv) == 0
        frames, last = cli.out, cli.out.splitlines()[-1]
        result = cli.json(*argv, "--json")
        assert f"\n{result['decisions']}. " in frames
        assert f"\n{result['decisions'] + 1}. " not in frames
        assert (result["state"], result["opened"]) == ("won", 71)
        marks = sum(map(int, re.findall(r"; mark (\d+) mines?\n", frames)))
        assert (result["marked"], result["guesses"]) == (marks, [])
        count = result["decisions"]
        assert last == f"Won after {count} decisions: 71 opened, {marks} marked, 0 guesses"

    def test_a_layout_without_a_start_is_told(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "layout.txt"
        file.write_text("....\n....\n...*\n")
        assert cli("play", "--layout", str(file)) == 0
        assert "has no start: the strategy chooses the first cell; --start R,C gives one" in cli.err
        assert cli("play", "--layout", str(file), "--start", "0,0") == 0
        assert cli.err == ""

    def test_a_saved_game_is_played_anew(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        first = cli.json("play", "--preset", "beginner", "--seed", "3", "--json", "--save", str(file))
        again = cli.json("play", "--layout", str(file), "--json")
        assert again | {"seconds": 0} == first | {"seconds": 0}
        file.write_text(file.read_text()[:-20])
        assert cli("play", "--layout", str(file)) == 2
        assert "not valid JSON" in cli.err

    def test_giving_up(self, cli: Cli, tmp_path: Path) -> None:
        file = tmp_path / "layout.txt"
        file.write_text("*.\n..\n")
        assert cli("play", "--layout", str(file), "--start", "1,1", "--strategy", "logic") == 0
        assert "Given up after 1 decision: 1 opened, 0 marked, 0 guesses" in cli.out

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

    def test_speed(self, cli: Cli, clock: Clock) -> None:
        begin = clock.time
        assert cli("play", "--size", "2x2x0", "--seed", "1", "--speed", "5") == 0
        assert clock.time - begin == pytest.approx(0.2)

    def test_a_pipe_that_closes(self) -> None:
        player = process("play", "--preset", "expert", "--seed", "1")
        assert player.stdout is not None
        assert player.stdout.readline() == b"1. open r3c3: the start\n"
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
    status, _, err = ended(player)
    assert (status, err) == (130, "")


def test_ctrl_c_in_a_sub_command(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from msat import player

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(player, "play", interrupted)
    assert cli("play", "--seed", "1") == 130
    assert cli.err == ""


@pytest.mark.parametrize("text", ["z" * 9000, "z" * 9000 + ".txt"])
@pytest.mark.parametrize("command", ["solve", "convert"])
def test_what_is_given_for_a_board_is_not_repeated_for_pages(command: str, text: str, cli: Cli) -> None:
    assert cli(command, text) == 2
    assert len(cli.err) < 400
    assert not cli.err.endswith("…\n")  # what would be right is still told


def test_an_unknown_command_is_told_which_was_meant(cli: Cli) -> None:
    assert cli("slove", "board.txt") == 2
    assert (
        cli.err
        == "msat: unknown command 'slove': did you mean 'solve'? ('msat --help' shows what is possible)\n"
    )
    assert cli("fly") == 2
    assert cli.err.startswith("msat: unknown command 'fly': choose one of solve, hint, explain, ")
    assert cli.err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["generate", "--presset", "expert"], "unknown option '--presset': did you mean '--preset'?"),
        (["hint", "??/11 1", "--levl=2"], "unknown option '--levl': did you mean '--level'?"),
        (["solve", "??/11 1", "-X"], "unknown option '-X' ('msat solve --help'"),
        (["sample", "??/11 1", "--count", "2"], "unknown option '--count' ('msat sample --help'"),
        (["hint", "??/11", "1"], "a board is one argument: put it in quotes, as in '??/11 1'"),
        (["hint", "??/11 1", "please"], "unrecognized arguments: please"),
        (["play", "expert"], "unrecognized arguments: expert: did you mean '--preset expert'?"),
    ],
)
def test_words_that_no_option_takes_are_told_what_was_meant(cli: Cli, argv: list[str], message: str) -> None:
    assert cli(*argv) == 2
    assert cli.err.startswith(f"msat: {message}")
    assert cli.err.count("\n") == 1


def test_help_is_a_command_as_well(cli: Cli) -> None:
    for asked, same in ((["help"], ["--help"]), (["help", "hint"], ["hint", "--help"])):
        assert cli(*same) == 0
        usual = cli.out
        assert cli(*asked) == 0
        assert cli.out == usual
    assert cli("help", "hnt") == 2
    assert "did you mean 'hint'?" in cli.err


@pytest.mark.parametrize(
    "board", ["--1/3-2/---", "--1\n3-2\n---", "-------\n|?|?|1|\n|3|?|2|\n|?|?|?|\n-------"]
)
def test_a_board_that_begins_with_a_dash_is_no_option(cli: Cli, board: str) -> None:
    assert cli("convert", board, "--mines", "3", "--to", "line") == 0
    assert cli.out == "??1/3?2/??? 3\n"
