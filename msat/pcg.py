"""msat's own random layouts: the same for the same seed, on every machine and in every version.

The recipe, precise enough to be repeated elsewhere bit for bit:

1. The numbers are the raw 64-bit outputs of numpy's `PCG64(seed)` (PCG XSL-RR 128/64, seeded through
   `SeedSequence(seed)`). numpy keeps this raw stream stable; its `Generator` methods it may change.
2. A number below `bound` is drawn without bias: take raw numbers until one is at least `2^64 mod bound`; the
   answer is that number mod `bound`.
3. `free` lists the positions (`row * width + column`) outside the protected area, in ascending order. For
   k = 0, 1, …, mines − 1: draw j below `len(free) − k`, exchange `free[k]` and `free[k + j]`; then `free[k]`
   is a mine.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

__all__ = ["random_mask"]


def _raw_numbers(seed: int, expected: int) -> Iterator[int]:
    from numpy.random import PCG64

    stream = PCG64(seed)
    # One call for as many as will almost surely be needed: a call for each would take ten times as long.
    first: list[int] = stream.random_raw(expected).tolist()
    return chain(first, iter(stream.random_raw, None))


def random_mask(size: int, mines: int, seed: int, protected: frozenset[int]) -> bytes:
    """A random mask (1 for a mine) over `size` cells; the caller makes sure that the mines fit."""
    free = list(range(size))
    for position in sorted(protected, reverse=True):
        del free[position]
    mask = bytearray(size)
    numbers = _raw_numbers(seed, mines)
    bound = len(free)
    for k in range(mines):
        number = next(numbers)
        while number < bound and number < (1 << 64) % bound:  # which is below the bound itself
            number = next(numbers)
        chosen = k + number % bound
        bound -= 1
        position = free[chosen]
        free[chosen] = free[k]  # what stands before k is not looked at again
        mask[position] = 1
    return bytes(mask)
