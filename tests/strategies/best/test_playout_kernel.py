"""Boards played on from a guess: chances that stand for games."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import MINE, Board
from msat.strategies._kernels import game as k
from msat.strategies.best._kernels.decide import SearchLimits
from msat.strategies.best._kernels.evaluate import new_ranked
from msat.strategies.best._kernels.playout import MINED, NO_MOVE, play_on
from msat.strategies.best._kernels.redraw import redraw
from msat.strategies.best.player import Best
from tests.conftest import FULL, scaled
from tests.support.oracle import enumerate_layouts

pytestmark = pytest.mark.kernel

STATES = 4096
LIMITS = SearchLimits(1000, 50_000, 0.9, STATES)
ENDGAME = Board.parse("1???/????/???? 3")
POCKET = Board.parse("?11?????/?11????? 4")
"""On the left a pocket of two layouts, on the right 56 layouts of an open game."""


def layouts_of(board: Board) -> NDArray[np.int8]:
    """The numbers of every layout that agrees with a board, −2 at mines."""
    found = [
        msat.Layout.from_mines(board.height, board.width, layout).numbers()
        for layout in enumerate_layouts(board)
    ]
    return np.ascontiguousarray(np.array(found, np.int8))


def chances_of(
    board: Board,
    cell: tuple[int, int],
    layouts: NDArray[np.int8],
    limits: SearchLimits = LIMITS,
    seed: int = 0,
) -> NDArray[np.float64]:
    array = board.to_array()
    position = cell[0] * board.width + cell[1]
    room = new_ranked(array.size)
    return np.array(
        [
            play_on(array, board.mines, position, layout, limits, room, seed + 1000 * number)
            for number, layout in enumerate(layouts)
        ]
    )


def test_endgames_count_by_their_exact_chance() -> None:
    """On average over all layouts that is what perfect play wins after the move."""
    exact = msat.win_probability(ENDGAME, every_move=True).chances
    assert exact is not None
    layouts = layouts_of(ENDGAME)
    assert len(exact) == len(ENDGAME.hidden)
    for (r, c), chance in list(exact.items())[:: 1 if FULL else 5]:
        found = chances_of(ENDGAME, (r, c), layouts)
        assert np.array_equal(found == MINED, layouts[:, r, c] == MINE)
        assert np.where(found == MINED, 0, found).mean() == pytest.approx(float(chance))


@pytest.mark.parametrize("layouts", [2, 5])
def test_chances_stand_for_games(layouts: int) -> None:
    """Over all layouts they add up to the games that the player wins from there, but vary less.

    The player searches pockets, but, with so few layouts allowed, hardly more: the rest it has to judge.
    Where a guess fails the game goes on with another layout, so there is some chance left in the sum.
    """
    numbers = layouts_of(POCKET)
    player = Best(layouts=layouts, samples=0)
    limits = SearchLimits(layouts, 50 * layouts, 0.9, STATES)
    rounds = max(3, scaled(40))
    for r, c in ((0, 7), (1, 3), (1, 5))[: 3 if FULL else 1]:
        wins = 0
        for layout in numbers:
            table = k.lay(layout, POCKET.mines, -1, -1)
            table.board[:] = POCKET.to_array()
            table.counts[k.LEFT] = len(POCKET.hidden) - POCKET.mines
            if layout[r, c] != MINE:
                table.counts[k.LEFT] -= k.open_cell(layout, table.board, r, c, table.stack)
                wins += player.play_from(table, POCKET.mines) == k.WON
        safe = numbers[:, r, c] != MINE
        chances = np.array(
            [chances_of(POCKET, (r, c), numbers, limits, 10**6 * seed)[safe] for seed in range(rounds)]
        )
        sums = chances.sum(axis=1)
        assert abs(sums.mean() - wins) < 4 * sums.std() / sqrt(rounds) + 1e-9
        share = wins / safe.sum()
        assert chances.var() < share * (1 - share) / 2
        assert chances.min() > 0, "no game is lost by bad luck"


def test_a_guess_counts_by_its_safety() -> None:
    """Whatever the layout: the two cells that are left are safe with a half."""
    board = Board.parse("?1/1? 1")
    for layout in layouts_of(board):
        chance = play_on(
            board.to_array(), 1, NO_MOVE, layout, SearchLimits(1, 50, 0.9, STATES), new_ranked(4), 0
        )
        assert chance == pytest.approx(0.5)


def test_the_layout_is_left_as_it_is() -> None:
    layouts = layouts_of(POCKET)
    before = layouts.copy()
    chances_of(POCKET, (0, 7), layouts, SearchLimits(2, 100, 0.9, STATES))
    assert np.array_equal(layouts, before)


def test_redrawn_layouts_are_those_in_which_the_guess_is_safe() -> None:
    """All of them, about equally often, and no other."""
    cell = 3
    possible = {layout.tobytes() for layout in layouts_of(ENDGAME) if layout.flat[cell] != MINE}
    table = k.lay(layouts_of(ENDGAME)[0], ENDGAME.mines, -1, -1)
    table.board[:] = ENDGAME.to_array()
    draws = max(20, scaled(100 * len(possible)))
    drawn: Counter[bytes] = Counter()
    for seed in range(draws):
        assert redraw(table, ENDGAME.mines, cell, 1000 * seed)
        drawn[table.numbers.tobytes()] += 1
    assert set(drawn) <= possible
    if FULL:
        expected = draws / len(possible)
        squares = sum((drawn[layout] - expected) ** 2 / expected for layout in possible)
        freedom = len(possible) - 1
        assert squares < freedom + 4 * sqrt(2 * freedom)


def test_no_layout_is_found_for_a_sure_mine() -> None:
    board = Board.parse("1? 1")
    table = k.lay(layouts_of(board)[0], 1, -1, -1)
    table.board[:] = board.to_array()
    assert not redraw(table, 1, 1, 0)


def test_a_board_too_wide_to_take_apart_is_played_by_safety() -> None:
    """Nothing is searched then, and all guesses count by their safety."""
    chances = chances_of(ENDGAME, (2, 3), layouts_of(ENDGAME), LIMITS._replace(states=1))
    assert 0 < chances[chances != MINED].min() < chances.max() <= 1
