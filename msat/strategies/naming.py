"""Strategies as people write them: `best`, `best:layouts=2000,nearly=0.8`, or `module:Class` of their own.

Whatever takes a strategy as text, from Python or on the command line, reads it here. To load a strategy of
one's own is to run its module, so the name must come from whoever is at work, never from a file. It is looked
for where Python looks and then in the current folder, as `python -m msat` does; what is installed goes first.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType

from msat.errors import ParameterError, UnknownName, WrongType
from msat.limits import NAME_LENGTH
from msat.strategies.given import Given, checked_chooser, name_of, player_of, told
from msat.strategies.registry import make, names
from msat.strategies.strategy import Strategy
from msat.wording import quoted, shorten

__all__ = ["checked_name", "described", "get", "is_foreign", "load", "player", "settings_of", "split"]

_MODULE_AND_CLASS = r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*"
"""What names a strategy of one's own; a relative module would have nothing to be relative to."""


def checked_name(text: object) -> str:
    """The name of a strategy with its parameters, which must be a text that is not endless."""
    if not isinstance(text, str):
        raise WrongType(f"a strategy is named by a text, not by {type(text).__name__}: {quoted(text)}")
    if len(text) > NAME_LENGTH:
        raise UnknownName(
            f"strategy {quoted(text)} has a name of {len(text):,} characters: at most {NAME_LENGTH:,} "
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
        # A strategy of one's own has a colon in its name, and another before its parameters.
        if "=" not in settings and not re.fullmatch(_MODULE_AND_CLASS, name):
            return text, {}
    return (name, settings_of(settings.split(","), quoted(text))) if colon else (name, {})


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
                f"{origin}: {quoted(text)} is no parameter: expected NAME=VALUE such as seconds=1"
            )
        if name in found:
            raise ParameterError(f"{origin}: {quoted(name)} is given twice")
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
    if isinstance(name, Given):
        return player_of(name, name.given, values)
    if ":" not in name:
        if name not in names():
            raise UnknownName.of("strategy", name, [*names(), "module:Class of your own"])
        return make(name, **values)
    forms = f"one of {', '.join(names())}, with parameters as in best:seconds=1, or module:Class"
    if not re.fullmatch(_MODULE_AND_CLASS, name):
        raise UnknownName(f"{quoted(text)} is no name of a strategy: give {forms}")
    module, _, attribute = name.partition(":")
    try:
        found = getattr(_imported(module), attribute)
    except (ImportError, AttributeError, ValueError) as bad:
        if module.endswith(".py"):
            raise UnknownName(
                f"strategy {text!r} names a file: write {module.removesuffix('.py')}:{attribute}, the module"
            ) from None
        raise UnknownName(f"strategy {text!r} cannot be loaded: {_cut(str(bad))}; give {forms}") from None
    except Exception as bad:  # whatever a module does while it is loaded
        raise UnknownName(f"strategy {text!r} cannot be loaded: {told(bad)}") from bad
    return player_of(text, found, values)


def get(name: str, /, **values: object) -> Strategy:
    """A strategy by its name, with `values` for some of its parameters (see `parameters` of its class).

    >>> get("safest").summary
    'opens what is proven safe, else the cell with the lowest exact mine probability'
    >>> get("best:layouts=2000", nearly=0.8)
    Best(layouts=2000, nearly=0.8)
    """
    return load(name, values)


def described(strategy: object) -> tuple[str, dict[str, object]]:
    """The name of a strategy and its parameters, by which any process can make it again.

    A strategy is given by its name, its class, an object of it, or a function of a board. What no other
    process would find has a name that carries it (`Given`).

    >>> from msat.strategies.best import Best
    >>> described("best:layouts=2000"), described(Best), described(Best(layouts=50))
    (('best', {'layouts': '2000'}), ('best', {}), ('best', {'layouts': 50}))
    """
    if isinstance(strategy, str):
        name, texts = split(strategy)
        return name, dict(texts)
    checked_chooser(strategy)
    kind = strategy if isinstance(strategy, type) else type(strategy)
    if not issubclass(kind, Strategy):
        return name_of(strategy), {}
    changed: dict[str, object] = dict(strategy.changed) if isinstance(strategy, Strategy) else {}
    own = [base for base in kind.__mro__[:-1] if not base.__module__.startswith("msat.")]  # but for `object`
    if isinstance(strategy, Strategy) and any("__init__" in vars(base) for base in own):
        return name_of(strategy), changed  # no other process could repeat how it was made
    ours = kind.__module__.startswith("msat.strategies.") and kind.name in names()
    return kind.name if ours else name_of(kind), changed


def player(strategy: object) -> Strategy:
    """The strategy that is given, in any of these ways, ready to play.

    >>> player("logic"), player(lambda board: board.hidden[0]).name
    (Logic(), 'msat.strategies.naming:lambda')
    """
    if isinstance(strategy, Strategy):
        return strategy
    name, values = described(strategy)
    return load(Given(name, strategy), values) if not isinstance(strategy, str) else load(name, values)


def _imported(name: str) -> ModuleType:
    """A module, also one in the current folder."""
    top = name.partition(".")[0]
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        here = os.getcwd()
        if missing.name != top or sys.flags.safe_path or PathFinder.find_spec(top, [here]) is None:
            raise
    # At the end, and only now that somebody asked for what is there: nothing else is looked for here first.
    sys.path.append(here)
    return import_module(name)


def _cut(text: str) -> str:
    return text if len(text) <= 200 else shorten(text)
