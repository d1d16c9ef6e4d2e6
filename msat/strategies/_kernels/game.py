"""Compiled: what every compiled player shares — opening cells, carrying a decision out, noting guesses.

A *decision kernel* looks at a board (int8: −1 hidden, −2 marked, 0…8 revealed) and answers (kind, cell,
safety), after filling `verdict` with what it has proven of every cell. `choose` and the compiled game call
the same one, which is why they play the same game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE, SAFE
from msat.engines.counting._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE
from msat.problem._kernels.grid import FACTOR, PRIME, window

__all__ = [
    "BLIND",
    "COUNT",
    "ENDGAME",
    "EVALUATED",
    "FRONT",
    "GUESS",
    "GUESS1",
    "GUESS2",
    "LOST",
    "POCKET",
    "RULE",
    "SAMPLED",
    "STOP",
    "STOPPED",
    "UNANSWERED",
    "UNAVOIDABLE",
    "UNSEEN",
    "WON",
    "Table",
    "adopt",
    "carry_out",
    "draw",
    "lay",
    "open_cell",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

# The kinds of decisions.
UNANSWERED = -1  # a position that the fast path leaves to the long way
STOP = 0  # nothing is proven, and the strategy does not guess
RULE = 1  # cells proven by local rules …
COUNT = 2  # … or by counting placements
GUESS = 3
GUESS1 = 4
GUESS2 = 5
FRONT = 6
UNSEEN = 7
POCKET = 8
ENDGAME = 9
EVALUATED = 10
BLIND = 11
SAMPLED = 12
UNAVOIDABLE = 13

# How a game ended.
WON = 0
LOST = 1
STOPPED = 2


class Table(NamedTuple):
    """A game in progress, and the guesses made in it."""

    numbers: Bytes  # the layout: −2 at mines
    board: Bytes
    verdict: Bytes
    stack: Ints  # room for opening
    counts: Ints  # safe cells left to open, clicks, guesses
    kinds: Ints  # of each guess
    cells: Ints
    safeties: Floats


LEFT = 0
CLICKS = 1
GUESSES = 2


@kernel
def open_cell(numbers: Bytes, board: Bytes, r: int, c: int, stack: Ints) -> int:
    """Open a safe cell and, around every 0, its neighbours; returns how many cells that revealed."""
    h, w = board.shape
    if board[r, c] != HIDDEN:
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
        r0, r1, c0, c1 = window(row, column, h, w)
        for i in range(r0, r1):
            for j in range(c0, c1):
                if board[i, j] == HIDDEN:
                    board[i, j] = numbers[i, j]
                    opened += 1
                    stack[height] = i * w + j
                    height += 1
    return opened


@kernel
def lay(numbers: Bytes, mines: int, r: int, c: int) -> Table:
    """A new game with its start opened, unless that is a mine or there is none (r < 0)."""
    h, w = numbers.shape
    area = h * w
    table = Table(
        numbers,
        np.full((h, w), HIDDEN, np.int8),
        np.empty((h, w), np.int8),
        np.empty(area, np.int64),
        np.zeros(3, np.int64),
        np.empty(area, np.int64),
        np.empty(area, np.int64),
        np.empty(area, np.float64),
    )
    table.counts[LEFT] = area - mines
    if r >= 0:
        table.counts[CLICKS] = 1
        if numbers[r, c] >= 0:
            table.counts[LEFT] -= open_cell(numbers, table.board, r, c, table.stack)
    return table


@kernel
def adopt(board: Bytes, grid: Bytes, verdict: Bytes) -> bool:
    """Note what the rules wrote into `grid` as verdicts on the hidden cells; is any of them safe?"""
    h, w = board.shape
    found = False
    for r in range(h):
        for c in range(w):
            verdict[r, c] = OPEN
            if board[r, c] == HIDDEN:
                if grid[r, c] == SAFE:
                    verdict[r, c] = PROVEN_SAFE
                    found = True
                elif grid[r, c] == MINE:
                    verdict[r, c] = PROVEN_MINE
    return found


@kernel
def carry_out(table: Table, kind: int, cell: int, safety: float) -> bool:
    """Mark proven mines, open proven cells or make the guess; False if that hit a mine."""
    h, w = table.board.shape
    counts = table.counts
    for r in range(h):
        for c in range(w):
            if table.verdict[r, c] == PROVEN_MINE:
                table.board[r, c] = MINE
    if kind in (RULE, COUNT):
        for r in range(h):
            for c in range(w):
                if table.verdict[r, c] == PROVEN_SAFE and table.board[r, c] == HIDDEN:
                    counts[CLICKS] += 1
                    counts[LEFT] -= open_cell(table.numbers, table.board, r, c, table.stack)
        return True
    n = counts[GUESSES]
    table.kinds[n] = kind
    table.cells[n] = cell
    table.safeties[n] = safety
    counts[GUESSES] += 1
    counts[CLICKS] += 1
    r = cell // w
    c = cell % w
    if table.numbers[r, c] < 0:
        return False
    counts[LEFT] -= open_cell(table.numbers, table.board, r, c, table.stack)
    return True


@kernel
def draw(board: Bytes, seed: int, bound: int) -> int:
    """A number below `bound` that looks random but depends on the seed and the board alone."""
    state = seed % (PRIME - 1) + 1
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            state = (FACTOR * state + int(board[r, c]) + 3) % PRIME
    return (FACTOR * state % PRIME) % bound
