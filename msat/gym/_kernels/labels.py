"""Compiled: positions of careful play with their exact probabilities, one after the other.

The player opens a cell that is safe, or else one of those that are least likely mines; which of several is
drawn. So the answer that decides the next move is the label of the position at the same time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.arena.boards._kernels import seed_pcg
from msat.constants import HIDDEN, LAST_RULE, MINE
from msat.engines.counting._kernels.answer import ANSWERED, answer
from msat.gym._kernels.games import (
    GAME,
    HEIGHT,
    LEFT,
    MINES,
    OVER,
    PHASE,
    PLAYING,
    RUN,
    START,
    WIDTH,
    draw_below,
    draw_layout,
    reveal,
)

__all__ = ["label_positions"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

SAME_CHANCE = 1e-12
CHOICES = 0x9E3779B9  # what a run's seed is combined with for the stream of its choices


@kernel
def _begin(
    settings: Ints,
    state: Ints,
    board: Bytes,
    numbers: Bytes,
    mask: Bytes,
    choices: Words,
    scratch: Ints,
) -> None:
    """Draw a game and open its start, or a cell that is drawn."""
    height = settings[HEIGHT]
    width = settings[WIDTH]
    start = settings[START]
    seed_pcg(np.uint64(state[RUN] ^ CHOICES), np.uint64(state[GAME]), choices)
    if start < 0:
        start = draw_below(height * width, choices)
    draw_layout(numbers, settings, state[RUN], state[GAME], start, scratch)
    board[:] = HIDDEN
    state[LEFT] = height * width - settings[MINES]
    state[PHASE] = OVER
    if numbers[start] != MINE:
        state[LEFT] -= reveal(start, settings, numbers, board, mask, scratch)
        if state[LEFT]:
            state[PHASE] = PLAYING


@kernel
def _go_on(
    settings: Ints,
    state: Ints,
    board: Bytes,
    numbers: Bytes,
    mask: Bytes,
    probability: Floats,
    choices: Words,
    scratch: Ints,
) -> None:
    """Open one of the cells that are least likely mines."""
    least = 2.0
    for i in range(board.size):
        if board[i] == HIDDEN:
            least = min(least, probability[i])
    equal = 0
    for i in range(board.size):
        if board[i] == HIDDEN and probability[i] <= least + SAME_CHANCE:
            scratch[equal] = i
            equal += 1
    at = scratch[draw_below(equal, choices)]
    if numbers[at] == MINE:
        state[PHASE] = OVER
        return
    state[LEFT] -= reveal(at, settings, numbers, board, mask, scratch)
    if state[LEFT] == 0:
        state[PHASE] = OVER


@kernel(apart=True)
def label_positions(
    settings: Ints,
    state: Ints,
    board: Bytes,
    numbers: Bytes,
    choices: Words,
    first: int,
    labelled: bool,
    boards: Bytes,
    probability: Floats,
    verdict: Bytes,
    games: Ints,
    scratch: Ints,
    workspace: Ints,
) -> int:
    """Fill `boards`, `probability` and `games` from position `first` on.

    Returns how many there are now: all, or up to one that the fast path left open. The caller then writes its
    probabilities and calls again, with `labelled` and its number as `first`.
    """
    height = settings[HEIGHT]
    width = settings[WIDTH]
    mask = verdict.reshape(board.size)  # nobody asks which cells can be opened
    for k in range(first, boards.shape[0]):
        if not (labelled and k == first):
            while state[PHASE] == OVER:
                state[GAME] += 1
                _begin(settings, state, board, numbers, mask, choices, scratch)
            boards[k] = board.reshape(height, width)
            games[k] = state[GAME]
            status, _ = answer(
                boards[k], MINE, settings[MINES], LAST_RULE, probability[k], verdict, workspace
            )
            if status != ANSWERED:
                return k
        _go_on(settings, state, board, numbers, mask, probability[k].reshape(board.size), choices, scratch)
    return len(boards)
