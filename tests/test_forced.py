"""Document 000's puzzles: how many are won by forced cells alone.

The counts of all 100,000 puzzles of each series are stated in `PUZZLES` and checked by `python -m
bench.no_guess`; here are the first 2,000 of each, with the counts found then.
"""

from __future__ import annotations

import numpy as np
import pytest

import msat
from msat.arena._kernels import STUCK, WON, play_forced
from msat.arena.forced import PUZZLES, forced_wins
from msat.board import preset
from msat.engines.passes import LAST_RULE
from msat.game import Game
from msat.layout import kiss_layouts
from tests.conftest import JIT, scaled


@pytest.mark.skipif(not JIT, reason="two thousand games are too many for uncompiled kernels")
@pytest.mark.parametrize(("series", "wins"), [("small", 1833), ("medium", 1424), ("expert", 339)])
def test_wins_without_a_guess(series: str, wins: int) -> None:
    assert sum(forced_wins(series, seed) for seed in range(1, 21)) == wins


@pytest.mark.kernel
@pytest.mark.parametrize("series", list(PUZZLES))
def test_the_compiled_game_ends_like_one_played_by_hand(series: str) -> None:
    height, width, mines = preset(PUZZLES[series].preset)
    start = PUZZLES[series].start
    board = np.empty((height, width), np.int8)
    for layout in kiss_layouts(height, width, mines, 7, start, scaled(20)):
        end = play_forced(layout.numbers(), mines, *start, LAST_RULE, board)
        game = Game(layout)
        game.open(start)
        while game.state == "playing" and (safe := msat.analyze(game.board).safe):
            for cell in safe:
                if game.state == "playing":
                    game.open(cell)
        assert end == (WON if game.state == "won" else STUCK)
        opened = game.board.to_array()
        assert np.array_equal(np.where(board >= 0, board, -1), np.where(opened >= 0, opened, -1))
