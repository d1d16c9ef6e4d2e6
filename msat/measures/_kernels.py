"""Compiled: 3BV, openings and islands of a layout in two floods over its numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.problem._kernels.grid import window

__all__ = ["measure"]

UNSEEN = 0
OPENING = 1  # a zero, or a number that some zero uncovers
ISLAND = 2


@kernel
def flood(
    numbers: NDArray[np.int8],
    kinds: NDArray[np.int8],
    r: int,
    c: int,
    kind: int,
    stack: NDArray[np.int64],
) -> int:
    """Give `kind` to the region of (r, c); returns how many cells got it.

    An opening spreads from zeros only and takes every neighbour along. An island spreads over the unseen
    numbers, once the openings have been seen.
    """
    h, w = numbers.shape
    kinds[r, c] = kind
    stack[0] = r * w + c
    height = 1
    count = 1
    while height:
        height -= 1
        row = stack[height] // w
        column = stack[height] % w
        if kind == OPENING and numbers[row, column] != 0:
            continue
        r0, r1, c0, c1 = window(row, column, h, w)
        for i in range(r0, r1):
            for j in range(c0, c1):
                if kinds[i, j] == UNSEEN and numbers[i, j] >= 0:
                    kinds[i, j] = kind
                    stack[height] = i * w + j
                    height += 1
                    count += 1
    return count


@kernel(apart=True)
def measure(numbers: NDArray[np.int8]) -> tuple[int, int, int]:
    """(3BV, openings, islands) of a layout given by its numbers, −2 at mines."""
    h, w = numbers.shape
    kinds = np.zeros((h, w), np.int8)
    stack = np.empty(h * w, np.int64)
    openings = 0
    for r in range(h):
        for c in range(w):
            # A number on the rim of an opening may touch the next opening too, but never a zero of it
            # that is unseen: zeros that touch are one opening. So every unseen zero begins a new one.
            if numbers[r, c] == 0 and kinds[r, c] == UNSEEN:
                openings += 1
                flood(numbers, kinds, r, c, OPENING, stack)
    clicks = openings
    islands = 0
    for r in range(h):
        for c in range(w):
            if numbers[r, c] > 0 and kinds[r, c] == UNSEEN:
                islands += 1
                clicks += flood(numbers, kinds, r, c, ISLAND, stack)
    return clicks, openings, islands
