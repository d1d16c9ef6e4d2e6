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

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.tape import (
    AT_LAYER,
    DONE,
    EDGES,
    EXPONENT,
    FIRST_LAYER,
    FULL,
    IMPOSSIBLE,
    LOSSY,
    PAUSED,
    PEAK_BITS,
    PER_WORD,
    PHASE,
    POSITION,
    STATES,
    TABLE,
    VALUES,
    WORDS,
    Tape,
    rescale,
)
from msat.problem._kernels.boxes import Flat, take_longs

__all__ = ["assign_slots", "forward", "reach"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel(apart=True)
def assign_slots(flat: Flat, order: Ints, placed: Ints, slot: Ints, workspace: Ints) -> int:
    """Give every clue of a component a slot for the time that it is open; returns how many slots that takes.

    A clue that one box alone touches is never open and gets none (−1). `placed` is zero before and after.
    """
    before = workspace[0]
    free = take_longs(workspace, min(order.size * 8, slot.size))
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
    _clear_placed(flat, order, placed)
    workspace[0] = before
    return slots


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


@leaf
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
    known = tape.change[0]  # need of a clue that opens here, −1 if it is read from the state
    word = tape.change[1]
    shift = tape.change[2]
    after = tape.change[3]  # cells of the clue that are still to come
    add = tape.change[4]
    unit = tape.change[5]
    add[:words] = 0
    unit[:words] = 0
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


@leaf
def _add_values(ways: Floats, tilted: bool, tape: Tape, cursor: Ints, quota: Ints) -> int:
    """Carry the polynomials of the current layer over to the next; ways[x] belongs to x mines in the box."""
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
    exponent, lifted, largest = rescale(tape.value[tape.value_at[first] : tape.value_at[end]], tilted)
    bits = cursor[EXPONENT] + 1 + (int(np.log2(largest)) if largest >= 1.0 else 0)
    cursor[PEAK_BITS] = max(cursor[PEAK_BITS], bits)
    cursor[EXPONENT] += exponent
    if lifted:
        cursor[LOSSY] = 1
    return DONE


@leaf
def _next_layer(flat: Flat, b: int, placed: Ints, tape: Tape, cursor: Ints) -> None:
    """Box `b` is placed: go on with the states that this led to."""
    layer = cursor[FIRST_LAYER] + cursor[AT_LAYER]
    for d in range(flat.box_degree[b]):
        placed[flat.box_clues[b, d]] += flat.box_size[b]
    cursor[PHASE] = 0
    cursor[POSITION] = tape.layer_state[layer + 1]
    cursor[AT_LAYER] += 1
    tape.layer_state[layer + 2] = cursor[STATES]


@leaf
def _clear_placed(flat: Flat, order: Ints, placed: Ints) -> None:
    for i in range(order.size):
        for d in range(flat.box_degree[order[i]]):
            placed[flat.box_clues[order[i], d]] = 0


@leaf(apart=True)
def forward(
    flat: Flat,
    order: Ints,
    placed: Ints,
    slot: Ints,
    ways: Floats,
    tilted: bool,
    tape: Tape,
    cursor: Ints,
    quota: Ints,
) -> int:
    """Go on with the current component until it is done or something is missing; see the answers above.

    `placed` counts, per clue, the cells placed so far; it belongs to the pass and is zero again at its end.
    `ways` is a `ways_table`, `tilted` tells whether its tilt is other than zero.
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
        status = _add_values(ways[flat.box_size[b]], tilted, tape, cursor, quota)
        if status != DONE:
            return status
        _next_layer(flat, b, placed, tape, cursor)
    _clear_placed(flat, order, placed)
    return DONE


@leaf(apart=True)
def reach(
    flat: Flat, order: Ints, placed: Ints, slot: Ints, tape: Tape, cursor: Ints, quota: Ints
) -> tuple[int, int, int]:
    """(status, fewest, most mines) of the current component, in one go: its states without their values."""
    for i in range(order.size):
        status = _make_states(flat, order[i], placed, slot, tape, cursor, quota)
        if status != DONE:
            return status, 0, 0
        if cursor[STATES] == tape.layer_state[cursor[FIRST_LAYER] + i + 1]:
            return IMPOSSIBLE, 0, 0
        _next_layer(flat, order[i], placed, tape, cursor)
    _clear_placed(flat, order, placed)
    final = cursor[STATES] - 1
    return DONE, tape.low[final], tape.high[final]
