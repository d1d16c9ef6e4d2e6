"""Compiled: the decision of `best` where nothing is proven.

First what can be searched exactly (`endgames.py`), then risks that will never be lower (`unavoidable.py`),
then evaluated guesses (`evaluate.py`); where every cell is dead, nothing can be learned any more, and the
safest is taken.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.answer import PROVEN_MINE
from msat.strategies._kernels.game import BLIND, EVALUATED, MINE, STOP, UNAVOIDABLE
from msat.strategies.best._kernels.components import log_layouts, take_apart
from msat.strategies.best._kernels.endgames import decide_late
from msat.strategies.best._kernels.evaluate import Ranked, evaluate, safest_cell
from msat.strategies.best._kernels.unavoidable import unavoidable

__all__ = ["decide_best"]

Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]


@kernel(apart=True)
def decide_best(
    board: Bytes,
    mines: int,
    probability: Floats,
    verdict: Bytes,
    most: int,
    nodes: int,
    nearly: float,
    states: int,
    ranked: Ranked,
    right: float,
) -> tuple[int, int, float, int, float]:
    """(kind, cell, chance, candidates, layouts) on a board without a proven safe cell, counted already.

    `chance` is that of winning the pocket or the game where that is exact, else 0; of the number of layouts
    it is the logarithm. Up to where that is `right`, all scores of candidates are right. See `decide_late`
    for `most` and `nodes`, `evaluate` for the rest.
    """
    h, w = board.shape
    grid = board.copy()
    for r in range(h):
        for c in range(w):
            if verdict[r, c] == PROVEN_MINE:
                grid[r, c] = MINE
    fits, parts = take_apart(grid, mines, states)
    layouts = inf
    if fits:
        layouts = log_layouts(parts)
        kind, cell, chance = decide_late(parts, grid, mines, most, nodes)
        if kind != STOP:
            return kind, cell, chance, 0, layouts
        cell = unavoidable(parts.flat, grid)
        if cell >= 0:
            return UNAVOIDABLE, cell, 0.0, 0, layouts
        cut = 0.0 if layouts <= right else 1.0
        cell, tried = evaluate(parts, grid, probability, nearly, states, ranked, cut)
        if cell >= 0:
            return EVALUATED, cell, 0.0, tried, layouts
    cell = safest_cell(grid, probability)
    return (BLIND if cell >= 0 else STOP), cell, 0.0, 0, layouts
