"""What boards, layouts and records have in common: they are values, and the first two have a size."""

from __future__ import annotations

from typing import Any

__all__ = ["SizedValue", "Value"]


class Value:
    """A thing that never changes: what is made of the same is equal, and hashes equal, here and unpickled."""

    __slots__ = ()

    def _made_of(self) -> tuple[Any, ...]:
        """What the constructor takes."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._made_of() == other._made_of()

    def __hash__(self) -> int:
        return hash(self._made_of())

    def __reduce__(self) -> tuple[type[Value], tuple[Any, ...]]:
        return type(self), self._made_of()


class SizedValue(Value):
    """A value with rows and columns."""

    __slots__ = ("_height", "_width")

    _height: int
    _width: int

    @property
    def height(self) -> int:
        """The number of rows."""
        return self._height

    @property
    def width(self) -> int:
        """The number of columns."""
        return self._width

    @property
    def shape(self) -> tuple[int, int]:
        """`(height, width)`, as of an array."""
        return self._height, self._width
