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

from msat.errors import MsatError, ParameterError, UnknownName, WrongType
from msat.limits import NAME_LENGTH
from msat.strategies.registry import make, names
from msat.strategies.strategy import Strategy
from msat.wording import quoted, shorten

__all__ = ["checked_name", "described", "get", "is_foreign", "load", "settings_of", "split"]

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
        if "=" not in settings:  # a strategy of one's own has a colon in its name
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
        raise UnknownName(f"strategy {text!r} cannot be loaded: {_told(bad)}") from bad
    try:
        return _player(text, found, values)
    except MsatError:
        raise
    except Exception as bad:
        raise ParameterError(f"strategy {text!r} cannot be made: {_told(bad)}") from bad


def _player(text: str, found: object, values: Mapping[str, object]) -> Strategy:
    """The strategy that a module has: a class of them; or an object or a function that chooses, as it is."""
    if isinstance(found, type) and issubclass(found, Strategy):
        return found(**values)
    chooser = found() if isinstance(found, type) and hasattr(found, "choose") else found
    choose = getattr(chooser, "choose", None)
    if choose is None and not isinstance(chooser, type) and callable(chooser):
        choose = chooser
    if not callable(choose):
        raise UnknownName(
            f"strategy {text!r} is no subclass of msat.strategies.Strategy, and no function of a board: "
            "write a class with a name, a summary and choose(board), as in docs/howto/strategies.md"
        )
    if values:
        raise ParameterError(
            f"strategy {text!r} takes no parameters: only a class of msat.strategies.Strategy declares some"
        )
    if isinstance(chooser, Strategy):
        return chooser
    members = {
        "name": getattr(chooser, "name", text),
        "summary": (getattr(found, "__doc__", None) or text).partition("\n")[0],
        "choose": lambda self, board: choose(board),
    }
    player: Strategy = type("Own", (Strategy,), members)()
    return player


def get(name: str, /, **values: object) -> Strategy:
    """A strategy by its name, with some of its parameters set (see `parameters` of its class).

    >>> get("safest").summary
    'opens what is proven safe, else the cell with the lowest exact mine probability'
    >>> get("best:layouts=2000", nearly=0.8)
    Best(layouts=2000, nearly=0.8)
    """
    return load(name, values)


def described(strategy: object) -> tuple[str, dict[str, object]]:
    """The name of a strategy and its parameters, by which any process can make it again.

    A strategy is given by its name, by its class, or by an object of it.

    >>> from msat.strategies.best import Best
    >>> described("best:layouts=2000"), described(Best), described(Best(layouts=50))
    (('best', {'layouts': '2000'}), ('best', {}), ('best', {'layouts': 50}))
    """
    if isinstance(strategy, str):
        name, texts = split(strategy)
        return name, dict(texts)
    kind = strategy if isinstance(strategy, type) else type(strategy)
    if not issubclass(kind, Strategy):
        raise WrongType(
            f"{quoted(strategy)} is no strategy: give a name ({', '.join(names())}), or a subclass of "
            "msat.strategies.Strategy"
        )
    found = getattr(sys.modules.get(kind.__module__), kind.__name__, None)
    if kind.__module__ == "__main__" or found is not kind:
        raise WrongType(
            f"{kind.__name__} cannot be found by the processes that play: put the class into a file of its "
            f"own, such as players.py, and name it as 'players:{kind.__name__}'"
        )
    ours = kind.__module__.startswith("msat.strategies.") and kind.name in names()
    name = kind.name if ours else f"{kind.__module__}:{kind.__name__}"
    if not isinstance(strategy, Strategy):
        return name, {}
    own = [base for base in kind.__mro__[:-1] if not base.__module__.startswith("msat.")]  # but for `object`
    if any("__init__" in vars(base) for base in own):
        raise WrongType(
            f"{kind.__name__} has an __init__ of its own, which the processes that play cannot repeat: "
            "declare its parameters in 'parameters', or give the class"
        )
    return name, dict(strategy.changed)


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


def _told(bad: Exception) -> str:
    return f"{type(bad).__name__}: {_cut(str(bad))}"


def _cut(text: str) -> str:
    return text if len(text) <= 200 else shorten(text)
