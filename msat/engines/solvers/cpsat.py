"""The CP engine: forced cells and exact counts from OR-Tools' CP-SAT.

Why: a third opinion, from a solver of another kind, on a model that is as short as can be: one integer per
box. What it costs: most of a millisecond for every question, so a few on an expert board in play. When it
loses: like the SAT engine it lists solutions, part by part (see `cutting.py`); wide frontiers have too many.

One worker and a fixed seed: the same answers in the same order every time. The models are tiny, and most of
the time would go into presolving and symmetry detection, so these are off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.deadline import Budget, Deadline
from msat.encode.cpsat import cp_sat, encode_cpsat
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.solvers.box_count import BoxCount, KnownByMines
from msat.engines.solvers.cutting import parts_of
from msat.engines.solvers.prepared import Possible, PreparedBoard
from msat.engines.solvers.rejoining import join_parts
from msat.engines.solvers.sat_session import NO_ANSWER
from msat.errors import BudgetExceeded
from msat.interrupting import interruptible
from msat.problem.problem import Component

__all__ = ["count", "forced"]


def forced(board: Board, budget: Budget = None) -> NDArray[np.int8]:
    """What is proven of every cell (as in `counting/_kernels/answer.py`), the mine total included.

    `BudgetExceeded` carries what was proven in time; a contradictory board raises `InconsistentBoard`.

    >>> forced(Board.parse("1??/??? 1")).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """

    return PreparedBoard(board, budget).forced(_rule_out)


def _rule_out(position: PreparedBoard, possible: Possible, deadline: Deadline) -> None:
    """Minimise and maximise every box; each optimum is a solution that also answers for other boxes."""
    total = position.total_may_matter()
    encoded = encode_cpsat(position.problem, total=total)
    encoded.switch_on()
    counts = list(encoded.count)
    sizes = [box.size for box in position.problem.boxes]
    if total and encoded.rest is not None:
        counts.append(encoded.rest)
        sizes.append(len(position.problem.rest))
    targets = [*range(len(position.problem.boxes)), position.REST]
    seen = [0] * len(counts)

    def look(value: Callable[[Any], int]) -> bool:
        for i, (variable, size) in enumerate(zip(counts, sizes, strict=True)):
            mines = value(variable)
            seen[i] |= (CAN_BE_MINE if mines else 0) | (CAN_BE_SAFE if mines < size else 0)
        return False

    if not _solve(encoded.model, deadline, look):
        possible[:] = [0] * len(possible)
        return
    for i, variable in enumerate(counts):
        for what, ask in ((CAN_BE_SAFE, encoded.model.minimize), (CAN_BE_MINE, encoded.model.maximize)):
            if not seen[i] & what:
                ask(variable)
                _solve(encoded.model, deadline, look)
                if not seen[i] & what:
                    possible[targets[i]] &= ~what


def count(board: Board, budget: Budget = None) -> BoxCount:
    """Exact counts of a board: all solutions of each component, or of its parts.

    >>> count(Board.parse("1??/??? 1")).solutions
    3
    """
    deadline = Deadline.of(budget)
    position = PreparedBoard(board, deadline)

    def solutions(boxes: tuple[int, ...], most: int) -> list[tuple[int, ...]] | None:
        clues = sorted({k for b in boxes for k in position.problem.boxes[b].clues})
        encoded = encode_cpsat(position.problem, component=Component(boxes, tuple(clues)))
        encoded.switch_on()
        found: list[tuple[int, ...]] = []

        def look(value: Callable[[Any], int]) -> bool:
            found.append(tuple(value(variable) for variable in encoded.count))
            return len(found) > most

        _solve(encoded.model, deadline, look, every=True)
        return found if len(found) <= most else None

    def tally(component: Component) -> KnownByMines:
        parts = parts_of(position.problem, component, lambda: position.order(component), solutions)
        return join_parts(position.problem, component, parts, deadline)

    tallies = interruptible(lambda: [tally(component) for component in position.problem.components], deadline)
    return BoxCount(position, tallies)


def _solve(
    model: Any, deadline: Deadline, look: Callable[[Callable[[Any], int]], bool], every: bool = False
) -> bool:
    """Show every solution met on the way (`every`: all that there are) to `look`; whether there was one.

    `look` tells whether it has seen enough. BudgetExceeded if the time is over before the search is.
    """
    cp_model = cp_sat()

    class Look(cp_model.CpSolverSolutionCallback):  # type: ignore[misc,name-defined]
        enough = False

        def on_solution_callback(self) -> None:
            self.enough = look(self.value)
            if self.enough or deadline.over():
                self.stop_search()

    deadline.check(NO_ANSWER)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.cp_model_presolve = False
    solver.parameters.symmetry_level = 0
    solver.parameters.linearization_level = 0
    solver.parameters.enumerate_all_solutions = every
    solver.parameters.catch_sigint_signal = False  # Python is to see Ctrl-C
    left = deadline.left()
    if left is not None:
        solver.parameters.max_time_in_seconds = left
    with deadline.stopping(solver.stop_search):
        seen = Look()
        status = solver.solve(model, seen)
    if not seen.enough and status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise BudgetExceeded(f"{NO_ANSWER} {deadline.within()}")
    return bool(status != cp_model.INFEASIBLE)
