"""Compiled: random numbers for samples, the same on every machine, one stream for each of them.

The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): a mixing
function of a counter and a key. The key is the seed; the counter holds the number of the layout and that of
the block of four words. So layout 7 of a seed is the same whether it is drawn alone, after six others or in
another process, and no two streams ever overlap. Its products of 32-bit words fit into 64 bits: nothing
overflows, also uncompiled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import leaf

__all__ = ["MASK", "STREAM", "WORD_BITS", "Stream", "below", "fill", "seek", "unit", "word"]

Ints = NDArray[np.int64]
Stream = NDArray[np.uint64]

# A stream is an array of so many entries: counter (block, 0, layout low, layout high), key (low, high), the
# block of four words, and how many of these are used.
STREAM = 11
BLOCK = 0
LAYOUT = 2
KEY = 4
WORDS = 6
USED = 10

WORD_BITS = 32
MASK = 0xFFFFFFFF

_MASK = np.uint64(MASK)
_HALF = np.uint64(WORD_BITS)
_ONE = np.uint64(1)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)


@leaf
def seek(stream: Stream, seed_low: int, seed_high: int, layout: int) -> None:
    """Put a stream at the beginning of a layout's numbers; the seed comes in two halves of 32 bits."""
    stream[BLOCK] = 0
    stream[BLOCK + 1] = 0
    stream[LAYOUT] = layout & MASK
    stream[LAYOUT + 1] = layout >> WORD_BITS
    stream[KEY] = seed_low
    stream[KEY + 1] = seed_high
    stream[USED] = 4


@leaf
def _mix(stream: Stream) -> None:
    """The block of four words that belongs to the counter; the counter goes on."""
    c0 = stream[BLOCK]
    c1 = stream[BLOCK + 1]
    c2 = stream[LAYOUT]
    c3 = stream[LAYOUT + 1]
    k0 = stream[KEY]
    k1 = stream[KEY + 1]
    for _ in range(10):
        a = _MULTIPLIER_0 * c0
        b = _MULTIPLIER_1 * c2
        c0 = (b >> _HALF) ^ c1 ^ k0
        c1 = b & _MASK
        c2 = (a >> _HALF) ^ c3 ^ k1
        c3 = a & _MASK
        k0 = (k0 + _WEYL_0) & _MASK
        k1 = (k1 + _WEYL_1) & _MASK
    stream[WORDS] = c0
    stream[WORDS + 1] = c1
    stream[WORDS + 2] = c2
    stream[WORDS + 3] = c3
    stream[USED] = 0
    # 2^32 blocks are beyond any layout: a board of a million cells takes some millions of words.
    stream[BLOCK] = (stream[BLOCK] + _ONE) & _MASK


@leaf
def word(stream: Stream) -> int:
    """The next 32 random bits, 0 to 2^32 − 1."""
    if stream[USED] == 4:
        _mix(stream)
    used = int(stream[USED])
    stream[USED] = used + 1
    return int(stream[WORDS + used])


@leaf
def fill(stream: Stream, words: Ints) -> None:
    """Random words for all of an array."""
    for i in range(words.size):
        words[i] = word(stream)


@leaf
def below(stream: Stream, bound: int) -> int:
    """A number below `bound` (1 to 2^31), each as likely: Lemire's multiplication with rejection."""
    product = word(stream) * bound
    if product & MASK < bound:
        least = (1 << WORD_BITS) % bound
        while product & MASK < least:
            product = word(stream) * bound
    return product >> WORD_BITS


@leaf
def unit(stream: Stream) -> float:
    """A double of 53 random bits, from 0 up to but not including 1."""
    high = word(stream) >> 5
    low = word(stream) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0
