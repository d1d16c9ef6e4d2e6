"""Compiled: a whole position answered in one call, for boards whose frontiers are not very wide.

This is the fast path: array in, arrays out. It prefilters with the rules, builds the problem, runs the
counting passes on a tape of fixed size and writes the answer for every cell. Where the tape is too small it
says so, and the engine takes the long way (`counting/engine.py`), with tapes that grow, a budget and Ctrl-C.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf, unowned
from msat.constants import HIDDEN, MINE, SAFE
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.counting._kernels.combine import LEAST_MASS, combine
from msat.engines.counting._kernels.driver import count_all, marginals
from msat.engines.counting._kernels.order import order_components
from msat.engines.counting._kernels.tape import FULL, IMPOSSIBLE
from msat.engines.rules._kernels import deduce
from msat.problem._kernels.boxes import NOT_UNKNOWN, REST, Flat, assemble
from msat.problem._kernels.frame import Frame, settle, survey, unframe
from msat.problem._kernels.workspace import new_workspace, take_bytes, take_floats, take_ints, take_longs

__all__ = [
    "ANSWERED",
    "CLUE",
    "COMPONENT",
    "IMPRECISE",
    "OPEN",
    "PROVEN_MINE",
    "PROVEN_SAFE",
    "TOTAL",
    "VALUE",
    "WIDE",
    "answer",
    "prefilter",
    "spread",
    "usable",
    "verdict_of",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# What `answer` says …
ANSWERED = 0
VALUE = 1  # a cell holds a number below `lowest` or above 8
CLUE = 2  # the clue at cell `detail` cannot be met
COMPONENT = 3  # the clues of component `detail` cannot all be met
TOTAL = 4  # no layout has this number of mines
WIDE = 5  # the tape of the fast path is too small
IMPRECISE = 6  # doubles cannot tell: to be counted exactly

# … and what it says of a hidden cell; OPEN also of any other.
OPEN = 0
PROVEN_SAFE = 1
PROVEN_MINE = 2

# Room on the tape for so many states: at first, at last, and by what it grows. For positions in play the
# first is nearly always enough. The less memory a call touches, the less it waits for.
FIRST_ROOM = 1 << 7
LAST_ROOM = 1 << 13
MORE_ROOM = 1 << 3
COMBINE_ROOM = 1 << 21


@kernel(apart=True, inside=True)
def framed(
    array: NDArray[np.int8], lowest: int, last_rule: int, workspace: Ints
) -> tuple[Frame, int, int, int]:
    """Frame `array` and apply the rules. Returns (frame, status, detail, mines in it now)."""
    h, w = array.shape
    frame = survey(array, workspace)
    wrong = False
    for r in range(h):
        for c in range(w):
            wrong |= array[r, c] < lowest or array[r, c] > 8
    if wrong:
        return frame, VALUE, -1, 0
    if last_rule >= 2:
        settle(frame)
    _, bad = deduce(frame, last_rule, take_ints(workspace, 0).reshape(0, 6), w, workspace)
    if bad >= 0:
        return frame, CLUE, bad, 0
    known = 0
    for i in range(frame.cells.size):
        known += frame.cells[i] == MINE
    return frame, ANSWERED, -1, known


@kernel(apart=True)
def prefilter(
    array: NDArray[np.int8], lowest: int, last_rule: int, grid: NDArray[np.int8]
) -> tuple[int, int, int]:
    """Copy `array` to `grid` and apply the rules. Returns (status, detail, mines on the grid now)."""
    frame, status, detail, known = framed(array, lowest, last_rule, new_workspace(0))
    if status == ANSWERED:
        unframe(frame, grid)
    return status, detail, known


@leaf
def usable(sums: Floats) -> bool:
    """Whether every box has a total that doubles hold well."""
    good = True
    for b in range(sums.shape[0]):
        good &= 1e-200 < sums[b, 0] + sums[b, 1] < 1e300
    return good


@leaf
def verdict_of(can: int) -> int:
    """From what a cell can be to what is proven of it."""
    if can == CAN_BE_SAFE:
        return PROVEN_SAFE
    if can == CAN_BE_MINE:
        return PROVEN_MINE
    return OPEN


@kernel
def spread(
    array: NDArray[np.int8],
    grid: NDArray[np.int8],
    flat: Flat,
    sums: Floats,
    can: Ints,
    rest_probability: float,
    rest_can: int,
    probability: Floats,
    verdict: NDArray[np.int8],
    workspace: Ints,
) -> None:
    """Write the answer of every box and of the rest to their cells."""
    # What is said of a cell is looked up, by its value or by its box: branches would be mispredicted.
    known = 8 - SAFE + 1
    chance = take_floats(workspace, known + 1 + can.size)
    said = take_bytes(workspace, known + 1 + can.size)
    chance[:] = np.nan
    said[:] = OPEN
    chance[SAFE - SAFE] = 0.0
    said[SAFE - SAFE] = PROVEN_SAFE
    chance[MINE - SAFE] = 1.0
    said[MINE - SAFE] = PROVEN_MINE
    for b in range(REST, can.size):
        at = known + b - REST
        said[at] = verdict_of(rest_can if b == REST else can[b])
        if said[at] != OPEN:
            chance[at] = 1.0 if said[at] == PROVEN_MINE else 0.0
        else:
            chance[at] = rest_probability if b == REST else sums[b, 0] / (sums[b, 0] + sums[b, 1])
    h, w = array.shape
    for r in range(h):
        boxes_of_row = flat.box_of[r * w : (r + 1) * w]
        for c in range(w):
            b = boxes_of_row[c]
            at = int(grid[r, c]) - SAFE
            if b != NOT_UNKNOWN:
                at = known + b - REST
            probability[r, c] = chance[at]
            verdict[r, c] = said[at] * (array[r, c] == HIDDEN)


@kernel(apart=True)
def answer(
    array: NDArray[np.int8],
    lowest: int,
    mines: int,
    last_rule: int,
    probability: Floats,
    verdict: NDArray[np.int8],
    workspace: Ints,
) -> tuple[int, int]:
    """P(mine) of every cell and what is proven of it; returns (status, detail) as listed above.

    `array` holds −1 hidden, −2 known mine, 0…8 revealed, and, if `lowest` is −3, also −3 for a cell that is
    known to be safe but shows no number. Nothing in `workspace` is kept from one call to the next.
    """
    workspace = unowned(workspace)
    workspace[0] = 1
    frame, status, detail, known = framed(array, lowest, last_rule, workspace)
    if status != ANSWERED:
        return status, detail
    h, w = array.shape
    flat = assemble(frame, h, w, workspace)
    left = mines - known
    if left < 0 or left > flat.unknown:
        return TOTAL, -1

    order, cost = order_components(flat, w, workspace)
    sums = take_floats(workspace, 2 * flat.box_size.size).reshape(flat.box_size.size, 2)
    can = take_longs(workspace, flat.box_size.size)
    free = workspace[0]
    states = FIRST_ROOM
    while states < min(cost, LAST_ROOM):
        states *= MORE_ROOM
    while True:
        status, detail, rest_probability, rest_can = _count(flat, order, left, states, sums, can, workspace)
        workspace[0] = free
        if status != WIDE or states >= LAST_ROOM:
            break
        states *= MORE_ROOM
    if status != ANSWERED:
        return status, detail
    grid = take_bytes(workspace, h * w).reshape(h, w)
    unframe(frame, grid)
    spread(array, grid, flat, sums, can, rest_probability, rest_can, probability, verdict, workspace)
    return ANSWERED, -1


@kernel(inlined=True)
def _count(
    flat: Flat, order: Ints, mines: int, states: int, sums: Floats, can: Ints, workspace: Ints
) -> tuple[int, int, float, int]:
    """Fill `sums` and `can` of every box, on a tape with room for so many states.

    Returns (status, detail, probability of a mine in a rest cell, what a rest cell can be).
    """
    status, at, counted = count_all(flat, order, states, workspace)
    if status == IMPOSSIBLE:
        return COMPONENT, at, 0.0, 0
    if status == FULL or counted.poly.size * counted.low.size > COMBINE_ROOM:
        return WIDE, -1, 0.0, 0
    if counted.lossy:
        return IMPRECISE, -1, 0.0, 0
    rest = flat.unknown
    for b in range(flat.box_size.size):
        rest -= flat.box_size[b]
    weight = take_floats(workspace, counted.poly.size)
    mass, rest_probability, rest_can, _ = combine(
        counted.poly, counted.poly_at, counted.low, rest, flat.unknown, mines, 0.0, weight, workspace
    )
    if mass == 0.0:
        return TOTAL, -1, 0.0, 0
    if mass < LEAST_MASS:
        return IMPRECISE, -1, 0.0, 0
    marginals(flat, counted, weight, sums, can, workspace)
    if not usable(sums):
        return IMPRECISE, -1, 0.0, 0
    return ANSWERED, -1, rest_probability, rest_can
