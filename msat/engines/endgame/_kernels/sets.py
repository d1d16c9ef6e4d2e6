"""Compiled: what a set of layouts is to the endgame search, and how it is divided.

`search.py` tells why: columns that live, layouts that count once, splits for nothing, factors.
"""

from __future__ import annotations

from msat._jit import leaf
from msat.engines.endgame._kernels.search_memory import (
    COLUMNS,
    ENDS,
    FIELD,
    KINDS,
    ROWS,
    SearchMemory,
    cliques_in,
)

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


@leaf(apart=True, inside=True)
def _count(memory: SearchMemory, begin: int, end: int, first: int, last: int) -> None:
    """Note for the columns at `first` to `last` what a set shows there, and how often a mine."""
    counts = memory.counts
    for j in range(first, last):
        memory.seen[memory.columns[j]] = 0
        memory.mined[memory.columns[j]] = 0
    for start in range(begin, end, LARGEST_COUNT):
        for column in range(counts.size):
            counts[column] = 0
        for i in range(start, min(start + LARGEST_COUNT, end)):
            # All columns, also those that do not matter: side by side they are added several at a time.
            row = memory.rows[i]
            for column in range(counts.size):
                counts[column] += memory.packed[row, column]
        for j in range(first, last):
            column = memory.columns[j]
            count = counts[column]
            memory.mined[column] += count & LARGEST_COUNT
            count |= count >> 3
            memory.seen[column] |= (count | count >> 1 | count >> 2) & LOW_BITS


@leaf
def _count_lost(memory: SearchMemory, begin: int, end: int, cliques: int) -> None:
    """Note for all columns how many of the cliques of a set have a mine there in all of their layouts."""
    lost = memory.lost
    common = memory.counts
    if cliques == end - begin:
        for column in range(lost.size):
            lost[column] = memory.mined[column]
        return
    for column in range(lost.size):
        lost[column] = 0
    i = begin
    while i < end:
        clique = memory.clique[memory.rows[i]]
        for column in range(lost.size):
            common[column] = MINE_BIT
        while i < end and memory.clique[memory.rows[i]] == clique:
            row = memory.rows[i]
            for column in range(lost.size):
                common[column] &= memory.packed[row, column]
            i += 1
        for column in range(lost.size):
            lost[column] += common[column]


@leaf
def _keep_living(memory: SearchMemory, first: int, last: int) -> bool:
    """Put the living ones of the columns at `first` to `last` onto their stack; is one of them always safe?

    They get the groups ALWAYS_SAFE and AT_RISK.
    """
    top = memory.state[COLUMNS]
    free = False
    for j in range(first, last):
        column = memory.columns[j]
        numbers = memory.seen[column] & ~MINE_BIT
        if numbers & (numbers - 1) == 0:
            continue
        safe = memory.mined[column] == 0
        memory.group[column] = ALWAYS_SAFE if safe else AT_RISK
        free |= safe
        memory.columns[top] = column
        top += 1
    memory.state[COLUMNS] = top
    return free


@leaf
def _refine(memory: SearchMemory, begin: int, end: int, first: int, last: int, group: int) -> int:
    """Label the layouts of a set by what the columns of a group show; returns the number of labels.

    Layouts have equal labels exactly if they show the same in all those columns. Labels are given in the
    order in which they appear.
    """
    label = memory.label
    relabel = memory.room
    size = end - begin
    for i in range(size):
        label[i] = 0
    labels = 1
    for j in range(first, last):
        column = memory.columns[j]
        if memory.group[column] != group:
            continue
        for key in range(KINDS * labels):
            relabel[key] = -1
        labels = 0
        for i in range(size):
            key = KINDS * label[i] + memory.values[memory.rows[begin + i], column] + 1
            if relabel[key] < 0:
                relabel[key] = labels
                labels += 1
            label[i] = relabel[key]
        if labels == size:
            break
    return labels


@leaf
def _gather_parts(memory: SearchMemory, begin: int, end: int, labels: int) -> None:
    """Put the layouts of a set onto the stack, those with equal labels together, and the end of each part."""
    state = memory.state
    at = memory.room  # where the next layout of a label goes
    for t in range(labels):
        at[t] = 0
    for i in range(end - begin):
        at[memory.label[i]] += 1
    top = state[ROWS]
    for t in range(labels):
        size = at[t]
        at[t] = top
        top += size
        memory.ends[state[ENDS] + t] = top
    for i in range(end - begin):
        t = memory.label[i]
        memory.rows[at[t]] = memory.rows[begin + i]
        at[t] += 1
    state[ROWS] = top
    state[ENDS] += labels


@leaf
def _reduce(memory: SearchMemory, begin: int, end: int, labels: int) -> None:
    """Put the first layout of each label onto the stack."""
    top = memory.state[ROWS]
    found = 0
    for i in range(end - begin):
        if memory.label[i] == found:
            memory.rows[top + found] = memory.rows[begin + i]
            found += 1
            if found == labels:
                break
    memory.state[ROWS] = top + labels


@leaf
def _order(memory: SearchMemory, first: int, last: int, cliques: int) -> None:
    """Sort the columns and put beside them what they can reach, of so many cliques.

    First those that lose the fewest cliques, then those with the most different numbers, then by column. So
    the order depends on the set alone, not on the way to it, and so does its worth if only some are tried.
    """
    keys = memory.reach
    for j in range(first, last):
        column = memory.columns[j]
        numbers = 0
        seen = memory.seen[column]
        while seen:
            seen &= seen - 1
            numbers += 1
        key = KINDS * memory.lost[column] + KINDS - numbers
        t = j
        while t > first and (keys[t - 1] > key or (keys[t - 1] == key and memory.columns[t - 1] > column)):
            memory.columns[t] = memory.columns[t - 1]
            keys[t] = keys[t - 1]
            t -= 1
        memory.columns[t] = column
        keys[t] = key
    for j in range(first, last):
        memory.reach[j] = cliques - memory.lost[memory.columns[j]]


