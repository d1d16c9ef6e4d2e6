"""What every hidden cell may show: the chance of each number, for all cells at once, and which are possible.

The forward passes are those of the counting engine; `_kernels/around.py` counts the mines around each cell
along them, and `_kernels/shown.py` puts components, rest and total together. Positions whose numbers are too
far apart for doubles are counted exactly, number by number.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.constants import HIDDEN, Cell
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.around import NUMBERS, complete_states, count_around, touched_components
from msat.engines.counting._kernels.combine import LEAST_MASS
from msat.engines.counting._kernels.shown import Around, Whole, chances_of_numbers, weigh
from msat.engines.counting.bands import apply_rules
from msat.engines.counting.engine import MOST_DRIFT, MOST_TILT, MOST_TILTS
from msat.engines.counting.exact import ExactCount
from msat.engines.counting.resumable import (
    SLICE,
    ComponentPass,
    ImpossibleComponent,
    Pass,
    check_time,
    run_forward,
)

__all__ = ["NUMBERS", "Numbers", "exact_numbers", "numbers_of_cells"]


class Numbers(NamedTuple):
    """Per cell and number: the chance that the cell is safe and shows it, and whether that is possible."""

    chance: NDArray[np.float64]
    possible: NDArray[np.bool_]


def exact_numbers(array: NDArray[np.int8], mines: int, cell: Cell, budget: Budget = None) -> list[int]:
    """In how many layouts a hidden cell is safe and shows 0, 1, … 8."""
    deadline = Deadline.of(budget)
    opened = array.copy()
    found = []
    for number in range(NUMBERS):
        opened[cell] = number
        found.append(_solutions(opened, mines, deadline))
    return found


def _solutions(array: NDArray[np.int8], mines: int, deadline: Deadline) -> int:
    """The number of layouts; 0 where the clues contradict each other."""
    try:
        return ExactCount(array, mines, deadline).solutions
    except (ValueError, ImpossibleComponent):
        return 0


def numbers_of_cells(
    array: NDArray[np.int8], mines: int, probability: NDArray[np.float64], budget: Budget = None
) -> Numbers:
    """The numbers of every hidden cell of a board that some layout agrees with.

    `probability` is that of a mine in every cell, as the engine found it: only the shares of the numbers are
    counted here. Cells that are no mine for certain have chances that add up to their safety; all others, and
    open ones, have none.
    """
    grid = np.empty_like(array)
    with Deadline.of(budget) as deadline:
        _, _, known = apply_rules(array, grid, deadline)
        done, whole = _balanced(grid, mines - int(known), deadline)
        if whole is None:
            return _in_fractions(array, mines, deadline)
        around = _around(array, grid, done, deadline)
        safety = np.where(array == HIDDEN, 1.0 - probability, 0.0).ravel()
        numbers = Numbers(np.zeros((array.size, NUMBERS)), np.zeros((array.size, NUMBERS), np.bool_))
        at = 0
        while at < array.size:
            at = chances_of_numbers(
                whole, around, done.flat.box_of, grid, safety, at, SLICE, numbers.chance, numbers.possible
            )
            check_time(deadline, 0)
    shape = (*array.shape, NUMBERS)
    return Numbers(numbers.chance.reshape(shape), numbers.possible.reshape(shape))


def _balanced(grid: NDArray[np.int8], mines: int, deadline: Deadline) -> tuple[Pass, Whole | None]:
    """The forward passes and what they weigh, tilted to the total; None where doubles do not hold that."""
    tilt = 0.0
    for _ in range(MOST_TILTS):
        done = run_forward(grid, deadline, tilt)
        whole, mass = _weigh(done, mines)
        drift = abs(whole.tilt - tilt) * max((c.values.size for c in done.components), default=0)
        if drift <= MOST_DRIFT or not any(component.lossy for component in done.components):
            return done, whole if mass >= LEAST_MASS else None
        tilt = min(max(whole.tilt, -MOST_TILT), MOST_TILT)
    return done, None


def _weigh(done: Pass, mines: int) -> tuple[Whole, float]:
    """What the components weigh under the tilt that suits the total, and how likely the total is then."""
    poly_at = np.cumsum([0, *(c.values.size for c in done.components)])
    poly = np.concatenate([np.empty(0), *(c.values for c in done.components)])
    low = np.array([c.low for c in done.components], np.int64)
    return weigh(poly, poly_at, low, done.rest, int(done.flat.unknown), mines, done.tilt)


def _around(array: NDArray[np.int8], grid: NDArray[np.int8], done: Pass, deadline: Deadline) -> Around:
    """The mines around every hidden cell, in every component that it touches."""
    height, width = array.shape
    start, component = touched_components(done.flat, grid, array)
    cell = np.repeat(np.arange(array.size), np.diff(start))
    spans = np.array([c.values.size for c in done.components], np.int64)
    sizes = NUMBERS * spans[component]
    at = np.cumsum(sizes) - sizes
    deadline.check_memory(8 * int(sizes.sum()), 0)
    counts = np.empty(int(sizes.sum()), np.float64)
    by_component = np.argsort(component, kind="stable")
    ends = np.searchsorted(component[by_component], np.arange(spans.size + 1))
    for k, passed in enumerate(done.components):
        pairs = by_component[ends[k] : ends[k + 1]]
        found = _count_component(done, passed, (height, width), cell[pairs], deadline)
        counts[at[pairs][:, None] + np.arange(found.shape[1])] = found
    return Around(start, component, at, counts)


def _count_component(
    done: Pass,
    passed: ComponentPass,
    shape: tuple[int, int],
    cells: NDArray[np.int64],
    deadline: Deadline,
) -> NDArray[np.float64]:
    """The placements of a component by the mines around each of the cells, and by all mines."""
    order, tape = passed.order, passed.tape
    after = complete_states(done.flat, order, done.tilt, tape)
    room = passed.room()
    deadline.check_memory(2 * 8 * NUMBERS * room, passed.width)
    found = np.empty((cells.size, NUMBERS * passed.values.size), np.float64)
    at = 0
    while at < cells.size:
        at = count_around(done.flat, order, done.tilt, tape, after, shape, cells, at, room, found, SLICE)
        check_time(deadline, passed.width)
    return found


def _in_fractions(array: NDArray[np.int8], mines: int, deadline: Deadline) -> Numbers:
    """The same in whole numbers."""
    solutions = ExactCount(array, mines, deadline).solutions
    numbers = Numbers(np.zeros((*array.shape, NUMBERS)), np.zeros((*array.shape, NUMBERS), np.bool_))
    for r, c in np.argwhere(array == HIDDEN).tolist():
        for number, layouts in enumerate(exact_numbers(array, mines, (r, c), deadline)):
            numbers.chance[r, c, number] = float(Fraction(layouts, solutions))
            numbers.possible[r, c, number] = layouts > 0
    return numbers
