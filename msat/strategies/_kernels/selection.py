"""Compiled: some of the layouts that agree with a board, drawn at random, for a search of the endgame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines._kernels.answer import ANSWERED
from msat.engines._kernels.sample import sample_layouts
from msat.strategies._kernels.game import HIDDEN

__all__ = ["select_layouts"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

PRIME = 2147483647  # below 2^31: nothing overflows, also uncompiled
FACTOR = 48271

BATCH_CELLS = 1 << 20  # of layouts that are drawn at once


@leaf
def _shown(mined: Bytes, r: int, c: int) -> int:
    """What a cell shows in a layout (1 for a mine): the mines around it, or −1 if it is one."""
    if mined[r, c]:
        return -1
    h, w = mined.shape
    around = 0
    for i in range(max(r - 1, 0), min(r + 2, h)):
        for j in range(max(c - 1, 0), min(c + 2, w)):
            around += mined[i, j]
    return around


@kernel
def _first_of_its_kind(values: Bytes) -> NDArray[np.bool_]:
    """Per row: whether it differs from all before it."""
    n, columns = values.shape
    hashes = np.zeros(n, np.int64)
    for i in range(n):
        for j in range(columns):
            hashes[i] = (FACTOR * hashes[i] + int(values[i, j]) + 2) % PRIME
    first = np.ones(n, np.bool_)
    order = np.argsort(hashes, kind="mergesort")
    for t in range(1, n):
        row = order[t]
        before = t - 1
        while before >= 0 and hashes[order[before]] == hashes[row] and first[row]:
            first[row] = not (values[order[before]] == values[row]).all()
            before -= 1
    return first


@kernel
def select_layouts(board: Bytes, mines: int, n: int, seed: int) -> tuple[int, Ints, Bytes]:
    """(status, cells, values[layout, cell]): the different ones among n layouts drawn at random.

    Cells and values are those of `list_solutions`, for the hidden cells; the status is that of
    `sample_layouts`. The first layouts are the same for every n.
    """
    h, w = board.shape
    cells = np.flatnonzero(board.ravel() == HIDDEN)
    values = np.empty((n, cells.size), np.int8)
    batch = max(BATCH_CELLS // board.size, 1)
    drawn = np.empty((min(batch, n), h, w), np.int8)
    for begin in range(0, n, batch):
        size = min(batch, n - begin)
        status = sample_layouts(board, mines, size, seed + begin // batch, drawn)
        if status != ANSWERED:
            return status, cells, values[:0]
        for i in range(size):
            for j in range(cells.size):
                values[begin + i, j] = _shown(drawn[i], cells[j] // w, cells[j] % w)
    return ANSWERED, cells, values[_first_of_its_kind(values)]
