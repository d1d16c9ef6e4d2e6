"""Compiled: the forward pass of the counting engine.

Boxes of a component are placed one after the other; the states reached are written to the tape (`tape.py`),
and equal states are merged. A state is packed four bits an open clue, fifteen clues a word, in as many
words as it takes. A step that puts x mines into a box of s cells multiplies a polynomial by the binomial
C(s, x) and shifts it by x.

The pass can stop in the middle and go on later: when its quota of work is used up (so that Python can look at
the clock and at Ctrl-C) and when an array is full (so that Python can make a larger one). Where it stands is
kept in `cursor`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf
from msat.engines.counting._kernels.order import clear_placed, place_box
from msat.engines.counting._kernels.tape import (
    ADD,
    AFTER,
    AT_LAYER,
    DONE,
    EDGES,
    EXPONENT,
    FIRST_LAYER,
    FULL,
    IMPOSSIBLE,
    KNOWN,
    LOSSY,
    NEED,
    PAUSED,
    PEAK_BITS,
    PER_WORD,
    PHASE,
    POSITION,
    SHIFT,
    SLOT_BITS,
    SMALLEST_TABLE,
    STATES,
    TABLE,
    UNIT,
    VALUES,
    WIDTH,
    WORD,
    WORDS,
    Runner,
    Tape,
    begin_component,
    rescale,
)
from msat.problem._kernels.boxes import Flat

__all__ = ["forward", "prepare", "reach", "run"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@leaf
def prepare(flat: Flat, order: Ints, runner: Runner) -> int:
    """Get ready for a component: a slot for every clue while it is open. Returns how many slots that takes.

    A clue that one box alone touches is never open and gets none (−1).
    """
    placed, slot, free = runner.placed, runner.slot, runner.free
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
    clear_placed(flat, order, placed)
    runner.cursor[WIDTH] = slots
    return slots


@leaf(inlined=True)
def run(flat: Flat, order: Ints, tape: Tape, runner: Runner) -> int:
    """The forward pass of a component that is prepared, in one go: DONE, FULL or IMPOSSIBLE.

    This is how everything is counted; only passes that may take long go in slices (`resumable.py`).
    """
    if not begin_component(tape, runner.cursor):
        return FULL
    status = forward(flat, order, tape, runner)
    if status != DONE:
        clear_placed(flat, order, runner.placed)
    return status


@leaf
def _hash(keys: Ints, at: int, words: int) -> int:
    """A hash of one packed state, computed without overflow (kernels also run uncompiled)."""
    total = 0
    for i in range(words):
        key = keys[at + i]
        total = (total >> 5) ^ ((key & 0x7FFFFFFF) * 0x9E3779B1) ^ ((key >> 31) * 0x85EBCA77)
    return total >> 17


@leaf
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


@leaf(inlined=True)
def _describe(flat: Flat, b: int, runner: Runner, tape: Tape) -> None:
    """Write to `change` what box `b` does to a state: clues that open are added, then every clue loses x."""
    cursor, placed, slot = runner.cursor, runner.placed, runner.slot
    known, word, shift = tape.change[KNOWN], tape.change[WORD], tape.change[SHIFT]
    after, add, unit = tape.change[AFTER], tape.change[ADD], tape.change[UNIT]
    for i in range(cursor[WORDS]):
        add[i] = 0
        unit[i] = 0
    for d in range(flat.box_degree[b]):
        k = flat.box_clues[b, d]
        after[d] = flat.clue_cells[k] - placed[k] - flat.box_size[b]
        known[d] = flat.clue_need[k] if placed[k] == 0 else -1
        if slot[k] < 0:
            word[d] = 0
            shift[d] = 0
            continue
        word[d] = slot[k] // cursor[PER_WORD]
        shift[d] = SLOT_BITS * (slot[k] % cursor[PER_WORD])
        unit[word[d]] += 1 << shift[d]
        if placed[k] == 0:
            add[word[d]] += flat.clue_need[k] << shift[d]


@leaf(inlined=True)
def _has_room(tape: Tape, cursor: Ints, keys: Ints, first: int, size: int) -> bool:
    """Whether the tape has room for all steps of one state more, its hash table grown if need be."""
    states = cursor[STATES]
    made = states - first + size + 1
    if (
        states + size + 1 > tape.low.size
        or cursor[EDGES] + size + 1 > tape.edge_to.size
        or made * cursor[WORDS] > keys.size
    ):
        return False
    if 2 * made > cursor[TABLE]:
        if 2 * cursor[TABLE] > tape.table.size:
            return False
        _rehash(tape, cursor, keys, first, 2 * cursor[TABLE])
    return True


@leaf(inlined=True)
def _look_up(table: NDArray[np.int32], mask: int, keys: Ints, there: int, words: int) -> tuple[int, int]:
    """(place in the table, entry): the state packed at `there`, or 0 if it is new."""
    at = _hash(keys, there, words) & mask
    while True:
        entry = np.int64(table[at])
        if entry == 0:
            return at, 0
        same = True
        candidate = (entry - 1) * words
        for i in range(words):
            if keys[candidate + i] != keys[there + i]:
                same = False
                break
        if same:
            return at, int(entry)
        at = (at + 1) & mask


@leaf
def _make_states(flat: Flat, b: int, tape: Tape, runner: Runner) -> int:
    """Leave every state of the current layer with every number of mines that box `b` can hold."""
    cursor, quota = runner.cursor, runner.quota
    layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
    words = cursor[WORDS]
    size = flat.box_size[b]
    degree = flat.box_degree[b]
    source_first = tape.layer_state[layer]
    first = tape.layer_state[layer + 1]
    keys = tape.keys[cursor[AT_LAYER] & 1]
    next_keys = tape.keys[1 - (cursor[AT_LAYER] & 1)]
    known, word, shift = tape.change[KNOWN], tape.change[WORD], tape.change[SHIFT]
    after, add, unit = tape.change[AFTER], tape.change[ADD], tape.change[UNIT]
    _describe(flat, b, runner, tape)
    if cursor[POSITION] == source_first:
        _rehash(tape, cursor, next_keys, first, SMALLEST_TABLE)
    for s in range(cursor[POSITION], first):
        if quota[0] <= 0 or not _has_room(tape, cursor, next_keys, first, size):
            cursor[POSITION] = s
            return PAUSED if quota[0] <= 0 else FULL
        mask = cursor[TABLE] - 1
        states = cursor[STATES]
        edges = cursor[EDGES]
        here = (s - source_first) * words
        least = 0
        most = size
        for d in range(degree):
            residual = known[d]
            if residual < 0:
                residual = (keys[here + word[d]] >> shift[d]) & NEED
            least = max(least, residual - after[d])
            most = min(most, residual)
        tape.edge_at[s] = edges
        tape.least[s] = least
        for x in range(least, most + 1):
            there = (states - first) * words
            for i in range(words):
                next_keys[there + i] = keys[here + i] + add[i] - x * unit[i]
            at, entry = _look_up(tape.table, mask, next_keys, there, words)
            target = first + entry - 1
            low = tape.low[s] + x
            high = tape.high[s] + x
            if entry == 0:
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


@leaf
def _add_values(ways: Floats, tape: Tape, runner: Runner) -> int:
    """Carry the polynomials of the current layer over to the next; ways[x] belongs to x mines in the box."""
    cursor, quota = runner.cursor, runner.quota
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
            weight = ways[x]
            for t in range(length):
                tape.value[there + t] += weight * tape.value[here + t]
            quota[0] -= length
    exponent, lifted, largest = rescale(tape.value[tape.value_at[first] : tape.value_at[end]], runner.tilted)
    bits = cursor[EXPONENT] + 1 + (int(np.log2(largest)) if largest >= 1.0 else 0)
    cursor[PEAK_BITS] = max(cursor[PEAK_BITS], bits)
    cursor[EXPONENT] += exponent
    if lifted:
        cursor[LOSSY] = 1
    return DONE


@leaf(inlined=True)
def _next_layer(flat: Flat, b: int, tape: Tape, runner: Runner) -> None:
    """Box `b` is placed: go on with the states that this led to."""
    cursor = runner.cursor
    layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
    place_box(flat, b, runner.placed)
    cursor[PHASE] = 0
    cursor[POSITION] = tape.layer_state[layer + 1]
    cursor[AT_LAYER] += 1
    tape.layer_state[layer + 2] = cursor[STATES]


@leaf
def forward(flat: Flat, order: Ints, tape: Tape, runner: Runner) -> int:
    """Go on with the current component until it is done or something is missing; see the answers above."""
    cursor = runner.cursor
    while cursor[AT_LAYER] < order.size:
        b = order[cursor[AT_LAYER]]
        layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
        if cursor[PHASE] == 0:
            status = _make_states(flat, b, tape, runner)
            if status != DONE:
                return status
            cursor[PHASE] = 1
            cursor[POSITION] = tape.layer_state[layer]
        if cursor[STATES] == tape.layer_state[layer + 1]:
            return IMPOSSIBLE
        status = _add_values(runner.ways[flat.box_size[b]], tape, runner)
        if status != DONE:
            return status
        _next_layer(flat, b, tape, runner)
    clear_placed(flat, order, runner.placed)
    return DONE


@leaf
def reach(flat: Flat, order: Ints, tape: Tape, runner: Runner) -> tuple[int, int, int]:
    """(status, fewest, most mines) of a component that is prepared, in one go: its states without values."""
    cursor = runner.cursor
    if not begin_component(tape, cursor):
        return FULL, 0, 0
    for i in range(order.size):
        status = _make_states(flat, order[i], tape, runner)
        if status == DONE and cursor[STATES] == tape.layer_state[cursor[FIRST_LAYER] + i + 1]:
            status = IMPOSSIBLE
        if status != DONE:
            clear_placed(flat, order, runner.placed)
            return status, 0, 0
        _next_layer(flat, order[i], tape, runner)
    clear_placed(flat, order, runner.placed)
    final = cursor[STATES] - 1
    return DONE, tape.low[final], tape.high[final]
