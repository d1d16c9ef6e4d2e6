"""Compiled: what a board is worth after a guess was survived.

The worth is relative: it only has to rank the cells of one position. docs/strength.md tells what was tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf

__all__ = ["MOST_WORTH", "TOP", "insert", "worth"]

Floats = NDArray[np.float64]

TOP = 2  # as many of the safest cells are looked at
MOST_WORTH = 1.0
NEXT = 0.8  # the weight of the next click; the rest is that of the one after it


@leaf
def insert(top: Floats, value: float) -> None:
    """Take a value into a descending list of the largest."""
    for t in range(top.size):
        if value > top[t]:
            value, top[t] = top[t], value


@leaf
def worth(top: Floats) -> float:
    """The worth of a board whose safest living cells have the safeties `top`."""
    return float(NEXT * top[0] + (1.0 - NEXT) * top[1])
