"""Compiled: what a board is worth after a guess was survived.

The worth is relative: it only has to rank the cells of one position. It is the chance to survive the next two
clicks, the first counting four times as much as the second, and a little more the more cells are proven
safe. Many other formulas were fitted to paired games; docs/strength.md tells why none of them stayed.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf

__all__ = ["MOST_WORTH", "TOP", "insert", "worth"]

Floats = NDArray[np.float64]

TOP = 2  # as many of the safest cells are looked at
NEXT = 0.8  # the weight of the next click; the rest is that of the one after it
PROGRESS = 0.05
MOST_WORTH = 1.12  # with nine safe cells; more are so rare that no candidate is left out for it
LEAST_SAFETY = 0.05


@leaf
def insert(top: Floats, value: float) -> None:
    """Take a value into a descending list of the largest."""
    for t in range(top.size):
        if value > top[t]:
            value, top[t] = top[t], value


@leaf
def worth(top: Floats, safe: int) -> float:
    """The worth of a board with `safe` cells proven safe, and the safest living ones as safe as `top`."""
    clicks = NEXT * log(max(top[0], LEAST_SAFETY)) + (1.0 - NEXT) * log(max(top[1], LEAST_SAFETY))
    return exp(clicks + PROGRESS * log(1.0 + safe))
