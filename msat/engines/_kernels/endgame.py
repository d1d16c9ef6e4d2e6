"""Compiled: the most layouts of a set that perfect play wins, exactly.

A node is a set of layouts, and its value the most of them that one strategy can win. It depends on the set
alone: whatever was opened is safe in all of them and shows the same, so opening it again would cost nothing.
The search rests on five facts; `columns` are cells, and a column *lives* if it shows at least two numbers.

1. A cell that is safe in all layouts costs nothing. Opened, it splits the set by its number; the value is the
   sum over the parts.
2. Otherwise a move opens a cell that is a mine in some layouts, which are lost, and splits the others:
   value = max over moves of the sum over the parts.
3. A cell that does not live teaches nothing but that it is safe. Any strategy that opens it can put that off
   to the end and wins at least the same layouts; so only living cells are moves. Without a living cell all
   layouts look alike to the end. All have equally many safe cells, so what a strategy opens is all that is
   safe in exactly one layout: the value is 1.
4. Layouts that show the same in all living columns are never told apart by moves in these; they end up in the
   same set without a living cell and count 1 there. So all but one of them are left out.
5. Where the layouts are a product (what one group of columns shows says nothing about the others, and every
   combination occurs), groups are games of their own, and the value is the product of theirs. The game of a
   group is the set of those layouts that agree with the first one in all other groups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines._kernels.endgame_memory import (
    BUDGET,
    COLUMNS,
    ENDS,
    FULL,
    MOVE,
    NODES,
    OVER,
    ROWS,
    RUNNING,
    STATUS,
    VALUE,
    Arena,
    clear_stacks,
    enlarged,
    find,
    has_room,
    hash_of,
    new_arena,
    remember,
)
from msat.engines._kernels.endgame_sets import FACTORS, GUESS, NOTHING_LIVES, divide, look_into

__all__ = ["OVER", "SOLVED", "first_move", "rank", "search", "wins_if"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

SOLVED = RUNNING

# As arguments these are passed as int(…): for a literal, the recursive kernel would be compiled once more.
FIRST = 0
ANY = -1


@leaf
def _wins_of_two(arena: Arena, begin: int, first: int, last: int) -> int:
    """Both of two layouts are won if some cell is safe in both and tells them apart."""
    one = arena.rows[begin]
    other = arena.rows[begin + 1]
    for j in range(first, last):
        a = arena.values[one, arena.columns[j]]
        b = arena.values[other, arena.columns[j]]
        if a != b and a >= 0 and b >= 0:
            return 2
    return 1


@leaf
def _limit(arena: Arena, begin: int, end: int, first: int, last: int) -> int:
    """What a set reaches at most, as far as known without looking into it; exact for up to two layouts."""
    if end - begin == 1:
        return 1
    if end - begin == 2:
        return _wins_of_two(arena, begin, first, last)
    entry = find(arena, hash_of(arena, begin, end), begin, end)
    return end - begin if entry < 0 else abs(arena.entries[entry, VALUE])


@leaf
def _wins(arena: Arena, begin: int, end: int, first: int, last: int, need: int) -> int:
    """The most layouts that can be won of the set at `begin` to `end`, exactly if that is at least `need`.

    Otherwise some number below `need` that they do not exceed. The columns at `first` to `last` are all that
    may live. Where the status is no longer RUNNING the result means nothing.
    """
    size = end - begin
    if size == 1:
        return 1
    if size == 2:
        return _wins_of_two(arena, begin, first, last)
    mixed = hash_of(arena, begin, end)
    entry = find(arena, mixed, begin, end)
    if entry >= 0:
        value = int(arena.entries[entry, VALUE])
        if value > 0:
            return value
        if -value < need:
            return -value
    state = arena.state
    state[NODES] += 1
    if state[NODES] > state[BUDGET]:
        state[STATUS] = OVER
        return 0
    if not has_room(arena, size, last - first):
        state[STATUS] = FULL
        return 0
    rows = state[ROWS]
    ends = state[ENDS]
    living = state[COLUMNS]
    what, low, high = look_into(arena, begin, end, first, last, need)
    parts_at = high if low == rows else rows  # behind the reduced set, if there is one
    till = state[COLUMNS]
    best = 0
    move = -1
    bound = 0  # what moves that were given up could have reached at most
    if what == NOTHING_LIVES:
        best = 1
    for turn in range(living, till):
        target = max(best + 1, need)
        total = high - low  # what the parts could reach at most; in the end what they do reach
        if what == GUESS:
            total -= arena.risks[turn]
            if total < target:  # and the columns that follow are no safer
                bound = max(bound, total)
                break
            state[ROWS] = parts_at
            state[ENDS] = ends
            divide(arena, low, high, arena.columns[turn])
        part = parts_at
        if what != FACTORS:  # what is known at once may already settle it
            for t in range(ends, state[ENDS]):
                total += _limit(arena, part, arena.ends[t], living, till) - (arena.ends[t] - part)
                part = arena.ends[t]
        part = parts_at
        for t in range(ends, state[ENDS]):
            if total < target:
                break
            till_part = arena.ends[t]
            if what == FACTORS:
                others = total // (till_part - part)
                total = others * _wins(arena, part, till_part, living, till, -(-target // others))
            elif till_part - part > 2:  # otherwise the limit was exact
                others = total - _limit(arena, part, till_part, living, till)
                total = others + _wins(arena, part, till_part, living, till, target - others)
            if state[STATUS] != RUNNING:
                return 0
            part = till_part
        if total < target:
            bound = max(bound, total)
        else:
            best = total
            move = arena.columns[turn]
        if what != GUESS:
            break
    state[ROWS] = rows
    state[ENDS] = ends
    state[COLUMNS] = living
    remember(arena, mixed, begin, end, best if best > 0 else -bound, move)
    return best if best > 0 else bound


@leaf
def wins_if(arena: Arena, column: int) -> int:
    """The most of all layouts that are won if `column` is opened first, or ANY: the best one.

    If the status is not RUNNING afterwards, the budget is used up or the arena has to be enlarged. Called
    again after that, it goes on with what it remembers.
    """
    clear_stacks(arena)
    count, n = arena.values.shape
    start = int(FIRST)
    if column < 0:
        return _wins(arena, start, count, start, n, start)
    divide(arena, start, count, column)
    total = start
    part = count
    for t in range(arena.state[ENDS]):
        total += _wins(arena, part, arena.ends[t], start, n, start)
        if arena.state[STATUS] != RUNNING:
            break
        part = arena.ends[t]
    return total


@leaf
def first_move(arena: Arena) -> int:
    """A column to open first, once `wins_if` has answered for ANY; −1 if nothing is left to be opened."""
    clear_stacks(arena)
    values = arena.values
    count, n = values.shape
    safest = -1
    fewest = count  # a column with a mine in all layouts is not to be opened
    for j in range(n):
        mines = 0
        for i in range(count):
            mines += values[i, j] < 0
        if mines < fewest:
            fewest = mines
            safest = j
    if fewest == 0 or count <= 2:
        return safest
    begin = int(FIRST)
    end = count
    what, low, high = look_into(arena, begin, end, begin, n, begin)
    if what == NOTHING_LIVES:
        return safest
    if what == FACTORS:  # the first has the safest column
        begin = count if low == 0 else high
        end = arena.ends[0]
    if end - begin == 2:
        return int(arena.columns[n])
    return int(arena.entries[find(arena, hash_of(arena, begin, end), begin, end), MOVE])


@kernel
def search(values: Bytes, budget: int) -> tuple[int, int, int, int]:
    """(status, wins, column, nodes): the most of the layouts that perfect play wins, and its first move.

    `values` is what `list_solutions` gives, at least one layout. The column is −1 where nothing is left to be
    opened. Where more than `budget` nodes would be needed the status is OVER, and only the nodes are told.
    """
    arena = new_arena(values, budget)
    wins = wins_if(arena, int(ANY))
    while arena.state[STATUS] == FULL:
        arena = enlarged(arena)
        wins = wins_if(arena, int(ANY))
    nodes = arena.state[NODES]
    if arena.state[STATUS] == OVER:
        return OVER, 0, -1, nodes
    return SOLVED, wins, first_move(arena), nodes


@kernel
def rank(values: Bytes, budget: int) -> tuple[int, Ints, int]:
    """(status, wins, nodes): for every column, the most layouts that are won if it is opened first.

    Zero where it is always a mine. Otherwise as `search`.
    """
    arena = new_arena(values, budget)
    wins = np.zeros(values.shape[1], np.int64)
    for column in range(wins.size):
        wins[column] = wins_if(arena, column)
        while arena.state[STATUS] == FULL:
            arena = enlarged(arena)
            wins[column] = wins_if(arena, column)
        if arena.state[STATUS] == OVER:
            return OVER, wins, arena.state[NODES]
    return SOLVED, wins, arena.state[NODES]
