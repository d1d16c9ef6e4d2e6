"""Compiled: rule 10 of document 000, which weighs all placements of mines in a *sequence* equally.

A sequence is a component: hidden cells joined by shared numbers. The document enumerates its placements one
by one; here the counting engine adds them up by their number of mines, which gives the same whole numbers.
Placements with too many mines are dropped first: with M mines left and L sequences none may hold more than
M − (L − 1); where the maxima still add up to more than M, none may exceed its minimum by more than what the
minima leave over. With at most `end_play` cells hidden everything is one sequence that holds M exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE, verdict_of
from msat.engines.counting._kernels.backward import backward
from msat.engines.counting._kernels.forward import assign_slots, forward
from msat.engines.counting._kernels.order import cheapest_order
from msat.engines.counting._kernels.tape import (
    DONE,
    FIRST_LAYER,
    FULL,
    SLOTS_PER_WORD,
    STATES,
    Tape,
    begin_component,
    new_cursor,
    new_tape,
    ways_table,
)
from msat.problem._kernels.boxes import REST, Flat, build, new_workspace

__all__ = ["Survey", "answer_cells", "highest", "joined", "survey", "weigh_sequences"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

FIRST_ROOM = 1 << 13
LAST_ROOM = 1 << 21
NO_LIMIT = 1 << 60


class Survey(NamedTuple):
    """All placements of all sequences of a board, counted by their number of mines."""

    fits: bool  # False: a sequence has no placement, or needs more memory than is given
    flat: Flat
    tape: Tape
    order: Ints
    first_layer: Ints
    low: Ints  # per sequence: fewest mines …
    ways: Floats  # … and its placements with so many mines, one more, and so on
    room: int  # the most values of one layer of the tape
    left: int  # mines not marked
    free: int  # hidden cells in no sequence


@kernel
def _count_all(
    flat: Flat, width: int, room: int, order: Ints, first_layer: Ints, low: Ints
) -> tuple[int, Tape]:
    """The forward pass over every component on a tape with room for so many states: DONE, or why not."""
    workspace = new_workspace(0)
    components = flat.component_start.size - 1
    placed = np.zeros(flat.clue_need.size, np.int64)
    taken = np.zeros(flat.box_size.size, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    tape = new_tape(flat.box_size.size + components + 1, room, 2 * room, 4 * room, workspace)
    cursor = new_cursor(SLOTS_PER_WORD, workspace)
    quota = np.full(1, NO_LIMIT, np.int64)
    tilt = 0.0
    ways = ways_table(tilt, workspace)
    for i in range(components):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        walk = flat.component_boxes[start:end]
        best, _ = cheapest_order(flat, walk, width, placed, taken, workspace)
        order[start:end] = best
        slots = assign_slots(flat, best, placed, slot, workspace)
        if not begin_component(tape, cursor, slots):
            return FULL, tape
        status = forward(flat, best, placed, slot, ways, tilt != 0.0, tape, cursor, quota)
        if status != DONE:
            return status, tape
        first_layer[i] = cursor[FIRST_LAYER]
        low[i] = tape.low[cursor[STATES] - 1]
    return DONE, tape


@kernel
def highest(ways: Floats, low: int, cap: int) -> int:
    """The most mines up to `cap` that a sequence can hold, if `ways` counts its placements from `low` on."""
    most = min(low + ways.size - 1, cap)
    while most > low and ways[most - low] == 0.0:
        most -= 1
    return most


@kernel
def _limit(ways: Floats, low: Ints, left: int, least: Ints, most: Ints) -> tuple[int, int]:
    """Fill in the fewest and the most mines of every sequence, the document's caps applied.

    Returns their sums, the second cut to `left`.
    """
    lists = low.size
    least_sum = 0
    most_sum = 0
    for i in range(lists):
        least[i] = low[i]
        most[i] = highest(ways[i], low[i], left - lists + 1)
        least_sum += least[i]
        most_sum += most[i]
    if most_sum <= left:
        return least_sum, most_sum
    spare = left - least_sum
    for i in range(lists):
        most[i] = highest(ways[i], low[i], min(most[i], least[i] + spare))
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
def joined(beside: Floats, ways: Floats, low: Ints, skip: int) -> Floats:
    """Placements of all sequences but `skip`, by number of mines, if `beside` counts those of all else."""
    total = beside
    for i in range(low.size):
        if i == skip:
            continue
        after = np.zeros(beside.size, np.float64)
        for t in range(ways.shape[1]):
            if ways[i, t] > 0.0:
                for k in range(beside.size - low[i] - t):
                    after[k + low[i] + t] += total[k] * ways[i, t]
        total = after
    return total


@kernel(apart=True)
def survey(board: Bytes, mines: int) -> Survey:
    """Count the placements of every sequence of a board on which rules 1 and 2 find nothing more."""
    h, w = board.shape
    flat = build(board)
    lists = flat.component_start.size - 1
    left = mines
    for r in range(h):
        for c in range(w):
            left -= board[r, c] == -2
    free = flat.unknown
    for b in range(flat.box_size.size):
        free -= flat.box_size[b]

    order = np.empty(flat.box_size.size, np.int64)
    first_layer = np.empty(lists, np.int64)
    low = np.empty(lists, np.int64)
    states = FIRST_ROOM
    status, tape = _count_all(flat, w, states, order, first_layer, low)
    while status == FULL and states < LAST_ROOM:
        states *= 4
        status, tape = _count_all(flat, w, states, order, first_layer, low)
    if status != DONE:
        return Survey(False, flat, tape, order, first_layer, low, np.empty((0, 0)), 0, left, free)

    span = 1
    room = 1
    final = np.empty(lists, np.int64)
    for i in range(lists):
        steps = flat.component_start[i + 1] - flat.component_start[i]
        final[i] = tape.layer_state[first_layer[i] + steps]
        span = max(span, tape.value_at[final[i] + 1] - tape.value_at[final[i]])
        for layer in range(first_layer[i], first_layer[i] + steps + 1):
            values = tape.value_at[tape.layer_state[layer + 1]] - tape.value_at[tape.layer_state[layer]]
            room = max(room, values)
    ways = np.zeros((lists, span), np.float64)
    for i in range(lists):
        for t in range(tape.value_at[final[i] + 1] - tape.value_at[final[i]]):
            ways[i, t] = tape.value[tape.value_at[final[i]] + t]
    return Survey(True, flat, tape, order, first_layer, low, ways, max(room, span), left, free)


@kernel
def answer_cells(found: Survey, weight: Floats, probability: Floats, verdict: Bytes) -> None:
    """P(mine) and verdict of every cell of a sequence; nan and OPEN elsewhere.

    A placement of sequence i with low[i] + t mines counts weight[i, t] times. Where the weights are whole
    numbers, equal shares come out equal to the last bit, which decides ties.
    """
    flat = found.flat
    h, w = probability.shape
    lists, span = found.ways.shape
    sums = np.empty((flat.box_size.size, 2), np.float64)
    can = np.empty(flat.box_size.size, np.int64)
    worth = np.empty((2, found.room), np.float64)
    progress = np.empty(2, np.int64)
    quota = np.full(1, NO_LIMIT, np.int64)
    tilt = 0.0
    ways = ways_table(tilt, new_workspace(0))
    whole = bool(np.all(weight == np.rint(weight)))
    for i in range(lists):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        total = 0.0
        for t in range(span):
            worth[(end - start) & 1, t] = weight[i, t]
            total += found.ways[i, t] * weight[i, t]
        progress[0] = end - start
        progress[1] = -1
        order = found.order[start:end]
        backward(
            flat,
            order,
            ways,
            tilt != 0.0,
            found.tape,
            found.first_layer[i],
            progress,
            worth,
            sums,
            can,
            quota,
        )
        for j in range(start, end):
            b = flat.component_boxes[j]
            if whole:
                # So are all sums, though the engine's may be off in the last bit.
                sums[b, 0] = np.rint(sums[b, 0])
                sums[b, 1] = total
            else:
                sums[b, 1] += sums[b, 0]
    for r in range(h):
        for c in range(w):
            probability[r, c] = np.nan
            verdict[r, c] = OPEN
            b = flat.box_of[r * w + c]
            if b >= 0:
                probability[r, c] = sums[b, 0] / sums[b, 1]
                verdict[r, c] = verdict_of(can[b])


@kernel
def weigh_sequences(
    found: Survey,
    end_play: int,
    merge_at_most: int,
    probability: Floats,
    verdict: Bytes,
    least: Ints,
    most: Ints,
) -> int:
    """P(mine) = placements with a mine / placements, of every cell of a sequence; nan elsewhere.

    Returns how many hidden cells are in no sequence; fills `verdict`, and `least` and `most` with the mines
    that each sequence may hold. Sequences are merged when they hold every hidden cell and at most
    `merge_at_most`, and their limits do not settle the total.
    """
    h, w = probability.shape
    lists, span = found.ways.shape
    left = found.left
    free = found.free
    unknown = found.flat.unknown
    together = unknown <= end_play
    if not together:
        least_sum, most_sum = _limit(found.ways, found.low, left, least, most)
        together = free == 0 and lists > 1 and least_sum != most_sum and unknown <= merge_at_most
    weight = np.zeros((lists, span), np.float64)
    for i in range(lists):
        if together:
            others = joined(_binomials(free, left), found.ways, found.low, i)
        for t in range(span):
            mines = found.low[i] + t
            if together:
                weight[i, t] = others[left - mines] if mines <= left else 0.0
            else:
                weight[i, t] = 1.0 if mines <= most[i] else 0.0
    answer_cells(found, weight, probability, verdict)
    if not together:
        return free
    if free > 0:
        # With a mine in one given free cell, the others hold one mine less in one cell less.
        all_ways = joined(_binomials(free, left), found.ways, found.low, -1)[left]
        mined = 0.0
        if left > 0:
            mined = joined(_binomials(free - 1, left - 1), found.ways, found.low, -1)[left - 1]
        for r in range(h):
            for c in range(w):
                if found.flat.box_of[r * w + c] == REST:
                    probability[r, c] = mined / all_ways
                    if mined == 0.0:
                        verdict[r, c] = PROVEN_SAFE
                    elif mined == all_ways:
                        verdict[r, c] = PROVEN_MINE
    return 0
