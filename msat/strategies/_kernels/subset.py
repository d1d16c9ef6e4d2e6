"""Compiled: the decisions of `subset` (document 003), which splits overlapping clues until none splits.

A clue is a set of hidden cells and its number of mines. Two clues whose overlap can hold only one number of
mines are replaced by the overlap and what remains of each. A cell is in no more clues afterwards than
before, hence in eight at most (nine while a corner is split off), which bounds the work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE
from msat.engines.counting._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE
from msat.problem._kernels.grid import window
from msat.strategies._kernels import game
from msat.strategies._kernels.game import Table
from msat.strategies._kernels.turns import ONGOING, advance, standing

__all__ = ["decide_subset", "play_subset"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

# The fields of `Clues.ends`.
SPARE = 0  # how many clue numbers are unused
WAITING = 1  # how many clues are waiting to be compared with those they overlap


class Clues(NamedTuple):
    """Sets of cells with their number of mines; a clue of size 0 is unused."""

    cells: Ints  # (n, 8), ascending
    size: Ints
    mines: Ints
    member: Ints  # (area, 9): the clues of a cell …
    degree: Ints  # … and how many they are
    spare: Ints
    queue: Ints
    ends: Ints


@kernel
def _new_clues(area: int) -> Clues:
    """No clue yet."""
    room = 8 * area + 8
    clues = Clues(
        np.empty((room, 8), np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.empty((area, 9), np.int64),
        np.zeros(area, np.int64),
        np.arange(room),
        np.empty(8 * room, np.int64),
        np.zeros(2, np.int64),
    )
    clues.ends[SPARE] = room
    return clues


@kernel
def _remove(clues: Clues, x: int) -> None:
    """Take a clue away."""
    for k in range(clues.size[x]):
        cell = clues.cells[x, k]
        for d in range(clues.degree[cell]):
            if clues.member[cell, d] == x:
                clues.degree[cell] -= 1
                clues.member[cell, d] = clues.member[cell, clues.degree[cell]]
                break
    clues.size[x] = 0
    clues.spare[clues.ends[SPARE]] = x
    clues.ends[SPARE] += 1


@kernel
def _same(clues: Clues, x: int, cells: Ints, size: int) -> bool:
    """Whether a clue has exactly these cells."""
    if clues.size[x] != size:
        return False
    same = True
    for k in range(size):
        same &= clues.cells[x, k] == cells[k]
    return same


@kernel
def _add(clues: Clues, cells: Ints, size: int, mines: int) -> None:
    """Add a clue, unless there is one of the same cells, and have it compared with the others."""
    if size == 0:
        return
    first = cells[0]
    for d in range(clues.degree[first]):
        if _same(clues, clues.member[first, d], cells, size):
            return
    clues.ends[SPARE] -= 1
    x = clues.spare[clues.ends[SPARE]]
    clues.size[x] = size
    clues.mines[x] = mines
    for k in range(size):
        cell = cells[k]
        clues.cells[x, k] = cell
        clues.member[cell, clues.degree[cell]] = x
        clues.degree[cell] += 1
    clues.queue[clues.ends[WAITING]] = x
    clues.ends[WAITING] += 1


@kernel
def _collect(board: Bytes, clues: Clues) -> None:
    """The clues that the numbers of a board give."""
    h, w = board.shape
    cells = np.empty(8, np.int64)
    for r in range(h):
        for c in range(w):
            if board[r, c] < 0:
                continue
            size = 0
            mines = int(np.int64(board[r, c]))  # not int8: `_add` would be compiled once more
            r0, r1, c0, c1 = window(r, c, h, w)
            for i in range(r0, r1):
                for j in range(c0, c1):
                    if board[i, j] == HIDDEN:
                        cells[size] = i * w + j
                        size += 1
                    elif board[i, j] == MINE:
                        mines -= 1
            _add(clues, cells, size, mines)


@kernel
def _part(clues: Clues, x: int, y: int, inside: bool, cells: Ints) -> int:
    """Write the cells of x that are (not) in y too; returns how many."""
    count = 0
    for k in range(clues.size[x]):
        cell = clues.cells[x, k]
        found = False
        for d in range(clues.degree[cell]):
            found |= clues.member[cell, d] == y
        if found == inside:
            cells[count] = cell
            count += 1
    return count


@kernel
def _bounds(clues: Clues, x: int, y: int, shared: int) -> tuple[int, int]:
    """The fewest and the most mines that the overlap of two clues can hold."""
    least = max(
        0,
        clues.mines[x] - (clues.size[x] - shared),
        clues.mines[y] - (clues.size[y] - shared),
    )
    return least, min(clues.mines[x], clues.mines[y], shared)


@kernel
def _split(clues: Clues, x: int, y: int, shared: int, mines: int) -> None:
    """Replace two clues by their overlap, which holds `mines`, and what remains of each."""
    overlap = np.empty(8, np.int64)
    only_x = np.empty(8, np.int64)
    only_y = np.empty(8, np.int64)
    _part(clues, x, y, True, overlap)
    size_x = _part(clues, x, y, False, only_x)
    size_y = _part(clues, y, x, False, only_y)
    mines_x = clues.mines[x] - mines
    mines_y = clues.mines[y] - mines
    if size_x > 0 or size_y == 0:
        _remove(clues, x)
    if size_y > 0:
        _remove(clues, y)
    _add(clues, overlap, shared, mines)
    _add(clues, only_x, size_x, mines_x)
    _add(clues, only_y, size_y, mines_y)


@kernel
def _compare(clues: Clues, x: int) -> int:
    """Split x with the first clue that it splits with: 1, or 0 if there is none, −1 if two contradict."""
    cells = np.empty(8, np.int64)
    for k in range(clues.size[x]):
        cell = clues.cells[x, k]
        for d in range(clues.degree[cell]):
            y = clues.member[cell, d]
            if y == x:
                continue
            shared = _part(clues, x, y, True, cells)
            if cells[0] != cell:
                continue  # compared at an earlier cell
            least, most = _bounds(clues, x, y, shared)
            if least > most:
                return -1
            if least == most:
                _split(clues, x, y, shared, least)
                return 1
    return 0


@kernel
def _close(clues: Clues) -> bool:
    """Compare until nothing splits; False if two clues contradict."""
    while clues.ends[WAITING]:
        clues.ends[WAITING] -= 1
        x = clues.queue[clues.ends[WAITING]]
        if clues.size[x] == 0:
            continue
        outcome = _compare(clues, x)
        if outcome < 0:
            return False
        if outcome > 0 and clues.size[x]:
            clues.queue[clues.ends[WAITING]] = x
            clues.ends[WAITING] += 1
    return True


@kernel
def _split_corner(clues: Clues, m: int) -> bool:
    """Split m where two others, whose overlaps with m are disjoint, settle the mines of what remains of m."""
    near = np.empty(64, np.int64)
    count = 0
    for k in range(clues.size[m]):
        cell = clues.cells[m, k]
        for d in range(clues.degree[cell]):
            y = clues.member[cell, d]
            known = y == m
            for i in range(count):
                known |= near[i] == y
            if not known:
                near[count] = y
                count += 1
    cells_a = np.empty(8, np.int64)
    cells_b = np.empty(8, np.int64)
    rest = np.empty(8, np.int64)
    for i in range(count):
        a = near[i]
        size_a = _part(clues, m, a, True, cells_a)
        least_a, most_a = _bounds(clues, m, a, size_a)
        for j in range(i + 1, count):
            b = near[j]
            size_b = _part(clues, m, b, True, cells_b)
            least_b, most_b = _bounds(clues, m, b, size_b)
            remains = clues.size[m] - size_a - size_b
            if remains <= 0:
                continue
            disjoint = True
            for t in range(size_a):
                for u in range(size_b):
                    disjoint &= cells_a[t] != cells_b[u]
            least = max(0, clues.mines[m] - most_a - most_b)
            most = min(remains, clues.mines[m] - least_a - least_b)
            if not disjoint or least != most:
                continue
            size = 0
            for t in range(clues.size[m]):
                cell = clues.cells[m, t]
                inside = False
                for u in range(size_a):
                    inside |= cells_a[u] == cell
                for u in range(size_b):
                    inside |= cells_b[u] == cell
                if not inside:
                    rest[size] = cell
                    size += 1
            _add(clues, rest, size, least)
            return bool(clues.ends[WAITING] > 0)
    return False


@kernel
def _read(clues: Clues, width: int, verdict: Bytes) -> bool:
    """Write what clues without or full of mines say; is any cell safe?"""
    safe = False
    for x in range(clues.size.size):
        if clues.size[x] == 0 or 0 < clues.mines[x] < clues.size[x]:
            continue
        for k in range(clues.size[x]):
            cell = clues.cells[x, k]
            verdict[cell // width, cell % width] = PROVEN_SAFE if clues.mines[x] == 0 else PROVEN_MINE
        safe |= clues.mines[x] == 0
    return safe


@kernel
def _count_down(board: Bytes, mines: int, clues: Clues, verdict: Bytes) -> bool:
    """From the mine total: take disjoint clues away; what remains may be free or full of mines."""
    h, w = board.shape
    left = mines
    hidden = 0
    for r in range(h):
        for c in range(w):
            left -= board[r, c] == MINE
            hidden += board[r, c] == HIDDEN
    alive = np.flatnonzero(clues.size)
    taken = np.empty(h * w, np.bool_)
    safe = False
    for first in range(max(1, alive.size)):
        taken[:] = False
        mines_left = left
        cells_left = hidden
        for n in range(alive.size):
            x = alive[(first + n) % alive.size]
            free = True
            for k in range(clues.size[x]):
                free &= not taken[clues.cells[x, k]]
            if free:
                mines_left -= clues.mines[x]
                cells_left -= clues.size[x]
                for k in range(clues.size[x]):
                    taken[clues.cells[x, k]] = True
        if cells_left == 0 or 0 < mines_left < cells_left:
            continue
        for r in range(h):
            for c in range(w):
                if board[r, c] == HIDDEN and not taken[r * w + c]:
                    verdict[r, c] = PROVEN_SAFE if mines_left == 0 else PROVEN_MINE
        safe |= mines_left == 0
    return safe


@kernel(apart=True)
def decide_subset(
    board: Bytes, mines: int, corners: bool, mine_count: bool, verdict: Bytes
) -> tuple[int, int, float]:
    """What `subset` does on a board: (kind, −1, safety); `verdict` filled."""
    h, w = board.shape
    verdict[:] = OPEN
    clues = _new_clues(h * w)
    _collect(board, clues)
    if not _close(clues):
        return game.UNANSWERED, -1, 0.0
    safe = _read(clues, w, verdict)
    while corners and not safe:
        found = False
        for m in range(clues.size.size):
            if clues.size[m] and _split_corner(clues, m):
                found = True
                break
        if not found:
            break
        if not _close(clues):
            return game.UNANSWERED, -1, 0.0
        safe = _read(clues, w, verdict)
    if safe:
        return game.RULE, -1, 1.0
    if mine_count and _count_down(board, mines, clues, verdict):
        return game.COUNT, -1, 1.0
    return game.STOP, -1, 0.0


@kernel(apart=True)
def play_subset(
    numbers: Bytes, mines: int, r: int, c: int, corners: bool, mine_count: bool
) -> tuple[int, Table]:
    """A whole game: how it ended, and its table."""
    table = game.lay(numbers, mines, r, c)
    end = standing(table)
    while end == ONGOING:
        kind, cell, safety = decide_subset(table.board, mines, corners, mine_count, table.verdict)
        end = advance(table, kind, cell, safety)
    return end, table
