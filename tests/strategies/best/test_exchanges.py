"""Exchanges of mines that nothing can notice: all that are meant, and none that could be noticed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from msat.board import HIDDEN, Board
from msat.engines.endgame._kernels.geometry import survey_hidden
from msat.engines.endgame._kernels.layouts import list_solutions
from msat.strategies.best._kernels.exchanges import WITNESSES, direction, find_exchanges
from tests.conftest import scaled
from tests.support.positions import small_boards
from tests.support.rivals import exchangeable

pytestmark = pytest.mark.kernel


def led_to(board: Board) -> tuple[set[tuple[int, int]], set[tuple[int, int]], int]:
    """Pairs of layouts that exchanges lead to from each other: found by the kernel, and by comparing all."""
    array = board.to_array()
    count, cells, values = list_solutions(array, board.mines, 300)
    if count < 1:
        return set(), set(), 0
    exchanges = find_exchanges(array, survey_hidden(array))
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


def test_open_cells_are_told_apart_on_large_boards() -> None:
    """Once sums of numbers that stood for open cells were equal now and then, by the way these were made."""
    rng = np.random.default_rng(780)
    found = 0
    for share in [0.3, 0.4, 0.5] * max(1, scaled(20)):
        board = np.where(rng.random((16, 30)) < share, np.int8(HIDDEN), np.int8(1))
        cells = np.flatnonzero(board == HIDDEN)
        for exchange in find_exchanges(board, survey_hidden(board)):
            around = [Counter[int](), Counter[int]()]
            for t, column in enumerate(exchange[:WITNESSES]):
                if column >= 0:
                    r, c = divmod(int(cells[column]), 30)
                    near = [(y, x) for y in range(r - 1, r + 2) for x in range(c - 1, c + 2)]
                    inside = [(y, x) for y, x in near if 0 <= y < 16 and 0 <= x < 30]
                    around[t // 2].update(30 * y + x for y, x in inside if board[y, x] >= 0)
            assert around[0] == around[1]
            found += 1
    assert found > 0


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
