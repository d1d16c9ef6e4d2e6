"""What a board's mine total may be, for the message where nobody said it: what is usual, and what fits."""

from __future__ import annotations

from msat.cells import neighbours
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard

__all__ = ["likely_total"]

_USUAL = {(9, 9): 10, (8, 8): 10, (16, 16): 40, (16, 30): 99, (30, 16): 99}
"""Mines of well-known games."""

_DENSITY = 6
"""Cells for every mine, where nothing else is known: about that of an intermediate game."""

_LOOKED_AT = 10_000
"""Cells that are looked at for what the numbers need: a message should not take seconds."""


def likely_total(board: ParsedBoard) -> tuple[int, str]:
    """A total that fits the board, and why it is suggested, empty where nothing says so.

    >>> likely_total(ParsedBoard(2, 3, bytes([HIDDEN_BYTE] * 3 + [2, 3, 2]), None))
    (3, 'the numbers need at least 3')
    """
    height, width, values, _ = board
    least = _least(board)
    most = values.count(HIDDEN_BYTE) + values.count(MINE_BYTE)
    usual = _USUAL.get((height, width))
    if usual is not None and least <= usual <= most:
        return usual, f"most {height}×{width} games have {usual}"
    why = f"the numbers need at least {least}" if least else ""
    return max(least, min(most, -(-height * width // _DENSITY))), why


def _least(board: ParsedBoard) -> int:
    """Mines that the numbers need: the sum of some that have no neighbour in common."""
    height, width, values, _ = board
    clues = sorted((-value, at) for at, value in enumerate(values[:_LOOKED_AT]) if 0 < value <= 8)
    seen: set[int] = set()
    least = 0
    for value, at in clues:
        around = {n for n in neighbours(height, width, at) if values[n] in (HIDDEN_BYTE, MINE_BYTE)}
        if around and not around & seen:
            least += min(-value, len(around))
            seen |= around
    return least
