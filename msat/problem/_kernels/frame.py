"""Compiled: a board with a border, on which rules work and from which problems are built.

A position is surveyed once, whatever comes after: the frame knows of every clue which of its neighbours are
hidden, and how many of these are mines and how many are safe.

      width + 2
    ┌───────────┐
    │ . . . . . │  two rows of border: rules 8 and 9 look two cells away
    │ . . . . . │
    │ . 1 ? ? . │  cell (r, c) is at (r + 2) · (width + 2) + c + 1
    │ . 1 2 ? . │
    │ . . . . . │
    │ . . . . . │
    └───────────┘
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import HIDDEN, MINE, SAFE
from msat.problem._kernels.workspace import take_bytes, take_longs

__all__ = ["MINES", "SAFES", "Frame", "index_of", "settle", "survey", "unframe"]

Ints = NDArray[np.int64]

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


@kernel
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


@leaf
def unframe(frame: Frame, grid: NDArray[np.int8]) -> None:
    """Copy the cells of a frame to a grid."""
    height, width = grid.shape
    for r in range(height):
        start = (r + 2) * (width + 2) + 1
        for c in range(width):
            grid[r, c] = frame.cells[start + c]
