"""The Ganak engine: exact counts from the model counter of that name (the optional package `pyganak`).

Why: an independent count, by software that does nothing else; it knows nothing of boxes, and is given one
variable per cell. What it costs: some milliseconds for every count, and it takes many: a component is counted
for every number of mines that it may hold, and that once more for every box. When it loses: against the
counting engine, always.

A model counter does not find forced cells; these are asked of the SAT engine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from msat.board import Board
from msat.encode.cardinality import Limits
from msat.encode.cnf import encode
from msat.encode.problem import Component
from msat.engines.boxes import BoxCount
from msat.engines.position import Position, mine_bounds
from msat.engines.running import Deadline
from msat.errors import BudgetExceeded, MissingPackage, MsatError

__all__ = ["count", "require"]


def require() -> None:
    """Raise the error that says how to install Ganak, if it is not."""
    if find_spec("pyganak") is None:
        raise MissingPackage("engine 'ganak' needs the package pyganak: pip install 'msat[ganak]'")


def count(board: Board, budget: float | None = None) -> BoxCount:
    """Exact counts of a board: how many layouts at once, cell by cell when first asked for."""
    require()
    position = Position(board, budget)
    counts = [_Counts(position, component, budget) for component in position.problem.components]
    replies = _ask([counted.task(counted.totals) for counted in counts], Deadline(budget))
    for counted, reply in zip(counts, replies, strict=True):
        counted.take(reply)
    return BoxCount(position, counts)


class _Counts:
    """Layouts of one component by mine count, as `boxes.Tally` has them."""

    def __init__(self, position: Position, component: Component, budget: float | None) -> None:
        self._boxes = [position.problem.boxes[b] for b in component.boxes]
        self._budget = budget
        self._formula = encode(position.problem, form="cells", component=component)
        low, high = mine_bounds(position.problem, component)
        cells = self._formula.projection
        self._limits = Limits(cells, lowest=low, highest=high, top=self._formula.variables)
        self.totals = range(low, high + 1)
        """The numbers of mines that it may hold."""
        self.ways: dict[int, int] = {}

    def take(self, reply: list[int]) -> None:
        """Take in the layouts for each of the `totals`."""
        self.ways = {mines: ways for mines, ways in zip(self.totals, reply, strict=True) if ways}

    @cached_property
    def mined(self) -> list[dict[int, int]]:
        """Per box: layouts with a mine in its first cell."""
        firsts = [self._formula.mine[box.cells[0]] for box in self._boxes]
        replies = _ask([self.task(self.ways, first) for first in firsts], Deadline(self._budget))
        return [dict(zip(self.ways, reply, strict=True)) for reply in replies]

    def task(self, totals: Any, *units: int) -> dict[str, Any]:
        """To count the layouts for each of some numbers of mines, given what else is known."""
        known = [*self._formula.assumptions(), *units]
        bounds = [(self._limits.at_least(mines), self._limits.at_most(mines)) for mines in totals]
        return {
            "variables": self._limits.top,
            "clauses": self._formula.clauses + self._limits.clauses,
            "show": self._formula.projection,
            "units": [known + [bound for bound in pair if bound is not None] for pair in bounds],
        }


def _ask(tasks: list[dict[str, Any]], deadline: Deadline) -> list[list[int]]:
    """Have tasks counted in a process of their own (see `ganak_worker.py`), which ends with the deadline."""
    with subprocess.Popen(
        [sys.executable, "-m", "msat.engines.ganak_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for us, and we end it
    ) as process:
        try:
            output, errors = process.communicate(json.dumps(tasks), timeout=deadline.left())
        except subprocess.TimeoutExpired:
            raise BudgetExceeded(f"Ganak did not finish counting {deadline.within()}") from None
        finally:
            process.kill()
    if process.returncode:
        raise MsatError(f"Ganak failed: {errors.strip().splitlines()[-1:]}")
    replies: list[list[int]] = json.loads(output)
    return replies
