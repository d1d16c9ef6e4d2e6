"""How a message names an argument: the way its reader would write it.

Advice such as "give mines=10" is right for who calls msat from Python. The same advice reaches people at the
command line, who write `--mines 10`, and programs that talk to the service, which write `"mines": 10`. So
messages name arguments by `argument`, and whoever stands between the library and its reader chooses the way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

__all__ = ["argument", "as_field", "as_keyword", "as_option", "counted", "naming"]

Naming: TypeAlias = Callable[[str, object], str]


def as_keyword(name: str, value: object) -> str:
    """As an argument of a Python function.

    >>> as_keyword("form", "dot-zero")
    "form='dot-zero'"
    """
    return f"{name}={value!r}"


def as_option(name: str, value: object) -> str:
    """As an option of the command line.

    >>> as_option("form", "dot-zero"), as_option("n", 3)
    ('--form dot-zero', '-n 3')
    """
    dashes = "-" if len(name) == 1 else "--"
    return f"{dashes}{name.replace('_', '-')} {value}"


def as_field(name: str, value: object) -> str:
    """As a field of a JSON object.

    >>> as_field("form", "dot-zero")
    '"form": "dot-zero"'
    """
    return f"{json.dumps(name)}: {json.dumps(value, default=repr)}"


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number of things, in words.

    >>> counted(1, "mine"), counted(10, "mine"), counted(0, "guess", "guesses")
    ('1 mine', '10 mines', '0 guesses')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"


_naming: ContextVar[Naming] = ContextVar("naming", default=as_keyword)


def argument(name: str, value: object) -> str:
    """An argument and its value, for use in a message.

    >>> argument("mines", 10)
    'mines=10'
    """
    return _naming.get()(name, value)


@contextmanager
def naming(way: Naming) -> Iterator[None]:
    """Name arguments this way in messages that are made inside.

    >>> with naming(as_option):
    ...     argument("mines", 10)
    '--mines 10'
    """
    before = _naming.set(way)
    try:
        yield
    finally:
        _naming.reset(before)
