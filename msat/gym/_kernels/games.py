"""Compiled: many games at a time, each one action further; what `msat.gym` steps.

Layouts are those of `Layout.random` (`msat/pcg.py` has the recipe), and moves do what they do in `msat.Game`:
tests compare. Boards are rows of cells here, one after the other; a game's numbers in `state`, what all games
share in `settings`, rewards in `prices`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.arena.boards._kernels import draw_pcg, seed_pcg
from msat.constants import HIDDEN, MINE

__all__ = ["begin_games", "draw_below", "draw_layout", "reveal", "sample_actions", "step_games"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]

# `settings`
HEIGHT = 0
WIDTH = 1
MINES = 2
START = 3  # the cell that every game begins with, or −1: the first cell that is opened
FIRST = 4  # what its first click may find: 0 anything, 1 no mine under it, 2 none around it either
SAME_STEP = 5  # whether the step that ends a game begins the next one, instead of the step after it
FLOOD = 6  # whether a 0 opens its neighbours as well
SETTINGS = 7

# `state`, per game
LEFT = 0  # safe cells that are hidden
PHASE = 1
RUN = 2  # the layout's seed is RUN · 2^32 + GAME
GAME = 3
STATE = 4

# Phases
BLANK = 0  # its layout is drawn when the first cell is opened
PLAYING = 1
OVER = 2

# Kinds of actions: what `kinds` lists
OPEN_CELL = 0
MARK_CELL = 1
CHORD_CELL = 2

# `prices`
WIN = 0
LOSS = 1
CELL = 2
USELESS = 3

# What came of an action, if not a number of cells revealed
EXPLODED = -1
NOTHING = -2

ROW = 1 << 16  # cells in a deck or on a stack are row · ROW + column: a division by the width takes longer

MOST_SKIPPED = 1000  # games in a row that the start alone wins


@kernel
def draw_below(bound: int, stream: Words) -> int:
    """A number below `bound` without bias, as `msat/pcg.py` draws it."""
    words: Any = np.uint64(bound)
    number = draw_pcg(stream)
    # What is refused is below 2^64 mod bound, hence below bound: that is seldom worth a division.
    while number < words and number < (np.uint64(0) - words) % words:
        number = draw_pcg(stream)
    found: Any = np.int64(number % words)
    return found  # type: ignore[no-any-return]


@leaf
def _around(r: int, c: int, height: int, width: int) -> tuple[int, int, int, int]:
    """The rows and columns of a cell and its neighbours: first and last + 1."""
    return max(r - 1, 0), min(r + 2, height), max(c - 1, 0), min(c + 2, width)


@kernel
def draw_layout(numbers: Bytes, settings: Ints, run: int, game: int, start: int, deck: Ints) -> None:
    """Fill `numbers` with the layout of a game whose first click is at `start`: −2 at mines."""
    height = settings[HEIGHT]
    width = settings[WIDTH]
    r0 = r1 = c0 = c1 = 0  # the protected cells, which are left out of the deck
    if settings[FIRST]:
        r = start // width
        c = start - r * width
        r0, r1, c0, c1 = _around(r, c, height, width) if settings[FIRST] == 2 else (r, r + 1, c, c + 1)
    free = 0
    for r in range(height):
        for c in range(width):
            deck[free] = r * ROW + c
            free += not (r0 <= r < r1 and c0 <= c < c1)
    numbers[:] = 0
    stream = np.empty(4, np.uint64)
    seed_pcg(np.uint64(run), np.uint64(game), stream)
    mines = settings[MINES]
    for k in range(mines):
        chosen = k + draw_below(free - k, stream)
        cell = deck[chosen]
        deck[chosen] = deck[k]
        deck[k] = cell
        r0, r1, c0, c1 = _around(cell // ROW, cell % ROW, height, width)
        for r in range(r0, r1):
            for i in range(r * width + c0, r * width + c1):
                numbers[i] += 1
    for k in range(mines):
        numbers[deck[k] // ROW * width + deck[k] % ROW] = MINE


@leaf
def reveal(at: int, settings: Ints, numbers: Bytes, board: Bytes, mask: Bytes, stack: Ints) -> int:
    """Open a safe cell and, if they flood, around every 0 its neighbours; returns how many that revealed.

    What is open can not be opened again: `mask` is 0 there.
    """
    if board[at] != HIDDEN:
        return 0
    board[at] = numbers[at]
    mask[at] = 0
    opened = 1
    if numbers[at] != 0 or not settings[FLOOD]:
        return opened
    height = settings[HEIGHT]
    width = settings[WIDTH]
    stack[0] = at // width * ROW + at % width
    top = 1
    while top:
        top -= 1
        r0, r1, c0, c1 = _around(stack[top] // ROW, stack[top] % ROW, height, width)
        for r in range(r0, r1):
            for c in range(c0, c1):
                i = r * width + c
                if board[i] == HIDDEN:
                    board[i] = numbers[i]
                    mask[i] = 0
                    opened += 1
                    if numbers[i] == 0:
                        stack[top] = r * ROW + c
                        top += 1
    return opened


@leaf
def _chord(
    at: int, settings: Ints, numbers: Bytes, board: Bytes, mask: Bytes, stack: Ints, carry_out: bool
) -> int:
    """Open all that is hidden around a number with as many marks; NOTHING where that is not allowed."""
    if board[at] < 0:
        return NOTHING
    width = settings[WIDTH]
    r0, r1, c0, c1 = _around(at // width, at % width, settings[HEIGHT], width)
    marked = 0
    hidden = 0
    mines = 0
    for r in range(r0, r1):
        for i in range(r * width + c0, r * width + c1):
            marked += board[i] == MINE
            hidden += board[i] == HIDDEN
            mines += board[i] == HIDDEN and numbers[i] == MINE
    if marked != board[at] or hidden == 0:
        return NOTHING
    if not carry_out:
        return 0
    if mines:
        return EXPLODED
    opened = 0
    for r in range(r0, r1):
        for i in range(r * width + c0, r * width + c1):
            opened += reveal(i, settings, numbers, board, mask, stack)
    return opened


@leaf
def _refresh(settings: Ints, kinds: Ints, board: Bytes, mask: Bytes, stack: Ints) -> None:
    """Write the mask of all kinds of actions."""
    area = settings[HEIGHT] * settings[WIDTH]
    for k in range(kinds.size):
        part = mask[k * area : (k + 1) * area]
        for i in range(area):
            if kinds[k] == OPEN_CELL:
                part[i] = board[i] == HIDDEN
            elif kinds[k] == MARK_CELL:
                part[i] = board[i] < 0
            else:
                part[i] = _chord(i, settings, board, board, part, stack, False) != NOTHING


@kernel
def _begin(
    settings: Ints, kinds: Ints, state: Ints, board: Bytes, numbers: Bytes, mask: Bytes, scratch: Ints
) -> None:
    """Begin the game whose number is in `state`, or the next one that the start alone does not win."""
    area = settings[HEIGHT] * settings[WIDTH]
    start = settings[START]
    for _ in range(MOST_SKIPPED):
        board[:] = HIDDEN
        mask[:area] = 1
        state[LEFT] = area - settings[MINES]
        state[PHASE] = BLANK
        if start < 0:
            break
        draw_layout(numbers, settings, state[RUN], state[GAME], start, scratch)
        state[PHASE] = PLAYING
        state[LEFT] -= reveal(start, settings, numbers, board, mask, scratch)
        if state[LEFT]:
            break
        state[GAME] = (state[GAME] + 1) & 0xFFFFFFFF
    if kinds.size > 1:
        _refresh(settings, kinds, board, mask, scratch)


@kernel(apart=True)
def begin_games(
    settings: Ints,
    kinds: Ints,
    states: Ints,
    boards: Bytes,
    numbers: Bytes,
    masks: Bytes,
    scratch: Ints,
) -> None:
    """Begin all games, each with the number in its state."""
    for i in range(boards.shape[0]):
        _begin(settings, kinds, states[i], boards[i], numbers[i], masks[i], scratch)


@kernel
def _act(
    action: int,
    settings: Ints,
    kinds: Ints,
    state: Ints,
    board: Bytes,
    numbers: Bytes,
    mask: Bytes,
    scratch: Ints,
) -> int:
    """Carry an action out; returns the number of cells revealed, EXPLODED or NOTHING."""
    area = settings[HEIGHT] * settings[WIDTH]
    kind = kinds[action // area]
    at = action % area
    if kind == MARK_CELL:
        if board[at] >= 0:
            return NOTHING
        board[at] = HIDDEN + MINE - board[at]
        return 0
    if kind == CHORD_CELL:
        return _chord(at, settings, numbers, board, mask, scratch, True)
    if board[at] != HIDDEN:
        return NOTHING
    if state[PHASE] == BLANK:
        draw_layout(numbers, settings, state[RUN], state[GAME], at, scratch)
        state[PHASE] = PLAYING
    if numbers[at] == MINE:
        return EXPLODED
    return reveal(at, settings, numbers, board, mask, scratch)


@kernel(apart=True)
def step_games(
    actions: Ints,
    settings: Ints,
    kinds: Ints,
    prices: NDArray[np.float64],
    states: Ints,
    boards: Bytes,
    numbers: Bytes,
    masks: Bytes,
    rewards: NDArray[np.float64],
    ended: NDArray[np.bool_],
    finals: Bytes,
    scratch: Ints,
) -> None:
    """One action in each game.

    A game that ends is begun anew in the same step, its last board kept in `finals`, or else in the next one,
    whose action is then not looked at.
    """
    for i in range(actions.size):
        state = states[i]
        board = boards[i]
        mask = masks[i]
        rewards[i] = 0.0
        ended[i] = False
        if state[PHASE] == OVER:
            state[GAME] = (state[GAME] + 1) & 0xFFFFFFFF
            _begin(settings, kinds, state, board, numbers[i], mask, scratch)
            continue
        found = _act(actions[i], settings, kinds, state, board, numbers[i], mask, scratch)
        if found == NOTHING:
            rewards[i] = prices[USELESS]
            continue
        if found == EXPLODED:
            rewards[i] = prices[LOSS]
        else:
            state[LEFT] -= found
            rewards[i] = prices[CELL] * found
            if state[LEFT] == 0:
                rewards[i] += prices[WIN]
            else:
                if kinds.size > 1:
                    _refresh(settings, kinds, board, mask, scratch)
                continue
        ended[i] = True
        state[PHASE] = OVER
        if settings[SAME_STEP]:
            finals[i] = board
            state[GAME] = (state[GAME] + 1) & 0xFFFFFFFF
            _begin(settings, kinds, state, board, numbers[i], mask, scratch)


@kernel(apart=True)
def sample_actions(masks: Bytes, stream: Words, actions: Ints) -> None:
    """One of the legal actions of each game, each as likely; 0 where there is none."""
    size = masks.shape[1]
    for i in range(actions.size):
        actions[i] = 0
        for _ in range(64):  # most cells are hidden most of the time
            at = draw_below(size, stream)
            if masks[i, at]:
                actions[i] = at
                break
        else:
            legal = 0
            for at in range(size):
                legal += masks[i, at]
            if legal:
                left = draw_below(legal, stream)
                for at in range(size):
                    if masks[i, at]:
                        if left == 0:
                            actions[i] = at
                            break
                        left -= 1
