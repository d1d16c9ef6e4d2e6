"""Compile what the tests use, before several processes need the same kernels at the same time."""

from __future__ import annotations

import os

<<<<<<< HEAD
os.environ["MSAT_KERNELS"] = "compiled"
=======
import msat
from msat import strategies
from msat.arena.boards import kiss_numbers, pcg_numbers, protected_cells
from msat.engines.counting._kernels.sample import sample_layouts
from msat.layout import Layout


def main() -> None:
    """Ask every compiled part once."""
    board = msat.Board.parse("?1????/??????/??2??? 6")
    analysis = msat.analyze(board)
    analysis.exact(0, 0)
    analysis.dead  # noqa: B018
    msat.deductions(board)
    msat.explain_contradiction(msat.Board.parse("?1?/?1?/?1? 9"))
    msat.sample(board)
    sample_layouts(board.to_array(), board.mines, 1, 0, np.empty((1, 3, 6), np.int8))
    msat.win_probability(msat.Board.blank(3, 3, 2))
    msat.best_move(msat.Board.blank(8, 8, 12))
    layout = Layout.random(9, 9, 10, seed=1, start=(4, 4))
    msat.metrics(layout)
    msat.difficulty(layout)
    for numbers in (pcg_numbers, kiss_numbers):
        numbers(2, 1, 0, 1, protected_cells(3, 3, (0, 0), "safe"))
    for name in strategies.names():
        strategies.get(name).play_numbers(layout.numbers(), layout.mines, (4, 4), 1)
>>>>>>> 33cc651 (Walk through what is forced, say how hard it is, and make layouts as hard as asked for)

from msat.warming import main

if __name__ == "__main__":
    main([])
