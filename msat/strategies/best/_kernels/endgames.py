"""Compiled: what the exact search of endgames decides: closed pockets, and whole boards with few layouts.

A *pocket* is a component whose mine count is fixed and whose cells have hidden neighbours only within it.
Nothing outside can ever tell more about it, nor it about the outside, so it is a game of its own, to be
searched exactly whatever else the board holds. It has to be faced sooner or later, at the same chance; facing
it at once leaves the rest of the decisions to the rest of the board, and lost games end sooner.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE, SETTLED
from msat.engines.endgame._kernels.layouts import list_solutions
from msat.engines.endgame._kernels.search import SOLVED, search
from msat.problem._kernels.boxes import REST
from msat.problem._kernels.grid import window
from msat.strategies._kernels.game import ENDGAME, POCKET, STOP
from msat.strategies.best._kernels.components import Parts, log_layouts

__all__ = ["decide_late"]

Bytes = NDArray[np.int8]


@kernel
def _closed(parts: Parts, i: int, h: int, w: int) -> bool:
    """Whether component `i` is a pocket."""
    if parts.poly_at[i + 1] - parts.poly_at[i] != 1:
        return False
    box_of = parts.flat.box_of
    for x in range(h * w):
        if box_of[x] < 0 or parts.component[box_of[x]] != i:
            continue
        r0, r1, c0, c1 = window(x // w, x % w, h, w)
        for r in range(r0, r1):
            for c in range(c0, c1):
                b = box_of[r * w + c]
                if b == REST or (b >= 0 and parts.component[b] != i):
                    return False
    return True


@kernel
def _cut_out(parts: Parts, i: int, grid: Bytes, alone: Bytes) -> int:
    """Leave of `grid` only component `i` and what touches it; returns the mines of that."""
    h, w = grid.shape
    box_of = parts.flat.box_of
    mines = parts.low[i]
    for r in range(h):
        for c in range(w):
            value = np.int64(SETTLED)
            if grid[r, c] == MINE:
                value = np.int64(MINE)
                mines += 1
            elif grid[r, c] == HIDDEN:
                b = box_of[r * w + c]
                if b >= 0 and parts.component[b] == i:
                    value = np.int64(HIDDEN)
            else:
                r0, r1, c0, c1 = window(r, c, h, w)
                for y in range(r0, r1):
                    for x in range(c0, c1):
                        b = box_of[y * w + x]
                        if b >= 0 and parts.component[b] == i:
                            value = np.int64(grid[r, c])
            alone[r, c] = value
    return int(mines)


@kernel
def _search(board: Bytes, mines: int, most: int, nodes: int) -> tuple[int, float]:
    """(cell, chance to win) by perfect play, or (−1, 0) beyond so many layouts or nodes."""
    count, cells, values = list_solutions(board, mines, most)
    if count <= 0:
        return -1, 0.0
    status, wins, column, _ = search(values, nodes)
    if status != SOLVED or column < 0:
        return -1, 0.0
    return cells[column], wins / count


@kernel(apart=True, inside=True)
def decide_late(parts: Parts, grid: Bytes, mines: int, most: int, nodes: int) -> tuple[int, int, float]:
    """(kind, cell, chance): POCKET or ENDGAME and the best cell by exact search, or STOP.

    The chance is that of winning the pocket or the game. Searched are at most `most` layouts with `nodes`
    nodes; `grid` is the board with proven mines marked.
    """
    h, w = grid.shape
    # Pockets apart leave fewer layouts to the whole, but the whole is searched by products just as well.
    if log_layouts(parts) <= log(most + 0.5):
        cell, chance = _search(grid, mines, most, nodes)
        if cell >= 0:
            return ENDGAME, cell, chance
    for i in range(parts.low.size):
        if _closed(parts, i, h, w):
            alone = np.empty((h, w), np.int8)
            inside = _cut_out(parts, i, grid, alone)
            cell, chance = _search(alone, inside, most, nodes)
            if cell >= 0:
                return POCKET, cell, chance
    return STOP, -1, 0.0
