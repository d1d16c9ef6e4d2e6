"""Compiled: what opening one cell would show, and how the board would look then.

Opening a cell adds one clue. It touches the cell's own component and those of its neighbours, which it joins
(`new_clue.py`); all others change only through the mine total. So only these are counted again, once for each
number that the cell may show, and the other components enter as weights (`components.py`). Chances of the
numbers, and all probabilities in the joined component and the rest, are exact; those in the other components
are taken as they were, though the mines that they hold may shift a little.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE, backward
from msat.engines.counting._kernels.forward import assign_slots, forward
from msat.engines.counting._kernels.tape import (
    AT_LAYER,
    DONE,
    EXPONENT,
    FIRST_LAYER,
    IMPOSSIBLE,
    SLOTS_PER_WORD,
    STATES,
    Tape,
    begin_component,
    new_cursor,
    new_tape,
    ways_table,
)
from msat.problem._kernels.boxes import REST, new_workspace
from msat.strategies.best._kernels.components import Parts, outside
from msat.strategies.best._kernels.new_clue import UNSURE, ByBox, join, teaching
from msat.strategies.best._kernels.value import NOT_YET_OPENED, TOP, insert, worth

__all__ = ["TOO_WIDE", "Around", "Room", "new_room", "try_cell"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

NO_LIMIT = 1 << 60
NUMBERS = 9
TOO_WIDE = -1
NOTHING = 1e-12  # a chance below this is none: a rest that cannot hold a mine any more


class Room(NamedTuple):
    """Arrays that all trials of a position use in turn."""

    tape: Tape
    ways: Floats
    near: Ints  # per box: how many of its cells touch the cell tried; zero between trials
    joined: Ints  # per component: whether the trial concerns it
    outside: Floats  # (2, mines): see `outside`
    chance: Floats  # per number: the chance to see it, if the cell is safe
    value: Floats  # per number: what the board is worth then


class Around(NamedTuple):
    """What a trial has to know of the board beyond its own component."""

    living: Bytes  # per box: whether one of its cells is not dead
    safest: Floats  # (components, TOP): the safeties of the safest living cells, descending
    rest_lives: bool
    opened: bool  # whether the board shows a 0
    by_box: ByBox


@kernel
def new_room(parts: Parts, states: int) -> Room:
    """Room for trials of a position that take at most so many states."""
    boxes = parts.flat.box_size.size
    tilt = 0.0
    workspace = new_workspace(0)
    return Room(
        new_tape((boxes + 12) * NUMBERS + 12, states, 4 * states, 8 * states, workspace),
        ways_table(tilt, workspace),
        np.zeros(boxes, np.int64),
        np.empty(parts.low.size, np.int64),
        np.empty((2, parts.flat.unknown + 1), np.float64),
        np.empty(NUMBERS, np.float64),
        np.empty(NUMBERS, np.float64),
    )


@kernel(apart=True)
def try_cell(
    parts: Parts, grid: Bytes, x: int, around: Around, room: Room, enough: float
) -> tuple[int, float]:
    """(numbers that cell `x` may show if it is safe, what the board is worth then on average).

    Fills `room.chance`. The worth is at least an upper bound as soon as it is certain to fall below `enough`,
    and the values are not all looked at then. TOO_WIDE where the room does not suffice.
    """
    h, w = grid.shape
    local = join(parts, grid, x, room.near, room.joined)
    flat = local.flat
    boxes = local.order.size
    tape = room.tape
    beyond = parts.rest - local.rest - (parts.flat.box_of[x] == REST)
    most = flat.box_size.sum()
    ways = room.outside[0, : most + 1]
    mined = room.outside[1, : most + 1]
    outside(parts, room.joined, beyond, ways, mined)

    placed = np.zeros(flat.clue_need.size, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    workspace = new_workspace(0)
    slots = assign_slots(flat, local.order, placed, slot, workspace)
    cursor = new_cursor(SLOTS_PER_WORD, workspace)
    quota = np.full(1, NO_LIMIT, np.int64)
    tilt = 0.0
    tilted = tilt != 0.0  # not simply False: a literal would compile the passes once more
    first_layer = np.empty(NUMBERS, np.int64)
    final = np.empty(NUMBERS, np.int64)
    rest_risk = np.zeros(NUMBERS, np.float64)
    room.chance[:] = 0.0
    room.value[:] = 0.0
    possible = 0
    for number in range(local.known, min(NUMBERS - 1, local.known + flat.clue_cells[0]) + 1):
        flat.clue_need[0] = number - local.known
        if not begin_component(tape, cursor, slots):
            return TOO_WIDE, 0.0
        status = forward(flat, local.order, placed, slot, room.ways, tilted, tape, cursor, quota)
        if status == IMPOSSIBLE:
            placed[:] = 0
            continue
        if status != DONE or cursor[EXPONENT]:
            return TOO_WIDE, 0.0
        last = cursor[STATES] - 1
        first_layer[number] = cursor[FIRST_LAYER]
        final[number] = last
        for t in range(tape.value_at[last], tape.value_at[last + 1]):
            m = tape.low[last] + t - tape.value_at[last]
            room.chance[number] += tape.value[t] * ways[m]
            rest_risk[number] += tape.value[t] * mined[m]
        if room.chance[number] > 0.0:
            rest_risk[number] /= room.chance[number]
            possible += 1
    room.chance[:] /= room.chance.sum()
    if possible == 1:
        return possible, 0.0

    widest = 1
    for layer in range(cursor[FIRST_LAYER] + cursor[AT_LAYER] + 1):
        values = tape.value_at[tape.layer_state[layer + 1]] - tape.value_at[tape.layer_state[layer]]
        widest = max(widest, values)
    passing = np.empty((2, widest), np.float64)
    progress = np.empty(2, np.int64)
    sums = np.empty((boxes, 2), np.float64)
    can = np.empty(boxes, np.int64)
    elsewhere = np.zeros(TOP, np.float64)
    for i in range(room.joined.size):
        if not room.joined[i]:
            for t in range(TOP):
                insert(elsewhere, around.safest[i, t])
    top = np.empty(TOP, np.float64)
    average = 0.0
    open_chance = 1.0
    by_chance = np.argsort(-room.chance)
    for t in range(possible):
        number = by_chance[t]
        last = final[number]
        progress[0] = boxes
        progress[1] = -1
        length = tape.high[last] - tape.low[last] + 1
        passing[boxes & 1, :length] = ways[tape.low[last] : tape.low[last] + length]
        first = first_layer[number]
        backward(flat, local.order, room.ways, tilted, tape, first, progress, passing, sums, can, quota)
        top[:] = elsewhere
        for b in range(boxes):
            if can[b] == UNSURE:
                safety = sums[b, 1] / (sums[b, 0] + sums[b, 1])
                if local.inside[b] or around.living[local.base[b]]:
                    for _ in range(min(TOP, flat.box_size[b])):
                        insert(top, safety)
        rest_can = UNSURE
        if beyond > 0 and rest_risk[number] < NOTHING:
            rest_can = CAN_BE_SAFE
        elif beyond > 0 and rest_risk[number] > 1.0 - NOTHING:
            rest_can = CAN_BE_MINE
        elif beyond > 0 and around.rest_lives:
            for _ in range(min(TOP, beyond)):
                insert(top, 1.0 - rest_risk[number])
        for _ in range(teaching(parts, local, around.by_box, x, h, w, can, rest_can)):
            insert(top, 1.0)
        room.value[number] = worth(top)
        if number > 0 and not around.opened:
            room.value[number] *= NOT_YET_OPENED
        average += room.chance[number] * room.value[number]
        open_chance -= room.chance[number]
        if average + open_chance < enough:
            return possible, average + open_chance
    return possible, average
