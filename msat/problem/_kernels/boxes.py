"""Compiled: from a grid to clues, boxes and components.

The grid is int8: −1 unknown, −2 mine, −3 safe but not opened, 0…8 revealed. A *clue* is a revealed number
that touches unknown cells; a *box* is a maximal set of unknown cells touched by exactly the same clues; a
*component* is a set of boxes joined by clues; the *rest* are unknown cells that no clue touches.

The way leads over a *frame*: the board with a border, and per clue what it still needs. Rules 1–9 work on
it as well, so that a position is surveyed once, whatever comes after.

All arrays are cut from a *workspace*: a block of memory whose first number tells where its free part begins.
Whoever answers many questions gives the same block each time; what does not fit into it is allocated.
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
    "new_workspace",
    "settle",
    "survey",
    "take_bytes",
    "take_floats",
    "take_ints",
    "take_longs",
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
    The size is a multiple of 8, so that what few cells have is looked for in eight bytes at a time.
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
def new_workspace(words: int) -> Ints:
    """A workspace of so many numbers; with none, whatever is taken from it is allocated."""
    workspace = np.empty(1 + words, np.int64)
    workspace[0] = 1
    return workspace


@kernel
def take_longs(workspace: Ints, count: int) -> Ints:
    """An array cut from a workspace, not initialised. To give it back, set workspace[0] to what it was."""
    start = workspace[0]
    if start + count > workspace.size:
        return np.empty(count, np.int64)
    workspace[0] = start + count
    return workspace[start : start + count]


@kernel
def take_floats(workspace: Ints, count: int) -> NDArray[np.float64]:
    """The same, of doubles …"""
    return take_longs(workspace, count).view(np.float64)


@kernel
def take_ints(workspace: Ints, count: int) -> NDArray[np.int32]:
    """… of 32 bits …"""
    return take_longs(workspace, (count + 1) // 2).view(np.int32)[:count]


@kernel
def take_bytes(workspace: Ints, count: int) -> NDArray[np.int8]:
    """… and of 8 bits."""
    return take_longs(workspace, (count + 7) // 8).view(np.int8)[:count]


@kernel(apart=True)
def survey(grid: NDArray[np.int8], workspace: Ints) -> Frame:
    """Frame a grid."""
    height, width = grid.shape
    stride = width + 2
    # Two rows above and below: rules 8 and 9 look two cells away.
    size = ((height + 4) * stride + 7) // 8 * 8
    cells = take_bytes(workspace, size)
    cells[:] = SAFE
    for r in range(height):
        start = (r + 2) * stride + 1
        for c in range(width):
            cells[start + c] = grid[r, c]
    steps = take_longs(workspace, 8)
    steps[0] = -stride
    steps[1] = 1 - stride
    steps[2] = 1
    steps[3] = 1 + stride
    for k in range(4):
        steps[4 + k] = -steps[k]
    left = take_bytes(workspace, 2 * size).reshape(2, size)
    frame = Frame(cells, left, take_bytes(workspace, size).view(np.uint8), steps)
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


@leaf(apart=True)
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
    workspace = new_workspace(0)
    return assemble(survey(grid, workspace), grid.shape[0], grid.shape[1], workspace)


@kernel(apart=True)
def assemble(frame: Frame, height: int, width: int, workspace: Ints) -> Flat:
    """Clues, boxes and components of a frame, as they are after the deductions made on it."""
    stride = width + 2
    cells, left, rings, steps = frame
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

    clue_at = take_ints(workspace, cells.size)
    clue_at[:] = -1
    touched = take_bytes(workspace, cells.size)
    touched[:] = 0
    clue_cell = take_longs(workspace, clues)
    clue_need = take_longs(workspace, clues)
    clue_cells = take_longs(workspace, clues)
    clue_cells[:] = 0
    touching = 0
    k = 0
    eights = rings.view(np.int64)
    for eight in range(eights.size):
        if eights[eight] == 0:
            continue
        for m in range(8 * eight, 8 * eight + 8):
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

    box_of = take_longs(workspace, height * width)
    for r in range(height):
        start = (r + 2) * stride + 1
        row = cells[start : start + width]  # slices are never indexed from their ends: vector code
        boxes_of_row = box_of[r * width : (r + 1) * width]
        for c in range(width):
            boxes_of_row[c] = NOT_UNKNOWN + (row[c] == HIDDEN)  # that is REST
    box_size = take_longs(workspace, touching)
    box_size[:] = 0
    box_clues = take_longs(workspace, touching * 8).reshape(touching, 8)
    box_degree = take_longs(workspace, touching)
    clue_boxes = take_longs(workspace, clues * 8).reshape(clues, 8)
    clue_degree = take_longs(workspace, clues)
    clue_degree[:] = 0
    boxes = 0
    mine_clues = take_longs(workspace, 8)
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

    component_boxes = take_longs(workspace, boxes)
    component_start = take_longs(workspace, boxes + 1)
    component_start[0] = 0
    components = 0
    seen_box = take_longs(workspace, boxes)
    seen_box[:] = 0
    seen_clue = take_longs(workspace, clues)
    seen_clue[:] = 0
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
