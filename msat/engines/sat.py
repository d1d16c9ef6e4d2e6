"""The SAT engine: forced cells and exact counts from a SAT solver.

Why: its answers come from software that has nothing in common with the counting engine, each is a
satisfiable or an unsatisfiable formula that any other solver can check, and it finds forced cells where
frontiers are far too wide to be counted. What it costs: about a millisecond on an expert board in play. When
it loses: it counts solutions of boxes one by one, so a component with millions of them takes forever; the
budget ends that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.encode.cnf import DEFAULT, encode
from msat.encode.problem import Component
from msat.engines._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.boxes import BoxCount, Tally
from msat.engines.position import Position, Possible
from msat.engines.running import Deadline, interruptible
from msat.engines.solver import DEFAULT_SOLVER, Session, known_solver

__all__ = ["DEFAULT_SOLVER", "backbone", "count", "forced", "known_solver"]


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
        total = position.total_may_matter()
        formula = encode(position.problem, encoding=encoding, total=total)
        meaning: dict[int, tuple[int, int]] = {}
        for b, group in enumerate(formula.count):
            meaning |= {group[0]: (b, CAN_BE_MINE), -group[-1]: (b, CAN_BE_SAFE)}
        if total and formula.rest_literals is not None:
            some, full = formula.rest_literals
            meaning |= {some: (position.REST, CAN_BE_MINE), -full: (position.REST, CAN_BE_SAFE)}
        with Session(formula, solver, deadline) as session:
            for literal in backbone(session, meaning):
                which, what = meaning[literal]
                possible[which] &= ~what

    return Position(board, budget).forced(rule_out)


def backbone(session: Session, literals: Iterable[int]) -> Iterator[int]:
    """Those of the literals that are false in every model, one by one as they are found.

    A model rules out all literals that are true in it; each of the others is asked for by an assumption, and
    the model that this gives, if any, rules out others as well.
    """
    model = session.solve()
    if model is None:
        yield from literals
        return
    left = [literal for literal in literals if literal not in model]
    while left:
        literal = left.pop()
        model = session.solve([literal])
        if model is None:
            session.add([-literal])
            yield literal
        else:
            left = [other for other in left if other not in model]


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

    tallies = interruptible(lambda: [tally(component) for component in position.problem.components], deadline)
    return BoxCount(position, tallies)
