"""Compiled: rule 10 of document 000, which weighs all placements of mines in a *sequence* equally.

A sequence is a component: hidden cells joined by shared numbers. The document enumerates its placements one
by one; here the counting engine adds them up by their number of mines, which gives the same whole numbers.
Placements with too many mines are dropped first: with M mines left and L sequences none may hold more than
M − (L − 1); where the maxima still add up to more than M, none may exceed its minimum by more than what the
minima leave over. With at most `end_play` cells hidden everything is one sequence that holds M exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.encode._kernels import NOT_UNKNOWN, REST, Flat, build
from msat.engines._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE
from msat.engines._kernels.backward import backward
from msat.engines._kernels.forward import assign_slots, forward
from msat.engines._kernels.order import cheapest_order
from msat.engines._kernels.tape import (
    DONE,
    FIRST_LAYER,
    SLOTS_PER_WORD,
    STATES,
    Tape,
    begin_component,
    new_cursor,
    new_tape,
    ways_table,
)

__all__ = ["APART", "TOGETHER", "TOO_WIDE", "weigh_sequences"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

# How the sequences were weighed.
TOO_WIDE = -1  # a sequence needs more memory than is given
APART = 0
TOGETHER = 1  # as one that holds all mines left

FIRST_ROOM = 1 << 13
LAST_ROOM = 1 << 21
NO_LIMIT = 1 << 60


@kernel
def _count_all(
    flat: Flat, width: int, room: int, order: Ints, first_layer: Ints, low: Ints
) -> tuple[bool, Tape]:
    """The forward pass over every component on a tape with room for so many states; False if it is full."""
    components = flat.component_start.size - 1
    placed = np.zeros(flat.clue_need.size, np.int64)
    taken = np.zeros(flat.box_size.size, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    tape = new_tape(flat.box_size.size + components + 1, room, 2 * room, 4 * room)
    cursor = new_cursor(SLOTS_PER_WORD)
    ways = ways_table(0.0)
    quota = np.full(1, NO_LIMIT, np.int64)
    for i in range(components):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        best, _ = cheapest_order(flat, flat.component_boxes[start:end], width, placed, taken)
        order[start:end] = best
        slots = assign_slots(flat, best, placed, slot)
        if not begin_component(tape, cursor, slots):
            return False, tape
        if forward(flat, best, placed, slot, ways, False, tape, cursor, quota) != DONE:
            return False, tape
        first_layer[i] = cursor[FIRST_LAYER]
        low[i] = tape.low[cursor[STATES] - 1]
    return True, tape


@kernel
def _highest(ways: Floats, low: int, cap: int) -> int:
    """The most mines up to `cap` that a sequence can hold, if `ways` counts its placements from `low` on."""
    most = min(low + ways.size - 1, cap)
    while most > low and ways[most - low] == 0.0:
        most -= 1
    return most


@kernel
def _limit(poly: Floats, low: Ints, left: int, least: Ints, most: Ints) -> tuple[int, int]:
    """Fill in the fewest and the most mines of every sequence, the document's caps applied.

    Returns their sums, the second cut to `left`.
    """
    lists = low.size
    least_sum = 0
    most_sum = 0
    for i in range(lists):
        least[i] = low[i]
        most[i] = _highest(poly[i], low[i], left - lists + 1)
        least_sum += least[i]
        most_sum += most[i]
    if most_sum <= left:
        return least_sum, most_sum
    spare = left - least_sum
    for i in range(lists):
        most[i] = _highest(poly[i], low[i], min(most[i], least[i] + spare))
    return least_sum, left


@kernel
def _binomials(n: int, top: int) -> Floats:
    """C(n, 0) … C(n, top)."""
    row = np.zeros(top + 1, np.float64)
    row[0] = 1.0
    for k in range(1, min(n, top) + 1):
        row[k] = np.rint(row[k - 1] * (n - k + 1) / k)
    return row


@kernel
def _joined(poly: Floats, low: Ints, skip: int, free: int, left: int) -> Floats:
    """By number of mines up to `left`: the ways of `free` cells and all sequences but `skip` to hold them."""
    ways = _binomials(free, left)
    for i in range(low.size):
        if i == skip:
            continue
        after = np.zeros(left + 1, np.float64)
        for t in range(poly.shape[1]):
            if poly[i, t] > 0.0:
                for k in range(left + 1 - low[i] - t):
                    after[k + low[i] + t] += ways[k] * poly[i, t]
        ways = after
    return ways


@kernel
def weigh_sequences(
    board: Bytes,
    mines: int,
    end_play: int,
    merge_at_most: int,
    probability: Floats,
    verdict: Bytes,
    least: Ints,
    most: Ints,
) -> tuple[int, int, int]:
    """P(mine) = placements with a mine / placements, of every cell of a sequence; nan elsewhere.

    Returns how the sequences were weighed, how many there are, and how many hidden cells are in none of
    them; fills `least` and `most` with the mines each may hold, and `verdict`. Sequences are merged when they
    hold every hidden cell and at most `merge_at_most`, and their limits do not settle the total.
    """
    h, w = board.shape
    flat = build(board)
    lists = flat.component_start.size - 1
    boxes = flat.box_size.size
    left = mines
    for r in range(h):
        for c in range(w):
            left -= board[r, c] == -2
            verdict[r, c] = OPEN
            probability[r, c] = np.nan
    listed = 0
    for b in range(boxes):
        listed += flat.box_size[b]
    free = flat.unknown - listed

    order = np.empty(boxes, np.int64)
    first_layer = np.empty(lists, np.int64)
    low = np.empty(lists, np.int64)
    room = FIRST_ROOM
    fits, tape = _count_all(flat, w, room, order, first_layer, low)
    while not fits and room < LAST_ROOM:
        room *= 4
        fits, tape = _count_all(flat, w, room, order, first_layer, low)
    if not fits:
        return TOO_WIDE, lists, free

    span = 1
    final = np.empty(lists, np.int64)
    widest = 1
    for i in range(lists):
        steps = flat.component_start[i + 1] - flat.component_start[i]
        final[i] = tape.layer_state[first_layer[i] + steps]
        span = max(span, tape.value_at[final[i] + 1] - tape.value_at[final[i]])
        for layer in range(first_layer[i], first_layer[i] + steps + 1):
            values = tape.value_at[tape.layer_state[layer + 1]] - tape.value_at[tape.layer_state[layer]]
            widest = max(widest, values)
    poly = np.zeros((lists, span), np.float64)
    for i in range(lists):
        for t in range(tape.value_at[final[i] + 1] - tape.value_at[final[i]]):
            poly[i, t] = tape.value[tape.value_at[final[i]] + t]

    together = flat.unknown <= end_play
    if not together:
        least_sum, most_sum = _limit(poly, low, left, least, most)
        together = free == 0 and lists > 1 and least_sum != most_sum and listed <= merge_at_most
    solutions = 0.0
    if together:
        solutions = _joined(poly, low, -1, free, left)[left]

    sums = np.empty((boxes, 2), np.float64)
    can = np.empty(boxes, np.int64)
    total = np.empty(lists, np.float64)
    worth = np.empty((2, max(widest, span)), np.float64)
    progress = np.empty(2, np.int64)
    ways = ways_table(0.0)
    quota = np.full(1, NO_LIMIT, np.int64)
    for i in range(lists):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        weight = worth[(end - start) & 1]
        total[i] = 0.0
        if together:
            others = _joined(poly, low, i, free, left)
            for t in range(span):
                rest = left - low[i] - t
                weight[t] = others[rest] if rest >= 0 else 0.0
        else:
            for t in range(span):
                weight[t] = 1.0 if low[i] + t <= most[i] else 0.0
        for t in range(span):
            total[i] += poly[i, t] * weight[t]
        progress[0] = end - start
        progress[1] = -1
        backward(
            flat, order[start:end], ways, False, tape, first_layer[i], progress, worth, sums, can, quota
        )
        for j in range(start, end):
            sums[flat.component_boxes[j], 1] = total[i]

    in_free = 0.0
    if together and free > 0 and left > 0:
        # With a mine in one given cell of the rest, the others hold one mine less in one cell less.
        in_free = _joined(poly, low, -1, free - 1, left - 1)[left - 1]
    for r in range(h):
        for c in range(w):
            b = flat.box_of[r * w + c]
            if b == NOT_UNKNOWN or (b == REST and not together):
                continue
            # Both are whole numbers; the engine's sums may be off in the last bit.
            with_mine = in_free if b == REST else np.rint(sums[b, 0])
            all_ways = solutions if b == REST else sums[b, 1]
            probability[r, c] = with_mine / all_ways
            if with_mine == 0.0:
                verdict[r, c] = PROVEN_SAFE
            elif with_mine == all_ways:
                verdict[r, c] = PROVEN_MINE
    return (TOGETHER if together else APART), lists, 0 if together else free
