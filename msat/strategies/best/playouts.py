"""Playouts: how good a move is, found by playing the board on after it, on layouts drawn at random.

All layouts that agree with a board are equally likely. So a few hundred of them, drawn evenly and each played
on by `best`, which does not see them, tell its chance to win after a move, with an error that is known. Moves
are compared on the same layouts: luck that meets all of them cancels out. Nor does luck decide guesses,
closed pockets and endgames that a game comes to: they count by their exact chances (`_kernels/playout.py`).

The layouts derive from the board (`common_layouts.py`): the same board has the same playouts.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from time import monotonic as now
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from msat._jit import hurry
from msat.constants import MINE
from msat.deadline import Deadline, Interrupts
from msat.strategies.best._kernels.decide import SearchLimits
from msat.strategies.best._kernels.evaluate import new_ranked
from msat.strategies.best._kernels.playout import MINED, NO_MOVE, play_on
from msat.strategies.best.common_layouts import DrawnLayouts

__all__ = ["Estimate", "Opening", "Playouts", "paired_error"]

Opening: TypeAlias = int | tuple[int, ...] | None
"""What is opened: a cell, given by its position, several at once, or none."""

DRAWS = 100
"""Layouts that are drawn at most for each game asked for: a move that is nearly always a mine gets fewer."""


@dataclass
class Estimate:
    """The games played on from a move: what chance to win each of them found."""

    chances: array[float] = field(default_factory=lambda: array("d"))
    """For each layout in turn; MINED where it was passed over, as the move hits a mine or had its games."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.chances) - self.chances.count(MINED)

    @property
    def chance(self) -> float:
        """The chance to win, if the move is no mine."""
        return sum(chance for chance in self.chances if chance != MINED) / self.games

    @property
    def error(self) -> float:
        """The standard error of that chance, as if one game more had been won and one lost.

        The addition hardly shows, but where all games ended alike it keeps the error from being none.

        >>> mixed, alike = Estimate(array("d", [0, 1] * 100)), Estimate(array("d", [0] * 200))
        >>> round(mixed.error, 4), round(alike.error, 4)
        (0.0352, 0.0049)
        """
        played = [0.0, 1.0, *(chance for chance in self.chances if chance != MINED)]
        return float(np.std(played)) / sqrt(len(played))


class Playouts:
    """Games played on from one board: int8, −1 hidden, −2 known mine, 0…8 revealed.

    Where a mine is proven it is best marked: then the playouts do not depend on which ones a user has marked.
    `stream` tells apart the layouts on which a move is chosen from those on which it is judged afterwards.
    """

    def __init__(self, board: NDArray[np.int8], mines: int, limits: SearchLimits, stream: int = 0) -> None:
        # Always an array of one kind: for another one the kernel would be compiled once more.
        self._board = np.array(board, np.int8, order="C")
        self._mines = mines
        self._limits = limits
        self._room = new_ranked(board.size)
        self._layouts = DrawnLayouts(self._board, mines, stream)
        self.possible = self._layouts.possible
        """Whether there are layouts to play on."""

    def estimate(
        self,
        moves: Sequence[Opening],
        games: int,
        deadline: Deadline | None = None,
        limit: Deadline | None = None,
    ) -> list[Estimate]:
        """The chance of each move to win if it hits no mine; None as a move plays the board on as it is.

        Layouts with a mine under a move are passed over: how likely that is is known exactly, and to draw it
        at random would only add noise. Each move gets `games` games, and more until the deadline, if there is
        one; moves share the layouts that they are safe in. A move that hardly any layout is safe for may get
        fewer games. None begins after the `limit`, nor if it would likely not end by then.
        """
        hurry()
        estimates = [Estimate() for _ in moves]
        played = [0] * len(moves)
        layout = 0
        longest = 0.0
        with Interrupts() as interrupts:
            while True:
                timed = deadline is not None and not deadline.over()
                wanted = inf if timed else games if layout < DRAWS * games else 0
                due = [count < wanted for count in played]
                if not any(due):
                    return estimates
                # All moves get the layout, or none: otherwise they could not be compared.
                began = now()
                if limit is not None and not limit.allows(longest):
                    return estimates
                for i, move in enumerate(moves):
                    chance = self._play(move, layout) if due[i] else MINED
                    estimates[i].chances.append(chance)
                    played[i] += chance != MINED
                    interrupts.release()
                layout += 1
                longest = max(longest, now() - began)

    def _play(self, move: Opening, layout: int) -> float:
        """The chance to win after a move on a layout, or MINED."""
        cell = move if isinstance(move, int) else NO_MOVE
        numbers = self._layouts.numbers(layout)
        seed = self._layouts.seed(layout)
        board = self._board
        if isinstance(move, tuple):
            shown = numbers.ravel()[list(move)]
            if MINE in shown:
                return MINED
            board = board.copy()
            board.ravel()[list(move)] = shown
        return play_on(board, self._mines, cell, numbers, self._limits, self._room, seed)


def paired_error(one: Estimate, other: Estimate, one_weight: float, other_weight: float) -> float:
    """The standard error of the difference between two weighted chances, found on the same layouts.

    Luck that meets both moves cancels out, so it is mostly smaller than the errors of both would suggest. It
    is at least that of one game more that only one of them wins: of few games that differ little it is not
    known that all would.

    >>> one, other = Estimate(array("d", [0, 1, 0, 1])), Estimate(array("d", [1, 0, 1, 0]))
    >>> round(paired_error(one, one, 1, 1), 2), round(paired_error(one, other, 1, 1), 2)
    (0.24, 0.5)
    """
    least = 0.0
    residuals = []
    for estimate, weight in ((one, one_weight), (other, other_weight)):
        chances = np.array(estimate.chances)
        residual = (chances - estimate.chance) * weight / estimate.games
        residuals.append(np.where(chances == MINED, 0.0, residual))
        least += (weight / (estimate.games + 2)) ** 2
    return sqrt(max(least, float(((residuals[0] - residuals[1]) ** 2).sum())))
