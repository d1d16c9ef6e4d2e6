"""Links of the web analyser, and `.board` text."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from msat.board import Board
from msat.errors import BoardError, LayoutError, MsatError
from msat.formats.links import ANALYSER
from msat.layout import Layout
from tests.conftest import scaled
from tests.fuzz.mutations import mutate

BOARDS = 1000


def some_board(random: Random) -> Board:
    """A board of any size, with runs of equal cells and marks anywhere, also where no number agrees."""
    height, width = random.randint(1, 20), random.randint(1, 35)
    cells: list[int] = []
    while len(cells) < height * width:
        cells += [random.randint(-2, 8)] * random.choice([1, 1, 1, 2, 9, 70])
    values = bytes(value & 255 for value in cells[: height * width])
    return Board(height, width, random.randint(0, height * width), values)


def test_links_of_positions_are_read_back() -> None:
    random = Random(21)
    for _ in range(scaled(BOARDS)):
        board = some_board(random)
        link = board.to_text("link")
        assert link.isascii()
        assert Board.parse(link) == board
        assert Board.parse(link.partition("?")[2]) == board  # without the address


def test_links_of_layouts_are_read_back() -> None:
    random = Random(22)
    for seed in range(scaled(BOARDS)):
        height, width = random.choice(
            [(9, 9), (16, 16), (16, 30), (random.randint(1, 40), random.randint(1, 120))]
        )
        layout = Layout.random(height, width, random.randint(0, height * width), seed=seed)
        assert Layout.parse(layout.to_text("link")) == layout


@pytest.mark.parametrize(
    ("board", "query"),
    [
        (Board.blank(16, 30, 99), "aEaqaabLVZR"),
        (Board.parse("?1? 1"), "adabaaabSlS"),
        (Board.parse("*1?/111 1"), "adacaaab2bScl"),
        (Board.parse("*0?/000 1"), "adacaaab9bSd"),
    ],
)
def test_positions_by_hand(board: Board, query: str) -> None:
    assert board.to_text("link") == f"{ANALYSER}?analysis={query}"


def test_mines_that_nobody_marked_lower_the_numbers_around() -> None:
    # 'I' and 'H' for the two hidden cells; the 1 between is written as 0.
    assert Board.parse("analysis=adabaaabObS") == Board.parse("?1? 1")


@pytest.mark.parametrize(
    ("layout", "query"),
    [
        (Layout.from_mines(9, 9, [(0, 0), (8, 8)]), "b=1&m=g000000000000000g"),
        (Layout.from_mines(2, 3, [(0, 2), (1, 1)]), "b=32&m=50"),
        (Layout.from_mines(10, 8, [(0, 1)]), "b=0810&m=8000000000000000"),
    ],
)
def test_layouts_by_hand(layout: Layout, query: str) -> None:
    assert layout.to_text("link") == f"{ANALYSER}?{query}"
    assert Layout.parse(f"https://elsewhere.example/#/game?{query}&x=1") == layout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("analysis=", "this link has no analysis=, which has the position"),
        (
            "?b=1&m=g000000000000000g",
            "which has the position; a link with b= and m= is a layout",
        ),
        ("analysis=adab", "is cut off: size and mines alone take 8 characters"),
        ("analysis=ad-baaabSbS", "has '-', which is neither a letter nor a digit"),
        ("analysis=zzzzaaabSbS", "the link is of a 1575×1575 board: sides are 1 to 1000"),
        ("analysis=aaabaaabS", "the link is of a 1×0 board: sides are 1 to 1000"),
        ("analysis=adabaaabSl", "holds 1 fewer cells than the 3 of its size"),
        ("analysis=adabaaab" + "0" * 400, "holds more cells than the 3 of its size"),
        ("analysis=acabaaabMO", "the link shows a number above 8 at (0, 0)"),
    ],
)
def test_damaged_links_of_positions(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("?analysis=adabaaabSbS", "this link has no b=, which a layout needs"),
        ("?b=123&m=0", "the link's b=123 is no size"),
        ("?b=0000&m=0", "is a 0×0 board: sides are 1 to 1000"),
        ("?b=1&m=g0", "the link's m= has 2 digits: a 9×9 board takes 17"),
        ("?b=32&m=w0", "the link's m= has 'w', which is no digit"),
        ("?b=32&m=0f", "has a mine beyond the last cell of its 2×3 board"),
    ],
)
def test_damaged_links_of_layouts(text: str, message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout.parse(text)
    assert message in str(caught.value)


HEAD = "# MINESWEEPER-BOARD v0.1\n# Render: ascii\nauthor: A: B\nrows: 2\ncolumns: 3\nmines: 2\n"
REAL = f"{HEAD}\n[real]\n1*2\n12*\n"
VIEW = REAL + "[view]\nU?2\n#XF\n"


def test_a_board_file_has_what_the_player_sees_and_the_mines() -> None:
    assert Board.parse(VIEW) == Board.parse("??2/?** 2")
    assert Layout.parse(VIEW) == Layout.parse(REAL) == Layout.from_mines(2, 3, [(0, 1), (1, 2)])
    emoji = VIEW.replace("ascii", "emoji").replace("U?2\n#XF", "⬜❓2️⃣\n❌💥🚩")
    assert Board.parse(emoji) == Board.parse(VIEW)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (REAL, "the .board text has no section [view]: it shows [real] alone"),
        (VIEW.replace("mines: 2\n", ""), "no line 'mines: N'"),
        (VIEW.replace("U?2", "U?22"), "row 2 has 3 cells, row 1 has 4"),
        (VIEW.replace("rows: 2", "rows: 3"), "the header promises a 3×3 board, [view] is 2×3"),
        (VIEW.replace("author: A: B", "hello"), "line 3: 'hello' is neither 'key: value' nor a section"),
        (VIEW + "[view]\n", "the section [view] is given twice"),
    ],
)
def test_damaged_board_files(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    assert message in str(caught.value)


def test_the_numbers_of_a_board_file_are_those_of_its_mines() -> None:
    with pytest.raises(LayoutError, match=r"\[real\] has 3 at \(0, 0\), around which are 1 mines"):
        Layout.parse(REAL.replace("1*2", "3*2"))
    with pytest.raises(LayoutError, match="the header promises 1 mines"):
        Layout.parse(REAL.replace("mines: 2", "mines: 1"))


@pytest.mark.parametrize("kind", ["position", "layout", "board file"])
def test_texts_damaged_in_a_thousand_ways(kind: str) -> None:
    random = Random(kind)
    board = some_board(random)
    layout = Layout.random(9, 9, 10, seed=1)
    whole = {"position": board.to_text("link"), "layout": layout.to_text("link"), "board file": VIEW}[kind]
    for _ in range(scaled(1000)):
        text = mutate(whole.encode(), [whole.encode()], random).decode("utf-8", "replace")
        for reader in (Board.parse, Layout.parse):
            value = None
            with suppress(MsatError):
                value = reader(text)
            assert value is None or reader(value.to_text("json")) == value
