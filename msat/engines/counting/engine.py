"""The counting engine: exact counting by dynamic programming over boxes; the default engine.

Why it is fast: cells touched by the same clues are one box; boxes are placed in an order that keeps few
clues open; equal states are merged, so the cost grows with the width of a frontier and not with the number
of its solutions; one forward and one backward pass give the probability of every cell and, by reachability,
every forced cell. When it loses: frontiers with twenty and more clues open at once (sparsely scattered
numbers over large boards) can need more memory than there is; then `BudgetExceeded` names the width.

Costs: about 30 µs on an expert board in play, a millisecond on dense positions; see `bench/`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.constants import HIDDEN, LAST_RULE, MINE
from msat.deadline import NO_MEMORY, Budget, Deadline
from msat.engines.counting._kernels import answer as k
from msat.engines.counting._kernels.backward import backward
from msat.engines.counting._kernels.combine import LEAST_MASS, combine
from msat.engines.counting._kernels.tape import DONE, SLOTS_PER_WORD, new_runner
from msat.engines.counting.bands import BAND, apply_rules
from msat.engines.counting.contradiction import contradiction
from msat.engines.counting.exact import ExactCount
from msat.engines.counting.resumable import SLICE, ImpossibleComponent, Pass, check_time, run_forward
from msat.errors import BudgetExceeded
from msat.interrupting import interruptible
from msat.problem._kernels.workspace import new_workspace

__all__ = ["Counted", "answer", "answer_array", "count", "count_array", "forced"]

# Values that were lifted to stay positive do no harm as long as the weights of a component's mine counts span
# less than e^MOST_DRIFT. Otherwise the pass is made again with the tilt that was found, a few times at most.
MOST_DRIFT = 200.0
MOST_TILT = 8.0
MOST_TILTS = 12

AT_ONCE = 1000
"""Cells up to which a board is counted in one go, or found to be too wide for that, in a tenth of a second at
most. What may take longer is done in a thread, if there is a budget: that costs a tenth of a millisecond."""

QUICK = 50_000
"""Cells up to which that is tried first, in the thread: it takes a tenth of a second or so where it fails."""

WORKSPACE = 1 << 15
"""Numbers in a workspace: 256 KB, of which a position in play on an expert board takes the first tenth."""

SHEETS = 8
"""Results that are made at a time, for boards of at most LARGE cells."""

LARGE = 1 << 10

COMBINING = 4e-9
"""Seconds to combine the components of a board, for each of them and each of all their numbers."""


class Counted(NamedTuple):
    """What was found: `status` and `detail` as in `_kernels/answer.py`; the arrays are filled if answered."""

    status: int
    detail: int
    probability: NDArray[np.float64]
    verdict: NDArray[np.int8]

    @property
    def uncounted(self) -> None:
        """None: as an answer (`engines/protocol.py`) it always comes with counts."""


class _Sheets:
    """Arrays to write results on, some made ahead for boards of the shape that was asked for twice in a row.

    Where a program has freed many small things since the last call, the next array of a kilobyte or more
    makes the C library tidy them all up, which takes half as long as the answer. So this is done once for
    several answers. Every sheet is an array of its own and handed out once: who keeps one keeps no others.
    Threads may take at the same time, for `pop` gives each something else.
    """

    def __init__(self) -> None:
        self._shape: tuple[int, ...] = ()
        self._spare: list[tuple[NDArray[np.float64], NDArray[np.int8]]] = []

    def take(self, shape: tuple[int, ...]) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """A sheet for probabilities and one for verdicts, not initialised."""
        try:
            sheet = self._spare.pop()
            if sheet[0].shape == shape:
                return sheet
        except IndexError:
            pass
        repeated = shape == self._shape and shape[0] * shape[1] <= LARGE
        sheets = [
            (np.empty(shape, np.float64), np.empty(shape, np.int8)) for _ in range(SHEETS if repeated else 1)
        ]
        sheet = sheets.pop()
        self._shape = shape
        self._spare = sheets
        return sheet


_sheets = _Sheets()
_workspaces: list[NDArray[np.int64]] = []
"""Workspaces that no call is using. A call takes one out, or makes one, and puts it back when it needs none
of it any more: so no two share one, in threads or signal handlers either. One that ends early drops it."""


count = ExactCount.of


def forced(board: Board, budget: Budget = None) -> NDArray[np.int8]:
    """What is proven of every cell (as in `_kernels/answer.py`), the mine total included.

    >>> forced(Board.parse("1??/??? 1")).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    return answer(board, budget).verdict


def answer(board: Board, budget: Budget = None) -> Counted:
    """The forced cells and all probabilities."""
    return answer_array(board.to_array(), board.mines, budget)


def answer_array(array: NDArray[np.int8], mines: int, budget: Budget = None) -> Counted:
    """The answer for a position as `count_array` takes it, or the error that says why there is none."""
    if budget is not None:
        budget = Deadline.of(budget)  # one for all that follows
    try:
        found = count_array(array, mines, budget)
    except MemoryError:
        raise BudgetExceeded(NO_MEMORY) from None
    if found.status == k.ANSWERED:
        return found
    if found.status == k.VALUE:
        Board.from_array(array, mines)  # says which value, and what would be right
    raise contradiction(array, mines, budget)


