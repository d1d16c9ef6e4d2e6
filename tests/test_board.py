"""Boards as values: what they hold, refuse, and turn into."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import msat
from msat.board import HIDDEN, MINE, PRESETS, Board, preset
from msat.errors import BoardError, CellError, MsatError, UnknownName
from msat.layout import Layout
from tests.support.values import boards


def says(message: str) -> str:
    """`message`, to be found as it is."""
    return re.escape(message)


BOARD = Board.parse("?*1/302 2")


def test_a_board_tells_what_it_holds() -> None:
    assert BOARD.shape == (BOARD.height, BOARD.width) == (2, 3)
    assert BOARD.mines == 2
    assert [BOARD[r, c] for r in range(2) for c in range(3)] == [HIDDEN, MINE, 1, 3, 0, 2]
    assert BOARD.hidden == ((0, 0),)
    assert BOARD.marked == ((0, 1),)
    assert BOARD.revealed == ((0, 2), (1, 0), (1, 1), (1, 2))
    assert np.frombuffer(BOARD.values, np.int8).tolist() == [-1, -2, 1, 3, 0, 2]


def test_neighbours_are_the_cells_around() -> None:
    board = Board.blank(3, 4, mines=1)
    assert board.neighbours((0, 0)) == ((0, 1), (1, 0), (1, 1))
    assert board.neighbours((2, 3)) == ((1, 2), (1, 3), (2, 2))
    assert board.neighbours((1, 1)) == (
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2),
    )  # fmt: skip
    assert Board.blank(1, 1, mines=0).neighbours((0, 0)) == ()


@pytest.mark.parametrize("cell", [(2, 0), (0, 3), (-1, 0), (0, -1)])
def test_a_cell_off_the_board_is_an_error(cell: tuple[int, int]) -> None:
    message = says(f"{cell} is not on the 2×3 board: rows 0 to 1, columns 0 to 2")
    for use in (BOARD.__getitem__, BOARD.neighbours, lambda c: BOARD.replace({c: 1})):
        with pytest.raises(CellError, match=message):
            use(cell)


@pytest.mark.parametrize("key", [0, "ab", (1, 2, 3), slice(1)])
def test_what_is_no_pair_is_no_cell(key: Any) -> None:
    with pytest.raises(TypeError, match=says("is not a cell: give board[row, column]")):
        BOARD[key]


def test_a_cell_is_a_pair_of_whole_numbers() -> None:
    wrong: Any = (0.5, 1)
    with pytest.raises(CellError, match=says("(0.5, 1) is not a cell: give (row, column)")):
        BOARD.neighbours(wrong)
    assert BOARD[np.int64(1), np.int8(0)] == 3  # type: ignore[index]


def test_a_board_cannot_be_looped_over_as_if_it_were_empty() -> None:
    with pytest.raises(TypeError, match=says("board[0] is not a cell")):
        list(BOARD)  # type: ignore[call-overload]


def test_a_board_does_not_change() -> None:
    with pytest.raises(AttributeError):
        BOARD.mines = 3  # type: ignore[misc]
    array = BOARD.to_array()
    assert array.dtype == np.int8
    array[0, 0] = 7
    assert BOARD[0, 0] == HIDDEN


@given(boards())
def test_equal_boards_are_interchangeable(board: Board) -> None:
    again = Board.from_array(board.to_array(), board.mines)
    assert again == board
    assert hash(again) == hash(board)
    assert pickle.loads(pickle.dumps(board)) == board
    assert copy.deepcopy(board) == copy.copy(board) == board
    assert eval(repr(board), {"Board": Board}) == board


def test_boards_differ_in_shape_mines_and_cells() -> None:
    different = [
        Board.blank(2, 3, 1), Board.blank(3, 2, 1), Board.blank(2, 3, 2), Board.parse("???/??1 1"),
    ]  # fmt: skip
    assert len(set(different)) == 4
    assert Board.blank(1, 1, 0) != "?"


def test_replace_answers_what_if() -> None:
    assert BOARD.replace({(0, 0): MINE, (1, 1): HIDDEN}, mines=3) == Board.parse("**1/3?2 3")
    assert BOARD.replace({}) == BOARD
    with pytest.raises(BoardError, match=says("the value 9 at (0, 0) is not a cell: use -1 (hidden), -2")):
        BOARD.replace({(0, 0): 9})
    with pytest.raises(BoardError, match=says("the value at (0, 0)=True is not a whole number")):
        BOARD.replace({(0, 0): True})


@pytest.mark.parametrize("text", ["8?/?? 1", "1*/*? 2", "***/??? 1"])
def test_contradictions_are_held_not_judged(text: str) -> None:
    assert repr(Board.parse(text)) == f"Board.parse({text!r})"


def test_turns_and_mirrors() -> None:
    board = Board.parse("123/456 1")
    assert board.flip_horizontal() == Board.parse("321/654 1")
    assert board.flip_vertical() == Board.parse("456/123 1")
    assert board.rotate() == Board.parse("41/52/63 1")
    assert board.rotate(2) == Board.parse("654/321 1")
    assert board.rotate(-1) == board.rotate(3) == Board.parse("36/25/14 1")


@given(boards())
def test_turns_and_mirrors_come_back(board: Board) -> None:
    assert board.flip_horizontal().flip_horizontal() == board
    assert board.flip_vertical().flip_vertical() == board
    assert board.rotate().rotate().rotate().rotate() == board
    assert board.rotate(2) == board.flip_horizontal().flip_vertical()
    assert np.array_equal(board.rotate().to_array(), np.rot90(board.to_array(), -1))


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.float32, np.float64, object])
def test_arrays_of_any_numeric_type(kind: type) -> None:
    rows = [[-1, -2, 1], [3, 0, 2]]
    assert Board.from_array(np.array(rows, dtype=kind), mines=2) == BOARD
    assert Board.from_array(np.asfortranarray(np.array(rows, dtype=kind)), mines=2) == BOARD
    assert Board.from_array(rows, mines=2) == Board.from_array(map(iter, rows), mines=2) == BOARD


def test_unsigned_arrays() -> None:
    assert Board.from_array(np.array([[0, 8]], dtype=np.uint8), mines=0) == Board.parse("08/ 0")
    with pytest.raises(BoardError, match=says("array[0][1] is np.uint8(255), not a cell")):
        Board.from_array(np.array([[0, 255]], dtype=np.uint8), mines=0)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[0, 9]], "array[0][1] is 9, not a cell: use -1 (hidden), -2 (known mine) or 0 to 8 (revealed)"),
        ([[0], [-3]], "array[1][0] is -3, not a cell"),
        ([[0.5]], "array[0][0] is 0.5, not a cell"),
        ([[float("nan")]], "array[0][0] is nan, not a cell"),
        ([[True]], "array[0][0] is True, not a cell"),
        (np.array([[True]]), "True"),
        ([[None]], "array[0][0] is None, not a cell"),
        ([["1"]], "array[0][0] is '1', not a cell"),
        (["?1"], "row 0 of the array is the text '?1': texts are read by Board.parse"),
        ([[0, 0], [0]], "row 1 of the array has 1 cells, row 0 has 2"),
        ([], "the array is empty: a board has at least one cell"),
        ([[]], "the array is empty"),
        (np.zeros((0, 3), int), "the array is empty"),
        (np.zeros(3, int), "an array of 1 dimensions is not a board: give one of 2, rows and columns"),
        (np.zeros((2, 2, 2), int), "an array of 3 dimensions is not a board"),
        ([[[0]]], "array[0][0] is [0], not a cell"),
        ([[np.array([1, 2])]], "array[0][0] is array([1, 2]), not a cell"),
        ([[10**60]], "array[0][0] is 1000000000000000000000000000000000000…, not a cell"),
        ({(0, 0): 1}, "dict is not a board: give a list of rows, each a list of numbers"),
        (memoryview(bytes(4)).cast("b", (2, 2)), "memoryview is not a board: give a list of rows"),
        (7, "int is not a board: give a list of rows, each a list of numbers"),
    ],
)
def test_arrays_that_are_no_board(array: Any, message: str) -> None:
    with pytest.raises(BoardError, match=says(message)):
        Board.from_array(array, mines=0)


@pytest.mark.parametrize(
    ("mines", "message"),
    [
        (10, "10 mines do not fit a 3×3 board: between 0 and 9 do"),
        (-1, "-1 mines do not fit a 3×3 board: between 0 and 9 do"),
        (True, "mines=True is not a whole number"),
        (2.0, "mines=2.0 is not a whole number"),
        ("2", "mines='2' is not a whole number"),
        (None, "mines=None is not a whole number"),
    ],
)
def test_mines_that_do_not_fit(mines: Any, message: str) -> None:
    with pytest.raises(BoardError, match=says(message)):
        Board.blank(3, 3, mines)


def test_the_mines_may_be_none_or_all() -> None:
    assert Board.blank(3, 3, 0).mines == 0
    assert Board.blank(3, 3, np.int64(9)).mines == 9  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("height", "width", "message"),
    [
        (0, 3, "no board is 0×3: height and width are between 1 and 1000"),
        (3, -1, "no board is 3×-1"),
        (1001, 1, "no board is 1001×1"),
        (2.5, 3, "height=2.5 is not a whole number"),
    ],
)
def test_sizes_that_no_board_has(height: Any, width: Any, message: str) -> None:
    with pytest.raises(BoardError, match=says(message)):
        Board.blank(height, width, 0)


@pytest.mark.parametrize("shape", [(1, 1), (1, 1000), (1000, 1), (200, 200)])
def test_small_and_large_boards(shape: tuple[int, int]) -> None:
    board = Board.blank(*shape, mines=shape[0] * shape[1])
    assert board.rotate().shape == shape[::-1]
    assert Board.parse(str(board)) == board


def test_the_largest_board_can_be_printed_and_read() -> None:
    board = Board.blank(1000, 1000, mines=1_000_000)
    assert Board.parse(str(board)) == board


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (b"\x00", "1 values are not a 1×2 board of 2 cells"),
        (b"\x00\x09", "the value 9 at (0, 1) is not a cell"),
        (b"\xfd\x00", "the value -3 at (0, 0) is not a cell"),
    ],
)
def test_values_that_are_no_board(values: bytes, message: str) -> None:
    with pytest.raises(BoardError, match=says(message)):
        Board(1, 2, 0, values)


def test_presets() -> None:
    assert PRESETS == {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
    assert Board.blank(*preset("expert")).shape == (16, 30)
    with pytest.raises(
        UnknownName, match="unknown preset 'small': choose one of beginner, intermediate, expert"
    ):
        preset("small")


@given(st.text(max_size=30), st.none() | st.integers(-1, 20))
def test_any_text_is_a_board_or_an_error_of_msat(text: str, mines: int | None) -> None:
    try:
        outcome: Board | str = Board.parse(text, mines)
    except MsatError as error:
        outcome = str(error)
    if isinstance(outcome, Board):
        assert Board.parse(str(outcome)) == outcome
    else:
        assert outcome.isprintable()


@pytest.mark.parametrize(
    "found", [0.5, None, [], "text", 7, {1: 2}, {"height": object(), "width": 1, "rows": [""]}]
)
def test_what_is_no_object_of_a_board(found: Any) -> None:
    with pytest.raises(MsatError):
        Board.from_object(found)
    with pytest.raises(MsatError):
        Layout.from_object(found)


def test_probabilities_take_a_board() -> None:
    board = Board.parse("??1/3?2/??? 3")
    wanted = msat.probabilities(board.to_array(), 3)
    for answer in (msat.probabilities(board), msat.probabilities(board, 3)):
        assert answer.tobytes() == wanted.tobytes()
    with pytest.raises(msat.BoardError, match="mines=4 is not the total of the board, 3: leave it out"):
        msat.probabilities(board, 4)
    with pytest.raises(msat.BoardError, match="mines=None: an array does not tell its total"):
        msat.probabilities(board.to_array())
