"""Compiled: what a person finds, by how many numbers are looked at together; and games played by that alone.

The grid is int8: −1 unknown, −2 known to be a mine, −3 known to be safe but not opened, 0…8 revealed. A
*clue* is a revealed number with unknown cells around it, of which it needs some to be mines.

1. One clue: all of its unknown cells are safe, or all are mines.
2. Two clues: what they share holds between so few and so many mines, and that settles what they do not share,
   or the shared part itself. This is all that two clues can tell.
3. Three to five clues, some added up, others subtracted: cells that cancel out do not matter, and what is
   left has no choice. Sets of clues hang together: two that share no unknown cell tell nothing together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import HIDDEN, MINE, SAFE
from msat.problem._kernels.grid import window
from msat.strategies._kernels.game import open_cell

__all__ = ["MOST_SUMMED", "Clues", "climb", "find_clues", "list_clues"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

MOST_SUMMED = 5
"""Clues that are added up at most: nobody follows more."""

NEAR = 24  # clues that can share an unknown cell with one: those at most two rows and columns away


class Clues(NamedTuple):
    """The clues of a grid, in row-major order."""

    at: Ints  # position of the clue
    need: Ints  # mines among its unknown cells …
    size: Ints  # … which are so many …
    cells: Ints  # … and are these: (clues, 8)
    near: Ints  # (clues, NEAR): clues that share an unknown cell with it, in ascending order …
    degree: Ints  # … and how many they are


@leaf
def _share(cells: Ints, a: int, b: int, size: Ints) -> int:
    """How many unknown cells two clues share."""
    count = 0
    for i in range(size[a]):
        for j in range(size[b]):
            count += cells[a, i] == cells[b, j]
    return count


@kernel(apart=True)
def list_clues(grid: Bytes) -> Clues:
    """The clues of a grid, and which of them share cells."""
    h, w = grid.shape
    index = np.full(h * w, -1, np.int64)
    at = np.empty(h * w, np.int64)
    need = np.empty(h * w, np.int64)
    size = np.empty(h * w, np.int64)
    cells = np.empty((h * w, 8), np.int64)
    count = 0
    for r in range(h):
        for c in range(w):
            if grid[r, c] < 0:
                continue
            need[count] = grid[r, c]
            size[count] = 0
            top, bottom, left, right = window(r, c, h, w)
            for i in range(top, bottom):
                for j in range(left, right):
                    if grid[i, j] == MINE:
                        need[count] -= 1
                    elif grid[i, j] == HIDDEN:
                        cells[count, size[count]] = i * w + j
                        size[count] += 1
            if size[count]:
                at[count] = r * w + c
                index[r * w + c] = count
                count += 1
    near = np.empty((count, NEAR), np.int64)
    degree = np.zeros(count, np.int64)
    for k in range(count):
        r = at[k] // w
        c = at[k] % w
        for i in range(max(r - 2, 0), min(r + 3, h)):
            for j in range(max(c - 2, 0), min(c + 3, w)):
                other = index[i * w + j]
                if other >= 0 and other != k and _share(cells, k, other, size):
                    near[k, degree[k]] = other
                    degree[k] += 1
    return Clues(at[:count], need[:count], size[:count], cells[:count], near, degree)


@leaf
def _note(found: Bytes, cell: int, verdict: int) -> int:
    """Write what is known of an unknown cell; 1 if that is new."""
    if found[cell] != HIDDEN:
        return 0
    found[cell] = verdict
    return 1


@leaf
def _by_one(clues: Clues, k: int, found: Bytes) -> int:
    """Settle all cells of a clue, if it does; returns how many are new in `found`."""
    if clues.need[k] != 0 and clues.need[k] != clues.size[k]:
        return 0
    new = 0
    for i in range(clues.size[k]):
        new += _note(found, clues.cells[k, i], MINE if clues.need[k] else SAFE)
    return new


@leaf
def _contains(clues: Clues, k: int, cell: int) -> bool:
    found = False
    for i in range(clues.size[k]):
        found = found or clues.cells[k, i] == cell
    return found


@leaf
def _by_two(clues: Clues, a: int, b: int, found: Bytes) -> int:
    """What two clues tell together."""
    shared = _share(clues.cells, a, b, clues.size)
    least = max(0, clues.need[a] - clues.size[a] + shared, clues.need[b] - clues.size[b] + shared)
    most = min(shared, clues.need[a], clues.need[b])
    new = 0
    for side in range(2):
        k = a if side == 0 else b
        other = b if side == 0 else a
        alone = clues.size[k] - shared
        for i in range(clues.size[k]):
            cell = clues.cells[k, i]
            if _contains(clues, other, cell):
                if least == shared:
                    new += _note(found, cell, MINE)
                elif most == 0:
                    new += _note(found, cell, SAFE)
            elif clues.need[k] - most == alone:
                new += _note(found, cell, MINE)
            elif clues.need[k] - least == 0:
                new += _note(found, cell, SAFE)
    return new


@leaf
def _by_sum(clues: Clues, chosen: Ints, count: int, weight: Ints, found: Bytes) -> int:
    """What the chosen clues tell, added up and subtracted in all ways; `weight` is zero before and after."""
    new = 0
    for signs in range(1 << (count - 1)):
        total = 0
        for t in range(count):
            sign = -1 if t and (signs >> (t - 1)) & 1 else 1
            total += sign * clues.need[chosen[t]]
            for i in range(clues.size[chosen[t]]):
                weight[clues.cells[chosen[t], i]] += sign
        highest = 0
        lowest = 0
        largest = 0
        for t in range(count):
            for i in range(clues.size[chosen[t]]):
                cell = clues.cells[chosen[t], i]
                amount = weight[cell]
                first = True  # a cell counts once, where it is met first
                for s in range(t):
                    first = first and not _contains(clues, chosen[s], cell)
                if first:
                    largest = max(largest, abs(amount))
                    if amount > 0:
                        highest += amount
                    else:
                        lowest += amount
        if highest - total < largest or total - lowest < largest:
            for t in range(count):
                for i in range(clues.size[chosen[t]]):
                    cell = clues.cells[chosen[t], i]
                    amount = weight[cell]
                    if amount == 0:
                        continue
                    if highest - abs(amount) < total:  # at its other end it leaves too little
                        new += _note(found, cell, MINE if amount > 0 else SAFE)
                    elif lowest + abs(amount) > total:  # or too much
                        new += _note(found, cell, SAFE if amount > 0 else MINE)
        for t in range(count):
            for i in range(clues.size[chosen[t]]):
                weight[clues.cells[chosen[t], i]] = 0
        if new:
            break
    return new


@kernel
def _sum_of(clues: Clues, count: int, chosen: Ints, weight: Ints, found: Bytes) -> int:
    """The first set of so many clues, hanging together, that tells something by sums; it is left in `chosen`.

    Every such set is met once (the algorithm ESU): it is grown from its first clue, only by later ones, and a
    clue is offered only when the first of its neighbours comes in.
    """
    clues_all = clues.at.size
    room = count * NEAR
    offers = np.empty((count, room), np.int64)
    offered = np.zeros(count, np.int64)
    # How many of the chosen clues each clue is or neighbours: one that is taken back leaves no trace.
    reached = np.zeros(clues_all, np.int64)
    for root in range(clues_all):
        chosen[0] = root
        depth = 0
        offered[0] = 0
        reached[root] += 1
        for t in range(clues.degree[root]):
            other = clues.near[root, t]
            reached[other] += 1
            if other > root:
                offers[0, offered[0]] = other
                offered[0] += 1
        while depth >= 0:
            if offered[depth] == 0:
                reached[chosen[depth]] -= 1
                for t in range(clues.degree[chosen[depth]]):
                    reached[clues.near[chosen[depth], t]] -= 1
                depth -= 1
                continue
            offered[depth] -= 1
            new = offers[depth, offered[depth]]
            chosen[depth + 1] = new
            if depth + 2 == count:
                told = _by_sum(clues, chosen, count, weight, found)
                if told:
                    return told
                continue
            offered[depth + 1] = offered[depth]
            offers[depth + 1, : offered[depth]] = offers[depth, : offered[depth]]
            for t in range(clues.degree[new]):
                other = clues.near[new, t]
                if other > root and reached[other] == 0:
                    offers[depth + 1, offered[depth + 1]] = other
                    offered[depth + 1] += 1
            reached[new] += 1
            for t in range(clues.degree[new]):
                reached[clues.near[new, t]] += 1
            depth += 1
    return 0


@kernel(apart=True)
def find_clues(grid: Bytes, fewest: int, most: int, chosen: Ints) -> int:
    """The first of the smallest sets of `fewest` to `most` clues that settle an unknown cell.

    Their numbers in `list_clues` go to `chosen`; returns how many they are, 0 if there are none.
    """
    h, w = grid.shape
    clues = list_clues(grid)
    found = grid.copy().reshape(h * w)
    if fewest <= 1:
        for k in range(clues.at.size):
            if _by_one(clues, k, found):
                chosen[0] = k
                return 1
    if fewest <= 2 <= most:
        for a in range(clues.at.size):
            for t in range(clues.degree[a]):
                b = clues.near[a, t]
                if b > a and _by_two(clues, a, b, found):
                    chosen[0] = a
                    chosen[1] = b
                    return 2
    weight = np.zeros(h * w, np.int64)
    for count in range(max(3, fewest), most + 1):
        if _sum_of(clues, count, chosen, weight, found):
            return count
    return 0


@kernel
def _settle(grid: Bytes, level: int) -> int:
    """Note in the grid what the techniques up to a level find, the easiest first; returns how much is new."""
    h, w = grid.shape
    found = grid.reshape(h * w)
    clues = list_clues(grid)
    new = 0
    for k in range(clues.at.size):
        new += _by_one(clues, k, found)
    if new or level < 2:
        return new
    for a in range(clues.at.size):
        for t in range(clues.degree[a]):
            if clues.near[a, t] > a:
                new += _by_two(clues, a, clues.near[a, t], found)
    if new or level < 3:
        return new
    chosen = np.empty(MOST_SUMMED, np.int64)
    weight = np.zeros(h * w, np.int64)
    for count in range(3, MOST_SUMMED + 1):
        new = _sum_of(clues, count, chosen, weight, found)
        if new:
            break
    return new


@kernel(apart=True)
def climb(numbers: Bytes, grid: Bytes, level: int) -> int:
    """Play on by the techniques up to a level, on a layout with these numbers; returns the safe cells left.

    What is known to be safe is opened, and mines are noted in the grid.
    """
    h, w = grid.shape
    stack = np.empty(h * w, np.int64)
    while True:
        for r in range(h):
            for c in range(w):
                if grid[r, c] == SAFE:
                    grid[r, c] = HIDDEN
                    open_cell(numbers, grid, r, c, stack)
        if _settle(grid, level) == 0:
            break
    left = 0
    for r in range(h):
        for c in range(w):
            left += grid[r, c] < 0 and numbers[r, c] != MINE
    return left
