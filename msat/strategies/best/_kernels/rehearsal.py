"""Compiled: steps of a decision by themselves, for `msat/warming.py`, which has them compiled side by side.

What these call has a position in parts for an argument, a hundred numbers; code to be called from Python with
that would take longer to compile than the steps. So they are called from here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.strategies.best._kernels.components import take_apart
from msat.strategies.best._kernels.endgames import decide_late
from msat.strategies.best._kernels.evaluate import Ranked, evaluate
from msat.strategies.best._kernels.unavoidable import unavoidable

__all__ = ["rehearse_end", "rehearse_guess"]


@kernel(apart=True)
def rehearse_end(grid: NDArray[np.int8], mines: int) -> int:
    """What is looked at where a game may soon be over: the cell that it comes to, or −1."""
    _, parts = take_apart(grid, mines, 1000)
    _, cell, _ = decide_late(parts, grid, mines, 100, 1000)
    return max(cell, unavoidable(parts.flat, grid))


@kernel(apart=True)
def rehearse_guess(grid: NDArray[np.int8], mines: int, ranked: Ranked) -> int:
    """A guess where every hidden cell is as safe as the others: the cell, or −1."""
    _, parts = take_apart(grid, mines, 1000)
    probability = np.full(grid.shape, mines / grid.size)
    cell, _ = evaluate(parts, grid, probability, 0.9, 1000, ranked, 1.0)
    return cell
