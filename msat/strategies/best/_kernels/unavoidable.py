"""Compiled: risks that nothing opened elsewhere can ever lower, and that are therefore taken at once.

Two reasons are looked for; both rest on a swap that turns layouts into layouts and that no number shown by
another cell can notice, now or later.

*Twins* are two cells that every clue and every other unknown cell touches both or neither, and of which at
most one is a mine. Say a strategy wins some layouts. Where it opens twin b first, let it open twin a instead:
by the swap it wins as many. Then it loses every layout with a mine in a, for it must open b there, and opens
a before that. So opening a at once loses nothing that was not lost, and what a shows may help.

*Rings* are cells linked by clues that need one mine in two cells: every other one of them is a mine, and
there are two ways. If as many mines lie in either, and every clue and every unknown cell elsewhere touches as
many cells of the one way as of the other, then it is a guess at a half whenever it is made. It need not be
right to make it at once: which half to open may depend on what else is seen, if their numbers tell different
things. So each cell of the one way needs its counterpart in the other, with the same unknown cells around.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.problem._kernels.boxes import REST, Flat
from msat.problem._kernels.grid import touches, window

__all__ = ["unavoidable"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]


@leaf
def _one_at_most(flat: Flat, b: int) -> bool:
    """Whether some clue of box `b` needs one mine only."""
    found = False
    for d in range(flat.box_degree[b]):
        found |= flat.clue_need[flat.box_clues[b, d]] == 1
    return found


@leaf
def _around_both(flat: Flat, x: int, y: int, h: int, w: int, side: Bytes) -> bool:
    """Whether every unknown cell around `x` also touches `y`, but for these and those that have a side."""
    r0, r1, c0, c1 = window(x // w, x % w, h, w)
    for r in range(r0, r1):
        for c in range(c0, c1):
            z = r * w + c
            if z not in (x, y) and side[z] == 0 and flat.box_of[z] >= REST and not touches(z, y, w):
                return False
    return True


@leaf
def _twin(flat: Flat, x: int, h: int, w: int, side: Bytes) -> bool:
    """Whether cell `x` has a twin later on the board. Cells of one box are touched by the same clues."""
    b = flat.box_of[x]
    for r in range(x // w, min(x // w + 3, h)):
        for c in range(max(x % w - 2, 0), min(x % w + 3, w)):
            y = r * w + c
            if (
                y > x
                and flat.box_of[y] == b
                and _around_both(flat, x, y, h, w, side)
                and _around_both(flat, y, x, h, w, side)
            ):
                return True
    return False


@leaf
def _link(flat: Flat, k: int) -> bool:
    return bool(flat.clue_need[k] == 1 and flat.clue_cells[k] == 2)


@leaf
def _linked(flat: Flat, x: int) -> bool:
    """Whether a link touches cell `x`."""
    found = False
    b = flat.box_of[x]
    if b >= 0:
        for d in range(flat.box_degree[b]):
            found |= _link(flat, flat.box_clues[b, d])
    return found


@leaf
def _gather(flat: Flat, start: int, h: int, w: int, side: Bytes, ring: Ints) -> int:
    """Collect in `ring` the cells that links join to `start`, marked 1 or −1 in `side`; how many they are."""
    ring[0] = start
    side[start] = 1
    count = 1
    done = 0
    while done < count:
        x = ring[done]
        done += 1
        b = flat.box_of[x]
        for d in range(flat.box_degree[b]):
            k = flat.box_clues[b, d]
            if not _link(flat, k):
                continue
            at = flat.clue_cell[k]
            r0, r1, c0, c1 = window(at // w, at % w, h, w)
            for r in range(r0, r1):
                for c in range(c0, c1):
                    y = r * w + c
                    if flat.box_of[y] >= 0 and side[y] == 0:
                        side[y] = -side[x]
                        ring[count] = y
                        count += 1
    return count


@leaf
def _balanced(flat: Flat, grid: Bytes, side: Bytes, ring: Ints) -> bool:
    """Whether both ways have as many mines, also around every clue and unknown cell elsewhere."""
    h, w = grid.shape
    total = 0
    for x in ring:
        total += int(side[x])
        r0, r1, c0, c1 = window(x // w, x % w, h, w)
        for r in range(r0, r1):
            for c in range(c0, c1):
                z = r * w + c
                if side[z] != 0 or not (flat.box_of[z] >= REST or grid[r, c] >= 0):
                    continue
                around = 0
                i0, i1, j0, j1 = window(r, c, h, w)
                for i in range(i0, i1):
                    for j in range(j0, j1):
                        around += int(side[i * w + j])
                if around != 0:
                    return False
    return total == 0


@leaf
def _matched(flat: Flat, h: int, w: int, side: Bytes, ring: Ints) -> bool:
    """Whether every cell of a ring has its counterpart, with the same unknown cells around."""
    for x in ring:
        surplus = 0
        for y in ring:
            if _around_both(flat, x, y, h, w, side) and _around_both(flat, y, x, h, w, side):
                surplus += int(side[y])
        if surplus != 0:
            return False
    return True


@kernel(apart=True, inside=True)
def unavoidable(flat: Flat, grid: Bytes) -> int:
    """A cell to be opened at once though it may be a mine, or −1."""
    h, w = grid.shape
    side = np.zeros(h * w, np.int8)
    for x in range(h * w):
        b = flat.box_of[x]
        if b >= 0 and flat.box_size[b] > 1 and _one_at_most(flat, b) and _twin(flat, x, h, w, side):
            return x
    seen = np.zeros(h * w, np.int8)
    ring = np.empty(h * w, np.int64)
    for start in range(h * w):
        if seen[start] or not _linked(flat, start):
            continue
        count = _gather(flat, start, h, w, side, ring)
        found = _balanced(flat, grid, side, ring[:count]) and _matched(flat, h, w, side, ring[:count])
        for x in ring[:count]:
            side[x] = 0
            seen[x] = 1
        if found:
            return start
    return -1
