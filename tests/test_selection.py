"""Some of a board's layouts, drawn for a search."""

from __future__ import annotations

import numpy as np
import pytest

import msat
from msat.board import Board
from msat.engines._kernels.answer import ANSWERED
from msat.engines._kernels.endgame_layouts import list_solutions
from msat.strategies._kernels.selection import select_layouts

pytestmark = pytest.mark.kernel

FEW = Board.parse("1???/??*?/???? 4")
MANY = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")


def test_enough_of_them_are_all() -> None:
    """Each once, in the form of `list_solutions`, which the search reads."""
    array = FEW.to_array()
    count, cells, values = list_solutions(array, FEW.mines, 1000)
    status, drawn_cells, drawn = select_layouts(array, FEW.mines, 20 * count, 7)
    assert status == ANSWERED
    assert np.array_equal(drawn_cells, cells)
    assert count == msat.analyze(FEW).solutions == len(drawn)
    assert np.array_equal(np.unique(drawn, axis=0), np.unique(values, axis=0))


def test_more_of_them_begin_with_the_same() -> None:
    _, _, few = select_layouts(MANY.to_array(), MANY.mines, 20, 7)
    _, _, more = select_layouts(MANY.to_array(), MANY.mines, 40, 7)
    _, _, others = select_layouts(MANY.to_array(), MANY.mines, 20, 8)
    assert (len(few), len(more)) == (20, 40)
    assert np.array_equal(more[:20], few)
    assert not np.array_equal(others, few)


@pytest.mark.parametrize("text", ["3?/?? 1", "1?/?1 3"])
def test_none(text: str) -> None:
    board = Board.parse(text)
    status, _, values = select_layouts(board.to_array(), board.mines, 5, 1)
    assert status != ANSWERED
    assert not len(values)
