"""Compiled: the forward pass of the counting engine, written down as a tape.

Boxes of a component are placed one after the other. A *state* holds what every open clue still needs, packed
four bits a clue, fifteen clues a word, in as many words as it takes. States that are equal are merged. Each
carries a polynomial: how many ways lead here, by the number of mines placed. A step that puts x mines into a
box of s cells multiplies by the binomial C(s, x) and shifts by x.

Everything is kept: states, steps and polynomials, so that the backward pass, and passes over other kinds of
numbers, walk along without looking up a state again.

The pass can stop in the middle and go on later: when its quota of work is used up (so that Python can look at
the clock and at Ctrl-C) and when an array is full (so that Python can make a larger one). Where it stands is
kept in `cursor`.

Values are doubles. They are whole numbers, hence exact, below 2^53. Where they would overflow, a layer is
divided by a power of two; a positive value stays positive then, so that `value > 0` always means "reachable".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.encode._kernels import Flat

__all__ = [
    "AT_LAYER",
    "BINOMIAL",
    "DONE",
    "EDGES",
    "EXPONENT",
    "FIRST_LAYER",
    "FULL",
    "IMPOSSIBLE",
    "LOSSY",
    "PAUSED",
    "PEAK_BITS",
    "SLOTS_PER_WORD",
    "STATES",
    "TINY",
    "VALUES",
    "WIDTH",
    "Tape",
    "assign_slots",
    "begin_component",
    "forward",
    "new_cursor",
    "new_tape",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SLOTS_PER_WORD = 15  # four bits each, and the sign bit stays clear
HUGE = 1e200
TINY = 1e-300

BINOMIAL = np.zeros((9, 9))
for _n in range(9):
    BINOMIAL[_n, 0] = 1.0
    for _k in range(1, _n + 1):
        BINOMIAL[_n, _k] = BINOMIAL[_n - 1, _k - 1] + BINOMIAL[_n - 1, _k]

# What `forward` answers.
DONE = 0
PAUSED = 1  # the quota is used up: call again
FULL = 2  # an array is full: call again with a larger tape
IMPOSSIBLE = 3  # no placement meets the clues of this component

# Where the pass stands: the fields of `cursor`.
AT_LAYER = 0  # step of the current component
PHASE = 1  # 0: making states, 1: adding values
POSITION = 2  # next state to leave from
STATES = 3  # entries used so far
EDGES = 4
VALUES = 5
TABLE = 6  # current size of the hash table, a power of two
FIRST_LAYER = 7  # layer index of the current component's first layer
EXPONENT = 8  # the current component's values are divided by 2**EXPONENT
LOSSY = 9  # 1 if a positive value had to be lifted to TINY
WORDS = 10  # words per state of the current component
WIDTH = 11  # clues open at once, at most, in the current component
PEAK_BITS = 12  # every value of the current component so far is below 2**PEAK_BITS
PER_WORD = 13  # clues packed into one word: SLOTS_PER_WORD, or fewer to test states of many words


class Tape(NamedTuple):
    """The arrays that a forward pass fills; see the module's text."""

    layer_state: Ints  # first state of each layer; a component of n boxes has n + 1 layers
    low: NDArray[np.int32]  # per state: fewest mines placed …
    high: NDArray[np.int32]  # … and most
    least: NDArray[np.int8]  # per state: fewest mines for the next box (its steps are contiguous)
    value_at: Ints  # per state: where its polynomial begins (coefficients low … high)
    edge_at: Ints  # per state: where its steps begin
    edge_to: NDArray[np.int32]  # per step: the state it leads to
    value: Floats
    keys: NDArray[np.int64]  # (2, …): the packed states of this layer and of the next
    table: NDArray[np.int32]  # hash table of the next layer: state + 1, or 0


@kernel
def new_tape(layers: int, states: int, edges: int, values: int) -> Tape:
    """An empty tape with room for so many entries."""
    table = 64
    while table < 2 * states:
        table *= 2
    return Tape(
        np.empty(layers, np.int64),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.int8),
        np.empty(states + 1, np.int64),
        np.empty(states + 1, np.int64),
        np.empty(edges, np.int32),
        np.empty(values, np.float64),
        np.empty((2, states), np.int64),
        np.empty(table, np.int32),
    )


@kernel
def new_cursor(per_word: int) -> Ints:
    """A cursor before the first component."""
    cursor = np.zeros(14, np.int64)
    cursor[AT_LAYER] = -1
    cursor[PER_WORD] = per_word
    return cursor


@kernel
def assign_slots(flat: Flat, order: Ints, placed: Ints, slot: Ints) -> int:
    """Give every clue of a component a slot for the time that it is open; returns how many slots that takes.

    A clue that one box alone touches is never open and gets none (−1). `placed` is zero before and after.
    """
    free = np.empty(order.size * 8, np.int64)
    free_count = 0
    slots = 0
    for i in range(order.size):
        b = order[i]
        for d in range(flat.box_degree[b]):
            k = flat.box_clues[b, d]
            if placed[k] == 0:
                if flat.clue_degree[k] == 1:
                    slot[k] = -1
                elif free_count:
                    free_count -= 1
                    slot[k] = free[free_count]
                else:
                    slot[k] = slots
                    slots += 1
        for d in range(flat.box_degree[b]):
            k = flat.box_clues[b, d]
            placed[k] += flat.box_size[b]
            if placed[k] == flat.clue_cells[k] and slot[k] >= 0:
                free[free_count] = slot[k]
                free_count += 1
    for i in range(order.size):
        for d in range(flat.box_degree[order[i]]):
            placed[flat.box_clues[order[i], d]] = 0
    return slots


