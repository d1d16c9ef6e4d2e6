"""Compiled: how good a layout is for a guess: the board after it is played on by `best`, to the end.

The player does not see the layout; it only meets its numbers. What can be known is not left to luck: a closed
pocket counts by its exact chance and is then opened as if it had been won, a guess counts by its exact safety
and is then safe, if need be by going on with another layout (`redraw.py`), and an endgame ends the game with
its exact chance. So the answer is a chance, not won or lost, with the same average: on expert boards the
difference of two guesses has a standard deviation of 12 points a layout, not 19 as it had where guesses could
fail, and 40 layouts tell as much as 100 did.
"""

from __future__ import annotations

from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, LAST_RULE, MINE
from msat.engines.counting._kernels.answer import PROVEN_MINE
from msat.strategies._kernels.game import BLIND, ENDGAME, LEFT, POCKET, STOPPED, WON, Table, lay, open_cell
from msat.strategies._kernels.safest import go_on_exact
from msat.strategies.best._kernels.components import Parts
from msat.strategies.best._kernels.decide import SearchLimits, decide_marked
from msat.strategies.best._kernels.evaluate import Ranked
from msat.strategies.best._kernels.redraw import MOST_DRAWS, redraw

__all__ = ["MINED", "NO_MOVE", "play_on"]

Bytes = NDArray[np.int8]

NO_MOVE = -1  # instead of a cell: the board is played on as it is

MINED = -1.0
"""What a layout says to a guess that hits a mine in it: how likely that is is known exactly."""


@kernel
def _open_component(table: Table, parts: Parts, cell: int) -> None:
    """Open and mark all of a cell's component as the layout has it."""
    h, w = table.board.shape
    box_of = parts.flat.box_of
    for x in range(h * w):
        if box_of[x] >= 0 and parts.component[box_of[x]] == parts.component[box_of[cell]]:
            r = x // w
            c = x % w
            if table.numbers[r, c] == MINE:
                table.board[r, c] = MINE
            elif table.board[r, c] == HIDDEN:
                table.counts[LEFT] -= open_cell(table.numbers, table.board, r, c, table.stack)


@kernel(apart=True, inside=True)
def _chance(table: Table, mines: int, limits: SearchLimits, ranked: Ranked, seed: int) -> float:
    """The chance to win the game on the table, whose layout may become another one, drawn by `seed`.

    0 where the game becomes too wide to count, or where no other layout can be drawn: that hardly happens.
    """
    h, w = table.board.shape
    probability = np.empty((h, w), np.float64)
    chance = 1.0
    while True:
        end = go_on_exact(table, mines, LAST_RULE, False, probability)
        if end == WON:
            return chance
        if end != STOPPED:
            return 0.0
        for r in range(h):
            for c in range(w):
                if table.verdict[r, c] == PROVEN_MINE:
                    table.board[r, c] = MINE
        kind, cell, won, _, layouts, parts = decide_marked(
            table.board, mines, probability, limits, ranked, -inf
        )
        if kind == ENDGAME:
            return chance * won
        if kind == POCKET:
            chance *= won
            _open_component(table, parts, cell)
            continue
        if kind == BLIND and layouts < inf:  # nothing lives: all layouts look alike to the end
            return chance * exp(-layouts)
        r = cell // w
        c = cell % w
        chance *= 1.0 - probability[r, c]
        if table.numbers[r, c] == MINE:
            if not redraw(table, mines, cell, seed):
                return 0.0
            seed += MOST_DRAWS
        table.counts[LEFT] -= open_cell(table.numbers, table.board, r, c, table.stack)


@kernel(apart=True)
def play_on(
    board: Bytes, mines: int, cell: int, layout: Bytes, limits: SearchLimits, ranked: Ranked, seed: int
) -> float:
    """The chance to win after `cell` on a layout (numbers, −2 at mines), or MINED.

    On `board` proven mines are best marked. `ranked` is room; layouts drawn on the way depend on `seed`.
    """
    h, w = board.shape
    if cell != NO_MOVE and layout[cell // w, cell % w] == MINE:
        return MINED
    table = lay(layout.copy(), mines, -1, -1)
    table.board[:] = board
    closed = 0
    for x in range(h * w):
        closed += board[x // w, x % w] < 0
    table.counts[LEFT] = closed - mines
    if cell != NO_MOVE:
        table.counts[LEFT] -= open_cell(layout, table.board, cell // w, cell % w, table.stack)
    return _chance(table, mines, limits, ranked, seed)
