"""Which mine totals the clues of a position allow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.constants import MINE
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting.bands import apply_rules
from msat.engines.counting.resumable import ImpossibleComponent, run_forward

__all__ = ["possible_totals"]


def possible_totals(array: NDArray[np.int8], budget: Budget = None, *, lowest: int = MINE) -> list[int]:
    """Every number of mines that some layout which agrees with the clues has; none if they contradict."""
    deadline = Deadline.of(budget)
    grid = np.empty_like(array)
    status, _, known = apply_rules(array, grid, deadline, lowest=lowest)
    if status != ANSWERED:
        return []
    try:
        with deadline:
            done = run_forward(grid, deadline)
    except ImpossibleComponent:
        return []
    possible = np.ones(1, bool)
    least = int(known)
    for component in done.components:
        deadline.check("the possible totals were not found")
        least += component.low
        possible = np.convolve(possible, component.values > 0)
    possible = np.convolve(possible, np.ones(done.rest + 1, bool))
    return [least + int(extra) for extra in np.flatnonzero(possible)]
