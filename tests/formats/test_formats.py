"""Text forms: all of them read and print boards alike, and bad text is told from good in words."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msat.board import Board
from msat.errors import BoardError, FileError, MissingFile, MsatError, UnknownName, WrongType
from msat.formats import FORMS, TEXT_LIMIT, decode_text, read_text
from msat.formats.registry import ALL, named
from tests.support.command import Cli
from tests.support.values import boards

BOARD = Board.parse("?*1\n302", mines=2)


def error_of(text: Any, mines: int | None = None, form: str | None = None) -> str:
    """The message with which a text is refused."""
    with pytest.raises(BoardError) as caught:
        Board.parse(text, mines, form)
    return str(caught.value)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("grid", "? * 1\n3 0 2\nmines: 2"),
        ("line", "?*1/302 2"),
        ("json", '{"height": 2, "width": 3, "mines": 2, "rows": ["?*1", "302"]}'),
        ("mine", "3x2x2\nHF1\n302"),
        ("dot-hidden", ". * 1\n3 0 2\nmines: 2"),
        ("dot-zero", "? * 1\n3 . 2\nmines: 2"),
    ],
)
def test_what_each_form_looks_like(form: str, text: str) -> None:
    assert BOARD.to_text(form) == text
    assert Board.parse(text, form=form) == BOARD


@pytest.mark.parametrize(
    ("board", "text"),
    [
        (Board.parse("1", mines=1), "1/ 1"),
        (Board.parse("11", mines=1), "11/ 1"),
        (Board.parse("1\n1", mines=1), "1/1 1"),
    ],
)
def test_a_row_alone_ends_with_a_slash(board: Board, text: str) -> None:
    assert board.to_text("line") == text


@example(Board.parse("1", mines=1))
@example(Board.parse("11", mines=1))
@example(Board.parse("3*3*1", mines=2))
@given(boards())
def test_what_is_printed_is_read_back(board: Board) -> None:
    assert Board.parse(str(board)) == board
    for form in FORMS:
        text = board.to_text(form)
        assert Board.parse(text, form=form) == board, form
        assert Board.parse(text, mines=board.mines, form=form) == board, form
        if named(form, bool).looks_like:
            assert Board.parse(text) == board, form


@pytest.mark.parametrize("form", FORMS)
def test_the_largest_board_is_read_back_in_every_form(form: str) -> None:
    board = Board.from_array(np.arange(1_000_000).reshape(1000, 1000) % 11 - 2, mines=99)
    assert Board.parse(board.to_text(form), form=form) == board


def test_a_form_is_listed_once_and_known_everywhere(cli: Cli) -> None:
    names = [form.name for form in ALL]
    assert len(set(names)) == len(names)
    assert cli("solve", "--help") == 0
    assert ", ".join(FORMS) in " ".join(cli.out.split())
    assert cli("generate", "--help") == 0
    printed = [form for form in ALL if form.print_layout or (form.print_board and form.looks_like)]
    assert all(form.summary in " ".join(cli.out.split()) for form in printed)


@pytest.mark.parametrize("hidden", "?#-")
@pytest.mark.parametrize("mine", "*xXMF")
def test_every_character_of_a_cell(hidden: str, mine: str) -> None:
    assert Board.parse(f"{hidden}{mine}1\n3 0 2", mines=2) == BOARD
    assert Board.parse(f"{hidden}{mine}1/302:2") == BOARD


@pytest.mark.parametrize("said", ["mines 2", "mines: 2", "mines=2", "Mines = 2", "MINES:2", "  mines  2  "])
@pytest.mark.parametrize("place", ["{rows}\n{said}", "{said}\n{rows}", "\n\n{said}\n\n{rows}\n\n"])
def test_the_line_with_the_mines(said: str, place: str) -> None:
    assert Board.parse(place.format(rows="?*1\n302", said=said)) == BOARD


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff?*1\n302\nmines: 2",
        "? * 1\r\n3 0 2\r\nmines: 2\r\n",
        "?*1\r302\rmines: 2",
        "  ?\t*\t1  \n\t3 0 2\nmines: 2",
        " ?*1/302 2 \n",
        "?*1/302/ 2",
        "?*1/302 : 2",
        "\ufeff" + BOARD.to_text("json"),
        "3x2x2\r\nHF1\r\n302\r\n",
        "M1x\n",
    ],
)
def test_ways_of_writing(text: str) -> None:
    expected = Board.parse("*1*", mines=2) if text.startswith("M1x") else BOARD
    assert Board.parse(text, mines=2) == expected


@pytest.mark.parametrize(
    ("text", "shape", "mines"),
    [
        ("?1? 1", (1, 3), 1),
        ("? 10", (1, 1), None),
        ("?:1", (1, 1), 1),
        ("?/ 1", (1, 1), 1),
        ("?/? 1", (2, 1), 1),
    ],
)
def test_a_total_behind_one_row(text: str, shape: tuple[int, int], mines: int | None) -> None:
    if mines is None:
        assert error_of(text) == "10 mines do not fit a 1×1 board: between 0 and 1 do"
    else:
        assert Board.parse(text) == Board.parse(text, mines)
        assert (Board.parse(text).shape, Board.parse(text).mines) == (shape, mines)


def test_single_cells_side_by_side_are_a_row() -> None:
    assert Board.parse("? 1", mines=1).shape == (1, 2)
    assert Board.parse("? 1", form="line").shape == (1, 1)


def test_in_mine_text_the_mines_that_only_the_game_knows_are_hidden() -> None:
    assert Board.parse("4x1x3\nM?FH") == Board.parse("??*?", mines=3)


def test_a_row_that_looks_like_a_header() -> None:
    row = Board.parse("3*3*1", mines=2)
    assert Board.parse("3x3x1", mines=2) == row
    assert Board.parse("3x3x1\nmines: 2") == row
    assert Board.parse("5x1x1\n????1") == Board.parse("????1", mines=1)
    assert Board.parse("5x1x1\n????1", mines=3, form="grid").shape == (2, 5)


def test_dots_are_read_as_asked() -> None:
    assert Board.parse(".1", mines=1, form="dot-hidden") == Board.parse("?1", mines=1)
    assert Board.parse("./1 0", form="dot-zero") == Board.parse("0/1 0")
    assert error_of("11\n1.", 1) == (
        "line 2, column 2: '.' means hidden to some programs and 0 to others: "
        "say which by form='dot-hidden' or form='dot-zero', or use '?' or '0'"
    )


USE = "use '?', '#' or '-' (hidden), '0' to '8' (revealed), '*', 'x', 'X', 'M' or 'F' (known mine)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty text: a board has at least one row, such as '??1/3?2/??? 3'"),
        (" \n\t\r\n", "empty text: a board has at least one row, such as '??1/3?2/??? 3'"),
        ("mines: 3", "no rows: write at least one row of cells"),
        ("?9?", "line 1, column 2: '9' is not a cell: a cell has 8 neighbours, numbers are 0 to 8"),
        (
            "\n???\n? ?   9",
            "line 3, column 7: '9' is not a cell: a cell has 8 neighbours, numbers are 0 to 8",
        ),
        ("???\n?@?", f"line 2, column 2: '@' is not a cell: {USE}"),
        ("???/?@? 1", f"line 1, column 6: '@' is not a cell: {USE}"),
        ("1?\0", f"line 1, column 3: '\\x00' is not a cell: {USE}"),
        ("???\n???\n??", "line 3: row 3 has 2 cells, row 1 has 3"),
        ("???/??/??? 2", "line 1, column 5: row 2 has 2 cells, row 1 has 3"),
        ("???//??? 2", "line 1, column 5: row 2 has 0 cells, row 1 has 3"),
        (
            "? ?\n? 10",
            "line 2, column 3: '10' is not a cell: write the cells of a row all together or all apart",
        ),
        ("??\n\n??", "line 2: the rows end here but go on in line 3: leave no line between rows"),
        ("??\nmines: 1\n??", "line 2: the rows end here but go on in line 3: leave no line between rows"),
        ("??\nmines: 1\nmines: 2", "line 3: 'mines: 2' was already said in line 2"),
        ("??\nmines: many", "line 2: 'many' is not a number of mines: write it as in 'mines: 10'"),
        ("??\nmines:", "line 2: '' is not a number of mines: write it as in 'mines: 10'"),
        ("??/?? many", "line 1: 'many' is not a number of mines: write it as in 'mines: 10'"),
        (
            "??/?? 1 1",
            "line 1: a board in line form has no spaces but one before the mine total, as in '??1/3?2/??? 3'",
        ),
        ("??\nmines: -1", "-1 mines do not fit a 1×2 board: between 0 and 2 do"),
        ("??/?? -1", "-1 mines do not fit a 2×2 board: between 0 and 4 do"),
        ("??/?? 5", "5 mines do not fit a 2×2 board: between 0 and 4 do"),
        ("??\n??", "the number of mines is missing: add a line such as 'mines: 1', or give mines=1"),
        ("3x2x1\nHHH", "the header '3x2x1' promises 2 rows, the text has 1"),
        ("3x1x1\nHH", "the header '3x1x1' promises 3 cells a row, the rows have 2"),
        ("3x0x1\nHHH", "the header '3x0x1' promises 0 rows, the text has 1"),
        ("2x2x1\nHH\nHHH", "line 3: row 2 has 3 cells, row 1 has 2"),
        (
            "2x1x1\nH#",
            "line 2, column 2: '#' is not a cell: "
            "use 'H' (hidden), 'F' (marked), '0' to '8' (revealed), 'M' or '?' (a hidden mine)",
        ),
        ("?" * (TEXT_LIMIT + 1), "the text has 16,777,217 characters: at most 16,777,216 are read"),
        ("?/" * 1001 + " 1", "line 1, column 2001: a board has at most 1000 rows"),
        ("?" * 1001 + "/ 1", "no board is 1×1001: height and width are between 1 and 1000"),
    ],
)
def test_text_that_is_no_board(text: str, message: str) -> None:
    assert error_of(text) == message


BLANKS = " " * 100_000


@pytest.mark.parametrize(
    "text",
    [
        "/" * 2_000_000,
        "mines x" + " " * 2_000_000 + "y\n?",
        "?" + " " * 2_000_000 + "? ?",
        "1: ?1\n2: 11\n3: a" + BLANKS + "z",
        "?1\n11\n💣" + BLANKS + "z",
        "?1\n11\n3 /" + BLANKS + "z",
        "?1\n11\nremaining mines" + BLANKS + "z",
        "?1\n11\n" + "-" * 100_000 + "z",
        "?1\n11\n12:31" + BLANKS + "bob" + BLANKS,
        "[" + '"?"  ' * 40 + "z",
        "[" + "[1]  " * 40 + "z",
        "[[1]]" + BLANKS + "z z",
        "<table>" + "<a " * 100_000,
        "<table>" + "<a a='" * 100_000,
        "<table>" + "<!--a>" * 100_000,
        '<table><tr><td class="' + "a" * 200_000 + '">1</td><td>9',
        "   0 1\n0 ? ?\n1 ? z\nmines" + BLANKS + "z",
    ],
    ids=lambda text: " ".join(text.split())[:30],
)
def test_a_long_text_is_refused_in_no_time(text: str) -> None:
    begin = time.process_time()
    error_of(text)
    # A hundred times what it takes; padding each row to its column took over ten minutes.
    assert time.process_time() - begin < 60


def test_a_dot_in_mine_text_is_just_a_wrong_character() -> None:
    assert error_of("2x1x1\nH.").startswith("line 2, column 2: '.' is not a cell: use 'H' (hidden)")


def test_bytes_are_no_text() -> None:
    with pytest.raises(WrongType, match=re.escape("text is read from a str, not from bytes: b'??/?? 1'")):
        Board.parse(b"??/?? 1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="text is read from a str, not from NoneType: None"):
        Board.parse(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["??/?? 1", "??\n??\nmines 1", "2x2x1\nHH\nHH", Board.blank(2, 2, 1).to_text("json")]
)
def test_two_totals_must_agree(text: str) -> None:
    assert Board.parse(text, mines=1).mines == 1
    assert error_of(text, mines=2) == "the text says mines: 1, and mines=2 is given: leave one out"


def test_the_form_asked_for_is_the_form_read() -> None:
    assert error_of("??\n??", 1, form="line") == (
        "line 2: a board in line form has one line, such as '??1/3?2/??? 3'"
    )
    assert error_of("??\n??", 1, form="mine") == (
        "line 1: '??' is not a header WIDTHxHEIGHTxMINES, such as 9x9x10"
    )
    assert error_of("??", 1, form="json") == "line 1, column 1: not valid JSON: Expecting value"
    assert error_of("??/?? 1", form="grid").startswith("line 1, column 3: '/' is not a cell")


@pytest.mark.parametrize("use", [lambda form: Board.parse("? 1", 1, form), BOARD.to_text])
def test_an_unknown_form_names_the_known_ones(use: Any) -> None:
    with pytest.raises(UnknownName) as caught:
        use("ascii")
    assert str(caught.value) == (
        "unknown form 'ascii': choose one of grid, line, json, mine, dot-hidden, dot-zero, blank-hidden, "
        "blank-zero, white-hidden, white-zero, black-hidden, black-zero, brown-hidden, brown-zero, "
        "labelled, array, drawing, board, link"
    )


GOOD = {"height": 1, "width": 2, "mines": 1, "rows": ["?1"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row": []}, "unknown key 'row': the keys are height, width, rows, mines"),
        ({"height": None}, "the key 'height' is missing: the keys are height, width, rows, mines"),
        ({"height": "1"}, "'height' is \"1\", not a whole number"),
        ({"mines": True}, "'mines' is true, not a whole number"),
        ({"mines": 1.5}, "'mines' is 1.5, not a whole number"),
        ({"mines": 3}, "3 mines do not fit a 1×2 board: between 0 and 2 do"),
        (
            {"mines": None},
            "the number of mines is missing: add a line such as 'mines: 1', or give mines=1 "
            "(the numbers need at least 1)",
        ),
        ({"rows": "?1"}, "'rows' is \"?1\", not a list"),
        ({"rows": []}, "'rows' is empty: give at least one row of cells"),
        ({"rows": [1]}, "rows[0] is 1, not a text"),
        ({"rows": ["?1", "?"]}, "rows[1]: row 2 has 1 cells, row 1 has 2"),
        (
            {"rows": ["?9"]},
            "rows[0], column 2: '9' is not a cell: a cell has 8 neighbours, numbers are 0 to 8",
        ),
        ({"rows": ["?1?"]}, "'height' and 'width' say 1×2, 'rows' is 1×3"),
    ],
)
def test_json_that_is_no_board(change: dict[str, Any], message: str) -> None:
    changed = {key: value for key, value in (GOOD | change).items() if value is not None}
    assert error_of(json.dumps(changed)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"height": 1,',
            "line 1, column 14: not valid JSON: Expecting property name enclosed in double quotes",
        ),
        ('{"a": ' + "[" * 100_000, "not usable JSON: "),
        ('{"mines": ' + "1" * 5000 + "}", "not usable JSON: "),
    ],
)
def test_damaged_json(text: str, message: str) -> None:
    assert error_of(text).startswith(message)


def test_json_that_is_no_object() -> None:
    assert error_of("[1]", form="json") == "the JSON text is not an object: [1]"


def test_a_long_wrong_part_is_quoted_short() -> None:
    assert error_of("??/?? " + "z" * 500) == (
        f"line 1: '{'z' * 37}…' is not a number of mines: write it as in 'mines: 10'"
    )


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xef\xbb\xbf?1?\r\nmines: 1\r\n")
    assert Board.parse(read_text(file)) == Board.parse(read_text(str(file))) == Board.parse("?1? 1")


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_that_windows_wrote_is_read(tmp_path: Path, code: str) -> None:
    """PowerShell writes `msat … > board.txt` so."""
    file = tmp_path / "board.txt"
    file.write_bytes(("" if code == "utf-16" else "\ufeff").encode(code) + "■1■\r\nmines: 1\r\n".encode(code))
    assert Board.parse(read_text(file)) == Board.parse("?1? 1")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n", "not text: byte 0 (0x89) is not UTF-8"),
        ("?1? 1".encode("utf-16")[2:], "not text: byte 1 is NUL"),
        ("?1? 1".encode("utf-16")[:-1], "not text: byte 10 (0x31) is not UTF-16"),
        ("?1\0 1".encode("utf-16"), "not text: character 2 is NUL"),
        (b"?1?\x00 1", "not text: byte 3 is NUL"),
        (b"?" * 20_000_000, "too large, 20,000,000 bytes: at most 16,777,216 are read"),
    ],
)
def test_a_file_that_is_no_text(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(data)
    with pytest.raises(BoardError, match=re.escape(f"{file}: {message}")):
        read_text(file)
    with pytest.raises(BoardError, match=re.escape(f"standard input: {message}")):
        decode_text(data, "standard input")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=re.escape(f"{tmp_path / 'none'}: No such file or directory")):
        read_text(tmp_path / "none")
    with pytest.raises(FileError, match=re.escape(f"{tmp_path}: Is a directory")):
        read_text(tmp_path)
    with pytest.raises(BoardError, match=re.escape("'a\\x00b' is not a file name")):
        read_text("a\0b")


@given(
    st.text(alphabet='?#-0123456789*xXMFH./: \nmines={}[]",', max_size=25), st.sampled_from([None, *FORMS])
)
def test_text_much_like_a_board_is_one_or_an_error_of_msat(text: str, form: str | None) -> None:
    try:
        outcome: Board | str = Board.parse(text, form=form)
    except MsatError as error:
        outcome = str(error)
    if isinstance(outcome, Board):
        assert Board.parse(str(outcome)) == outcome
    else:
        assert outcome.isprintable()


def test_one_cell_and_a_total_are_told_from_a_row_of_two() -> None:
    assert error_of("? 1") == (
        "the number of mines is missing: '? 1' is a row of two cells; one cell and its total is '?/ 1'"
    )
    assert Board.parse("?/ 1") == Board.blank(1, 1, mines=1)
    assert "add a line such as 'mines: 1', or give mines=1" in error_of("? ? 1")


def test_the_total_that_is_suggested_fits_the_board() -> None:
    """It was 10, also where there are four cells."""
    assert "'mines: 99', or give mines=99 (most 16×30 games have 99)" in error_of(("?" * 30 + "\n") * 16)
    # Two numbers that have no neighbour in common; one of them alone where they have.
    assert "'mines: 4', or give mines=4 (the numbers need at least 4)" in error_of("??0??\n3?0?1\n")
    assert "'mines: 3', or give mines=3 (the numbers need at least 3)" in error_of("3??\n???\n??1\n")
    assert error_of("??/11") == (
        "the number of mines is missing: write it behind the rows, as in '??/11 1', "
        "or give mines=1 (the numbers need at least 1)"
    )
    for text in ("9" * 3, "??/11", "3??\n???\n??1", "?" * 7):
        mines = re.search("mines=([0-9]+)", error_of(text))
        assert mines is None or Board.parse(text, int(mines[1]))
