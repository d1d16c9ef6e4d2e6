"""Compiled: the decisions of `chain` (document 002).

The document lists all answers of each set of equations; here they are counted (`sequences.py`), which gives
the same numbers. What differs between the readings of its last steps is only how often an answer counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE, SAME_RISK
from msat.engines.counting._kernels.answer import OPEN, PROVEN_MINE, PROVEN_SAFE, verdict_of
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.counting._kernels.combine import combine
from msat.problem._kernels.boxes import build
from msat.problem._kernels.grid import window
from msat.problem._kernels.workspace import new_workspace
from msat.strategies._kernels import game
from msat.strategies._kernels.game import Table
from msat.strategies._kernels.sequences import Survey, answer_cells, highest, joined, survey
from msat.strategies._kernels.turns import ONGOING, advance, by_rules, standing

__all__ = ["decide_chain", "play_chain"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

SIMPLE = 2  # the document's simple solver: rules 1 and 2


@kernel
def _by_mines(found: Survey) -> tuple[bool, Floats, float, int]:
    """An answer counts once for every way that everything else has to hold the mines it leaves.

    Returns whether there is any layout, the weights, P(mine) of an unseen cell, and what that can be.
    """
    lists, span = found.ways.shape
    weight = np.zeros(lists * span, np.float64)
    if not 0 <= found.left <= found.flat.unknown:
        return False, weight.reshape((lists, span)), 0.0, 0
    at = np.arange(lists + 1) * span
    ways = found.ways.ravel()
    workspace = new_workspace(0)
    mass, risk, can, _ = combine(
        ways, at, found.low, found.free, found.flat.unknown, found.left, 0.0, weight, workspace
    )
    return mass > 0.0, weight.reshape((lists, span)), risk, can


@kernel
def _equally(found: Survey) -> tuple[bool, Floats, float, int]:
    """Every combination of answers that the mines left allow counts once; returns the same.

    An unseen cell is judged by the worst case: the front holds as few mines as it can.
    """
    lists, span = found.ways.shape
    weight = np.ones((lists, span), np.float64)
    left = found.left
    least = 0
    most = 0
    for i in range(lists):
        least += found.low[i]
        most += highest(found.ways[i], found.low[i], found.low[i] + span)
    if least > left or most + found.free < left:
        return False, weight, 0.0, 0
    if most > left or least + found.free < left:
        # Unseen cells hold any number of mines up to their own, in one way each.
        unseen = np.zeros(left + 1, np.float64)
        unseen[: min(found.free, left) + 1] = 1.0
        for i in range(lists):
            others = joined(unseen, found.ways, found.low, i)
            for t in range(span):
                rest = left - found.low[i] - t
                weight[i, t] = others[rest] if rest >= 0 else 0.0
        unseen[1:] = 0.0
        together = joined(unseen, found.ways, found.low, -1)
        most = left
        least = max(0, left - found.free)
        while most >= least and together[most] == 0.0:
            most -= 1
        if most < least:
            return False, weight, 0.0, 0
        while together[least] == 0.0:
            least += 1
    can = 0
    if least < left:
        can |= CAN_BE_MINE
    if left - most < found.free:
        can |= CAN_BE_SAFE
    return True, weight, (left - least) / max(found.free, 1), can


@kernel
def _unseen_cell(board: Bytes, box_of: Ints) -> int:
    """A free corner, else the first cell, by columns, beside the front, else the first at all; −1 if none."""
    h, w = board.shape
    for corner in range(4):
        cell = int((corner // 2) * (h - 1) * w + (corner % 2) * (w - 1))
        if board[cell // w, cell % w] == HIDDEN and box_of[cell] < 0:
            return cell
    first = -1
    for c in range(w):
        for r in range(h):
            if board[r, c] != HIDDEN or box_of[r * w + c] >= 0:
                continue
            cell = int(r * w + c)
            if first < 0:
                first = cell
            r0, r1, c0, c1 = window(r, c, h, w)
            for i in range(r0, r1):
                for j in range(c0, c1):
                    if box_of[i * w + j] >= 0:
                        return cell
    return first


@kernel
def _front_cell(probability: Floats) -> int:
    """The cell of the front with the lowest mine chance, the first by columns; −1 if there is no front."""
    h, w = probability.shape
    best = -1
    for c in range(w):
        for r in range(h):
            p = probability[r, c]
            if not np.isnan(p) and (best < 0 or p < probability[best // w, best % w] - SAME_RISK):
                best = r * w + c
    return best


@kernel
def _give_up(board: Bytes, grid: Bytes, mines: int, seed: int) -> tuple[int, int, float]:
    """The guess of a player who has no answers: an unseen cell, or any hidden one, drawn by chance."""
    flat = build(grid)
    hidden = np.flatnonzero(grid.ravel() == HIDDEN)
    if hidden.size == 0:
        return game.STOP, -1, 0.0
    cell = _unseen_cell(grid, flat.box_of)
    if cell < 0:
        cell = hidden[game.draw(board, seed, hidden.size)]
    left = mines - np.sum(grid == MINE)
    return game.GUESS, cell, 1.0 - left / hidden.size


@kernel(apart=True)
def decide_chain(
    board: Bytes, mines: int, seed: int, limit: float, by_mines: bool, verdict: Bytes, probability: Floats
) -> tuple[int, int, float]:
    """What `chain` does on a board: (kind, cell, safety); `verdict` and the front's `probability` filled.

    An equation set with more than `limit` answers is given up; with a limit of 0 none is even begun.
    `by_mines` says how often an answer counts.
    """
    h, w = board.shape
    grid = np.empty((h, w), np.int8)
    probability[:] = np.nan
    kind = by_rules(board, int(SIMPLE), grid, verdict)
    if kind != game.STOP:
        return kind, -1, 1.0
    if limit < 1.0:
        return _give_up(board, grid, mines, seed)
    found = survey(grid, mines)
    if not found.fits:
        return game.UNANSWERED, -1, 0.0
    for i in range(found.low.size):
        if np.sum(found.ways[i]) > limit:
            return _give_up(board, grid, mines, seed)

    fits, weight, risk, can = _by_mines(found) if by_mines else _equally(found)
    if not fits:
        return game.UNANSWERED, -1, 0.0
    answer_cells(found, weight, probability, verdict)
    safe = False
    for r in range(h):
        for c in range(w):
            if board[r, c] == HIDDEN and found.flat.box_of[r * w + c] < 0:
                verdict[r, c] = PROVEN_MINE if grid[r, c] == MINE else verdict_of(can)
            safe |= verdict[r, c] == PROVEN_SAFE
    if safe:
        return game.COUNT, -1, 1.0
    front = _front_cell(probability)
    lowest = 1.0 if front < 0 else probability[front // w, front % w]
    if found.free > 0 and verdict_of(can) == OPEN and risk < lowest - SAME_RISK:
        return game.UNSEEN, _unseen_cell(grid, found.flat.box_of), 1.0 - risk
    if front < 0 or lowest == 1.0:
        return game.STOP, -1, 0.0
    return game.FRONT, front, 1.0 - lowest


@kernel(apart=True)
def play_chain(
    numbers: Bytes, mines: int, r: int, c: int, seed: int, limit: float, by_mines: bool
) -> tuple[int, Table]:
    """A whole game: how it ended, and its table."""
    table = game.lay(numbers, mines, r, c)
    probability = np.empty(numbers.shape, np.float64)
    end = standing(table)
    while end == ONGOING:
        kind, cell, safety = decide_chain(
            table.board, mines, seed, limit, by_mines, table.verdict, probability
        )
        end = advance(table, kind, cell, safety)
    return end, table
