"""Compiled: the part of a position that one more clue would touch, and what it would leave to be learned.

A clue at a cell joins the components of that cell and of its neighbours. Boxes that reach beyond the cell's
neighbours are split, the elimination order is taken over, and cells that no clue touched yet come in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.problem._kernels.boxes import REST, Flat
from msat.strategies._kernels.game import MINE, touches
from msat.strategies.best._kernels.components import Parts
from msat.strategies.best._kernels.value import TOP

__all__ = ["UNSURE", "ByBox", "Local", "group_by_box", "join", "teaching"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

UNSURE = CAN_BE_SAFE | CAN_BE_MINE


class ByBox(NamedTuple):
    """The unknown cells of a position, box by box, those of the rest first."""

    cells: Ints
    start: Ints  # where each box begins; the rest is box 0 here, and all others are shifted by one


class Local(NamedTuple):
    """The components joined by a new clue, which is number 0, as a problem of its own."""

    flat: Flat
    order: Ints
    base: Ints  # per box: the box of the position that it is (a part of), or REST
    inside: Bytes  # per box: whether it touches the cell tried
    part: Ints  # (2, boxes of the position and the rest): the box that is its part outside or inside, or −1
    known: int  # mines known around that cell
    rest: int  # cells of the rest around it


@kernel
def group_by_box(flat: Flat, area: int) -> ByBox:
    """The unknown cells of a board with so many cells, grouped."""
    start = np.zeros(flat.box_size.size + 2, np.int64)
    for x in range(area):
        if flat.box_of[x] >= REST:
            start[flat.box_of[x] + 2] += 1
    for b in range(1, start.size):
        start[b] += start[b - 1]
    filled = start.copy()
    cells = np.empty(start[-1], np.int64)
    for x in range(area):
        if flat.box_of[x] >= REST:
            at = flat.box_of[x] + 1
            cells[filled[at]] = x
            filled[at] += 1
    return ByBox(cells, start)


@kernel(apart=True)
def join(parts: Parts, grid: Bytes, x: int, near: Ints, joined: Ints) -> Local:
    """The problem that a clue at cell `x` would join; marks its components in `joined`.

    `near` is room, per box: zero before and after.
    """
    flat = parts.flat
    h, w = grid.shape
    own = flat.box_of[x]
    known = 0
    rest = 0
    joined[:] = 0
    if own >= 0:
        joined[parts.component[own]] = 1
    for r in range(max(x // w - 1, 0), min(x // w + 2, h)):
        for c in range(max(x % w - 1, 0), min(x % w + 2, w)):
            if r * w + c == x:
                continue
            known += grid[r, c] == MINE
            b = flat.box_of[r * w + c]
            if b == REST:
                rest += 1
            elif b >= 0:
                near[b] += 1
                joined[parts.component[b]] = 1

    most = 9  # boxes that the new clue adds, by splitting others and from the rest
    for i in range(joined.size):
        if joined[i]:
            most += flat.component_start[i + 1] - flat.component_start[i]
    clue_room = flat.clue_need.size + 1
    box_size = np.empty(most, np.int64)
    box_clues = np.empty((most, 8), np.int64)
    box_degree = np.empty(most, np.int64)
    base = np.empty(most, np.int64)
    inside = np.zeros(most, np.int8)
    part = np.full((2, flat.box_size.size + 1), -1, np.int64)
    order = np.empty(most, np.int64)
    clue_of = np.full(clue_room, -1, np.int64)
    clue_need = np.empty(clue_room, np.int64)
    clue_cells = np.empty(clue_room, np.int64)
    clue_degree = np.zeros(clue_room, np.int64)
    clue_need[0] = 0
    clue_cells[0] = rest
    clues = 1
    boxes = 0
    last_inside = -1
    for i in range(joined.size):
        if not joined[i]:
            continue
        for t in range(flat.component_start[i], flat.component_start[i + 1]):
            b = parts.order[t]
            for side in range(2):
                size = near[b]
                if side == 1:
                    size = flat.box_size[b] - size - (b == own)
                if size == 0:
                    continue
                degree = flat.box_degree[b]
                for d in range(degree):
                    k = flat.box_clues[b, d]
                    if clue_of[k] < 0:
                        clue_of[k] = clues
                        clue_need[clues] = flat.clue_need[k]
                        clue_cells[clues] = flat.clue_cells[k]
                        clues += 1
                    box_clues[boxes, d] = clue_of[k]
                    clue_degree[clue_of[k]] += 1
                if side == 0:
                    box_clues[boxes, degree] = 0
                    degree += 1
                    clue_degree[0] += 1
                    clue_cells[0] += size
                    inside[boxes] = 1
                    last_inside = boxes
                part[1 - side, b + 1] = boxes
                box_degree[boxes] = degree
                box_size[boxes] = size
                base[boxes] = b
                boxes += 1
            near[b] = 0
    if own >= 0:
        for d in range(flat.box_degree[own]):
            if clue_of[flat.box_clues[own, d]] >= 0:
                clue_cells[clue_of[flat.box_clues[own, d]]] -= 1

    # The order of the position, and the cells of the rest where the new clue is open anyway.
    placed = 0
    for b in range(boxes):
        order[placed] = b
        placed += 1
        if b == last_inside and rest:
            order[placed] = boxes
            placed += 1
    if rest:
        if last_inside < 0:
            order[placed] = boxes
        box_clues[boxes, 0] = 0
        box_degree[boxes] = 1
        box_size[boxes] = rest
        base[boxes] = REST
        inside[boxes] = 1
        part[1, REST + 1] = boxes
        clue_degree[0] += 1
        boxes += 1
    none = np.empty(0, np.int64)
    problem = Flat(
        none,
        box_size[:boxes],
        box_clues[:boxes],
        box_degree[:boxes],
        none,
        clue_need[:clues],
        clue_cells[:clues],
        np.empty((0, 8), np.int64),
        clue_degree[:clues],
        none,
        none,
        0,
        -1,
    )
    return Local(problem, order[:boxes], base, inside, part, known, rest)


@leaf
def _teaches(parts: Parts, local: Local, x: int, y: int, h: int, w: int, can: Ints, rest_can: int) -> bool:
    """Whether a cell around `y` stays unknown after a number was seen at `x`."""
    for r in range(max(y // w - 1, 0), min(y // w + 2, h)):
        for c in range(max(y % w - 1, 0), min(y % w + 2, w)):
            z = r * w + c
            b = parts.flat.box_of[z]
            if b < REST or z in (x, y):
                continue
            at = local.part[int(touches(x, z, w)), b + 1]
            if at >= 0:
                unsure = can[at] == UNSURE
            else:
                unsure = b != REST or rest_can == UNSURE
            if unsure:
                return True
    return False


@leaf(apart=True)
def teaching(
    parts: Parts, local: Local, by_box: ByBox, x: int, h: int, w: int, can: Ints, rest_can: int
) -> int:
    """How many cells a number at `x` proves safe that would teach something, up to TOP."""
    count = 0
    for b in range(-1, local.order.size):
        if b < 0:
            base, inside = REST, 0
            if rest_can != CAN_BE_SAFE:
                continue
        else:
            base, inside = local.base[b], int(local.inside[b])
            if can[b] != CAN_BE_SAFE:
                continue
        for t in range(by_box.start[base + 1], by_box.start[base + 2]):
            y = by_box.cells[t]
            if (
                y != x
                and int(touches(x, y, w)) == inside
                and _teaches(parts, local, x, y, h, w, can, rest_can)
            ):
                count += 1
                if count == TOP:
                    return count
    return count
