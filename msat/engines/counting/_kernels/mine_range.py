"""Compiled: the fewest and the most mines that a position can hold, in one call.

The search for the clues behind a contradiction asks this hundreds of times, about boards that differ by a
few clues. No ways are counted: states alone tell, and all components go over the same tape.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.answer import ANSWERED, COMPONENT, WIDE, framed
from msat.engines.counting._kernels.forward import assign_slots, reach
from msat.engines.counting._kernels.order import cheapest_order
from msat.engines.counting._kernels.tape import (
    FULL,
    IMPOSSIBLE,
    SLOTS_PER_WORD,
    Tape,
    begin_component,
    new_cursor,
)
from msat.problem._kernels.boxes import assemble, new_workspace

__all__ = ["mine_bounds"]

NO_LIMIT = 1 << 60


@kernel
def mine_bounds(array: NDArray[np.int8], lowest: int, last_rule: int, tape: Tape) -> tuple[int, int, int]:
    """(status, fewest, most mines); `status` as in `answer.py`.

    WIDE if the tape (with two layers more than the array has cells, and any values) is too small; anything
    else but ANSWERED if the clues contradict each other.
    """
    workspace = new_workspace(0)
    frame, status, _, known = framed(array, lowest, last_rule, workspace)
    if status != ANSWERED:
        return status, 0, 0
    flat = assemble(frame, array.shape[0], array.shape[1], workspace)
    placed = np.zeros(flat.clue_need.size, np.int64)
    taken = np.zeros(flat.box_size.size, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    quota = np.full(1, NO_LIMIT, np.int64)
    fewest = known
    most = known + flat.unknown
    for i in range(flat.component_start.size - 1):
        walk = flat.component_boxes[flat.component_start[i] : flat.component_start[i + 1]]
        order, _ = cheapest_order(flat, walk, array.shape[1], placed, taken, workspace)
        cursor = new_cursor(SLOTS_PER_WORD, workspace)
        slots = assign_slots(flat, order, placed, slot, workspace)
        if not begin_component(tape, cursor, slots):
            return WIDE, 0, 0
        status, low, high = reach(flat, order, placed, slot, tape, cursor, quota)
        if status == IMPOSSIBLE:
            return COMPONENT, 0, 0
        if status == FULL:
            return WIDE, 0, 0
        fewest += low
        most += high
        for t in range(order.size):
            most -= flat.box_size[order[t]]
    return ANSWERED, fewest, most
