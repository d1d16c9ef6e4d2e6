"""Compiled: the forward passes of all components of a position, on one tape of a given size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.forward import assign_slots, forward
from msat.engines.counting._kernels.order import cheapest_order
from msat.engines.counting._kernels.tape import (
    DONE,
    EXPONENT,
    FIRST_LAYER,
    FULL,
    LOSSY,
    SLOTS_PER_WORD,
    STATES,
    Tape,
    begin_component,
    new_cursor,
    new_tape,
    ways_table,
)
from msat.problem._kernels.boxes import Flat, new_workspace

__all__ = ["Components", "count_components"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_LIMIT = 1 << 60


class Components(NamedTuple):
    """All components counted; component k has the boxes flat.component_start[k] … of `order`."""

    order: Ints  # the boxes of every component, in the order in which they were placed
    first_layer: Ints  # per component: its first layer on the tape
    low: Ints  # per component: its fewest mines
    poly: Floats  # placements by mine count, component after component …
    poly_at: Ints  # … and where each begins (one entry more than components)
    exponent: Ints  # per component: its polynomial is divided by 2**exponent
    lossy: bool  # doubles do not hold all values of some component
    tape: Tape


@kernel(apart=True)
def count_components(flat: Flat, width: int, states: int) -> tuple[int, Components]:
    """Count every component of a board of this width, on a tape for so many states.

    Returns DONE, or FULL, or IMPOSSIBLE, and what was counted, which is of use only if all is done.
    """
    workspace = new_workspace(0)
    boxes = flat.box_size.size
    count = flat.component_start.size - 1
    placed = np.zeros(flat.clue_need.size, np.int64)
    taken = np.zeros(boxes, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    order = np.empty(boxes, np.int64)
    first_layer = np.empty(count, np.int64)
    low = np.empty(count, np.int64)
    exponent = np.zeros(count, np.int64)
    poly_at = np.zeros(count + 1, np.int64)
    tape = new_tape(boxes + count + 1, states, 2 * states, 4 * states, workspace)
    cursor = new_cursor(SLOTS_PER_WORD, workspace)
    quota = np.full(1, NO_LIMIT, np.int64)
    tilt = 0.0
    tilted = tilt != 0.0  # not simply False: a literal would compile the passes once more
    ways = ways_table(tilt, workspace)
    lossy = False
    status = DONE
    for i in range(count):
        start = flat.component_start[i]
        end = flat.component_start[i + 1]
        walk = flat.component_boxes[start:end]
        best, _ = cheapest_order(flat, walk, width, placed, taken, workspace)
        order[start:end] = best
        slots = assign_slots(flat, best, placed, slot, workspace)
        if not begin_component(tape, cursor, slots):
            status = FULL
            break
        status = forward(flat, best, placed, slot, ways, tilted, tape, cursor, quota)
        if status != DONE:
            break
        lossy |= cursor[LOSSY] != 0
        first_layer[i] = cursor[FIRST_LAYER]
        final = cursor[STATES] - 1
        low[i] = tape.low[final]
        exponent[i] = cursor[EXPONENT]
        poly_at[i + 1] = poly_at[i] + tape.high[final] - tape.low[final] + 1

    poly = np.empty(poly_at[count] if status == DONE else 0, np.float64)
    if status == DONE:
        for i in range(count):
            steps = flat.component_start[i + 1] - flat.component_start[i]
            final = tape.layer_state[first_layer[i] + steps]
            values = tape.value[tape.value_at[final] : tape.value_at[final + 1]]
            poly[poly_at[i] : poly_at[i + 1]] = values
    return status, Components(order, first_layer, low, poly, poly_at, exponent, lossy, tape)
