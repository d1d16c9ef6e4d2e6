"""What every hidden cell may show: all numbers by trying all layouts, and by other ways on larger boards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import pytest

import msat
from msat.analysis import Analysis
from msat.board import MINE, Board, Cell
from msat.engines.counting._kernels.around import complete_states, count_around, touched_components
from msat.engines.counting._kernels.shown import chances_of_numbers
from msat.engines.counting.resumable import run_forward
from msat.errors import BudgetExceeded, CellError, InconsistentBoard
from tests.conftest import FULL, JIT, scaled
from tests.support.oracle import enumerate_layouts
from tests.support.positions import lattice, scattered, small_boards

pytestmark = pytest.mark.kernel

MODULE = "msat.engines.counting.numbers"


def numbers_by_trying(board: Board) -> dict[Cell, list[Fraction]]:
    """Per hidden cell the chances of 0 to 8, by all layouts one by one."""
    layouts = list(enumerate_layouts(board))
    found = {cell: [0] * 9 for cell in board.hidden}
    for mines in layouts:
        for cell, counts in found.items():
            if cell not in mines:
                counts[sum(other in mines for other in board.neighbours(cell))] += 1
    return {cell: [Fraction(n, len(layouts)) for n in counts] for cell, counts in found.items()}


def test_every_number_of_every_cell_is_as_by_trying_all_layouts() -> None:
    cells = dead = 0
    for board in small_boards(scaled(2200), seed=18):
        try:
            analysis = msat.analyze(board)
        except InconsistentBoard:
            continue
        truth = numbers_by_trying(board)
        chances, opening = analysis.number_chances, analysis.opening
        for cell, expected in truth.items():
            found = analysis.numbers(*cell)
            assert list(found) == expected, (board, cell)
            assert sum(found) == 1 - analysis.exact(*cell)
            np.testing.assert_allclose(chances[cell], [float(x) for x in expected], rtol=1e-11, atol=0)
            assert opening[cell] == chances[cell][0]
            cells += 1
        constant = {cell for cell, expected in truth.items() if sum(x > 0 for x in expected) == 1}
        assert analysis.dead == constant, board
        dead += len(constant)
        assert np.isnan(opening[board.to_array() >= 0]).all()
        assert (opening[board.to_array() == MINE] == 0).all()
    if FULL:
        assert cells > 10_000
        assert dead > 1000


@pytest.mark.parametrize("tilt", [-3.0, 2.0])
def test_a_tilted_pass_finds_the_same(monkeypatch: pytest.MonkeyPatch, tilt: float) -> None:
    boards = [scattered(8, 8, 12, 0.3, seed) for seed in range(scaled(20))]
    expected = [msat.analyze(board).number_chances for board in boards]
    monkeypatch.setattr(f"{MODULE}.run_forward", lambda grid, deadline, _: run_forward(grid, deadline, tilt))
    for board, chances in zip(boards, expected, strict=True):
        np.testing.assert_allclose(msat.analyze(board).number_chances, chances, rtol=1e-9)


def test_work_in_small_slices_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    board = scattered(10, 10, 20, 0.3, seed=1)
    whole = msat.analyze(board).number_chances
    monkeypatch.setattr(f"{MODULE}.SLICE", 1)
    np.testing.assert_array_equal(msat.analyze(board).number_chances, whole)


def test_numbers_too_far_apart_for_doubles_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    board = scattered(5, 6, 7, 0.3, seed=2)
    expected = msat.analyze(board)
    chances, dead = expected.number_chances, expected.dead
    monkeypatch.setattr(f"{MODULE}.LEAST_MASS", 2.0)
    found = msat.analyze(board)
    np.testing.assert_allclose(found.number_chances, chances, rtol=1e-12)
    assert found.dead == dead


@pytest.mark.skipif(not FULL, reason="large boards")
@pytest.mark.parametrize(
    "board",
    [
        msat.Board.blank(60, 60, 700),
        scattered(40, 40, 320, 0.25, seed=3),
        lattice(30, 30, 180, 3, seed=4),
    ],
)
def test_numbers_of_large_boards_agree_with_exact_ones(board: Board) -> None:
    analysis = msat.analyze(board)
    chances = analysis.number_chances
    hidden = list(board.hidden)
    for cell in hidden[:: len(hidden) // 7]:
        found = analysis.numbers(*cell)
        np.testing.assert_allclose(chances[cell], [float(x) for x in found], rtol=1e-9, atol=1e-200)
    total = chances.sum(axis=2)
    np.testing.assert_allclose(total, 1 - analysis.probability, atol=1e-12)


@pytest.mark.parametrize("engine", ["counting", "sat", "cpsat"])
def test_every_engine_tells_the_same(engine: str) -> None:
    board = msat.Board.parse("?1??/??2?/???? 4")
    expected, found = msat.analyze(board), msat.analyze(board, engine=engine)
    assert found.numbers(0, 2) == expected.numbers(0, 2)
    assert found.dead == expected.dead
    np.testing.assert_allclose(found.opening, expected.opening, rtol=1e-12)


def test_a_revealed_cell_has_no_numbers_and_a_mark_only_zeros() -> None:
    analysis = msat.analyze(msat.Board.parse("*1?? 2"))
    with pytest.raises(CellError, match="r0c1 is revealed"):
        analysis.numbers(0, 1)
    assert analysis.numbers(0, 0) == (Fraction(0),) * 9


def test_a_board_that_was_not_counted_says_so() -> None:
    def too_wide() -> NoReturn:
        raise BudgetExceeded("too wide")

    board = msat.Board.parse("?1?? 2")
    unknown = np.full(board.shape, np.nan)
    analysis = Analysis(board, np.zeros(board.shape, np.int8), unknown, too_wide, complete=False)
    for ask in (lambda: analysis.opening, lambda: analysis.dead, lambda: analysis.numbers(0, 0)):
        with pytest.raises(BudgetExceeded, match="too wide"):
            ask()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_each_kernel_is_compiled_once() -> None:
    msat.analyze(scattered(8, 8, 12, 0.3, 1)).dead  # noqa: B018
    kernels: list[Any] = [complete_states, count_around, touched_components, chances_of_numbers]
    assert [len(kernel.signatures) for kernel in kernels] == [1] * 4
