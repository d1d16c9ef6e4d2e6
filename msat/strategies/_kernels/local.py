"""Compiled: the decisions of `local` (document 001), which looks at one number at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE, SAFE
from msat.engines.counting._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE
from msat.problem._kernels.grid import window
from msat.strategies._kernels import game
from msat.strategies._kernels.game import Table
from msat.strategies._kernels.turns import ONGOING, advance, by_rules, standing

__all__ = ["decide_local", "play_local"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

SIMPLE = 2  # β = 0 and β = n are rules 1 and 2


@kernel
def _possible(grid: Bytes, r: int, c: int) -> bool:
    """Whether every number within two cells of (r, c) can still be met."""
    h, w = grid.shape
    for i in range(max(r - 2, 0), min(r + 3, h)):
        for j in range(max(c - 2, 0), min(c + 3, w)):
            need = grid[i, j]
            if need < 0:
                continue
            room = 0
            r0, r1, c0, c1 = window(i, j, h, w)
            for a in range(r0, r1):
                for b in range(c0, c1):
                    need -= grid[a, b] == MINE
                    room += grid[a, b] == HIDDEN
            if need < 0 or need > room:
                return False
    return True


@kernel
def _ask(grid: Bytes, r: int, c: int, cells: Ints, safe: Ints) -> tuple[int, int]:
    """Try every assignment of the hidden cells around a number.

    Returns how many these are, listed in `cells`, and how many assignments are possible; `safe` counts in
    how many of those each cell is free of a mine.
    """
    h, w = grid.shape
    count = 0
    need = int(grid[r, c])
    r0, r1, c0, c1 = window(r, c, h, w)
    for i in range(r0, r1):
        for j in range(c0, c1):
            if grid[i, j] == HIDDEN:
                cells[count] = i * w + j
                safe[count] = 0
                count += 1
            elif grid[i, j] == MINE:
                need -= 1
    valid = 0
    for mask in range(1 << count):
        bits = 0
        for k in range(count):
            bits += (mask >> k) & 1
        if bits != need:
            continue
        for k in range(count):
            grid[cells[k] // w, cells[k] % w] = MINE if (mask >> k) & 1 else SAFE
        if _possible(grid, r, c):
            valid += 1
            for k in range(count):
                safe[k] += 1 - ((mask >> k) & 1)
    for k in range(count):
        grid[cells[k] // w, cells[k] % w] = HIDDEN
    return count, valid


@kernel(apart=True)
def decide_local(
    board: Bytes, mines: int, seed: int, verdict: Bytes, safety: Floats
) -> tuple[int, int, float]:
    """What `local` does on a board: (kind, cell, safety); `verdict` and, unless by rule, `safety` filled.

    `safety` holds the highest share of possible assignments in which a cell is safe, nan where no number
    touches it.
    """
    h, w = board.shape
    grid = np.empty((h, w), np.int8)
    kind = by_rules(board, int(SIMPLE), grid, verdict)
    if kind != game.STOP:
        return kind, -1, 1.0
    cells = np.empty(8, np.int64)
    safe = np.empty(8, np.int64)
    safety[:] = np.nan
    found = False
    for r in range(h):
        for c in range(w):
            if grid[r, c] < 0:
                continue
            count, valid = _ask(grid, r, c, cells, safe)
            if valid == 0 and count > 0:
                return game.UNANSWERED, -1, 0.0
            for k in range(count):
                i = cells[k] // w
                j = cells[k] % w
                if safe[k] == valid:
                    verdict[i, j] = PROVEN_SAFE
                    found = True
                elif safe[k] == 0:
                    verdict[i, j] = PROVEN_MINE
                share = safe[k] / valid
                if np.isnan(safety[i, j]) or share > safety[i, j]:
                    safety[i, j] = share
    if found:
        return game.COUNT, -1, 1.0
    best = -1.0
    ties = np.empty(h * w, np.int64)
    count = 0
    for r in range(h):
        for c in range(w):
            if grid[r, c] != HIDDEN or verdict[r, c] != OPEN:
                safety[r, c] = np.nan
                continue
            share = 0.0 if np.isnan(safety[r, c]) else safety[r, c]
            if share > best:
                best = share
                count = 0
            if share == best:
                ties[count] = r * w + c
                count += 1
    if count == 0:
        return game.STOP, -1, 0.0
    cell = ties[game.draw(board, seed, count)]
    if best == 0.0:
        # No number touches any of them: all that is known is how many mines are left.
        hidden = 0
        left = mines
        for r in range(h):
            for c in range(w):
                hidden += grid[r, c] == HIDDEN
                left -= grid[r, c] == MINE
        if left == hidden:
            return game.STOP, -1, 0.0
        best = 1.0 - left / hidden
        for k in range(count):
            safety[ties[k] // w, ties[k] % w] = best
    return game.GUESS, cell, best


@kernel(apart=True)
def play_local(numbers: Bytes, mines: int, r: int, c: int, seed: int) -> tuple[int, Table]:
    """A whole game: how it ended, and its table."""
    table = game.lay(numbers, mines, r, c)
    safety = np.empty(numbers.shape, np.float64)
    end = standing(table)
    while end == ONGOING:
        kind, cell, share = decide_local(table.board, mines, seed, table.verdict, safety)
        end = advance(table, kind, cell, share)
    return end, table
