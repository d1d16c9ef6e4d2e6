"""Compiled: the decision of `best` where nothing is proven.

First what can be searched exactly (`endgames.py`), then risks that will never be lower (`unavoidable.py`),
then evaluated guesses (`evaluate.py`); where every cell is dead, nothing can be learned any more, and the
safest is taken.

The player decides by it, and so do the games of `playout.py`.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import MINE
from msat.engines.counting._kernels.answer import PROVEN_MINE
from msat.strategies._kernels.game import BLIND, EVALUATED, STOP, UNAVOIDABLE
from msat.strategies.best._kernels.components import Parts, log_layouts, take_apart
from msat.strategies.best._kernels.endgames import decide_late
from msat.strategies.best._kernels.evaluate import Ranked, evaluate, safest_cell
from msat.strategies.best._kernels.unavoidable import unavoidable

__all__ = ["SearchLimits", "decide_best", "decide_marked"]

Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]


class SearchLimits(NamedTuple):
    """How far the player searches."""

    layouts: int  # endgames with at most so many are searched …
    nodes: int  # … up to so many nodes
    nearly: float  # candidates have at least this share of the best safety
    states: int  # room on the tape for parts of the board and for trials


@kernel(apart=True, inside=True)
def decide_marked(
    grid: Bytes, mines: int, probability: Floats, limits: SearchLimits, ranked: Ranked, right: float
) -> tuple[int, int, float, int, float, Parts]:
    """(kind, cell, chance, candidates, layouts, parts) on a board whose proven mines are marked.

    `chance` is that of winning the pocket or the game where that is exact, else 0; of the number of layouts
    it is the logarithm, infinity where it takes too much room to know. Up to where that is `right`, all
    scores of candidates are right.
    """
    fits, parts = take_apart(grid, mines, limits.states)
    layouts = inf
    if fits:
        layouts = log_layouts(parts)
        kind, cell, chance = decide_late(parts, grid, mines, limits.layouts, limits.nodes)
        if kind != STOP:
            return kind, cell, chance, 0, layouts, parts
        cell = unavoidable(parts.flat, grid)
        if cell >= 0:
            return UNAVOIDABLE, cell, 0.0, 0, layouts, parts
        cut = 0.0 if layouts <= right else 1.0
        cell, tried = evaluate(parts, grid, probability, limits.nearly, limits.states, ranked, cut)
        if cell >= 0:
            return EVALUATED, cell, 0.0, tried, layouts, parts
    cell = safest_cell(grid, probability)
    return (BLIND if cell >= 0 else STOP), cell, 0.0, 0, layouts, parts


@kernel(apart=True)
def decide_best(
    board: Bytes,
    mines: int,
    probability: Floats,
    verdict: Bytes,
    limits: SearchLimits,
    ranked: Ranked,
    right: float,
) -> tuple[int, int, float, int, float]:
    """(kind, cell, chance, candidates, layouts) on a board without a proven safe cell, counted already."""
    h, w = board.shape
    grid = board.copy()
    for r in range(h):
        for c in range(w):
            if verdict[r, c] == PROVEN_MINE:
                grid[r, c] = MINE
    kind, cell, chance, tried, layouts, _ = decide_marked(grid, mines, probability, limits, ranked, right)
    return kind, cell, chance, tried, layouts
