"""`subset`, the player of document 003 (docs/sources.md): splits overlapping clues, and never guesses.

What: a clue is a set of hidden cells and its number of mines. Where the overlap of two clues can hold only
one number of mines, the overlap and what remains of each take their place. A clue without mines is opened,
one full of mines marked. Two extensions that the document had planned are options: `corners` compares three
clues (a 1-3-1 corner), `mine_count` takes disjoint clues away from the mines left.
Cost: about 0.7 ms for an expert game, in one compiled call.
When it loses: never by a mine. It stops where three or more clues are needed together, and of course where
nothing is certain: it finishes about one expert board in ten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import Board
from msat.strategies._kernels.subset import decide_subset, play_subset
from msat.strategies.choice import Choice
from msat.strategies.compiled import CompiledStrategy, Decision
from msat.strategies.parameter import Parameter

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Subset"]


class Subset(CompiledStrategy):
    """Document 003's player.

    >>> Subset().choose(Board.parse("???/121 2")).cells
    ((0, 1),)
    >>> print(Subset().choose(Board.parse("??/11 1")))
    None
    """

    name: ClassVar[str] = "subset"
    summary: ClassVar[str] = "splits overlapping clues and stops where none splits"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("corners", False, "compare three clues at a time: 1-3-1 corners"),
        Parameter("mine_count", False, "take disjoint clues away from the mines left"),
    )
    reasons: ClassVar[dict[str, str]] = {
        "rule": "a clue without mines, after splitting",
        "count": "no mines remain outside disjoint clues",
    }

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self._corners = bool(self._values["corners"])
        self._mine_count = bool(self._values["mine_count"])

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """All cells of clues that hold no mine."""
        verdict = np.empty(array.shape, np.int8)
        kind, cell, safety = decide_subset(array, mines, self._corners, self._mine_count, verdict)
        return Decision(kind, cell, safety, verdict)

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game in one call."""
        return play_subset(numbers, mines, r, c, self._corners, self._mine_count)

    def choose_slowly(self, board: Board) -> Choice | None:
        """Two clues contradict each other: the error says which."""
        analyze(board)
        raise AssertionError(f"{board!r}: clues contradict that have a solution")