@kernel
def begin_component(tape: Tape, cursor: Ints, slots: int) -> bool:
    """Write the first state of the next component: nothing placed. False if the tape is full."""
    words = max(1, (slots + cursor[PER_WORD] - 1) // cursor[PER_WORD])
    first = cursor[FIRST_LAYER]
    if cursor[AT_LAYER] >= 0:
        first += cursor[AT_LAYER] + 1
    s = cursor[STATES]
    if s + 1 > tape.low.size or cursor[VALUES] + 1 > tape.value.size or words > tape.keys.shape[1]:
        return False
    cursor[FIRST_LAYER] = first
    cursor[AT_LAYER] = 0
    cursor[PHASE] = 0
    cursor[POSITION] = s
    cursor[WORDS] = words
    cursor[WIDTH] = slots
    cursor[EXPONENT] = 0
    cursor[LOSSY] = 0
    cursor[PEAK_BITS] = 1
    tape.layer_state[first] = s
    tape.layer_state[first + 1] = s + 1
    tape.low[s] = 0
    tape.high[s] = 0
    tape.value_at[s] = cursor[VALUES]
    tape.value_at[s + 1] = cursor[VALUES] + 1
    tape.value[cursor[VALUES]] = 1.0
    tape.edge_at[s] = cursor[EDGES]
    for i in range(words):
        tape.keys[0, i] = 0
    cursor[STATES] = s + 1
    cursor[VALUES] += 1
    return True


@kernel
def _hash(keys: Ints, at: int, words: int) -> int:
    """A hash of one packed state, computed without overflow (kernels also run uncompiled)."""
    total = 0
    for i in range(words):
        key = keys[at + i]
        total = (total >> 5) ^ ((key & 0x7FFFFFFF) * 0x9E3779B1) ^ ((key >> 31) * 0x85EBCA77)
    return total >> 17


@kernel
def _rehash(tape: Tape, cursor: Ints, keys: Ints, first: int, size: int) -> None:
    """Enter all states of the next layer, from `first` on, into a table of `size`."""
    words = cursor[WORDS]
    mask = size - 1
    cursor[TABLE] = size
    for i in range(size):
        tape.table[i] = 0
    for s in range(first, cursor[STATES]):
        at = _hash(keys, (s - first) * words, words) & mask
        while tape.table[at]:
            at = (at + 1) & mask
        tape.table[at] = s - first + 1


@kernel
def _make_states(flat: Flat, b: int, placed: Ints, slot: Ints, tape: Tape, cursor: Ints, quota: Ints) -> int:
    """Leave every state of the current layer with every number of mines that box `b` can hold."""
    layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
    words = cursor[WORDS]
    size = flat.box_size[b]
    source_first = tape.layer_state[layer]
    first = tape.layer_state[layer + 1]
    keys = tape.keys[cursor[AT_LAYER] & 1]
    next_keys = tape.keys[1 - (cursor[AT_LAYER] & 1)]

    # What the box does to a state: clues that open are added, then every clue loses x.
    degree = flat.box_degree[b]
    known = np.empty(8, np.int64)  # need of a clue that opens here, −1 if it is read from the state
    word = np.empty(8, np.int64)
    shift = np.empty(8, np.int64)
    after = np.empty(8, np.int64)  # cells of the clue that are still to come
    add = np.zeros(words, np.int64)
    unit = np.zeros(words, np.int64)
    for d in range(degree):
        k = flat.box_clues[b, d]
        after[d] = flat.clue_cells[k] - placed[k] - size
        known[d] = flat.clue_need[k] if placed[k] == 0 else -1
        if slot[k] < 0:
            word[d] = 0
            shift[d] = 0
            continue
        word[d] = slot[k] // cursor[PER_WORD]
        shift[d] = 4 * (slot[k] % cursor[PER_WORD])
        unit[word[d]] += 1 << shift[d]
        if placed[k] == 0:
            add[word[d]] += flat.clue_need[k] << shift[d]

    if cursor[POSITION] == source_first:
        _rehash(tape, cursor, next_keys, first, 64)
    mask = cursor[TABLE] - 1
    for s in range(cursor[POSITION], first):
        states = cursor[STATES]
        edges = cursor[EDGES]
        if quota[0] <= 0:
            cursor[POSITION] = s
            return PAUSED
        if (
            states + size + 1 > tape.low.size
            or edges + size + 1 > tape.edge_to.size
            or (states - first + size + 1) * words > next_keys.size
        ):
            cursor[POSITION] = s
            return FULL
        if 2 * (states - first + size + 1) > cursor[TABLE]:
            if 2 * cursor[TABLE] > tape.table.size:
                cursor[POSITION] = s
                return FULL
            _rehash(tape, cursor, next_keys, first, 2 * cursor[TABLE])
            mask = cursor[TABLE] - 1
        here = (s - source_first) * words
        least = 0
        most = size
        for d in range(degree):
            residual = known[d]
            if residual < 0:
                residual = (keys[here + word[d]] >> shift[d]) & 15
            least = max(least, residual - after[d])
            most = min(most, residual)
        tape.edge_at[s] = edges
        tape.least[s] = least
        for x in range(least, most + 1):
            there = (states - first) * words
            for i in range(words):
                next_keys[there + i] = keys[here + i] + add[i] - x * unit[i]
            at = _hash(next_keys, there, words) & mask
            target = -1
            while True:
                entry = np.int64(tape.table[at])
                if entry == 0:
                    break
                same = True
                candidate = (entry - 1) * words
                for i in range(words):
                    if next_keys[candidate + i] != next_keys[there + i]:
                        same = False
                        break
                if same:
                    target = first + entry - 1
                    break
                at = (at + 1) & mask
            low = tape.low[s] + x
            high = tape.high[s] + x
            if target < 0:
                target = states
                tape.table[at] = states - first + 1
                tape.low[target] = low
                tape.high[target] = high
                states += 1
            else:
                if low < tape.low[target]:
                    tape.low[target] = low
                if high > tape.high[target]:
                    tape.high[target] = high
            tape.edge_to[edges] = target
            edges += 1
        quota[0] -= 4 + most - least
        cursor[STATES] = states
        cursor[EDGES] = edges
    tape.edge_at[first] = cursor[EDGES]
    return DONE


@kernel
def _add_values(size: int, tape: Tape, cursor: Ints, quota: Ints) -> int:
    """Carry the polynomials of the current layer over to the next."""
    layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
    source_first = tape.layer_state[layer]
    first = tape.layer_state[layer + 1]
    end = cursor[STATES]
    if cursor[POSITION] == source_first:
        at = cursor[VALUES]
        for s in range(first, end):
            tape.value_at[s] = at
            at += tape.high[s] - tape.low[s] + 1
        tape.value_at[end] = at
        if at > tape.value.size:
            return FULL
        tape.value[cursor[VALUES] : at] = 0.0
        cursor[VALUES] = at
    for s in range(cursor[POSITION], first):
        if quota[0] <= 0:
            cursor[POSITION] = s
            return PAUSED
        length = tape.value_at[s + 1] - tape.value_at[s]
        here = tape.value_at[s]
        for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
            x = e - tape.edge_at[s] + tape.least[s]
            target = tape.edge_to[e]
            there = tape.value_at[target] + tape.low[s] + x - tape.low[target]
            ways = BINOMIAL[size, x]
            for t in range(length):
                tape.value[there + t] += ways * tape.value[here + t]
            quota[0] -= length
    _rescale(tape.value[tape.value_at[first] : tape.value_at[end]], cursor)
    return DONE


@kernel
def _rescale(values: Floats, cursor: Ints) -> None:
    """Divide a layer by a power of two where it grows too large; a positive value stays positive."""
    largest = 0.0
    for i in range(values.size):
        largest = max(largest, values[i])
    bits = 1 + int(np.log2(largest)) if largest >= 1.0 else 1
    cursor[PEAK_BITS] = max(cursor[PEAK_BITS], cursor[EXPONENT] + bits)
    if largest > HUGE:
        cursor[EXPONENT] += 640
        for i in range(values.size):
            if values[i] > 0.0:
                values[i] *= 2.0**-640
                if values[i] < TINY:
                    values[i] = TINY
                    cursor[LOSSY] = 1


@kernel
def forward(flat: Flat, order: Ints, placed: Ints, slot: Ints, tape: Tape, cursor: Ints, quota: Ints) -> int:
    """Go on with the current component until it is done or something is missing; see the answers above.

    `placed` counts, per clue, the cells placed so far; it belongs to the pass and is zero again at its end.
    """
    while cursor[AT_LAYER] < order.size:
        b = order[cursor[AT_LAYER]]
        layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
        if cursor[PHASE] == 0:
            status = _make_states(flat, b, placed, slot, tape, cursor, quota)
            if status != DONE:
                return status
            cursor[PHASE] = 1
            cursor[POSITION] = tape.layer_state[layer]
        if cursor[STATES] == tape.layer_state[layer + 1]:
            return IMPOSSIBLE
        status = _add_values(flat.box_size[b], tape, cursor, quota)
        if status != DONE:
            return status
        for d in range(flat.box_degree[b]):
            placed[flat.box_clues[b, d]] += flat.box_size[b]
        cursor[PHASE] = 0
        cursor[POSITION] = tape.layer_state[layer + 1]
        cursor[AT_LAYER] += 1
        tape.layer_state[layer + 2] = cursor[STATES]
    for i in range(order.size):
        for d in range(flat.box_degree[order[i]]):
            placed[flat.box_clues[order[i], d]] = 0
    return DONE
