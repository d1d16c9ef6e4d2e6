"""A sum in binary: how many of many literals are true, by a network of adders.

Of all encodings of a large sum this is the smallest: at most fourteen clauses and two variables a literal,
where a totalizer takes as many as the literals times the bound. The price is that a solver sees less at once;
so small sums, and those that an engine asks about again and again, are written otherwise (`cardinality`).
Every auxiliary variable is determined by the literals: what is counted by models stays the same.

The network is Warners' (1998), made of full and half adders, each of which takes literals of equal weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["binary_sum", "bounded"]

Clause = list[int]


def binary_sum(literals: Sequence[int], clauses: list[Clause], top: int) -> tuple[list[int], int]:
    """Add clauses that make a number of how many literals are true: its digits, the lowest first.

    Auxiliary variables are numbered from `top` + 1; the highest is returned with the digits.

    >>> clauses: list[list[int]] = []
    >>> binary_sum([1, 2, 3], clauses, top=3), len(clauses)
    (([4, 5], 5), 14)
    """
    digits = []
    column = list(literals)
    while column:
        carries = []
        while len(column) > 1:
            # The oldest first: so the network is as shallow as it can be.
            column, taken = _rest(column)
            done = []
            for group in taken:
                top += 2
                clauses += _added(group, top - 1, top)
                done.append(top - 1)
                carries.append(top)
            column = done + column
        digits.append(column[0])
        column = carries
    return digits, top


def _rest(column: list[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """A column in threes, and what is left of it; a last pair is taken only if nothing else is."""
    if len(column) == 2:
        return [], [(column[0], column[1])]
    end = len(column) - len(column) % 3
    return column[end:], [(column[i], column[i + 1], column[i + 2]) for i in range(0, end, 3)]


def _added(literals: tuple[int, ...], digit: int, carry: int) -> list[Clause]:
    """Two or three literals added: a half or a full adder."""
    a, b, *third = literals
    if not third:
        return [
            *([a, b, -digit], [-a, -b, -digit], [-a, b, digit], [a, -b, digit]),
            *([-a, -b, carry], [a, -carry], [b, -carry]),
        ]
    c = third[0]
    return [
        *([a, b, c, -digit], [a, -b, -c, -digit], [-a, b, -c, -digit], [-a, -b, c, -digit]),
        *([-a, -b, -c, digit], [-a, b, c, digit], [a, -b, c, digit], [a, b, -c, digit]),
        *([-a, -b, carry], [-a, -c, carry], [-b, -c, carry]),
        *([a, b, -carry], [a, c, -carry], [b, c, -carry]),
    ]


def bounded(digits: Sequence[int], low: int, high: int, unless: Sequence[int]) -> Iterator[Clause]:
    """Clauses by which a number in binary lies between two bounds, unless one of some literals is true.

    >>> list(bounded([4, 5], 1, 2, unless=[-9]))
    [[-9, -5, -4], [-9, 5, 4]]
    """
    if high < 0 or low >= 1 << len(digits) or low > high:
        yield [*unless]
        return
    places = range(len(digits) - 1, -1, -1)
    so_far: list[int] = []
    for place in places:  # at most `high`
        if high >> len(digits):
            break
        if high >> place & 1:
            so_far.append(-digits[place])
        else:
            yield [*unless, *so_far, -digits[place]]
    so_far = []
    for place in places:  # at least `low`
        if low <= 0:
            break
        if low >> place & 1:
            yield [*unless, *so_far, digits[place]]
        else:
            so_far.append(digits[place])
