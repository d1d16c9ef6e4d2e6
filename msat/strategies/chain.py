"""`chain`, the player of document 002 (docs/sources.md): all answers of each equation set, then a guess.

What: simple rules first. Then the numbers are equations over hidden cells; those that share cells form a set;
a cell that is 0 (or 1) in every answer of its set is opened (or marked). Where the mines left restrict the
answers, combinations that do not fit are left out. (The document calls unseen cells safe already where the
sets *can* hold all mines left; here only where they must.) Else the least likely mine of the front is weighed
against an unseen cell, which no number touches: a free corner, or beside the front.
The document guesses "the cell with lowest chance of being a mine" and does not say how the chance is had. By
default answers count by the ways that the mines they leave fit elsewhere, which is the chance itself. With
`weigh="equal"` every answer counts once, and an unseen cell is judged by the fewest mines that the front can
hold: so did the author's program (MinesweeperBot, October 2024). Won of 20,000 expert boards each:

    top-left corner            safe      open
    weigh="mines"              38.7 %    46.1 %
    weigh="equal"              33.7 %    40.3 %
    the document               38.2–38.5 %, not saying which
    its author, later          33.2 %    39.8 %   (who then noted that the corner had been open before)

The document also stops thinking after ten seconds of a game, and then guesses. A clock makes games depend on
the machine, so `seconds` is off by default, and what limits the work is `most_answers`. The clock is read
before each decision, and runs only while this player thinks.
Cost: about 0.5 ms for an expert game, in one compiled call; about 3 ms with `seconds`. Answers are
counted, not listed, so that U-shaped fronts, the document's bottleneck, cost no more than others.
When it loses: it weighs only the next click, and a corner far away often tells less than a cell of the front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import HIDDEN, Board, Cell
from msat.constants import DAY
from msat.deadline import Deadline
from msat.errors import BudgetExceeded
from msat.strategies._kernels import game as k
from msat.strategies._kernels.chain import decide_chain, play_chain
from msat.strategies.choice import Choice
from msat.strategies.compiled import SEEDS, Decision, DrawingStrategy, Ranking, cells_where
from msat.strategies.parameter import Parameter
from msat.strategies.strategy import Played, Strategy

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Chain"]


class Chain(DrawingStrategy):
    """Document 002's player. Its clock, if it is given one, runs through one game: `for_game` starts anew.

    >>> choice = Chain().choose(Board.parse("1????/?????/?????/????? 3"))
    >>> choice.kind, choice.cells, round(choice.safety, 3)
    ('unseen', ((0, 4),), 0.875)
    """

    name: ClassVar[str] = "chain"
    summary: ClassVar[str] = (
        "lists all answers of each connected group of numbers, then opens the least likely mine"
    )
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "most_answers",
            1_000_000,
            "answers of one equation set after which it guesses instead",
            low=1,
            high=1e15,
        ),
        Parameter(
            "weigh",
            "mines",
            "answers by the ways that the mines they leave fit elsewhere, or all equally",
            choices=("mines", "equal"),
        ),
        Parameter(
            "seconds",
            0.0,
            "thinking time of a game, after which it only guesses; 0 is no limit",
            low=0,
            high=DAY,
        ),
    )
    reasons: ClassVar[dict[str, str]] = {
        "rule": "proven safe by rules 1–2",
        "count": "0 in every answer of its equations",
        "front": "the least likely mine of the front",
        "unseen": "unseen, and safer than the front",
        "guess": "not counted: too many answers, or no time left",
    }

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self._limit = float(self._values["most_answers"])
        self._by_mines = self._values["weigh"] == "mines"
        self._timed = bool(self._values["seconds"])
        self._thinking = Deadline(None)
        if self._timed:
            self.decide(np.full((1, 1), HIDDEN, np.int8), 0)  # the time to load the kernel is no thinking
            self._thinking = Deadline(float(self._values["seconds"]))
            self._thinking.stop()  # between decisions

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """What every answer agrees on, or the least likely mine; without time left, a guess."""
        verdict = np.empty(array.shape, np.int8)
        risk = np.empty(array.shape, np.float64)
        limit = 0.0 if self._thinking.over() else self._limit
        with self._thinking.running():
            kind, cell, safety = decide_chain(array, mines, self._seed, limit, self._by_mines, verdict, risk)
        ranked: Ranking = ()
        if kind in (k.FRONT, k.UNSEEN, k.GUESS):
            chosen = divmod(cell, array.shape[1])
            front = [
                (other, 1.0 - float(risk[other])) for other in cells_where(risk < 1.0) if other != chosen
            ]
            ranked = ((chosen, safety), *sorted(front, key=lambda pair: -pair[1]))
        return Decision(kind, cell, safety, verdict, ranked)

    def play_numbers(self, numbers: NDArray[np.int8], mines: int, start: Cell | None, seed: int) -> Played:
        """Play one game: in one call, or decision by decision where the time of each counts."""
        if self._timed:
            return Strategy.play_numbers(self, numbers, mines, start, seed)
        return super().play_numbers(numbers, mines, start, seed)

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game in one call."""
        return play_chain(numbers, mines, r, c, seed % SEEDS, self._limit, self._by_mines)

    def choose_slowly(self, board: Board) -> Choice | None:
        """There is no slower way: a board without an answer contradicts itself, or is too wide."""
        analyze(board)
        raise BudgetExceeded("chain: an equation set of this board needs more memory than it is given")
