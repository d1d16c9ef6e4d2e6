"""Risks that are taken at once: by exact search, no other move wins more often."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import msat
from msat.board import HIDDEN, MINE, Board
from msat.layout import Layout
from msat.problem._kernels.boxes import build
from msat.strategies.best._kernels.unavoidable import unavoidable
from msat.strategies.best.player import Best
from tests.conftest import FULL, scaled

pytestmark = pytest.mark.kernel

TWINS = Board.parse("??3321/?????1/??4?31/????10 6")
"""One of (2, 3) and (3, 3) is a mine, and no number will ever touch just one of them."""

RING = Board.parse("?????/2?4?2/11211/00000 5")
"""Every other cell is a mine, in two ways."""


def found(board: Board) -> tuple[int, int] | None:
    """The cell that is to be opened at once, proven mines being marked."""
    known = msat.analyze(board)
    grid = board.to_array()
    for mine in known.mined:
        grid[mine] = MINE
    cell = int(unavoidable(build(grid), grid))
    return None if cell < 0 else divmod(cell, board.width)


def positions(boards: int, height: int, width: int, mines: int) -> list[Board]:
    """Boards opened at random, all that is proven safe opened too, with few layouts left."""
    chosen = []
    for seed in range(boards):
        random = np.random.default_rng(seed)
        layout = Layout.random(height, width, mines, seed=seed)
        share = random.uniform(0.2, 0.9)
        numbers = layout.numbers()
        array = np.where((numbers < 0) | (random.random(numbers.shape) > share), HIDDEN, numbers)
        board = Board.from_array(array, mines=mines)
        while True:
            known = msat.analyze(board)
            if not known.safe:
                break
            board = board.replace({cell: int(numbers[cell]) for cell in known.safe})
        if 1 < known.solutions <= 300:
            chosen.append(board)
    return chosen


def test_twins_are_taken_before_safer_cells() -> None:
    known = msat.analyze(TWINS)
    assert found(TWINS) == (2, 3)
    assert known.exact(2, 3) == Fraction(1, 2)
    assert min(known.exact(*cell) for cell in TWINS.hidden) < Fraction(1, 2)


def test_best_takes_them() -> None:
    choice = Best(layouts=1, samples=0).choose(TWINS)
    assert choice is not None
    assert (choice.kind, choice.cells) == ("unavoidable", ((2, 3),))
    assert choice.safety == pytest.approx(0.5)


def test_a_ring_is_found_where_there_are_no_twins() -> None:
    assert found(RING) == (0, 0)


def test_a_ring_whose_halves_tell_different_things_is_left_alone() -> None:
    """Half a chance whenever it is taken; but which half to open is worth waiting for, or choosing well."""
    board = Board.parse("11111/??2??/12??3/01??? 5")
    best = msat.win_probability(board, every_move=True)
    assert best.chances is not None
    assert best.chances[1, 0] < best.chances[1, 1] == best.probability
    assert found(board) is None


SIZES = [(4, 5, 5), (5, 5, 7), (3, 8, 7)]


@pytest.mark.parametrize(("height", "width", "mines"), SIZES)
def test_no_other_move_wins_more_often(height: int, width: int, mines: int) -> None:
    asked = 0
    for board in positions(scaled(1500), height, width, mines):
        cell = found(board)
        if cell is None:
            continue
        asked += 1
        best = msat.win_probability(board, every_move=True)
        assert best.chances is not None
        assert best.chances[cell] == best.probability, board
    assert asked > 100 or not FULL
