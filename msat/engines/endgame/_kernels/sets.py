"""Compiled: what a set of layouts is to the endgame search, and how it is divided.

`search.py` tells why: columns that live, layouts that count once, splits for nothing, factors.
"""

from __future__ import annotations

from msat._jit import leaf
from msat.engines.endgame._kernels.memory import COLUMNS, ENDS, FIELD, KINDS, ROWS, Arena, cliques_in

__all__ = ["FACTORS", "GUESS", "NOTHING_LIVES", "SPLITS", "divide", "look_into"]

# What `look_into` finds a set to be.
NOTHING_LIVES = 0
SPLITS = 1  # some living cell is safe in all layouts
FACTORS = 2
GUESS = 3

# The groups of columns while it is not asked whether a set is a product.
AT_RISK = 0
ALWAYS_SAFE = 1

LARGEST_COUNT = (1 << FIELD) - 1  # what fits into a field
LOW_BITS = sum(1 << (FIELD * kind) for kind in range(KINDS))
MINE_BIT = 1


@leaf(apart=True)
def _count(arena: Arena, begin: int, end: int, first: int, last: int) -> None:
    """Note for the columns at `first` to `last` what a set shows there, and how often a mine."""
    counts = arena.counts
    for j in range(first, last):
        arena.seen[arena.columns[j]] = 0
        arena.mined[arena.columns[j]] = 0
    for start in range(begin, end, LARGEST_COUNT):
        for column in range(counts.size):
            counts[column] = 0
        for i in range(start, min(start + LARGEST_COUNT, end)):
            # All columns, also those that do not matter: side by side they are added several at a time.
            row = arena.rows[i]
            for column in range(counts.size):
                counts[column] += arena.packed[row, column]
        for j in range(first, last):
            column = arena.columns[j]
            count = counts[column]
            arena.mined[column] += count & LARGEST_COUNT
            count |= count >> 3
            arena.seen[column] |= (count | count >> 1 | count >> 2) & LOW_BITS


@leaf
def _count_lost(arena: Arena, begin: int, end: int, cliques: int) -> None:
    """Note for all columns how many of the cliques of a set have a mine there in all of their layouts."""
    lost = arena.lost
    common = arena.counts
    if cliques == end - begin:
        for column in range(lost.size):
            lost[column] = arena.mined[column]
        return
    for column in range(lost.size):
        lost[column] = 0
    i = begin
    while i < end:
        clique = arena.clique[arena.rows[i]]
        for column in range(lost.size):
            common[column] = MINE_BIT
        while i < end and arena.clique[arena.rows[i]] == clique:
            row = arena.rows[i]
            for column in range(lost.size):
                common[column] &= arena.packed[row, column]
            i += 1
        for column in range(lost.size):
            lost[column] += common[column]


@leaf
def _keep_living(arena: Arena, first: int, last: int) -> bool:
    """Put the living ones of the columns at `first` to `last` onto their stack; is one of them always safe?

    They get the groups ALWAYS_SAFE and AT_RISK.
    """
    top = arena.state[COLUMNS]
    free = False
    for j in range(first, last):
        column = arena.columns[j]
        numbers = arena.seen[column] & ~MINE_BIT
        if numbers & (numbers - 1) == 0:
            continue
        safe = arena.mined[column] == 0
        arena.group[column] = ALWAYS_SAFE if safe else AT_RISK
        free |= safe
        arena.columns[top] = column
        top += 1
    arena.state[COLUMNS] = top
    return free


@leaf
def _refine(arena: Arena, begin: int, end: int, first: int, last: int, group: int) -> int:
    """Label the layouts of a set by what the columns of a group show; returns the number of labels.

    Layouts have equal labels exactly if they show the same in all those columns. Labels are given in the
    order in which they appear.
    """
    label = arena.label
    relabel = arena.room
    size = end - begin
    for i in range(size):
        label[i] = 0
    labels = 1
    for j in range(first, last):
        column = arena.columns[j]
        if arena.group[column] != group:
            continue
        for key in range(KINDS * labels):
            relabel[key] = -1
        labels = 0
        for i in range(size):
            key = KINDS * label[i] + arena.values[arena.rows[begin + i], column] + 1
            if relabel[key] < 0:
                relabel[key] = labels
                labels += 1
            label[i] = relabel[key]
        if labels == size:
            break
    return labels


