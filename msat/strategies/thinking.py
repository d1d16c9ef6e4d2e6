"""Time to think: a second opinion on an evaluated guess, by playing the board on after it.

Every candidate is played on (`_kernels/onward.py`) on layouts drawn at random, the same for all, and judged
where the next guess is due; then half of them, a guess deeper; then the last two, two guesses deep. The first
round costs little and has little noise, but flatters those that win it; the last one is as good as games
played to their end (docs/strength.md) at a third of the cost. The evaluation's own choice stays in to the
last: it is replaced only by a challenger that leads clearly enough for the number of games.

Everything derives from the board, so with a number of games the answer is the same everywhere; with
seconds it depends on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import ceil, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.strategies._kernels.onward import Limits
from msat.strategies.playouts import Playouts

__all__ = ["Candidate", "Effort", "think"]


class Round(NamedTuple):
    """One of the rounds."""

    guesses: int  # that are made before the board is judged
    left: int  # candidates that take part at most
    share: float  # of the games for each of them …
    until: float  # … and of the seconds, from the beginning on


ROUNDS = (Round(0, 6, 0.5, 0.15), Round(1, 3, 0.5, 0.4), Round(2, 2, 1.0, 1.0))

MOST_LAYOUTS, MOST_NODES = 200, 20_000
"""Endgames are searched up to here, mostly less far than by the player: a search takes its time."""

LEAD = 2.5
"""By how much a challenger has to lead in the last round: this, divided by the number of games.

Challengers are worse on average, by 0.3 to 1 points. What their games have to outweigh is that prior, and the
fewer they are the more so: it counts as variance of a game (0.24²) · mean / variance of challengers, divided
by the games. 1 point at 256 games was as good as 0.5 or 1.5.
"""

_FIRST_STREAM = 2  # 1 is that of estimates, see `advice/best_move.py`


class Effort(NamedTuple):
    """How much to play: so many games with each of the last two, in so many seconds; 0 is no limit."""

    games: int = 0
    seconds: float = 0.0


class Candidate(NamedTuple):
    """A cell, as its position, and its exact safety."""

    cell: int
    safety: float


def think(
    board: NDArray[np.int8], mines: int, candidates: Sequence[Candidate], limits: Limits, effort: Effort
) -> list[int] | None:
    """The order of the candidates, as indices; None where no game was played with the evaluation's choice.

    That is the first of `candidates`. `board` has its proven mines marked; `limits` are those of the player.
    """
    limits = limits._replace(layouts=min(limits.layouts, MOST_LAYOUTS), nodes=min(limits.nodes, MOST_NODES))
    began = None
    order = list(range(len(candidates)))
    dropped: list[int] = []
    for stream, turn in enumerate(ROUNDS, _FIRST_STREAM):
        dropped = order[turn.left :] + dropped
        order = order[: turn.left]
        if len(order) == 1:
            break
        playouts = Playouts(board, mines, limits, stream, turn.guesses)
        if not playouts.possible:
            return None
        if began is None:  # only now: for the first layouts kernels may just have been loaded
            began = time.perf_counter()
        games = ceil(turn.share * effort.games)
        cells = [candidates[i].cell for i in order]
        if effort.seconds:
            estimates = playouts.estimate(cells, 0, began + turn.until * effort.seconds, games or inf)
        else:
            estimates = playouts.estimate(cells, games)
        if not estimates[0].games:
            if stream == _FIRST_STREAM:
                return None
            break
        chance = {
            i: candidates[i].safety * estimate.chance if estimate.games else 0.0
            for i, estimate in zip(order, estimates, strict=True)
        }
        order.sort(key=lambda i: (i > 0, -chance[i]))
        lead = chance[order[1]] - chance[0]
        if lead <= 0:
            break
    else:
        if lead > LEAD / estimates[0].games:
            order.reverse()
    return order + dropped
