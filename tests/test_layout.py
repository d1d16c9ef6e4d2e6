"""Layouts: generated the same everywhere, read and printed in every form, turned with their start."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msat.board import Board
from msat.errors import CellError, LayoutError, MsatError, UnknownName, WrongType
from msat.kiss import Kiss64
from msat.layout import Layout, kiss_layouts
from msat.pcg import random_mask
from tests.support.values import layouts

LAYOUT = Layout.from_mines(2, 3, [(0, 2), (1, 1)], start=(0, 0))
CASES = Path(__file__).parents[2] / "shared" / "cases" / "kiss64_seed1_small.txt"


def says(message: str) -> str:
    """`message`, to be found as it is."""
    return re.escape(message)


def test_a_layout_tells_where_the_mines_are() -> None:
    assert (LAYOUT.shape, LAYOUT.mines, LAYOUT.start) == ((2, 3), 2, (0, 0))
    assert LAYOUT.cells == {(0, 2), (1, 1)}
    assert LAYOUT.is_mine((0, 2))
    assert not LAYOUT.is_mine((0, 0))
    assert [[LAYOUT.number((r, c)) for c in range(3)] for r in range(2)] == [[1, 2, -2], [1, -2, 2]]
    assert LAYOUT.numbers().tolist() == [[1, 2, -2], [1, -2, 2]]
    assert LAYOUT.to_array().tolist() == [[False, False, True], [False, True, False]]
    for use in (LAYOUT.is_mine, LAYOUT.number):
        with pytest.raises(CellError, match=says("(2, 0) is not on the 2×3 board")):
            use((2, 0))


@given(layouts())
def test_numbers_count_the_mines_around(layout: Layout) -> None:
    board = Board.blank(layout.height, layout.width, layout.mines)
    numbers = layout.numbers()
    for cell in board.hidden:
        around = sum(other in layout.cells for other in board.neighbours(cell))
        assert numbers[cell] == layout.number(cell) == (-2 if cell in layout.cells else around)


@given(layouts())
def test_equal_layouts_are_interchangeable(layout: Layout) -> None:
    again = Layout.from_mines(layout.height, layout.width, layout.cells, layout.start)
    assert again == layout
    assert hash(again) == hash(layout)
    assert pickle.loads(pickle.dumps(layout)) == copy.copy(layout) == layout
    assert eval(repr(layout), {"Layout": Layout}) == layout


def test_layouts_differ_in_shape_mines_and_start() -> None:
    different = [
        LAYOUT,
        Layout.from_mines(2, 3, LAYOUT.cells),
        Layout.from_mines(2, 3, [(0, 2)], start=(0, 0)),
        Layout.from_mines(3, 3, LAYOUT.cells, start=(0, 0)),
    ]
    assert len(set(different)) == 4
    assert str(LAYOUT) != LAYOUT
    with pytest.raises(AttributeError):
        LAYOUT.start = (1, 2)  # type: ignore[misc]


@given(layouts())
def test_what_is_printed_is_read_back(layout: Layout) -> None:
    assert Layout.parse(str(layout)) == layout
    assert Layout.parse(layout.to_text("json")) == layout
    assert (
        Layout.from_object(json.loads(layout.to_text("json")))
        == Layout.from_object(layout.to_object())
        == layout
    )
    # These two forms have no place for the start.
    bare = Layout(layout.height, layout.width, layout.mask)
    assert Layout.parse(layout.to_text("mine")) == bare
    assert Layout.from_mbf(layout.to_mbf()) == bare


def test_what_each_form_looks_like() -> None:
    assert str(LAYOUT) == "..*\n.*.\nstart: 0 0"
    assert LAYOUT.to_text("mine") == "3x2x2\nHHM\nHMH"
    assert LAYOUT.to_text("json") == (
        '{"height": 2, "width": 3, "mines": 2, "start": [0, 0], "rows": ["..*", ".*."]}'
    )
    assert LAYOUT.to_mbf() == bytes([3, 2, 0, 2, 2, 0, 1, 1])
    with pytest.raises(UnknownName, match="unknown form 'line': choose one of grid, json, mine"):
        LAYOUT.to_text("line")


@pytest.mark.parametrize(
    "text",
    ["..*\n.*.\nstart 0 0", "start = (0, 0)\r\n. . *\r\n. * .\r\n", "\ufeff\n\n..*\n.*.\n\nStart: 0, 0\n"],
)
def test_ways_of_writing(text: str) -> None:
    assert Layout.parse(text) == LAYOUT


def test_rows_may_stand_on_one_line_as_those_of_boards() -> None:
    assert Layout.parse("..*/.*.\nstart: 0 0") == LAYOUT
    assert Layout.parse(" . . */ . * . /\n") == Layout.from_mines(2, 3, LAYOUT.cells)
    assert Layout.parse("..*/") == Layout.parse("..*")


def test_in_mine_text_marked_cells_are_mines_too() -> None:
    assert Layout.parse("4x1x3\nM?FH").cells == {(0, 0), (0, 1), (0, 2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty text: a layout has at least one row of '.' and '*'"),
        ("start: 0 0", "no rows: write at least one row of cells"),
        (".?", "line 1, column 2: '?' is not a cell: use '.' (safe) or '*' (mine)"),
        ("..\n.", "line 2: row 2 has 1 cells, row 1 has 2"),
        ("../.", "line 1: row 2 has 1 cells, row 1 has 2"),
        ("..//..", "line 1: row 2 has 0 cells, row 1 has 2"),
        ("/", "no board is 1×0: height and width are between 1 and 1000"),
        ("../.?", "line 1, column 5: '?' is not a cell: use '.' (safe) or '*' (mine)"),
        ("../..\n..", "line 1, column 3: '/' is not a cell: use '.' (safe) or '*' (mine)"),
        ("..\n\n..", "line 2: the rows end here but go on in line 3: leave no line between rows"),
        ("..\nstart: 1", "line 2: '1' is not a cell: write row and column as in 'start: 3 3'"),
        ("..\nstart: 1 0", "(1, 0) is not on the 1×2 board: rows 0 to 0, columns 0 to 1"),
        ("2x1x2\nHM", "the header promises 2 mines, the rows show 1: mark each by 'M', '?' or 'F'"),
        ('{"height": 1}', "the key 'width' is missing: the keys are height, width, mines, rows, start"),
        ('{"height": 1, "width": 1, "mines": 1, "rows": ["."]}', "'mines' is 1, 'rows' holds 0"),
        (
            '{"height": 1, "width": 1, "mines": 0, "rows": ["."], "start": [0]}',
            "'start' is [0], not [row, column]",
        ),
    ],
)
def test_text_that_is_no_layout(text: str, message: str) -> None:
    with pytest.raises(MsatError) as caught:
        Layout.parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "MBF truncated at byte 0: the header alone has 4 bytes"),
        (b"\x03\x02\x00", "MBF truncated at byte 3: the header alone has 4 bytes"),
        (b"\x00\x02\x00\x00", "MBF byte 0 is 0: width and height are 1 to 255"),
        (b"\x02\x00\x00\x00", "MBF byte 1 is 0: width and height are 1 to 255"),
        (b"\x02\x02\x01\x00", "MBF bytes 2 and 3: 256 mines do not fit a 2×2 board"),
        (b"\x03\x02\x00\x02\x02\x00\x01", "MBF truncated at byte 7: 2 mines need 8 bytes"),
        (b"\x03\x02\x00\x01\x02\x00\x01\x01", "MBF byte 6: 2 bytes follow the last of 1 mines"),
        (b"\x03\x02\x00\x02\x02\x00\x02\x00", "MBF byte 6: the mine in column 2, row 0 is given twice"),
        (b"\x03\x02\x00\x02\x02\x00\x00\x02", "MBF byte 6: column 0, row 2 is not on the 2×3 board"),
        ("abc", "MBF is read from bytes, not from str"),
    ],
)
def test_bytes_that_are_no_layout(data: Any, message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout.from_mbf(data)
    assert str(caught.value) == message


@given(st.binary(max_size=20))
def test_any_bytes_are_a_layout_or_an_error(data: bytes) -> None:
    try:
        layout = Layout.from_mbf(data)
    except LayoutError:
        return
    assert sorted(layout.to_mbf()) == sorted(data)


def test_mbf_ends_at_255() -> None:
    assert Layout.from_mbf(Layout.from_mines(255, 1, [(254, 0)]).to_mbf()).cells == {(254, 0)}
    with pytest.raises(
        LayoutError, match=says("a 1×256 layout cannot be written as MBF: its sides end at 255")
    ):
        Layout.from_mines(1, 256, []).to_mbf()


def test_turns_and_mirrors_take_the_start_along() -> None:
    assert LAYOUT.flip_horizontal() == Layout.parse("*..\n.*.\nstart: 0 2")
    assert LAYOUT.flip_vertical() == Layout.parse(".*.\n..*\nstart: 1 0")
    assert LAYOUT.rotate() == Layout.parse("..\n*.\n.*\nstart: 0 1")


@given(layouts())
def test_turns_and_mirrors_come_back(layout: Layout) -> None:
    assert layout.flip_horizontal().flip_horizontal() == layout
    assert layout.flip_vertical().flip_vertical() == layout
    assert layout.rotate().rotate().rotate().rotate() == layout.rotate(4) == layout
    assert layout.rotate(2) == layout.flip_horizontal().flip_vertical()
    assert layout.rotate(-1) == layout.rotate(3)
    assert np.array_equal(layout.rotate().numbers(), np.rot90(layout.numbers(), -1))


def test_mines_given_twice_or_off_the_board() -> None:
    with pytest.raises(LayoutError, match=says("the mine at (0, 1) is given twice")):
        Layout.from_mines(2, 2, [(0, 1), (0, 1)])
    with pytest.raises(CellError, match=says("(0, 2) is not on the 2×2 board")):
        Layout.from_mines(2, 2, [(0, 2)])
    with pytest.raises(CellError, match=says("(2, 2) is not on the 2×2 board")):
        Layout.from_mines(2, 2, [], start=(2, 2))
    with pytest.raises(LayoutError, match=says("no board is 0×2")):
        Layout.from_mines(0, 2, [])
    with pytest.raises(LayoutError, match=says("the mask of a 1×2 layout is 2 bytes of 0 and 1")):
        Layout(1, 2, b"\x02\x00")


# Golden values: a change here means that results with a seed can no longer be repeated.
GOLDEN_BEGINNER = [(0, 1), (0, 7), (1, 0), (1, 3), (2, 1), (2, 3), (2, 7), (3, 3), (6, 5), (7, 4)]
GOLDEN_EXPERT = "e375497f59128462c0525e4dd4b619a445221f58dba887156ea87de9c977bb40"
GOLDEN_KISS = "d52bb83fde13d787beafed89091c9d5445662b6d3c9f10a0e23088508354f53b"


def test_random_layouts_are_pinned() -> None:
    assert sorted(Layout.random(9, 9, 10, seed=1).cells) == GOLDEN_BEGINNER
    many = b"".join(Layout.random(16, 30, 99, seed, start=(3, 3)).mask for seed in range(50))
    assert hashlib.sha256(many).hexdigest() == GOLDEN_EXPERT


def test_random_follows_its_recipe() -> None:
    raw = np.random.PCG64(5).random_raw(3).tolist()
    free = [position for position in range(12) if position not in (0, 1, 4, 5)]
    mines = []
    for k, number in enumerate(raw):
        chosen = k + number % (len(free) - k)
        free[k], free[chosen] = free[chosen], free[k]
        mines.append(divmod(free[k], 4))
    assert Layout.random(3, 4, 3, seed=5, start=(0, 0)).cells == set(mines)


def test_a_raw_number_that_would_bias_the_draw_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        """Raw numbers of which the first is below 2^64 mod 3 = 1, so not for a draw below 3."""

        def __init__(self, seed: int) -> None:
            self._numbers = iter([0, 5])

        def random_raw(self, size: int | None = None) -> Any:
            return (
                next(self._numbers) if size is None else np.array([next(self._numbers) for _ in range(size)])
            )

    monkeypatch.setattr("numpy.random.PCG64", Stream)
    assert random_mask(3, 1, seed=0, protected=frozenset()) == b"\0\0\1"  # 5 mod 3 = 2


def test_random_is_even() -> None:
    pairs = {frozenset(pair): 0 for pair in combinations([(0, 0), (0, 1), (1, 0), (1, 1)], 2)}
    for seed in range(1200):
        pairs[Layout.random(2, 2, 2, seed).cells] += 1
    assert all(150 < count < 250 for count in pairs.values()), pairs  # 200 expected, deviation 13


@pytest.mark.parametrize(("first", "free"), [("open", 9), ("safe", 1), ("any", 0)])
def test_the_first_click_is_protected(first: str, free: int) -> None:
    full = Layout.random(5, 5, 25 - free, seed=3, start=(2, 2), first=first)
    assert full.start == (2, 2)
    safe = {(r, c) for r in range(5) for c in range(5)} - full.cells
    assert (
        safe
        == {"open": {(r, c) for r in (1, 2, 3) for c in (1, 2, 3)}, "safe": {(2, 2)}, "any": set()}[first]
    )
    if free:
        message = (
            f"{26 - free} mines do not fit a 5×5 board that keeps {free} cells free at the start (2, 2): "
        )
        with pytest.raises(LayoutError, match=says(f"{message}at most {25 - free} do")):
            Layout.random(5, 5, 26 - free, seed=3, start=(2, 2), first=first)


def test_random_layouts_without_a_start_protect_nothing() -> None:
    assert Layout.random(2, 2, 4, seed=1).mines == 4
    assert Layout.random(2, 2, 0, seed=1).mines == 0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"first": "lucky"}, UnknownName, "unknown first-click rule 'lucky': choose one of open, safe, any"),
        ({"seed": -1}, LayoutError, "seed=-1 is negative: give 0 or more"),
        ({"seed": 1.5}, LayoutError, "seed=1.5 is not a whole number"),
        ({"mines": 82}, LayoutError, "82 mines do not fit a 9×9 board: between 0 and 81 do"),
        ({"mines": -1}, LayoutError, "-1 mines do not fit a 9×9 board"),
        ({"width": 0}, LayoutError, "no board is 9×0"),
        ({"start": (9, 0)}, CellError, "(9, 0) is not on the 9×9 board"),
        ({"start": (9, 0), "first": "any"}, CellError, "(9, 0) is not on the 9×9 board"),
    ],
)
def test_requests_that_cannot_be_met(arguments: dict[str, Any], error: type[MsatError], message: str) -> None:
    with pytest.raises(error, match=says(message)):
        Layout.random(**{"height": 9, "width": 9, "mines": 10, "seed": 1, **arguments})


def test_the_first_kiss_numbers() -> None:
    numbers = Kiss64(1)
    assert [numbers.draw(), numbers.draw()] == [648562388970459621, 6553078780764110140]


@pytest.mark.skipif(not CASES.exists(), reason=f"the shared folder is not here: {CASES.name}")
def test_the_published_kiss_puzzles() -> None:
    published = [Layout.parse(text).cells for text in CASES.read_text("utf-8").strip().split("\n\n")]
    assert len(published) == 2
    assert [layout.cells for layout in kiss_layouts(9, 9, 10, seed=1, start=(2, 2), count=2)] == published


def test_kiss_puzzles_are_pinned() -> None:
    masks = b"".join(layout.mask for layout in kiss_layouts(16, 30, 99, seed=7, start=(3, 3), count=20))
    assert hashlib.sha256(masks).hexdigest() == GOLDEN_KISS


def test_the_index_counts_the_puzzles_before() -> None:
    stream = list(kiss_layouts(9, 9, 10, seed=3, start=(2, 1), count=4))
    assert [Layout.kiss(9, 9, 10, seed=3, index=k, start=(2, 1)) for k in range(4)] == stream
    assert len(set(stream)) == 4
    assert all(layout.number((2, 1)) == 0 and layout.start == (2, 1) for layout in stream)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"index": -1}, "index=-1 is negative: give 0 or more"),
        ({"seed": 1 << 64}, "seed=18446744073709551616 is not a 64-bit seed: give 0 to 2^64 − 1"),
        (
            {"mines": 73},
            "73 mines do not fit a 9×9 board that keeps 9 cells free at the start (2, 2): at most 72 do",
        ),
    ],
)
def test_kiss_puzzles_that_there_are_not(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(LayoutError, match=says(message)):
        Layout.kiss(**{"height": 9, "width": 9, "mines": 10, "start": (2, 2), **arguments})


def test_a_seed_must_be_given() -> None:
    with pytest.raises(WrongType, match=says("needs a seed, such as seed=7: the same seed gives the same")):
        Layout.random(9, 9, 10)


class TestArrays:
    def test_there_and_back(self) -> None:
        layout = Layout.random(4, 7, 9, seed=2, start=(1, 1))
        assert Layout.from_array(layout.to_array(), start=(1, 1)) == layout
        assert Layout.from_array(layout.to_array().astype(int).tolist(), (1, 1)) == layout
        assert Layout.from_array(layout.to_array().T).shape == (7, 4)

    @pytest.mark.parametrize("wrong", [[[0, 2]], [[0], [0, 1]], [["*"]], [[None]], [[float("nan")]], 7])
    def test_what_is_none(self, wrong: object) -> None:
        with pytest.raises(LayoutError, match="is no layout: "):
            Layout.from_array(wrong)  # type: ignore[arg-type]
