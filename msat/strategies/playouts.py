"""Playouts: how often a move wins, found by playing the game on from it, on layouts drawn at random.

All layouts that agree with a board are equally likely. So a few hundred of them, drawn evenly and each played
to its end by a player that does not see them, tell the chance of that player to win after a move, with an
error that is known. Moves are compared on the same layouts: luck that meets all of them cancels out.

The layouts derive from the board (`drawn.py`): the same board has the same playouts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from msat._jit import Interrupts
from msat.board import HIDDEN, MINE
from msat.strategies._kernels import game as k
from msat.strategies.drawn import DrawnLayouts

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Estimate", "Player", "Playouts", "paired_error"]

DRAWS = 100
"""Layouts that are drawn at most for each game asked for: a move that is nearly always a mine gets fewer."""

PASSED_OVER, LOST, WON = range(3)
"""How a move fared on a layout; passed over are layouts with a mine under it, and those beyond its games."""


class Player(Protocol):
    """Who plays the games on."""

    def play_from(self, table: Table, mines: int) -> int:
        """Play the game on the table to its end; how it ended, as `_kernels/game.py` lists it."""


@dataclass
class Estimate:
    """The games played on from a move, and how many of them were won."""

    wins: int = 0
    games: int = 0
    outcomes: bytearray = field(default_factory=bytearray, repr=False)
    """For each layout in turn, where they are kept: whether it was PASSED_OVER, LOST or WON."""

    @property
    def chance(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def error(self) -> float:
        """The standard error of that share, as if one game more had been won and one lost.

        The addition hardly shows, but where all games ended alike it keeps the error from being none.

        >>> round(Estimate(100, 200).error, 4), round(Estimate(0, 200).error, 4)
        (0.0352, 0.0049)
        """
        share = (self.wins + 1) / (self.games + 2)
        return sqrt(share * (1 - share) / (self.games + 2))


class Playouts:
    """Games played on from one board: int8, −1 hidden, −2 known mine, 0…8 revealed.

    Where a mine is proven it is best marked: then the playouts do not depend on which ones a user has marked.
    `stream` tells apart the layouts on which a move is chosen from those on which it is judged afterwards.
    A game on that becomes too wide for the compiled player, which hardly happens, counts as lost.
    """

    def __init__(self, board: NDArray[np.int8], mines: int, player: Player, stream: int = 0) -> None:
        self._board = board
        self._mines = mines
        self._player = player
        hidden, marked = (int(np.count_nonzero(board == value)) for value in (HIDDEN, MINE))
        self._left = hidden - (mines - marked)
        self._layouts = DrawnLayouts(board, mines, stream)
        self.possible = self._layouts.possible
        """Whether there are layouts to play on."""

    def estimate(self, moves: Sequence[int | None], games: int, end: float | None = None) -> list[Estimate]:
        """How often each move wins if it is no mine; None as a move plays the board on as it is.

        Layouts with a mine under a move are passed over: how likely that is is known exactly, and to draw it
        at random would only add noise. Each move gets `games` games, and more until the `end` on the clock
        `time.perf_counter`; moves share the layouts that they are safe in. A move that hardly any layout is
        safe for may get fewer games.
        """
        estimates = [Estimate() for _ in moves]
        layout = 0
        with Interrupts() as interrupts:
            while True:
                timed = end is not None and time.perf_counter() < end
                due = [timed or (x.games < games and layout < DRAWS * games) for x in estimates]
                if not any(due):
                    return estimates
                [numbers] = self._layouts.numbers(layout, layout + 1)
                for move, estimate, wanted in zip(moves, estimates, due, strict=True):
                    outcome = PASSED_OVER
                    if wanted and (move is None or numbers.flat[move] != MINE):
                        outcome = WON if self._wins(numbers, move) else LOST
                        estimate.wins += outcome == WON
                        estimate.games += 1
                    estimate.outcomes.append(outcome)
                    interrupts.release()
                layout += 1

    def _wins(self, numbers: NDArray[np.int8], move: int | None) -> bool:
        table = k.lay(numbers, self._mines, -1, -1)
        table.board[:] = self._board
        table.counts[k.LEFT] = self._left
        if move is not None:
            r, c = divmod(move, numbers.shape[1])
            if numbers[r, c] == MINE:
                return False
            table.counts[k.LEFT] -= k.open_cell(numbers, table.board, r, c, table.stack)
        return self._player.play_from(table, self._mines) == k.WON


def paired_error(one: Estimate, other: Estimate, one_weight: float, other_weight: float) -> float:
    """The standard error of the difference between two weighted shares of games won, on the same layouts.

    Luck that meets both moves cancels out, so it is mostly smaller than the errors of both would suggest. As
    in `Estimate.error`, one game more that only one of them wins keeps it from being none.

    >>> one, other = (Estimate(2, 4, bytearray(outcomes)) for outcomes in ([1, 2, 1, 2], [2, 1, 2, 1]))
    >>> round(paired_error(one, one, 1, 1), 2), round(paired_error(one, other, 1, 1), 2)
    (0.24, 0.55)
    """
    variance = 0.0
    residuals = []
    for estimate, weight in ((one, one_weight), (other, other_weight)):
        outcomes = np.frombuffer(estimate.outcomes, np.uint8)
        residual = np.where(outcomes == WON, 1 - estimate.chance, -estimate.chance) * weight / estimate.games
        residuals.append(np.where(outcomes == PASSED_OVER, 0.0, residual))
        variance += (weight / (estimate.games + 2)) ** 2
    return sqrt(variance + float(((residuals[0] - residuals[1]) ** 2).sum()))
