"""Which games of a run are done, in memory that grows with these and not with the length of the run.

A folder of a few hundred bytes may announce billions of games.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["Done", "Range"]

Range = tuple[int, int]
"""The first of some games, and their number."""

_CHUNK = 256


class Done:
    """A set of games among the first `total`.

    >>> done = Done(5)
    >>> done.add(1), done.add(2), done.add(1)
    (True, True, False)
    >>> list(done.missing()), 1 in done, 3 in done, len(done)
    ([(0, 1), (3, 2)], True, False, 2)
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self._count = 0
        self._chunks: dict[int, bytearray] = {}

    def add(self, game: int) -> bool:
        """Note a game; whether it was not done yet."""
        number, place = divmod(game, _CHUNK)
        chunk = self._chunks.get(number)
        if chunk is None:
            chunk = self._chunks[number] = bytearray(_CHUNK)
        if chunk[place]:
            return False
        chunk[place] = 1
        self._count += 1
        return True

    def __contains__(self, game: int) -> bool:
        number, place = divmod(game, _CHUNK)
        chunk = self._chunks.get(number)
        return chunk is not None and chunk[place] == 1

    def __len__(self) -> int:
        return self._count

    @property
    def complete(self) -> bool:
        """Whether all games are done."""
        return self._count == self.total

    def missing(self) -> Iterator[Range]:
        """The ranges of games that are not done, in order."""
        begin = 0
        for number in sorted(self._chunks):
            chunk, first = self._chunks[number], number * _CHUNK
            at = chunk.find(1)
            while at >= 0:
                if first + at > begin:
                    yield begin, first + at - begin
                end = chunk.find(0, at)
                begin = first + (_CHUNK if end < 0 else end)
                at = -1 if end < 0 else chunk.find(1, end)
        if begin < self.total:
            yield begin, self.total - begin
