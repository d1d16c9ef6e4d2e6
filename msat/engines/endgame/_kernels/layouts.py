"""Compiled: every layout that agrees with a board, as rows of the numbers that its cells would show.

Components are enumerated apart, by backtracking over their cells with every clue checked at once and the
number of mines kept within what the other components leave. Their placements are then put together by mine
count, with the rest filling up: from there on no step is in vain, so the time is that of writing the layouts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import MINE
from msat.engines.endgame._kernels.geometry import Geometry, show_layout, survey_hidden
from msat.problem._kernels.boxes import REST, Flat, build

__all__ = ["TOO_MANY", "list_solutions"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

TOO_MANY = -1

# Steps of backtracking that are allowed for each layout asked for, and in any case: a guard against boards
# where the clues alone have far more placements than the mine total leaves.
STEPS_PER_LAYOUT = 200
STEPS = 1 << 20


class Placements(NamedTuple):
    """The placements of all components, one after the other."""

    mined: Bytes  # per placement: a byte for each cell of its component
    at: Ints  # per placement: where its bytes begin
    mines: Ints  # per placement: how many mines
    used: Ints  # bytes and placements so far, and steps left


BYTES = 0
PLACEMENTS = 1
STEPS_LEFT = 2


@kernel
def _bounds(flat: Flat, first: int, last: int, taken: Ints, charged: Ints) -> tuple[int, int]:
    """Simple bounds on the mines of the component with the boxes at `first` to `last`: at least, at most."""
    least = 0
    most = 0
    for at in range(first, last):
        b = flat.component_boxes[at]
        charged[flat.box_clues[b, 0]] += flat.box_size[b]  # every box to one of its clues
    for at in range(first, last):
        b = flat.component_boxes[at]
        for d in range(flat.box_degree[b]):
            k = flat.box_clues[b, d]
            if charged[k] > 0:
                most += min(charged[k], flat.clue_need[k])
                charged[k] = 0
            apart = True  # clues that share no box add up
            for t in range(flat.clue_degree[k]):
                apart &= taken[flat.clue_boxes[k, t]] == 0
            if apart:
                least += flat.clue_need[k]
                for t in range(flat.clue_degree[k]):
                    taken[flat.clue_boxes[k, t]] = 1
    return least, most


@kernel
def _with_room(done: Placements, size: int) -> Placements:
    """The same with room for one placement more, of `size` cells."""
    used = done.used
    mined = done.mined
    if used[BYTES] + size > mined.size:
        mined = np.empty(2 * (used[BYTES] + size), np.int8)
        mined[: used[BYTES]] = done.mined[: used[BYTES]]
    at = done.at
    mines = done.mines
    placements = used[PLACEMENTS]
    if placements == at.size:
        at = np.empty(2 * placements, np.int64)
        mines = np.empty(2 * placements, np.int64)
        at[:placements] = done.at
        mines[:placements] = done.mines
    return Placements(mined, at, mines, used)


@kernel
def _place(flat: Flat, boxes: Ints, least: int, most: int, done: Placements) -> Placements:
    """Add every placement of a component, whose cells lie in `boxes`, with `least` to `most` mines."""
    size = boxes.size
    used = done.used
    need = flat.clue_need.copy()
    free = flat.clue_cells.copy()
    tried = np.full(size + 1, -1, np.int64)  # per cell on the way: nothing yet, safe, mine
    depth = 0
    mines = 0
    while depth >= 0:
        if depth == size:
            done = _with_room(done, size)
            for i in range(size):
                done.mined[used[BYTES] + i] = tried[i]
            done.at[used[PLACEMENTS]] = used[BYTES]
            done.mines[used[PLACEMENTS]] = mines
            used[BYTES] += size
            used[PLACEMENTS] += 1
            depth -= 1
            continue
        used[STEPS_LEFT] -= 1
        if used[STEPS_LEFT] < 0:
            break
        b = boxes[depth]
        was = tried[depth]
        if was >= 0:
            mines -= was
            for d in range(flat.box_degree[b]):
                need[flat.box_clues[b, d]] += was
                free[flat.box_clues[b, d]] += 1
        if was == 1:
            tried[depth] = -1
            depth -= 1
            continue
        now = was + 1
        tried[depth] = now
        mines += now
        fits = mines <= most and mines + size - depth - 1 >= least
        for d in range(flat.box_degree[b]):
            k = flat.box_clues[b, d]
            need[k] -= now
            free[k] -= 1
            fits &= 0 <= need[k] <= free[k]
        if fits:
            depth += 1
    return done


@kernel
def _choose(n: int, k: int, limit: int) -> int:
    """The number of ways to choose k of n, or `limit` + 1 if it is more."""
    if k < 0 or k > n:
        return 0
    ways = 1
    for i in range(min(k, n - k)):
        ways = ways * (n - i) // (i + 1)
        if ways > limit:
            return limit + 1
    return ways


@kernel
def _completions(done: Placements, ends: Ints, rest: int, left: int, limit: int) -> NDArray[np.int64]:
    """ways[c, m]: in how many ways components c and later, and the rest, hold m mines; capped above limit."""
    components = ends.size - 1
    ways = np.zeros((components + 1, left + 1), np.int64)
    for m in range(left + 1):
        ways[components, m] = _choose(rest, m, limit)
    with_mines = np.empty(left + 1, np.int64)
    for c in range(components - 1, -1, -1):
        with_mines[:] = 0
        for p in range(ends[c], ends[c + 1]):
            if done.mines[p] <= left:
                with_mines[done.mines[p]] += 1
        for j in range(left + 1):
            if with_mines[j] > 0:
                for m in range(j, left + 1):
                    ways[c, m] = min(ways[c, m] + with_mines[j] * ways[c + 1, m - j], limit + 1)
    return ways


@kernel
def _write_rest(geometry: Geometry, rest: Ints, mines: int, mined: Bytes, values: Bytes, row: int) -> int:
    """Write a layout for every way to put so many mines into the rest; returns the next row."""
    chosen = np.arange(mines)
    for i in range(mines):
        mined[rest[i]] = 1
    while True:
        show_layout(geometry, mined, values[row])
        row += 1
        i = mines - 1
        while i >= 0 and chosen[i] == rest.size - mines + i:
            mined[rest[chosen[i]]] = 0
            i -= 1
        if i < 0:
            return row
        mined[rest[chosen[i]]] = 0
        for j in range(i, mines):
            chosen[j] = chosen[i] + 1 if j == i else chosen[j - 1] + 1
            mined[rest[chosen[j]]] = 1


class Grouped(NamedTuple):
    """The unknown cells, as columns: those of every component in the order of its walk, then the rest."""

    columns: Ints
    boxes: Ints  # per column of a component: its box
    begin: Ints  # where each component begins; behind the last one comes the rest


@kernel
def _group(flat: Flat, cells: Ints) -> Grouped:
    starts = flat.component_start
    columns = np.empty(flat.unknown, np.int64)
    boxes = np.empty(flat.unknown, np.int64)
    begin = np.zeros(starts.size, np.int64)
    box_at = np.empty(flat.box_size.size, np.int64)
    filled = 0
    for c in range(starts.size - 1):
        for t in range(starts[c], starts[c + 1]):
            b = flat.component_boxes[t]
            box_at[b] = filled
            filled += flat.box_size[b]
        begin[c + 1] = filled
    for i in range(cells.size):
        b = flat.box_of[cells[i]]
        if b == REST:
            columns[filled] = i
            filled += 1
        elif b >= 0:
            columns[box_at[b]] = i
            boxes[box_at[b]] = b
            box_at[b] += 1
    return Grouped(columns, boxes, begin)


@kernel
def _place_all(
    flat: Flat, grouped: Grouped, rest: int, left: int, most: int, ends: Ints
) -> tuple[int, Placements]:
    """The placements of every component, those of component c at ends[c] up to ends[c + 1].

    The status is 1, or 0 if a component has none, or TOO_MANY.
    """
    components = ends.size - 1
    low = np.empty(components, np.int64)
    high = np.empty(components, np.int64)
    taken = np.zeros(flat.box_size.size, np.int64)
    charged = np.zeros(flat.clue_need.size, np.int64)
    for c in range(components):
        start, end = flat.component_start[c], flat.component_start[c + 1]
        low[c], high[c] = _bounds(flat, start, end, taken, charged)
    used = np.zeros(3, np.int64)
    used[STEPS_LEFT] = STEPS + STEPS_PER_LAYOUT * most
    done = Placements(np.empty(1024, np.int8), np.empty(64, np.int64), np.empty(64, np.int64), used)
    ends[0] = 0
    fewest = min(_choose(rest, left - low.sum(), most), _choose(rest, left - high.sum(), most))
    if left >= high.sum() and left - low.sum() <= rest and fewest > most:
        return TOO_MANY, done
    for c in range(components):
        least = left - rest - (high.sum() - high[c])
        greatest = left - (low.sum() - low[c])
        boxes = grouped.boxes[grouped.begin[c] : grouped.begin[c + 1]]
        done = _place(flat, boxes, least, greatest, done)
        if used[STEPS_LEFT] < 0:
            return TOO_MANY, done
        ends[c + 1] = used[PLACEMENTS]
        if ends[c + 1] == ends[c]:
            return 0, done
        low[c] = done.mines[ends[c]]
        high[c] = low[c]
        for p in range(ends[c], ends[c + 1]):
            low[c] = min(low[c], done.mines[p])
            high[c] = max(high[c], done.mines[p])
    return 1, done


@kernel
def _write_all(
    geometry: Geometry, grouped: Grouped, done: Placements, ends: Ints, ways: Ints, left: int, values: Bytes
) -> None:
    """Write every layout: each combination of placements that leaves the rest what it can hold."""
    components = ends.size - 1
    begin = grouped.begin
    rest = grouped.columns[begin[components] :]
    mined = np.zeros(geometry.cells.size, np.int8)
    turn = ends[:-1].copy()  # per component: the placement to try next
    row = 0
    c = 0
    while c >= 0 and values.shape[0] > 0:
        if c == components:
            row = _write_rest(geometry, rest, left, mined, values, row)
        elif turn[c] < ends[c + 1]:
            p = turn[c]
            turn[c] += 1
            if done.mines[p] <= left and ways[c + 1, left - done.mines[p]] > 0:
                left -= done.mines[p]
                for i in range(begin[c + 1] - begin[c]):
                    mined[grouped.columns[begin[c] + i]] = done.mined[done.at[p] + i]
                c += 1
            continue
        else:
            turn[c] = ends[c]
        c -= 1
        if c >= 0:
            left += done.mines[turn[c] - 1]


@kernel(apart=True)
def list_solutions(board: Bytes, mines: int, most: int) -> tuple[int, Ints, Bytes]:
    """All layouts that agree with a board: (count, cells, values[layout, cell]).

    `board` is int8: HIDDEN, MINE (known), SAFE, SETTLED, or the number that is revealed; `mines` is the
    total, known ones included. The cells are those that are hidden or safe, as positions in the board. A
    value is the number that a cell shows in a layout, or −1 where it is a mine. The count is TOO_MANY where
    more than `most` layouts agree, or where it takes too many steps to find them.
    """
    geometry = survey_hidden(board)
    none = np.empty((0, geometry.cells.size), np.int8)
    flat = build(board)
    left = mines
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            left -= board[r, c] == MINE
    if flat.bad >= 0 or left < 0 or left > flat.unknown:
        return 0, geometry.cells, none
    grouped = _group(flat, geometry.cells)
    ends = np.empty(flat.component_start.size, np.int64)
    rest = flat.unknown - grouped.begin[grouped.begin.size - 1]
    status, done = _place_all(flat, grouped, rest, left, most, ends)
    if status != 1:
        return status, geometry.cells, none
    ways = _completions(done, ends, rest, left, most)
    count = ways[0, left]
    if count > most:
        return TOO_MANY, geometry.cells, none
    values = np.empty((count, geometry.cells.size), np.int8)
    _write_all(geometry, grouped, done, ends, ways, left, values)
    return count, geometry.cells, values
