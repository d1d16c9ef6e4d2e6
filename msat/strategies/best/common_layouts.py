"""Layouts drawn at random for a board, each that agrees with it as likely as any other.

Nothing is random but these layouts, and they derive from the board: the same board gets the same layouts, in
the same order. `stream` tells apart those on which a move is chosen from those on which it is judged.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from msat.deadline import Interrupts
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting._kernels.sample import sample_layouts
from msat.problem._kernels.grid import show_numbers
from msat.strategies.best._kernels.redraw import MOST_DRAWS

__all__ = ["BATCH", "DrawnLayouts", "seed_of"]

BATCH = 64
"""Layouts that are drawn at once: they share the count of the board, which takes as long as several draws."""

_ELSEWHERE = 1 << 60  # far from the seeds of batches …
_SEEDS = 100 * MOST_DRAWS  # … and enough for 100 redraws of a game on a layout


def seed_of(board: NDArray[np.int8], mines: int, stream: int) -> int:
    """A seed that derives from a board, below 2^56: there is room to count on from it."""
    described = f"{stream} {mines} {board.shape}".encode() + board.tobytes()
    return int.from_bytes(blake2b(described, digest_size=7).digest(), "little")


class DrawnLayouts:
    """Layouts of one board: int8, −1 hidden, −2 known mine, 0…8 revealed.

    Where a mine is proven it is best marked: then the layouts do not depend on which ones a user has marked.
    """

    def __init__(self, board: NDArray[np.int8], mines: int, stream: int = 0) -> None:
        self._board = board
        self._mines = mines
        self._seed = seed_of(board, mines, stream)
        self._drawn = -1
        self._batch = np.empty((BATCH, *board.shape), np.int8)
        self.possible = self._draw(0)
        """Whether layouts can be drawn: there are some, and the board is not too wide for the kernels."""

    def numbers(self, layout: int) -> NDArray[np.int8]:
        """A layout: what its cells show, −2 at mines."""
        self._draw(layout // BATCH)
        numbers: NDArray[np.int8] = self._batch[layout % BATCH]
        return numbers

    def seed(self, layout: int) -> int:
        """A seed for whatever else is random where a layout is played on."""
        return self._seed + _ELSEWHERE + _SEEDS * layout

    def _draw(self, batch: int) -> bool:
        """Have the layouts of a batch ready; False where they cannot be drawn."""
        if batch != self._drawn:
            mined = np.empty_like(self._batch)
            with Interrupts():
                if sample_layouts(self._board, self._mines, BATCH, self._seed + batch, mined) != ANSWERED:
                    return False
                for layout in range(BATCH):
                    show_numbers(mined[layout], self._batch[layout])
                self._drawn = batch
        return True
