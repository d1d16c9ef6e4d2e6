"""Which layouts exchanges of mines lead to from which, found by comparing every two of them."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

__all__ = ["exchangeable", "families"]


def _steps(x: int, y: int, width: int) -> int:
    """The steps of a king from one cell to another."""
    return max(abs(x // width - y // width), abs(x % width - y % width))


def exchangeable(
    values: NDArray[np.int8], cells: NDArray[np.int64], width: int
) -> list[tuple[int, int, frozenset[int], frozenset[int]]]:
    """The pairs of layouts that an exchange turns into each other, and the cells between which mines move.

    By what `exchanges.py` says of them: one mine moves by up to two steps, or two by one step each, at most
    three apart; what is safe in both layouts shows the same; and at most three mines, which stay, would tell.
    """
    mined = [frozenset(cells[row < 0].tolist()) for row in values]
    found = []
    for i, j in combinations(range(len(values)), 2):
        a, b = sorted(mined[i] - mined[j]), sorted(mined[j] - mined[i])
        if len(a) == 1:
            close = _steps(a[0], b[0], width) <= 2
        elif len(a) == 2:
            first, second = min(a, b)  # on the side with the first cell
            apart = _steps(first, second, width)
            close = apart <= 3 and any(
                all(_steps(x, y, width) == 1 for x, y in zip(a, order, strict=True))
                for order in permutations(b)
            )
        else:
            close = False
        if not close or ((values[i] != values[j]) & (values[i] >= 0) & (values[j] >= 0)).any():
            continue
        witnesses = [
            x
            for x in mined[i] & mined[j]
            if sum(_steps(x, y, width) == 1 for y in a) != sum(_steps(x, y, width) == 1 for y in b)
        ]
        if len(witnesses) <= 3:
            found.append((i, j, frozenset(a), frozenset(b)))
    return found


def families(values: NDArray[np.int8], cells: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Per layout: the first one that exchanges lead to from there, over any number of others."""
    family = np.arange(len(values))
    for i, j, _, _ in exchangeable(values, cells, width):
        low, high = sorted((family[i], family[j]))
        family[family == high] = low
    return family
