"""Compiled: the chance of every number that a cell may show, from the counts around it and all the rest.

`around.py` counts, for every component that a cell touches, the mines around the cell and all mines. Here
these are joined with the other components, with the cells of the rest around the cell and elsewhere, and with
the mine total. All weights are tilted as in `combine.py`, and a positive value stays positive.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import MINE
from msat.engines.counting._kernels.around import NUMBERS
from msat.engines.counting._kernels.combine import _rest_weights, combine, logarithms, tilt_polynomials
from msat.engines.counting._kernels.tape import TINY, ways_table
from msat.problem._kernels.boxes import REST
from msat.problem._kernels.grid import window
from msat.problem._kernels.workspace import new_workspace

__all__ = ["Around", "Whole", "chances_of_numbers", "weigh"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]


class Whole(NamedTuple):
    """What all components weigh by their mines, and what there is besides them."""

    poly_at: Ints  # where the polynomial of each component begins …
    tilted: Floats  # … in these, tilted and at most 1, for mines beyond its least
    factor: Floats  # what each coefficient was multiplied with
    ways: Floats  # the ways table of this tilt
    tilt: float
    rest: int  # cells that no clue touches
    left: int  # mines beyond the least of all components


@kernel(apart=True)
def weigh(
    poly: Floats, poly_at: Ints, low: Ints, rest: int, unknown: int, mines: int, base: float
) -> tuple[Whole, float]:
    """The components under the tilt that suits the total, and how likely the total is then.

    The arguments are those of `combine`.
    """
    workspace = new_workspace(0)
    factor = np.empty(poly.size, np.float64)
    mass, _, _, tilt = combine(poly, poly_at, low, rest, unknown, mines, base, factor, workspace)
    logs = logarithms(poly, workspace)
    tilted = tilt_polynomials(poly, logs, poly_at, tilt - base, factor, workspace)
    ways = ways_table(tilt, workspace)
    return Whole(poly_at, tilted, factor, ways, tilt, rest, mines - low.sum()), mass


class Around(NamedTuple):
    """The counts of `count_around` for all cells, end to end."""

    start: Ints  # per cell: its first component in …
    component: Ints  # … these, and in
    at: Ints  # where the counts of a cell and a component begin
    counts: Floats


@leaf
def _lift(values: Floats) -> None:
    """Divide by the largest; what is positive stays so."""
    largest = 0.0
    for i in range(values.size):
        largest = max(largest, values[i])
    for i in range(values.size):
        if values[i] > 0.0:
            values[i] = max(values[i] / largest, TINY)


@kernel
def _others(whole: Whole, joined: Ints) -> Floats:
    """The polynomial of all components but those marked in `joined`."""
    product = np.ones(1, np.float64)
    for k in range(joined.size):
        if joined[k]:
            continue
        poly = whole.tilted[whole.poly_at[k] : whole.poly_at[k + 1]]
        longer = np.zeros(product.size + poly.size - 1, np.float64)
        for i in range(poly.size):
            if poly[i] > 0.0:
                for t in range(product.size):
                    if product[t] > 0.0:
                        longer[t + i] += max(poly[i] * product[t], TINY)
        _lift(longer)
        product = longer
    return product


@kernel
def _elsewhere(whole: Whole, others: Floats, cells: int, used: int) -> Floats:
    """What is left weighs, with so many cells of the rest put aside, by the mines that these and the joined
    components hold: for 0 up to `used` of them."""
    ends = np.zeros(others.size + used + 1, np.float64)
    if whole.left >= 0:
        _rest_weights(ends, whole.rest - cells, whole.left, whole.tilt)
    found = np.zeros(used + 1, np.float64)
    for m in range(used + 1):
        for t in range(others.size):
            if others[t] > 0.0 and ends[m + t] > 0.0:
                found[m] += max(others[t] * ends[m + t], TINY)
    return found


@kernel
def _joint(whole: Whole, around: Around, x: int) -> Floats:
    """The components around a cell together: by mines around it (rows) and all mines (columns)."""
    joint = np.zeros((NUMBERS, 1), np.float64)
    joint[0, 0] = 1.0
    for p in range(around.start[x], around.start[x + 1]):
        k = around.component[p]
        span = whole.poly_at[k + 1] - whole.poly_at[k]
        longer = np.zeros((NUMBERS, joint.shape[1] + span - 1), np.float64)
        for j in range(NUMBERS):
            for m in range(span):
                ways = around.counts[around.at[p] + j * span + m]
                if ways == 0.0:
                    continue
                ways = max(ways * whole.factor[whole.poly_at[k] + m], TINY)
                for i in range(NUMBERS - j):
                    for t in range(joint.shape[1]):
                        if joint[i, t] > 0.0:
                            longer[i + j, t + m] += max(ways * joint[i, t], TINY)
        _lift(longer.reshape(longer.size))
        joint = longer
    return joint


@kernel
def _totals(whole: Whole, joint: Floats, rest: int, elsewhere: Floats, totals: Floats) -> None:
    """The layouts, in proportion, with each number of unknown mines around a cell; so many cells of the rest
    are among those."""
    totals[:] = 0.0
    for in_rest in range(rest + 1):
        for j in range(NUMBERS - in_rest):
            for m in range(joint.shape[1]):
                if joint[j, m] > 0.0 and elsewhere[m + in_rest] > 0.0:
                    ways = max(joint[j, m] * whole.ways[rest, in_rest], TINY)
                    totals[j + in_rest] += max(ways * elsewhere[m + in_rest], TINY)


@kernel(apart=True)
def chances_of_numbers(
    whole: Whole,
    around: Around,
    box_of: Ints,
    grid: Bytes,
    safety: Floats,
    begin: int,
    quota: int,
    chances: Floats,
    possible: NDArray[np.bool_],
) -> int:
    """Fill chances[x] and possible[x], for 0 to 8, of the cells from `begin` on that may be safe.

    `safety` is the chance of each cell to be safe, 0 where it is none to look at. Returns how many cells are
    done: fewer than all where the `quota` of work does not suffice.
    """
    h, w = grid.shape
    count = whole.poly_at.size - 1
    joined = np.zeros(count, np.int64)
    others = _others(whole, joined)
    left = quota
    totals = np.zeros(NUMBERS, np.float64)
    far = np.zeros((2, NUMBERS, NUMBERS), np.float64)  # cells among cells of the rest: all alike
    far_done = np.zeros((2, NUMBERS), np.int64)
    for x in range(begin, h * w):
        chances[x] = 0.0
        possible[x] = False
        if safety[x] == 0.0:
            continue
        if left <= 0:
            return x
        known = 0
        rest = 0
        top, bottom, first, last = window(x // w, x % w, h, w)
        for i in range(top, bottom):
            for j in range(first, last):
                if i * w + j != x:
                    known += grid[i, j] == MINE
                    rest += box_of[i * w + j] == REST
        in_rest = int(box_of[x] == REST)
        alone = around.start[x] == around.start[x + 1]
        if alone and far_done[in_rest, rest]:
            totals[:] = far[in_rest, rest]
        else:
            same = around.start[x + 1] - around.start[x] == joined.sum()
            for p in range(around.start[x], around.start[x + 1]):
                same = same and joined[around.component[p]] == 1
            if not same:
                joined[:] = 0
                for p in range(around.start[x], around.start[x + 1]):
                    joined[around.component[p]] = 1
                others = _others(whole, joined)
                left -= others.size * count
            joint = _joint(whole, around, x)
            elsewhere = _elsewhere(whole, others, rest + in_rest, joint.shape[1] - 1 + rest)
            _totals(whole, joint, rest, elsewhere, totals)
            left -= others.size * elsewhere.size
            if alone:
                far[in_rest, rest] = totals
                far_done[in_rest, rest] = 1
        scale = safety[x] / totals.sum()
        for j in range(NUMBERS - known):
            chances[x, j + known] = totals[j] * scale
            possible[x, j + known] = totals[j] > 0.0
    return int(h * w)
