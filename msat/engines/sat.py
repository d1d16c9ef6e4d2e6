"""The SAT engine: forced cells and exact counts from a SAT solver.

Why: its answers come from software that has nothing in common with the counting engine, each is a
satisfiable or an unsatisfiable formula that any other solver can check, and it finds forced cells where
frontiers are far too wide to be counted. What it costs: about a millisecond on an expert board in play. When
it loses: it counts solutions of boxes one by one, so a component with millions of them takes forever; the
budget ends that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.encode.cnf import DEFAULT, encode
from msat.encode.problem import Component
from msat.engines.backbone import Backbone
from msat.engines.boxes import BoxCount, Tally
from msat.engines.position import Position, Possible
from msat.engines.running import Deadline, python_sees_ctrl_c
from msat.engines.solver import DEFAULT_SOLVER, Session, known_solver

__all__ = ["DEFAULT_SOLVER", "count", "forced", "known_solver"]


def forced(
    board: Board, budget: float | None = None, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT
) -> NDArray[np.int8]:
    """What is proven of every cell (as in `_kernels/answer.py`), the mine total included.

    `BudgetExceeded` carries what was proven in time; a contradictory board raises `InconsistentBoard`.

    >>> forced(Board.parse("1??/??? 1")).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    known_solver(solver, encoding)

    def rule_out(position: Position, possible: Possible, deadline: Deadline) -> None:
        # The mine total makes a formula many times larger and harder, and seldom rules anything out. So the
        # clues are asked alone first: what they exclude is excluded, and a model that keeps the total is a
        # witness like any other. Only what has no such witness is asked again with the total.
        backbone = Backbone(position, possible)
        for total in (False, True):
            if backbone.undecided:
                formula = encode(position.problem, encoding=encoding, total=total)
                with Session(formula, solver, deadline) as session:
                    backbone.ask(session, formula)

    with python_sees_ctrl_c():
        return Position(board, budget).forced(rule_out)


def count(
    board: Board, budget: float | None = None, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT
) -> BoxCount:
    """Exact counts of a board: models of each component, box by box.

    >>> count(Board.parse("1??/??? 1")).solutions
    3
    """
    known_solver(solver, encoding)
    deadline = Deadline(budget)
    position = Position(board, budget)

    def tally(component: Component) -> Tally:
        formula = encode(position.problem, encoding=encoding, component=component)
        found = Tally([len(group) for group in formula.count])
        with Session(formula, solver, deadline) as session:
            while (model := session.solve()) is not None:
                counts = [sum(literal in model for literal in group) for group in formula.count]
                found.add(counts)
                # Another solution has a box with fewer mines, or one with more.
                fewer = [-group[n - 1] for group, n in zip(formula.count, counts, strict=True) if n]
                more = [group[n] for group, n in zip(formula.count, counts, strict=True) if n < len(group)]
                session.add(fewer + more)
        return found

    with python_sees_ctrl_c():
        return BoxCount(position, [tally(component) for component in position.problem.components])
