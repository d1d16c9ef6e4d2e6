"""Compiled: which cells can teach something.

A cell is *dead* if its number is the same in every layout in which it is safe: opening it tells nothing but
that it is safe. Deadness lasts: whatever is opened later only leaves fewer layouts. The simple reasons are
found here for all cells at once; a trial (`trial.py`) finds all reasons, for the cell it tries.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf
from msat.problem._kernels.boxes import REST, Flat
from msat.problem._kernels.grid import window

__all__ = ["mark_dead"]

Bytes = NDArray[np.int8]


@leaf
def _unknown_around(flat: Flat, x: int, h: int, w: int) -> int:
    count = 0
    r0, r1, c0, c1 = window(x // w, x % w, h, w)
    for r in range(r0, r1):
        for c in range(c0, c1):
            count += flat.box_of[r * w + c] >= REST
    return count - 1


@leaf
def _shared_around(flat: Flat, k: int, x: int, h: int, w: int) -> int:
    """How many of the unknown cells around `x` clue `k` touches."""
    count = 0
    r0, r1, c0, c1 = window(x // w, x % w, h, w)
    for r in range(r0, r1):
        for c in range(c0, c1):
            b = flat.box_of[r * w + c]
            if b >= 0 and r * w + c != x:
                for d in range(flat.box_degree[b]):
                    count += flat.box_clues[b, d] == k
    return count


@leaf
def mark_dead(flat: Flat, h: int, w: int, dead: Bytes) -> None:
    """Mark the cells with no unknown neighbour, or with exactly those of one of their clues."""
    for x in range(h * w):
        dead[x] = 0
        b = flat.box_of[x]
        if b < REST:
            continue
        around = _unknown_around(flat, x, h, w)
        if around == 0:
            dead[x] = 1
        elif b >= 0:
            for d in range(flat.box_degree[b]):
                k = flat.box_clues[b, d]
                if flat.clue_cells[k] - 1 == around and _shared_around(flat, k, x, h, w) == around:
                    dead[x] = 1
