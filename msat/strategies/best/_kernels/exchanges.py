"""Compiled: exchanges of mines that nothing can notice but the cells that take part.

Mines move from one or two cells to as many others close by. Every open cell touches as many mines before as
after, and the hidden cells for which that changes, the *witnesses*, are mines themselves, which show nothing.
So both layouts agree with the board, and no cell that is safe in both tells them apart: they are rivals, of
which no strategy wins both (`engines/endgame/_kernels/cliques.py`). A 50/50 is an exchange without witnesses.

Larger exchanges are left out. On boards of expert games with some thousand layouts, those found here join
four of five layouts with rivals to the cliques that they belong to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.endgame._kernels.geometry import Geometry
from msat.problem._kernels.grid import fill_marks, touches, window

__all__ = ["WITNESSES", "direction", "find_exchanges"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

# The fields of an exchange; −1 for none.
ONE_SIDE = 0  # up to two columns …
OTHER_SIDE = 2  # … up to as many …
WITNESSES = 4  # … and those that have to be mines
FIELDS = 7

MOST_EXCHANGES = 1000
MARK_SHIFT = 24  # for sums of up to eight marks
ALONE = 2  # how far a mine moves alone; two that move together go to the next cells …
APART = 3  # … and are at most so far from each other


@kernel
def _open_around(board: Bytes, cells: Ints) -> Ints:
    """Per cell: a number that stands for the open cells around it; those of sets add up."""
    h, w = board.shape
    marks = np.empty(h * w, np.int64)
    fill_marks(marks, MARK_SHIFT)
    total = np.zeros(cells.size, np.int64)
    for j in range(cells.size):
        r = cells[j] // w
        c = cells[j] % w
        r0, r1, c0, c1 = window(r, c, h, w)
        for y in range(r0, r1):
            for x in range(c0, c1):
                if board[y, x] >= 0:
                    total[j] += marks[y * w + x]
    return total


@leaf
def _find_witnesses(next_to: Ints, degree: Ints, more: Ints, exchange: Ints) -> bool:
    """Fill in the witnesses of an exchange; False if there are more than it has room for.

    `more` is room for a number per column, all 0 before and after.
    """
    for t in range(WITNESSES):
        for i in range(degree[exchange[t]] if exchange[t] >= 0 else 0):
            more[next_to[exchange[t], i]] += 1 if t < OTHER_SIDE else -1
    for t in range(WITNESSES):
        if exchange[t] >= 0:
            more[exchange[t]] = 0
    end = WITNESSES
    for t in range(WITNESSES):
        for i in range(degree[exchange[t]] if exchange[t] >= 0 else 0):
            column = next_to[exchange[t], i]
            if more[column] != 0:
                more[column] = 0
                if end < FIELDS:
                    exchange[end] = column
                end += 1
    return end <= FIELDS


@leaf
def _keep(next_to: Ints, degree: Ints, more: Ints, exchanges: Ints, found: int) -> int:
    """How many exchanges there are with the next one; it is cleared if it has too many witnesses."""
    exchange = exchanges[found]
    if found < MOST_EXCHANGES and _find_witnesses(next_to, degree, more, exchange):
        return found + 1
    for t in range(FIELDS):
        exchange[t] = -1
    return found


@leaf
def _find_pairs(
    cells: Ints,
    w: int,
    around: Ints,
    next_to: Ints,
    degree: Ints,
    more: Ints,
    a: int,
    other: int,
    exchanges: Ints,
    found: int,
) -> int:
    """Add the exchanges in which the mines of columns `a` and `other` move; returns how many there are."""
    both = around[a] + around[other]
    for i in range(degree[a]):
        b = next_to[a, i]
        if b < a or b == other:
            continue
        for k in range(degree[other]):
            c = next_to[other, k]
            if around[b] + around[c] != both or c <= a or c == b:
                continue
            if c < b and touches(cells[a], cells[c], w) and touches(cells[other], cells[b], w):
                continue  # found with b and c the other way round
            exchanges[found, ONE_SIDE] = a
            exchanges[found, ONE_SIDE + 1] = other
            exchanges[found, OTHER_SIDE] = b
            exchanges[found, OTHER_SIDE + 1] = c
            found = _keep(next_to, degree, more, exchanges, found)
    return found


@kernel(apart=True, inside=True)
def find_exchanges(board: Bytes, geometry: Geometry) -> Ints:
    """The exchanges of a board, for the columns of its hidden cells; proven mines are marked.

    There are MOST_EXCHANGES at the most.
    """
    h, w = board.shape
    cells = geometry.cells
    n = cells.size
    column_of = geometry.column_of.reshape(h, w)
    around = _open_around(board, cells)
    next_to, degree = geometry.around, geometry.degree
    more = np.zeros(n, np.int64)
    exchanges = np.full((MOST_EXCHANGES + 1, FIELDS), -1, np.int64)
    found = 0
    for a in range(n):
        r = cells[a] // w
        c = cells[a] % w
        for y in range(r, min(r + ALONE + 1, h)):
            for x in range(max(c - ALONE, 0), min(c + ALONE + 1, w)):
                b = column_of[y, x]
                if b > a and around[a] == around[b]:
                    exchanges[found, ONE_SIDE] = a
                    exchanges[found, OTHER_SIDE] = b
                    found = _keep(next_to, degree, more, exchanges, found)
    for a in range(n):
        r = cells[a] // w
        c = cells[a] % w
        for y in range(r, min(r + APART + 1, h)):
            for x in range(max(c - APART, 0), min(c + APART + 1, w)):
                other = column_of[y, x]
                if other > a:
                    found = _find_pairs(cells, w, around, next_to, degree, more, a, other, exchanges, found)
        if found == MOST_EXCHANGES:
            break
    return exchanges[:found]


@leaf
def direction(exchange: Ints, mined: Bytes) -> int:
    """1 if a layout's mines can move from the one side to the other, −1 if back, 0 if they cannot."""
    one = mined[exchange[ONE_SIDE]]
    if one == mined[exchange[OTHER_SIDE]]:
        return 0
    if exchange[ONE_SIDE + 1] >= 0 and (
        mined[exchange[ONE_SIDE + 1]] != one or mined[exchange[OTHER_SIDE + 1]] == one
    ):
        return 0
    for t in range(WITNESSES, FIELDS):
        if exchange[t] >= 0 and not mined[exchange[t]]:
            return 0
    return 1 if one else -1
