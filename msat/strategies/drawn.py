"""Layouts drawn at random for a board, each that agrees with it as likely as any other.

Nothing is random but these layouts, and they derive from the board: the same board gets the same layouts, in
the same order. `stream` tells apart those on which a move is chosen from those on which it is judged.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from msat.board import MINE
from msat.engines._kernels.answer import ANSWERED
from msat.engines._kernels.sample import sample_layouts

__all__ = ["BATCH", "DrawnLayouts"]

BATCH = 64
"""Layouts that are drawn at once: they share the count of the board, which takes as long as several draws."""


class DrawnLayouts:
    """Layouts of one board: int8, −1 hidden, −2 known mine, 0…8 revealed.

    Where a mine is proven it is best marked: then the layouts do not depend on which ones a user has marked.
    """

    def __init__(self, board: NDArray[np.int8], mines: int, stream: int = 0) -> None:
        self._board = board
        self._mines = mines
        described = f"{stream} {mines} {board.shape}".encode() + board.tobytes()
        digest = blake2b(described, digest_size=7).digest()  # a seed that leaves room to count batches
        self._seed = int.from_bytes(digest, "little")
        self._drawn = -1
        self._batch = np.empty((BATCH, *board.shape), np.int8)
        self.possible = self._draw(0)
        """Whether layouts can be drawn: there are some, and the board is not too wide for the kernels."""

    def numbers(self, layout: int) -> NDArray[np.int8]:
        """A layout: what its cells show, −2 at mines."""
        self._draw(layout // BATCH)
        numbers: NDArray[np.int8] = self._batch[layout % BATCH]
        return numbers

    def _draw(self, batch: int) -> bool:
        """Have the layouts of a batch ready; False where they cannot be drawn."""
        if batch != self._drawn:
            mined = np.empty_like(self._batch)
            if sample_layouts(self._board, self._mines, BATCH, self._seed + batch, mined) != ANSWERED:
                return False
            self._batch = _numbers(mined)
            self._drawn = batch
        return True


def _numbers(mined: NDArray[np.int8]) -> NDArray[np.int8]:
    """What the cells of layouts (1 for a mine) show: the mines around, −2 at mines.

    >>> _numbers(np.array([[[1, 0, 0], [0, 0, 0]]], np.int8)).tolist()
    [[[-2, 1, 0], [1, 1, 0]]]
    """
    _, height, width = mined.shape
    padded = np.pad(mined, ((0, 0), (1, 1), (1, 1)))
    around = np.zeros_like(mined)
    for r in range(3):
        for c in range(3):
            around += padded[:, r : r + height, c : c + width]
    around[mined == 1] = MINE
    return around
