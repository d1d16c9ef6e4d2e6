"""Compiled: what a board is worth after a guess was survived.

The worth is relative: it only has to rank the cells of one position. It is the chance to survive the next two
clicks that can teach something, the first counting a little more than the second. Many other formulas were
fitted to paired games and to exact endgames; docs/strength.md tells why none of them stayed.

Only until the first 0 is found there is more to it: two clicks survived are then mostly two clicks more
without an opening. So while a board shows no 0, any other number is worth a little less.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf

__all__ = ["NOT_YET_OPENED", "TOP", "insert", "worth"]

Floats = NDArray[np.float64]

TOP = 2  # as many of the safest cells are looked at
NEXT = 0.6  # the weight of the next click; the rest is that of the one after it
LEAST_SAFETY = 0.05
NOT_YET_OPENED = 0.97  # what is left of the worth of a number other than 0, on a board that shows no 0


@leaf
def insert(top: Floats, value: float) -> None:
    """Take a value into a descending list of the largest."""
    for t in range(top.size):
        if value > top[t]:
            value, top[t] = top[t], value


@leaf
def worth(top: Floats) -> float:
    """The worth of a board whose safest living cells are as safe as `top`; 1 at most."""
    return exp(NEXT * log(max(top[0], LEAST_SAFETY)) + (1.0 - NEXT) * log(max(top[1], LEAST_SAFETY)))
