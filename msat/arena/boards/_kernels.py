"""Compiled: the layouts of many games, bit for bit those of `Layout.random` and `Layout.kiss`.

The recipes are those of `msat/pcg.py` and `msat/kiss.py`. What numpy does in C is repeated here so that a
layout costs microseconds: the seeding of `PCG64` through `SeedSequence`, and PCG XSL-RR 128/64, whose 128-bit
state is kept in two words. All arithmetic wraps around at 2^64, as it is meant to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import MINE
from msat.problem._kernels.grid import window

__all__ = ["kiss_boards", "pcg_boards"]


Word = Any  # a np.uint64, which type checkers do not tell from other numbers in arithmetic
Words = NDArray[np.uint64]

# Numba makes a float of an unsigned and a signed operand: every constant beside a word must be a word.
W0, W1, W4, W6, W13, W16, W17, W32, W43, W58, W63, W64 = (
    np.uint64(n) for n in (0, 1, 4, 6, 13, 16, 17, 32, 43, 58, 63, 64)
)
LOW_HALF = np.uint64(0xFFFFFFFF)

# SeedSequence: the multipliers of its two hashes and of its mixing step.
INIT_A, MULT_A = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
INIT_B, MULT_B = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
MIX_L, MIX_R = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)

# PCG's 128-bit multiplier, high word first.
PCG_HIGH, PCG_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)

KISS_MULTIPLIER, KISS_STEP = np.uint64(6906969069), np.uint64(1234567)


@kernel
def hashed(value: Word, state: Words, multiplier: Word) -> Word:
    """One 32-bit hash; the hash constant in `state[0]` moves on."""
    value = (value ^ state[0]) & LOW_HALF
    state[0] = (state[0] * multiplier) & LOW_HALF
    value = (value * state[0]) & LOW_HALF
    return value ^ (value >> W16)


@kernel
def mixed(x: Word, y: Word) -> Word:
    """Two 32-bit words made one."""
    result = (MIX_L * x - MIX_R * y) & LOW_HALF
    return result ^ (result >> W16)


@kernel
def step(state: Words) -> None:
    """state := state · multiplier + increment, mod 2^128. `state` is (high, low, inc high, inc low)."""
    high, low = state[0], state[1]
    # The high word of low · PCG_LOW, by halves of 32 bits.
    a1, a0 = low >> W32, low & LOW_HALF
    b1, b0 = PCG_LOW >> W32, PCG_LOW & LOW_HALF
    middle = a1 * b0 + ((a0 * b0) >> W32)
    carry = (middle & LOW_HALF) + a0 * b1
    product = a1 * b1 + (middle >> W32) + (carry >> W32)
    new_low = low * PCG_LOW + state[3]
    overflow = W1 if new_low < state[3] else W0
    state[0] = product + high * PCG_LOW + low * PCG_HIGH + state[2] + overflow
    state[1] = new_low


@kernel
def seed_pcg(seed_high: Word, seed_low: Word, state: Words) -> None:
    """Put `state` where `PCG64(seed_high · 2^32 + seed_low)` begins; both are 32-bit words."""
    constant = np.empty(1, np.uint64)
    pool = np.zeros(4, np.uint64)
    constant[0] = INIT_A
    pool[0] = hashed(seed_low, constant, MULT_A)
    pool[1] = hashed(seed_high, constant, MULT_A)
    for i in range(2, 4):
        pool[i] = hashed(W0, constant, MULT_A)
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mixed(pool[target], hashed(pool[source], constant, MULT_A))
    words = np.empty(4, np.uint64)
    constant[0] = INIT_B
    for i in range(4):
        low = hashed(pool[(2 * i) % 4], constant, MULT_B)
        high = hashed(pool[(2 * i + 1) % 4], constant, MULT_B)
        words[i] = (high << W32) | low
    state[0] = W0
    state[1] = W0
    state[2] = (words[2] << W1) | (words[3] >> W63)
    state[3] = (words[3] << W1) | W1
    step(state)
    low = state[1] + words[1]
    overflow = W1 if low < words[1] else W0
    state[0] = state[0] + words[0] + overflow
    state[1] = low
    step(state)


@kernel
def draw_pcg(state: Words) -> Word:
    """The next raw 64-bit number."""
    step(state)
    value = state[0] ^ state[1]
    turn = state[0] >> W58
    return (value >> turn) | (value << ((W64 - turn) & W63))


@kernel
def draw_below(bound: Word, state: Words) -> Word:
    """A number below `bound`, without bias."""
    lowest = (W0 - bound) % bound  # 2^64 mod bound
    number = draw_pcg(state)
    while number < lowest:
        number = draw_pcg(state)
    return number % bound


@kernel
def draw_kiss(state: Words) -> Word:
    """The next number of the generator whose (x, c, y, z) `state` holds."""
    x, y = state[0], state[2]
    carried = (x << W58) + state[1]
    state[0] = x + carried
    state[1] = (x >> W6) + (W1 if state[0] < carried else W0)
    y ^= y << W13
    y ^= y >> W17
    y ^= y << W43
    state[2] = y
    state[3] = KISS_MULTIPLIER * state[3] + KISS_STEP
    return state[0] + y + state[3]


@kernel
def add_mine(numbers: NDArray[np.int8], r: int, c: int) -> None:
    """Put a mine on a cell and count it on the cells around that have none."""
    h, w = numbers.shape
    numbers[r, c] = MINE
    r0, r1, c0, c1 = window(r, c, h, w)
    for i in range(r0, r1):
        for j in range(c0, c1):
            if numbers[i, j] != MINE:
                numbers[i, j] += 1


@kernel(apart=True)
def pcg_boards(seed: int, first: int, mines: int, free: NDArray[np.int64], numbers: NDArray[np.int8]) -> None:
    """Fill `numbers` (games, h, w) with the layouts of seeds seed · 2^32 + first, + 1, …

    `free` lists the positions that may hold a mine, in ascending order.
    """
    games, _, w = numbers.shape
    state = np.empty(4, np.uint64)
    deck = np.empty_like(free)
    numbers[:] = 0
    for game in range(games):
        seed_pcg(np.uint64(seed), np.uint64(first + game), state)
        deck[:] = free
        for k in range(mines):
            chosen = k + np.int64(draw_below(np.uint64(len(deck) - k), state))
            position = deck[chosen]
            deck[chosen] = deck[k]
            add_mine(numbers[game], position // w, position % w)


@kernel(apart=True)
def kiss_boards(
    seed: Word, first: int, mines: int, protected: NDArray[np.bool_], numbers: NDArray[np.int8]
) -> None:
    """Fill `numbers` (games, h, w) with the layouts of one seed's stream after its `first` ones.

    Those are drawn and passed over: a stream has no short cut.
    """
    games, h, w = numbers.shape
    state = np.empty(4, np.uint64)
    state[0] = seed | np.uint64(1)
    state[1] = seed | np.uint64(2)
    state[2] = seed | np.uint64(4)
    state[3] = seed | np.uint64(8)
    board = np.empty((h, w), np.int8)
    for game in range(-first, games):
        board[:] = 0
        for _ in range(mines):
            while True:
                r: Any = np.int64(draw_kiss(state) % np.uint64(h))
                c: Any = np.int64(draw_kiss(state) % np.uint64(w))
                if board[r, c] != MINE and not protected[r, c]:
                    break
            add_mine(board, r, c)
        if game >= 0:
            numbers[game] = board
