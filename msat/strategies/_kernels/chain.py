"""Compiled: the decisions of `chain` (document 002).

The document lists all answers of each set of equations; here they are counted (`sequences.py`), which gives
the same numbers. Where the mines left restrict the answers, every combination of answers that they allow
counts once, however many ways the unseen cells have to hold what remains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines._kernels.answer import ANSWERED, PROVEN_MINE, PROVEN_SAFE, prefilter
from msat.strategies._kernels.game import (
    COUNT,
    FRONT,
    HIDDEN,
    LEFT,
    LOST,
    MINE,
    RULE,
    STOP,
    STOPPED,
    UNANSWERED,
    UNSEEN,
    WON,
    Table,
    adopt,
    carry_out,
    draw,
    lay,
)
from msat.strategies._kernels.sequences import Survey, answer_cells, highest, joined, survey

__all__ = ["decide_chain", "play_chain"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

SIMPLE = 2  # the document's simple solver: rules 1 and 2


@kernel
def _weights(found: Survey) -> tuple[Floats, int, int]:
    """How often an answer of each equation set counts; the fewest and the most mines of all sets together."""
    lists, span = found.ways.shape
    weight = np.ones((lists, span), np.float64)
    least = 0
    most = 0
    for i in range(lists):
        least += found.low[i]
        most += highest(found.ways[i], found.low[i], found.low[i] + span)
    if most < found.left:
        return weight, least, most
    # Unseen cells hold any number of mines up to their own, in one way each.
    unseen = np.zeros(found.left + 1, np.float64)
    unseen[: min(found.free, found.left) + 1] = 1.0
    for i in range(lists):
        others = joined(unseen, found.ways, found.low, i)
        for t in range(span):
            rest = found.left - found.low[i] - t
            weight[i, t] = others[rest] if rest >= 0 else 0.0
    nothing = np.zeros(found.left + 1, np.float64)
    nothing[0] = 1.0
    together = joined(nothing, found.ways, found.low, -1)
    most = found.left
    while together[most] == 0.0:
        most -= 1
    least = max(0, found.left - found.free)
    while together[least] == 0.0:
        least += 1
    return weight, least, most


@kernel
def _unseen_cell(board: Bytes, box_of: Ints) -> int:
    """A free corner, else the first cell, by columns, beside the front, else the first at all."""
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
            for i in range(max(r - 1, 0), min(r + 2, h)):
                for j in range(max(c - 1, 0), min(c + 2, w)):
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
            if not np.isnan(p) and (best < 0 or p < probability[best // w, best % w]):
                best = r * w + c
    return best


@kernel
def decide_chain(
    board: Bytes, mines: int, seed: int, limit: float, estimate: float, verdict: Bytes, probability: Floats
) -> tuple[int, int, float]:
    """What `chain` does on a board: (kind, cell, safety); `verdict` and, where counted, `probability` filled.

    An equation set with more than `limit` answers is given up. `estimate` says where between the fewest and
    the most the mines of the front are taken to be when it is compared with the unseen cells.
    """
    h, w = board.shape
    grid = np.empty((h, w), np.int8)
    status, _, _ = prefilter(board, int(MINE), int(SIMPLE), grid)
    if status != ANSWERED:
        return UNANSWERED, -1, 0.0
    if adopt(board, grid, verdict):
        return RULE, -1, 1.0
    found = survey(grid, mines)
    if not found.fits:
        return UNANSWERED, -1, 0.0
    probability[:] = np.nan
    given_up = False
    for i in range(found.low.size):
        given_up |= np.sum(found.ways[i]) > limit
    if given_up:
        cell = _unseen_cell(grid, found.flat.box_of)
        if cell < 0:
            hidden = np.flatnonzero(grid.ravel() == HIDDEN)
            cell = hidden[draw(board, seed, hidden.size)]
        return UNSEEN, cell, 1.0 - found.left / found.flat.unknown

    weight, least, most = _weights(found)
    answer_cells(found, weight, probability, verdict)
    safe = False
    unseen_safe = found.free > 0 and least == found.left
    unseen_mined = found.free > 0 and found.left - most == found.free
    for r in range(h):
        for c in range(w):
            if board[r, c] == HIDDEN and found.flat.box_of[r * w + c] < 0:
                if grid[r, c] == MINE or unseen_mined:
                    verdict[r, c] = PROVEN_MINE
                elif unseen_safe:
                    verdict[r, c] = PROVEN_SAFE
            safe |= verdict[r, c] == PROVEN_SAFE
    if safe:
        return COUNT, -1, 1.0
    front = _front_cell(probability)
    lowest = 2.0 if front < 0 else probability[front // w, front % w]
    if found.free > 0:
        held = least + estimate * (most - least)
        risk = min(1.0, max(0.0, (found.left - held) / found.free))
        if risk < lowest:
            return UNSEEN, _unseen_cell(grid, found.flat.box_of), 1.0 - risk
    if front < 0 or lowest == 1.0:
        return STOP, -1, 0.0
    return FRONT, front, 1.0 - lowest


@kernel
def play_chain(
    numbers: Bytes, mines: int, r: int, c: int, seed: int, limit: float, estimate: float
) -> tuple[int, Table]:
    """A whole game: how it ended, and its table."""
    table = lay(numbers, mines, r, c)
    probability = np.empty(numbers.shape, np.float64)
    while table.counts[LEFT] > 0:
        kind, cell, safety = decide_chain(
            table.board, mines, seed, limit, estimate, table.verdict, probability
        )
        if kind == UNANSWERED:
            return UNANSWERED, table
        if kind == STOP:
            return STOPPED, table
        if not carry_out(table, kind, cell, safety):
            return LOST, table
    return WON, table
