"""Compiled: some of the layouts that agree with a board, drawn at random, for a search of the endgame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines._kernels.answer import ANSWERED
from msat.engines._kernels.sample import sample_layouts
from msat.strategies._kernels.game import HIDDEN, MINE
from msat.strategies._kernels.redraw import number

__all__ = ["select_layouts"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

PRIME = 2147483647  # below 2^31: nothing overflows, also uncompiled
FACTOR = 48271


@kernel
def _first_of_its_kind(values: Bytes) -> NDArray[np.bool_]:
    """Per row: whether it differs from all before it."""
    n, columns = values.shape
    hashes = np.zeros(n, np.int64)
    for i in range(n):
        for j in range(columns):
            hashes[i] = (FACTOR * hashes[i] + int(values[i, j]) + 2) % PRIME
    first = np.ones(n, np.bool_)
    order = np.argsort(hashes, kind="mergesort")  # equal rows follow each other, in the order drawn
    for t in range(1, n):
        one = order[t - 1]
        other = order[t]
        if hashes[one] == hashes[other]:
            first[other] = not (values[one] == values[other]).all()
    return first


@kernel
def select_layouts(board: Bytes, mines: int, n: int, seed: int) -> tuple[int, Ints, Bytes]:
    """(status, cells, values[layout, cell]): the different ones among n layouts drawn at random.

    Cells and values are those of `list_solutions`, for the hidden cells; the status is that of
    `sample_layouts`. The first layouts are the same for every n.
    """
    h, w = board.shape
    cells = np.flatnonzero(board.ravel() == HIDDEN)
    drawn = np.empty((n, h, w), np.int8)
    values = np.empty((n, cells.size), np.int8)
    status = sample_layouts(board, mines, n, seed, drawn)
    if status != ANSWERED:
        return status, cells, values[:0]
    numbers = np.empty((h, w), np.int8)
    for i in range(n):
        number(drawn[i], numbers)
        for j in range(cells.size):
            shown = numbers[cells[j] // w, cells[j] % w]
            values[i, j] = -1 if shown == MINE else shown
    return status, cells, values[_first_of_its_kind(values)]
