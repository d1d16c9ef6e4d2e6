"""Compiled: the most layouts of a set that perfect play wins, exactly.

A node is a set of layouts, and its value the most of them that one strategy can win. It depends on the set
alone: whatever was opened is safe in all of them and shows the same, so opening it again would cost nothing.
The search rests on six facts; `columns` are cells, and a column *lives* if it shows at least two numbers.

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
6. Of a clique of rivals (`cliques.py`) only one layout can be won. So a move reaches no more than the
   cliques that have a layout in which it is safe: moves are tried in this order, and most are given up by it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.endgame._kernels.search_memory import (
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
    WIDTH,
    SearchMemory,
    clear_stacks,
    cliques_in,
    enlarged,
    find,
    has_room,
    hash_of,
    new_memory,
    remember,
)
from msat.engines.endgame._kernels.sets import FACTORS, GUESS, NOTHING_LIVES, divide, look_into

__all__ = ["OVER", "SOLVED", "first_move", "rank", "search", "wins_if"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

SOLVED = RUNNING

# As arguments these are passed as int(…): for a literal, the recursive kernel would be compiled once more.
FIRST = 0
ANY = -1


@leaf
def _wins_of_two(memory: SearchMemory, begin: int, first: int, last: int) -> int:
    """Both of two layouts are won if some cell is safe in both and tells them apart."""
    one = memory.rows[begin]
    other = memory.rows[begin + 1]
    for j in range(first, last):
        a = memory.values[one, memory.columns[j]]
        b = memory.values[other, memory.columns[j]]
        if a != b and a >= 0 and b >= 0:
            return 2
    return 1


@leaf
def _limit(memory: SearchMemory, t: int, begin: int, first: int, last: int) -> int:
    """What part `t`, beginning at `begin`, reaches at most, as far as known without looking into it.

    That is noted, and so is its hash. It is exact where it is 1, and for up to two layouts.
    """
    end = memory.ends[t]
    if end - begin == 1:
        limit = 1
    elif end - begin == 2:
        limit = _wins_of_two(memory, begin, first, last)
    else:
        memory.hashes[t] = hash_of(memory, begin, end)
        entry = find(memory, memory.hashes[t], begin, end)
        limit = cliques_in(memory, begin, end) if entry < 0 else abs(memory.entries[entry, VALUE])
    memory.limits[t] = limit
    return limit


@leaf(apart=True, inside=True)
def _wins(memory: SearchMemory, mixed: int, begin: int, end: int, first: int, last: int, need: int) -> int:
    """The most layouts that can be won of the set at `begin` to `end`, exactly if that is at least `need`.

    Otherwise some number below `need` that they do not exceed. `mixed` is the hash of the set, which has more
    than two layouts. The columns at `first` to `last` are all that may live. Where the status is no longer
    RUNNING the result means nothing.
    """
    entry = find(memory, mixed, begin, end)
    if entry >= 0:
        value = int(memory.entries[entry, VALUE])
        if value > 0:
            return value
        if -value < need:
            return -value
    state = memory.state
    state[NODES] += 1
    if state[NODES] > state[BUDGET]:
        state[STATUS] = OVER
        return 0
    if not has_room(memory, end - begin, last - first):
        state[STATUS] = FULL
        return 0
    rows = state[ROWS]
    ends = state[ENDS]
    living = state[COLUMNS]
    what, low, high = look_into(memory, begin, end, first, last, need)
    parts_at = high if low == rows else rows  # behind the reduced set, if there is one
    till = state[COLUMNS]
    best = 0
    move = -1
    bound = 0  # what moves that were given up could have reached at most
    if what == NOTHING_LIVES:
        best = 1
    for turn in range(living, min(till, living + state[WIDTH])):
        target = max(best + 1, need)
        if what == GUESS:
            if memory.reach[turn] < target:  # and the columns that follow reach no more
                bound = max(bound, memory.reach[turn])
                break
            state[ROWS] = parts_at
            state[ENDS] = ends
            divide(memory, low, high, memory.columns[turn])
        # What the parts could reach at most; in the end what they do reach.
        total = 1 if what == FACTORS else 0
        part = parts_at
        for t in range(ends, state[ENDS]):
            limit = _limit(memory, t, part, living, till)
            total = total * limit if what == FACTORS else total + limit
            part = memory.ends[t]
        part = parts_at
        for t in range(ends, state[ENDS]):
            if total < target:
                break
            till_part = memory.ends[t]
            limit = memory.limits[t]
            if limit > 1 and till_part - part > 2:  # otherwise it is exact
                others = total // limit if what == FACTORS else total - limit
                needed = -(-target // others) if what == FACTORS else target - others
                wins = _wins(memory, memory.hashes[t], part, till_part, living, till, needed)
                if state[STATUS] != RUNNING:
                    return 0
                total = others * wins if what == FACTORS else others + wins
            part = till_part
        if total < target:
            bound = max(bound, total)
        else:
            best = total
            move = memory.columns[turn]
        if what != GUESS:
            break
    state[ROWS] = rows
    state[ENDS] = ends
    state[COLUMNS] = living
    remember(memory, mixed, begin, end, best if best > 0 else -bound, move)
    return best if best > 0 else bound


@leaf
def _wins_of_all(memory: SearchMemory, need: int) -> int:
    """The most of all layouts that are won, as `_wins` tells them; the stacks are clear."""
    count, n = memory.values.shape
    begin = int(FIRST)
    if count == 1 or cliques_in(memory, begin, count) == 1:
        return 1
    if count == 2:
        return _wins_of_two(memory, begin, begin, n)
    return _wins(memory, hash_of(memory, begin, count), begin, count, begin, n, need)


@leaf(apart=True)
def wins_if(memory: SearchMemory, column: int, need: int) -> int:
    """The most of all layouts that are won if `column` is opened first, or ANY: the best one.

    Exactly if that is at least `need`; otherwise some number below `need` that they do not exceed. If the
    status is not RUNNING afterwards, the budget is used up or the memory has to be enlarged. Called again
    after that, it goes on with what it remembers.
    """
    clear_stacks(memory)
    if column < 0:
        return _wins_of_all(memory, need)
    count, n = memory.values.shape
    begin = int(FIRST)
    divide(memory, begin, count, column)
    parts = memory.state[ENDS]
    total = 0
    part = count
    for t in range(parts):
        total += _limit(memory, t, part, begin, n)
        part = memory.ends[t]
    part = count
    for t in range(parts):
        if total < need:
            break
        till_part = memory.ends[t]
        limit = memory.limits[t]
        if limit > 1 and till_part - part > 2:
            total -= limit
            total += _wins(memory, memory.hashes[t], part, till_part, begin, n, need - total)
            if memory.state[STATUS] != RUNNING:
                break
        part = till_part
    return total


@leaf(apart=True)
def first_move(memory: SearchMemory) -> int:
    """A column to open first, once `wins_if` has answered for ANY; −1 if nothing is left to be opened."""
    clear_stacks(memory)
    values = memory.values
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
    what, low, high = look_into(memory, begin, end, begin, n, begin)
    if what == NOTHING_LIVES:
        return safest
    if what == FACTORS:  # the first has the safest column
        begin = count if low == 0 else high
        end = memory.ends[0]
    if end - begin == 2:
        return int(memory.columns[n])
    return int(memory.entries[find(memory, hash_of(memory, begin, end), begin, end), MOVE])


@kernel(apart=True)
def search(values: Bytes, budget: int) -> tuple[int, int, int, int]:
    """(status, wins, column, nodes): the most of the layouts that perfect play wins, and its first move.

    `values` is what `list_solutions` gives, at least one layout. The column is −1 where nothing is left to be
    opened. Where more than `budget` nodes would be needed the status is OVER, and only the nodes are told.
    """
    memory = new_memory(values, np.array([0, values.shape[0]]), budget)
    wins = wins_if(memory, int(ANY), int(FIRST))
    while memory.state[STATUS] == FULL:
        memory = enlarged(memory)
        wins = wins_if(memory, int(ANY), int(FIRST))
    nodes = memory.state[NODES]
    if memory.state[STATUS] == OVER:
        return OVER, 0, -1, nodes
    return SOLVED, wins, first_move(memory), nodes


@kernel(apart=True)
def rank(values: Bytes, budget: int) -> tuple[int, Ints, int]:
    """(status, wins, nodes): for every column, the most layouts that are won if it is opened first.

    Zero where it is always a mine. Otherwise as `search`.
    """
    memory = new_memory(values, np.array([0, values.shape[0]]), budget)
    wins = np.zeros(values.shape[1], np.int64)
    for column in range(wins.size):
        wins[column] = wins_if(memory, column, int(FIRST))
        while memory.state[STATUS] == FULL:
            memory = enlarged(memory)
            wins[column] = wins_if(memory, column, int(FIRST))
        if memory.state[STATUS] == OVER:
            return OVER, wins, memory.state[NODES]
    return SOLVED, wins, memory.state[NODES]
