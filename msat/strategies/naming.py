"""Strategies as people write them: `best`, `best:layouts=2000,nearly=0.8`, or `module:Class` of their own.

Whatever takes a strategy as text, from Python or on the command line, reads it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

from msat.errors import ParameterError, UnknownName
from msat.strategies.registry import get, names
from msat.strategies.strategy import Strategy

__all__ = ["load", "settings_of", "split"]


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name of a strategy and the parameters that are written behind it.

    >>> split("best"), split("best:layouts=2000,nearly=0.8"), split("my_module:Player:depth=3")
    (('best', {}), ('best', {'layouts': '2000', 'nearly': '0.8'}), ('my_module:Player', {'depth': '3'}))
    """
    name, colon, settings = text.partition(":")
    if name not in names():
        name, colon, settings = text.rpartition(":")
        if "=" not in settings:  # a strategy of one's own has a colon in its name
            return text, {}
    return (name, settings_of(settings.split(","), repr(text))) if colon else (name, {})


def settings_of(texts: Iterable[str], origin: str) -> dict[str, str]:
    """The parameters in texts of the form NAME=VALUE, which come from `origin`.

    >>> settings_of(["layouts=2000"], "--param")
    {'layouts': '2000'}
    """
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise ParameterError(f"{origin}: {text!r} is no parameter: expected NAME=VALUE such as seconds=1")
        if name in found:
            raise ParameterError(f"{origin}: {name!r} is given twice")
        found[name] = value
    return found


def load(text: str, parameters: Mapping[str, object] | None = None) -> Strategy:
    """The strategy that `text` names; `parameters` count before those in the text.

    >>> load("best:layouts=2000,nearly=0.8", {"layouts": 50})
    Best(layouts=50, nearly=0.8)
    >>> load("msat.strategies.logic:Logic")
    Logic()
    """
    name, settings = split(text)
    values = {**settings, **(parameters or {})}
    if ":" not in name:
        if name not in names():
            raise UnknownName.of("strategy", name, [*names(), "module:Class of your own"])
        return get(name, **values)
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as bad:
        forms = f"one of {', '.join(names())}, with parameters as in best:seconds=1, or module:Class"
        raise UnknownName(f"strategy {text!r} cannot be loaded: {bad}; give {forms}") from None
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise UnknownName(f"strategy {text!r} is no subclass of msat.strategies.Strategy")
    return found(**values)