@leaf
def _gather_parts(arena: Arena, begin: int, end: int, labels: int) -> None:
    """Put the layouts of a set onto the stack, those with equal labels together, and the end of each part."""
    state = arena.state
    at = arena.room  # where the next layout of a label goes
    for t in range(labels):
        at[t] = 0
    for i in range(end - begin):
        at[arena.label[i]] += 1
    top = state[ROWS]
    for t in range(labels):
        size = at[t]
        at[t] = top
        top += size
        arena.ends[state[ENDS] + t] = top
    for i in range(end - begin):
        t = arena.label[i]
        arena.rows[at[t]] = arena.rows[begin + i]
        at[t] += 1
    state[ROWS] = top
    state[ENDS] += labels


@leaf
def _reduce(arena: Arena, begin: int, end: int, labels: int) -> None:
    """Put the first layout of each label onto the stack."""
    top = arena.state[ROWS]
    found = 0
    for i in range(end - begin):
        if arena.label[i] == found:
            arena.rows[top + found] = arena.rows[begin + i]
            found += 1
            if found == labels:
                break
    arena.state[ROWS] = top + labels


@leaf
def _order(arena: Arena, first: int, last: int, cliques: int) -> None:
    """Sort the columns and put beside them what they can reach, of so many cliques.

    First those that lose the fewest cliques, then those with the most different numbers, then by column. So
    the order depends on the set alone, not on the way to it, and so does its worth if only some are tried.
    """
    keys = arena.reach
    for j in range(first, last):
        column = arena.columns[j]
        numbers = 0
        seen = arena.seen[column]
        while seen:
            seen &= seen - 1
            numbers += 1
        key = KINDS * arena.lost[column] + KINDS - numbers
        t = j
        while t > first and (keys[t - 1] > key or (keys[t - 1] == key and arena.columns[t - 1] > column)):
            arena.columns[t] = arena.columns[t - 1]
            keys[t] = keys[t - 1]
            t -= 1
        arena.columns[t] = column
        keys[t] = key
    for j in range(first, last):
        arena.reach[j] = cliques - arena.lost[arena.columns[j]]


@leaf
def _related(arena: Arena, begin: int, end: int, one: int, other: int) -> bool:
    """Whether what two columns show is statistically dependent in a set."""
    size = end - begin
    expected = arena.mined[one] * arena.mined[other]
    if expected % size != 0:
        return True
    both = arena.room  # how often each pair of values occurs, and behind it how often each value
    for kind in range(KINDS * (KINDS + 2)):
        both[kind] = 0
    for i in range(begin, end):
        row = arena.rows[i]
        a = arena.values[row, one] + 1
        b = arena.values[row, other] + 1
        both[KINDS * a + b] += 1
        both[KINDS * KINDS + a] += 1
        both[KINDS * KINDS + KINDS + b] += 1
    for a in range(KINDS):
        for b in range(KINDS):
            if both[KINDS * a + b] * size != both[KINDS * KINDS + a] * both[KINDS * KINDS + KINDS + b]:
                return True
    return False


@leaf
def _factors(arena: Arena, begin: int, end: int, first: int, last: int) -> int:
    """The number of groups of columns that a set is a product of; `Arena.group` tells them apart.

    Related columns belong together. That is not enough for a product, so it is then checked: the numbers of
    different layouts that the groups show multiply to the size of the set.
    """
    for j in range(first, last):
        arena.group[arena.columns[j]] = -1
    queue = arena.queue
    groups = 0
    for start in range(first, last):
        if arena.group[arena.columns[start]] >= 0:
            continue
        arena.group[arena.columns[start]] = groups
        queue[0] = arena.columns[start]
        head = 0
        tail = 1
        while head < tail:
            for j in range(start + 1, last):
                column = arena.columns[j]
                if arena.group[column] < 0 and _related(arena, begin, end, queue[head], column):
                    arena.group[column] = groups
                    queue[tail] = column
                    tail += 1
            head += 1
            if start + tail == last:
                break  # all that are left
        groups += 1
    if groups > 1:
        product = 1
        for group in range(groups):
            product *= _refine(arena, begin, end, first, last, group)
            if product > end - begin:
                return 1
    return groups


