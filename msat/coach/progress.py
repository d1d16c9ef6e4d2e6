"""What a move is likely to teach: whether its number will prove another cell safe."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from msat.board import Board, Cell
from msat.engines.counting._kernels.answer import ANSWERED, PROVEN_SAFE
from msat.engines.counting.engine import count_array
from msat.engines.counting.exact import ExactCount

__all__ = ["progress"]


def progress(board: Board, cell: Cell) -> Fraction:
    """How likely a cell, if it is safe, is to show a number that proves another cell safe.

    >>> progress(Board.parse("1????/????? 3"), (0, 2))
    Fraction(7, 30)
    """
    array = board.to_array()
    all_layouts = telling = 0
    for number in range(9):
        array[cell] = number
        found = count_array(array, board.mines)
        if found.status == ANSWERED:
            layouts = ExactCount(array, board.mines).solutions
            all_layouts += layouts
            telling += layouts if np.any(found.verdict == PROVEN_SAFE) else 0
    return Fraction(telling, all_layouts)
