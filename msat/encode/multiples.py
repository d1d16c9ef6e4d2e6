"""Weights for model counters that have none: an assignment counted so many times.

The order encoding of a box (see `cnf.py`) has one model for each number of mines, where a board has as many
layouts as there are ways to place them. A number in binary that has to stay below the number of ways makes up
for that: its value tells one way from another.
"""

from __future__ import annotations

from collections.abc import Sequence

from msat.encode.cardinality import Group

__all__ = ["multiply"]


def multiply(group: Group, ways: Sequence[int], top: int) -> tuple[list[list[int]], int]:
    """Clauses by which every number n of true literals in a group is counted ways[n] times.

    Auxiliary variables are numbered from `top` + 1; the highest is returned with the clauses.

    >>> multiply((1, 2), [1, 2, 0], top=2)
    ([[1, -3], [-2]], 3)
    """
    digits = max(0, max(ways) - 1).bit_length()
    number = range(top + digits, top, -1)  # the highest digit first
    clauses = []
    for n, times in enumerate(ways):
        unless = [-literal for literal in group[n - 1 : n]] if n else []
        unless += group[n : n + 1]
        if times == 0:
            clauses.append(unless)
        else:
            clauses += _at_most(number, times - 1, unless)
    return clauses, top + digits


def _at_most(number: Sequence[int], bound: int, unless: list[int]) -> list[list[int]]:
    """Unless one of some literals is true, a number in binary, highest digit first, is at most a bound."""
    clauses = []
    equal_so_far: list[int] = []
    for place, digit in zip(reversed(range(len(number))), number, strict=True):
        if bound >> place & 1:
            equal_so_far.append(-digit)
        else:
            clauses.append([*unless, *equal_so_far, -digit])
    return clauses
