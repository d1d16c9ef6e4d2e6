"""Layouts drawn for a board."""

from __future__ import annotations

import numpy as np
import pytest

from msat.board import MINE, Board
from msat.layout import Layout
from msat.strategies.best.common_layouts import BATCH, DrawnLayouts

pytestmark = pytest.mark.kernel

OPEN = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")


def drawn(board: Board, stream: int = 0) -> DrawnLayouts:
    return DrawnLayouts(board.to_array(), board.mines, stream)


def test_they_agree_with_the_board_and_differ() -> None:
    layouts = drawn(OPEN)
    seen = set()
    for number in range(2 * BATCH):
        numbers = layouts.numbers(number)
        layout = Layout(6, 9, (numbers == MINE).tobytes())
        assert layout.mines == OPEN.mines
        assert layout.number((0, 0)) == 1
        assert np.array_equal(layout.numbers(), numbers)
        seen.add(layout)
    assert len(seen) == 2 * BATCH


def test_nothing_but_the_board_and_the_stream_decides() -> None:
    one, again, other = (drawn(OPEN, stream).numbers(3) for stream in (0, 0, 1))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    layouts = drawn(OPEN)
    layouts.numbers(BATCH)
    assert np.array_equal(layouts.numbers(3), one)


@pytest.mark.parametrize(("text", "possible"), [("3?/?? 1", False), ("1?/?1 3", False), ("1?/?? 1", True)])
def test_whether_there_are_any(text: str, possible: bool) -> None:
    assert drawn(Board.parse(text)).possible == possible
