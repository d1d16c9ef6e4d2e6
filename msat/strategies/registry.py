"""Strategies by name. To add one, write its file and list its class here."""

from __future__ import annotations

from msat.errors import UnknownName
from msat.strategies.chain import Chain
from msat.strategies.classic import Classic
from msat.strategies.kata import Kata
from msat.strategies.local import Local
from msat.strategies.logic import Logic
from msat.strategies.safest import Safest
from msat.strategies.strategy import Strategy
from msat.strategies.subset import Subset

__all__ = ["get", "names"]

_STRATEGIES: dict[str, type[Strategy]] = {
    Classic.name: Classic,
    Local.name: Local,
    Chain.name: Chain,
    Subset.name: Subset,
    Kata.name: Kata,
    Logic.name: Logic,
    Safest.name: Safest,
}


def names() -> tuple[str, ...]:
    """The names of all strategies.

    >>> names()
    ('classic', 'local', 'chain', 'subset', 'kata', 'logic', 'safest')
    """
    return tuple(_STRATEGIES)


def get(name: str, **values: object) -> Strategy:
    """A strategy by its name, with some of its parameters set (see `parameters` of its class).

    >>> get("safest").summary
    'opens what is proven safe, else the cell with the lowest exact mine probability'
    """
    if name not in _STRATEGIES:
        raise UnknownName.of("strategy", name, names())
    return _STRATEGIES[name](**values)
