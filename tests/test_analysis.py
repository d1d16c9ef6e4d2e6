"""`analyze`, `probabilities`, `analyze_many`: what goes in, what comes out, and what always holds."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import msat
from msat.arrays import as_grid
from msat.board import Board, Cell
from msat.errors import BoardError, CellError, InconsistentBoard, MsatError, UnknownName, WrongType
from msat.game import Game
from msat.layout import Layout
from tests.conftest import scaled
from tests.support.positions import scattered, small_boards

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("name", "more"), [("analyze", ()), ("explain", ((0, 0),)), ("explain_contradiction", ())]
)
def test_what_is_no_board_is_named(name: str, more: tuple[object, ...]) -> None:
    with pytest.raises(msat.WrongType, match=rf"^{name} takes a Board, not '\?\?/11 1': Board.parse"):
        getattr(msat, name)("??/11 1", *more)


def consistent(count: int, seed: int) -> list[Board]:
    found = []
    for board in small_boards(count, seed):
        try:
            msat.analyze(board)
        except InconsistentBoard:
            continue
        found.append(board)
    return found


TURNS: list[tuple[Callable[[Board], Board], Callable[[int, int, Cell], Cell]]] = [
    (Board.flip_horizontal, lambda h, w, cell: (cell[0], w - 1 - cell[1])),
    (Board.flip_vertical, lambda h, w, cell: (h - 1 - cell[0], cell[1])),
    (Board.rotate, lambda h, w, cell: (cell[1], h - 1 - cell[0])),
]


@pytest.mark.parametrize(("turn", "moved"), TURNS)
def test_turning_the_board_turns_the_answer(
    turn: Callable[[Board], Board], moved: Callable[[int, int, Cell], Cell]
) -> None:
    for board in consistent(scaled(200), 21):
        a, b = msat.analyze(board), msat.analyze(turn(board))
        h, w = board.shape
        assert b.solutions == a.solutions
        assert b.safe == {moved(h, w, cell) for cell in a.safe}
        assert b.mined == {moved(h, w, cell) for cell in a.mined}
        for cell in board.hidden:
            assert b.probability[moved(h, w, cell)] == pytest.approx(a.probability[cell], abs=1e-13)


def test_probabilities_sum_to_the_mines() -> None:
    for board in consistent(scaled(300), 22):
        assert np.nansum(msat.analyze(board).probability) == pytest.approx(board.mines, abs=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_opening_a_safe_cell_keeps_what_was_forced(seed: int) -> None:
    for game_seed in range(scaled(20)):
        game = Game(Layout.random(9, 9, 10, seed=1000 * seed + game_seed, start=(4, 4)))
        game.open((4, 4))
        while game.state == "playing":
            before = msat.analyze(game.board)
            if not before.safe:
                break
            game.open(min(before.safe))
            after = msat.analyze(game.board)
            still_hidden = set(game.board.hidden)
            assert before.safe & still_hidden <= after.safe
            assert before.mined <= after.mined


def test_marking_a_proven_mine_changes_nothing_else() -> None:
    for board in consistent(scaled(200), 23):
        a = msat.analyze(board)
        b = msat.analyze(board.replace(dict.fromkeys(a.mined, msat.MINE)))
        assert (b.solutions, b.safe, b.mined) == (a.solutions, a.safe, frozenset())
        np.testing.assert_allclose(b.probability, a.probability, atol=1e-13)


def test_every_way_to_give_an_array() -> None:
    rows = [[-1, 1, -1], [-1, -1, -1]]
    expected = msat.probabilities(rows, 1)
    assert expected.dtype == np.float64
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        array = np.array(rows, dtype)
        assert np.array_equal(msat.probabilities(array, 1), expected, equal_nan=True)
        assert np.array_equal(msat.probabilities(array.T, 1), expected.T, equal_nan=True)
    mines: Any = np.int64(1)
    assert np.array_equal(msat.probabilities(rows, mines), expected, equal_nan=True)
    assert np.array_equal(msat.probabilities(np.array(rows, np.float64), 1), expected, equal_nan=True)


@pytest.mark.parametrize(
    ("array", "mines", "message"),
    [
        (np.array([[9, -1]], np.int8), 1, "9"),
        (np.array([[-3, -1]], np.int8), 1, "-3"),
        (np.array([[257, -1]]), 1, "257"),
        (np.array([[0.5, -1]]), 1, "0.5"),
        (np.array([1, -1]), 1, "rows"),
        (np.zeros((0, 3), np.int8), 0, "empty"),
        ([[-1, -1], [-1]], 1, "row"),
        (np.array([[-1, -1]], np.int8), 3, "3 mines"),
        (np.array([[-1, -1]], np.int8), -1, "-1 mines"),
        (np.array([[-1, -1]], np.int8), 1.5, "1.5"),
        (np.array([[-1, -1]], np.int8), True, "True"),
        (np.array([[-1, -1]], np.int8), None, "None"),
    ],
)
def test_arrays_that_are_no_board(array: object, mines: int, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        msat.probabilities(array, mines)  # type: ignore[arg-type]


def test_an_unknown_engine_names_the_choices() -> None:
    board = Board.parse("?1 1")
    for name in ("magic", None):
        with pytest.raises(UnknownName, match="choose one of auto, counting"):
            msat.analyze(board, engine=name)  # type: ignore[arg-type]


def test_a_cell_is_given_as_one_or_as_two_numbers() -> None:
    found = msat.analyze(Board.parse("1??/??? 1"))
    assert found.exact((0, 1)) == found.exact(0, 1)
    assert found.numbers((1, 1)) == found.numbers(1, 1)
    for strange in (3, (1, 2, 3), "r0c1"):
        with pytest.raises(WrongType, match="is not a cell: give a row and a column, or a cell"):
            found.exact(strange)  # type: ignore[arg-type]


def test_exact_is_for_cells_that_are_not_revealed() -> None:
    a = msat.analyze(Board.parse("*2?/??? 2"))
    assert a.exact(0, 0) == 1
    assert a.exact(0, 2) == Fraction(1, 4)
    with pytest.raises(CellError, match="r0c1 is revealed"):
        a.exact(0, 1)
    with pytest.raises(CellError):
        a.exact(5, 5)


def test_rest_probability() -> None:
    assert msat.analyze(Board.parse("?1??? 2")).rest_probability == pytest.approx(0.5)
    assert msat.analyze(Board.parse("?1? 1")).rest_probability is None


def test_a_batch_gives_the_same_answers_for_any_number_of_workers() -> None:
    boards = [scattered(6, 6, 6, 0.4, seed) for seed in range(scaled(30))]
    one, two = msat.analyze_many(boards), msat.analyze_many(boards, workers=2)
    assert [a.board for a in two] == boards
    for a, b in zip(one, two, strict=True):
        assert (a.safe, a.mined, a.solutions) == (b.safe, b.mined, b.solutions)
        assert np.array_equal(a.probability, b.probability, equal_nan=True)
    assert msat.analyze_many([]) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_batch_tells_which_board_was_wrong(workers: int) -> None:
    boards = [Board.parse("?1? 1"), Board.parse("?1? 1"), Board.parse("?3? 1")]
    with pytest.raises(InconsistentBoard) as info:
        msat.analyze_many(boards, workers=workers)
    assert any("board 2" in note for note in info.value.__notes__)


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2"])
def test_a_batch_needs_workers(workers: int) -> None:
    with pytest.raises(MsatError, match="workers="):
        msat.analyze_many([], workers=workers)


def test_an_analysis_survives_pickling() -> None:
    a = msat.analyze(Board.parse("??1/3?2/??? 3"))
    assert a.solutions == 4
    b = pickle.loads(pickle.dumps(a))
    assert (b.board, b.safe, b.solutions, b.exact(0, 0)) == (a.board, a.safe, 4, Fraction(1, 2))
    assert repr(b) == "<Analysis of Board.parse('??1/3?2/??? 3'): 1 safe, 1 mined>"


@pytest.mark.parametrize("budget", [-1, float("nan"), "1"])
def test_a_budget_is_a_number_of_seconds(budget: float) -> None:
    with pytest.raises(MsatError, match=r"budget=.*: expected seconds"):
        msat.analyze(Board.parse("?1 1"), budget=budget)


def test_an_array_from_a_pickle_is_taken_as_it_is() -> None:
    """Its dtype equals int8 but is another object; once that meant a check of every cell in Python's time."""
    array = pickle.loads(pickle.dumps(np.array([[-1, 1], [-1, -1]], np.int8)))
    assert array.dtype is not np.dtype(np.int8)
    assert as_grid(array) is array
