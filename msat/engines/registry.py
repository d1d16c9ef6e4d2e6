"""The engines by name, each loaded when it is first asked for: solvers are heavy packages.

`sat` may name its solver and its encoding after colons: `sat:glucose4`, `sat:minicard:native`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.deadline import Budget
from msat.errors import UnknownName

__all__ = ["ENGINES", "Counts", "Engine", "load"]

ENGINES = ("auto", "counting", "sat", "cpsat", "ganak")
"""All names; `auto` and `counting` have a faster way in than the one that all others share (`Engine`)."""


class Counts(Protocol):
    """Exact numbers about a position; every engine has its own way to them."""

    @property
    def solutions(self) -> int:
        """The number of layouts that agree with the board."""

    def probability(self, r: int, c: int) -> Fraction:
        """The probability that a hidden cell is a mine."""


@dataclass(frozen=True)
class Engine:
    """What a solver does for a board within a budget: prove what can be proven of every cell, and count."""

    forced: Callable[[Board, Budget], NDArray[np.int8]]
    count: Callable[[Board, Budget], Counts]


def load(name: str) -> Engine:
    """The solver of this name.

    >>> load("sat:glucose4").count(Board.parse("?1? 1"), None).solutions
    2
    """
    base, *choices = name.split(":") if isinstance(name, str) else (name,)
    if base == "sat" and len(choices) <= 2:
        from msat.encode.cardinality import DEFAULT, known_encoding
        from msat.engines.solvers import sat

        solver, encoding = [*choices, *(sat.DEFAULT_SOLVER, DEFAULT)[len(choices) :]]
        sat.known_solver(solver, known_encoding(encoding))
        return Engine(
            partial(sat.forced, solver=solver, encoding=encoding),
            partial(sat.count, solver=solver, encoding=encoding),
        )
    if name == "cpsat":
        from msat.engines.solvers import cpsat

        return Engine(cpsat.forced, cpsat.count)
    if name == "ganak":
        from msat.engines.solvers import ganak, sat

        ganak.require()
        return Engine(sat.forced, ganak.count)
    raise UnknownName.of("engine", name, ENGINES)
