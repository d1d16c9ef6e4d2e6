"""`logic`: opens every cell that is proven safe, and never guesses.

What: finds all forced cells, the mine total included, and opens every safe one: what the rules prove first,
and where they prove nothing, what an exact count proves. Nothing that can be deduced is missed, so it
measures how far pure deduction goes on a board.
Cost: about 0.2 ms for an expert game, in one compiled call.
When it loses: never by a mine. It stops wherever no cell is proven safe, which on most expert boards is
before the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import Board
from msat.constants import LAST_RULE
from msat.engines.rules.table import ALL_RULES
from msat.strategies._kernels import game as k
from msat.strategies._kernels.safest import decide_exact, go_on_exact
from msat.strategies.choice import BY_COUNTING, Choice
from msat.strategies.compiled import CompiledStrategy, Decision

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Logic"]


class Logic(CompiledStrategy):
    """Opens every cell that is proven safe; gives up where there is none.

    >>> print(Logic().choose(Board.parse("??/11 1")))
    None
    >>> Logic().choose(Board.parse("???/121 2")).cells
    ((0, 1),)
    """

    name: ClassVar[str] = "logic"
    summary: ClassVar[str] = "opens what is proven safe and stops where nothing is"
    all_rules: ClassVar[bool] = True
    reasons: ClassVar[dict[str, str]] = {
        "rule": f"proven safe by {ALL_RULES}",
        "count": BY_COUNTING,
    }

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """All cells that are proven safe, by the rules or else by an exact count."""
        verdict = np.empty(array.shape, np.int8)
        probability = np.empty(array.shape, np.float64)
        kind, cell, safety = decide_exact(array, mines, LAST_RULE, False, probability, verdict)
        return Decision(kind, cell, safety, verdict)

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game, from its start on in one call."""
        table = k.lay(numbers, mines, r, c)
        return go_on_exact(table, mines, LAST_RULE, False, np.empty(numbers.shape)), table

    def choose_slowly(self, board: Board) -> Choice | None:
        """The same by the engine that takes the room it needs; an inconsistent board is an error there."""
        analysis = analyze(board)
        if not analysis.safe:
            return None
        cells, mines = tuple(sorted(analysis.safe)), tuple(sorted(analysis.mined))
        return Choice(cells, 1.0, self.reasons["count"], mines=mines, kind="count")
