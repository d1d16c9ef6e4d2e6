"""Compiled: in which order to eliminate the boxes of a component.

The dynamic program places boxes one after the other; a clue is *open* while some of its boxes are placed
and some are not, and a state holds what every open clue still needs. So the order decides the cost: the sum
over all steps of the number of states. That number is estimated by a product over the open clues (a clue of
need n with d of its t cells placed can still need min(n, t − d) − max(0, n − d) + 1 values), which takes a
few operations per box and order. Several orders are estimated and the cheapest is taken:

- greedy from a far end: always the box that adds least to the estimate (winding frontiers);
- the same from the other end;
- sweeps by columns, rows and diagonals (positions whose opened cells are scattered over the board);
- where the best of these is still expensive: greedy from other boxes and with a little noise, as often as the
  pass that it saves is worth. This halves the cost of the worst boards, and cuts some to a fifth.

On linked boards the order matters more than anything else: a poor one costs a factor of a thousand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.problem._kernels.boxes import Flat
from msat.problem._kernels.workspace import take_longs

__all__ = ["cheapest_order", "clear_placed", "factor", "order_components", "place_box"]

Ints = NDArray[np.int64]

# An order this cheap is not worth comparing with others: the comparison would cost more than it saves.
CHEAP = 300.0
# How many choices of a box to weigh for better orders, per estimated state that the best one costs: about a
# third of the time of the pass. At most so many: a few tenths of a second, which cannot be interrupted.
WORTH = 0.7
MOST_WEIGHED = 10_000_000
NOISE = 0.3


@leaf
def factor(flat: Flat, b: int, placed: Ints) -> float:
    """By how much placing box `b` multiplies the estimated number of states."""
    size = flat.box_size[b]
    product = 1.0
    for d in range(flat.box_degree[b]):
        k = flat.box_clues[b, d]
        need = flat.clue_need[k]
        left = flat.clue_cells[k] - placed[k]
        low = need - placed[k]
        product *= (min(need, left - size) - max(0, low - size) + 1) / (min(need, left) - max(0, low) + 1)
    return product


@leaf
def clear_placed(flat: Flat, order: Ints, placed: Ints) -> None:
    """Forget what was placed of the clues of some boxes."""
    for i in range(order.size):
        for d in range(flat.box_degree[order[i]]):
            placed[flat.box_clues[order[i], d]] = 0


@leaf
def place_box(flat: Flat, b: int, placed: Ints) -> None:
    """Count the cells of box `b` as placed, for each of its clues."""
    for d in range(flat.box_degree[b]):
        placed[flat.box_clues[b, d]] += flat.box_size[b]


@leaf
def _estimate(flat: Flat, order: Ints, placed: Ints) -> float:
    """The estimated number of states over all steps of an order."""
    states = 1.0
    cost = 0.0
    for i in range(order.size):
        states *= factor(flat, order[i], placed)
        cost += states
        place_box(flat, order[i], placed)
    clear_placed(flat, order, placed)
    return cost


@leaf
def _greedy(
    flat: Flat,
    walk: Ints,
    start: int,
    order: Ints,
    near: Ints,
    placed: Ints,
    taken: Ints,
    limit: float,
    noise: int,
) -> tuple[float, int]:
    """Fill `order` with the boxes of `walk`, greedily from box `start`; ties go to the box discovered first.

    Returns the estimated cost, or infinity as soon as it passes `limit`, and how many choices were weighed.
    `noise` is 0, or the seed of random factors that vary the choice. `near` (as long as `walk`) is for the
    boxes next to those placed, in the order of their discovery; `placed` and `taken` are zero before and
    after.
    """
    n = walk.size
    near[0] = start
    taken[start] = 1
    count = 1
    states = 1.0
    cost = 0.0
    random = noise
    weighed = 0
    for i in range(n):
        weighed += count
        best = 0
        best_score = np.inf
        best_factor = 1.0
        for t in range(count):
            times = factor(flat, near[t], placed)
            score = times
            if noise:
                random = (random * 1103515245 + 12345) & 0x7FFFFFFF
                score *= 1.0 + NOISE * random / 0x7FFFFFFF
            if score < best_score:
                best_score = score
                best_factor = times
                best = t
        b = near[best]
        count -= 1
        for t in range(best, count):
            near[t] = near[t + 1]
        order[i] = b
        states *= best_factor
        cost += states
        if cost > limit:
            break
        place_box(flat, b, placed)
        for d in range(flat.box_degree[b]):
            k = flat.box_clues[b, d]
            for t in range(flat.clue_degree[k]):
                other = flat.clue_boxes[k, t]
                if taken[other] == 0:
                    taken[other] = 1
                    near[count] = other
                    count += 1
    for i in range(n):
        taken[walk[i]] = 0
    clear_placed(flat, walk, placed)
    return (cost if cost <= limit else np.inf), weighed


@leaf
def _sweep(flat: Flat, walk: Ints, order: Ints, height: int, width: int, kind: int, taken: Ints) -> None:
    """Fill `order` with the boxes of `walk` by columns (kind 0), rows (1) or diagonals (2, 3)."""
    for i in range(walk.size):
        taken[walk[i]] = 1
    n = 0
    if kind == 0:
        for c in range(width):
            for r in range(height):
                b = flat.box_of[r * width + c]
                if b >= 0 and taken[b]:
                    taken[b] = 0
                    order[n] = b
                    n += 1
    elif kind == 1:
        for cell in range(height * width):
            b = flat.box_of[cell]
            if b >= 0 and taken[b]:
                taken[b] = 0
                order[n] = b
                n += 1
    else:
        for s in range(height + width - 1):
            for c in range(max(0, s - height + 1), min(s + 1, width)):
                r = s - c if kind == 2 else height - 1 - s + c
                b = flat.box_of[r * width + c]
                if b >= 0 and taken[b]:
                    taken[b] = 0
                    order[n] = b
                    n += 1


@kernel
def cheapest_order(
    flat: Flat, walk: Ints, width: int, placed: Ints, taken: Ints, workspace: Ints
) -> tuple[Ints, float]:
    """The cheapest order found for the boxes of one component, and its estimated cost.

    `walk` lists the component's boxes from a far end; `width` is the board's; `placed` (per clue) and `taken`
    (per box) are scratch, zero before and after.
    """
    n = walk.size
    best = take_longs(workspace, n)
    near = take_longs(workspace, n)
    cost, weighed = _greedy(flat, walk, walk[0], best, near, placed, taken, np.inf, 0)
    if cost <= CHEAP:
        return best, cost
    other = take_longs(workspace, n)
    height = flat.box_of.size // width
    for kind in range(5):
        if kind == 4:
            other_cost, _ = _greedy(flat, walk, walk[n - 1], other, near, placed, taken, cost, 0)
        else:
            _sweep(flat, walk, other, height, width, kind, taken)
            other_cost = _estimate(flat, other, placed)
        if other_cost < cost:
            cost = other_cost
            best, other = other, best
    tries = 0
    while weighed < min(cost * WORTH, MOST_WEIGHED):
        tries += 1
        start = walk[tries * 7919 % n]
        other_cost, more = _greedy(flat, walk, start, other, near, placed, taken, cost, tries)
        weighed += more
        if other_cost < cost:
            cost = other_cost
            best, other = other, best
    return best, cost


@kernel(apart=True)
def order_components(flat: Flat, width: int, workspace: Ints) -> tuple[Ints, float]:
    """The boxes of all components, each in the cheapest order found, and the estimated cost of all."""
    boxes = flat.box_size.size
    order = take_longs(workspace, boxes)
    before = workspace[0]
    placed = take_longs(workspace, flat.clue_need.size)
    for k in range(placed.size):
        placed[k] = 0
    taken = take_longs(workspace, boxes)
    for b in range(boxes):
        taken[b] = 0
    free = workspace[0]
    cost = 0.0
    for i in range(flat.component_start.size - 1):
        start = flat.component_start[i]
        walk = flat.component_boxes[start : flat.component_start[i + 1]]
        best, more = cheapest_order(flat, walk, width, placed, taken, workspace)
        for t in range(walk.size):
            order[start + t] = best[t]
        cost += more
        workspace[0] = free
    workspace[0] = before
    return order, cost
