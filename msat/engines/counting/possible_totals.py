"""Which mine totals the clues of a position allow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.constants import LAST_RULE, MINE
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED, prefilter
from msat.engines.counting.resumable import ImpossibleComponent, run_forward

__all__ = ["possible_totals"]


def possible_totals(array: NDArray[np.int8], budget: Budget = None, *, lowest: int = MINE) -> list[int]:
    """Every number of mines that some layout which agrees with the clues has; none if they contradict."""
    grid = np.empty_like(array)
    status, _, known = prefilter(array, lowest, LAST_RULE, grid)
    if status != ANSWERED:
        return []
    try:
        with Deadline.of(budget) as deadline:
            done = run_forward(grid, deadline)
    except ImpossibleComponent:
        return []
    possible = np.ones(1, bool)
    least = int(known)
    for component in done.components:
        least += component.low
        possible = np.convolve(possible, component.values > 0)
    possible = np.convolve(possible, np.ones(done.rest + 1, bool))
    return [least + int(extra) for extra in np.flatnonzero(possible)]
