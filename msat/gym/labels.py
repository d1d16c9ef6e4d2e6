"""Positions with exact answers, for supervised learning: `labelled_positions`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import hurry
from msat.board import Cell
from msat.cells import check_workers
from msat.engines.counting.engine import WORKSPACE, answer_array
from msat.gym._kernels import games as k
from msat.gym._kernels.labels import label_positions
from msat.gym.settings import GameSettings, check_seed
from msat.limits import MAX_GAMES, MAX_STACK_CELLS
from msat.problem._kernels.workspace import new_workspace
from msat.value import explained

__all__ = ["LabelledPositions", "labelled_positions"]

PORTION = 1000
"""Positions that are yielded at a time, unless told otherwise: 4 MB of expert boards."""


@explained
class LabelledPositions(NamedTuple):
    """Some positions of games, each with the exact probability of every cell."""

    boards: NDArray[np.int8]
    """The boards, (n, h, w): −1 hidden, 0…8 revealed."""
    probability: NDArray[np.float64]
    """P(mine) of every cell, of the same shape; nan where it is revealed."""
    games: NDArray[np.int64]
    """The number of each board's game, i of the seed `seed·2^32 + i`."""


def labelled_positions(
    count: int,
    height: int = 16,
    width: int = 30,
    mines: int = 99,
    *,
    seed: int,
    start: Cell | None = None,
    first: str = "open",
    portion: int = PORTION,
) -> Iterator[LabelledPositions]:
    """Yield `count` positions of careful play with their exact probabilities, `portion` at a time.

    All positions of all games of a run, one after the other: game i has the layout
    `Layout.random(height, width, mines, seed=seed·2^32 + i, …)`. The first cell is `start`, or one that is
    drawn; from then on a cell is opened that is safe, or else one of those that are least likely mines. The
    positions depend on the seed alone. Neighbouring ones are much alike: shuffle them before you train.

    >>> from msat.gym import labelled_positions
    >>> for boards, probability, games in labelled_positions(2500, 9, 9, 10, seed=7):
    ...     boards.shape, probability.shape
    ((1000, 9, 9), (1000, 9, 9))
    ((1000, 9, 9), (1000, 9, 9))
    ((500, 9, 9), (500, 9, 9))
    """
    settings = GameSettings.of(height, width, mines, start, first)
    seed = check_seed(seed)
    count = check_workers(count, MAX_GAMES, "count")
    portion = check_workers(portion, MAX_STACK_CELLS // settings.area, "portion")
    return _label(settings, seed, count, min(portion, count))


def _label(settings: GameSettings, seed: int, count: int, portion: int) -> Iterator[LabelledPositions]:
    h, w, area = settings.height, settings.width, settings.area
    if count * area > 1 << 16:
        hurry()
    numbers = settings.numbers()
    state = np.zeros(k.STATE, np.int64)
    state[k.PHASE], state[k.RUN], state[k.GAME] = k.OVER, seed, -1
    board, layout = np.empty(area, np.int8), np.empty(area, np.int8)
    choices, scratch = np.zeros(4, np.uint64), np.empty(area, np.int64)
    verdict, workspace = np.empty((h, w), np.int8), new_workspace(WORKSPACE)
    for begin in range(0, count, portion):
        n = min(portion, count - begin)
        found = LabelledPositions(
            np.empty((n, h, w), np.int8), np.empty((n, h, w), np.float64), np.empty(n, np.int64)
        )
        done, labelled = 0, False
        while True:
            with np.errstate(over="ignore"):  # uncompiled, numpy would warn of the wrap-around that is meant
                done = label_positions(
                    numbers, state, board, layout, choices, done, labelled, *found[:2], verdict, found.games,
                    scratch, workspace,
                )  # fmt: skip
            if done == n:
                break
            found.probability[done] = answer_array(found.boards[done], settings.mines).probability
            labelled = True
        yield found
