"""Compiled: from a grid to clues, boxes and components.

The grid is int8: −1 unknown, −2 mine, −3 safe but not opened, 0…8 revealed. A *clue* is a revealed number
that touches unknown cells; a *box* is a maximal set of unknown cells touched by exactly the same clues; a
*component* is a set of boxes joined by clues; the *rest* are unknown cells that no clue touches.

The way leads over a *frame*: the board with a border, and per clue what it still needs. Rules 1–9 work on
it as well, so that a position is surveyed once, whatever comes after.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf

__all__ = [
    "HIDDEN",
    "MINE",
    "MINES",
    "NOT_UNKNOWN",
    "REST",
    "SAFE",
    "SAFES",
    "Flat",
    "Frame",
    "assemble",
    "build",
    "index_of",
    "settle",
    "survey",
]

Ints = NDArray[np.int64]

HIDDEN = -1
MINE = -2
SAFE = -3
"""A cell that is known to hold no mine, but whose number is not known."""

REST = -1
NOT_UNKNOWN = -2

# Rows of `Frame.left`.
SAFES = 0
MINES = 1

FAR_FROM_ZERO = 64  # added in `left` where there is no clue: nothing brings it down to 0


class Frame(NamedTuple):
    """A board with a border of cells that are neither hidden nor clues: there is no edge to test for.

    Two rows above and below, one column left and right; cell (r, c) is at (r + 2) · (width + 2) + c + 1. The
    border also serves neighbours that are one step off the other end of the row: nothing is found there.
    """

    cells: NDArray[np.int8]
    left: NDArray[np.int8]  # (2, …): how many hidden neighbours of a clue are safe, and how many are mines
    rings: NDArray[np.uint8]  # which neighbours of a clue are hidden: bit 0 is north, then clockwise
    steps: Ints  # how far it is to each neighbour, in the order of the rings


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
def survey(grid: NDArray[np.int8]) -> Frame:
    """Frame a grid."""
    height, width = grid.shape
    stride = width + 2
    size = (height + 4) * stride  # two rows above and below: rules 8 and 9 look two cells away
    cells = np.full(size, SAFE, np.int8)
    for r in range(height):
        start = (r + 2) * stride + 1
        for c in range(width):
            cells[start + c] = grid[r, c]
    steps = np.array([-stride, 1 - stride, 1, 1 + stride, stride, stride - 1, -1, -1 - stride], np.int64)
    frame = Frame(cells, np.empty((2, size), np.int8), np.empty(size, np.uint8), steps)
    _measure(frame)
    return frame


@leaf
def _measure(frame: Frame) -> None:
    """Fill `left` and `rings`, in passes over the whole board without branches: they become vector code."""
    cells, left, rings, steps = frame
    mines = left[MINES]
    safes = left[SAFES]
    for i in range(cells.size):
        offset = np.int8(cells[i] < 0) * np.int8(FAR_FROM_ZERO)
        mines[i] = offset + cells[i]
        safes[i] = offset - cells[i]
        rings[i] = 0
    margin = int(steps[3])  # the largest step
    inner = cells.size - 2 * margin
    mines = mines[margin : margin + inner]
    safes = safes[margin : margin + inner]
    inner_rings = rings[margin : margin + inner]
    for k in range(8):
        start = margin + int(steps[k])
        neighbours = cells[start : start + inner]
        bit = np.uint8(1 << k)
        for i in range(inner):
            mine = np.int8(neighbours[i] == MINE)
            inner_rings[i] |= bit * np.uint8(neighbours[i] == HIDDEN)
            mines[i] -= mine
            safes[i] += mine + np.int8(neighbours[i] == HIDDEN)
    for i in range(cells.size):
        rings[i] *= np.uint8(cells[i] >= 0)


@leaf
def index_of(framed: int, width: int) -> int:
    """The index on the board, row · width + column, of a cell of the frame; −1 stays −1."""
    if framed < 0:
        return -1
    return (framed // (width + 2) - 2) * width + framed % (width + 2) - 1


@leaf
def settle(frame: Frame) -> None:
    """Rules 1 and 2 once, for all clues at a time: faster than one by one, where many fire.

    Where clues contradict each other, one is violated afterwards: less than 0 is left of something.
    """
    cells, left, rings, steps = frame
    margin = int(steps[3])
    inner = cells.size - 2 * margin
    fires = rings[
        margin : margin + inner
    ]  # measured anew afterwards: 1 for rule 2 at a neighbour, 2 for rule 1
    inner_cells = cells[margin : margin + inner]
    for i in range(inner):
        fires[i] = 0
    for k in range(8):
        start = margin + int(steps[k])
        mines = left[MINES][start : start + inner]
        safes = left[SAFES][start : start + inner]
        for i in range(inner):
            fires[i] |= np.uint8(safes[i] == 0) + np.uint8(2) * np.uint8(mines[i] == 0)
    for i in range(inner):
        to_mine = np.int8(fires[i] & 1)
        to_safe = np.int8(fires[i] == 2)
        inner_cells[i] -= np.int8(inner_cells[i] == HIDDEN) * (to_mine + to_safe + to_safe)
    _measure(frame)


@kernel
def build(grid: NDArray[np.int8]) -> Flat:
    """Clues, boxes and components of a grid."""
    return assemble(survey(grid), grid.shape[0], grid.shape[1])


@kernel
def assemble(frame: Frame, height: int, width: int) -> Flat:
    """Clues, boxes and components of a frame, as they are after the deductions made on it."""
    stride = width + 2
    cells, left, rings, steps = frame
    clues = 0
    unknown = 0
    worst = 0
    for m in range(cells.size):
        clues += rings[m] != 0
        unknown += cells[m] == HIDDEN
        worst = min(worst, left[MINES, m], left[SAFES, m])
    bad = -1
    if worst < 0:
        for m in range(cells.size):
            if left[MINES, m] < 0 or left[SAFES, m] < 0:
                bad = index_of(m, width)

    clue_at = np.full(cells.size, -1, np.int32)
    touched = np.zeros(cells.size, np.int8)
    clue_cell = np.empty(clues, np.int64)
    clue_need = np.empty(clues, np.int64)
    clue_cells = np.zeros(clues, np.int64)
    touching = 0
    k = 0
    for m in range(cells.size):
        if rings[m] == 0:
            continue
        clue_at[m] = k
        clue_cell[k] = index_of(m, width)
        clue_need[k] = left[MINES, m]
        for j in range(8):
            if (rings[m] >> j) & 1:
                clue_cells[k] += 1
                touching += touched[m + steps[j]] == 0
                touched[m + steps[j]] = 1
        k += 1

    box_of = np.empty(height * width, np.int64)
    for r in range(height):
        start = (r + 2) * stride + 1
        for c in range(width):
            box_of[r * width + c] = NOT_UNKNOWN + (cells[start + c] == HIDDEN)  # that is REST
    box_size = np.zeros(touching, np.int64)
    box_clues = np.empty((touching, 8), np.int64)
    box_degree = np.empty(touching, np.int64)
    clue_boxes = np.empty((clues, 8), np.int64)
    clue_degree = np.zeros(clues, np.int64)
    boxes = 0
    mine_clues = np.empty(8, np.int64)
    for m in range(cells.size):
        if not touched[m]:
            continue
        degree = 0
        for i in range(m - stride, m + stride + 1, stride):
            for at in range(i - 1, i + 2):
                if clue_at[at] >= 0:
                    mine_clues[degree] = clue_at[at]
                    degree += 1
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
        box_of[index_of(m, width)] = found

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
        clue_cell,
        clue_need,
        clue_cells,
        clue_boxes,
        clue_degree,
        component_boxes,
        component_start[: components + 1],
        unknown,
        bad,
    )
