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

from msat._jit import kernel
from msat.engines._kernels.endgame_sets import (
    BUDGET,
    COLUMNS,
    ENDS,
    FULL,
    KINDS,
    MOVE,
    NODES,
    OVER,
    ROWS,
    RUNNING,
    STATUS,
    VALUE,
    Arena,
    divide,
    enlarged,
    find,
    gather_classes,
    has_room,
    hash_of,
    new_arena,
    refine,
    remember,
)

__all__ = ["OVER", "SOLVED", "rank", "search"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

SOLVED = RUNNING

# What `_look_into` finds.
NOTHING_LIVES = 0
SPLITS = 1  # some cell is safe everywhere and lives
FACTORS = 2
GUESS = 3

MINE_BIT = 1

# The groups of columns while it is not yet known whether a set is a product.
AT_RISK = 0
ALWAYS_SAFE = 1


@kernel
def _living(arena: Arena, begin: int, end: int, first: int, last: int) -> bool:
    """Put the living ones of the columns at `first` to `last` onto their stack; is one of them always safe?

    They get the groups ALWAYS_SAFE and AT_RISK.
    """
    for j in range(first, last):
        arena.seen[arena.columns[j]] = 0
    for i in range(begin, end):
        row = arena.values[arena.rows[i]]
        for j in range(first, last):
            column = arena.columns[j]
            arena.seen[column] |= 1 << (row[column] + 1)
    top = arena.state[COLUMNS]
    free = False
    for j in range(first, last):
        column = arena.columns[j]
        seen = arena.seen[column]
        numbers = seen & ~MINE_BIT
        if numbers & (numbers - 1) == 0:
            continue
        safe = seen & MINE_BIT == 0
        arena.group[column] = ALWAYS_SAFE if safe else AT_RISK
        free |= safe
        arena.columns[top] = column
        top += 1
    arena.state[COLUMNS] = top
    return free


@kernel
def _reduce(arena: Arena, begin: int, end: int, first: int, last: int) -> None:
    """Put one layout of each kind that the living columns tell apart onto the stack."""
    labels = refine(arena, begin, end, first, last, int(AT_RISK))
    top = arena.state[ROWS]
    seen = 0
    for i in range(end - begin):
        if arena.label[i] == seen:  # labels are given in the order of first appearance
            arena.rows[top] = arena.rows[begin + i]
            top += 1
            seen += 1
            if seen == labels:
                break
    arena.state[ROWS] = top


@kernel
def _order(arena: Arena, begin: int, end: int, first: int, last: int) -> None:
    """Sort the columns, the fewest mines first, then the most different numbers; note the mines."""
    for j in range(first, last):
        arena.risks[j] = 0
    for i in range(begin, end):
        row = arena.values[arena.rows[i]]
        for j in range(first, last):
            arena.risks[j] += row[arena.columns[j]] < 0
    for j in range(first + 1, last):
        column = arena.columns[j]
        risk = arena.risks[j]
        numbers = _bits(arena.seen[column])
        t = j
        while t > first and (
            arena.risks[t - 1] > risk
            or (arena.risks[t - 1] == risk and _bits(arena.seen[arena.columns[t - 1]]) < numbers)
        ):
            arena.columns[t] = arena.columns[t - 1]
            arena.risks[t] = arena.risks[t - 1]
            t -= 1
        arena.columns[t] = column
        arena.risks[t] = risk


@kernel
def _bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def _related(arena: Arena, begin: int, end: int, j: int, t: int) -> bool:
    """Whether what the columns at `j` and `t` show is statistically dependent in a set."""
    size = end - begin
    if arena.risks[j] * arena.risks[t] % size != 0:
        return True
    one = arena.columns[j]
    other = arena.columns[t]
    both = np.zeros((KINDS, KINDS), np.int64)
    for i in range(begin, end):
        row = arena.values[arena.rows[i]]
        both[row[one] + 1, row[other] + 1] += 1
    if both[0, 0] * size != arena.risks[j] * arena.risks[t]:
        return True
    for a in range(KINDS):
        across = both[a].sum()
        for b in range(KINDS):
            if both[a, b] * size != across * both[:, b].sum():
                return True
    return False


@kernel
def _factors(arena: Arena, begin: int, end: int, first: int, last: int) -> int:
    """The number of groups of columns that a set is a product of; `Arena.group` tells them apart.

    Related columns belong together. That is not enough for a product, so it is then checked: the numbers of
    different layouts that the groups show multiply to the size of the set.
    """
    for j in range(first, last):
        arena.group[arena.columns[j]] = -1
    queue = arena.room
    groups = 0
    for start in range(first, last):
        if arena.group[arena.columns[start]] >= 0:
            continue
        arena.group[arena.columns[start]] = groups
        queue[0] = start
        head = 0
        tail = 1
        while head < tail:
            for j in range(start + 1, last):
                column = arena.columns[j]
                if arena.group[column] < 0 and _related(arena, begin, end, queue[head], j):
                    arena.group[column] = groups
                    queue[tail] = j
                    tail += 1
            head += 1
        groups += 1
    if groups == 1:
        return 1
    product = 1
    for group in range(groups):
        product *= refine(arena, begin, end, first, last, group)
        if product > end - begin:
            return 1
    return groups


@kernel
def _gather_factors(arena: Arena, begin: int, end: int, first: int, last: int, groups: int) -> None:
    """Put the set of each group onto the stack: the layouts that agree with the first in all other groups."""
    state = arena.state
    model = arena.values[arena.rows[begin]]
    for group in range(groups):
        for i in range(begin, end):
            row = arena.values[arena.rows[i]]
            agrees = True
            for j in range(first, last):
                column = arena.columns[j]
                if arena.group[column] != group and row[column] != model[column]:
                    agrees = False
                    break
            if agrees:
                arena.rows[state[ROWS]] = arena.rows[i]
                state[ROWS] += 1
        arena.ends[state[ENDS]] = state[ROWS]
        state[ENDS] += 1


@kernel
def _look_into(
    arena: Arena, begin: int, end: int, first: int, last: int, need: int
) -> tuple[int, int, int]:
    """What a set is; its living columns, and what it is reduced or divided to, are put onto the stacks.

    Returns (what, begin, end) with the reduced set. The parts of a set that splits, or its factors, lie behind
    it. The columns of a set to guess in are in the order to try.
    """
    state = arena.state
    living = state[COLUMNS]
    free = _living(arena, begin, end, first, last)
    till = state[COLUMNS]
    if till == living:
        return NOTHING_LIVES, begin, end
    if free:
        labels = refine(arena, begin, end, living, till, int(ALWAYS_SAFE))
        gather_classes(arena, begin, end, labels)
        return SPLITS, begin, end
    if till - living < last - first:  # otherwise the layouts differ in the living columns as they did before
        top = state[ROWS]
        _reduce(arena, begin, end, living, till)
        begin = top
        end = state[ROWS]
    _order(arena, begin, end, living, till)
    if end - begin >= 4 and end - begin - arena.risks[living] >= need:
        groups = _factors(arena, begin, end, living, till)
        if groups > 1:
            _gather_factors(arena, begin, end, living, till, groups)
            return FACTORS, begin, end
    return GUESS, begin, end


@kernel
def _wins_of_two(arena: Arena, begin: int, first: int, last: int) -> int:
    """Both of two layouts are won if some cell is safe in both and tells them apart."""
    one = arena.values[arena.rows[begin]]
    other = arena.values[arena.rows[begin + 1]]
    for j in range(first, last):
        column = arena.columns[j]
        if one[column] != other[column] and one[column] >= 0 and other[column] >= 0:
            return 2
    return 1


@kernel
def _known_bound(arena: Arena, begin: int, end: int, first: int, last: int) -> int:
    """The most that a set can reach, as far as that is known without looking into it."""
    if end - begin == 1:
        return 1
    if end - begin == 2:
        return _wins_of_two(arena, begin, first, last)
    entry = find(arena, hash_of(arena, begin, end), begin, end)
    return end - begin if entry < 0 else abs(arena.entries[entry, VALUE])


@kernel
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
        value = arena.entries[entry, VALUE]
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
    what, low, high = _look_into(arena, begin, end, first, last, need)
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
        if what != FACTORS:
            for t in range(ends, state[ENDS]):
                part_end = arena.ends[t]
                total += _known_bound(arena, part, part_end, living, till) - (part_end - part)
                part = part_end
        part = parts_at
        for t in range(ends, state[ENDS]):
            if total < target:
                break
            part_end = arena.ends[t]
            if what == FACTORS:
                others = total // (part_end - part)
                got = _wins(arena, part, part_end, living, till, -(-target // others))
                total = others * got
            else:
                others = total - _known_bound(arena, part, part_end, living, till)
                got = _wins(arena, part, part_end, living, till, target - others)
                total = others + got
            if state[STATUS] != RUNNING:
                return 0
            part = part_end
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


@kernel
def _wins_of_all(arena: Arena) -> int:
    """The most of all layouts that can be won, exactly."""
    # No literal 0 as an argument: the recursive kernel would be compiled a second time for it.
    start = np.int64(0)
    return _wins(arena, start, arena.values.shape[0], start, arena.values.shape[1], start)


@kernel
def _risks(values: Bytes) -> Ints:
    """Per column: in how many layouts it is a mine."""
    risks = np.zeros(values.shape[1], np.int64)
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            risks[j] += values[i, j] < 0
    return risks


@kernel
def _first_move(arena: Arena, risks: Ints) -> int:
    """A column to open first in a search that is done; −1 if nothing is left to be opened."""
    count, n = arena.values.shape
    safest = 0
    for j in range(n):
        if risks[j] < risks[safest]:
            safest = j
    if n == 0 or risks[safest] == count:
        return -1
    if risks[safest] == 0 or count == 2:
        return safest
    begin = np.int64(0)
    end = count
    what, _, high = _look_into(arena, begin, end, begin, n, begin)
    if what == NOTHING_LIVES:
        return safest
    if what == FACTORS:
        begin = high if high > count else count
        end = arena.ends[0]
    if end - begin > 2:
        return arena.entries[find(arena, hash_of(arena, begin, end), begin, end), MOVE]
    return arena.columns[n]


@kernel
def search(values: Bytes, budget: int) -> tuple[int, int, int, int]:
    """(status, wins, column, nodes): the most of the layouts that perfect play wins, and its first move.

    `values` is what `list_solutions` gives, at least one layout. The column is −1 where nothing is left to be
    opened. Where more than `budget` nodes would be needed the status is OVER, and only the nodes are told.
    """
    arena = new_arena(values, budget)
    count, n = values.shape
    wins = _wins_of_all(arena)
    while arena.state[STATUS] == FULL:
        arena = enlarged(arena)
        wins = _wins_of_all(arena)
    nodes = arena.state[NODES]
    if arena.state[STATUS] == OVER:
        return OVER, 0, -1, nodes
    return SOLVED, wins, _first_move(arena, _risks(values)), nodes


@kernel
def rank(values: Bytes, budget: int) -> tuple[int, Ints, int]:
    """(status, wins, nodes): for every column, the most layouts that are won if it is opened first.

    Zero where it is always a mine. Otherwise as `search`.
    """
    arena = new_arena(values, budget)
    count, n = values.shape
    risks = _risks(values)
    wins = np.zeros(n, np.int64)
    start = np.int64(0)
    j = start
    while j < n:
        total = start
        if risks[j] == 0:
            total = _wins_of_all(arena)
        else:
            parts = divide(arena, start, count, j)
            part = count
            for t in range(parts):
                total += _wins(arena, part, arena.ends[t], start, n, start)
                if arena.state[STATUS] != RUNNING:
                    break
                part = arena.ends[t]
        if arena.state[STATUS] == OVER:
            return OVER, wins, arena.state[NODES]
        if arena.state[STATUS] == FULL:
            arena = enlarged(arena)
            continue
        arena.state[ROWS] = count
        arena.state[ENDS] = 0
        wins[j] = total
        j += 1
    return SOLVED, wins, arena.state[NODES]
