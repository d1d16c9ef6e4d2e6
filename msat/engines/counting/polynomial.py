"""Polynomials with whole, non-negative coefficients of any size: products and exact quotients.

A component's polynomial counts its placements by mines beyond its least number; the polynomial of several
components is the product. Large boards have hundreds of components and coefficients of thousands of digits,
so long products are done by Kronecker substitution: all coefficients in one huge integer each, spaced so
that nothing overlaps, and Python's fast multiplication does the rest. No single step of it takes longer than
a tenth of a second: Ctrl-C and the clock come through only in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, isqrt

__all__ = [
    "Poly",
    "binomial",
    "binomials",
    "dot",
    "multiply",
    "product",
    "product_of_all",
    "product_tree",
    "quotient",
]

Poly = list[int]
"""Coefficients, the one without extra mines first."""

# Below this many pairs of coefficients two loops are faster.
SHORT = 64

PIECE = 1 << 20
"""Bits of the longest numbers that Python multiplies in one step: some hundredths of a second."""

MANY_CELLS = 20_000
"""Cells beyond which a binomial is put together from primes: Python takes seconds for a million of them."""


def product(a: Poly, b: Poly) -> Poly:
    """The product of two polynomials.

    >>> product([1, 2], [3, 4, 5])
    [3, 10, 13, 10]
    """
    length = len(a) + len(b) - 1
    if len(a) * len(b) <= SHORT:
        result = [0] * length
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                result[i + j] += x * y
        return result
    bits = max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()
    size = bits // 8 + 1
    packed = multiply(_pack(a, size), _pack(b, size)).to_bytes(size * length, "little")
    return [int.from_bytes(packed[i : i + size], "little") for i in range(0, size * length, size)]


def multiply(a: int, b: int) -> int:
    """The product of two numbers that are not negative: as Python multiplies long ones, but piece by piece.

    >>> multiply(3**1_000_000, 3**2_000_000) == 3**3_000_000
    True
    """
    a, b = (a, b) if a.bit_length() >= b.bit_length() else (b, a)
    if a.bit_length() <= PIECE:
        return a * b
    half = a.bit_length() // 2
    mask = (1 << half) - 1
    a_high, a_low = a >> half, a & mask
    if b.bit_length() <= half:
        return (multiply(a_high, b) << half) + multiply(a_low, b)
    b_high, b_low = b >> half, b & mask
    high, low = multiply(a_high, b_high), multiply(a_low, b_low)
    middle = multiply(a_high + a_low, b_high + b_low) - high - low
    return (high << (2 * half)) + (middle << half) + low


def binomial(cells: int, mines: int) -> int:
    """C(cells, mines).

    >>> from math import comb
    >>> binomial(30_000, 7_000) == comb(30_000, 7_000)
    True
    """
    if cells <= MANY_CELLS:
        return comb(cells, mines)
    # Kummer: a prime divides it as often as something is carried when mines and the rest are added.
    sieve = bytearray([1]) * (cells + 1)
    sieve[:2] = 0, 0
    for p in range(2, isqrt(cells) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, cells + 1, p)))
    factors = []
    p = sieve.find(1)
    while p >= 0:
        carries, power = 0, p
        while power <= cells:
            carries += cells // power - mines // power - (cells - mines) // power
            power *= p
        if carries:
            factors.append(p**carries)
        p = sieve.find(1, p + 1)
    while len(factors) > 1:
        factors = [multiply(*pair) for pair in zip(factors[::2], factors[1::2], strict=False)] + (
            factors[-1:] if len(factors) % 2 else []
        )
    return factors[0] if factors else 1


def product_of_all(factors: Sequence[Poly]) -> Poly:
    """The product of any number of polynomials, multiplied in pairs of like length."""
    return product_tree(factors)[-1][0]


def product_tree(factors: Sequence[Poly]) -> list[list[Poly]]:
    """The factors, the products of pairs of them, of pairs of these, … up to the product of all.

    >>> product_tree([[1, 1], [1, 2], [1, 3]])
    [[[1, 1], [1, 2], [1, 3]], [[1, 3, 2], [1, 3]], [[1, 6, 11, 6]]]
    """
    levels = [list(factors) or [[1]]]
    while len(levels[-1]) > 1:
        level = levels[-1]
        pairs = [product(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        levels.append(pairs + level[len(pairs) * 2 :])
    return levels


def quotient(whole: Poly, factor: Poly) -> Poly:
    """The polynomial that times `factor` is `whole`; it must exist, and factor[0] must not be zero.

    >>> quotient([3, 10, 13, 10], [1, 2])
    [3, 4, 5]
    """
    result: Poly = []
    for i in range(len(whole) - len(factor) + 1):
        rest = whole[i]
        for j in range(1, min(i + 1, len(factor))):
            rest -= factor[j] * result[i - j]
        result.append(rest // factor[0])
    return result


def binomials(cells: int, most: int, count: int) -> Poly:
    """C(cells, most), C(cells, most − 1), …, so many of them; 0 where the cells cannot hold so many mines.

    >>> binomials(4, 5, 4)
    [0, 1, 4, 6]
    """
    if cells < 0 or most < 0:
        return [0] * count
    result: Poly = [0] * min(max(0, most - cells), count)
    number = binomial(cells, min(most, cells))
    for mines in range(min(most, cells), -1, -1):
        if len(result) == count:
            return result
        result.append(number)
        # From C(cells, mines) to C(cells, mines − 1): far cheaper than each binomial by itself.
        number = number * mines // (cells - mines + 1)
    return result + [0] * (count - len(result))


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """The sum of the products of two rows, as far as the shorter goes.

    >>> dot([1, 2, 3], [10, 100])
    210
    """
    return sum(x * y for x, y in zip(a, b, strict=False) if x)


def _pack(poly: Poly, size: int) -> int:
    """The polynomial's value at 256^size."""
    return int.from_bytes(b"".join(x.to_bytes(size, "little") for x in poly), "little")
