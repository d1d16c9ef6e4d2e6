"""Which marks make a board impossible. A mark is an opinion: it is suspected before any number is.

If the numbers alone contradict each other, no mark is to blame. Otherwise one is that no layout has or, where
every mark is possible by itself, a minimal set of them that is not possible together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from msat.cells import Cell
from msat.constants import HIDDEN, MINE
from msat.deadline import Budget
from msat.engines.counting._kernels.answer import ANSWERED, PROVEN_SAFE
from msat.errors import BudgetExceeded

__all__ = ["blamed_marks"]


def blamed_marks(
    array: NDArray[np.int8], mines: int, budget: Budget
) -> tuple[NDArray[np.int8], list[Cell], bool]:
    """An impossible position in which all marks but those to blame are hidden, the marks to blame, and
    whether there was time to find out.

    >>> array, marks, found_out = blamed_marks(np.array([[-2, -2, -1], [1, 1, 1]], np.int8), 1, None)
    >>> array.tolist(), marks, found_out
    ([[-2, -1, -1], [1, 1, 1]], [(0, 0)], True)
    """
    # Here, since the engine asks for contradictions itself.
    from msat.engines.counting.engine import count_array

    marks: list[Cell] = [(r, c) for r, c in np.argwhere(array == MINE).tolist()]
    if not marks:
        return array, [], True

    def with_marks(kept: Sequence[Cell]) -> NDArray[np.int8]:
        position = np.where(array == MINE, np.int8(HIDDEN), array)
        for cell in kept:
            position[cell] = MINE
        return position

    def impossible(kept: Sequence[Cell]) -> bool:
        return count_array(with_marks(kept), mines, budget).status != ANSWERED

    try:
        alone = count_array(with_marks([]), mines, budget)
        if alone.status != ANSWERED:
            return with_marks([]), [], True
        wrong = [cell for cell in marks if alone.verdict[cell] == PROVEN_SAFE]
        blamed = wrong[:1]
        # As long as those found do not suffice, the shortest list of others that does ends with one more.
        while not blamed or not impossible(blamed):
            low, high = 1, len(marks)
            while low < high:
                middle = (low + high) // 2
                if impossible([*blamed, *marks[:middle]]):
                    high = middle
                else:
                    low = middle + 1
            blamed.append(marks[low - 1])
            del marks[low - 1 :]
    except BudgetExceeded:  # too wide, or too late: all of them are taken for granted
        return array, [], False
    return with_marks(blamed), sorted(blamed), True
