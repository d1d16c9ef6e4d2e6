"""Compiled: the steps of a tape by the state that they lead to, for walks from the end to the beginning.

The tape has its steps by the state that they leave. A random placement of a component is drawn the other way
round: the last state is known, and each state before it is drawn in proportion to the ways that lead there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.tape import Tape

__all__ = ["Incoming", "incoming_steps"]


class Incoming(NamedTuple):
    """The steps of one component; those into its i-th state are at[i] up to at[i + 1]."""

    at: NDArray[np.int64]
    source: NDArray[np.int32]  # the state that a step leaves, by its place on the tape
    mines: NDArray[np.int8]  # how many mines it puts into the box


@kernel(apart=True)
def incoming_steps(tape: Tape, first_layer: int, steps: int) -> Incoming:
    """The steps of the component with this first layer and so many boxes."""
    first = tape.layer_state[first_layer]
    last = tape.layer_state[first_layer + steps]  # no step leaves it
    begin = tape.edge_at[first]
    end = tape.edge_at[last]
    at = np.zeros(last - first + 2, np.int64)
    for e in range(begin, end):
        at[tape.edge_to[e] - first + 1] += 1
    for i in range(1, at.size):
        at[i] += at[i - 1]
    filled = at.copy()
    source = np.empty(end - begin, np.int32)
    mines = np.empty(end - begin, np.int8)
    for s in range(first, last):
        for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
            to = tape.edge_to[e] - first
            source[filled[to]] = s
            mines[filled[to]] = e - tape.edge_at[s] + tape.least[s]
            filled[to] += 1
    return Incoming(at, source, mines)
