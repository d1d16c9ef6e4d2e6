"""Compiled: a whole position answered in one call, for boards whose frontiers are not very wide.

This is the fast path: array in, arrays out. It prefilters with the rules, builds the problem, runs the
counting passes on a tape of fixed size and writes the answer for every cell. Where the tape is too small it
says so, and the engine takes the long way (`counting.py`), with tapes that grow, a budget and Ctrl-C.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.encode._kernels import NOT_UNKNOWN, REST, Flat, build
from msat.engines._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE, backward
from msat.engines._kernels.combine import LEAST_MASS, combine
from msat.engines._kernels.forward import assign_slots, forward
from msat.engines._kernels.order import cheapest_order
from msat.engines._kernels.rules import apply_rules
from msat.engines._kernels.tape import (
    FIRST_LAYER,
    FULL,
    IMPOSSIBLE,
    LOSSY,
    SLOTS_PER_WORD,
    STATES,
    begin_component,
    new_cursor,
    new_tape,
    ways_table,
)

__all__ = [
    "ANSWERED",
    "CLUE",
    "COMPONENT",
    "IMPRECISE",
    "OPEN",
    "PROVEN_MINE",
    "PROVEN_SAFE",
    "TOTAL",
    "VALUE",
    "WIDE",
    "answer",
    "prefilter",
    "spread",
    "usable",
    "verdict_of",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# What `answer` says …
ANSWERED = 0
VALUE = 1  # the cell `detail` holds a number below `lowest` or above 8
CLUE = 2  # the clue at cell `detail` cannot be met
COMPONENT = 3  # the clues of component `detail` cannot all be met
TOTAL = 4  # no layout has this number of mines
WIDE = 5  # the tape of the fast path is too small
IMPRECISE = 6  # doubles cannot tell: to be counted exactly

# … and what it says of a hidden cell.
OPEN = 0
PROVEN_SAFE = 1
PROVEN_MINE = 2

STATE_ROOM = 1 << 13
VALUE_ROOM = 1 << 15
COMBINE_ROOM = 1 << 21
NO_LIMIT = 1 << 60


@kernel
def prefilter(
    array: NDArray[np.int8], lowest: int, last_rule: int, grid: NDArray[np.int8]
) -> tuple[int, int, int]:
    """Copy `array` to `grid` and apply the rules. Returns (status, detail, mines on the grid now)."""
    h, w = array.shape
    for r in range(h):
        for c in range(w):
            value = array[r, c]
            if value < lowest or value > 8:
                return VALUE, r * w + c, 0
            grid[r, c] = value
    _, bad = apply_rules(grid, last_rule, np.empty((0, 6), np.int32))
    if bad >= 0:
        return CLUE, bad, 0
    known = 0
    for r in range(h):
        for c in range(w):
            if grid[r, c] == -2:
                known += 1
    return ANSWERED, -1, known


@kernel
def usable(sums: Floats) -> bool:
    """Whether every box has a total that doubles hold well."""
    good = True
    for b in range(sums.shape[0]):
        good &= 1e-200 < sums[b, 0] + sums[b, 1] < 1e300
    return good


@kernel
def verdict_of(can: int) -> int:
    """From what a cell can be to what is proven of it."""
    if can == CAN_BE_SAFE:
        return PROVEN_SAFE
    if can == CAN_BE_MINE:
        return PROVEN_MINE
    return OPEN


@kernel
def spread(
    array: NDArray[np.int8],
    grid: NDArray[np.int8],
    flat: Flat,
    sums: Floats,
    can: Ints,
    rest_probability: float,
    rest_can: int,
    probability: Floats,
    verdict: NDArray[np.int8],
) -> None:
    """Write the answer of every box and of the rest to their cells."""
    h, w = array.shape
    for r in range(h):
        for c in range(w):
            verdict[r, c] = OPEN
            if array[r, c] >= 0:
                probability[r, c] = np.nan
                continue
            if array[r, c] != -1:
                probability[r, c] = 1.0 if array[r, c] == -2 else 0.0
                continue
            b = flat.box_of[r * w + c]
            if b == NOT_UNKNOWN:
                mine = grid[r, c] == -2
                probability[r, c] = 1.0 if mine else 0.0
                verdict[r, c] = PROVEN_MINE if mine else PROVEN_SAFE
                continue
            if b == REST:
                verdict[r, c] = verdict_of(rest_can)
                p = rest_probability
            else:
                verdict[r, c] = verdict_of(can[b])
                p = sums[b, 0] / (sums[b, 0] + sums[b, 1])
            if verdict[r, c] == PROVEN_SAFE:
                p = 0.0
            elif verdict[r, c] == PROVEN_MINE:
                p = 1.0
            probability[r, c] = p


@kernel
def answer(
    array: NDArray[np.int8],
    lowest: int,
    mines: int,
    last_rule: int,
    probability: Floats,
    verdict: NDArray[np.int8],
) -> tuple[int, int]:
    """P(mine) of every cell and what is proven of it; returns (status, detail) as listed above.

    `array` holds −1 hidden, −2 known mine, 0…8 revealed, and, if `lowest` is −3, also −3 for a cell that is
    known to be safe but shows no number.
    """
    h, w = array.shape
    grid = np.empty((h, w), np.int8)
    status, detail, known = prefilter(array, lowest, last_rule, grid)
    if status != ANSWERED:
        return status, detail
    flat = build(grid)
    if flat.bad >= 0:
        return CLUE, flat.bad
    left = mines - known
    if left < 0 or left > flat.unknown:
        return TOTAL, -1

    boxes = flat.box_size.size
    components = flat.component_start.size - 1
    placed = np.zeros(flat.clue_need.size, np.int64)
    taken = np.zeros(boxes, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    order = np.empty(boxes, np.int64)
    first_layer = np.empty(components, np.int64)
    low = np.empty(components, np.int64)
    poly_at = np.zeros(components + 1, np.int64)
    tape = new_tape(boxes + components + 1, STATE_ROOM, 2 * STATE_ROOM, VALUE_ROOM)
    cursor = new_cursor(SLOTS_PER_WORD)
    quota = np.full(1, NO_LIMIT, np.int64)
    tilt = 0.0
    tilted = tilt != 0.0  # not simply False: a literal would compile the passes once more
    ways = ways_table(tilt)
    rest = flat.unknown
    for i in range(components):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        best, _ = cheapest_order(flat, flat.component_boxes[start:end], w, placed, taken)
        order[start:end] = best
        slots = assign_slots(flat, best, placed, slot)
        if not begin_component(tape, cursor, slots):
            return WIDE, -1
        status = forward(flat, best, placed, slot, ways, tilted, tape, cursor, quota)
        if status == IMPOSSIBLE:
            return COMPONENT, i
        if status == FULL:
            return WIDE, -1
        if cursor[LOSSY]:
            return IMPRECISE, -1
        first_layer[i] = cursor[FIRST_LAYER]
        final = cursor[STATES] - 1
        low[i] = tape.low[final]
        poly_at[i + 1] = poly_at[i] + tape.high[final] - tape.low[final] + 1
        for t in range(start, end):
            rest -= flat.box_size[flat.component_boxes[t]]

    poly = np.empty(poly_at[components], np.float64)
    weight = np.empty(poly_at[components], np.float64)
    room = 1
    for i in range(components):
        steps = flat.component_start[i + 1] - flat.component_start[i]
        final = tape.layer_state[first_layer[i] + steps]
        for t in range(poly_at[i + 1] - poly_at[i]):
            poly[poly_at[i] + t] = tape.value[tape.value_at[final] + t]
        for layer in range(first_layer[i], first_layer[i] + steps + 1):
            values = tape.value_at[tape.layer_state[layer + 1]] - tape.value_at[tape.layer_state[layer]]
            room = max(room, values)
    if poly_at[components] * components > COMBINE_ROOM:
        return WIDE, -1
    mass, rest_probability, rest_can, _ = combine(poly, poly_at, low, rest, flat.unknown, left, 0.0, weight)
    if mass == 0.0:
        return TOTAL, -1
    if mass < LEAST_MASS:
        return IMPRECISE, -1

    sums = np.empty((boxes, 2), np.float64)
    can = np.empty(boxes, np.int64)
    worth = np.empty((2, room), np.float64)
    progress = np.empty(2, np.int64)
    for i in range(components):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        progress[0] = end - start
        progress[1] = -1
        worth[(end - start) & 1, : poly_at[i + 1] - poly_at[i]] = weight[poly_at[i] : poly_at[i + 1]]
        backward(
            flat, order[start:end], ways, tilted, tape, first_layer[i], progress, worth, sums, can, quota
        )
    if not usable(sums):
        return IMPRECISE, -1
    spread(array, grid, flat, sums, can, rest_probability, rest_can, probability, verdict)
    return ANSWERED, -1
