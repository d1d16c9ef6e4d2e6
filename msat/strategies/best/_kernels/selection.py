"""Compiled: some of the layouts that agree with a board, drawn at random, for a search of the endgame.

Single layouts would flatter the board: of two that no strategy tells apart, mostly only one would be drawn,
and so be won. So they are drawn in families: a layout, and all that exchanges of mines lead to from there
(`exchanges.py`). Every family is as likely as any other: of those drawn, a layout counts only if it is
the first of its family, and then it brings in the others. So there are on average as many as were drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting._kernels.sample import sample_layouts
from msat.engines.endgame._kernels.geometry import show_layout, survey_hidden
from msat.problem._kernels.grid import fill_marks
from msat.strategies.best._kernels.exchanges import WITNESSES, direction, find_exchanges

__all__ = ["select_layouts"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

LARGEST_FAMILY = 64  # larger ones hardly occur

MARK_SHIFT = 16  # sums of the marks of all cells stay within a word

BATCH_CELLS = 1 << 20  # of layouts that are drawn at once


@leaf
def _grow_family(exchanges: Ints, marks: Ints, members: Bytes, hashes: Ints) -> int:
    """Put all layouts that exchanges lead to behind the first member; how many, or 0 if that is not first.

    The first of a family is the one with the lowest hash, the sum of the marks of its mines. Of a family for
    which there is no room, a layout stands alone if no lower one is found before; most of them count as 0.
    """
    n = members.shape[1]
    hashes[0] = 0
    for j in range(n):
        hashes[0] += marks[j] * members[0, j]
    size = 1
    at = 0
    while at < size:
        for e in range(exchanges.shape[0]):
            sign = direction(exchanges[e], members[at])
            if sign == 0:
                continue
            mixed = hashes[at]
            for t in range(WITNESSES):
                if exchanges[e, t] >= 0:
                    mixed += marks[exchanges[e, t]] * (1 - 2 * members[at, exchanges[e, t]])
            if mixed < hashes[0]:
                return 0
            known = False
            for i in range(size):
                known |= hashes[i] == mixed
            if known:
                continue
            if size == members.shape[0]:
                return 1
            for j in range(n):
                members[size, j] = members[at, j]
            for t in range(WITNESSES):
                if exchanges[e, t] >= 0:
                    members[size, exchanges[e, t]] = 1 - members[at, exchanges[e, t]]
            hashes[size] = mixed
            size += 1
        at += 1
    return size


@leaf
def _is_new(table: Ints, mixed: int) -> bool:
    """Whether a hash is not yet in a table, whose size is a power of two; then it is afterwards."""
    slot = mixed & (table.size - 1)
    while table[slot] >= 0:
        if table[slot] == mixed:
            return False
        slot = (slot + 1) & (table.size - 1)
    table[slot] = mixed
    return True


@kernel(apart=True)
def select_layouts(board: Bytes, mines: int, n: int, seed: int) -> tuple[int, Ints, Bytes, Ints]:
    """(status, cells, values[layout, cell], families): about n layouts, drawn at random, each once.

    There are n draws, hardly ever more than 2n layouts. Cells and values are those of `list_solutions`, for
    the hidden cells; proven mines are best marked on the board. `families` are where these begin, and where
    the last one ends. The status is that of `sample_layouts`. The first layouts are the same for every n.
    """
    h, w = board.shape
    geometry = survey_hidden(board)
    cells = geometry.cells
    exchanges = find_exchanges(board, geometry)
    marks = np.empty(cells.size, np.int64)
    fill_marks(marks, MARK_SHIFT)
    slots = 256
    while slots < 2 * n:
        slots *= 2
    drawn_before = np.full(slots, -1, np.int64)  # hashes of families
    families = np.zeros(n + 1, np.int64)
    members = np.empty((LARGEST_FAMILY, cells.size), np.int8)
    hashes = np.empty(LARGEST_FAMILY, np.int64)
    values = np.empty((2 * n + LARGEST_FAMILY, cells.size), np.int8)
    batch = max(BATCH_CELLS // board.size, 1)
    drawn = np.empty((min(batch, n), h, w), np.int8)
    flat = drawn.reshape(drawn.shape[0], h * w)
    found = 0
    count = 0
    for begin in range(0, n, batch):
        if found >= 2 * n:
            break
        here = min(batch, n - begin)
        status = sample_layouts(board, mines, here, seed + begin // batch, drawn)
        if status != ANSWERED:
            return status, cells, values[:0], families[:1]
        for i in range(here):
            if found >= 2 * n:
                break
            for j in range(cells.size):
                members[0, j] = flat[i, cells[j]]
            size = _grow_family(exchanges, marks, members, hashes)
            if size > 0 and _is_new(drawn_before, hashes[0]):
                for t in range(size):
                    show_layout(geometry, members[t], values[found + t])
                found += size
                count += 1
                families[count] = found
    return ANSWERED, cells, values[:found], families[: count + 1]
