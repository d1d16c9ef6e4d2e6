"""Compiled: whole games, played end to end without a Python object in between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines._kernels.answer import ANSWERED, PROVEN_MINE, PROVEN_SAFE, answer, prefilter

__all__ = ["open_cell", "play_forced"]

HIDDEN = -1
MINE = -2
SAFE = -3

# How a game ended.
WON = 0
STUCK = 1
UNANSWERED = 2  # a position that the fast path leaves to the long way (none has been seen in play)


@kernel
def open_cell(
    numbers: NDArray[np.int8], board: NDArray[np.int8], r: int, c: int, stack: NDArray[np.int64]
) -> int:
    """Open a safe cell with flood fill; returns how many cells that revealed. `stack` holds a board."""
    h, w = board.shape
    if board[r, c] >= 0:
        return 0
    board[r, c] = numbers[r, c]
    stack[0] = r * w + c
    height = 1
    opened = 1
    while height:
        height -= 1
        at = stack[height]
        row = at // w
        column = at % w
        if numbers[row, column] != 0:
            continue
        for i in range(max(row - 1, 0), min(row + 2, h)):
            for j in range(max(column - 1, 0), min(column + 2, w)):
                if board[i, j] < 0:
                    board[i, j] = numbers[i, j]
                    opened += 1
                    stack[height] = i * w + j
                    height += 1
    return opened


@kernel
def play_forced(
    numbers: NDArray[np.int8], mines: int, r: int, c: int, last_rule: int, board: NDArray[np.int8]
) -> int:
    """Open (r, c), then every cell that is proven safe, until the game is won or nothing is proven.

    `numbers` holds the layout, −2 at mines. `board` is overwritten with the position at the end. The rules
    are tried first: they are cheaper than counting and usually find something.
    """
    h, w = numbers.shape
    stack = np.empty(h * w, np.int64)
    probability = np.empty((h, w), np.float64)
    verdict = np.empty((h, w), np.int8)
    grid = np.empty((h, w), np.int8)
    board[:] = HIDDEN
    left = h * w - mines - open_cell(numbers, board, r, c, stack)
    while left:
        opened = 0
        prefilter(board, MINE, last_rule, grid)
        for i in range(h):
            for j in range(w):
                if grid[i, j] == SAFE:
                    opened += open_cell(numbers, board, i, j, stack)
                elif grid[i, j] == MINE:
                    board[i, j] = MINE
        if opened == 0:
            status, _ = answer(board, MINE, mines, last_rule, probability, verdict)
            if status != ANSWERED:
                return UNANSWERED
            for i in range(h):
                for j in range(w):
                    if verdict[i, j] == PROVEN_SAFE:
                        opened += open_cell(numbers, board, i, j, stack)
                    elif verdict[i, j] == PROVEN_MINE:
                        board[i, j] = MINE
        if opened == 0:
            return STUCK
        left -= opened
    return WON
