"""Boards played on from a guess: chances that stand for games, and the judge of boards where it stops."""

from __future__ import annotations

from math import log, log1p, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import MINE, Board
from msat.engines._kernels.answer import PROVEN_MINE
from msat.engines.passes import LAST_RULE
from msat.strategies._kernels import game as k
from msat.strategies._kernels.exact import decide_exact
from msat.strategies._kernels.guess import new_ranked
from msat.strategies._kernels.living import mark_dead
from msat.strategies._kernels.onward import MINED, TO_THE_END, Limits, onward
from msat.strategies._kernels.parts import take_apart
from msat.strategies._kernels.prospect import MEASURES, measure, prospect
from msat.strategies.best import Best
from tests.conftest import FULL, scaled
from tests.guesses import guesses
from tests.oracle import enumerate_layouts

pytestmark = pytest.mark.kernel

STATES = 4096
LIMITS = Limits(1000, 50_000, 0.9, STATES)
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
    board: Board, cell: tuple[int, int], layouts: NDArray[np.int8], guesses: int, limits: Limits = LIMITS
) -> NDArray[np.float64]:
    array = board.to_array()
    position = cell[0] * board.width + cell[1]
    room = new_ranked(array.size)
    return np.array(
        [onward(array, board.mines, position, layout, guesses, limits, room) for layout in layouts]
    )


def test_endgames_count_by_their_exact_chance() -> None:
    """On average over all layouts that is what perfect play wins after the move."""
    exact = msat.win_probability(ENDGAME, every_move=True).chances
    assert exact is not None
    layouts = layouts_of(ENDGAME)
    assert len(exact) == len(ENDGAME.hidden)
    for (r, c), chance in list(exact.items())[:: 1 if FULL else 5]:
        found = chances_of(ENDGAME, (r, c), layouts, 0)
        assert np.array_equal(found == MINED, layouts[:, r, c] == MINE)
        assert np.where(found == MINED, 0, found).mean() == pytest.approx(float(chance))


@pytest.mark.parametrize("layouts", [2, 5])
def test_chances_stand_for_games(layouts: int) -> None:
    """Over all layouts they add up to the games that the player wins from there.

    The player searches pockets, but, with so few layouts allowed, hardly more: the rest it has to judge.
    """
    numbers = layouts_of(POCKET)
    player = Best(layouts=layouts)
    limits = Limits(layouts, 50 * layouts, 0.9, STATES)
    for r, c in ((0, 7), (1, 3), (1, 5))[: 3 if FULL else 1]:
        wins = 0
        for layout in numbers:
            table = k.lay(layout, POCKET.mines, -1, -1)
            table.board[:] = POCKET.to_array()
            table.counts[k.LEFT] = len(POCKET.hidden) - POCKET.mines
            if layout[r, c] != MINE:
                table.counts[k.LEFT] -= k.open_cell(layout, table.board, r, c, table.stack)
                wins += player.play_from(table, POCKET.mines) == k.WON
        chances = chances_of(POCKET, (r, c), numbers, TO_THE_END, limits)
        assert chances[chances != MINED].sum() == pytest.approx(wins)
        assert set(np.round(chances[chances != MINED], 9)) - {0.0, 1.0}, "the pocket counts by its chance"


def test_a_board_too_wide_to_take_apart_is_played_by_safety() -> None:
    """Some games are won, and none counts by a chance: nothing was searched."""
    chances = chances_of(ENDGAME, (2, 3), layouts_of(ENDGAME), 0, LIMITS._replace(states=1))
    assert set(chances) == {MINED, 0.0, 1.0}


def judged(board: Board) -> tuple[NDArray[np.float64], float]:
    """The measures of a board, and its prospect."""
    array = board.to_array()
    probability = np.empty(array.shape)
    verdict = np.empty(array.shape, np.int8)
    kind, _, _ = decide_exact(array, board.mines, LAST_RULE, False, probability, verdict)
    assert kind == k.STOP
    array[verdict == PROVEN_MINE] = MINE
    fits, parts = take_apart(array, board.mines, STATES)
    assert fits
    dead = np.empty(array.size, np.int8)
    mark_dead(parts.flat, board.height, board.width, dead)
    measures = np.empty(len(MEASURES))
    measure(parts, probability, dead, measures)
    return measures, prospect(parts, probability, dead)


