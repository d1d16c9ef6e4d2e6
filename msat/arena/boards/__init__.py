"""The layouts of many games at once, as arrays of numbers: `Layout.random` and `Layout.kiss`, compiled.

A game of the arena takes about a millisecond; drawing its layout in Python would take half as long again.
A test compares these with the layouts that `msat/layout.py` makes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat.arena.boards._kernels import kiss_boards, pcg_boards
from msat.cells import Cell

__all__ = ["kiss_numbers", "pcg_numbers", "protected_cells"]


def protected_cells(height: int, width: int, start: Cell, first: str) -> NDArray[np.bool_]:
    """The cells that the first-click rule keeps free: the 3×3 around `start`, it alone, or none.

    >>> protected_cells(2, 4, (0, 0), "open").astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    protected = np.zeros((height, width), np.bool_)
    r, c = start
    if first == "open":
        protected[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2] = True
    elif first == "safe":
        protected[r, c] = True
    return protected


def pcg_numbers(
    mines: int, seed: int, first: int, count: int, protected: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """The numbers, −2 at mines, of `count` layouts from `Layout.random`, seeds seed·2^32 + first and on.

    >>> pcg_numbers(2, 7, 0, 1, protected_cells(2, 4, (0, 0), "open"))[0].tolist()
    [[0, 1, 2, -2], [0, 1, -2, 2]]
    """
    free = np.flatnonzero(~protected.ravel())
    numbers = np.empty((count, *protected.shape), np.int8)
    with np.errstate(over="ignore"):  # uncompiled, numpy would warn of the wrap-around that is meant
        pcg_boards(seed, first, mines, free, numbers)
    return numbers


def kiss_numbers(
    mines: int, seed: int, first: int, count: int, protected: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """The numbers, −2 at mines, of `count` layouts from `Layout.kiss`: index `first` and on, of one seed.

    >>> kiss_numbers(2, 1, 0, 1, protected_cells(2, 4, (0, 0), "open"))[0].tolist()
    [[0, 1, 2, 2], [0, 1, -2, -2]]
    """
    numbers = np.empty((count, *protected.shape), np.int8)
    with np.errstate(over="ignore"):
        kiss_boards(np.uint64(seed), first, mines, protected, numbers)
    return numbers
