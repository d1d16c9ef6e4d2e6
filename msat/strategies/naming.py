"""Strategies as people write them: `best`, `best:layouts=2000,nearly=0.8`, or `module:Class` of their own.

Whatever takes a strategy as text, from Python or on the command line, reads it here. To load a strategy of
one's own is to run its module, so the name must come from whoever is at work, never from a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import import_module

from msat.errors import ParameterError, UnknownName, WrongType
from msat.limits import NAME_LENGTH
from msat.strategies.registry import get, names
from msat.strategies.strategy import Strategy
from msat.wording import shorten

__all__ = ["checked_name", "is_foreign", "load", "settings_of", "split"]

_MODULE_AND_CLASS = r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*"
"""What names a strategy of one's own; a relative module would have nothing to be relative to."""


def checked_name(text: object) -> str:
    """The name of a strategy with its parameters, which must be a text that is not endless."""
    if not isinstance(text, str):
        raise WrongType(f"a strategy is named by a text, not by {type(text).__name__}: {shorten(repr(text))}")
    if len(text) > NAME_LENGTH:
        raise UnknownName(
            f"strategy {shorten(repr(text))} has a name of {len(text):,} characters: at most {NAME_LENGTH:,} "
            "are read"
        )
    return text


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name of a strategy and the parameters that are written behind it.

    >>> split("best"), split("best:layouts=2000,nearly=0.8"), split("my_module:Player:depth=3")
    (('best', {}), ('best', {'layouts': '2000', 'nearly': '0.8'}), ('my_module:Player', {'depth': '3'}))
    """
    name, colon, settings = checked_name(text).partition(":")
    if name not in names():
        name, colon, settings = text.rpartition(":")
        if "=" not in settings:  # a strategy of one's own has a colon in its name
            return text, {}
    return (name, settings_of(settings.split(","), shorten(repr(text)))) if colon else (name, {})


def is_foreign(text: str) -> bool:
    """Whether this names a strategy that is no part of msat, so that to load it is to run somebody's code.

    >>> is_foreign("best:layouts=2000"), is_foreign("my_module:Player:depth=3")
    (False, True)
    """
    return ":" in split(text)[0]


def settings_of(texts: Iterable[str], origin: str) -> dict[str, str]:
    """The parameters in texts of the form NAME=VALUE, which come from `origin`.

    >>> settings_of(["layouts=2000"], "--param")
    {'layouts': '2000'}
    """
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise ParameterError(
                f"{origin}: {shorten(repr(text))} is no parameter: expected NAME=VALUE such as seconds=1"
            )
        if name in found:
            raise ParameterError(f"{origin}: {shorten(repr(name))} is given twice")
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
    forms = f"one of {', '.join(names())}, with parameters as in best:seconds=1, or module:Class"
    if not re.fullmatch(_MODULE_AND_CLASS, name):
        raise UnknownName(f"{shorten(repr(text))} is no name of a strategy: give {forms}")
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as bad:
        reason = shorten(str(bad)) if len(str(bad)) > 200 else bad
        raise UnknownName(f"strategy {text!r} cannot be loaded: {reason}; give {forms}") from None
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise UnknownName(f"strategy {text!r} is no subclass of msat.strategies.Strategy")
    return found(**values)
