"""Compiled: the backward pass of the counting engine, which gives all marginals of a component at once.

The forward pass left, for every state, the number of ways to reach it. Walking the tape backwards, every
state gets its *worth*: the sum, over all ways to go on, of the weight of the mine count they end with (the
weight is how many ways the rest of the board has to hold the remaining mines). A step's share of all
layouts is then ways to its beginning × binomial × worth of its end, summed over mine counts; summed by box
it tells how often a cell of the box is a mine and how often not. Only positive terms are added, so nothing
cancels.

Whether a cell *can* be a mine is not read off these sums: it is recorded when a step from a reachable state
(value > 0) leads to one that can still be completed (worth > 0), and neither is ever rounded to zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf
from msat.engines.counting._kernels.tape import DONE, PAUSED, Runner, Tape, rescale
from msat.problem._kernels.boxes import Flat

__all__ = ["CAN_BE_MINE", "CAN_BE_SAFE", "backward"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CAN_BE_SAFE = 1
CAN_BE_MINE = 2


@leaf
def _step_back(
    ways: Floats,
    tape: Tape,
    layer: int,
    size: int,
    position: int,
    worth: Floats,
    next_worth: Floats,
    sums: Floats,
    quota: Ints,
) -> tuple[int, int]:
    """Worth of the states of one layer, from `position` down; adds to sums = (mine, safe).

    Returns where it stopped and what a cell of the box can be.
    """
    first = tape.layer_state[layer]
    base = tape.value_at[first]
    next_base = tape.value_at[tape.layer_state[layer + 1]]
    can = 0
    s = position
    while s >= first and quota[0] > 0:
        here = tape.value_at[s]
        length = tape.value_at[s + 1] - here
        for t in range(length):
            worth[here - base + t] = 0.0
        for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
            x = e - tape.edge_at[s] + tape.least[s]
            target = tape.edge_to[e]
            there = tape.value_at[target] + tape.low[s] + x - tape.low[target] - next_base
            weight = ways[size, x]
            dot = 0.0
            live = False
            for t in range(length):
                after = next_worth[there + t]
                worth[here - base + t] += weight * after
                dot += tape.value[here + t] * after
                live |= after > 0.0 and tape.value[here + t] > 0.0
            if live:
                share = weight * dot / size
                if x > 0:
                    can |= CAN_BE_MINE
                    sums[0] += x * share
                if x < size:
                    can |= CAN_BE_SAFE
                    sums[1] += (size - x) * share
            quota[0] -= length + 2
        s -= 1
    return s, can


@leaf
def backward(
    flat: Flat,
    order: Ints,
    tape: Tape,
    first_layer: int,
    runner: Runner,
    progress: Ints,
    worth: Floats,
    sums: Floats,
    can: Ints,
) -> int:
    """Go back through one component; PAUSED when the runner's quota is used up, then call again.

    `progress` = (step, next state to do), begun as (order.size, …); `worth` is (2, room) with the weights
    of the last state's mine counts in worth[order.size & 1]. Fills sums[b] = (mine, safe), in proportion,
    and can[b].
    """
    ways, quota = runner.ways, runner.quota
    while progress[0] > 0:
        step = progress[0] - 1
        b = order[step]
        layer = first_layer + step
        first = tape.layer_state[layer]
        if progress[1] < 0:
            progress[1] = tape.layer_state[layer + 1] - 1
            sums[b, 0] = 0.0
            sums[b, 1] = 0.0
            can[b] = 0
        here = worth[step & 1]
        s, possible = _step_back(
            ways, tape, layer, flat.box_size[b], progress[1], here, worth[1 - (step & 1)], sums[b], quota
        )
        can[b] |= possible
        progress[1] = s
        if s >= first:
            return PAUSED
        room = tape.value_at[tape.layer_state[layer + 1]] - tape.value_at[first]
        rescale(here[:room], runner.tilted)
        progress[0] = step
        progress[1] = -1
    return DONE
