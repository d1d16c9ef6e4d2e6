"""Some of a board's layouts, drawn for a search."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import Board
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.endgame._kernels.layouts import list_solutions
from msat.strategies.best._kernels.selection import select_layouts
from tests.conftest import scaled
from tests.support.rivals import families

pytestmark = pytest.mark.kernel

FEW = Board.parse("1???/??*?/???? 4")
PAIRS = Board.parse("?1???/?1???/11???/????? 5")
MANY = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")


def test_enough_of_them_are_all() -> None:
    """Each once, in the form of `list_solutions`, which the search reads."""
    array = FEW.to_array()
    count, cells, values = list_solutions(array, FEW.mines, 1000)
    status, drawn_cells, drawn, _ = select_layouts(array, FEW.mines, 20 * count, 7)
    assert status == ANSWERED
    assert np.array_equal(drawn_cells, cells)
    assert count == msat.analyze(FEW).solutions == len(drawn)
    assert np.array_equal(np.unique(drawn, axis=0), np.unique(values, axis=0))


def test_more_of_them_begin_with_the_same() -> None:
    _, _, few, _ = select_layouts(MANY.to_array(), MANY.mines, 20, 7)
    _, _, more, _ = select_layouts(MANY.to_array(), MANY.mines, 40, 7)
    _, _, others, _ = select_layouts(MANY.to_array(), MANY.mines, 20, 8)
    assert 10 < len(few) < len(more) < 60
    assert np.array_equal(more[: len(few)], few)
    assert not np.array_equal(others, few)


@cache
def of_pairs() -> tuple[dict[bytes, int], NDArray[np.int64]]:
    """The number of each layout of `PAIRS`, and the family of each number."""
    _, cells, values = list_solutions(PAIRS.to_array(), PAIRS.mines, 1000)
    return {row.tobytes(): i for i, row in enumerate(values)}, families(values, cells, PAIRS.width)


def test_rivals_come_together() -> None:
    """With every layout that is drawn come all that exchanges lead to from there."""
    number, family = of_pairs()
    _, _, drawn, begin = select_layouts(PAIRS.to_array(), PAIRS.mines, 60, 5)
    rows = [number[row.tobytes()] for row in drawn]
    assert len(set(rows)) == len(rows)
    assert 30 < len(rows) < 90
    for first, end in pairwise(begin.tolist()):
        assert sorted(rows[first:end]) == np.flatnonzero(family == family[rows[first]]).tolist()
    assert begin[-1] == len(rows)


def test_every_family_is_as_likely() -> None:
    """Whether it is large or small: within four standard errors."""
    number, family = of_pairs()
    calls, draws = scaled(400), 25
    seen = np.zeros(len(number))
    for seed in range(calls):
        _, _, drawn, _ = select_layouts(PAIRS.to_array(), PAIRS.mines, draws, seed)
        for row in drawn:
            seen[number[row.tobytes()]] += 1
    chance = 1 - (1 - 1 / len(number)) ** draws  # that its first is among those drawn
    sizes = np.bincount(family)
    for large in (False, True):
        chosen = [i for i in np.unique(family) if (sizes[i] > 1) == large]
        expected = calls * chance * len(chosen)
        assert abs(seen[chosen].sum() - expected) < 4 * sqrt(expected)


@pytest.mark.parametrize("text", ["3?/?? 1", "1?/?1 3"])
def test_none(text: str) -> None:
    board = Board.parse(text)
    status, _, values, _ = select_layouts(board.to_array(), board.mines, 5, 1)
    assert status != ANSWERED
    assert not len(values)
