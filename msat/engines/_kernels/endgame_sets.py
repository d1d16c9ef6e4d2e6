"""Compiled: sets of layouts for the endgame search — how they are kept, told apart and remembered.

A set is an ascending list of layouts (rows of `values`); lists lie on a stack, and so do the lists of columns
(cells) that still matter to a set. Everything lies in one `Arena` of flat arrays. Where it is full, the
search stops, the arena is enlarged (`enlarged`), and the search begins again: what it has found is remembered,
so that it is soon back where it was.

Answers are remembered by the set alone, hashed; a hit counts only if the stored list is the very same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel

__all__ = [
    "BUDGET",
    "COLUMNS",
    "ENDS",
    "ENTRIES",
    "FULL",
    "MOVE",
    "NODES",
    "OVER",
    "ROWS",
    "RUNNING",
    "STATUS",
    "VALUE",
    "Arena",
    "divide",
    "enlarged",
    "find",
    "gather_classes",
    "has_room",
    "hash_of",
    "new_arena",
    "refine",
    "remember",
]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Bytes = NDArray[np.int8]

KINDS = 10  # what a cell can show: a mine, or 0 to 8

# The fields of `Arena.state`.
ROWS = 0  # entries used of each stack …
ENDS = 1
COLUMNS = 2
ENTRIES = 3  # … and of the memory
STORED = 4
NODES = 5  # sets looked into so far …
BUDGET = 6  # … and at most
STATUS = 7

# What the status can be.
RUNNING = 0
OVER = 1  # the budget of nodes is used up
FULL = 2  # the arena has to be enlarged

# The fields of a remembered answer.
HASH = 0
AT = 1  # where its list begins in `Arena.store` …
SIZE = 2  # … and how long it is
VALUE = 3  # the wins, exactly; if negative: at most so many
MOVE = 4  # the column to open, where the set is neither split for nothing nor into factors


class Arena(NamedTuple):
    """All that a search works on."""

    values: Bytes  # values[layout, cell]: the number shown, or −1 for a mine
    marks: Ints  # per layout: a random number; the hash of a set is the exclusive or of its marks
    rows: Shorts  # the stack of sets
    ends: Ints  # the stack of ends of the sets that a set was divided into
    columns: Ints  # the stack of lists of columns …
    risks: Ints  # … and beside it, how many layouts have a mine there
    seen: Shorts  # per column: a bit for each of KINDS that some layout of the current set shows there
    group: Shorts  # per column: which group of columns it belongs to
    label: Shorts  # per layout of the current set: which class it belongs to
    room: Shorts  # for whatever needs some
    table: Shorts  # hash table: entry + 1, or 0
    entries: Ints  # (…, 5): remembered answers
    store: Shorts  # the lists of the remembered sets
    state: Ints


@kernel
def new_arena(values: Bytes, budget: int) -> Arena:
    """An arena for these layouts, with the set of all of them and the list of all columns on its stacks."""
    count, n = values.shape
    marks = np.empty(count, np.int64)
    # A congruential generator over a prime below 2^31: nothing overflows, also uncompiled.
    draw = 20011
    for i in range(count):
        high = 48271 * draw % 2147483647
        draw = 48271 * high % 2147483647
        marks[i] = (high << 31) ^ draw
    table = 256
    while table < 8 * count:
        table *= 2
    state = np.zeros(8, np.int64)
    state[BUDGET] = budget
    state[ROWS] = count
    state[COLUMNS] = n
    rows = np.empty(16 * count + 64, np.int32)
    rows[:count] = np.arange(count)
    columns = np.empty(16 * n + 64, np.int64)
    columns[:n] = np.arange(n)
    return Arena(
        values,
        marks,
        rows,
        np.empty(4 * count + 64, np.int64),
        columns,
        np.empty(columns.size, np.int64),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(count, np.int32),
        np.empty(max(KINDS * count, n), np.int32),
        np.zeros(table, np.int32),
        np.empty((table // 2, 5), np.int64),
        np.empty(8 * table, np.int32),
        state,
    )


@kernel
def _longer(array: Shorts, used: int) -> Shorts:
    """The array with twice the room if more than half of it is used."""
    if 2 * used < array.size:
        return array
    grown = np.empty(2 * array.size, np.int32)
    grown[: array.size] = array
    return grown


@kernel
def enlarged(arena: Arena) -> Arena:
    """The arena with more room, its stacks emptied but for the first set; what was remembered is kept."""
    count, n = arena.values.shape
    state = arena.state
    rows = np.empty(2 * arena.rows.size, np.int32)
    rows[:count] = np.arange(count)
    columns = np.empty(2 * arena.columns.size, np.int64)
    columns[:n] = np.arange(n)
    table = arena.table
    entries = arena.entries
    if 2 * state[ENTRIES] >= entries.shape[0]:
        entries = np.empty((4 * arena.entries.shape[0], 5), np.int64)
        entries[: state[ENTRIES]] = arena.entries[: state[ENTRIES]]
        table = np.zeros(4 * arena.table.size, np.int32)
        for e in range(state[ENTRIES]):
            slot = _slot(entries[e, HASH], table.size)
            while table[slot] != 0:
                slot = (slot + 1) % table.size
            table[slot] = e + 1
    store = arena.store
    while 2 * state[STORED] >= store.size:
        store = _longer(store, state[STORED])
    state[ROWS] = count
    state[ENDS] = 0
    state[COLUMNS] = n
    state[STATUS] = RUNNING
    return Arena(
        arena.values,
        arena.marks,
        rows,
        np.empty(2 * arena.ends.size, np.int64),
        columns,
        np.empty(columns.size, np.int64),
        arena.seen,
        arena.group,
        arena.label,
        arena.room,
        table,
        entries,
        store,
        state,
    )


@kernel
def has_room(arena: Arena, size: int, columns: int) -> bool:
    """Whether a set of this size can be looked into: reduced, divided, and its answer remembered."""
    state = arena.state
    return bool(
        state[ROWS] + 2 * size <= arena.rows.size  # factors add up to no more than their product
        and state[ENDS] + size + KINDS <= arena.ends.size
        and state[COLUMNS] + columns <= arena.columns.size
        and state[ENTRIES] < arena.entries.shape[0]
        and state[STORED] + size <= arena.store.size
    )


@kernel
def hash_of(arena: Arena, begin: int, end: int) -> int:
    """The hash of the set at `begin` to `end` of the stack."""
    mixed = np.int64(0)
    for i in range(begin, end):
        mixed ^= arena.marks[arena.rows[i]]
    return mixed


@kernel
def _slot(mixed: int, slots: int) -> int:
    """Where to look first in a hash table with a power of two of slots."""
    return (mixed ^ (mixed >> 29)) & (slots - 1)


@kernel
def find(arena: Arena, mixed: int, begin: int, end: int) -> int:
    """The remembered answer for the set at `begin` to `end`, or −1."""
    slot = _slot(mixed, arena.table.size)
    while arena.table[slot] != 0:
        entry = arena.table[slot] - 1
        if arena.entries[entry, HASH] == mixed and arena.entries[entry, SIZE] == end - begin:
            at = arena.entries[entry, AT]
            same = True
            for i in range(end - begin):
                if arena.store[at + i] != arena.rows[begin + i]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & (arena.table.size - 1)
    return -1


@kernel
def remember(arena: Arena, mixed: int, begin: int, end: int, value: int, move: int) -> None:
    """Remember the answer for the set at `begin` to `end`; there is room (`has_room`) unless others took it."""
    entry = find(arena, mixed, begin, end)
    if entry < 0:
        state = arena.state
        if state[ENTRIES] == arena.entries.shape[0] or state[STORED] + end - begin > arena.store.size:
            state[STATUS] = FULL
            return
        entry = state[ENTRIES]
        state[ENTRIES] += 1
        arena.entries[entry, HASH] = mixed
        arena.entries[entry, AT] = state[STORED]
        arena.entries[entry, SIZE] = end - begin
        for i in range(begin, end):
            arena.store[state[STORED]] = arena.rows[i]
            state[STORED] += 1
        slot = _slot(mixed, arena.table.size)
        while arena.table[slot] != 0:
            slot = (slot + 1) & (arena.table.size - 1)
        arena.table[slot] = entry + 1
    arena.entries[entry, VALUE] = value
    arena.entries[entry, MOVE] = move


@kernel
def refine(arena: Arena, begin: int, end: int, first: int, last: int, group: int) -> int:
    """Label the layouts of a set by what the columns of a group show; returns the number of labels.

    Layouts have equal labels exactly if they show the same in all those columns.
    """
    label = arena.label
    relabel = arena.room
    size = end - begin
    label[:size] = 0
    labels = 1
    for j in range(first, last):
        column = arena.columns[j]
        if arena.group[column] != group:
            continue
        relabel[: KINDS * labels] = -1
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


@kernel
def gather_classes(arena: Arena, begin: int, end: int, labels: int) -> None:
    """Put the layouts of a set onto the stack, those with equal labels together, and the ends of each part."""
    state = arena.state
    at = arena.room  # where the next layout of a label goes
    at[:labels] = 0
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


@kernel
def divide(arena: Arena, begin: int, end: int, column: int) -> int:
    """Put the layouts of a set that are safe at `column` onto the stack, by the number shown, largest part first.

    Returns the number of parts; their ends are on their stack.
    """
    state = arena.state
    sizes = np.zeros(KINDS, np.int64)
    for i in range(begin, end):
        sizes[arena.values[arena.rows[i], column] + 1] += 1
    sizes[0] = 0
    top = state[ROWS]
    at = np.empty(KINDS, np.int64)
    parts = 0
    while True:
        largest = 0
        for v in range(1, KINDS):
            if sizes[v] > sizes[largest]:
                largest = v
        if sizes[largest] == 0:
            break
        at[largest] = top
        top += sizes[largest]
        sizes[largest] = 0
        arena.ends[state[ENDS] + parts] = top
        parts += 1
    for i in range(begin, end):
        v = arena.values[arena.rows[i], column] + 1
        if v > 0:
            arena.rows[at[v]] = arena.rows[i]
            at[v] += 1
    state[ROWS] = top
    state[ENDS] += parts
    return parts
