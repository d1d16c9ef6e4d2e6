"""Cells and grids: the vocabulary that boards, layouts, games and file formats share.

A cell is `(row, column)`, 0-based. A grid is kept as `bytes`, one byte a cell, row by row: immutable,
hashable, cheap to compare, and an array for numpy without copying. The turns and mirrors of a grid live here
because a board and a layout must turn alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from operator import index as as_index
from typing import Any

from msat.constants import DEFAULT_START, HIDDEN, MINE, Cell
from msat.errors import CellError, MsatError, ParameterError
from msat.limits import MAX_SIDE, MAX_WORKERS
from msat.wording import argument, quoted, shown

__all__ = [
    "HIDDEN",
    "MAX_SIDE",
    "MINE",
    "Cell",
    "cells_object",
    "check_cell",
    "check_mines",
    "check_size",
    "check_workers",
    "default_start",
    "flip_horizontal",
    "flip_vertical",
    "index_of",
    "neighbours",
    "read_cell",
    "rotate_clockwise",
    "whole_number",
]


def cells_object(cells: Iterable[Cell]) -> list[list[int]]:
    """Cells as plain JSON values, in reading order.

    >>> cells_object({(1, 2), (0, 3)})
    [[0, 3], [1, 2]]
    """
    return [list(cell) for cell in sorted(cells)]


def index_of(value: Any) -> int | None:
    """A whole number of any kind as an int; None for anything else: classes and arrays only look like one.

    >>> index_of(7), index_of(True), index_of(7.0), index_of(int)
    (7, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else as_index(value)
    except TypeError:
        return None


def whole_number(value: object, name: str, error: type[MsatError]) -> int:
    """`value` as an int; a bool, a float or a text is refused rather than quietly converted."""
    number = index_of(value)
    if number is None:
        raise error(f"{argument(name, value)} is not a whole number")
    return number


def check_workers(workers: object, most: int = MAX_WORKERS, name: str = "workers") -> int:
    """A number of workers, or of threads, wherever one is asked for."""
    number = index_of(workers)
    if number is None or not 1 <= number <= most:
        raise ParameterError(f"{argument(name, workers)}: expected a whole number from 1 to {most:,}")
    return number


def check_size(height: object, width: object, error: type[MsatError]) -> tuple[int, int]:
    """`(height, width)` as ints if a board can have this size."""
    h = whole_number(height, "height", error)
    w = whole_number(width, "width", error)
    if not (1 <= h <= MAX_SIDE and 1 <= w <= MAX_SIDE):
        raise error(f"no board is {shown(h)}×{shown(w)}: height and width are between 1 and {MAX_SIDE}")
    return h, w


def check_mines(mines: object, height: int, width: int, error: type[MsatError]) -> int:
    """`mines` as an int if so many fit the board."""
    count = whole_number(mines, "mines", error)
    if not 0 <= count <= height * width:
        raise error(
            f"{shown(count)} mines do not fit a {height}×{width} board: between 0 and {height * width} do"
        )
    return count


def check_cell(cell: Cell, height: int, width: int) -> int:
    """The position of `cell` in a grid of this size; negative numbers do not count from the end."""
    try:
        row, column = cell
        r, c = as_index(row), as_index(column)
    except (TypeError, ValueError):
        raise CellError(f"{quoted(cell)} is not a cell: give (row, column)") from None
    if 0 <= r < height and 0 <= c < width:
        return r * width + c
    raise CellError(
        f"({shown(r)}, {shown(c)}) is not on the {height}×{width} board: rows 0 to {height - 1}, "
        f"columns 0 to {width - 1}"
    )


def default_start(height: int, width: int) -> Cell:
    """Where games begin if nothing else is said: DEFAULT_START, nearer the corner on tiny boards.

    >>> default_start(16, 30), default_start(4, 4)
    ((3, 3), (1, 1))
    """
    return min(DEFAULT_START[0], (height - 1) // 2), min(DEFAULT_START[1], (width - 1) // 2)


def read_cell(text: str) -> Cell | None:
    """The cell that `text` names, in any of the ways in which msat prints cells; None if it names none.

    >>> read_cell("3,4") == read_cell("(3, 4)") == read_cell("[3, 4]") == read_cell("r3c4") == (3, 4)
    True
    """
    number = "([0-9]{1,6})"
    pair = rf"[(\[]? ?{number} ?[,; ] ?{number} ?[)\]]?"
    found = re.fullmatch(rf"{pair}|[rR]{number}[cC]{number}", " ".join(text.split()))
    if found is None:
        return None
    row, column = [int(part) for part in found.groups() if part is not None]
    return row, column


# Bounded, so that one huge board cannot hold on to memory; large enough for every cell of a 200×200 board.
@lru_cache(maxsize=1 << 16)
def neighbours(height: int, width: int, position: int) -> tuple[int, ...]:
    """The positions of the up to eight cells around `position`, in row-major order.

    >>> neighbours(3, 3, 0)
    (1, 3, 4)
    """
    row, column = divmod(position, width)
    return tuple(
        r * width + c
        for r in range(max(row - 1, 0), min(row + 2, height))
        for c in range(max(column - 1, 0), min(column + 2, width))
        if (r, c) != (row, column)
    )


def flip_horizontal(grid: bytes, width: int) -> bytes:
    """The grid with left and right exchanged."""
    return b"".join(grid[i : i + width][::-1] for i in range(0, len(grid), width))


def flip_vertical(grid: bytes, width: int) -> bytes:
    """The grid with top and bottom exchanged."""
    return b"".join(grid[i : i + width] for i in range(len(grid) - width, -1, -width))


def rotate_clockwise(grid: bytes, width: int) -> bytes:
    """The grid after a quarter turn clockwise: its first row is the first column, read upwards."""
    last_row = len(grid) - width
    return b"".join(grid[last_row + c :: -width] for c in range(width))
