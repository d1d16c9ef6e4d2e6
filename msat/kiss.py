"""Document 000's random numbers (docs/sources.md), a 64-bit KISS generator, and the puzzles drawn from them.

Kept bit for bit, so that a result on "seeds 1 to 1000, 100 puzzles each" is a result on the very same boards.
KISS adds three simple generators (multiply-with-carry, xorshift, congruential), each weak alone.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["Kiss64", "kiss_masks"]

_WORD = (1 << 64) - 1


class Kiss64:
    """The generator, in the state that a seed gives it.

    >>> numbers = Kiss64(1)
    >>> numbers.draw(), numbers.draw()
    (648562388970459621, 6553078780764110140)
    """

    __slots__ = ("_c", "_x", "_y", "_z")

    def __init__(self, seed: int) -> None:
        self._x, self._c, self._y, self._z = seed | 1, seed | 2, seed | 4, seed | 8

    def draw(self) -> int:
        """The next number, 0 to 2^64 − 1."""
        x, y = self._x, self._y
        carried = ((x << 58) + self._c) & _WORD
        self._x = (x + carried) & _WORD
        self._c = (x >> 6) + (self._x < carried)
        y ^= (y << 13) & _WORD
        y ^= y >> 17
        y ^= (y << 43) & _WORD
        self._y = y
        self._z = (6906969069 * self._z + 1234567) & _WORD
        return (self._x + y + self._z) & _WORD


def kiss_masks(height: int, width: int, mines: int, seed: int, protected: frozenset[int]) -> Iterator[bytes]:
    """The endless stream of one seed's puzzles, as masks (1 for a mine).

    For each mine a row, then a column is drawn, both again while that cell has a mine or is protected. The
    caller makes sure that the mines fit; otherwise the search for a free cell never ends.
    """
    numbers = Kiss64(seed)
    while True:
        mask = bytearray(height * width)
        for _ in range(mines):
            while True:
                row = numbers.draw() % height
                position = row * width + numbers.draw() % width
                if not mask[position] and position not in protected:
                    break
            mask[position] = 1
        yield bytes(mask)
