"""Compiled: the fewest and the most mines that a position can hold, in one call.

The search for the clues behind a contradiction asks this hundreds of times, about boards that differ by a
few clues. No ways are counted: states alone tell, and all components go over the same tape.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.answer import ANSWERED, COMPONENT, WIDE, framed
from msat.engines.counting._kernels.forward import prepare, reach
from msat.engines.counting._kernels.order import order_components
from msat.engines.counting._kernels.tape import FULL, IMPOSSIBLE, SLOTS_PER_WORD, Tape, new_runner
from msat.problem._kernels.boxes import assemble
from msat.problem._kernels.workspace import new_workspace

__all__ = ["mine_range"]


@kernel(apart=True)
def mine_range(array: NDArray[np.int8], lowest: int, last_rule: int, tape: Tape) -> tuple[int, int, int]:
    """(status, fewest, most mines); `status` as in `answer.py`.

    WIDE if the tape (with two layers more than the array has cells, and any values) is too small; anything
    else but ANSWERED if the clues contradict each other.
    """
    workspace = new_workspace(0)
    frame, status, _, known = framed(array, lowest, last_rule, workspace)
    if status != ANSWERED:
        return status, 0, 0
    flat = assemble(frame, array.shape[0], array.shape[1], workspace)
    boxes, _ = order_components(flat, array.shape[1], workspace)
    no_tilt = 0.0
    fewest = known
    most = known + flat.unknown
    for i in range(flat.component_start.size - 1):
        order = boxes[flat.component_start[i] : flat.component_start[i + 1]]
        runner = new_runner(flat.clue_need.size, no_tilt, SLOTS_PER_WORD, workspace)
        prepare(flat, order, runner)
        status, low, high = reach(flat, order, tape, runner)
        if status == IMPOSSIBLE:
            return COMPONENT, 0, 0
        if status == FULL:
            return WIDE, 0, 0
        fewest += low
        most += high
        for t in range(order.size):
            most -= flat.box_size[order[t]]
    return ANSWERED, fewest, most
