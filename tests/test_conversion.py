"""From any form to any other: the function that `msat convert` and the service share, and the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from msat.board import Board
from msat.conversion import Convertible, convert, forms_of, read
from msat.errors import MsatError, UnknownName
from msat.formats import FORMS
from msat.layout import Layout
from msat.record import Record
from msat.replays import write_rawvf
from tests.support.command import Cli
from tests.support.replay_files import msor, played

BOARD = Board.parse("*1?/1*2/??? 3")
LAYOUT = Layout.parse("..*\n.*.\n...\nstart: 2 0")
RECORD = played(Layout.random(9, 9, 10, seed=0, start=(4, 4)))


@pytest.mark.parametrize("value", [BOARD, LAYOUT, RECORD], ids=["board", "layout", "game"])
def test_every_form_is_read_back(value: Convertible) -> None:
    for form in forms_of(value):
        written = convert(value, form)
        layout = not isinstance(value, Board) and form in forms_of(LAYOUT)
        asked = form if form in FORMS and not layout else None
        again = read(written, f"file.{form}", form=asked, layout=layout)
        if isinstance(value, Record) and form not in ("record", "rawvf"):
            assert isinstance(again, Layout | Board)
            assert again.shape == value.layout.shape
        elif isinstance(value, Layout):
            assert isinstance(again, Layout)
            assert again.mask == value.mask
        else:
            assert again == value


def test_what_a_text_is() -> None:
    assert read(str(BOARD)) == BOARD
    assert read(str(LAYOUT).encode()) == LAYOUT
    assert read(write_rawvf(RECORD)) == RECORD
    assert read(msor(RECORD).encode(), "game.msor") == RECORD
    assert read(RECORD.to_json()) == RECORD
    assert read(LAYOUT.to_mbf(), "a.MBF") == Layout.parse("..*\n.*.\n...")
    assert read("..*/.*.") == Layout.parse("..*\n.*.")
    both = BOARD.to_text("board") + "\n[real]\n*21\n2*2\n12*"
    assert read(both) == BOARD
    assert read(both, layout=True) == Layout.from_mines(3, 3, [(0, 0), (1, 1), (2, 2)])
    assert read("..1", mines=1, form="dot-hidden") == Board.parse("??1 1")


def test_positions_of_games() -> None:
    assert convert(RECORD, "line", move=0) == Board.blank(9, 9, 10).to_text("line")
    assert convert(RECORD, "line") == RECORD.game().board.to_text("line")
    assert Board.parse(str(convert(RECORD, "link", move=3))) == RECORD.game(upto=3).board
    assert Layout.parse(str(convert(RECORD, "link"))).mask == RECORD.layout.mask


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: convert(BOARD, "mbf"), "unknown form for a board 'mbf': choose one of grid, line"),
        (lambda: convert(LAYOUT, "line"), "unknown form for a layout 'line': choose one of grid, json, mine"),
        (lambda: convert(RECORD, "evf"), "unknown form for a record 'evf'"),
        (lambda: convert(BOARD, "line", move=3), "needs a game: this is a board"),
        (
            lambda: convert("??1 1", "line"),  # type: ignore[arg-type]
            "convert takes a Board, a Layout or a Record",
        ),
        (lambda: read("?b=1&m=77"), "the link's m= has 2 digits"),
        (lambda: read("hello"), "line 1, column 1: 'h' is not a cell"),
        (lambda: read(b"\xff\xfe"), "the text: not text"),
    ],
)
def test_errors(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(MsatError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["\x1b]0;title\x07.txt", "x" * 100_000])
def test_a_received_name_is_told_as_text_and_not_at_length(name: str) -> None:
    with pytest.raises(MsatError, match="not text: byte 0") as caught:
        read(b"\xff", name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("command", ["convert", "solve", "review"])
def test_an_error_in_a_file_names_it(tmp_path: Path, cli: Cli, command: str) -> None:
    file = tmp_path / "game.rawvf"
    file.write_text(write_rawvf(RECORD).replace("Width: 9", "Width: nine"), "utf-8")
    assert cli(command, str(file)) == 2
    assert cli.err.startswith(f"msat: {file}: line 4: 'nine' is not a number of width")
    file.write_text('{"height": 1', "utf-8")
    assert cli(command, str(file)) == 2
    assert cli.err.startswith(f"msat: {file}: ")
    assert cli.err.count(str(file)) == 1


def test_the_command(tmp_path: Path, cli: Cli) -> None:
    game, raw, mbf = tmp_path / "game.json", tmp_path / "game.rawvf", tmp_path / "game.mbf"
    RECORD.save(game)
    assert cli("convert", str(game), str(raw)) == 0, cli.err
    assert raw.read_text() == write_rawvf(RECORD)
    assert cli("convert", str(raw), str(tmp_path / "again.json")) == 0, cli.err
    assert Record.load(tmp_path / "again.json") == RECORD
    assert cli("convert", str(raw), str(mbf)) == 0, cli.err
    assert Layout.from_mbf(mbf.read_bytes()).mask == RECORD.layout.mask
    assert cli("convert", str(raw), "--to", "link", "--move", "2") == 0, cli.err
    link = cli.out.strip()
    assert cli("convert", link) == 0, cli.err
    assert cli.out == f"{RECORD.game(upto=2).board}\n"
    assert cli("convert", "-", "--to", "line", stdin=str(BOARD).encode()) == 0, cli.err
    assert cli.out == "*1?/1*2/??? 3\n"
    assert cli("solve", link) == 0, cli.err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("missing/game.avf", "x.json"), "'missing/game.avf': no such file"),
        (("missing.avf", "x.json"), "'missing.avf': no such file"),
        (("missing",), "'missing' is no file, and no board either"),
        (("https://elsewhere.example/?analysis=ad-baaabSbS",), "the link's analysis= has '-'"),
        (("?1?", "x.json"), "mine"),
        (("?1? 1", "x.xyz"), "'x.xyz' does not say a form by its ending: give --to FORM, or one of .mbf"),
        (("?1? 1", "json"), "'json' would be a file without an ending: for the form, write --to json"),
        (("?1? 1", "line"), "'line' would be a file without an ending: for the form, write --to line"),
        (("?1? 1", "--to", "mbf"), "unknown form for a board 'mbf'"),
        (("?1? 1", "--move", "3"), "--move 3 needs a game: this is a board"),
    ],
)
def test_the_command_says_what_is_wrong(cli: Cli, argv: tuple[str, ...], message: str) -> None:
    assert cli("convert", *argv) == 2
    assert message in cli.err
    assert cli.err.count("\n") == 1


def test_unknown_forms_are_names() -> None:
    with pytest.raises(UnknownName):
        convert(LAYOUT, "gird")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is full")
def test_a_file_that_cannot_be_written_is_named(cli: Cli) -> None:
    for command in (
        ("convert", "?1?/ 1", "/dev/full", "--to", "grid"),
        ("generate", "--seed", "1", "--out", "/dev/full"),
    ):
        assert cli(*command) == 2
        assert cli.err == "msat: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_an_empty_text_is_nothing(text: str) -> None:
    with pytest.raises(MsatError, match="empty text: a board has at least one row"):
        read(text)


def test_links_that_lead_nowhere_are_files_all_the_same(cli: Cli, tmp_path: Path) -> None:
    for name, to, wrong in (("a", "a", "Too many levels of symbolic links"), ("b", "c", "No such file")):
        link = tmp_path / f"{name}.json"
        link.symlink_to(tmp_path / f"{to}.json")
        for command in ("convert", "solve", "review"):
            assert cli(command, str(link)) == 2
            assert str(link) in cli.err
            assert wrong in cli.err


def test_a_file_without_a_name() -> None:
    with pytest.raises(MsatError, match="'': No such file"):
        Record.load("")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is full")
def test_a_full_disk_behind_the_output_is_told_in_words() -> None:
    command = [sys.executable, "-m", "msat", "convert", "?1?/ 1"]
    with open("/dev/full", "wb") as full:
        told = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (told.returncode, told.stderr) == (2, "msat: No space left on device\n")
