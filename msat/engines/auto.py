"""The engine `auto`: the counting engine, and where a board is too wide for it, forced cells by SAT."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.constants import MINE
from msat.deadline import Budget, Deadline
from msat.engines.counting import engine as counting
from msat.engines.counting._kernels.answer import PROVEN_MINE, PROVEN_SAFE
from msat.engines.protocol import Answer, Forced
from msat.errors import BudgetExceeded

__all__ = ["answer", "count", "forced"]

COUNTING_SHARE = 0.75
"""The part of a budget after which counting is given up; the rest is for finding forced cells by SAT."""

count = counting.count


def forced(board: Board, budget: Budget = None) -> NDArray[np.int8]:
    """What is proven of every cell.

    >>> forced(Board.parse("1??/??? 1")).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    return answer(board, budget).verdict


def answer(board: Board, budget: Budget = None) -> Answer:
    """The forced cells, and the probabilities if they can be counted."""
    deadline = None if budget is None else Deadline.of(budget)
    share = None if deadline is None else deadline.share(COUNTING_SHARE)
    try:
        return counting.answer_array(board.to_array(), board.mines, share)
    except BudgetExceeded as error:
        uncounted = BudgetExceeded(f"counts and probabilities are not available: {error}", error.width)
    from msat.engines.solvers import sat

    verdict = sat.forced(board, deadline)
    probability = np.where(verdict == PROVEN_MINE, 1.0, np.where(verdict == PROVEN_SAFE, 0.0, np.nan))
    probability[board.to_array() == MINE] = 1.0
    return Forced(verdict, probability, uncounted)
