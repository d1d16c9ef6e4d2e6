"""Compiled: rule 10 of document 000, which weighs all placements of mines in a *sequence* equally.

A sequence is a component: hidden cells joined by shared numbers. The document enumerates its placements one
by one; here the counting engine adds them up by their number of mines, which gives the same whole numbers.
Placements with too many mines are dropped first: with M mines left and L sequences none may hold more than
M − (L − 1); where the maxima still add up to more than M, none may exceed its minimum by more than what the
minima leave over. With at most `end_play` cells hidden everything is one sequence that holds M exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import MINE
from msat.engines.counting._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE, verdict_of
from msat.engines.counting._kernels.driver import CountedComponents, count_all, marginals
from msat.engines.counting._kernels.order import order_components
from msat.engines.counting._kernels.tape import DONE, FULL
from msat.problem._kernels.boxes import REST, Flat, build
from msat.problem._kernels.workspace import new_workspace

__all__ = ["Survey", "answer_cells", "highest", "joined", "survey", "weigh_sequences"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

FIRST_ROOM = 1 << 13
LAST_ROOM = 1 << 21


class Survey(NamedTuple):
    """All placements of all sequences of a board, counted by their number of mines."""

    fits: bool  # False: a sequence has no placement, or needs more memory than is given
    flat: Flat
    counted: CountedComponents
    low: Ints  # per sequence: fewest mines …
    ways: Floats  # … and its placements with so many mines, one more, and so on
    left: int  # mines not marked
    free: int  # hidden cells in no sequence


@kernel
def highest(ways: Floats, low: int, cap: int) -> int:
    """The most mines up to `cap` that a sequence can hold, if `ways` counts its placements from `low` on."""
    most = min(low + ways.size - 1, cap)
    while most > low and ways[most - low] == 0.0:
        most -= 1
    return most


@kernel
def _limit(ways: Floats, low: Ints, left: int, least: Ints, most: Ints) -> tuple[int, int]:
    """Fill in the fewest and the most mines of every sequence, the document's caps applied.

    Returns their sums, the second cut to `left`.
    """
    lists = low.size
    least_sum = 0
    most_sum = 0
    for i in range(lists):
        least[i] = low[i]
        most[i] = highest(ways[i], low[i], left - lists + 1)
        least_sum += least[i]
        most_sum += most[i]
    if most_sum <= left:
        return least_sum, most_sum
    spare = left - least_sum
    for i in range(lists):
        most[i] = highest(ways[i], low[i], min(most[i], least[i] + spare))
    return least_sum, left


@kernel
def _binomials(n: int, top: int) -> Floats:
    """C(n, 0) … C(n, top)."""
    row = np.zeros(top + 1, np.float64)
    row[0] = 1.0
    for k in range(1, min(n, top) + 1):
        row[k] = np.rint(row[k - 1] * (n - k + 1) / k)
    return row


@kernel
def joined(beside: Floats, ways: Floats, low: Ints, skip: int) -> Floats:
    """Placements of all sequences but `skip`, by number of mines, if `beside` counts those of all else."""
    total = beside
    for i in range(low.size):
        if i == skip:
            continue
        after = np.zeros(beside.size, np.float64)
        for t in range(ways.shape[1]):
            if ways[i, t] > 0.0:
                for k in range(beside.size - low[i] - t):
                    after[k + low[i] + t] += total[k] * ways[i, t]
        total = after
    return total


@kernel(apart=True, inside=True)
def survey(board: Bytes, mines: int) -> Survey:
    """Count the placements of every sequence of a board on which rules 1 and 2 find nothing more."""
    h, w = board.shape
    flat = build(board)
    lists = flat.component_start.size - 1
    left = mines
    for r in range(h):
        for c in range(w):
            left -= board[r, c] == MINE
    free = flat.unknown
    for b in range(flat.box_size.size):
        free -= flat.box_size[b]

    workspace = new_workspace(0)
    order, _ = order_components(flat, w, workspace)
    states = FIRST_ROOM
    while True:
        status, _, counted = count_all(flat, order, states, workspace)
        if status != FULL or states >= LAST_ROOM:
            break
        states *= 4
    poly_at = counted.poly_at
    span = 1
    for i in range(lists if status == DONE else 0):
        span = max(span, poly_at[i + 1] - poly_at[i])
    ways = np.zeros((lists, span), np.float64)
    for i in range(lists if status == DONE else 0):
        for t in range(poly_at[i + 1] - poly_at[i]):
            ways[i, t] = counted.poly[poly_at[i] + t]
    return Survey(status == DONE, flat, counted, counted.low, ways, left, free)


@kernel
def answer_cells(found: Survey, weight: Floats, probability: Floats, verdict: Bytes) -> None:
    """P(mine) and verdict of every cell of a sequence; nan and OPEN elsewhere.

    A placement of sequence i with low[i] + t mines counts weight[i, t] times. Where the weights are whole
    numbers, equal shares come out equal to the last bit, which decides ties.
    """
    flat = found.flat
    h, w = probability.shape
    lists, span = found.ways.shape
    poly_at = found.counted.poly_at
    sums = np.empty((flat.box_size.size, 2), np.float64)
    can = np.empty(flat.box_size.size, np.int64)
    weights = np.empty(found.counted.poly.size, np.float64)
    whole = True
    for i in range(lists):
        for t in range(poly_at[i + 1] - poly_at[i]):
            weights[poly_at[i] + t] = weight[i, t]
        for t in range(span):
            whole &= weight[i, t] == np.rint(weight[i, t])
    marginals(flat, found.counted, weights, sums, can, new_workspace(0))
    for i in range(lists):
        total = 0.0
        for t in range(span):
            total += found.ways[i, t] * weight[i, t]
        for j in range(flat.component_start[i], flat.component_start[i + 1]):
            b = flat.component_boxes[j]
            if whole:
                # So are all sums, though the engine's may be off in the last bit.
                sums[b, 0] = np.rint(sums[b, 0])
                sums[b, 1] = total
            else:
                sums[b, 1] += sums[b, 0]
    for r in range(h):
        for c in range(w):
            probability[r, c] = np.nan
            verdict[r, c] = OPEN
            b = flat.box_of[r * w + c]
            if b >= 0:
                probability[r, c] = sums[b, 0] / sums[b, 1]
                verdict[r, c] = verdict_of(can[b])


@kernel
def weigh_sequences(
    found: Survey,
    end_play: int,
    merge_at_most: int,
    probability: Floats,
    verdict: Bytes,
    least: Ints,
    most: Ints,
) -> int:
    """P(mine) = placements with a mine / placements, of every cell of a sequence; nan elsewhere.

    Returns how many hidden cells are in no sequence; fills `verdict`, and `least` and `most` with the mines
    that each sequence may hold. Sequences are merged when they hold every hidden cell and at most
    `merge_at_most`, and their limits do not settle the total.
    """
    h, w = probability.shape
    lists, span = found.ways.shape
    left = found.left
    free = found.free
    unknown = found.flat.unknown
    together = unknown <= end_play
    if not together:
        least_sum, most_sum = _limit(found.ways, found.low, left, least, most)
        together = free == 0 and lists > 1 and least_sum != most_sum and unknown <= merge_at_most
    weight = np.zeros((lists, span), np.float64)
    for i in range(lists):
        if together:
            others = joined(_binomials(free, left), found.ways, found.low, i)
        for t in range(span):
            mines = found.low[i] + t
            if together:
                weight[i, t] = others[left - mines] if mines <= left else 0.0
            else:
                weight[i, t] = 1.0 if mines <= most[i] else 0.0
    answer_cells(found, weight, probability, verdict)
    if not together:
        return free
    if free > 0:
        # With a mine in one given free cell, the others hold one mine less in one cell less.
        all_ways = joined(_binomials(free, left), found.ways, found.low, -1)[left]
        mined = 0.0
        if left > 0:
            mined = joined(_binomials(free - 1, left - 1), found.ways, found.low, -1)[left - 1]
        for r in range(h):
            for c in range(w):
                if found.flat.box_of[r * w + c] == REST:
                    probability[r, c] = mined / all_ways
                    if mined == 0.0:
                        verdict[r, c] = PROVEN_SAFE
                    elif mined == all_ways:
                        verdict[r, c] = PROVEN_MINE
    return 0
