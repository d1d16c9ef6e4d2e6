"""Compiled: cells of a plain grid, their neighbours, and the numbers that they show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import MINE

__all__ = ["FACTOR", "PRIME", "fill_marks", "show_numbers", "touches", "window"]

# A small generator of numbers that look random: x → FACTOR · x mod PRIME. Nothing overflows, also uncompiled.
PRIME = 2147483647
FACTOR = 48271


@leaf
def window(r: int, c: int, h: int, w: int) -> tuple[int, int, int, int]:
    """The rows and columns of a cell and its neighbours: from, to, from, to.

    One kernel, for speed of compiling: each `max` and `min` of a caller would be compiled there.
    """
    return max(r - 1, 0), min(r + 2, h), max(c - 1, 0), min(c + 2, w)


@leaf
def fill_marks(marks: NDArray[np.int64], shift: int) -> None:
    """Fill `marks` with numbers that look random: sums and exclusive ors of some hardly ever agree."""
    draw = 20011
    for i in range(marks.size):
        high = FACTOR * draw % PRIME
        draw = FACTOR * high % PRIME
        marks[i] = (high << shift) ^ draw


@leaf
def touches(x: int, y: int, w: int) -> bool:
    """Whether a cell is another one or next to it; both are positions on a board of width `w`."""
    return abs(x // w - y // w) <= 1 and abs(x % w - y % w) <= 1


@kernel
def show_numbers(mined: NDArray[np.int8], numbers: NDArray[np.int8]) -> None:
    """Fill `numbers` with what the cells of a layout (1 for a mine) show, −2 at mines."""
    h, w = mined.shape
    for r in range(h):
        for c in range(w):
            top, bottom, left, right = window(r, c, h, w)
            around = 0
            for i in range(top, bottom):
                for j in range(left, right):
                    around += mined[i, j]
            numbers[r, c] = MINE if mined[r, c] else around
