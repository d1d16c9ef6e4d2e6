"""`chain`: document 002's player: all answers of each set of equations, then the least likely mine.

What: simple rules first. Then the numbers are equations over hidden cells; those that share cells form a set;
a cell that is 0 (or 1) in every answer of its set is opened (or marked). Where the mines left restrict the
answers, combinations that do not fit are left out. (The document calls unseen cells safe already where the
sets *can* hold all mines left; here only where they must.) Else the cell that is a mine in the smallest share
of answers is weighed against an unseen one, which no number touches: a free corner, or beside the front.
The document stops searching after a time limit, and then guesses. Time would make a game depend on the
machine, so the limit here is on the answers of a set (`most_answers`), which is what takes the time there.
Cost: about 0.5 ms for an expert game, in one compiled call. Answers are counted, not listed, so that U-shaped
fronts, the document's bottleneck, cost no more than others.
When it loses: answers are weighed equally though those with fewer mines are likelier, and unseen cells are
judged by an extreme of what the front can hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import Board
from msat.errors import BudgetExceeded
from msat.strategies._kernels import game as k
from msat.strategies._kernels.chain import decide_chain, play_chain
from msat.strategies.compiled import SEEDS, CompiledStrategy, Decision, Ranking, cells_where
from msat.strategies.parameter import Parameter
from msat.strategies.strategy import Choice

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Chain"]

_ESTIMATES = {"fewest": 0.0, "average": 0.5, "most": 1.0}


class Chain(CompiledStrategy):
    """Document 002's player.

    >>> choice = Chain().choose(Board.parse("1????/?????/?????/????? 3"))
    >>> choice.kind, choice.cells, round(choice.safety, 3)
    ('unseen', ((0, 4),), 0.875)
    """

    name: ClassVar[str] = "chain"
    summary: ClassVar[str] = "document 002: all answers of each equation set, then the least likely mine"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "most_answers",
            1_000_000,
            "answers of one equation set after which it guesses instead",
            low=1,
            high=1e15,
        ),
        Parameter(
            "front_holds",
            "most",
            "mines of the front, of those possible, that unseen cells are judged by",
            choices=tuple(_ESTIMATES),
        ),
    )
    reasons: ClassVar[dict[str, str]] = {
        "rule": "proven safe by rules 1–2",
        "count": "0 in every answer of its equations",
        "front": "a mine in the fewest answers",
        "unseen": "unseen, and safer than the front",
    }

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self._limit = float(self._values["most_answers"])
        self._estimate = _ESTIMATES[str(self._values["front_holds"])]
        self._seed = 0

    def for_game(self, seed: int) -> Chain:
        """The player that draws the random numbers of the game with this seed."""
        player = Chain(**self._values)
        player._seed = seed % SEEDS
        return player

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """What every answer agrees on, or the least likely mine."""
        verdict = np.empty(array.shape, np.int8)
        risk = np.empty(array.shape, np.float64)
        kind, cell, safety = decide_chain(
            array, mines, self._seed, self._limit, self._estimate, verdict, risk
        )
        ranked: Ranking = ()
        if kind in (k.FRONT, k.UNSEEN):
            chosen = divmod(cell, array.shape[1])
            front = [
                (other, 1.0 - float(risk[other])) for other in cells_where(risk < 1.0) if other != chosen
            ]
            ranked = ((chosen, safety), *sorted(front, key=lambda pair: -pair[1]))
        return Decision(kind, cell, safety, verdict, ranked)

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game in one call."""
        return play_chain(numbers, mines, r, c, seed % SEEDS, self._limit, self._estimate)

    def choose_slowly(self, board: Board) -> Choice | None:
        """There is no slower way: a board without an answer contradicts itself, or is too wide."""
        analyze(board)
        raise BudgetExceeded("chain: an equation set of this board needs more memory than it is given")