@leaf
def _related(memory: SearchMemory, begin: int, end: int, one: int, other: int) -> bool:
    """Whether what two columns show is statistically dependent in a set."""
    size = end - begin
    expected = memory.mined[one] * memory.mined[other]
    if expected % size != 0:
        return True
    both = memory.room  # how often each pair of values occurs, and behind it how often each value
    for kind in range(KINDS * (KINDS + 2)):
        both[kind] = 0
    for i in range(begin, end):
        row = memory.rows[i]
        a = memory.values[row, one] + 1
        b = memory.values[row, other] + 1
        both[KINDS * a + b] += 1
        both[KINDS * KINDS + a] += 1
        both[KINDS * KINDS + KINDS + b] += 1
    for a in range(KINDS):
        for b in range(KINDS):
            if both[KINDS * a + b] * size != both[KINDS * KINDS + a] * both[KINDS * KINDS + KINDS + b]:
                return True
    return False


@leaf
def _factors(memory: SearchMemory, begin: int, end: int, first: int, last: int) -> int:
    """The number of groups of columns that a set is a product of; `SearchMemory.group` tells them apart.

    Related columns belong together. That is not enough for a product, so it is then checked: the numbers of
    different layouts that the groups show multiply to the size of the set.
    """
    for j in range(first, last):
        memory.group[memory.columns[j]] = -1
    queue = memory.queue
    groups = 0
    for start in range(first, last):
        if memory.group[memory.columns[start]] >= 0:
            continue
        memory.group[memory.columns[start]] = groups
        queue[0] = memory.columns[start]
        head = 0
        tail = 1
        while head < tail:
            for j in range(start + 1, last):
                column = memory.columns[j]
                if memory.group[column] < 0 and _related(memory, begin, end, queue[head], column):
                    memory.group[column] = groups
                    queue[tail] = column
                    tail += 1
            head += 1
            if start + tail == last:
                break  # all that are left
        groups += 1
    if groups > 1:
        product = 1
        for group in range(groups):
            product *= _refine(memory, begin, end, first, last, group)
            if product > end - begin:
                return 1
    return groups


@leaf
def _gather_factors(memory: SearchMemory, begin: int, end: int, first: int, last: int, groups: int) -> None:
    """Put the set of each group onto the stack: the layouts that agree with the first in all other groups."""
    state = memory.state
    model = memory.rows[begin]
    for group in range(groups):
        for i in range(begin, end):
            row = memory.rows[i]
            agrees = True
            for j in range(first, last):
                column = memory.columns[j]
                if (
                    memory.group[column] != group
                    and memory.values[row, column] != memory.values[model, column]
                ):
                    agrees = False
                    break
            if agrees:
                memory.rows[state[ROWS]] = row
                state[ROWS] += 1
        memory.ends[state[ENDS]] = state[ROWS]
        state[ENDS] += 1


@leaf(apart=True, inside=True)
def look_into(
    memory: SearchMemory, begin: int, end: int, first: int, last: int, need: int
) -> tuple[int, int, int]:
    """What a set is; its living columns, and what it is reduced or divided to, are put onto the stacks.

    The columns at `first` to `last` are all that may live. Returns (what, begin, end) with the reduced set.
    The parts of a set that splits, or its factors, lie behind it on the stack. The columns of a set to guess
    in are in the order to try. Where the set cannot reach `need`, it is not asked for factors.
    """
    state = memory.state
    living = state[COLUMNS]
    _count(memory, begin, end, first, last)
    free = _keep_living(memory, first, last)
    till = state[COLUMNS]
    if till == living:
        return NOTHING_LIVES, begin, end
    if free:
        _gather_parts(memory, begin, end, _refine(memory, begin, end, living, till, int(ALWAYS_SAFE)))
        return SPLITS, begin, end
    if till - living < last - first:  # otherwise the layouts differ in the living columns as they did before
        labels = _refine(memory, begin, end, living, till, int(AT_RISK))
        if labels < end - begin:
            top = state[ROWS]
            _reduce(memory, begin, end, labels)
            begin = top
            end = state[ROWS]
            _count(memory, begin, end, living, till)
    cliques = cliques_in(memory, begin, end)
    _count_lost(memory, begin, end, cliques)
    _order(memory, living, till, cliques)
    if memory.reach[living] >= need:
        groups = _factors(memory, begin, end, living, till)
        if groups > 1:
            _gather_factors(memory, begin, end, living, till, groups)
            return FACTORS, begin, end
    return GUESS, begin, end


@leaf
def divide(memory: SearchMemory, begin: int, end: int, column: int) -> None:
    """Put the layouts of a set that are safe at `column` onto the stack, by the number that it shows there.

    The largest part comes first; the end of each part is put onto its stack.
    """
    state = memory.state
    sizes = memory.room
    for kind in range(KINDS):
        sizes[kind] = 0
    for i in range(begin, end):
        sizes[memory.values[memory.rows[i], column] + 1] += 1
    sizes[0] = 0
    top = state[ROWS]
    at = memory.queue
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
        memory.ends[state[ENDS]] = top
        state[ENDS] += 1
    for i in range(begin, end):
        kind = memory.values[memory.rows[i], column] + 1
        if kind > 0:
            memory.rows[at[kind]] = memory.rows[i]
            at[kind] += 1
    state[ROWS] = top
