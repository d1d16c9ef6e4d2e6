"""Compiled: which cell to guess where nothing is proven and the endgame is not in reach.

The candidates are the living cells almost as safe as the safest. Each is tried (`trial.py`): its score is
the chance to survive it times what the board is worth then, on average over the numbers that it may show.
Candidates whose neighbours lie in the same boxes have the same score, so one of them is enough; that makes
all of the untouched middle of a board a single candidate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import HIDDEN, SAME_SCORE
from msat.problem._kernels.boxes import REST, Flat
from msat.problem._kernels.grid import window
from msat.strategies.best._kernels.components import Parts
from msat.strategies.best._kernels.dead_cells import mark_dead
from msat.strategies.best._kernels.new_clue import group_by_box
from msat.strategies.best._kernels.trial import TOO_WIDE, Around, new_room, try_cell
from msat.strategies.best._kernels.value import TOP, insert

__all__ = ["Ranked", "evaluate", "new_ranked", "safest_cell"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]


class Ranked(NamedTuple):
    """The candidates that were tried, the safest first."""

    cells: Ints
    safeties: Floats
    scores: Floats  # chance to survive × what the board is worth then; an upper bound if cut short


def new_ranked(area: int) -> Ranked:
    """Room for the candidates of a board with so many cells."""
    return Ranked(np.empty(area, np.int64), np.empty(area, np.float64), np.empty(area, np.float64))


@leaf
def _signature(flat: Flat, x: int, h: int, w: int) -> int:
    """A number that is the same for cells of one box whose neighbours lie in the same boxes."""
    total = flat.box_of[x] + 2
    r0, r1, c0, c1 = window(x // w, x % w, h, w)
    for r in range(r0, r1):
        for c in range(c0, c1):
            b = flat.box_of[r * w + c]
            if b >= REST and r * w + c != x:
                mixed = ((b + 3) * 0x9E3779B1) & 0xFFFFFFFF  # the sum of these does not depend on their order
                total += ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D) >> 8
    return int(total)


@kernel
def _look_around(parts: Parts, grid: Bytes, dead: Bytes, probability: Floats) -> Around:
    """The safest living cells of every component, which boxes live, and whether there is an opening."""
    w = probability.shape[1]
    living = np.zeros(parts.flat.box_size.size, np.int8)
    safest = np.zeros((parts.low.size, TOP), np.float64)
    rest_lives = False
    opened = False
    for x in range(probability.size):
        opened |= grid[x // w, x % w] == 0
        b = parts.flat.box_of[x]
        if b < REST or dead[x]:
            continue
        if b == REST:
            rest_lives = True
        else:
            living[b] = 1
            insert(safest[parts.component[b]], 1.0 - probability[x // w, x % w])
    return Around(living, safest, rest_lives, opened, group_by_box(parts.flat, probability.size))


@kernel(apart=True, inside=True)
def evaluate(
    parts: Parts, grid: Bytes, probability: Floats, nearly: float, states: int, ranked: Ranked, cut: float
) -> tuple[int, int]:
    """(the best cell, candidates tried): −1 if every cell is dead; fills `ranked`.

    Candidates have at least `nearly` times the safety of the safest living cell. One that is certain to fall
    below `cut` times the best score is not tried to its end: 1 is quick, with 0 all scores are right.
    """
    h, w = grid.shape
    flat = parts.flat
    dead = np.empty(h * w, np.int8)
    mark_dead(flat, h, w, dead)
    around = _look_around(parts, grid, dead, probability)
    room = new_room(parts, states)
    safety = np.zeros(h * w, np.float64)
    for x in range(h * w):
        if flat.box_of[x] >= REST and not dead[x]:
            safety[x] = 1.0 - probability[x // w, x % w]
    by_safety = np.argsort(-safety, kind="mergesort")
    signatures = np.empty(h * w, np.int64)
    tried = 0
    safest = 0.0  # of the cells that live; what is dead is told by the trial
    best = -1
    best_score = 0.0
    for x in by_safety:
        if safety[x] < nearly * safest or safety[x] <= cut * best_score:
            break
        signature = _signature(flat, x, h, w)
        known = False
        for t in range(tried):
            known |= signatures[t] == signature
        if known:
            continue
        numbers, value = try_cell(parts, grid, x, around, room, cut * best_score / safety[x])
        if numbers == 1:  # dead, for a reason that is not simple
            continue
        safest = max(safest, safety[x])
        if numbers == TOO_WIDE:  # hardly ever; then as if the next click were no safer than this one
            value = safety[x]
        signatures[tried] = signature
        ranked.cells[tried] = x
        ranked.safeties[tried] = safety[x]
        ranked.scores[tried] = safety[x] * value
        if ranked.scores[tried] > best_score + SAME_SCORE:
            best = x
            best_score = ranked.scores[tried]
        tried += 1
    return best, tried


@leaf
def safest_cell(grid: Bytes, probability: Floats) -> int:
    """The safest hidden cell of a board on which proven mines are marked, or −1."""
    w = grid.shape[1]
    best = -1
    for x in range(grid.size):
        if grid[x // w, x % w] == HIDDEN and (
            best < 0 or probability[x // w, x % w] < probability[best // w, best % w]
        ):
            best = x
    return best
