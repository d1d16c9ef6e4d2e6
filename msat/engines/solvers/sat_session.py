"""A SAT solver of python-sat, by name, that keeps a deadline.

A call of a solver cannot be interrupted from outside (see `interrupting.py`), so it is made in portions of so
many conflicts; incremental solvers keep what they learnt from one to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msat.deadline import Deadline, Interrupts
from msat.encode.cardinality import NATIVE
from msat.encode.cnf import Formula
from msat.errors import MissingPackage, ParameterError, UnknownName
from msat.installing import install

__all__ = ["DEFAULT_SOLVER", "NATIVE_SOLVERS", "SOLVERS", "SatSession", "known_solver"]

DEFAULT_SOLVER = "cadical153"

SOLVERS = (
    "cadical103",
    "cadical153",
    "cadical195",
    "cadical300",
    "ergo",
    "gluecard3",
    "gluecard4",
    "glucose3",
    "glucose4",
    "glucose42",
    "lingeling",
    "maplechrono",
    "maplecm",
    "mergesat3",
    "minicard",
    "minisat22",
    "minisat-ep",
    "minisat-gh",
)
"""The solvers of python-sat, but for those that take no assumptions, no further clauses, or that crash."""

NATIVE_SOLVERS = ("gluecard3", "gluecard4", "minicard")
"""Those that take at-most constraints as they are."""

CONFLICTS = 500
"""The conflicts of a portion, a fraction of a second, on formulas of up to …"""

CLAUSES = 20_000
"""… so many clauses: on larger ones it is the fewer conflicts, but never fewer than …"""

FEWEST_CONFLICTS = 10

PORTION = 50_000
"""Clauses that are handed over before the next look at the clock."""

NO_ANSWER = "the solver gave no answer"

UNLIMITED = frozenset({"lingeling"})
"""Solvers that know no portions: with these a deadline is kept only between calls."""


def known_solver(name: str, encoding: str) -> str:
    """The name of a solver that can work with the encoding, or the error that says which could.

    >>> known_solver("minicard", "native")
    'minicard'
    """
    if name not in SOLVERS:
        raise UnknownName.of("solver", name, SOLVERS)
    if encoding == NATIVE and name not in NATIVE_SOLVERS:
        raise ParameterError(
            f"solver {name!r} has no native cardinality constraints: "
            f"choose one of {', '.join(NATIVE_SOLVERS)}, or another encoding"
        )
    return name


class SatSession:
    """An incremental solver with a formula in it, all clues and the total switched on unless told not to."""

    def __init__(
        self, formula: Formula[Any, Any], solver: str, deadline: Deadline, *, switched_on: bool = True
    ) -> None:
        from pysat.solvers import NoSuchSolverError, Solver

        self._limited = solver not in UNLIMITED
        self._deadline = deadline
        size = max(CLAUSES, len(formula.clauses))
        self._conflicts = max(FEWEST_CONFLICTS, CONFLICTS * CLAUSES // size)
        try:
            with Interrupts():  # a solver that is half made, or half deleted, crashes when it is deleted
                self._solver = Solver(solver)
        except NoSuchSolverError:
            raise MissingPackage(
                f"solver {solver!r} needs a newer python-sat: {install('--upgrade python-sat')}"
            ) from None
        try:
            self._take(formula, switched_on)
        except BaseException:
            self.__exit__()
            raise

    def _take(self, formula: Formula[Any, Any], switched_on: bool) -> None:
        """Hand the formula over to the solver."""
        for first in range(0, len(formula.clauses), PORTION):
            self._deadline.check(NO_ANSWER)
            self._solver.append_formula(formula.clauses[first : first + PORTION])
        for literals, bound in formula.native:
            self._solver.add_atmost(literals, bound)
        for selector in formula.assumptions() if switched_on else ():
            self._solver.add_clause([selector])

    def __enter__(self) -> SatSession:
        return self

    def __exit__(self, *_: object) -> None:
        with Interrupts():
            self._solver.delete()

    def add(self, clause: list[int]) -> None:
        """Add a clause for good."""
        self._solver.add_clause(clause)

    def prefer(self, literals: list[int]) -> None:
        """Where the solver has a choice, these literals are to be true; not every solver takes advice."""
        with suppress(NotImplementedError):
            self._solver.set_phases(literals)

    def solve(self, assumptions: Sequence[int] = ()) -> frozenset[int] | None:
        """The true literals of a model, or None if there is none; BudgetExceeded when the time is over."""
        return frozenset(self.model()) if self.satisfiable(assumptions) else None

    def satisfiable(self, assumptions: Sequence[int] = ()) -> bool:
        """Whether there is a model; BudgetExceeded when the time is over."""
        answer: bool | None = None
        while answer is None:
            self._deadline.check(NO_ANSWER)
            if self._limited:
                self._solver.conf_budget(self._conflicts)
                # As if it could be interrupted: then most solvers let other threads go on meanwhile.
                answer = self._solver.solve_limited(list(assumptions), expect_interrupt=True)
            else:
                answer = self._solver.solve(list(assumptions))
        return answer

    def model(self) -> list[int]:
        """The true literals of the model that was found last."""
        literals: list[int] = self._solver.get_model()
        return literals

    def core(self) -> list[int]:
        """Those of the assumptions made last that cannot all be true."""
        literals: list[int] = self._solver.get_core() or []
        return literals
