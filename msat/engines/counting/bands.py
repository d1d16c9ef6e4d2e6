"""The rules on boards of any size: large ones band by band, so that the clock and Ctrl-C come through.

What the rules find in a band of rows, without the numbers at its cut edges, holds on the whole board. So the
bands go first, one call of the kernel each, and then the whole board has little left to be found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.cells import Cell
from msat.constants import HIDDEN, LAST_RULE, MINE, SAFE
from msat.deadline import Deadline
from msat.engines.counting._kernels.answer import ANSWERED, prefilter

__all__ = ["BAND", "apply_rules", "decided_by_rules"]

BAND = 20_000
"""Cells of a band, and of the largest board that is none: the rules take a few hundredths of a second."""


def apply_rules(
    array: NDArray[np.int8], grid: NDArray[np.int8], deadline: Deadline | None = None, *, lowest: int = MINE
) -> tuple[int, int, int]:
    """What the kernel `prefilter` does with all rules: (status, detail, mines on the grid now)."""
    if array.size <= BAND or not lowest <= array.min() <= array.max() <= 8:
        return prefilter(array, lowest, LAST_RULE, grid)
    height, width = array.shape
    known = array.copy()
    rows = max(1, BAND // width)
    for top in range(0, height, rows):
        if deadline is not None:
            deadline.check("the board was not taken in")
        first, last = max(top - 1, 0), min(top + rows + 1, height)
        band = known[first:last].copy()
        for edge, cut in ((0, first > 0), (-1, last < height)):
            if cut:
                band[edge][band[edge] >= 0] = SAFE
        found = np.empty_like(band)
        if prefilter(band, SAFE, LAST_RULE, found)[0] == ANSWERED:  # otherwise the whole board says why
            hidden = band == HIDDEN
            known[first:last][hidden] = found[hidden]
    return prefilter(known, min(lowest, SAFE), LAST_RULE, grid)


def decided_by_rules(board: Board) -> tuple[list[Cell], list[Cell]]:
    """The hidden cells that the rules prove safe, and those that they prove mines; none if they contradict.

    That takes a moment where kernels are compiled, whatever the board: what can still be told of it when
    there is no time, or no memory, for more.

    >>> decided_by_rules(Board.parse("???/221 2")), decided_by_rules(Board.parse("1?/0? 1"))
    (([(0, 2)], [(0, 0), (0, 1)]), ([], []))
    """
    array = board.to_array()
    grid = np.empty_like(array)
    if apply_rules(array, grid)[0] != ANSWERED:
        return [], []
    return _places((array == HIDDEN) & (grid == SAFE)), _places((array == HIDDEN) & (grid == MINE))


def _places(where: NDArray[np.bool_]) -> list[Cell]:
    rows, columns = np.nonzero(where)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
