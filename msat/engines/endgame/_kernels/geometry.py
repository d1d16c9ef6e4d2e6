"""Compiled: the hidden cells of a board as columns, which of them touch, and what they show in a layout."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import HIDDEN, MINE, SAFE
from msat.problem._kernels.grid import window

__all__ = ["Geometry", "show_layout", "survey_hidden"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]


class Geometry(NamedTuple):
    """The cells to be opened, and which of them touch."""

    cells: Ints  # positions, ascending
    column_of: Ints  # per position: its place in `cells`, or −1
    known: Ints  # per cell: known mines around it
    around: Ints  # (n, 8): the hidden cells around it …
    degree: Ints  # … and how many they are


@kernel(apart=True, inside=True)
def survey_hidden(board: Bytes) -> Geometry:
    """The cells of a board that are hidden, or known to be safe and not opened yet."""
    h, w = board.shape
    n = 0
    column_of = np.full(h * w, -1, np.int64)
    for at in range(h * w):
        if board[at // w, at % w] == HIDDEN or board[at // w, at % w] == SAFE:
            column_of[at] = n
            n += 1
    cells = np.empty(n, np.int64)
    known = np.zeros(n, np.int64)
    around = np.empty((n, 8), np.int64)
    degree = np.zeros(n, np.int64)
    for at in range(h * w):
        i = column_of[at]
        if i < 0:
            continue
        cells[i] = at
        r = at // w
        c = at % w
        r0, r1, c0, c1 = window(r, c, h, w)
        for y in range(r0, r1):
            for x in range(c0, c1):
                if board[y, x] == MINE:
                    known[i] += 1
                elif board[y, x] == HIDDEN and (y != r or x != c):
                    around[i, degree[i]] = column_of[y * w + x]
                    degree[i] += 1
    return Geometry(cells, column_of, known, around, degree)


@leaf
def show_layout(geometry: Geometry, mined: Bytes, row: Bytes) -> None:
    """The number that every cell would show, −1 where it is a mine; `mined` tells where mines are."""
    for i in range(mined.size):
        if mined[i]:
            row[i] = -1
            continue
        number = geometry.known[i]
        for d in range(geometry.degree[i]):
            number += mined[geometry.around[i, d]]
        row[i] = number
