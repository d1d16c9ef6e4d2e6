"""How many of document 000's puzzles (docs/sources.md) can be won without a guess.

A sharp test of any solver: whoever finds every forced cell wins exactly the same puzzles without guessing,
whatever the order of moves. The puzzles are regenerated bit for bit (`msat/kiss.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from msat.arena.boards import kiss_numbers, protected_cells
from msat.board import Cell, preset
from msat.strategies import get

__all__ = ["PUZZLES", "Puzzles", "forced_wins"]


class Puzzles(NamedTuple):
    """One of the document's three series of 100,000 puzzles: seeds 1 to 1000, a hundred each."""

    preset: str
    start: Cell
    forced: int  # wins without a guess, by complete logic


PUZZLES: dict[str, Puzzles] = {
    "small": Puzzles("beginner", (2, 2), 91_840),
    "medium": Puzzles("intermediate", (2, 3), 72_259),
    "expert": Puzzles("expert", (3, 3), 16_385),
}


def forced_wins(series: str, seed: int, count: int = 100) -> int:
    """Wins among the first `count` puzzles of a seed, opening only cells that are proven safe.

    >>> forced_wins("small", seed=1, count=10)
    9
    """
    puzzles = PUZZLES[series]
    height, width, mines = preset(puzzles.preset)
    protected = protected_cells(height, width, puzzles.start, "open")
    logic = get("logic")
    boards = kiss_numbers(mines, seed, 0, count, protected)
    return sum(logic.play_numbers(numbers, mines, puzzles.start, seed).won for numbers in boards)
