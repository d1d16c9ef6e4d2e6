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

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE, backward
from msat.engines.counting._kernels.forward import prepare, run
from msat.engines.counting._kernels.tape import (
    AT_LAYER,
    DONE,
    EXPONENT,
    FIRST_LAYER,
    IMPOSSIBLE,
    SLOTS_PER_WORD,
    STATES,
    Runner,
    Tape,
    new_runner,
    new_tape,
    widest_layer,
)
from msat.problem._kernels.boxes import REST
from msat.problem._kernels.workspace import new_workspace
from msat.strategies.best._kernels.components import Parts, outside
from msat.strategies.best._kernels.new_clue import UNSURE, ByBox, Local, join, teaching
from msat.strategies.best._kernels.value import NOT_YET_OPENED, TOP, insert, worth

__all__ = ["TOO_WIDE", "Around", "Room", "new_room", "try_cell"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

NUMBERS = 9
TOO_WIDE = -1
NOTHING = 1e-12  # a chance below this is none: a rest that cannot hold a mine any more


class Room(NamedTuple):
    """Arrays that all trials of a position use in turn."""

    tape: Tape
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
    workspace = new_workspace(0)
    return Room(
        new_tape((boxes + 12) * NUMBERS + 12, states, 4 * states, 8 * states, workspace),
        np.zeros(boxes, np.int64),
        np.empty(parts.low.size, np.int64),
        np.empty((2, parts.flat.unknown + 1), np.float64),
        np.empty(NUMBERS, np.float64),
        np.empty(NUMBERS, np.float64),
    )


@leaf
def _count_numbers(
    local: Local, room: Room, runner: Runner, ways: Floats, mined: Floats, beginnings: Ints, rest_risk: Floats
) -> int:
    """Count the joined component once for each number: how many are possible, or TOO_WIDE.

    Fills `room.chance`, where each pass begins and ends on the tape, and the risk of a cell of the rest.
    """
    tape, flat, cursor = room.tape, local.flat, runner.cursor
    total = 0.0
    possible = 0
    for number in range(NUMBERS):
        room.chance[number] = 0.0
        room.value[number] = 0.0
        rest_risk[number] = 0.0
    for number in range(local.known, min(NUMBERS - 1, local.known + flat.clue_cells[0]) + 1):
        flat.clue_need[0] = number - local.known
        status = run(flat, local.order, tape, runner)
        if status == IMPOSSIBLE:
            continue
        if status != DONE or cursor[EXPONENT]:
            return TOO_WIDE
        last = cursor[STATES] - 1
        beginnings[number] = cursor[FIRST_LAYER]
        for t in range(tape.value_at[last], tape.value_at[last + 1]):
            m = tape.low[last] + t - tape.value_at[last]
            room.chance[number] += tape.value[t] * ways[m]
            rest_risk[number] += tape.value[t] * mined[m]
        if room.chance[number] > 0.0:
            rest_risk[number] /= room.chance[number]
            possible += 1
    for number in range(NUMBERS):
        total += room.chance[number]
    for number in range(NUMBERS):
        room.chance[number] /= total
    return possible


@leaf
def _by_chance(chance: Floats, numbers: Ints) -> None:
    """Sort the numbers, the likeliest first; of equal ones the smaller."""
    for number in range(numbers.size):
        at = number
        while at > 0 and chance[number] > chance[numbers[at - 1]]:
            numbers[at] = numbers[at - 1]
            at -= 1
        numbers[at] = number


@leaf
def _elsewhere(around: Around, joined: Ints, top: Floats) -> None:
    """The safest living cells of the components that the trial does not concern."""
    for t in range(TOP):
        top[t] = 0.0
    for i in range(joined.size):
        if not joined[i]:
            for t in range(TOP):
                insert(top, around.safest[i, t])


@leaf
def _rest_can(beyond: int, risk: float) -> int:
    """What a cell of the rest beyond the neighbours can be."""
    if beyond > 0 and risk < NOTHING:
        return CAN_BE_SAFE
    if beyond > 0 and risk > 1.0 - NOTHING:
        return CAN_BE_MINE
    return UNSURE


@leaf
def _insert_safest(
    local: Local,
    around: Around,
    sums: Floats,
    can: Ints,
    rest_can: int,
    beyond: int,
    risk: float,
    top: Floats,
) -> None:
    """Take the cells that live and are not certain, of the joined component and the rest, into `top`."""
    for b in range(local.order.size):
        if can[b] == UNSURE:
            safety = sums[b, 1] / (sums[b, 0] + sums[b, 1])
            if local.inside[b] or around.living[local.base[b]]:
                for _ in range(min(TOP, local.flat.box_size[b])):
                    insert(top, safety)
    if rest_can == UNSURE and beyond > 0 and around.rest_lives:
        for _ in range(min(TOP, beyond)):
            insert(top, 1.0 - risk)


@kernel(apart=True, inside=True)
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

    workspace = new_workspace(0)
    no_tilt = 0.0
    runner = new_runner(flat.clue_need.size, no_tilt, SLOTS_PER_WORD, workspace)
    prepare(flat, local.order, runner)
    beginnings = np.empty(NUMBERS, np.int64)
    rest_risk = np.empty(NUMBERS, np.float64)
    possible = _count_numbers(local, room, runner, ways, mined, beginnings, rest_risk)
    if possible == TOO_WIDE or possible == 1:
        return possible, 0.0

    widest = widest_layer(tape, 0, runner.cursor[FIRST_LAYER] + runner.cursor[AT_LAYER])
    passing = np.empty((2, widest), np.float64)
    progress = np.empty(2, np.int64)
    sums = np.empty((boxes, 2), np.float64)
    can = np.empty(boxes, np.int64)
    elsewhere = np.empty(TOP, np.float64)
    _elsewhere(around, room.joined, elsewhere)
    top = np.empty(TOP, np.float64)
    numbers = np.empty(NUMBERS, np.int64)
    _by_chance(room.chance, numbers)
    average = 0.0
    open_chance = 1.0
    for turn in range(possible):
        number = numbers[turn]
        first = beginnings[number]
        last = tape.layer_state[first + boxes]
        progress[0] = boxes
        progress[1] = -1
        for t in range(tape.high[last] - tape.low[last] + 1):
            passing[boxes & 1, t] = ways[tape.low[last] + t]
        backward(flat, local.order, tape, first, runner, progress, passing, sums, can)
        for t in range(TOP):
            top[t] = elsewhere[t]
        rest_can = _rest_can(beyond, rest_risk[number])
        _insert_safest(local, around, sums, can, rest_can, beyond, rest_risk[number], top)
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
