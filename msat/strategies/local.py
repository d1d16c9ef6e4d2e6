"""`local`, the player of document 001 (docs/sources.md): one number at a time, and a random cell of the best.

What: β is a number less the marked mines around it; β = 0 opens the rest, β = all of them marks them. Where
neither helps, every assignment of mines to the hidden cells around one number is tried, and kept if all
numbers nearby can still be met. P(safe) of a cell is its share of what is kept: 1 is opened, 0 is marked;
else one cell of the highest share, drawn at random. The draw depends on the game's seed and the board alone.
Cost: about 1.1 ms for an expert game, in one compiled call.
When it loses: a share of local assignments is no probability, numbers farther away and the mine total are
ignored, and cells that no number touches are not considered while others are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import Board
from msat.strategies._kernels import game as k
from msat.strategies._kernels.local import decide_local, play_local
from msat.strategies.choice import Choice
from msat.strategies.compiled import SEEDS, Decision, DrawingStrategy, Ranking, cells_where

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Local"]


class Local(DrawingStrategy):
    """Document 001's player, with the random numbers of the game with seed 0.

    >>> choice = Local().choose(Board.parse("2??/??? 2"))
    >>> choice.kind, round(choice.safety, 3)
    ('guess', 0.333)
    """

    name: ClassVar[str] = "local"
    summary: ClassVar[str] = "tries all mines around one number, else a random cell of the best"
    reasons: ClassVar[dict[str, str]] = {
        "rule": "β is 0",
        "count": "safe in every assignment around a number",
        "guess": "one of the highest share, drawn at random",
    }

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """What is certain around some number, or a random cell of the highest share."""
        verdict = np.empty(array.shape, np.int8)
        shares = np.empty(array.shape, np.float64)
        kind, cell, safety = decide_local(array, mines, self._seed, verdict, shares)
        ranked: Ranking = ()
        if kind == k.GUESS:
            chosen = divmod(cell, array.shape[1])
            cells = cells_where(~np.isnan(shares))
            order = sorted(cells, key=lambda other: (other != chosen, -shares[other]))
            ranked = tuple((other, float(shares[other])) for other in order)
        return Decision(kind, cell, safety, verdict, ranked)

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game in one call."""
        return play_local(numbers, mines, r, c, seed % SEEDS)

    def choose_slowly(self, board: Board) -> Choice | None:
        """A number cannot be met: the error says which."""
        analyze(board)
        raise AssertionError(f"{board!r}: a number cannot be met on a board that has a solution")
