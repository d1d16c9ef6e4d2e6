"""`classic`, the player of document 000 (docs/sources.md): rules, placements, two kinds of guesses.

What: opens what rules 1–9 or rule 10 prove. Rule 10 weighs all placements of mines in a *sequence* (hidden
cells joined by shared numbers) equally, within caps that follow from the mines left; with at most `end_play`
cells hidden it takes everything as one sequence that holds them all. Where nothing is proven: guess 1 opens a
cell away from all numbers if that looks safer than any cell of a sequence (preferably two cells off a
number, where what it shows helps; else in a corner), and guess 2 the safest cell of a sequence. On the
document's own 300,000 puzzles it makes the very guesses that the document counts.
Cost: about 0.5 ms for an expert game, in one compiled call: placements are counted, not enumerated.
When it loses: a placement with fewer mines is likelier than one with more, which equal weights ignore, and
the guess between open cells and sequences rests on an average of extremes. `probabilities=exact` mends both.
It also guesses where only the mine total proves a cell of the open area safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import Board
from msat.errors import BudgetExceeded
from msat.strategies._kernels import game as k
from msat.strategies._kernels.classic import Settings, decide_classic, play_classic
from msat.strategies.choice import Choice
from msat.strategies.compiled import CompiledStrategy, Decision, Ranking
from msat.strategies.parameter import Parameter

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Classic"]

RULES = 9
"""The rules of document 000: that number, however many msat may have."""


class Classic(CompiledStrategy):
    """Document 000's player.

    >>> choice = Classic(end_play=6).choose(Board.parse("1????/?????/?????/????? 3"))
    >>> choice.kind, choice.cells, round(choice.safety, 3)
    ('guess1', ((0, 4),), 0.895)
    """

    name: ClassVar[str] = "classic"
    summary: ClassVar[str] = (
        "rules, then placements weighed equally, then guesses away from numbers or beside them"
    )
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("end_play", 30, "hidden cells from which on all are one sequence", low=6, high=30),
        Parameter(
            "guess1_offset",
            -0.02,
            "added to the open cells' mine probability before it is compared",
            low=-0.2,
            high=0.2,
        ),
        Parameter("guess1", True, "guess among cells that no number touches"),
        Parameter("guess1_near", True, "… beside a sequence, where the number shown helps"),
        Parameter("guess1_far", True, "… away from all sequences, to open a new area"),
        Parameter("guess2", True, "guess among cells that a number touches"),
        Parameter(
            "probabilities",
            "document",
            "weigh all placements equally, or exactly",
            choices=("document", "exact"),
        ),
        Parameter(
            "mode",
            "program",
            "as the program that printed the document's figures, or as its text",
            choices=("program", "text"),
        ),
    )
    reasons: ClassVar[dict[str, str]] = {
        "rule": f"proven safe by rules 1–{RULES}",
        "count": "in no placement a mine (rule 10)",
        "guess1": "guess 1: a cell that no number touches",
        "guess2": "guess 2: the safest cell of a sequence",
    }

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        v = self._values
        self._settings = Settings(
            end_play=int(v["end_play"]),
            offset=float(v["guess1_offset"]),
            near=bool(v["guess1"] and v["guess1_near"]),
            far=bool(v["guess1"] and v["guess1_far"]),
            guess2=bool(v["guess2"]),
            exact=v["probabilities"] == "exact",
            program=v["mode"] == "program",
        )

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """What is proven, or one of the two guesses."""
        verdict = np.empty(array.shape, np.int8)
        probability = np.empty(array.shape, np.float64)
        order = np.empty(array.size, np.int64)
        merit = np.empty(array.size, np.int64)
        support = np.empty(array.size, np.int64)
        kind, cell, safety = decide_classic(
            array, mines, RULES, self._settings, verdict, probability, order, merit, support
        )
        ranked: Ranking = ()
        if kind == k.GUESS1:
            cells = sorted(np.flatnonzero(merit).tolist(), key=lambda i: (-merit[i], i))
            ranked = tuple((divmod(i, array.shape[1]), safety) for i in cells)
        elif kind == k.GUESS2:
            risk = probability.ravel()
            cells = sorted(order[order >= 0].tolist(), key=lambda i: (i != cell, risk[i], -support[i]))
            ranked = tuple((divmod(i, array.shape[1]), 1.0 - float(risk[i])) for i in cells)
        return Decision(kind, cell, safety, verdict, ranked)

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game in one call."""
        return play_classic(numbers, mines, r, c, RULES, self._settings)

    def choose_slowly(self, board: Board) -> Choice | None:
        """There is no slower way: a board without an answer contradicts itself, or is too wide."""
        analyze(board)
        raise BudgetExceeded("classic: a sequence of this board needs more memory than it is given")
