"""Strategies that are given as they are, not by name: a class, an object or a function of one's own.

One rule holds wherever a strategy is taken (`msat.play`, `Plan`, "module:name"): it is a class of `Strategy`,
an object of one, anything with `choose(board)`, or a function of a board. All of them give a `Choice`, or a
cell alone, whose exact chance is then looked up for the record.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from msat.board import Board
from msat.errors import MsatError, ParameterError, UnknownName, WrongType
from msat.strategies.choice import as_choice
from msat.strategies.registry import names
from msat.strategies.strategy import Strategy
from msat.wording import quoted

__all__ = ["Given", "checked_chooser", "name_of", "player_of", "told"]


class Given(str):
    """The name of a strategy that can be found nowhere by it, as of a class in a notebook, and the strategy.

    It is a text like any other name, but can be sent to no other process.
    """

    given: object
    """What to play."""

    def __new__(cls, name: str, given: object) -> Given:
        """The name, which carries what it names."""
        made = super().__new__(cls, name)
        made.given = given
        return made

    def refuse(self) -> NoReturn:
        """Tell why several processes cannot play it."""
        known = self.partition(":")[2]
        raise WrongType(
            f"{known} cannot be found by the processes that play: put it into a file of its own, such as "
            f"players.py, and name it as 'players:{known}', or play with workers=1"
        )

    def __reduce__(self) -> NoReturn:
        self.refuse()


def checked_chooser(given: object) -> None:
    """Refuse what cannot play."""
    kind = given if isinstance(given, type) else type(given)
    playable = callable(getattr(kind, "choose", None)) or (callable(given) and not isinstance(given, type))
    of_numpy = kind.__module__ == "numpy"  # what numpy has by the name of `choose` is another thing
    if not playable or inspect.isabstract(kind) or of_numpy:
        raise WrongType(
            f"{quoted(given)} is no strategy: give a name ({', '.join(names())}), a subclass "
            "of msat.strategies.Strategy or an object of it, an object with choose(board), or a function of "
            "a board"
        )


def name_of(given: object) -> str:
    """What to call a class, an object or a function: where other processes find it, if they do.

    >>> from msat.analysis import analyze
    >>> name_of(analyze), type(name_of(lambda board: board.hidden[0])).__name__
    ('msat.analysis:analyze', 'Given')
    """
    module = getattr(given, "__module__", None) or type(given).__module__
    known = getattr(given, "__name__", None) or type(given).__name__
    name = f"{module}:{known.strip('<>')}"
    home = sys.modules.get(module)
    findable = getattr(home, known, None) is given
    if module == "__main__":  # other processes have it too if it is a script, not what was typed in
        findable = findable and os.path.isfile(getattr(home, "__file__", None) or "")
    return name if findable else Given(name, given)


def player_of(text: str, found: object, values: Mapping[str, object]) -> Strategy:
    """The player that `found` is, or makes; `text` is what it is called."""
    try:
        return _player(text, found, values)
    except MsatError:
        raise
    except Exception as bad:
        raise ParameterError(
            f"strategy {str(text)!r} cannot be made: {told(bad)}; docs/howto/strategies.md tells how one is "
            "written"
        ) from bad


def _player(text: str, found: object, values: Mapping[str, object]) -> Strategy:
    if isinstance(found, type) and issubclass(found, Strategy):
        return found(**values)
    chooser: Any = found() if isinstance(found, type) and hasattr(found, "choose") else found
    choose = getattr(chooser, "choose", None)
    if choose is None and not isinstance(chooser, type) and callable(chooser):
        choose = chooser
    if not callable(choose):
        raise UnknownName(
            f"strategy {str(text)!r} is no subclass of msat.strategies.Strategy, and no function of a board: "
            "write a class with a name, a summary and choose(board), as in docs/howto/strategies.md"
        )
    if values and not (isinstance(chooser, Strategy) and chooser.changed == values):
        raise ParameterError(
            f"strategy {str(text)!r} takes no parameters: only a class of msat.strategies.Strategy declares "
            "some"
        )
    if isinstance(chooser, Strategy):
        return chooser
    members = {
        "name": getattr(chooser, "name", str(text)),
        "summary": (getattr(found, "__doc__", None) or str(text)).partition("\n")[0],
        "choose": _choosing(choose),
    }
    if callable(getattr(chooser, "for_game", None)):
        members["for_game"] = lambda _, seed: _player(text, chooser.for_game(seed), {})
    player: Strategy = type("Own", (Strategy,), members)()
    return player


def _choosing(choose: Callable[[Board], Any]) -> Callable[[Strategy, Board], Any]:
    """The method of a strategy that chooses as `choose` does, which may give a cell alone."""
    return lambda _, board: as_choice(board, choose(board))


def told(bad: BaseException, most: int = 200) -> str:
    """What somebody else's code said when it failed, cut where it is long.

    >>> told(KeyError("cell")), told(ValueError())
    ("KeyError: 'cell'", 'ValueError')
    """
    try:
        text = str(bad)
    except Exception:  # whatever an exception of somebody else does
        text = "it cannot say why"
    return (
        f"{type(bad).__name__}: {text if len(text) <= most else text[:most] + '…'}"
        if text
        else type(bad).__name__
    )
