"""Compiled: where the endgame search keeps its sets of layouts, and what it remembers of them.

A set is an ascending list of layouts (rows of `values`). Lists lie on a stack, and so do the lists of the
columns (cells) that still matter to a set. All of it is one `SearchMemory` of flat arrays. When an array is
full the search stops, the memory is enlarged, and the search begins anew: what it found out is remembered, so
that it is soon back where it was.

Answers are remembered by the set alone. The hash finds them; they count only if the stored list is the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.endgame._kernels.cliques import sort_by_clique
from msat.problem._kernels.grid import fill_marks

__all__ = [
    "BUDGET",
    "COLUMNS",
    "ENDS",
    "ENTRIES",
    "FIELD",
    "FULL",
    "KINDS",
    "MOVE",
    "NODES",
    "OVER",
    "ROWS",
    "RUNNING",
    "STATUS",
    "VALUE",
    "WIDTH",
    "SearchMemory",
    "clear_stacks",
    "cliques_in",
    "enlarged",
    "find",
    "has_room",
    "hash_of",
    "new_memory",
    "remember",
]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Bytes = NDArray[np.int8]

KINDS = 10  # what a cell can be: a mine, or a number from 0 to 8
FIELD = 6  # bits for each of them in a packed count

# The fields of `SearchMemory.state`.
ROWS = 0  # entries used of each stack …
ENDS = 1
COLUMNS = 2
ENTRIES = 3  # … and of the memory
STORED = 4
NODES = 5  # sets looked into so far …
BUDGET = 6  # … and at most
STATUS = 7
WIDTH = 8  # moves tried in a set at the most

# What the status can be.
RUNNING = 0
OVER = 1  # the budget of nodes is used up
FULL = 2  # the memory has to be enlarged

# The fields of a remembered answer.
HASH = 0
AT = 1  # where its list begins in `SearchMemory.store` …
SIZE = 2  # … and how long it is
VALUE = 3  # the wins, exactly; if negative: at most so many
MOVE = 4  # the column to open, where the set is neither split for nothing nor into factors


MARK_SHIFT = 31  # marks are wide: a hash stands for a set of thousands


class SearchMemory(NamedTuple):
    """All that a search works on.

    Indices that are passed on between kernels are int64 throughout: a second signature of the recursive
    kernel would call the first, and such pairs crash when numba loads them from its cache.
    """

    values: Bytes  # values[layout, cell]: the number shown, or −1 for a mine; cliques are side by side
    clique: Shorts  # per layout: its clique; of the layouts of one only one can be won
    packed: Ints  # the values as a 1 in one of KINDS fields of FIELD bits, so that sums are counts
    marks: Ints  # per layout: a random number; the hash of a set is the exclusive or of its marks
    rows: Shorts  # the stack of sets
    ends: Ints  # the stack of ends of the sets that a set was divided into …
    hashes: Ints  # … and beside it, their hashes, where they have more than two layouts …
    limits: Ints  # … and what they reach at most
    columns: Ints  # the stack of lists of columns …
    reach: Ints  # … and beside it, how many cliques have a safe layout there: what a guess there can win
    counts: Ints  # per column: packed counts of up to 63 layouts
    mined: Ints  # per column: how many layouts of the current set have a mine there
    lost: Ints  # per column: how many cliques of the current set have a mine there in all layouts
    seen: Ints  # per column: the lowest bit of each field that some layout of the current set shows
    group: Ints  # per column: which group of columns it belongs to
    label: Ints  # per layout of the current set: which class it belongs to
    room: Ints  # for whatever needs some …
    queue: Ints  # … and some more
    table: Shorts  # hash table: entry + 1, or 0
    entries: Ints  # (…, 5): remembered answers
    store: Shorts  # the lists of the remembered sets
    state: Ints


@kernel(apart=True)
def new_memory(layouts: Bytes, groups: Ints, budget: int) -> SearchMemory:
    """The memory for these layouts, and for looking into so many sets; rivals are found within groups."""
    values, clique = sort_by_clique(layouts, groups)
    count, n = values.shape
    marks = np.empty(count, np.int64)
    packed = np.empty((count, n), np.int64)
    fill_marks(marks, MARK_SHIFT)
    for i in range(count):
        for j in range(n):
            packed[i, j] = 1 << (FIELD * (np.int64(values[i, j]) + 1))
    table = 256
    while table < 8 * count:
        table *= 2
    state = np.zeros(9, np.int64)
    state[BUDGET] = budget
    state[WIDTH] = n
    return SearchMemory(
        values,
        clique,
        packed,
        marks,
        np.empty(16 * count + 64, np.int32),
        np.empty(4 * count + 64, np.int64),
        np.empty(4 * count + 64, np.int64),
        np.empty(4 * count + 64, np.int64),
        np.empty(16 * n + 64, np.int64),
        np.empty(16 * n + 64, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(count, np.int64),
        np.empty(KINDS * (count + KINDS + 2), np.int64),
        np.empty(n + KINDS, np.int64),
        np.zeros(table, np.int32),
        np.empty((table // 2, 5), np.int64),
        np.empty(8 * table, np.int32),
        state,
    )


@leaf
def clear_stacks(memory: SearchMemory) -> None:
    """Begin anew: only the set of all layouts and the list of all columns are on the stacks."""
    count, n = memory.values.shape
    for i in range(count):
        memory.rows[i] = i
    for j in range(n):
        memory.columns[j] = j
    memory.state[ROWS] = count
    memory.state[ENDS] = 0
    memory.state[COLUMNS] = n
    memory.state[STATUS] = RUNNING


@kernel(apart=True)
def enlarged(memory: SearchMemory) -> SearchMemory:
    """The memory with twice the room, its stacks to be cleared; what was remembered is kept."""
    state = memory.state
    entries = np.empty((2 * memory.entries.shape[0], 5), np.int64)
    table = np.zeros(2 * memory.table.size, np.int32)
    for e in range(state[ENTRIES]):
        for field in range(5):
            entries[e, field] = memory.entries[e, field]
        slot = _slot(entries[e, HASH], table.size)
        while table[slot] != 0:
            slot = (slot + 1) & (table.size - 1)
        table[slot] = e + 1
    store = np.empty(2 * memory.store.size, np.int32)
    for i in range(state[STORED]):
        store[i] = memory.store[i]
    return SearchMemory(
        memory.values,
        memory.clique,
        memory.packed,
        memory.marks,
        np.empty(2 * memory.rows.size, np.int32),
        np.empty(2 * memory.ends.size, np.int64),
        np.empty(2 * memory.hashes.size, np.int64),
        np.empty(2 * memory.limits.size, np.int64),
        np.empty(2 * memory.columns.size, np.int64),
        np.empty(2 * memory.reach.size, np.int64),
        memory.counts,
        memory.mined,
        memory.lost,
        memory.seen,
        memory.group,
        memory.label,
        memory.room,
        memory.queue,
        table,
        entries,
        store,
        state,
    )


@leaf
def has_room(memory: SearchMemory, size: int, columns: int) -> bool:
    """Whether a set of this size can be looked into: reduced, divided, and its answer remembered."""
    state = memory.state
    return bool(
        state[ROWS] + 2 * size <= memory.rows.size  # factors add up to no more than their product
        and state[ENDS] + size + KINDS <= memory.ends.size
        and state[COLUMNS] + columns <= memory.columns.size
        and state[ENTRIES] < memory.entries.shape[0]
        and state[STORED] + size <= memory.store.size
    )


@leaf
def cliques_in(memory: SearchMemory, begin: int, end: int) -> int:
    """How many cliques the set at `begin` to `end` of the stack has layouts of: it is worth no more."""
    found = 0
    before = -1
    for i in range(begin, end):
        clique = int(memory.clique[memory.rows[i]])
        found += clique != before
        before = clique
    return found


@leaf
def hash_of(memory: SearchMemory, begin: int, end: int) -> int:
    """The hash of the set at `begin` to `end` of the stack."""
    mixed = 0
    for i in range(begin, end):
        mixed ^= memory.marks[memory.rows[i]]
    return mixed


@leaf
def _slot(mixed: int, slots: int) -> int:
    """Where to look first in a hash table with a power of two of slots."""
    return (mixed ^ (mixed >> 29)) & (slots - 1)


@leaf
def find(memory: SearchMemory, mixed: int, begin: int, end: int) -> int:
    """The remembered answer for the set at `begin` to `end`, or −1."""
    slots = memory.table.size
    slot = _slot(mixed, slots)
    while memory.table[slot] != 0:
        entry = int(memory.table[slot]) - 1
        if memory.entries[entry, HASH] == mixed and memory.entries[entry, SIZE] == end - begin:
            at = memory.entries[entry, AT] - begin
            same = True
            for i in range(begin, end):
                if memory.store[at + i] != memory.rows[i]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & (slots - 1)
    return -1


@leaf
def remember(memory: SearchMemory, mixed: int, begin: int, end: int, value: int, move: int) -> None:
    """Remember the answer for the set at `begin` to `end`; the status is FULL where there is no room."""
    state = memory.state
    entry = find(memory, mixed, begin, end)
    if entry < 0:
        entry = state[ENTRIES]
        if entry == memory.entries.shape[0] or state[STORED] + end - begin > memory.store.size:
            state[STATUS] = FULL
            return
        slot = _slot(mixed, memory.table.size)
        while memory.table[slot] != 0:
            slot = (slot + 1) & (memory.table.size - 1)
        memory.table[slot] = entry + 1
        memory.entries[entry, HASH] = mixed
        memory.entries[entry, AT] = state[STORED]
        memory.entries[entry, SIZE] = end - begin
        for i in range(begin, end):
            memory.store[state[STORED] + i - begin] = memory.rows[i]
        state[STORED] += end - begin
        state[ENTRIES] += 1
    memory.entries[entry, VALUE] = value
    memory.entries[entry, MOVE] = move
