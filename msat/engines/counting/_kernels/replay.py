"""Compiled: the forward pass once more, along its tape, in whole numbers of any size.

Doubles are exact only below 2^53. Here a value is a row of 32-bit digits, lowest first, kept in int64 so
that a digit times a binomial (at most 70) plus a carry never overflows. Since the tape holds every step, no
state is looked up again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.tape import BINOMIAL, Tape
from msat.problem._kernels.boxes import Flat

__all__ = ["DIGIT_BITS", "replay_layer"]

Ints = NDArray[np.int64]

DIGIT_BITS = 32


@kernel(apart=True)
def replay_layer(
    flat: Flat, b: int, in_box: bool, tape: Tape, layer: int, values: Ints, next_values: Ints
) -> None:
    """Carry the exact values of one layer, (coefficients, digits), over to the next, placing box `b`.

    With `in_box` only placements with a mine in one given cell of the box are counted: C(s − 1, x − 1) ways.
    """
    size = flat.box_size[b]
    first = tape.layer_state[layer]
    end = tape.layer_state[layer + 1]
    base = tape.value_at[first]
    next_base = tape.value_at[end]
    digits = values.shape[1]
    mask = (1 << DIGIT_BITS) - 1
    next_values[: tape.value_at[tape.layer_state[layer + 2]] - next_base] = 0
    for s in range(first, end):
        here = tape.value_at[s] - base
        length = tape.value_at[s + 1] - tape.value_at[s]
        for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
            x = e - tape.edge_at[s] + tape.least[s]
            if in_box and x == 0:
                continue
            target = tape.edge_to[e]
            there = tape.value_at[target] + tape.low[s] + x - tape.low[target] - next_base
            ways = np.int64(BINOMIAL[size - 1, x - 1] if in_box else BINOMIAL[size, x])
            for t in range(length):
                carry = np.int64(0)
                for i in range(digits):
                    carry += next_values[there + t, i] + ways * values[here + t, i]
                    next_values[there + t, i] = carry & mask
                    carry >>= DIGIT_BITS
