"""Playouts: games played on from a board, on layouts drawn at random."""

from __future__ import annotations

import time

import numpy as np
import pytest

import msat
from msat.board import MINE, Board
from msat.layout import Layout
from msat.strategies._kernels.game import LEFT, WON, Table
from msat.strategies.best import Best
from msat.strategies.drawn import BATCH
from msat.strategies.playouts import Playouts, paired_error
from tests.conftest import FULL, scaled

pytestmark = pytest.mark.kernel

ENDGAME = Board.parse("1???/????/???? 3")
"""Small enough for `best` to play perfectly, so that games played on from a move win as often as they can."""

OPEN = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")


def playouts_of(board: Board, stream: int = 0) -> Playouts:
    return Playouts(board.to_array(), board.mines, Best(), stream)


def positions(board: Board) -> list[int]:
    return [r * board.width + c for r, c in board.hidden]


class Recorder:
    """Plays nothing, wins, and keeps the tables that it was given."""

    def __init__(self) -> None:
        self.tables: list[Table] = []

    def play_from(self, table: Table, mines: int) -> int:
        self.tables.append(table)
        return WON


def test_estimates_agree_with_perfect_play() -> None:
    chances = msat.win_probability(ENDGAME, every_move=True).chances
    assert chances is not None
    games = scaled(1000)
    known = msat.analyze(ENDGAME)
    estimates = playouts_of(ENDGAME).estimate(positions(ENDGAME), games)
    for cell, estimate in zip(ENDGAME.hidden, estimates, strict=True):
        assert estimate.games == games
        # The layouts of the first games happen to favour one cell.
        if_safe = chances[cell] / (1 - known.exact(*cell))
        assert abs(estimate.chance - float(if_safe)) < (3 if FULL else 4) * estimate.error, cell


def test_the_board_itself_is_played_on_without_a_move() -> None:
    found = msat.win_probability(ENDGAME).probability
    [estimate] = playouts_of(ENDGAME).estimate([None], scaled(1000))
    assert abs(estimate.chance - float(found)) < 3 * estimate.error


def test_games_begin_where_the_board_is() -> None:
    """The board as it is, with the move opened, on layouts that agree with it and differ among each other."""
    player = Recorder()
    playouts = Playouts(OPEN.to_array(), OPEN.mines, player)
    [estimate] = playouts.estimate([5 * 9 + 8], 2 * BATCH)
    assert estimate.wins == len(player.tables) == estimate.games == 2 * BATCH
    layouts = set()
    for table in player.tables:
        layout = Layout(6, 9, (table.numbers == MINE).tobytes())
        assert layout.mines == OPEN.mines
        assert layout.number((0, 0)) == 1
        assert np.array_equal(layout.numbers(), table.numbers)
        game = msat.Game(layout)
        for cell in ((0, 0), (5, 8)):
            game.open(cell)
        assert np.array_equal(game.board.to_array(), table.board)
        assert table.counts[LEFT] == len(game.board.hidden) - OPEN.mines
        layouts.add(layout)
    assert len(layouts) == len(player.tables)


def test_nothing_but_the_board_decides() -> None:
    games = max(2, scaled(40))
    one, other, judged = (playouts_of(OPEN, stream).estimate([8], games) for stream in (0, 0, 1))
    assert one == other
    drawn = [Recorder() for _ in range(2)]
    for stream, player in enumerate(drawn):
        Playouts(OPEN.to_array(), OPEN.mines, player, stream).estimate([None], 5)
    assert not np.array_equal(drawn[0].tables[0].numbers, drawn[1].tables[0].numbers)
    assert judged[0].games == games


def test_time_adds_games() -> None:
    """However short it is, never fewer than without."""
    player = Recorder()
    playouts = Playouts(ENDGAME.to_array(), ENDGAME.mines, player)
    assert playouts.estimate([1], 2, time.perf_counter())[0].games == 2
    assert playouts.estimate([1], 2, time.perf_counter() + 0.05)[0].games > 2


def test_moves_share_the_layouts_that_are_safe_for_them() -> None:

    def played(*moves: int) -> list[bytes]:
        player = Recorder()
        Playouts(OPEN.to_array(), OPEN.mines, player).estimate(moves, 40)
        assert len(player.tables) == 40 * len(moves)
        return sorted(table.numbers.tobytes() for table in player.tables)

    corner, other = 5 * 9 + 8, 5 * 9 + 6
    assert played(corner, other) == sorted(played(corner) + played(other))
    assert 20 < len(set(played(corner)) & set(played(other))) < 40


@pytest.mark.skipif(not FULL, reason="a spread takes many cases")
def test_the_error_of_a_difference_is_what_repetitions_show() -> None:
    """Two moves, compared many times on a few layouts each time: the spread is that which is expected."""
    cells = [positions(ENDGAME)[i] for i in (0, 5)]
    known = msat.analyze(ENDGAME)
    safeties = [1 - float(known.exact(*divmod(cell, 4))) for cell in cells]
    differences, errors = [], []
    for stream in range(200):
        one, other = playouts_of(ENDGAME, stream).estimate(cells, 40)
        differences.append(safeties[1] * other.chance - safeties[0] * one.chance)
        errors.append(paired_error(one, other, *safeties))
    assert np.std(differences) == pytest.approx(np.mean(errors), rel=0.2)


def test_a_move_that_is_nearly_always_a_mine() -> None:
    """Its games are as few as the layouts that are safe; one that is a mine in all of them ends as well."""
    board = Board.parse("1? 1")
    [estimate] = playouts_of(board).estimate([1], 3)
    assert estimate.games == 0


@pytest.mark.parametrize("text", ["3?/?? 1", "1?/?1 3"])
def test_no_layouts(text: str) -> None:
    assert not playouts_of(Board.parse(text)).possible
    assert playouts_of(ENDGAME).possible
