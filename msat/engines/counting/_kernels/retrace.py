"""Compiled: random placements of a component, drawn by whole numbers of any size.

The same walk from the last state of a tape to its first as in `sample.py`, along exact values (see
`replay.py`): a random number below the ways to a state falls to one of the steps that lead there. No draw is
rounded, so every placement is exactly as likely as any other. A component too large to have the values of all
its layers at once is done in *blocks* of layers, the last first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.incoming import Incoming
from msat.engines.counting._kernels.philox import Stream, word
from msat.engines.counting._kernels.replay import DIGIT_BITS, replay_layer
from msat.engines.counting._kernels.tape import BINOMIAL, Tape
from msat.problem._kernels.boxes import Flat

__all__ = ["replay_layers", "retrace_layers"]

Ints = NDArray[np.int64]


@kernel(apart=True)
def replay_layers(
    flat: Flat, order: Ints, tape: Tape, block: int, first: int, last: int, values: Ints
) -> None:
    """The exact values of layers first + 1 … last; those of `first` are there.

    `values` are (coefficients, digits) of all layers from layer `block` on.
    """
    base = tape.value_at[tape.layer_state[block]]
    for layer in range(first, last):
        here = tape.value_at[tape.layer_state[layer]] - base
        there = tape.value_at[tape.layer_state[layer + 1]] - base
        end = tape.value_at[tape.layer_state[layer + 2]] - base
        b = order[layer]
        # `b < 0` for False: a literal would compile the callee once more.
        replay_layer(flat, b, b < 0, tape, layer, values[here:there], values[there:end])


@kernel
def _draw_below(bound: Ints, stream: Stream, number: Ints) -> None:
    """A random number below `bound`, a positive one; both are digits, lowest first."""
    top = bound.size - 1
    while bound[top] == 0:
        number[top] = 0
        top -= 1
    mask = 1
    while mask < bound[top]:
        mask = 2 * mask + 1
    smaller = False
    while not smaller:
        for i in range(top + 1):
            number[i] = word(stream)
        number[top] &= mask
        for i in range(top, -1, -1):
            if number[i] != bound[i]:
                smaller = number[i] < bound[i]
                break


@kernel
def _take(number: Ints, ways: int, value: Ints, left: Ints) -> bool:
    """number −= ways · value, unless that is below zero: then False, and the number stays."""
    carry = np.int64(0)
    for i in range(number.size):
        carry += number[i] - ways * value[i]
        left[i] = carry & ((1 << DIGIT_BITS) - 1)
        carry >>= DIGIT_BITS
    if carry < 0:
        return False
    number[:] = left
    return True


@kernel(apart=True)
def retrace_layers(
    sizes: Ints,
    order: Ints,
    tape: Tape,
    incoming: Incoming,
    first: int,
    last: int,
    values: Ints,
    streams: Stream,
    states: Ints,
    mines: Ints,
    amounts: Ints,
) -> None:
    """Take every walk back from layer `last` to layer `first`, both within `values`, and draw what it places.

    Walk i is at states[i] with mines[i] mines, takes its numbers from streams[i], and writes how many mines
    it puts into box b to amounts[i, b].
    """
    base = tape.value_at[tape.layer_state[first]]
    number = np.empty(values.shape[1], np.int64)
    left = np.empty_like(number)
    for i in range(states.size):
        for step in range(last - 1, first - 1, -1):
            b = order[step]
            state = states[i]
            begin = incoming.at[state]
            end = incoming.at[state + 1]
            chosen = begin
            if end - begin > 1:
                total = tape.value_at[state] - base + mines[i] - tape.low[state]
                _draw_below(values[total], streams[i], number)
                for j in range(begin, end):
                    source = incoming.source[j]
                    x = incoming.mines[j]
                    extra = mines[i] - x - tape.low[source]
                    if 0 <= extra <= tape.high[source] - tape.low[source]:
                        chosen = j
                        ways = int(BINOMIAL[sizes[b], x])
                        if not _take(number, ways, values[tape.value_at[source] - base + extra], left):
                            break
            amounts[i, b] = incoming.mines[chosen]
            mines[i] -= amounts[i, b]
            states[i] = incoming.source[chosen]