def count_array(array: NDArray[np.int8], mines: int, budget: Budget = None, *, lowest: int = MINE) -> Counted:
    """Count the layouts that agree with `array` (int8, contiguous) and have `mines` mines."""
    deadline = None if budget is None else Deadline.of(budget)  # which begins before the kernel does
    probability, verdict = _sheets.take(array.shape)
    at_once = array.size <= AT_ONCE or (array.size <= BAND and deadline is None)
    if at_once:
        try:
            workspace = _workspaces.pop()
        except IndexError:
            workspace = new_workspace(WORKSPACE)
        status, detail = k.answer(array, lowest, mines, LAST_RULE, probability, verdict, workspace)
        _workspaces.append(workspace)
    else:  # here neither the clock nor Ctrl-C would come through for too long
        status, detail = k.WIDE, -1
    if status in (k.WIDE, k.IMPRECISE):
        limit, quick = deadline or Deadline(None), not at_once and array.size <= QUICK
        status, detail = _count_long(array, lowest, mines, limit, probability, verdict, quick)
    # What `Counted(…)` does, but without a function in Python, which takes a microsecond after other work.
    return tuple.__new__(Counted, (status, detail, probability, verdict))


def _count_long(
    array: NDArray[np.int8],
    lowest: int,
    mines: int,
    deadline: Deadline,
    probability: NDArray[np.float64],
    verdict: NDArray[np.int8],
    quick: bool,
) -> tuple[int, int]:
    """What the kernel `answer` does, where it may take long; `quick` if that was not tried yet."""

    def count() -> tuple[int, int]:
        if quick:
            workspace = new_workspace(WORKSPACE)
            status, detail = k.answer(array, lowest, mines, LAST_RULE, probability, verdict, workspace)
            if status not in (k.WIDE, k.IMPRECISE):
                return status, detail
            deadline.check("not counted")
        status, detail = _count_wide(array, lowest, mines, deadline, probability, verdict)
        if status == k.IMPRECISE:
            status = _count_in_fractions(array, mines, deadline, probability, verdict)
        return status, detail

    return interruptible(count, deadline, "not counted")


def _count_wide(
    array: NDArray[np.int8],
    lowest: int,
    mines: int,
    deadline: Deadline,
    probability: NDArray[np.float64],
    verdict: NDArray[np.int8],
) -> tuple[int, int]:
    """The same as the kernel `answer`, slice by slice, and tilted where values lie too far apart."""
    grid = np.empty_like(array)
    status, detail, known = apply_rules(array, grid, deadline, lowest=lowest)
    if status != k.ANSWERED:
        return status, detail
    tilt = 0.0
    for _ in range(MOST_TILTS):
        try:
            done = run_forward(grid, deadline, tilt)
        except ImpossibleComponent as signal:
            return k.COMPONENT, signal.component
        poly_at = np.cumsum([0, *(c.values.size for c in done.components)])
        poly = np.concatenate([np.empty(0), *(c.values for c in done.components)])
        low = np.array([c.low for c in done.components], np.int64)
        widest = max((c.width for c in done.components), default=0)
        deadline.check_memory(8 * len(done.components) * poly.size, widest)
        deadline.require(COMBINING * len(done.components) * poly.size, "not counted")
        weight = np.empty_like(poly)
        mass, rest_probability, rest_can, found = combine(
            poly, poly_at, low, done.rest, done.flat.unknown, mines - known, tilt, weight, new_workspace(0)
        )
        if mass == 0.0:
            return k.TOTAL, -1
        if not any(c.lossy for c in done.components):
            break
        drift = abs(found - tilt) * max(c.values.size for c in done.components)
        if drift <= MOST_DRIFT:
            break
        tilt = min(max(found, -MOST_TILT), MOST_TILT)
    else:
        return k.IMPRECISE, -1
    if mass < LEAST_MASS:
        return k.IMPRECISE, -1
    weights = [weight[start:end] for start, end in pairwise(poly_at)]
    sums, can = _run_backward(done, weights, deadline)
    if not k.usable(sums):
        return k.IMPRECISE, -1
    k.spread(
        array, grid, done.flat, sums, can, rest_probability, rest_can, probability, verdict, new_workspace(0)
    )
    return k.ANSWERED, -1


def _count_in_fractions(
    array: NDArray[np.int8],
    mines: int,
    budget: Budget,
    probability: NDArray[np.float64],
    verdict: NDArray[np.int8],
) -> int:
    """The same in exact arithmetic, for positions whose numbers are too far apart for doubles."""
    exact = ExactCount(array, mines, budget)
    if exact.solutions == 0:
        return k.TOTAL
    probability[array >= 0] = np.nan
    probability[array == MINE] = 1.0
    verdict[:] = k.OPEN
    for r, c in np.argwhere(array == HIDDEN).tolist():
        p = exact.probability(r, c)
        probability[r, c] = float(p)
        if p in (0, 1):
            verdict[r, c] = k.PROVEN_MINE if p else k.PROVEN_SAFE
    return k.ANSWERED


def _run_backward(
    done: Pass, weights: list[NDArray[np.float64]], deadline: Deadline
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Per box: how often a cell is a mine and how often not, in proportion, and what it can be."""
    boxes = done.flat.box_size.size
    sums = np.empty((boxes, 2), np.float64)
    can = np.empty(boxes, np.int64)
    runner = new_runner(0, done.tilt, SLOTS_PER_WORD, new_workspace(0))
    for component, weight in zip(done.components, weights, strict=True):
        order, tape = component.order, component.tape
        worth = np.empty((2, component.room()), np.float64)
        worth[order.size & 1, : weight.size] = weight
        progress = np.array([order.size, -1], np.int64)
        while True:
            runner.quota[0] = SLICE
            status = backward(done.flat, order, tape, 0, runner, progress, worth, sums, can)
            check_time(deadline, component.width)
            if status == DONE:
                break
    return sums, can
