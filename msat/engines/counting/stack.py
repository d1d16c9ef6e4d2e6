"""Many boards of one size answered together: portions of a stack, each in one compiled call, by some threads.

A portion takes a few milliseconds: between two of them Python sees Ctrl-C and the clock, and threads that are
done early take what is left. Which thread answers a board changes nothing in its answer. Boards that the fast
path leaves open (too wide, or no layout agrees) are told by their status; the caller takes them one by one.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.constants import LAST_RULE, MINE
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED, WIDE
from msat.engines.counting._kernels.stack import answer_boards
from msat.engines.counting.bands import BAND
from msat.engines.counting.engine import WORKSPACE, answer_array
from msat.errors import MsatError
from msat.problem._kernels.workspace import new_workspace

__all__ = ["Stack", "answer_all", "answer_quickly"]

PORTION = 1 << 16
"""Cells of all boards of a portion: 136 expert boards, two milliseconds."""


class Stack(NamedTuple):
    """The answers to the boards whose `status` is ANSWERED; what stands elsewhere has no meaning."""

    probability: NDArray[np.float64]
    verdict: NDArray[np.int8]
    """What is proven of the cells; empty if nobody asked for it."""
    status: NDArray[np.int8]


def answer_quickly(
    boards: NDArray[np.int8],
    mines: NDArray[np.int64],
    threads: int = 1,
    deadline: Deadline | None = None,
    *,
    verdicts: bool = True,
) -> Stack:
    """What the fast path says of each of `boards` (n, h, w; int8, contiguous) with its total.

    >>> boards = np.array([[[-1, 1, -1]], [[-1, 2, -1]], [[-1, 3, -1]]], np.int8)
    >>> found = answer_quickly(boards, np.array([1, 2, 2]), threads=2)
    >>> found.probability[:2, 0, 0].tolist(), (found.status == ANSWERED).tolist()
    ([0.5, 1.0], [True, True, False])
    """
    n, h, w = boards.shape
    found = Stack(
        np.empty((n, h, w), np.float64),
        np.empty((n if verdicts else 0, h, w), np.int8),
        np.empty(n, np.int8),
    )
    if h * w > BAND:  # too large for one call each
        found.status[:] = WIDE
        return found
    size = max(1, PORTION // (h * w))
    starts = count(0, size)  # which threads share: `next` gives each something else
    ended: list[bool] = []

    def work() -> None:
        workspace = new_workspace(WORKSPACE)
        spare = np.empty((1, h, w), np.int8)
        while not ended and (start := next(starts)) < n:
            if deadline is not None:
                deadline.check(f"board {start} of the stack is not answered")
            part = slice(start, min(start + size, n))
            verdict = found.verdict[part] if verdicts else spare
            probability, status = found.probability[part], found.status[part]
            answer_boards(boards[part], MINE, mines[part], LAST_RULE, probability, verdict, status, workspace)

    threads = min(threads, -(-n // size))
    if threads <= 1:
        work()
        return found
    with ThreadPoolExecutor(threads) as pool:
        try:
            for thread in [pool.submit(work) for _ in range(threads)]:
                thread.result()
        finally:  # Ctrl-C, or an error in one of them: the others end after their portion
            ended.append(True)
    return found


def answer_all(
    boards: NDArray[np.int8], mines: NDArray[np.int64], threads: int = 1, budget: Budget = None
) -> NDArray[np.float64]:
    """P(mine) of every cell of every board; the error of the first that has none, which tells its number."""
    deadline = None if budget is None else Deadline.of(budget)
    found = answer_quickly(boards, mines, threads, deadline, verdicts=False)
    for number in np.flatnonzero(found.status != ANSWERED).tolist():
        try:
            found.probability[number] = answer_array(boards[number], int(mines[number]), deadline).probability
        except MsatError as error:
            error.args = (f"board {number} of the stack: {error}", *error.args[1:])
            raise
    return found.probability
