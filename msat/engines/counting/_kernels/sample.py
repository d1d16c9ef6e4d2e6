"""Compiled: random layouts that agree with a board, each as likely as any other, in one call.

For compiled players, which play positions on to see how they end. The counting pass is made once; then every
layout takes a few microseconds: the mines of every component and of the rest are drawn from their joint
distribution, then every component's tape is walked backwards, from its last state to its first, along steps
drawn in proportion to the ways that lead there, and at last the mines of a box go to its cells.

Weights are doubles here. A layout's probability is off by the rounding of one sum a step, in all a relative
1e-14 or so, which no number of samples shows; `msat.sample` draws by whole numbers instead (`sampling.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import LAST_RULE
from msat.engines.counting._kernels.answer import ANSWERED, CLUE, COMPONENT, IMPRECISE, TOTAL, WIDE, prefilter
from msat.engines.counting._kernels.combine import (
    LEAST_MASS,
    combine,
    logarithms,
    sums_ahead,
    tilt_polynomials,
)
from msat.engines.counting._kernels.driver import CountedComponents, count_all
from msat.engines.counting._kernels.incoming import Incoming, incoming_steps
from msat.engines.counting._kernels.order import order_components
from msat.engines.counting._kernels.philox import MASK, STREAM, WORD_BITS, Stream, seek, unit
from msat.engines.counting._kernels.placing import group_cells, place
from msat.engines.counting._kernels.tape import BINOMIAL, DONE, FULL, IMPOSSIBLE, Tape
from msat.problem._kernels.boxes import build
from msat.problem._kernels.workspace import new_workspace

__all__ = ["sample_layouts"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

# Room for states on the tape: the positions of a game seldom need more than the first, which is soon made.
SMALL_ROOM = 1 << 10
LARGE_ROOM = 1 << 14


@leaf
def _ways_to(tape: Tape, source: int, x: int, mines: int, size: int) -> float:
    """The ways to place `mines` mines by a last step from `source` with x mines in a box of so many cells."""
    i = mines - x - tape.low[source]
    if i < 0 or i > tape.high[source] - tape.low[source]:
        return 0.0
    ways: float = BINOMIAL[size, x] * tape.value[tape.value_at[source] + i]
    return ways


@leaf
def _walk_back(
    sizes: Ints,
    order: Ints,
    tape: Tape,
    first_layer: int,
    incoming: Incoming,
    mines: int,
    stream: Stream,
    amounts: Ints,
) -> None:
    """Draw the mines in every box of a component that holds `mines` in all."""
    first = tape.layer_state[first_layer]
    state = tape.layer_state[first_layer + order.size]
    for step in range(order.size - 1, -1, -1):
        b = order[step]
        begin = incoming.at[state - first]
        end = incoming.at[state - first + 1]
        chosen = begin
        if end - begin > 1:
            total = 0.0
            for j in range(begin, end):
                total += _ways_to(tape, incoming.source[j], incoming.mines[j], mines, sizes[b])
            left = unit(stream) * total
            for j in range(begin, end):
                ways = _ways_to(tape, incoming.source[j], incoming.mines[j], mines, sizes[b])
                if ways > 0.0:
                    chosen = j  # also the last possible one, should rounding leave a little
                    if left < ways:
                        break
                    left -= ways
        amounts[b] = incoming.mines[chosen]
        mines -= amounts[b]
        state = np.int64(incoming.source[chosen])


@leaf
def _draw_counts(
    tilted: Floats, poly_at: Ints, start: Ints, ahead: Floats, low: Ints, stream: Stream, counts: Ints
) -> int:
    """Draw the mines of every component, to `counts`; returns how many these are beyond the least."""
    used = 0
    for k in range(low.size):
        there = ahead[start[k + 1] : start[k + 2]]
        length = poly_at[k + 1] - poly_at[k]
        total = 0.0
        for i in range(length):
            total += tilted[poly_at[k] + i] * there[used + i]
        left = unit(stream) * total
        chosen = 0
        for i in range(length):
            ways = tilted[poly_at[k] + i] * there[used + i]
            if ways > 0.0:
                chosen = i
                if left < ways:
                    break
                left -= ways
        counts[k] = low[k] + chosen
        used += chosen
    return used


@kernel(apart=True)
def sample_layouts(array: Bytes, mines: int, n: int, seed: int, out: Bytes) -> int:
    """Draw n layouts that agree with `array` and have `mines` mines, to out[0] … out[n − 1] (1 for a mine).

    `array` holds −1 hidden, −2 known mine, 0…8 revealed. Layout i depends on the board, the seed and i alone.
    Returns what `answer` returns: ANSWERED, or why there are no layouts, or WIDE or IMPRECISE where only the
    library's long way (`sampling.py`) can draw them.
    """
    h, w = array.shape
    grid = np.empty((h, w), np.int8)
    status, _, known = prefilter(array, -2, LAST_RULE, grid)
    if status != ANSWERED:
        return status
    flat = build(grid)
    if flat.bad >= 0:
        return CLUE
    left = mines - known
    if left < 0 or left > flat.unknown:
        return TOTAL
    workspace = new_workspace(0)
    order, _ = order_components(flat, w, workspace)
    room = SMALL_ROOM
    while True:  # one call, not two with constants: each would be compiled
        status, _, counted = count_all(flat, order, room, workspace)
        if status != FULL or room == LARGE_ROOM:
            break
        room = LARGE_ROOM
    if status != DONE:
        return COMPONENT if status == IMPOSSIBLE else WIDE
    if counted.lossy:
        return IMPRECISE

    poly, poly_at, low = counted.poly, counted.poly_at, counted.low
    rest = flat.unknown - flat.box_size.sum()
    weight = np.empty(poly.size, np.float64)
    mass, _, _, tilt = combine(poly, poly_at, low, rest, flat.unknown, left, 0.0, weight, workspace)
    if mass < LEAST_MASS:
        return TOTAL if mass == 0.0 else IMPRECISE
    tilted = tilt_polynomials(poly, logarithms(poly, workspace), poly_at, tilt, weight, workspace)
    start, ahead = sums_ahead(tilted, poly_at, low, rest, left, tilt, workspace)

    boxes = flat.box_size.size
    streams = np.empty((n, STREAM), np.uint64)
    counts = np.empty((n, low.size), np.int64)
    amounts = np.empty((n, boxes + 1), np.int64)
    for i in range(n):
        seek(streams[i], seed & MASK, (seed >> WORD_BITS) & MASK, i)
        used = _draw_counts(tilted, poly_at, start, ahead, low, streams[i], counts[i])
        amounts[i, boxes] = left - low.sum() - used
    _fill_components(flat.component_start, flat.box_size, counted, n, counts, streams, amounts)
    cells, cells_at = group_cells(flat)
    row = grid.reshape(h * w)
    rows = out.reshape(out.shape[0], h * w)
    for i in range(n):
        place(row, cells, cells_at, amounts[i], streams[i], rows[i])
    return ANSWERED


@kernel
def _fill_components(
    component_start: Ints,
    sizes: Ints,
    counted: CountedComponents,
    n: int,
    counts: Ints,
    streams: Stream,
    amounts: Ints,
) -> None:
    """Draw the mines of every box in n layouts, whose components hold `counts`."""
    for k in range(counts.shape[1]):
        order = counted.order[component_start[k] : component_start[k + 1]]
        layer = counted.first_layer[k]
        incoming = incoming_steps(counted.tape, layer, order.size)
        for i in range(n):
            _walk_back(sizes, order, counted.tape, layer, incoming, counts[i, k], streams[i], amounts[i])
