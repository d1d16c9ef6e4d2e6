"""Exchanges of mines that nothing can notice: all that are meant, and none that could be noticed."""

from __future__ import annotations

import numpy as np
import pytest

from msat.board import Board
from msat.engines._kernels.endgame_layouts import list_solutions
from msat.strategies._kernels.exchanges import WITNESSES, direction, find_exchanges
from tests.conftest import scaled
from tests.positions import small_boards
from tests.rivals import exchangeable

pytestmark = pytest.mark.kernel


def led_to(board: Board) -> tuple[set[tuple[int, int]], set[tuple[int, int]], int]:
    """Pairs of layouts that exchanges lead to from each other: found by the kernel, and by comparing all."""
    array = board.to_array()
    count, cells, values = list_solutions(array, board.mines, 300)
    if count < 1:
        return set(), set(), 0
    exchanges = find_exchanges(array, cells)
    assert len(np.unique(exchanges, axis=0)) == len(exchanges)
    number = {row.tobytes(): i for i, row in enumerate(values < 0)}
    found: set[tuple[int, int]] = set()
    for i, row in enumerate((values < 0).astype(np.int8)):
        for exchange in exchanges:
            sign = direction(exchange, row)
            if sign == 0:
                continue
            other = row.copy()
            taking_part = exchange[:WITNESSES][exchange[:WITNESSES] >= 0]
            other[taking_part] = 1 - other[taking_part]
            moved = (other - row)[exchange[0]]
            assert moved == -sign
            j = number[(other > 0).tobytes()]
            found.add((min(i, j), max(i, j)))
    expected = {(i, j) for i, j, _, _ in exchangeable(values, cells, board.width)}
    return found, expected, count


def test_they_are_those_that_comparing_layouts_finds() -> None:
    pairs = 0
    for board in small_boards(max(30, scaled(150)), seed=21):
        found, expected, _ = led_to(board)
        assert found == expected, board
        pairs += len(found)
    assert pairs > 20


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("?1/?1 1", 1),  # a 50/50
        ("*21/2??/1?? 3", 1),  # two mines move together
        ("1??/1?? 1", 1),
        ("???/1?? 1", 1),
        ("??1??/????? 1", 2),  # the mines above each other
    ],
)
def test_by_hand(text: str, pairs: int) -> None:
    found, _, _ = led_to(Board.parse(text))
    assert len(found) == pairs
