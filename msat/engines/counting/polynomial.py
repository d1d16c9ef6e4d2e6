"""Polynomials with whole, non-negative coefficients of any size: products and exact quotients.

A component's polynomial counts its placements by mines beyond its least number; the polynomial of several
components is the product. Large boards have hundreds of components and coefficients of thousands of digits,
so long products are done by Kronecker substitution: all coefficients in one huge integer each, spaced so
that nothing overlaps, and Python's fast multiplication does the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

__all__ = ["Poly", "binomials", "dot", "product", "product_of_all", "product_tree", "quotient"]

Poly = list[int]
"""Coefficients, the one without extra mines first."""

# Below this many pairs of coefficients two loops are faster.
SHORT = 64


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
    packed = (_pack(a, size) * _pack(b, size)).to_bytes(size * length, "little")
    return [int.from_bytes(packed[i : i + size], "little") for i in range(0, size * length, size)]


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
    binomial = comb(cells, min(most, cells))
    for mines in range(min(most, cells), -1, -1):
        if len(result) == count:
            return result
        result.append(binomial)
        # From C(cells, mines) to C(cells, mines − 1): far cheaper than each binomial by itself.
        binomial = binomial * mines // (cells - mines + 1)
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
