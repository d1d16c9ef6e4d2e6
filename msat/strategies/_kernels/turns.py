"""Compiled: the turns of a game, which all players take alike: what the rules say first, then a decision.

A player's whole game is a loop of its decision kernel and `advance`, until that says how the game ended.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import MINE
from msat.engines.counting._kernels.answer import ANSWERED, prefilter
from msat.strategies._kernels import game
from msat.strategies._kernels.game import Table

__all__ = ["ONGOING", "advance", "by_rules", "standing"]

Bytes = NDArray[np.int8]

ONGOING = 3  # beside the ways in which a game ends: nothing has ended it yet


@kernel
def by_rules(board: Bytes, last_rule: int, grid: Bytes, verdict: Bytes) -> int:
    """What the rules make of a board: RULE if they prove a cell safe, STOP if not, UNANSWERED if they fail.

    `grid` gets the board with what they found, `verdict` what that says of hidden cells.
    """
    status, _, _ = prefilter(board, int(MINE), last_rule, grid)
    if status != ANSWERED:
        return game.UNANSWERED
    return game.RULE if game.adopt(board, grid, verdict) else game.STOP


@kernel
def standing(table: Table) -> int:
    """WON where nothing is left to open, else ONGOING."""
    return ONGOING if table.counts[game.LEFT] > 0 else game.WON


@kernel
def advance(table: Table, kind: int, cell: int, safety: float) -> int:
    """Carry a decision out; returns how the game stands then: ONGOING, or how it ended."""
    if kind == game.UNANSWERED:
        return game.UNANSWERED
    if kind == game.STOP:
        return game.STOPPED
    if not game.carry_out(table, kind, cell, safety):
        return game.LOST
    return standing(table)
