"""Compiled: another layout for a game in progress, drawn at random from those in which a guess is safe.

How likely a guess is to be safe is known exactly. So a game that is played to learn something need not end
by bad luck: it counts by that chance, and goes on as if the guess had been safe. Where the layout it was
played on has a mine there, it takes another one that agrees with all that has been seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting._kernels.sample import sample_layouts
from msat.problem._kernels.grid import show_numbers
from msat.strategies._kernels.game import Table

__all__ = ["MOST_DRAWS", "redraw"]

Bytes = NDArray[np.int8]

AT_ONCE = 8  # layouts that are drawn together: most guesses are safe in one of them
MOST_DRAWS = 100  # of so many layouts at once; more are needed for a guess that is hardly ever safe


@kernel(apart=True)
def redraw(table: Table, mines: int, cell: int, seed: int) -> bool:
    """Play on with a layout in which `cell` is safe, each as likely as any other; False if none was found.

    Proven mines are marked on the table's board, whose numbers are overwritten.
    """
    h, w = table.board.shape
    drawn = np.empty((AT_ONCE, h, w), np.int8)
    for attempt in range(MOST_DRAWS):
        if sample_layouts(table.board, mines, AT_ONCE, seed + attempt, drawn) != ANSWERED:
            return False
        for i in range(AT_ONCE):
            if not drawn[i, cell // w, cell % w]:
                show_numbers(drawn[i], table.numbers)
                return True
    return False
