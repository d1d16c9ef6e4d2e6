"""Compiled: a whole position counted, component after component, on one tape.

Everything that counts in one go does it here: answers, samples, the parts of a position for `best`, document
000's sequences. What may take long goes the same way in slices (`resumable.py`).

    order_components ──► count_all ──► combine ──► marginals
    (order.py)           forward       the total    backward

A tape has room for so many states. Where it is too small the answer is FULL, and the caller tries again with
a larger one, or gives up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.backward import backward
from msat.engines.counting._kernels.forward import prepare, run
from msat.engines.counting._kernels.tape import (
    DONE,
    EXPONENT,
    FIRST_LAYER,
    LOSSY,
    SLOTS_PER_WORD,
    STATES,
    Runner,
    Tape,
    new_runner,
    new_tape,
    widest_layer,
)
from msat.problem._kernels.boxes import Flat
from msat.problem._kernels.workspace import take_floats, take_longs

__all__ = ["CountedComponents", "count_all", "marginals"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class CountedComponents(NamedTuple):
    """All components counted; component k has the boxes flat.component_start[k] … of `order`."""

    order: Ints  # the boxes of every component, in the order in which they were placed
    first_layer: Ints  # per component: its first layer on the tape
    low: Ints  # per component: its fewest mines
    poly: Floats  # placements by mine count, component after component …
    poly_at: Ints  # … and where each begins (one entry more than components)
    exponent: Ints  # per component: its polynomial is divided by 2**exponent
    lossy: bool  # doubles do not hold all values of some component
    room: int  # the most values that one layer of the tape holds
    tape: Tape
    runner: Runner


@kernel(apart=True, inside=True)
def count_all(flat: Flat, order: Ints, states: int, workspace: Ints) -> tuple[int, int, CountedComponents]:
    """Count every component in the given order, on a tape for so many states.

    Returns DONE, or FULL, or IMPOSSIBLE, the component at which it ended, and what was counted, which is of
    use only if all is done.
    """
    count = flat.component_start.size - 1
    first_layer = take_longs(workspace, count)
    low = take_longs(workspace, count)
    exponent = take_longs(workspace, count)
    poly_at = take_longs(workspace, count + 1)
    tape = new_tape(order.size + count + 1, states, 2 * states, 4 * states, workspace)
    no_tilt = 0.0
    runner = new_runner(flat.clue_need.size, no_tilt, SLOTS_PER_WORD, workspace)
    status, done, lossy = _run_all(flat, order, tape, runner, first_layer, low, exponent, poly_at)
    poly = take_floats(workspace, poly_at[done])
    room = _read_polynomials(flat, tape, first_layer, poly_at, done, poly)
    counted = CountedComponents(
        order=order,
        first_layer=first_layer,
        low=low,
        poly=poly,
        poly_at=poly_at,
        exponent=exponent,
        lossy=lossy,
        room=room,
        tape=tape,
        runner=runner,
    )
    return status, done, counted


@leaf(inlined=True)
def _run_all(
    flat: Flat,
    order: Ints,
    tape: Tape,
    runner: Runner,
    first_layer: Ints,
    low: Ints,
    exponent: Ints,
    poly_at: Ints,
) -> tuple[int, int, bool]:
    """Run over all components; (status, how many are done, whether some values are lossy)."""
    cursor = runner.cursor
    lossy = False
    poly_at[0] = 0
    for i in range(flat.component_start.size - 1):
        boxes = order[flat.component_start[i] : flat.component_start[i + 1]]
        prepare(flat, boxes, runner)
        status = run(flat, boxes, tape, runner)
        if status != DONE:
            return status, i, lossy
        lossy |= cursor[LOSSY] != 0
        first_layer[i] = cursor[FIRST_LAYER]
        final = cursor[STATES] - 1
        low[i] = tape.low[final]
        exponent[i] = cursor[EXPONENT]
        poly_at[i + 1] = poly_at[i] + tape.high[final] - tape.low[final] + 1
    return DONE, flat.component_start.size - 1, lossy


@leaf(inlined=True)
def _read_polynomials(
    flat: Flat, tape: Tape, first_layer: Ints, poly_at: Ints, done: int, poly: Floats
) -> int:
    """Copy the polynomials of all components that are done; returns the most values of one layer."""
    room = 1
    for i in range(done):
        last = first_layer[i] + flat.component_start[i + 1] - flat.component_start[i]
        values = tape.value_at[tape.layer_state[last]]
        for t in range(poly_at[i + 1] - poly_at[i]):
            poly[poly_at[i] + t] = tape.value[values + t]
        room = max(room, widest_layer(tape, first_layer[i], last))
    return room


@kernel(inlined=True)
def marginals(
    flat: Flat, counted: CountedComponents, weight: Floats, sums: Floats, can: Ints, workspace: Ints
) -> None:
    """How often a cell of each box is a mine and how often not (`sums`), and what it can be.

    A placement counts as often as `weight`, which is laid out like the polynomials, says for its mines.
    """
    before = workspace[0]
    worth = take_floats(workspace, 2 * counted.room).reshape(2, counted.room)
    _go_back(flat, counted, weight, sums, can, worth, take_longs(workspace, 2))
    workspace[0] = before


@leaf(inlined=True)
def _go_back(
    flat: Flat,
    counted: CountedComponents,
    weight: Floats,
    sums: Floats,
    can: Ints,
    worth: Floats,
    progress: Ints,
) -> None:
    for i in range(flat.component_start.size - 1):
        order = counted.order[flat.component_start[i] : flat.component_start[i + 1]]
        progress[0] = order.size
        progress[1] = -1
        for t in range(counted.poly_at[i + 1] - counted.poly_at[i]):
            worth[order.size & 1, t] = weight[counted.poly_at[i] + t]
        layer = counted.first_layer[i]
        backward(flat, order, counted.tape, layer, counted.runner, progress, worth, sums, can)
