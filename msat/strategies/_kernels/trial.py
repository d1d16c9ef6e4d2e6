"""Compiled: what opening one cell would show, and how the board would look then.

Opening a cell adds one clue. It touches the cell's own component and those of its neighbours, which it joins;
all others change only through the mine total. So only these are counted again, once for each number that
the cell may show: boxes that reach beyond the cell's neighbours are split, the elimination order is taken
over, and the other components enter as weights (`parts.py`). Chances of the numbers, and all probabilities in
the joined component and the rest, are exact; those in the other components are taken as they were, though
the mines that they hold may shift a little.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.encode._kernels import REST, Flat
from msat.engines._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE, backward
from msat.engines._kernels.forward import assign_slots, forward
from msat.engines._kernels.tape import (
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
from msat.strategies._kernels.game import MINE
from msat.strategies._kernels.parts import Parts, outside
from msat.strategies._kernels.value import MOST_WORTH, TOP, insert, worth

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


class Local(NamedTuple):
    """The components joined by a new clue, which is number 0, as a problem of its own."""

    flat: Flat
    order: Ints
    base: Ints  # per box: the box of the position that it is (a part of), or REST
    inside: Bytes  # per box: whether it touches the cell tried
    known: int  # mines known around that cell
    rest: int  # cells of the rest around it


@kernel
def new_room(parts: Parts, states: int) -> Room:
    """Room for trials of a position that take at most so many states."""
    boxes = parts.flat.box_size.size
    tilt = 0.0
    return Room(
        new_tape((boxes + 12) * NUMBERS + 12, states, 4 * states, 8 * states),
        ways_table(tilt),
        np.zeros(boxes, np.int64),
        np.empty(parts.low.size, np.int64),
        np.empty((2, parts.flat.unknown + 1), np.float64),
        np.empty(NUMBERS, np.float64),
        np.empty(NUMBERS, np.float64),
    )


@kernel
def _join(parts: Parts, grid: Bytes, x: int, room: Room) -> Local:
    """The problem that a clue at cell `x` would join; marks its components in `room.joined`."""
    flat = parts.flat
    h, w = grid.shape
    own = flat.box_of[x]
    known = 0
    rest = 0
    room.joined[:] = 0
    if own >= 0:
        room.joined[parts.component[own]] = 1
    for r in range(max(x // w - 1, 0), min(x // w + 2, h)):
        for c in range(max(x % w - 1, 0), min(x % w + 2, w)):
            if r * w + c == x:
                continue
            known += grid[r, c] == MINE
            b = flat.box_of[r * w + c]
            if b == REST:
                rest += 1
            elif b >= 0:
                room.near[b] += 1
                room.joined[parts.component[b]] = 1

    most = 9  # boxes that the new clue adds, by splitting others and from the rest
    for i in range(room.joined.size):
        if room.joined[i]:
            most += flat.component_start[i + 1] - flat.component_start[i]
    clue_room = flat.clue_need.size + 1
    box_size = np.empty(most, np.int64)
    box_clues = np.empty((most, 8), np.int64)
    box_degree = np.empty(most, np.int64)
    base = np.empty(most, np.int64)
    inside = np.zeros(most, np.int8)
    order = np.empty(most, np.int64)
    clue_of = np.full(clue_room, -1, np.int64)
    clue_need = np.empty(clue_room, np.int64)
    clue_cells = np.empty(clue_room, np.int64)
    clue_degree = np.zeros(clue_room, np.int64)
    clue_need[0] = 0
    clue_cells[0] = rest
    clues = 1
    boxes = 0
    last_inside = -1
    for i in range(room.joined.size):
        if not room.joined[i]:
            continue
        for t in range(flat.component_start[i], flat.component_start[i + 1]):
            b = parts.order[t]
            for side in range(2):
                size = room.near[b]
                if side == 1:
                    size = flat.box_size[b] - size - (b == own)
                if size == 0:
                    continue
                degree = flat.box_degree[b]
                for d in range(degree):
                    k = flat.box_clues[b, d]
                    if clue_of[k] < 0:
                        clue_of[k] = clues
                        clue_need[clues] = flat.clue_need[k]
                        clue_cells[clues] = flat.clue_cells[k]
                        clues += 1
                    box_clues[boxes, d] = clue_of[k]
                    clue_degree[clue_of[k]] += 1
                if side == 0:
                    box_clues[boxes, degree] = 0
                    degree += 1
                    clue_degree[0] += 1
                    clue_cells[0] += size
                    inside[boxes] = 1
                    last_inside = boxes
                box_degree[boxes] = degree
                box_size[boxes] = size
                base[boxes] = b
                boxes += 1
            room.near[b] = 0
    if own >= 0:
        for d in range(flat.box_degree[own]):
            if clue_of[flat.box_clues[own, d]] >= 0:
                clue_cells[clue_of[flat.box_clues[own, d]]] -= 1

    # The order of the position, and the cells of the rest where the new clue is open anyway.
    placed = 0
    for b in range(boxes):
        order[placed] = b
        placed += 1
        if b == last_inside and rest:
            order[placed] = boxes
            placed += 1
    if rest:
        if last_inside < 0:
            order[placed] = boxes
        box_clues[boxes, 0] = 0
        box_degree[boxes] = 1
        box_size[boxes] = rest
        base[boxes] = REST
        inside[boxes] = 1
        clue_degree[0] += 1
        boxes += 1
    none = np.empty(0, np.int64)
    joined = Flat(
        none,
        box_size[:boxes],
        box_clues[:boxes],
        box_degree[:boxes],
        none,
        clue_need[:clues],
        clue_cells[:clues],
        np.empty((0, 8), np.int64),
        clue_degree[:clues],
        none,
        none,
        0,
        -1,
    )
    return Local(joined, order[:boxes], base, inside, known, rest)


@kernel
def try_cell(
    parts: Parts, grid: Bytes, x: int, around: Around, room: Room, enough: float
) -> tuple[int, float]:
    """(numbers that cell `x` may show if it is safe, what the board is worth then on average).

    Fills `room.chance`. The worth is at least an upper bound as soon as it is certain to fall below `enough`,
    and the values are not all looked at then. TOO_WIDE where the room does not suffice.
    """
    local = _join(parts, grid, x, room)
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
    slots = assign_slots(flat, local.order, placed, slot)
    cursor = new_cursor(SLOTS_PER_WORD)
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
        safe = 0
        top[:] = elsewhere
        for b in range(boxes):
            if can[b] == CAN_BE_SAFE:
                safe += flat.box_size[b]
            elif can[b] != CAN_BE_MINE:
                safety = sums[b, 1] / (sums[b, 0] + sums[b, 1])
                if local.inside[b] or around.living[local.base[b]]:
                    for _ in range(min(TOP, flat.box_size[b])):
                        insert(top, safety)
        if beyond > 0 and rest_risk[number] < NOTHING:
            safe += beyond
        elif beyond > 0 and around.rest_lives:
            for _ in range(min(TOP, beyond)):
                insert(top, 1.0 - rest_risk[number])
        for _ in range(min(TOP, safe)):
            insert(top, 1.0)
        room.value[number] = worth(top, safe)
        average += room.chance[number] * room.value[number]
        open_chance -= room.chance[number]
        if average + open_chance * MOST_WORTH < enough:
            return possible, average + open_chance * MOST_WORTH
    return possible, average
