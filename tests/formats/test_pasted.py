"""What people paste, and what msat prints: read in every style, and never guessed where it is in doubt."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msat.board import HIDDEN, MINE, Board
from msat.errors import BoardError
from msat.wording import as_option, naming
from tests.support.values import boards

EXPECTED = Board.parse("??1/3*2 3")
WITH_ZEROS = Board.parse("?10/?21/??? 2")


@pytest.mark.parametrize(
    "text",
    [
        "|?|?|1|\n|3|F|2|",
        "| ? | ? | 1 |\n|---|---|---|\n| 3 | F | 2 |",
        "?|?|1\n3|F|2",
        "┌─┬─┬─┐\n│?│?│1│\n├─┼─┼─┤\n│3│⚑│2│\n└─┴─┴─┘",
        "╔═══╦═══╦═══╗\n║ ? ║ ? ║ 1 ║\n╠═══╬═══╬═══╣\n║ 3 ║ * ║ 2 ║\n╚═══╩═══╩═══╝",
        "+---+---+---+\n| ? | ? | 1 |\n+---+---+---+\n| 3 | M | 2 |\n+---+---+---+",
        "+-------+\n| ? ? 1 |\n| 3 F 2 |\n+-------+",
        "+---+\n|??1|\n|3F2|\n+---+",
        "|-|-|1|\n|3|x|2|",
        "?,?,1\n3,F,2",
        '"?", "?", "1"\n"3", "F", "2"',
        "?;?;1\n3;F;2",
        "?\t?\t1\n3\tF\t2",
        "-1,-1,1\n3,-2,2",
        "-1 -1 1\n3 -2 2",
        "[[-1, -1, 1], [3, -2, 2]]",
        "[[-1, -1, 1],\n [3, -2, 2]]",
        "array([[-1, -1,  1],\n       [ 3, -2,  2]], dtype=int8)",
        "np.array([[-1, -1, 1], [3, -2, 2]])",
        "board = [[-1, -1, 1],\n         [3, -2, 2]]",
        "int board[2][3] = {{-1, -1, 1}, {3, -2, 2}};",
        "const rows = ['??1', '3*2'];",
        "[[-1 -1  1]\n [ 3 -2  2]]",
        "[[-1. -1.  1.]\n [ 3. -2.  2.]]",
        '[["?", "?", "1"], ["3", "F", "2"]]',
        "[?][?][1]\n[3][F][2]",
        "[?] [?] [1]\n[3] [F] [2]",
        "_ _ 1\n3 ⚑ 2",
        "■■1\n3⚑2",
        "□ □ 1\n3 🚩 2",
        "▢▢1\n3💣2",
        "🟦🟦1️⃣\n3️⃣🚩2️⃣",
        "⬜⬜1️⃣\n3️⃣💣2️⃣",
        "⬛⬛1️⃣\n3️⃣🚩2️⃣",
        "⬛️⬛️1\n3🚩2",
        "HH1\n3F2",
        "  A B C\n1 ? ? 1\n2 3 F 2",
        "  a b c\na ? ? 1\nb 3 F 2",
        "  0 1 2\n0 ? ? 1\n1 3 F 2",
        "  1 2 3\n1 ? ? 1\n2 3 F 2",
        "  012\n0 ??1\n1 3F2",
        "0 ??1\n1 3F2",
        "A ? ? 1\nB 3 F 2",
        "A B C\n? ? 1\n3 F 2",
        "  A B C\n1 ? ? 1 1\n2 3 F 2 2\n  A B C",
        "|   | A | B | C |\n|---|---|---|---|\n| 1 | ? | ? | 1 |\n| 2 | 3 | F | 2 |",
        ",A,B,C\n1,?,?,1\n2,3,F,2",
        "    0  1  2\n0   ?  ?  1\n1   3  F  2",
        "1: ? ? 1\n2: 3 F 2",
        "   A B C\n1) ? ? 1\n2) 3 F 2",
        "  | 0 1 2\n--+------\n0 | ? ? 1\n1 | 3 F 2",
        "  | 0 1 2 |\n--+-------+\n0 | ? ? 1 |\n1 | 3 F 2 |",
        "  A B C\n1|?|?|1|\n2|3|F|2|",
        "A B C\n|?|?|1|\n|3|F|2|\nA B C",
        "   1   2   3\n +---+---+---+\n1| ? | ? | 1 |\n +---+---+---+\n2| 3 | F | 2 |\n +---+---+---+",
        "  1 2 3\n ┌─┬─┬─┐\n │?│?│1│\n ├─┼─┼─┤\n │3│F│2│\n └─┴─┴─┘",
        "  1 2 3\n ┌─────┐\n1│? ? 1│\n2│3 F 2│\n └─────┘",
        "```\n??1\n3F2\n```",
        "```text\n? ? 1\n3 F 2\n```",
        "> ??1\n> 3F2",
        "？？１\n３Ｆ２",
        "❓❓①\n③💥②",
        "☐☐1\n3f2",
        ":blue_square::blue_square::one:\n:three::bomb::two:",
        '["??1", "3F2"]',
        "['? ? 1',\n '3 F 2']",
        "[[null, null, 1], [3, -2, 2]]",
        "{{-1, -1, 1}, {3, -2, 2}}",
        "\t?\t?\t1\n\t3\tF\t2",
        "<table><tr><td>?</td><td>?</td><td>1</td></tr><tr><td>3</td><td>F</td><td>2</td></tr></table>",
        "<TABLE>\n<TR>\n <td>&nbsp;?\n <td>?\n <td><b>1</b>\n<TR>\n <td>3\n <td>&#9873;\n <td>2</TABLE>",
        '<table id="game"><tr><td class="square closed"><td class="closed"><td class="square open1"></tr>'
        '<tr><td class="square open3"><td class="bombflagged"><td class="open2"></tr></table>',
        '<table><tr><td><img src="a/hidden.png"><td><img alt="hidden"><td><img src="1.png"></td></tr>'
        '<tr><td><i class="three"></i></td><td><span title="flagged">🚩</span></td><td>2</td></tr></table>',
        "<table><tr><th></th><th>A</th><th>B</th><th>C</th></tr><tr><th>1</th><td>?</td><td>?</td><td>1</td></tr>"
        "<tr><th>2</th><td>3</td><td>F</td><td>2</td></tr></table>",
        "```html\n<table><tr><td>?<td>?<td>1</tr><tr><td>3<td>F<td>2</tr></table>\n```",
        "<!-- <tr> --><script>'<td>'</script><table onclick='a>b'>"
        "<tr><td>?<td>?<td>1<tr><td>3<td>F<td>2</table>",
    ],
)
def test_what_people_paste(text: str) -> None:
    assert Board.parse(text, mines=3) == EXPECTED
    if not text.startswith(("[", "{", "array", "np")):
        total = "> mines: 3" if text.startswith(">") else "mines: 3"
        assert Board.parse(f"{text}\n{total}") == EXPECTED
    assert Board.parse(text.replace("\n", "\r\n") + "\n", mines=3) == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        "? 1  \n? 2 1\n? ? ?",
        "?1 \n?21\n???",
        "|?|1| |\n|?|2|1|\n|?|?|?|",
        "+-----+\n|? 1  |\n|? 2 1|\n|? ? ?|\n+-----+",
        "| ? 1   |\n| ? 2 1 |\n| ? ? ? |",
        "?,1,\n?,2,1\n?,?,?",
        "?\t1\t\n?\t2\t1\n?\t?\t?",
        "?10\n\n?21\n\n???",
        "[?][1][ ]\n[?][2][1]\n[?][?][?]",
        "⬛1️⃣  \n⬛2️⃣1️⃣\n⬛⬛⬛",
        "🟦1️⃣⬜\n🟦2️⃣1️⃣\n🟦🟦🟦",
        "🟩1️⃣🟫\n🟩2️⃣1️⃣\n🟩🟩🟩",
        "■ 1 □\n■ 2 1\n■ ■ ■",
        "? 1 ·\n? 2 1\n? ? ?",
    ],
)
def test_blanks_and_squares_for_zero(text: str) -> None:
    assert Board.parse(text, mines=2) == WITH_ZEROS


def test_a_total_behind_the_last_row() -> None:
    board = Board.parse("??1/3?2/??? 3")
    assert Board.parse("??1\n3?2\n??? 3") == board
    assert Board.parse("\n??1\n3?2\n???   3\n") == board
    for text in ("??1\n3?2\n?? 3", "? ? 1\n3 ? 2\n??? 3", "??1\n3?2\n??? 3 4"):
        with pytest.raises(BoardError):
            Board.parse(text)
    with pytest.raises(BoardError, match="3"):
        Board.parse("??1\n3?2\n??? 3", mines=4)


@pytest.mark.parametrize(
    "text",
    [
        "??1\n3F2\n3",
        "? ? 1\n3 F 2\n3\n",
        "|?|?|1|\n|3|F|2|\n3",
        "??1\n3F2\n3 mines",
        "3 mines\n??1\n3F2",
        "??1\n3F2\nMines = 3",
        "??1\n3F2\nnumber of mines: 3",
        "2x3, 3 mines\n??1\n3F2",
        "3x2 3\n? ? 1\n3 F 2",
    ],
)
def test_the_total_and_the_size_as_people_write_them(text: str) -> None:
    assert Board.parse(text) == EXPECTED


def test_a_blank_column_of_a_spreadsheet_is_a_column() -> None:
    board = Board.parse("01?/02?/01? 2")
    assert Board.parse("\t1\t?\n\t2\t?\n\t1\t?", 2) == board
    assert Board.parse("0\t1\t\n0\t2\t\n0\t1\t", 2) == board
    # Spaces may be an indent as well, unless hidden cells stand beside them.
    assert Board.parse("  1 ?\n  2 ?\n  1 ?", 2, form="blank-zero") == board
    assert Board.parse("  ? 1\n  ? 2\n  ? 1", 2) == Board.parse("?1/?2/?1 2")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("|1|1|1|\n|1| |1|\n|1|1|1|", "111/1?1/111"),
        ("[ ][ ][1]\n[1][ ][1]", "??1/1?1"),
        ("1 1 1\n1   1\n1 1 1", "111/1?1/111"),
        ("121\n1 1\n121", "121/1?1/121"),
        ("1\t\t1\n1\t2\t1", "1?1/121"),
        ("| |1|F|\n|1|2|1|", "?1F/121"),  # as a 0, the blank would stand beside a number without its mine
    ],
)
def test_blanks_are_hidden_where_as_zeros_they_leave_nothing_to_solve(text: str, rows: str) -> None:
    assert Board.parse(text, 1) == Board.parse(rows, 1)


def test_a_row_of_tabs_is_a_row_of_blanks() -> None:
    """At the edge of a board it was left out without a word."""
    assert Board.parse("\t\t1\n3\t\t2\n\t\t", 3) == Board.parse("??1/3?2/???", 3)
    assert Board.parse("\t\t\n1\t1\t1\n?\t?\t?\nmines: 1") == Board.parse("000/111/???", 1)
    for text in ("??1\n3?2\n???\n\t", "\t??1\n\t3?2\n\t???\n\t\n"):  # an indent is none
        assert Board.parse(text, 3) == Board.parse("??1/3?2/???", 3)


def test_rows_that_are_written_in_two_ways_have_no_blanks() -> None:
    with pytest.raises(BoardError, match="row 2 has 3 cells, row 1 has 2"):
        Board.parse("11\n1 1 1", 1)


def test_rows_whose_ends_are_cut_off() -> None:
    """Editors take spaces at the ends of lines away."""
    assert Board.parse("? ? 1\n? ? 2 1 1\n? ? ? ? ?", 2) == Board.parse("??100/??211/????? 2")


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("0 1 2 3\n? ? ? 1\n? ? ? 2", ("grid", "labelled")),
        ("0 ? ? 1\n1 ? ? 2\n2 ? ? 1\n3 ? ? 1", ("grid", "labelled")),
        ("12345\n?????", ("grid", "labelled")),
        ("⬛⬜1️⃣\n⬛⬜1️⃣", ("black-hidden", "black-zero")),
        ("🟫1️⃣\n🟩1️⃣", ("brown-hidden", "brown-zero")),
        ("| |1|F|\n| |1|1|", ("blank-hidden", "blank-zero")),  # won, or begun
        ("?|0|\n?|1|1", ("blank-hidden", "blank-zero")),
        ("?||1\n?|?|1", ("blank-hidden", "blank-zero")),  # no game leaves a 0 beside hidden cells
        ("?. 1\n??1", ("dot-hidden", "dot-zero")),
        ("HM1\nH11", ("grid", "mine")),
        ("  1 ?\n  2 ?\n  1 ?", ("grid", "blank-zero")),
        ("? 1  \n? 2  \n? 1  ", ("grid", "blank-zero")),
        ("    1 ?\n  1 2 ?\n  1 ? ?", ("grid", "blank-zero")),  # other blanks are cells for sure
        ("? 1    \n? 2 1  \n? ? 1  ", ("grid", "blank-zero")),
    ],
)
def test_what_is_in_doubt_is_not_guessed(text: str, ways: tuple[str, str]) -> None:
    with naming(as_option), pytest.raises(BoardError) as caught:
        Board.parse(text, mines=1)
    for way in ways:
        assert f"--form {way}" in str(caught.value)
    first, second = (_read(text.replace(". ", "."), way) for way in ways)
    assert first != second


def test_a_number_or_a_size_that_may_be_a_row_is_not_guessed() -> None:
    with pytest.raises(BoardError, match="'1' may be the mine total or a row that ends in blanks"):
        Board.parse("? 1 1\nF 1 1\n1")
    with pytest.raises(BoardError, match="'3 3 3' may be the size or a row of clues"):
        Board.parse("3 3 3\n??1\n3?2\n???")
    assert Board.parse("3 3 3\n? ? ?\n? ? ?\n? ? ?\nmines: 3").shape == (4, 3)
    with pytest.raises(BoardError, match="hides what is between it"):
        Board.parse("||0||||1||||💣||\n||0||||1||||1||", 1)


def _read(text: str, form: str) -> Board | str:
    try:
        return Board.parse(text, mines=1, form=form)
    except BoardError as error:  # another question, now that this one is answered
        return str(error)


def test_a_header_of_digits_is_not_read_as_clues() -> None:
    below = "? ? ? 1\n? ? ? 2"
    board = Board.parse(below, mines=1)
    assert Board.parse(f"0 1 2 3\n{below}", 1, form="labelled") == board
    assert Board.parse(f"0 1 2 3\n{below}", 1, form="grid").shape == (3, 4)
    # Columns that pass 8 cannot be clues.
    wide = "\n".join(" ".join(["?"] * 12) for _ in range(2))
    header = " ".join(map(str, range(12)))
    assert Board.parse(f"{header}\n{wide}", 3) == Board.blank(2, 12, 3)


def test_a_board_whose_first_row_looks_like_a_header_is_printed_so_that_it_is_read() -> None:
    board = Board.parse("0123\n????", 2, form="grid")
    assert str(board) == "mines: 2\n0 1 2 3\n? ? ? ?"
    assert Board.parse(str(board)) == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "?? ?\n????",
            "line 1, column 1: '??' is not a cell: write the cells of a row all together or all apart",
        ),
        ("???\n??", "line 2: row 2 has 2 cells, row 1 has 3"),
        ("?11\n?1", "line 2: row 2 has 2 cells, row 1 has 3"),
        ("|?|1|\n|?|", "line 2: row 2 has 1 cells, row 1 has 2"),
        ("A B C\n|?|1|\n|?|1|", "line 1: 3 columns are named, and the rows have 2 cells"),
        ("?,z\n1,1", "line 1: 'z' is not a cell: use '?'"),
        ("?,10\n1,1", "line 1: '10' is not a cell: write one sign a cell"),
        ("[[-1, 9]]", "array[0][1] is 9, not a cell: use -1 (hidden), -2 (known mine) or 0 to 8 (revealed)"),
        ("[[-1, 1], [1]]", "line 1: row 2 has 1 cells, row 1 has 2"),
        ("[[-1 ... 1]]", "row 0 of the array is shortened by '...': print it in full"),
        ("[[-1, 1]] of it", "'of it' behind the array is no mine total"),
        (
            "    0  1\n0   ?  1\n\n    0  1\n0   1  ?",
            "the text draws 2 boards, at the lines 2, 5: give one of them",
        ),
    ],
)
def test_what_makes_no_sense(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text, mines=1)
    assert str(caught.value).startswith(message)


HIDDEN_SIGNS = ["?", "#", "-", "_", "■", "🟦", "H"]
MINE_SIGNS = ["*", "x", "X", "F", "⚑", "🚩", "💣"]
ZERO_SIGNS = ["0", "·", " ", ".", "⬜"]
SEPARATORS = ["", " ", "|", " | ", "│", ",", ", ", ";", "\t", "</td><td>", "</td>\n  <td class='x'>"]
FRAMES = ["none", "bars", "plus", "box"]
LABELS = ["none", "numbers", "from 1", "letters"]
FORM_OF = {" ": "blank-zero", ".": "dot-zero", "⬜": "white-zero"}


def pasted(board: Board, style: random.Random) -> tuple[str, str | None]:
    """A board in a random style, and the form that says what is in doubt about it."""
    zero = style.choice(ZERO_SIGNS)
    signs = {HIDDEN: style.choice(HIDDEN_SIGNS), MINE: style.choice(MINE_SIGNS), 0: zero}
    separator, frame, labels = style.choice(SEPARATORS), style.choice(FRAMES), style.choice(LABELS)
    if zero == " ":
        separator = style.choice(["|", " | ", "</td><td>"])  # spaces alone do not keep a blank at the edge
    keycaps = style.random() < 0.2

    def sign(value: int) -> str:
        shown = signs.get(value, str(value))
        return f"{shown}\ufe0f\u20e3" if keycaps and shown.isdecimal() else shown

    height, width = board.shape
    rows = [[sign(board[r, c]) for c in range(width)] for r in range(height)]
    if labels != "none" and height + width >= 4:
        start = int(labels == "from 1")
        top = [chr(65 + c) if labels == "letters" else str(c + start) for c in range(width)]
        rows = [["", *top], *([str(r + start), *row] for r, row in enumerate(rows))]
        if separator in ("", " "):
            separator = " "
            rows[0][0] = " "
    lines = [separator.join(row) for row in rows]
    if "<td" in separator:
        lines = [f"<tr><td>{line}</td></tr>" for line in lines]
        return "\n".join(["<table>", *lines, "</table>"]), FORM_OF.get(zero)
    if zero == " ":
        lines = [f"|{line}|" for line in lines]
    if frame != "none" and separator in ("", " ", "|", " | ") and zero != " ":
        lines = [f"| {line} |" if " " in separator else f"|{line}|" for line in lines]
        widest = max(map(len, lines)) - 2
        left, right, line = ("┌", "┐", "─") if frame == "box" else ("+", "+", "-")
        if frame != "bars":
            lines = [left + line * widest + right, *lines, left + line * widest + right]
    return "\n".join(lines), FORM_OF.get(zero)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<table><tr><td>1</td></tr></table><table><tr><td>?</td></tr></table>", "2 tables"),
        ('<tr><td class="hidden">3</td><td>?</td></tr>', "table row 1, cell 1: it shows 3, and is hidden by"),
        ("<table><tr><td>9</td><td>?</td></tr></table>", "'9' is not a cell"),
        ("<table><tr><td>1</td><td>?</td></tr><tr><td>1</td></tr></table>", "row 2 has 1 cells, row 1 has 2"),
        ("<table></table>", "at least one row"),
        (f"<tr><td>&#{'1' * 5000};</td><td>?</td></tr>", "is not a cell"),
        # What a page keeps in its cells, and what it shows of them, are not told apart by guessing.
        (
            '<tr><td data-value="3"></td><td class="open">1</td></tr>',
            "row 1, cell 1: it shows nothing, and its data say 3",
        ),
        (
            '<tr><td class="revealed n3"></td><td>?</td></tr>',
            "cell 1: it shows nothing, and its attributes, 'revealed n3'",
        ),
        (
            '<tr><td class="cell mine"></td><td>?</td></tr>',
            "cell 1: it shows nothing, and its attributes, 'cell mine'",
        ),
        ("<table><tr><td>" + "y" * 500 + "</td></tr></table>", "is not a cell"),
    ],
)
def test_tables_of_pages_that_are_no_boards(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text, 1)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("columns", "separator"), [(2, " "), (5, " "), (5, "")])
def test_labels_that_stick_out_take_no_row_away(columns: int, separator: str) -> None:
    """Rows 10 and 11 were taken for text below a drawing of ten rows, and left out without a word."""
    cells = [(["?", "1", "2"] * 4)[r % 3 :][:columns] for r in range(12)]
    header = "  " + separator.join(map(str, range(columns)))
    rows = [f"{r} {separator.join(row)}" for r, row in enumerate(cells)]
    expected = Board.parse("/".join(map("".join, cells)), 3)
    assert Board.parse("\n".join([header, *rows, "mines: 3"])) == expected


def test_letters_of_columns_are_no_mines() -> None:
    letters = [chr(65 + c) for c in range(16)]
    rows = ["?1*1" * 4, "1121" * 4]
    for header, lines in (
        (" ".join(letters), [" ".join(row) for row in rows]),
        ("  " + " ".join(letters), [f"{r}|{'|'.join(row)}|" for r, row in enumerate(rows, 1)]),
    ):
        assert Board.parse("\n".join([header, *lines]), 8) == Board.parse("/".join(rows), 8)


def test_blank_cells_of_a_table_are_told_apart_or_asked_about() -> None:
    rows = ("?|1|", "?|2|1", "?|?|?")
    cells = ("".join(f"<td>{cell}</td>" for cell in row.split("|")) for row in rows)
    table = f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table> mines: 2"
    assert Board.parse(table) == WITH_ZEROS
    assert Board.parse(f"<p>Mines: <b>2</b></p>{table.removesuffix(' mines: 2')}") == WITH_ZEROS
    assert Board.parse("<tr><td>1</td><td></td><td>1</td></tr>", 1) == Board.parse("1?1", 1)
    with pytest.raises(BoardError, match="form='blank-hidden' or form='blank-zero'"):
        Board.parse("<tr><td>?</td><td></td><td>0</td></tr>", 1)
    spreadsheet = "?\t1\t\n?\t2\t1\n?\t?\t?\n"
    assert Board.parse(spreadsheet, 2) == WITH_ZEROS


@given(boards(), st.integers(0, 1 << 30))
def test_every_board_in_every_style_is_read_back_or_its_doubt_is_told(board: Board, seed: int) -> None:
    """Without a form, a text is read as the board that was printed, or refused; with its form, it is read."""
    text, form = pasted(board, random.Random(seed))
    if "⬜" in text and not board.hidden:
        return  # one kind of squares is hidden where nothing else is: else there would be nothing to solve
    try:
        read = Board.parse(text, board.mines)
    except BoardError as error:
        told = str(error)
        assert "form=" in told or "not a cell" in told or "cells" in told, told
    else:
        assert read == board, text
    labelled = "form='labelled'"
    for way in [form] if form else ["grid", "labelled"]:
        try:
            read = Board.parse(text, board.mines, form=way)
        except BoardError:
            continue
        if read == board:
            break
    else:
        raise AssertionError(f"no form reads it ({form}, {labelled}):\n{text}")


@pytest.mark.parametrize("text", ['[""]', "\x0b\ufeff", "[[]]"])
def test_rows_without_a_sign_are_no_board(text: str) -> None:
    with pytest.raises(BoardError):
        Board.parse(text, mines=0)


@pytest.mark.parametrize(
    "text",
    [
        "[[1, '?', '?'], [1, 2, '?']], mines=2",
        "[[1, -1, -1], [1, 2, -1]]; 2",
        '{"board": ["1??", "12?"], "mines": 2}',
        '{"board": "1??/12? 2"}',
        '{"board": [[1, -1, -1], [1, 2, -1]], "mines": 2}',
        '{"board": {"height": 2, "width": 3, "rows": ["1??", "12?"]}, "mines": 2}',
        "1??\n12?\nmines left: 2",
        "1??\n12?\nMines remaining 2",
    ],
)
def test_what_programs_and_games_say_of_the_total(text: str) -> None:
    assert Board.parse(text) == Board.parse("1??/12? 2")


def test_mines_left_are_those_without_a_flag() -> None:
    assert Board.parse("1F?\n12?\nmines left: 1") == Board.parse("1F?/12? 2")
    assert Board.parse("1F?\n1FF\nmines left: -1").mines == 2  # a flag too many


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"board": 3}', "'board' is 3, not a text, rows or an object"),
        ('{"board": null, "mines": 2}', "'board' is null, not a text, rows or an object"),
        ('{"board": "1? 1", "x": 1}', "unknown key 'x': the keys are board, mines"),
        ("1??\n12?\nmines left: -9", "line 3: -9 mines left and 0 marked are none at all"),
    ],
)
def test_totals_that_are_none(text: str, told: str) -> None:
    with pytest.raises(BoardError, match=re.escape(told)):
        Board.parse(text)