# A clue in a corner: three touched cells with 1/3 each, the twelve others at 3/12. Two clues: their cells at
# 1/3 and 2/3, of which the corners are dead, and no others. On one board or the other all measures differ.
MEASURED = {
    "1???/????/????/???? 4": (3 * 220, 15, 4, 3, 3 / 4, 3 / 4, 3 / 4, 1, 2 / 3, 1, 1, 15),
    "1??2/???? 3": (3 * 3, 6, 3, 6, 1, 2 / 3, 1 / 3, 2, 2 / 9, 2, 1, 6),
}


@pytest.mark.parametrize("text", MEASURED)
def test_measures_of_a_board(text: str) -> None:
    measures, _ = judged(Board.parse(text))
    layouts, unknown, left, touched, rest, second, fourth, components, safest, *others = MEASURED[text]
    mistakes, regions, largest = others
    assert measures == pytest.approx(
        [
            1,
            sqrt(log(layouts)),
            log1p(unknown),
            log1p(left),
            log1p(touched),
            log(rest),
            log(second),
            log(fourth),
            log1p(components),
            log(safest),
            sqrt(mistakes),
            log1p(regions),
            log1p(largest),
        ]
    )


def test_regions_are_told_apart_by_what_lies_between_them() -> None:
    """A wall of opened cells makes two regions; one that shares a component across it makes one."""
    apart, _ = judged(POCKET)
    assert np.expm1(apart[11:]) == pytest.approx([2, 10])
    across, _ = judged(Board.parse("?2?/?2? 2"))
    assert np.expm1(across[11:]) == pytest.approx([1, 4])


def test_where_nothing_lives_the_prospect_is_exact() -> None:
    board = Board.parse("2?/?? 2")
    assert judged(board)[1] == pytest.approx(float(msat.win_probability(board).probability)) == 1 / 3


def test_a_preview_ends_with_the_prospect_of_the_next_guess() -> None:
    """That is the board after all that follows from the guess."""
    board = Board.parse("1????/?????/?????/????? 5")
    limits = Limits(1, 50, 0.9, STATES)
    layouts = np.array(
        [layout.numbers() for layout in msat.sample(board, max(8, scaled(60)), seed=1)], np.int8
    )
    previews = chances_of(board, (3, 4), layouts, 0, limits)
    compared = 0
    for layout, chance in zip(layouts, previews, strict=True):
        if layout[3, 4] == MINE:
            assert chance == MINED
            continue
        game = msat.Game(
            msat.Layout.from_mines(4, 5, [divmod(int(x), 5) for x in np.flatnonzero(layout < 0)])
        )
        for cell in ((0, 0), (3, 4)):
            game.open(cell)
        choice = Best(layouts=1).choose(game.board)
        while choice is not None and not choice.is_guess:
            for cell in choice.cells:
                game.open(cell)
            choice = Best(layouts=1).choose(game.board)
        if choice is None:
            assert chance == 1.0
        elif choice.kind == "evaluated":
            assert chance == pytest.approx(judged(game.board)[1])
            compared += 1
    assert compared > 2


@pytest.mark.skipif(not FULL, reason="a share of games takes many of them")
def test_prospects_come_true() -> None:
    """On average over boards of many games; the table was fitted to others."""
    expected, found = [], []
    for board, choice in guesses("intermediate", 120):
        if choice.kind == "evaluated":
            expected.append(judged(board)[1])
            layouts = np.array([layout.numbers() for layout in msat.sample(board, 8, seed=1)], np.int8)
            chances = chances_of(board, choice.cells[0], layouts, TO_THE_END)
            found.append(np.where(chances == MINED, 0, chances).mean())
    difference = np.array(found) - expected
    assert len(found) > 100
    assert abs(difference.mean()) < 0.03  # one table for boards of all sizes
    assert np.corrcoef(expected, found)[0, 1] > 0.2
