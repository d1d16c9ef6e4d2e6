"""What a click leads to: what its number may prove, and how safe the click after it will be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from msat.analysis import Analysis
from msat.board import Cell
from msat.constants import HIDDEN
from msat.engines.counting._kernels.answer import ANSWERED, PROVEN_MINE, PROVEN_SAFE
from msat.engines.counting.engine import count_array

__all__ = ["Prospects", "prospects"]


class Prospects(NamedTuple):
    """What follows if a cell is opened, and is safe."""

    progress: float
    """The chance that its number proves another cell safe, or that nothing is left to open."""
    second: float
    """The safety of the best click after it, on average; 1.0 where one is proven, or none is needed."""


def prospects(analysis: Analysis, cell: Cell) -> Prospects:
    """What follows if a hidden cell that may be safe is opened, and is safe.

    >>> from msat.analysis import analyze
    >>> from msat.board import Board
    >>> found = prospects(analyze(Board.parse("1????/????? 3")), (0, 2))
    >>> round(found.progress, 4), round(found.second, 4)
    (0.2333, 0.8667)
    """
    board = analysis.board
    array = board.to_array()
    chances = analysis.number_chances[cell].tolist()
    progress = second = 0.0
    for number, chance in enumerate(chances):
        if not chance:
            continue
        array[cell] = number
        found = count_array(array, board.mines)
        assert found.status == ANSWERED  # the number is possible
        hidden = array == HIDDEN
        if np.any(found.verdict == PROVEN_SAFE) or np.all(found.verdict[hidden] == PROVEN_MINE):
            progress += chance
            second += chance
        else:
            second += chance * (1.0 - float(np.min(found.probability[hidden])))
    safety = sum(chances)
    return Prospects(min(1.0, progress / safety), min(1.0, second / safety))
