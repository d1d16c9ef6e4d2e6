"""The SAT engine: forced cells and exact counts from a SAT solver.

Why: its answers come from software that has nothing in common with the counting engine, each is a
satisfiable or an unsatisfiable formula that any other solver can check, and it finds forced cells where
frontiers are far too wide to be counted. What it costs: about a millisecond on an expert board in play. When
it loses: it lists solutions of boxes one by one, and where they are many puts them together part by part (see
`cutting.py`) in Python, tens of times as slow as the counting engine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.board import Board, Cell
from msat.deadline import Budget, Deadline
from msat.encode.cnf import DEFAULT, Formula, encode
from msat.engines.solvers.backbone import Backbone
from msat.engines.solvers.box_count import BoxCount, KnownByMines
from msat.engines.solvers.cutting import parts_of
from msat.engines.solvers.prepared import Possible, PreparedBoard
from msat.engines.solvers.rejoining import join_parts
from msat.engines.solvers.sat_session import DEFAULT_SOLVER, SatSession, known_solver
from msat.interrupting import interruptible
from msat.problem.problem import Component

__all__ = ["DEFAULT_SOLVER", "count", "forced", "known_solver"]


def forced(
    board: Board, budget: Budget = None, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT
) -> NDArray[np.int8]:
    """What is proven of every cell (as in `counting/_kernels/answer.py`), the mine total included.

    `BudgetExceeded` carries what was proven in time; a contradictory board raises `InconsistentBoard`.

    >>> forced(Board.parse("1??/??? 1")).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    known_solver(solver, encoding)

    def rule_out(position: PreparedBoard, possible: Possible, deadline: Deadline) -> None:
        # The mine total makes a formula many times larger and harder, and seldom rules anything out. So the
        # clues are asked alone first: what they exclude is excluded, and a model that keeps the total is a
        # witness like any other. Only what has no such witness is asked again with the total.
        backbone = Backbone(position, possible)
        for total in (False, True):
            if backbone.undecided:
                formula = encode(position.problem, encoding=encoding, total=total)
                with SatSession(formula, solver, deadline) as session:
                    backbone.ask(session, formula)

    return PreparedBoard(board, budget).forced(rule_out)


def count(
    board: Board, budget: Budget = None, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT
) -> BoxCount:
    """Exact counts of a board: models of each component, or of its parts.

    >>> count(Board.parse("1??/??? 1")).solutions
    3
    """
    known_solver(solver, encoding)
    deadline = Deadline.of(budget)
    position = PreparedBoard(board, deadline)

    def tally(component: Component) -> KnownByMines:
        formula = encode(position.problem, encoding=encoding, component=component)
        with SatSession(formula, solver, deadline) as session:
            models = Models(session, formula, component)
            parts = parts_of(position.problem, component, lambda: position.order(component), models.of)
        return join_parts(position.problem, component, parts, deadline)

    tallies = interruptible(lambda: [tally(component) for component in position.problem.components], deadline)
    return BoxCount(position, tallies)


class Models:
    """Models of a component's formula, projected on some of its boxes at a time."""

    def __init__(self, session: SatSession, formula: Formula[Cell, Cell], component: Component) -> None:
        self._session = session
        self._group = dict(zip(component.boxes, formula.count, strict=True))
        self._switch = formula.variables

    def of(self, boxes: tuple[int, ...], most: int) -> list[tuple[int, ...]] | None:
        """Every way to fill these boxes that a model has; None if there are more than so many."""
        groups = [self._group[b] for b in boxes]
        self._switch += 1  # what is excluded here must not be missing in later questions
        found: list[tuple[int, ...]] = []
        while len(found) <= most and (model := self._session.solve([self._switch])) is not None:
            counts = tuple(sum(literal in model for literal in group) for group in groups)
            found.append(counts)
            # Another solution has a box with fewer mines, or one with more.
            fewer = [-group[n - 1] for group, n in zip(groups, counts, strict=True) if n]
            more = [group[n] for group, n in zip(groups, counts, strict=True) if n < len(group)]
            self._session.add([-self._switch, *fewer, *more])
        self._session.add([-self._switch])
        return found if len(found) <= most else None
