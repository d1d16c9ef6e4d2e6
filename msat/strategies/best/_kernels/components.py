"""Compiled: a position in its parts, for questions that concern one part only.

Components touch each other through the mine total alone. So for whatever changes in one of them, all the
others are summed up by one row of numbers: in how many ways they, and the rest, hold so many mines.
"""

from __future__ import annotations

from math import exp, lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import MINE
from msat.engines.counting._kernels.driver import count_all
from msat.engines.counting._kernels.order import order_components
from msat.engines.counting._kernels.tape import DONE
from msat.problem._kernels.boxes import Flat, build
from msat.problem._kernels.workspace import new_workspace

__all__ = ["Parts", "log_layouts", "outside", "take_apart"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]


class Parts(NamedTuple):
    """The components of a position without forced cells, each counted by its number of mines."""

    flat: Flat
    component: Ints  # per box: its component
    order: Ints  # the boxes, component by component, in a cheap order of elimination
    low: Ints  # per component: its fewest mines
    poly: Floats  # placements by mine count, component after component …
    poly_at: Ints  # … and where each begins (one entry more than components)
    rest: int  # cells that no clue touches
    left: int  # mines not known


@kernel(apart=True, inside=True)
def take_apart(grid: Bytes, mines: int, states: int) -> tuple[bool, Parts]:
    """The parts of a board on which proven mines are marked; False where it takes more room or range."""
    flat = build(grid)
    h, w = grid.shape
    left = mines
    for r in range(h):
        for c in range(w):
            left -= grid[r, c] == MINE
    workspace = new_workspace(0)
    order, _ = order_components(flat, w, workspace)
    status, _, counted = count_all(flat, order, states, workspace)
    component = np.empty(flat.box_size.size, np.int64)
    rest = flat.unknown
    for i in range(flat.component_start.size - 1):
        for t in range(flat.component_start[i], flat.component_start[i + 1]):
            component[flat.component_boxes[t]] = i
            rest -= flat.box_size[flat.component_boxes[t]]
    parts = Parts(flat, component, order, counted.low, counted.poly, counted.poly_at, rest, left)
    fits = status == DONE and not counted.lossy
    for i in range(counted.low.size):
        fits = fits and counted.exponent[i] == 0
    return fits, parts


@leaf
def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)


@kernel
def _product(parts: Parts, skip: Ints) -> tuple[Floats, int, float]:
    """The product of the polynomials of all components but those in `skip`.

    Returns its coefficients divided by a common factor, the mine count of the first, the factor's logarithm.
    """
    count = parts.low.size
    product = np.zeros(parts.poly.size + 1, np.float64)
    product[0] = 1.0
    longer = np.empty(product.size, np.float64)
    length = 1
    least = 0
    scale = 0.0
    for i in range(count):
        if skip[i]:
            continue
        n = parts.poly_at[i + 1] - parts.poly_at[i]
        longer[: length + n - 1] = 0.0
        for t in range(length):
            for u in range(n):
                longer[t + u] += product[t] * parts.poly[parts.poly_at[i] + u]
        length += n - 1
        largest = longer[:length].max()
        product[:length] = longer[:length] / largest
        scale += log(largest)
        least += parts.low[i]
    return product[:length], least, scale


@kernel(apart=True, inside=True)
def outside(parts: Parts, skip: Ints, rest: int, ways: Floats, mined: Floats) -> None:
    """What everything but the components in `skip` says to their holding m mines, for every m.

    ways[m] is proportional to the ways in which the others and `rest` cells hold the remaining mines, and
    mined[m] / ways[m] is then the chance of a mine in each of these `rest` cells.
    """
    product, least, _ = _product(parts, skip)
    # All binomials relative to the largest that occurs: only ratios matter, and doubles are soon too small.
    most = min(rest, parts.left - least)
    fewest = max(0, parts.left - least - product.size - ways.size + 2)
    chosen = np.zeros(max(most - fewest + 1, 0), np.float64)
    largest = -np.inf
    for j in range(fewest, most + 1):
        chosen[j - fewest] = _log_choose(rest, j)
        largest = max(largest, chosen[j - fewest])
    for j in range(fewest, most + 1):
        chosen[j - fewest] = exp(chosen[j - fewest] - largest)
    for m in range(ways.size):
        total = 0.0
        mines = 0.0
        for t in range(product.size):
            j = parts.left - least - t - m
            if fewest <= j <= most:
                weight = product[t] * chosen[j - fewest]
                total += weight
                mines += weight * j
        ways[m] = total
        mined[m] = mines / rest if rest > 0 else 0.0


@kernel
def log_layouts(parts: Parts) -> float:
    """The logarithm of the number of layouts that agree with the position."""
    product, least, scale = _product(parts, np.zeros(parts.low.size, np.int64))
    total = 0.0
    largest = -np.inf
    for t in range(product.size):
        j = parts.left - least - t
        if product[t] > 0.0 and 0 <= j <= parts.rest:
            term = log(product[t]) + _log_choose(parts.rest, j)
            if term > largest:
                total *= exp(largest - term)
                largest = term
            total += exp(term - largest)
    return scale + largest + log(total) if total > 0.0 else -np.inf
