"""`best`: the strongest player: exact endgames, and guesses judged by where they lead.

What: opens what is proven safe. Else, in this order: where few layouts are left, perfect play by exhaustive
search; a closed pocket, by the same search; else the cell whose guess leads to the best boards: every living
cell that is almost as safe as the safest is tried with every number that it may show, and the board that
this leaves is analysed and judged. Where no cell can teach anything any more, the safest.
Cost: about 1.5 ms for an expert game.
When it loses: mostly by guesses early in the game that any player has to make, and by those that are left
over when nothing can be told apart any more. `docs/strength.md` has the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.engines.passes import LAST_RULE
from msat.strategies._kernels import game as k
from msat.strategies._kernels.best import decide_best
from msat.strategies._kernels.exact import decide_exact, go_on_exact
from msat.strategies._kernels.guess import Ranked
from msat.strategies.compiled import CompiledStrategy, Decision, Ranking
from msat.strategies.parameter import Parameter
from msat.strategies.safest import Safest
from msat.strategies.strategy import Choice

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Best"]

_STATES = 1024
_NODES_PER_LAYOUT = 50


class Best(CompiledStrategy):
    """The strongest player.

    >>> choice = Best().choose(Board.parse("1???/???? 2"))
    >>> choice.kind, choice.cells
    ('endgame', ((0, 3),))
    """

    name: ClassVar[str] = "best"
    summary: ClassVar[str] = "exact endgames, and guesses judged by the boards that they lead to"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "layouts", 1000, "endgames with at most so many layouts are searched exactly", low=1, high=100_000
        ),
        Parameter(
            "nearly",
            0.9,
            "candidates for a guess have at least this share of the best safety",
            low=0.5,
            high=1.0,
        ),
    )
    reasons: ClassVar[dict[str, str]] = {
        "rule": "proven safe by rules 1–9",
        "count": "proven safe by counting",
        "endgame": "best by perfect play to the end",
        "pocket": "best by perfect play in a closed pocket",
        "evaluated": "leads to the best boards",
        "blind": "safest, where no cell teaches anything",
    }

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self._most = int(self._values["layouts"])
        self._nodes = _NODES_PER_LAYOUT * self._most
        self._nearly = float(self._values["nearly"])

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """All cells that are proven safe, or the best guess."""
        verdict = np.empty(array.shape, np.int8)
        probability = np.empty(array.shape, np.float64)
        kind, cell, safety = decide_exact(array, mines, LAST_RULE, False, probability, verdict)
        if kind != k.STOP:
            return Decision(kind, cell, safety, verdict)
        ranked = _new_ranked(array.size)
        kind, cell, _, tried = self._guess(array, mines, probability, verdict, ranked)
        if kind == k.STOP:
            return Decision(kind, cell, 0.0, verdict)
        safety = 1.0 - float(probability.ravel()[cell])
        ranking: Ranking = ((divmod(cell, array.shape[1]), safety),)
        if tried:
            order = np.argsort(-ranked.scores[:tried], kind="stable")
            cells = ranked.cells[order].tolist()
            safeties = ranked.safeties[order].tolist()
            ranking = tuple((divmod(x, array.shape[1]), q) for x, q in zip(cells, safeties, strict=True))
        return Decision(kind, cell, safety, verdict, ranking)

    def _guess(
        self,
        board: NDArray[np.int8],
        mines: int,
        probability: NDArray[np.float64],
        verdict: NDArray[np.int8],
        ranked: Ranked,
    ) -> tuple[int, int, float, int]:
        return decide_best(
            board, mines, probability, verdict, self._most, self._nodes, self._nearly, _STATES, ranked
        )

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The game in a compiled call for every guess, and one for all that is proven in between."""
        table = k.lay(numbers, mines, r, c)
        probability = np.empty(numbers.shape, np.float64)
        ranked = _new_ranked(numbers.size)
        while True:
            end = go_on_exact(table, mines, LAST_RULE, False, probability)
            if end != k.STOPPED:
                return end, table
            kind, cell, _, _ = self._guess(table.board, mines, probability, table.verdict, ranked)
            if kind == k.STOP:
                return k.STOPPED, table
            safety = 1.0 - float(probability.ravel()[cell])
            if not k.carry_out(table, kind, cell, safety):
                return k.LOST, table

    def choose_slowly(self, board: Board) -> Choice | None:
        """On boards too wide for the fast path the safest cell; an inconsistent board is an error there."""
        choice = Safest().choose_slowly(board)
        if choice is None or not choice.is_guess:
            return choice
        return Choice(
            choice.cells, choice.safety, self.reasons["blind"], choice.ranking, choice.mines, "blind"
        )


def _new_ranked(area: int) -> Ranked:
    return Ranked(np.empty(area, np.int64), np.empty(area, np.float64), np.empty(area, np.float64))
