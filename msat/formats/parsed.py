"""What every reader of a board or a layout returns: plain values, not yet checked as a whole.

The readers know nothing of `Board` and `Layout`, which are built on them and check what they are given.
"""

from __future__ import annotations

from typing import NamedTuple

from msat.cells import HIDDEN, MINE, Cell

__all__ = ["HIDDEN_BYTE", "MINE_BYTE", "ParsedBoard", "ParsedLayout", "rows_of"]

HIDDEN_BYTE = HIDDEN & 0xFF
MINE_BYTE = MINE & 0xFF


class ParsedBoard(NamedTuple):
    """A board as written: `values` has a signed byte a cell, `mines` is None if the text has no total."""

    height: int
    width: int
    values: bytes
    mines: int | None


class ParsedLayout(NamedTuple):
    """A layout as written: `mask` holds 1 for a mine and 0 for a safe cell."""

    height: int
    width: int
    mask: bytes
    start: Cell | None


def rows_of(cells: str, width: int) -> list[str]:
    """The rows of a grid that has a character a cell, row after row.

    >>> rows_of("?1?*11", 3)
    ['?1?', '*11']
    """
    return [cells[i : i + width] for i in range(0, len(cells), width)]
