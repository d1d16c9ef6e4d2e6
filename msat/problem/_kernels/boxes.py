"""Compiled: from a framed board to clues, boxes and components.

A *clue* is a revealed number that touches unknown cells; a *box* is a maximal set of unknown cells touched by
exactly the same clues; a *component* is a set of boxes joined by clues; the *rest* are unknown cells that no
clue touches.

    ? ? ? ?        clues 1, 2, 1, 0 and 1: what each needs among its unknown cells;
    1 2 1 ?        boxes: cells with the same clues around; here the clues join all of them to one component,
    0 0 1 ?        and no cell is left as rest
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import HIDDEN
from msat.problem._kernels.frame import MINES, SAFES, Frame, index_of, survey
from msat.problem._kernels.workspace import new_workspace, take_bytes, take_ints, take_longs

__all__ = ["NOT_UNKNOWN", "REST", "Flat", "assemble", "build"]

Ints = NDArray[np.int64]

# What `Flat.box_of` holds for cells outside of all boxes.
REST = -1
NOT_UNKNOWN = -2


class Flat(NamedTuple):
    """A position as flat arrays: n boxes, k clues, some components."""

    box_of: Ints  # per cell: its box, or REST, or NOT_UNKNOWN
    box_size: Ints  # per box: how many cells (1…8)
    box_clues: Ints  # (n, 8): the clues of a box, ascending …
    box_degree: Ints  # … and how many they are
    clue_cell: Ints  # per clue: where it stands
    clue_need: Ints  # per clue: how many mines among its unknown cells …
    clue_cells: Ints  # … and how many cells these are
    clue_boxes: Ints  # (k, 8): the boxes of a clue …
    clue_degree: Ints  # … and how many they are
    component_boxes: Ints  # the boxes, component by component, each a walk from a far end …
    component_start: Ints  # … and where each component begins (one entry more than components)
    unknown: int  # how many cells are unknown
    bad: int  # −1, or a revealed cell whose number cannot be met


class Graph(NamedTuple):
    """Which boxes have which clues, both ways: arrays of a `Flat` in the making."""

    box_clues: Ints
    box_degree: Ints
    clue_boxes: Ints
    clue_degree: Ints


@kernel
def build(grid: NDArray[np.int8]) -> Flat:
    """Clues, boxes and components of a grid."""
    workspace = new_workspace(0)
    return assemble(survey(grid, workspace), grid.shape[0], grid.shape[1], workspace)


@kernel(apart=True, inside=True)
def assemble(frame: Frame, height: int, width: int, workspace: Ints) -> Flat:
    """Clues, boxes and components of a frame, as they are after the deductions made on it."""
    clues, unknown, bad = _count(frame, width)
    clue_at = take_ints(workspace, frame.cells.size)
    touched = take_bytes(workspace, frame.cells.size)
    clue_cell = take_longs(workspace, clues)
    clue_need = take_longs(workspace, clues)
    clue_cells = take_longs(workspace, clues)
    touching = _list_clues(frame, width, clue_at, touched, clue_cell, clue_need, clue_cells)

    box_of = take_longs(workspace, height * width)
    box_size = take_longs(workspace, touching)
    box_clues = take_longs(workspace, touching * 8).reshape(touching, 8)
    box_degree = take_longs(workspace, touching)
    clue_boxes = take_longs(workspace, clues * 8).reshape(clues, 8)
    clue_degree = take_longs(workspace, clues)
    graph = Graph(box_clues, box_degree, clue_boxes, clue_degree)
    _list_unknown(frame.cells, height, width, box_of)
    boxes = _group_cells(clue_at, touched, width, take_longs(workspace, 8), box_of, box_size, graph)

    component_boxes = take_longs(workspace, boxes)
    component_start = take_longs(workspace, boxes + 1)
    seen_box = take_longs(workspace, boxes)
    seen_clue = take_longs(workspace, clues)
    components = _walk(graph, component_boxes, component_start, seen_box, seen_clue)
    return Flat(
        box_of=box_of,
        box_size=box_size[:boxes],
        box_clues=box_clues[:boxes],
        box_degree=box_degree[:boxes],
        clue_cell=clue_cell,
        clue_need=clue_need,
        clue_cells=clue_cells,
        clue_boxes=clue_boxes,
        clue_degree=clue_degree,
        component_boxes=component_boxes,
        component_start=component_start[: components + 1],
        unknown=unknown,
        bad=bad,
    )


@leaf
def _count(frame: Frame, width: int) -> tuple[int, int, int]:
    """How many clues and unknown cells there are, and a clue that cannot be met, or −1."""
    cells, left, rings, _ = frame
    clues = 0
    unknown = 0
    signs = np.int8(0)
    for m in range(cells.size):
        clues += rings[m] != 0
        unknown += cells[m] == HIDDEN
        signs |= left[MINES, m] | left[SAFES, m]
    bad = -1
    if signs < 0:
        for m in range(cells.size):
            if left[MINES, m] < 0 or left[SAFES, m] < 0:
                bad = index_of(m, width)
    return clues, unknown, bad


@leaf
def _list_clues(
    frame: Frame,
    width: int,
    clue_at: NDArray[np.int32],
    touched: NDArray[np.int8],
    clue_cell: Ints,
    clue_need: Ints,
    clue_cells: Ints,
) -> int:
    """Number the clues and mark the cells that they touch; returns how many these are."""
    _, left, rings, steps = frame
    for m in range(clue_at.size):
        clue_at[m] = -1
        touched[m] = 0
    touching = 0
    k = 0
    eights = rings.view(np.int64)  # few of them have a clue
    for eight in range(eights.size):
        if eights[eight] == 0:
            continue
        for m in range(8 * eight, 8 * eight + 8):
            if rings[m] == 0:
                continue
            clue_at[m] = k
            clue_cell[k] = index_of(m, width)
            clue_need[k] = left[MINES, m]
            clue_cells[k] = 0
            for j in range(8):
                if (rings[m] >> j) & 1:
                    clue_cells[k] += 1
                    touching += touched[m + steps[j]] == 0
                    touched[m + steps[j]] = 1
            k += 1
    return touching


@leaf
def _list_unknown(cells: NDArray[np.int8], height: int, width: int, box_of: Ints) -> None:
    """Put every unknown cell into the rest, until it is found in a box."""
    for r in range(height):
        start = (r + 2) * (width + 2) + 1
        row = cells[start : start + width]  # slices are never indexed from their ends: vector code
        boxes_of_row = box_of[r * width : (r + 1) * width]
        for c in range(width):
            boxes_of_row[c] = NOT_UNKNOWN + (row[c] == HIDDEN)  # that is REST


@leaf
def _find_box(around: Ints, degree: int, graph: Graph) -> int:
    """The box with exactly these clues, or −1: it would be a box of the first of them."""
    first = around[0]
    for t in range(graph.clue_degree[first]):
        b = graph.clue_boxes[first, t]
        if graph.box_degree[b] == degree:
            same = True
            for d in range(degree):
                if graph.box_clues[b, d] != around[d]:
                    same = False
                    break
            if same:
                return int(b)
    return -1


@leaf
def _group_cells(
    clue_at: NDArray[np.int32],
    touched: NDArray[np.int8],
    width: int,
    around: Ints,
    box_of: Ints,
    box_size: Ints,
    graph: Graph,
) -> int:
    """Put every cell that clues touch into the box of those clues; returns how many boxes there are."""
    stride = width + 2
    for k in range(graph.clue_degree.size):
        graph.clue_degree[k] = 0
    boxes = 0
    eights = touched.view(np.int64)
    for eight in range(eights.size):
        if eights[eight] == 0:
            continue
        for m in range(8 * eight, 8 * eight + 8):
            if touched[m] == 0:
                continue
            degree = 0
            for i in range(m - stride, m + stride + 1, stride):
                for at in range(i - 1, i + 2):
                    if clue_at[at] >= 0:
                        around[degree] = clue_at[at]
                        degree += 1
            b = _find_box(around, degree, graph)
            if b < 0:
                b = boxes
                boxes += 1
                box_size[b] = 0
                graph.box_degree[b] = degree
                for d in range(degree):
                    k = around[d]
                    graph.box_clues[b, d] = k
                    graph.clue_boxes[k, graph.clue_degree[k]] = b
                    graph.clue_degree[k] += 1
            box_size[b] += 1
            box_of[index_of(m, width)] = b
    return boxes


@leaf
def _walk(graph: Graph, component_boxes: Ints, component_start: Ints, seen_box: Ints, seen_clue: Ints) -> int:
    """List the boxes component by component, each from a far end; returns how many components there are."""
    for b in range(seen_box.size):
        seen_box[b] = 0
    for k in range(seen_clue.size):
        seen_clue[k] = 0
    component_start[0] = 0
    components = 0
    filled = 0
    for b in range(seen_box.size):
        if seen_box[b]:
            continue
        # Walk twice: the last box reached from anywhere is a far end to begin at.
        component_boxes[filled] = b
        tail = _spread(graph, 1, filled, component_boxes, seen_box, seen_clue)
        component_boxes[filled] = component_boxes[tail - 1]
        filled = _spread(graph, 2, filled, component_boxes, seen_box, seen_clue)
        components += 1
        component_start[components] = filled
    return components


@leaf
def _spread(
    graph: Graph, turn: int, filled: int, component_boxes: Ints, seen_box: Ints, seen_clue: Ints
) -> int:
    """List all boxes that clues join to the one at `filled`, behind it; returns where they end."""
    head = filled
    tail = filled + 1
    seen_box[component_boxes[head]] = turn
    while head < tail:
        at = component_boxes[head]
        head += 1
        for d in range(graph.box_degree[at]):
            k = graph.box_clues[at, d]
            if seen_clue[k] == turn:
                continue
            seen_clue[k] = turn
            for t in range(graph.clue_degree[k]):
                other = graph.clue_boxes[k, t]
                if seen_box[other] != turn:
                    seen_box[other] = turn
                    component_boxes[tail] = other
                    tail += 1
    return tail
