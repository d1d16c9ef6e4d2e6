"""Strategies by name. To add one, write its file and list it here.

A player's file is loaded when it is first asked for: most bring compiled kernels along, and a help text or an
error that lists the names should not wait for those.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from msat.strategies.strategy import Strategy

__all__ = ["make", "names"]

_CLASSES = {
    "classic": "Classic",
    "local": "Local",
    "chain": "Chain",
    "subset": "Subset",
    "kata": "Kata",
    "logic": "Logic",
    "safest": "Safest",
    "best": "Best",
}
"""The class of each strategy, in the module of its name."""


def names() -> tuple[str, ...]:
    """The names of all strategies.

    >>> names()
    ('classic', 'local', 'chain', 'subset', 'kata', 'logic', 'safest', 'best')
    """
    return tuple(_CLASSES)


def make(name: str, /, **values: object) -> Strategy:
    """The strategy of this name, which must be listed here, with some of its parameters set."""
    module = import_module(f"msat.strategies.{name}")
    return cast(type[Strategy], getattr(module, _CLASSES[name]))(**values)
