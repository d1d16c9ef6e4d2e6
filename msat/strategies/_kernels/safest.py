"""Compiled: the decisions of `logic` and `safest`, both on exact answers.

The rules go first: they cost a fraction of a count and usually find something. Only where they do not, the
position is counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE, SAME_RISK
from msat.engines.counting._kernels.answer import ANSWERED, OPEN, PROVEN_MINE, PROVEN_SAFE, answer, prefilter
from msat.problem._kernels.grid import window
from msat.problem._kernels.workspace import new_workspace
from msat.strategies._kernels.game import (
    COUNT,
    GUESS,
    LEFT,
    LOST,
    RULE,
    STOP,
    STOPPED,
    UNANSWERED,
    WON,
    Table,
    adopt,
    carry_out,
)

__all__ = ["decide_exact", "go_on_exact"]

Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

ALIVE = 1000  # the merit of a cell that can teach something …
DEAD = 500  # … and of one whose neighbours are all known


@kernel
def _safest_cell(board: Bytes, probability: Floats, verdict: Bytes) -> int:
    """The least risky cell, or −1 if all are proven mines; `msat/strategies/safest.py` tells the ties."""
    h, w = board.shape
    lowest = 2.0
    for r in range(h):
        for c in range(w):
            if board[r, c] == HIDDEN and verdict[r, c] != PROVEN_MINE:
                lowest = min(lowest, probability[r, c])
    best = -1
    best_merit = 0
    for r in range(h):
        for c in range(w):
            if (
                board[r, c] != HIDDEN
                or verdict[r, c] == PROVEN_MINE
                or probability[r, c] > lowest + SAME_RISK
            ):
                continue
            unsure = 0
            clues = 0
            r0, r1, c0, c1 = window(r, c, h, w)
            for i in range(r0, r1):
                for j in range(c0, c1):
                    if board[i, j] >= 0:
                        clues += 1
                    elif board[i, j] == HIDDEN and (i != r or j != c):
                        unsure += verdict[i, j] == OPEN
            merit = (ALIVE if unsure > 0 else DEAD) + 10 * clues - unsure
            if merit > best_merit:
                best = r * w + c
                best_merit = merit
    return best


@kernel(apart=True)
def decide_exact(
    board: Bytes, mines: int, last_rule: int, guess: bool, probability: Floats, verdict: Bytes
) -> tuple[int, int, float]:
    """What `logic` or, with `guess`, `safest` does: (kind, cell, safety); `verdict` is filled.

    `probability` is filled where the position was counted: unless the kind is RULE.
    """
    h, w = board.shape
    grid = np.empty((h, w), np.int8)
    status, _, _ = prefilter(board, int(MINE), last_rule, grid)
    if status != ANSWERED:
        return UNANSWERED, -1, 0.0
    if adopt(board, grid, verdict):
        return RULE, -1, 1.0
    status, _ = answer(board, int(MINE), mines, last_rule, probability, verdict, new_workspace(0))
    if status != ANSWERED:
        return UNANSWERED, -1, 0.0
    for r in range(h):
        for c in range(w):
            if verdict[r, c] == PROVEN_SAFE:
                return COUNT, -1, 1.0
    if not guess:
        return STOP, -1, 0.0
    cell = _safest_cell(board, probability, verdict)
    if cell < 0:
        return STOP, -1, 0.0
    return GUESS, cell, 1.0 - probability[cell // w, cell % w]


@kernel(apart=True)
def go_on_exact(table: Table, mines: int, last_rule: int, guess: bool, probability: Floats) -> int:
    """Play on to the end of the game, or, without `guess`, to where one is needed; how that ended.

    Where a guess is needed (STOPPED), `probability` and the table's verdicts are those of the position.
    """
    while table.counts[LEFT] > 0:
        kind, cell, safety = decide_exact(table.board, mines, last_rule, guess, probability, table.verdict)
        if kind == UNANSWERED:
            return UNANSWERED
        if kind == STOP:
            return STOPPED
        if not carry_out(table, kind, cell, safety):
            return LOST
    return WON
