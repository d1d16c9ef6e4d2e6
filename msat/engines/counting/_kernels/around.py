"""Compiled: how many mines lie around a cell, in the layouts in which it is safe.

Opening a cell shows a number: the mines that are known around it, those in boxes next to it and those of the
rest. For each component that a cell touches, its placements are counted by the mines around the cell and by
all mines: that needs only the steps of the tape between the first and the last box near the cell, since what
comes before is in the tape's values, and what comes after in the ways to complete each state, which are found
once for all cells. Components, rest and total are then put together as in `combine.py`.

As there, a positive value never becomes zero: positive always means possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import HIDDEN, MINE
from msat.engines.counting._kernels.tape import TINY, Tape, rescale, ways_table
from msat.problem._kernels.boxes import Flat
from msat.problem._kernels.grid import window
from msat.problem._kernels.workspace import new_workspace

__all__ = ["NUMBERS", "Completions", "complete_states", "count_around", "touched_components"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

NUMBERS = 9


class Completions(NamedTuple):
    """In how many ways each state of a component can be completed, by the mines that this takes."""

    low: NDArray[np.int32]  # per state: fewest mines
    value_at: Ints  # per state: where its values begin, for `low` mines and more; none if it leads nowhere
    value: Floats


@kernel(apart=True)
def complete_states(flat: Flat, order: Ints, tilt: float, tape: Tape) -> Completions:
    """The completions of every state, in proportion within each layer; every mine weighs exp(`tilt`)."""
    ways = ways_table(tilt, new_workspace(0))
    steps = order.size
    states = tape.layer_state[steps + 1]
    low = np.zeros(states, np.int32)
    high = np.full(states, -1, np.int32)
    high[states - 1] = 0
    for s in range(states - 2, -1, -1):
        for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
            x = e - tape.edge_at[s] + tape.least[s]
            target = tape.edge_to[e]
            if high[target] < low[target]:
                continue
            if high[s] < low[s]:
                low[s] = low[target] + x
                high[s] = high[target] + x
            else:
                low[s] = min(low[s], low[target] + x)
                high[s] = max(high[s], high[target] + x)
    value_at = np.zeros(states + 1, np.int64)
    for s in range(states):
        value_at[s + 1] = value_at[s] + high[s] - low[s] + 1
    value = np.zeros(value_at[states], np.float64)
    value[value_at[states - 1]] = 1.0
    for step in range(steps - 1, -1, -1):
        size = flat.box_size[order[step]]
        first = tape.layer_state[step]
        end = tape.layer_state[step + 1]
        for s in range(first, end):
            for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
                x = e - tape.edge_at[s] + tape.least[s]
                target = tape.edge_to[e]
                here = value_at[s] + low[target] + x - low[s]
                for t in range(value_at[target], value_at[target + 1]):
                    if value[t] > 0.0:
                        value[here + t - value_at[target]] += max(ways[size, x] * value[t], TINY)
        rescale(value[value_at[first] : value_at[end]], tilt != 0.0)
    return Completions(low, value_at, value)


@kernel(apart=True)
def touched_components(flat: Flat, grid: Bytes, shown: Bytes) -> tuple[Ints, Ints]:
    """(start, component): the components around every cell that is hidden in `shown` and no known mine.

    Those of cell x, its own included, are component[start[x] : start[x + 1]].
    """
    h, w = grid.shape
    component_of = np.empty(flat.box_size.size, np.int64)
    for k in range(flat.component_start.size - 1):
        for i in range(flat.component_start[k], flat.component_start[k + 1]):
            component_of[flat.component_boxes[i]] = k
    start = np.zeros(h * w + 1, np.int64)
    found = np.empty(NUMBERS * h * w, np.int64)
    count = 0
    for x in range(h * w):
        r, c = x // w, x % w
        if shown[r, c] == HIDDEN and grid[r, c] != MINE:
            top, bottom, first, last = window(r, c, h, w)
            for i in range(top, bottom):
                for j in range(first, last):
                    b = flat.box_of[i * w + j]
                    new = b >= 0
                    if new:
                        for t in range(start[x], count):
                            new = new and found[t] != component_of[b]
                    if new:
                        found[count] = component_of[b]
                        count += 1
        start[x + 1] = count
    return start, found[:count].copy()


@leaf
def _survey(flat: Flat, step_of: Ints, x: int, h: int, w: int, near: Ints) -> tuple[int, int, int]:
    """How many cells around `x` each step of a component places, to `near`: (first, last step, cells)."""
    first = near.size
    last = -1
    cells = 0
    top, bottom, left, right = window(x // w, x % w, h, w)
    for i in range(top, bottom):
        for j in range(left, right):
            b = flat.box_of[i * w + j]
            if b < 0 or step_of[b] < 0:
                continue
            first = min(first, step_of[b])
            last = max(last, step_of[b])
            if i * w + j != x:
                near[step_of[b]] += 1
                cells += 1
    return first, last, cells


@leaf
def _place_box(
    ways: Floats, tape: Tape, layer: int, inside: int, outside: int, columns: int, here: Floats, there: Floats
) -> None:
    """Go one layer on: of the next box, so many cells lie around the cell in question, and so many do not.

    A value of `here` and `there` stands for a state, its mines, and those of them around the cell: the last
    in so many columns.
    """
    first = tape.layer_state[layer]
    end = tape.layer_state[layer + 1]
    base = tape.value_at[first]
    next_base = tape.value_at[end]
    there[: (tape.value_at[tape.layer_state[layer + 2]] - next_base) * columns] = 0.0
    for s in range(first, end):
        for e in range(tape.edge_at[s], tape.edge_at[s + 1]):
            x = e - tape.edge_at[s] + tape.least[s]
            target = tape.edge_to[e]
            shift = tape.value_at[target] + tape.low[s] + x - tape.low[target] - next_base
            for around in range(max(0, x - outside), min(inside, x) + 1):
                weight = ways[inside, around] * ways[outside, x - around]
                for t in range(tape.value_at[s + 1] - tape.value_at[s]):
                    source = (tape.value_at[s] - base + t) * columns
                    goal = (shift + t) * columns + around
                    for j in range(columns - around):
                        if here[source + j] > 0.0:
                            there[goal + j] += max(weight * here[source + j], TINY)


@leaf
def _close(
    tape: Tape, completions: Completions, layer: int, columns: int, here: Floats, out: Floats, span: int
) -> None:
    """Add up all ways to go on: out[j · span + m] for j mines around the cell, m beyond the least in all."""
    first = tape.layer_state[layer]
    base = tape.value_at[first]
    final = tape.low.size - 1
    least = tape.low[final]
    for s in range(first, tape.layer_state[layer + 1]):
        for t in range(tape.value_at[s + 1] - tape.value_at[s]):
            mines = tape.low[s] + t + completions.low[s] - least
            at = (tape.value_at[s] - base + t) * columns
            for u in range(completions.value_at[s + 1] - completions.value_at[s]):
                after = completions.value[completions.value_at[s] + u]
                if after == 0.0:
                    continue
                for j in range(columns):
                    if here[at + j] > 0.0:
                        out[j * span + mines + u] += max(here[at + j] * after, TINY)
    largest = 0.0
    for i in range(NUMBERS * span):
        largest = max(largest, out[i])
    for i in range(NUMBERS * span):
        if out[i] > 0.0:
            out[i] = max(out[i] / largest, TINY)


@kernel(apart=True)
def count_around(
    flat: Flat,
    order: Ints,
    tilt: float,
    tape: Tape,
    completions: Completions,
    shape: tuple[int, int],
    cells: Ints,
    begin: int,
    room: int,
    counts: Floats,
    quota: int,
) -> int:
    """Placements of a component in which a cell is safe, for cells[begin] and those after it.

    counts[i, j · span + m] is for cells[i], j mines around it and m beyond the component's least in all, in
    proportion for each cell; `room` is the most values of a layer. Returns how many cells are done, which is
    fewer than all of them where the `quota` of work does not suffice.
    """
    h, w = shape
    ways = ways_table(tilt, new_workspace(0))
    step_of = np.full(flat.box_size.size, -1, np.int64)
    for step in range(order.size):
        step_of[order[step]] = step
    near = np.zeros(order.size, np.int64)
    here = np.empty(room * NUMBERS, np.float64)
    there = np.empty(room * NUMBERS, np.float64)
    span = counts.shape[1] // NUMBERS
    left = quota
    for i in range(begin, cells.size):
        if left <= 0:
            return i
        x = cells[i]
        own = flat.box_of[x]
        first, last, around = _survey(flat, step_of, x, h, w, near)
        columns = around + 1
        base = tape.value_at[tape.layer_state[first]]
        for t in range(tape.value_at[tape.layer_state[first + 1]] - base):
            here[t * columns : (t + 1) * columns] = 0.0
            here[t * columns] = tape.value[base + t]
        for step in range(first, last + 1):
            b = order[step]
            outside = flat.box_size[b] - near[step] - (b == own)
            _place_box(ways, tape, step, near[step], outside, columns, here, there)
            here, there = there, here
            near[step] = 0
            left -= columns * (
                tape.value_at[tape.layer_state[step + 1]] - tape.value_at[tape.layer_state[step]]
            )
        counts[i] = 0.0
        _close(tape, completions, last + 1, columns, here, counts[i], span)
    return cells.size
