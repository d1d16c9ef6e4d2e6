"""What an engine is: the same questions, asked the same way, whoever answers.

An engine is a module with functions of a board and a budget: `forced` (what is proven of every cell), `count`
(exact numbers), and `answer` (both, as far as they come along). With two of them it is a `SolverEngine`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.deadline import Budget
from msat.errors import BudgetExceeded

__all__ = ["Answer", "Counts", "Engine", "Forced", "Question", "SolverEngine"]

Result = TypeVar("Result", covariant=True)


class Question(Protocol[Result]):
    """A function of a board and a budget."""

    def __call__(self, board: Board, budget: Budget = None) -> Result:
        """What is found."""


class Counts(Protocol):
    """Exact numbers about a position; every engine has its own way to them."""

    @property
    def solutions(self) -> int:
        """The number of layouts that agree with the board."""

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""


class Answer(Protocol):
    """What is found at once."""

    @property
    def verdict(self) -> NDArray[np.int8]:
        """What is proven of every cell, as in `counting/_kernels/answer.py`."""

    @property
    def probability(self) -> NDArray[np.float64] | None:
        """P(mine) as in `Analysis`; None if it is to be taken from `count` when it is asked for."""

    @property
    def uncounted(self) -> BudgetExceeded | None:
        """Why there can be no counts, if so; the probabilities then tell forced cells only."""


class Forced(NamedTuple):
    """An answer without counts."""

    verdict: NDArray[np.int8]
    probability: NDArray[np.float64] | None = None
    uncounted: BudgetExceeded | None = None


class Engine(Protocol):
    """The questions that every engine answers, each about a board within a budget.

    A board that no layout agrees with raises `InconsistentBoard`; what takes longer raises `BudgetExceeded`.

    >>> from msat.engines.registry import load
    >>> load("counting").count(Board.parse("1??/??? 1")).solutions
    3
    """

    @property
    def forced(self) -> Question[NDArray[np.int8]]:
        """What is proven of every cell, as in `counting/_kernels/answer.py`."""

    @property
    def count(self) -> Question[Counts]:
        """Exact numbers."""

    @property
    def answer(self) -> Question[Answer]:
        """The forced cells, and the probabilities if they come along."""


@dataclass(frozen=True)
class SolverEngine:
    """An engine that finds forced cells and counts apart."""

    forced: Question[NDArray[np.int8]]
    count: Question[Counts]

    def answer(self, board: Board, budget: Budget = None) -> Forced:
        """The forced cells; counting is for later."""
        return Forced(self.forced(board, budget))
