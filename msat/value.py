"""What boards, layouts and records have in common: they are values, and the first two have a size.

And what results have in common: their fields are explained below each of them, and `help()` shows that.
"""

from __future__ import annotations

from typing import Any, TypeVar

__all__ = ["SizedValue", "Value", "explained"]

C = TypeVar("C", bound=type)


class _ClassText:
    """The docstring of a class and the texts below its fields, read from the source when it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, instance: object, owner: type) -> str:
        import ast
        import inspect
        import textwrap

        try:
            (defined,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
        except (OSError, SyntaxError):  # a program that was shipped without its source
            return self._text
        assert isinstance(defined, ast.ClassDef)
        lines = []
        for field, below in zip(defined.body, defined.body[1:], strict=False):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str() as said)),
                ):
                    lines.append(f"{name}: {' '.join(said.split())}")
        return "\n\n".join([inspect.cleandoc(self._text), "Fields:", *(f"    {line}" for line in lines)])


def explained(cls: C) -> C:
    """Let `help()` of a class show the texts below its fields, which Python itself does not keep.

    >>> from msat.winning import WinProbability
    >>> print(WinProbability.__doc__.splitlines()[4])
        wins: The layouts that perfect play wins …
    """
    cls.__doc__ = _ClassText(cls.__doc__ or "")  # type: ignore[assignment]
    return cls


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
