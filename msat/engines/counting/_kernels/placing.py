"""Compiled: from mines per box to mines in cells.

Cells of a box are touched by the same clues, so every choice of x of its cells is as good as any other; the
same holds for the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.philox import Stream, below
from msat.problem._kernels.boxes import NOT_UNKNOWN, REST, Flat

__all__ = ["group_cells", "place"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]


@kernel
def group_cells(flat: Flat) -> tuple[Ints, Ints]:
    """(cells, start): the cells of every box, box after box, and then those of the rest."""
    boxes = flat.box_size.size
    start = np.zeros(boxes + 2, np.int64)
    for b in range(boxes):
        start[b + 1] = start[b] + flat.box_size[b]
    start[boxes + 1] = flat.unknown
    cells = np.empty(flat.unknown, np.int64)
    filled = start[: boxes + 1].copy()
    for cell in range(flat.box_of.size):
        b = flat.box_of[cell]
        if b == NOT_UNKNOWN:
            continue
        if b == REST:
            b = boxes
        cells[filled[b]] = cell
        filled[b] += 1
    return cells, start


@leaf
def place(grid: Bytes, cells: Ints, start: Ints, amounts: Ints, stream: Stream, layout: Bytes) -> None:
    """Write a layout, 1 for a mine: those that the grid knows, and amounts[g] mines in each group of cells.

    Grid and layout are rows of cells here: to divide by a width took as long as all the rest.
    Every choice of cells is as likely as any other, by Floyd's algorithm: it takes one random number a mine,
    and needs no list of what is left.
    """
    for x in range(grid.size):
        layout[x] = grid[x] == -2
    for g in range(amounts.size):
        size = start[g + 1] - start[g]
        for j in range(size - amounts[g], size):
            at = cells[start[g] + below(stream, j + 1)]
            if layout[at]:
                at = cells[start[g] + j]
            layout[at] = 1
