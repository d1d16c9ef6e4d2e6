"""How many of document 000's puzzles can be won without a guess.

A sharp test of any solver: whoever finds every forced cell wins exactly the same puzzles without guessing,
whatever the order of moves. The puzzles are regenerated bit for bit (`msat/kiss.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from msat.arena._kernels import UNANSWERED, WON, play_forced
from msat.board import Cell, preset
from msat.engines.passes import LAST_RULE
from msat.layout import kiss_layouts

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
    board = np.empty((height, width), np.int8)
    wins = 0
    for layout in kiss_layouts(height, width, mines, seed, puzzles.start, count):
        end = play_forced(layout.numbers(), mines, *puzzles.start, LAST_RULE, board)
        if end == UNANSWERED:
            raise AssertionError(f"a position of {layout!r} was too wide for the fast path")
        wins += end == WON
    return wins