@leaf
def _gather_factors(arena: Arena, begin: int, end: int, first: int, last: int, groups: int) -> None:
    """Put the set of each group onto the stack: the layouts that agree with the first in all other groups."""
    state = arena.state
    model = arena.rows[begin]
    for group in range(groups):
        for i in range(begin, end):
            row = arena.rows[i]
            agrees = True
            for j in range(first, last):
                column = arena.columns[j]
                if arena.group[column] != group and arena.values[row, column] != arena.values[model, column]:
                    agrees = False
                    break
            if agrees:
                arena.rows[state[ROWS]] = row
                state[ROWS] += 1
        arena.ends[state[ENDS]] = state[ROWS]
        state[ENDS] += 1


@leaf(apart=True)
def look_into(arena: Arena, begin: int, end: int, first: int, last: int, need: int) -> tuple[int, int, int]:
    """What a set is; its living columns, and what it is reduced or divided to, are put onto the stacks.

    The columns at `first` to `last` are all that may live. Returns (what, begin, end) with the reduced set.
    The parts of a set that splits, or its factors, lie behind it on the stack. The columns of a set to guess
    in are in the order to try. Where the set cannot reach `need`, it is not asked for factors.
    """
    state = arena.state
    living = state[COLUMNS]
    _count(arena, begin, end, first, last)
    free = _keep_living(arena, first, last)
    till = state[COLUMNS]
    if till == living:
        return NOTHING_LIVES, begin, end
    if free:
        _gather_parts(arena, begin, end, _refine(arena, begin, end, living, till, int(ALWAYS_SAFE)))
        return SPLITS, begin, end
    if till - living < last - first:  # otherwise the layouts differ in the living columns as they did before
        labels = _refine(arena, begin, end, living, till, int(AT_RISK))
        if labels < end - begin:
            top = state[ROWS]
            _reduce(arena, begin, end, labels)
            begin = top
            end = state[ROWS]
            _count(arena, begin, end, living, till)
    cliques = cliques_in(arena, begin, end)
    _count_lost(arena, begin, end, cliques)
    _order(arena, living, till, cliques)
    if arena.reach[living] >= need:
        groups = _factors(arena, begin, end, living, till)
        if groups > 1:
            _gather_factors(arena, begin, end, living, till, groups)
            return FACTORS, begin, end
    return GUESS, begin, end


@leaf
def divide(arena: Arena, begin: int, end: int, column: int) -> None:
    """Put the layouts of a set that are safe at `column` onto the stack, by the number that it shows there.

    The largest part comes first; the end of each part is put onto its stack.
    """
    state = arena.state
    sizes = arena.room
    for kind in range(KINDS):
        sizes[kind] = 0
    for i in range(begin, end):
        sizes[arena.values[arena.rows[i], column] + 1] += 1
    sizes[0] = 0
    top = state[ROWS]
    at = arena.queue
    while True:
        largest = 0
        for kind in range(1, KINDS):
            if sizes[kind] > sizes[largest]:
                largest = kind
        if sizes[largest] == 0:
            break
        at[largest] = top
        top += sizes[largest]
        sizes[largest] = 0
        arena.ends[state[ENDS]] = top
        state[ENDS] += 1
    for i in range(begin, end):
        kind = arena.values[arena.rows[i], column] + 1
        if kind > 0:
            arena.rows[at[kind]] = arena.rows[i]
            at[kind] += 1
    state[ROWS] = top
