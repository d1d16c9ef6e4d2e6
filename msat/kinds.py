"""What kind of thing an argument is: whatever a caller gives, the answer is one of msat's own errors.

Python finds out late, and in its own words, that None has no items, or that an array is neither true nor
false. The functions that a caller meets ask here first.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Any, TypeVar

from msat.errors import WrongType
from msat.wording import argument

__all__ = ["flag", "function", "given", "is_name", "octets", "several"]

Value = TypeVar("Value")


def given(value: Value, kind: Any, name: str, expected: str) -> Value:
    """The value of an argument, which has to be of a kind, a class or several of them.

    >>> given([1], list, "cells", "a list of cells")
    [1]
    >>> given(None, list, "cells", "a list of cells")
    Traceback (most recent call last):
    msat.errors.WrongType: cells=None is not accepted: give a list of cells
    """
    if isinstance(value, kind):
        return value
    raise WrongType(f"{argument(name, value)} is not accepted: give {expected}")


def several(values: Iterable[Value], name: str, expected: str) -> Iterable[Value]:
    """What can be gone through one by one: a list, a generator, anything of the kind.

    >>> several(None, "boards", "boards, such as a list of them")
    Traceback (most recent call last):
    msat.errors.WrongType: boards=None is not accepted: give boards, such as a list of them
    """
    try:
        iter(values)
    except TypeError:  # an array of no dimension is an Iterable by its class, and none
        raise WrongType(f"{argument(name, values)} is not accepted: give {expected}") from None
    return values


def function(value: Value, name: str, takes: str) -> Value:
    """A function of the caller's, or None for none.

    >>> function("print", "on_progress", "a tally")
    Traceback (most recent call last):
    msat.errors.WrongType: on_progress='print' is not accepted: give a function of a tally, or None
    """
    if value is None or isinstance(value, Callable):  # type: ignore[arg-type]  # mypy wants a class
        return value
    raise WrongType(f"{argument(name, value)} is not accepted: give a function of {takes}, or None")


def octets(value: object, name: str) -> bytes:
    """Bytes, of whatever class."""
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    raise WrongType(f"{argument(name, value)} is not accepted: give bytes")


def flag(value: object, name: str) -> bool:
    """Whether a value is true; arrays, for one, are neither true nor false.

    >>> flag(1, "check")
    True
    """
    try:
        return bool(value)
    except Exception:
        raise WrongType(f"{argument(name, value)} is not accepted: give True or False") from None


def is_name(value: object, names: Container[str]) -> bool:
    """Whether a value is one of these names, and not something that only compares in a way of its own.

    >>> is_name("pcg", ("pcg", "kiss")), is_name(None, ("pcg", "kiss"))
    (True, False)
    """
    return isinstance(value, str) and value in names
