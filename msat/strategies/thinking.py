"""Time to think: a second opinion on an evaluated guess, by playing the board on after it.

Every candidate is played on (`_kernels/onward.py`) on layouts drawn at random, the same for all, and judged
where the next guess is due; then half of them, a guess deeper; then the last two, two guesses deep. The first
round costs little and has little noise, but flatters those that win it; the last one is as good as games
played to their end (docs/strength.md) at a third of the cost. The evaluation's own choice stays in to the
last: it is replaced only by a challenger that leads clearly enough for the number of layouts.

Everything derives from the board, so with a number of layouts the answer is the same everywhere; with
seconds it depends on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import Interrupts
from msat.strategies._kernels.guess import Ranked
from msat.strategies._kernels.onward import MINED, Limits, onward
from msat.strategies.drawn import BATCH, DrawnLayouts

__all__ = ["Candidate", "Effort", "PlayedOn", "think"]


class Round(NamedTuple):
    """One of the rounds."""

    guesses: int  # that are made before the board is judged
    left: int  # candidates that take part at most
    share: float  # of the layouts to play on …
    until: float  # … or of the time


ROUNDS = (Round(0, 6, 0.5, 0.15), Round(1, 3, 0.5, 0.4), Round(2, 2, 1.0, 1.0))

SEARCHED = {"layouts": 200, "nodes": 20_000}
"""Endgames are searched up to here, less far than by the player: a search takes its time."""

LEAD = 2.5
"""By how much a challenger has to lead in the last round: this, divided by the number of layouts.

The chances of two candidates on one layout differ with a standard deviation of 0.24, and challengers are
hardly ever better by more than 0.02: without this, noise would change more guesses than insight.
"""

_AT_ONCE = 16  # layouts between two looks at the clock
_FIRST_STREAM = 2  # 1 is that of estimates, see `advice/best_move.py`


class Effort(NamedTuple):
    """How much to play: so many layouts, or so many seconds; what is 0 sets no limit."""

    layouts: int = 0
    seconds: float = 0.0


class Candidate(NamedTuple):
    """A cell, as its position, and its exact safety."""

    cell: int
    safety: float


def think(
    board: NDArray[np.int8], mines: int, candidates: Sequence[Candidate], limits: Limits, effort: Effort
) -> list[int] | None:
    """The order of the candidates, as indices; the evaluation's choice comes first. None without any layout.

    `board` has its proven mines marked; `limits` are those of the player.
    """
    began = time.perf_counter()
    order = list(range(len(candidates)))
    dropped: list[int] = []
    for stream, turn in enumerate(ROUNDS, _FIRST_STREAM):
        dropped = order[turn.left :] + dropped
        order = order[: turn.left]
        if len(order) == 1:
            break
        played = PlayedOn(board, mines, stream, turn.guesses, limits._replace(**SEARCHED))
        if not played.possible:
            return None
        most = turn.share * effort.layouts if effort.layouts else inf
        end = began + turn.until * effort.seconds if effort.seconds else inf
        chances, layouts = played.compare([candidates[i] for i in order], most, end)
        if not layouts:
            return order + dropped if stream > _FIRST_STREAM else None
        by_chance = dict(zip(order, chances, strict=True))
        order.sort(key=lambda i: (i > 0, -by_chance[i]))
        lead = by_chance[order[1]] - by_chance[0]
        if lead <= 0:
            break
    else:
        if lead > LEAD / layouts:
            order.reverse()
    return order + dropped


class PlayedOn:
    """Chances to win after candidates, found on the same layouts."""

    def __init__(
        self, board: NDArray[np.int8], mines: int, stream: int, guesses: int, limits: Limits
    ) -> None:
        self._board = board
        self._mines = mines
        self._layouts = DrawnLayouts(board, mines, stream)
        self._guesses = guesses
        self._limits = limits
        self._room = Ranked(np.empty(board.size, np.int64), np.empty(board.size), np.empty(board.size))
        self.possible = self._layouts.possible

    def compare(self, candidates: Sequence[Candidate], most: float, end: float) -> tuple[list[float], int]:
        """(the chance of each, layouts): on `most` layouts, or until `end`; 0 where none was safe."""
        chances = np.zeros(len(candidates))
        survived = np.zeros(len(candidates))
        layouts = 0
        with Interrupts() as interrupts:
            while layouts < most and time.perf_counter() < end:
                next_batch = (layouts // BATCH + 1) * BATCH
                last = int(min(layouts + _AT_ONCE, most, next_batch))
                for i, candidate in enumerate(candidates):
                    found = self._play_on(candidate.cell, layouts, last)
                    chances[i] += found.sum()
                    survived[i] += found.size
                    interrupts.release()
                layouts = last
        safeties = [candidate.safety for candidate in candidates]
        return (safeties * chances / np.maximum(survived, 1)).tolist(), layouts

    def _play_on(self, cell: int, first: int, last: int) -> NDArray[np.float64]:
        """The chances to win on those of the layouts in which a cell is safe."""
        chances = np.empty(last - first)
        numbers = self._layouts.numbers(first, last)
        onward(self._board, self._mines, cell, numbers, self._guesses, self._limits, self._room, chances)
        survived: NDArray[np.float64] = chances[chances != MINED]
        return survived
