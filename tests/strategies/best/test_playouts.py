"""Playouts: games played on from a board, on layouts drawn at random."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import MINE, Board
from msat.deadline import Deadline
from msat.strategies.best import playouts as module
from msat.strategies.best._kernels.playout import MINED, NO_MOVE, play_on
from msat.strategies.best.player import Best
from msat.strategies.best.playouts import Playouts, paired_error
from tests.conftest import FULL, JIT, scaled
from tests.support.clock import Clock

pytestmark = pytest.mark.kernel

ENDGAME = Board.parse("1???/????/???? 3")
"""Small enough for `best` to play perfectly, so that games played on from a move win as often as they can."""

OPEN = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")


def playouts_of(board: Board, stream: int = 0) -> Playouts:
    return Playouts(board.to_array(), board.mines, Best().limits, stream)


def positions(board: Board) -> list[int]:
    return [r * board.width + c for r, c in board.hidden]


class Recorder:
    """Stands for `play_on`: wins every game that the move survives, and keeps the layouts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.played: list[NDArray[np.int8]] = []
        monkeypatch.setattr(module, "play_on", self._onward)

    def _onward(self, _: object, __: object, cell: int, layout: NDArray[np.int8], *___: object) -> float:
        if cell != NO_MOVE and layout.flat[cell] == MINE:
            return MINED
        self.played.append(layout.copy())
        return 1.0


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


def test_nothing_but_the_board_decides() -> None:
    games = max(2, scaled(40))
    one, other, judged = (playouts_of(OPEN, stream).estimate([8], games) for stream in (0, 0, 1))
    assert one == other
    assert judged != one
    assert judged[0].games == games


def test_time_adds_games(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """However short it is, never fewer than without."""
    Recorder(monkeypatch)
    clock.tick = 1.0
    playouts = playouts_of(ENDGAME)
    assert playouts.estimate([1], 2, Deadline(0))[0].games == 2
    assert playouts.estimate([1], 2, Deadline(50))[0].games > 2


def test_moves_share_the_layouts_that_are_safe_for_them(monkeypatch: pytest.MonkeyPatch) -> None:

    def played(*moves: int) -> list[bytes]:
        recorder = Recorder(monkeypatch)
        playouts_of(OPEN).estimate(moves, 40)
        assert len(recorder.played) == 40 * len(moves)
        return sorted(layout.tobytes() for layout in recorder.played)

    corner, other = 5 * 9 + 8, 5 * 9 + 6
    assert played(corner, other) == sorted(played(corner) + played(other))
    assert 20 < len(set(played(corner)) & set(played(other))) < 40


@pytest.mark.skipif(not FULL, reason="a spread takes many cases")
def test_the_error_of_a_difference_is_what_repetitions_show() -> None:
    """Two moves, compared many times: the spread is that which is expected, or a little less."""
    cells = [positions(ENDGAME)[i] for i in (0, 5)]
    known = msat.analyze(ENDGAME)
    safeties = [1 - float(known.exact(*divmod(cell, 4))) for cell in cells]
    differences, errors = [], []
    for stream in range(100):
        one, other = playouts_of(ENDGAME, stream).estimate(cells, 60)
        differences.append(safeties[1] * other.chance - safeties[0] * one.chance)
        errors.append(paired_error(one, other, *safeties))
    assert np.std(differences) == pytest.approx(np.mean(errors), rel=0.25)


def test_a_move_that_is_nearly_always_a_mine() -> None:
    """Its games are as few as the layouts that are safe; one that is a mine in all of them ends as well."""
    board = Board.parse("1? 1")
    [estimate] = playouts_of(board).estimate([1], 3)
    assert estimate.games == 0


@pytest.mark.parametrize("text", ["3?/?? 1", "1?/?1 3"])
def test_no_layouts(text: str) -> None:
    assert not playouts_of(Board.parse(text)).possible
    assert playouts_of(ENDGAME).possible


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_one_version_of_the_kernel_serves_all_boards() -> None:
    array = ENDGAME.to_array()
    read_only = array.copy()
    read_only.flags.writeable = False
    for board in (array, read_only, np.asfortranarray(array)):
        Playouts(board, ENDGAME.mines, Best().limits).estimate([1, None], 2)
    assert len(play_on.signatures) == 1  # type: ignore[attr-defined]
