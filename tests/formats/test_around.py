"""What stands around a pasted board: totals as people write them, and what chats add."""

from __future__ import annotations

import pytest

from msat.board import Board
from msat.errors import BoardError

EXPECTED = Board.parse("??1/3?2/??? 3")
ROWS = "??1\n3?2\n???"
APART = "? ? 1\n3 ? 2\n? ? ?"

TOTALS = [
    *(
        "3 mines left",
        "3 bombs left.",
        "3 mines remaining",
        "Remaining mines: 3",
        "bombs left: 3",
        "Mines left: 3",
    ),
    *("💣 3", "3 💣", "💣: 3", "💣=3", "💣️ 3"),
    *("Mines: 1/3", "0/3 mines", "🚩 0/3", "flags: 1 of 3"),
    *("3x3, 3 mines", "3×3 3 mines", "3x3 board with 3 mines", "size: 3 by 3, 3 bombs"),
]


@pytest.mark.parametrize("total", TOTALS)
def test_totals_as_people_write_them(total: str) -> None:
    for rows in (ROWS, APART):
        for text in (f"{rows}\n{total}", f"{total}\n{rows}", f"{rows}\n\n{total}", f"{total}\n\n{rows}"):
            assert Board.parse(text) == EXPECTED, text


def test_mines_left_count_the_flags() -> None:
    assert Board.parse("??1\n3F2\n???\n2 mines left") == Board.parse("??1/3F2/??? 3")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("?2\n💣 3\nmines: 3", "?2/*3 3"),
        ("3 💣\n? 2\nmines: 3", "3*/?2 3"),
        ("??1\n💣x3\nmines: 3", "??1/**3 3"),
    ],
)
def test_what_may_be_a_row_stays_one(text: str, expected: str) -> None:
    assert Board.parse(text) == Board.parse(expected)


def test_a_total_that_may_be_a_row_with_blanks_is_not_guessed() -> None:
    with pytest.raises(
        BoardError, match=r"line 2: '💣 1' may be the mine total or a row with blanks"
    ) as told:
        Board.parse("112\n💣 1")
    assert "write 'mines: 1', or say so by form='blank-hidden'" in str(told.value)
    assert Board.parse("112\n💣 1", mines=3, form="blank-hidden") == Board.parse("112?/*??1 3")
    assert Board.parse("112\nmines: 1") == Board.parse("112/ 1")


def test_a_size_that_is_not_that_of_the_rows() -> None:
    with pytest.raises(
        BoardError, match=r"line 4: '9x9, 10 mines' is not the size of the rows: they are 3×3"
    ):
        Board.parse(f"{ROWS}\n9x9, 10 mines")


@pytest.mark.parametrize(
    "text",
    [
        "bob: ??1\nbob: 3?2\nbob: ???\nbob: 3 mines",
        "[12:31] bob: ??1\n[12:31] bob: 3?2\n[12:32] bob: ???\nmines: 3",
        "12:31 PM <bob> ??1\n12:31 PM <bob> 3?2\n12:32 PM <bob> ???\n12:32 PM <bob> 💣 3",
        "<bob> ? ? 1\n<bob> 3 ? 2\n<bob> ? ? ?\n<bob> 3 mines left",
        "1/3/25, 12:31 - Bob B.: ??1\n1/3/25, 12:31 - Bob B.: 3?2\n1/3/25, 12:31 - Bob B.: ???\nmines: 3",
        "alice: is this a guess?\nbob: ??1\nbob: 3?2\nbob: ???\nbob: mines: 3\nalice: thanks",
        "What is safe here?\n\n??1\n3?2\n???\n3 mines\n\nI am stuck, please help!",
        "bob — Today at 12:31\n??1\n3?2\n???\nmines 3",
        "Board:\n```\n??1\n3?2\n???\n```\nmines: 3",
        "1: ??1\n2: 3?2\n3: ???\nmines left: 3",
        "Hmmm\n??1\n3?2\n???\nmines: 3\nYes",
        "Help!\n? ? 1\n3 ? 2\n? ? ?\nmines: 3\nThanks",
    ],
)
def test_chat_around_a_board(text: str) -> None:
    assert Board.parse(text) == EXPECTED


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("??1\nwhat about this?\n3?2\n3 mines", "line 2, column 1: 'w' is not a cell"),
        ("bob: ??1\nalice: 3?2\n3 mines", "line 1, column 1: 'b' is not a cell"),
        ("bob: ??1\nbob: 3?z\n3 mines", "line 2, column 3: 'z' is not a cell"),
        ("HHH\nHHQ\nmines: 1", "line 2, column 3: 'Q' is not a cell"),
        ("hello world", "line 1, column 1: 'h' is not a cell"),
        (
            "ooo\n111\n000\nmines: 1",
            "line 1, column 1: 'o' is not a cell",
        ),  # no sentence: hidden cells to somebody
        ("UUFU\n1221\nmines: 2", "line 1, column 1: 'U' is not a cell"),
    ],
)
def test_what_is_no_chat(text: str, told: str) -> None:
    with pytest.raises(BoardError, match=told):
        Board.parse(text)
