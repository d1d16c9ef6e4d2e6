"""Compiled: the part of a position that one more clue would touch, and what it would leave to be learned.

A clue at a cell joins the components of that cell and of its neighbours. Boxes that reach beyond the cell's
neighbours are split, the elimination order is taken over, and cells that no clue touched yet come in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import MINE
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.problem._kernels.boxes import REST, Flat
from msat.problem._kernels.grid import touches, window
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
    cells = np.empty(start[start.size - 1], np.int64)
    for x in range(area):
        if flat.box_of[x] >= REST:
            at = flat.box_of[x] + 1
            cells[filled[at]] = x
            filled[at] += 1
    return ByBox(cells, start)


@leaf
def _look_around(parts: Parts, grid: Bytes, x: int, near: Ints, joined: Ints) -> tuple[int, int]:
    """(known mines, cells of the rest) around `x`; counts its neighbours per box, and marks components."""
    flat = parts.flat
    h, w = grid.shape
    for i in range(joined.size):
        joined[i] = 0
    if flat.box_of[x] >= 0:
        joined[parts.component[flat.box_of[x]]] = 1
    known = 0
    rest = 0
    r0, r1, c0, c1 = window(x // w, x % w, h, w)
    for r in range(r0, r1):
        for c in range(c0, c1):
            if r * w + c == x:
                continue
            known += grid[r, c] == MINE
            b = flat.box_of[r * w + c]
            if b == REST:
                rest += 1
            elif b >= 0:
                near[b] += 1
                joined[parts.component[b]] = 1
    return known, rest


@kernel
def _new_local(flat: Flat, joined: Ints, known: int, rest: int) -> Local:
    """Room for the components joined by a clue, and for the boxes that this adds."""
    most = 9  # boxes that the new clue adds, by splitting others and from the rest
    for i in range(joined.size):
        if joined[i]:
            most += flat.component_start[i + 1] - flat.component_start[i]
    clues = flat.clue_need.size + 1
    none = np.empty(0, np.int64)
    problem = Flat(
        box_of=none,
        box_size=np.empty(most, np.int64),
        box_clues=np.empty((most, 8), np.int64),
        box_degree=np.empty(most, np.int64),
        clue_cell=none,
        clue_need=np.empty(clues, np.int64),
        clue_cells=np.empty(clues, np.int64),
        clue_boxes=np.empty((0, 8), np.int64),
        clue_degree=np.zeros(clues, np.int64),
        component_boxes=none,
        component_start=none,
        unknown=0,
        bad=-1,
    )
    return Local(
        flat=problem,
        order=np.empty(most, np.int64),
        base=np.empty(most, np.int64),
        inside=np.zeros(most, np.int8),
        part=np.full((2, flat.box_size.size + 1), -1, np.int64),
        known=known,
        rest=rest,
    )


@leaf
def _split_boxes(
    parts: Parts, own: int, near: Ints, joined: Ints, clue_of: Ints, local: Local
) -> tuple[int, int, int]:
    """Copy the joined boxes, each split into what touches the cell and what does not.

    Returns (boxes, clues, the last box that touches the cell or −1). `near` is zero again afterwards.
    """
    flat, problem = parts.flat, local.flat
    clues = 1
    boxes = 0
    last_inside = -1
    for i in range(joined.size):
        if not joined[i]:
            continue
        for t in range(flat.component_start[i], flat.component_start[i + 1]):
            b = parts.order[t]
            for inside in range(1, -1, -1):
                size = near[b] if inside else flat.box_size[b] - near[b] - (b == own)
                if size == 0:
                    continue
                degree = flat.box_degree[b]
                for d in range(degree):
                    k = flat.box_clues[b, d]
                    if clue_of[k] < 0:
                        clue_of[k] = clues
                        problem.clue_need[clues] = flat.clue_need[k]
                        problem.clue_cells[clues] = flat.clue_cells[k]
                        clues += 1
                    problem.box_clues[boxes, d] = clue_of[k]
                    problem.clue_degree[clue_of[k]] += 1
                if inside:
                    problem.box_clues[boxes, degree] = 0
                    degree += 1
                    problem.clue_degree[0] += 1
                    problem.clue_cells[0] += size
                    local.inside[boxes] = 1
                    last_inside = boxes
                local.part[inside, b + 1] = boxes
                problem.box_degree[boxes] = degree
                problem.box_size[boxes] = size
                local.base[boxes] = b
                boxes += 1
            near[b] = 0
    return boxes, clues, last_inside


@leaf
def _add_rest(local: Local, boxes: int, last_inside: int) -> int:
    """Take over the order of the position, the rest around the cell where the new clue is open anyway.

    Returns how many boxes there are then.
    """
    problem = local.flat
    placed = 0
    for b in range(boxes):
        local.order[placed] = b
        placed += 1
        if b == last_inside and local.rest:
            local.order[placed] = boxes
            placed += 1
    if local.rest == 0:
        return boxes
    if last_inside < 0:
        local.order[placed] = boxes
    problem.box_clues[boxes, 0] = 0
    problem.box_degree[boxes] = 1
    problem.box_size[boxes] = local.rest
    local.base[boxes] = REST
    local.inside[boxes] = 1
    local.part[1, REST + 1] = boxes
    problem.clue_degree[0] += 1
    return boxes + 1


@kernel
def join(parts: Parts, grid: Bytes, x: int, near: Ints, joined: Ints) -> Local:
    """The problem that a clue at cell `x` would join; marks its components in `joined`.

    `near` is room, per box: zero before and after.
    """
    flat = parts.flat
    own = flat.box_of[x]
    known, rest = _look_around(parts, grid, x, near, joined)
    local = _new_local(flat, joined, known, rest)
    problem = local.flat
    problem.clue_need[0] = 0
    problem.clue_cells[0] = rest
    clue_of = np.full(flat.clue_need.size, -1, np.int64)
    boxes, clues, last_inside = _split_boxes(parts, own, near, joined, clue_of, local)
    if own >= 0:
        for d in range(flat.box_degree[own]):
            if clue_of[flat.box_clues[own, d]] >= 0:
                problem.clue_cells[clue_of[flat.box_clues[own, d]]] -= 1
    boxes = _add_rest(local, boxes, last_inside)
    cut = Flat(
        box_of=problem.box_of,
        box_size=problem.box_size[:boxes],
        box_clues=problem.box_clues[:boxes],
        box_degree=problem.box_degree[:boxes],
        clue_cell=problem.clue_cell,
        clue_need=problem.clue_need[:clues],
        clue_cells=problem.clue_cells[:clues],
        clue_boxes=problem.clue_boxes,
        clue_degree=problem.clue_degree[:clues],
        component_boxes=problem.component_boxes,
        component_start=problem.component_start,
        unknown=0,
        bad=-1,
    )
    return Local(cut, local.order[:boxes], local.base, local.inside, local.part, known, rest)


@leaf
def _teaches(parts: Parts, local: Local, x: int, y: int, h: int, w: int, can: Ints, rest_can: int) -> bool:
    """Whether a cell around `y` stays unknown after a number was seen at `x`."""
    r0, r1, c0, c1 = window(y // w, y % w, h, w)
    for r in range(r0, r1):
        for c in range(c0, c1):
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


@leaf(apart=True, inside=True)
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
