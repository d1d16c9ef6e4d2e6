"""Compiled: the chance to win from a board on which a guess is due, estimated at once.

A logistic regression on a dozen measures of the board, fitted to such boards of played games: `python -m
bench.prospects` plays them and prints the table anew. It tells how hard a position is, not which cell to
open: it is a judge for boards that a guess may lead to, see `onward.py`. Nearly all of the boards that it was
fitted to have more than 1,000 layouts, the limit of the player; thinking searches fewer, and trusts it from
200 on.

A *region* are unknown cells of which each touches the next or shares a component with it: one has to guess
in every region at some time, as nothing that is opened in the others tells anything about it but its mines.
"""

from __future__ import annotations

from math import exp, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.encode._kernels import REST
from msat.strategies._kernels.living import count_living
from msat.strategies._kernels.parts import Parts, log_layouts
from msat.strategies._kernels.value import insert

__all__ = ["MEASURES", "WEIGHTS", "measure", "prospect"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

TABLE = (
    (0.5341, "always 1"),
    (-0.0669, "layouts: √log"),
    (1.1412, "unknown cells: log(1 + …)"),
    (-2.1833, "mines left: log(1 + …)"),
    (0.4579, "cells that clues touch: log(1 + …)"),
    (2.1831, "safety of the cells that none touches: log"),
    (1.4431, "second safest living cell: log"),
    (0.8519, "fourth safest living cell: log"),
    (-0.2359, "components: log(1 + …)"),
    (0.0238, "safest cell of every component: Σ log"),
    (-0.342, "mistakes to expect if every touched cell were guessed: √"),
    (-0.702, "regions: log(1 + …)"),
    (0.6771, "cells of the largest region: log(1 + …)"),
)
"""What is measured, and how much it counts."""

MEASURES = tuple(name for _, name in TABLE)
WEIGHTS = np.array([weight for weight, _ in TABLE])

LEAST_SAFETY = 0.001  # keeps logarithms within bounds where hardly a cell lives


@leaf
def _root(parent: Ints, x: int) -> int:
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@leaf
def _unite(parent: Ints, x: int, y: int) -> None:
    x = _root(parent, x)
    y = _root(parent, y)
    parent[max(x, y)] = min(x, y)


@kernel
def _regions(parts: Parts, h: int, w: int) -> tuple[int, int]:
    """(how many regions, cells of the largest)."""
    box_of = parts.flat.box_of
    parent = np.arange(h * w)
    first = np.full(parts.low.size, -1, np.int64)
    for x in range(h * w):
        if box_of[x] < REST:
            continue
        if box_of[x] >= 0:
            i = parts.component[box_of[x]]
            if first[i] < 0:
                first[i] = x
            _unite(parent, x, first[i])
        r = x // w
        c = x % w
        if c + 1 < w and box_of[x + 1] >= REST:
            _unite(parent, x, x + 1)
        if r + 1 < h:
            for y in range(x + w - (c > 0), x + w + (c + 1 < w) + 1):
                if box_of[y] >= REST:
                    _unite(parent, x, y)
    sizes = np.zeros(h * w, np.int64)
    for x in range(h * w):
        if box_of[x] >= REST:
            sizes[_root(parent, x)] += 1
    return int(np.count_nonzero(sizes)), int(sizes.max())


@kernel
def measure(parts: Parts, probability: Floats, dead: Bytes, measures: Floats) -> None:
    """Fill `measures` with what MEASURES lists; the board has no proven cell that is not marked or open."""
    h, w = probability.shape
    top = np.zeros(4, np.float64)
    safest = np.zeros(parts.low.size, np.float64)
    touched = 0
    mistakes = 0.0
    untouched = 1.0
    for x in range(h * w):
        b = parts.flat.box_of[x]
        if b < REST:
            continue
        risk = probability[x // w, x % w]
        if not dead[x]:
            insert(top, 1.0 - risk)
        if b == REST:
            untouched = 1.0 - risk
        else:
            touched += 1
            mistakes += min(risk, 1.0 - risk)
            i = parts.component[b]
            safest[i] = max(safest[i], 1.0 - risk)
    regions, largest = _regions(parts, h, w)
    measures[0] = 1.0
    measures[1] = sqrt(max(log_layouts(parts), 0.0))
    measures[2] = log1p(parts.flat.unknown)
    measures[3] = log1p(parts.left)
    measures[4] = log1p(touched)
    measures[5] = log(max(untouched, LEAST_SAFETY))
    measures[6] = log(max(top[1], LEAST_SAFETY))
    measures[7] = log(max(top[3], LEAST_SAFETY))
    measures[8] = log1p(parts.low.size)
    measures[9] = 0.0
    for i in range(safest.size):
        measures[9] += log(max(safest[i], LEAST_SAFETY))
    measures[10] = sqrt(mistakes)
    measures[11] = log1p(regions)
    measures[12] = log1p(largest)


@kernel
def prospect(parts: Parts, probability: Floats, dead: Bytes) -> float:
    """The estimated chance to win from here; exact where no cell lives: all layouts look alike to the end."""
    if count_living(parts.flat, dead) == 0:
        return exp(-log_layouts(parts))
    measures = np.empty(WEIGHTS.size, np.float64)
    measure(parts, probability, dead, measures)
    total = 0.0
    for i in range(WEIGHTS.size):
        total += WEIGHTS[i] * measures[i]
    return 1.0 / (1.0 + exp(-total))
