"""Compiled: many boards of one size answered in one call, while other threads run.

What a call from Python costs, and an array for its answer, is a quarter of the time that an expert board
takes; so here a loop around `answer` does without both. It releases Python's lock: several threads may each
answer a part of the boards, each in a workspace of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.answer import answer

__all__ = ["answer_boards"]

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]


@kernel(apart=True)
def answer_boards(
    boards: Bytes,
    lowest: int,
    mines: Ints,
    last_rule: int,
    probability: NDArray[np.float64],
    verdict: Bytes,
    status: Bytes,
    workspace: Ints,
) -> None:
    """`answer` for each of `boards` (n, h, w) with its total, and how that ended in `status`.

    `verdict` has room for all boards or for one only, if nobody asks for verdicts.
    """
    kept = verdict.shape[0]
    for i in range(boards.shape[0]):
        found, _ = answer(
            boards[i], lowest, mines[i], last_rule, probability[i], verdict[i % kept], workspace
        )
        status[i] = found
