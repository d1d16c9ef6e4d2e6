"""Compiled: from a grid to clues, boxes and components.

The grid is int8: −1 unknown, −2 mine, −3 safe but not opened, 0…8 revealed. A *clue* is a revealed number
that touches unknown cells; a *box* is a maximal set of unknown cells touched by exactly the same clues; a
*component* is a set of boxes joined by clues; the *rest* are unknown cells that no clue touches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel

__all__ = ["NOT_UNKNOWN", "REST", "Flat", "build"]

Ints = NDArray[np.int64]

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


@kernel
def build(grid: NDArray[np.int8]) -> Flat:
    """Clues, boxes and components of a grid."""
    h, w = grid.shape
    area = h * w
    wide = w + 2
    clue_at = np.full((h + 2) * wide, -1, np.int64)
    clue_cell = np.empty(area, np.int64)
    clue_need = np.empty(area, np.int64)
    clue_cells = np.empty(area, np.int64)
    box_of = np.full(area, NOT_UNKNOWN, np.int64)
    clues = 0
    unknown = 0
    bad = -1
    for r in range(h):
        for c in range(w):
            value = grid[r, c]
            if value == -1:
                unknown += 1
            elif value >= 0:
                need = np.int64(value)
                free = 0
                for i in range(max(r - 1, 0), min(r + 2, h)):
                    for j in range(max(c - 1, 0), min(c + 2, w)):
                        if grid[i, j] == -1:
                            free += 1
                        elif grid[i, j] == -2:
                            need -= 1
                if need < 0 or need > free:
                    bad = r * w + c
                if free:
                    clue_at[(r + 1) * wide + c + 1] = clues
                    clue_cell[clues] = r * w + c
                    clue_need[clues] = need
                    clue_cells[clues] = free
                    clues += 1

    box_size = np.zeros(min(unknown, 8 * clues), np.int64)
    box_clues = np.empty((box_size.size, 8), np.int64)
    box_degree = np.empty(box_size.size, np.int64)
    clue_boxes = np.empty((clues, 8), np.int64)
    clue_degree = np.zeros(clues, np.int64)
    boxes = 0
    mine_clues = np.empty(8, np.int64)
    for r in range(h):
        for c in range(w):
            if grid[r, c] != -1:
                continue
            degree = 0
            for i in range(r, r + 3):
                for j in range(c, c + 3):
                    k = clue_at[i * wide + j]
                    if k >= 0:
                        mine_clues[degree] = k
                        degree += 1
            if degree == 0:
                box_of[r * w + c] = REST
                continue
            # A box of the same clues is a box of the first of them.
            first = mine_clues[0]
            found = -1
            for t in range(clue_degree[first]):
                b = clue_boxes[first, t]
                if box_degree[b] == degree:
                    same = True
                    for d in range(degree):
                        if box_clues[b, d] != mine_clues[d]:
                            same = False
                            break
                    if same:
                        found = b
                        break
            if found < 0:
                found = boxes
                boxes += 1
                box_degree[found] = degree
                for d in range(degree):
                    k = mine_clues[d]
                    box_clues[found, d] = k
                    clue_boxes[k, clue_degree[k]] = found
                    clue_degree[k] += 1
            box_size[found] += 1
            box_of[r * w + c] = found

    component_boxes = np.empty(boxes, np.int64)
    component_start = np.zeros(boxes + 1, np.int64)
    components = 0
    seen_box = np.zeros(boxes, np.int64)
    seen_clue = np.zeros(clues, np.int64)
    filled = 0
    for b in range(boxes):
        if seen_box[b]:
            continue
        # Walk twice: the last box reached from anywhere is a far end to begin at.
        start = b
        for turn in range(1, 3):
            head = filled
            tail = filled + 1
            component_boxes[head] = start
            seen_box[start] = turn
            while head < tail:
                at = component_boxes[head]
                head += 1
                for d in range(box_degree[at]):
                    k = box_clues[at, d]
                    if seen_clue[k] == turn:
                        continue
                    seen_clue[k] = turn
                    for t in range(clue_degree[k]):
                        other = clue_boxes[k, t]
                        if seen_box[other] != turn:
                            seen_box[other] = turn
                            component_boxes[tail] = other
                            tail += 1
            start = component_boxes[tail - 1]
        filled = tail
        components += 1
        component_start[components] = filled
    return Flat(
        box_of,
        box_size[:boxes],
        box_clues[:boxes],
        box_degree[:boxes],
        clue_cell[:clues],
        clue_need[:clues],
        clue_cells[:clues],
        clue_boxes,
        clue_degree,
        component_boxes,
        component_start[: components + 1],
        unknown,
        bad,
    )
