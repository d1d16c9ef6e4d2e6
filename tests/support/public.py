"""Every public call of msat, found by walking its public names, each with arguments that are right.

A new name is found by itself: what it takes is known by the names of its parameters (`USUAL`), and a method
is called on an example of its class (`EXAMPLES`), which has to be there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import msat
from msat import arena, gym, service, strategies
from msat.arena.pairs import Pair
from msat.service.settings import Settings

ROOMS = (
    "msat",
    "msat.arena",
    "msat.conversion",
    "msat.formats",
    "msat.gym",
    "msat.replays",
    "msat.service",
    "msat.strategies",
    "msat.svg",
)
"""Modules whose lists of names are public."""

BOARD = msat.Board.parse("??1/3?2/??? 3")
LAYOUT = msat.Layout.parse("..*.\n...*\n....\n")
PLAN = arena.Plan("logic", 4, 4, 2, games=2)
PAIR = arena.Settings(PLAN, PLAN)
SWEEP = arena.Sweep(PLAN, "start", ("0,0",))
RESULT = arena.GameResult(0, 1, 0, True, 3, (), 3, 1, 1, 0.1)


class First(strategies.Strategy):
    """Opens the first hidden cell."""

    name = "first"
    summary = "the first hidden cell"

    def choose(self, board: msat.Board) -> strategies.Choice | None:
        """The first hidden cell."""
        return strategies.Choice((board.hidden[0],), 0.5, "it is the first")


def _begun(kind: Callable[[], Any]) -> Any:
    made = kind()
    made.reset(seed=1)
    return made


EXAMPLES: dict[type, Callable[[], Any]] = {
    arena.Comparison: lambda: arena.Comparison(PAIR),
    arena.GameResult: lambda: RESULT,
    arena.Plan: lambda: PLAN,
    arena.Settings: lambda: PAIR,
    arena.Sprt: arena.Sprt,
    arena.Sweep: lambda: SWEEP,
    arena.Tally: arena.Tally,
    gym.Minesweeper: lambda: _begun(gym.Minesweeper),
    gym.MinesweeperVector: lambda: _begun(gym.MinesweeperVector),
    gym.Reward: gym.Reward,
    msat.Analysis: lambda: msat.analyze(BOARD),
    msat.Board: lambda: BOARD,
    msat.Game: lambda: msat.Game(LAYOUT),
    msat.Layout: lambda: LAYOUT,
    msat.Mark: lambda: msat.Mark("proven", None),
    msat.Move: lambda: msat.Move("open", (0, 0)),
    msat.Record: lambda: msat.Game(LAYOUT).record,
    service.Client: lambda: service.Client("http://127.0.0.1:9"),
    strategies.Parameter: lambda: strategies.Parameter("depth", 1, "how deep", 0, 3),
    strategies.Strategy: First,
}
"""How to come by an object whose methods take something; made anew for every call, since some change it."""

USUAL: dict[str, Any] = {
    "a": PLAN,
    "action": 0,
    "actions": [0],
    "array": BOARD.to_array(),
    "b": PLAN,
    "board": BOARD,
    "boards": [BOARD],
    "cell": (0, 0),
    "cells": [(0, 0)],
    "count": 1,
    "data": b"?1? 1",
    "first": 0,
    "folders": [],
    "form": "grid",
    "found": {},
    "game": 0,
    "games": 2,
    "height": 3,
    "index": 0,
    "kind": "open",
    "layout": LAYOUT,
    "mask": bytes(9),
    "mines": 1,
    "moves": (),
    "move": msat.Move("open", (0, 0)),
    "name": "logic",
    "number": 0,
    "numbers": LAYOUT.numbers(),
    "only_a": 1,
    "only_b": 1,
    "open_cell": lambda row, column: 0,
    "other": arena.Tally(),
    "pair": None,
    "path": "a file.json",
    "plan": PLAN,
    "puzzle": LAYOUT,
    "question": {},
    "r": 0,
    "c": 0,
    "record": msat.Game(LAYOUT).record,
    "requests": [],
    "result": RESULT,
    "seed": 1,
    "series": 0,
    "start": (0, 0),
    "text": "?1? 1",
    "to": "text",
    "value": BOARD,
    "values": BOARD.values,
    "width": 3,
    "workers": 1,
}
"""What a parameter of a name usually is, wherever it has to be given or takes long without."""

SPECIAL: dict[str, Mapping[str, Any]] = {
    "msat.Layout.no_guess": {"height": 3, "width": 4},
    "msat.Layout.from_array": {"array": LAYOUT.to_array()},
    "msat.Board.replace": {"cells": {(0, 0): 1}},
    "msat.Layout.parse": {"text": "..*"},
    "msat.difficulty": {"puzzle": LAYOUT},
    "msat.solve": {"text": "? ?\n0 ?", "mines": 0},
    "msat.arena.Comparison.add": {"pair": Pair(0, a=True, b=False)},
    "msat.arena.Comparison": {"settings": PAIR},
    "msat.arena.compare": {"settings": PAIR},
    "msat.arena.sweep": {"settings": SWEEP},
    "msat.arena.Sweep": {"what": "start", "values": ("0,0",)},
    "msat.service.Client.ask": {"name": "analyze"},
}
"""Where the usual is not what a call takes."""

KEYWORDS: dict[str, tuple[str, ...]] = {
    "msat.service.app": tuple(inspect.signature(Settings).parameters),
    "msat.strategies.get": ("p",),
}
"""What a call takes by any name; some field of a question else."""

_OPERATORS = ("__call__", "__contains__", "__getitem__")


INNER = {
    "msat.Analysis",
    "msat.formats.board_object",
    "msat.formats.decode_text",
    "msat.formats.layout_object",
    "msat.formats.print_board",
    "msat.formats.print_layout",
    "msat.formats.total_hint",
    "msat.strategies.Strategy.choose",
    "msat.svg.drawn",
}
"""Calls by msat alone, whose parts are those of boards and layouts that were made before; and what is to be
written by others."""

BUSY = ("decide", "play_compiled", "play_from", "play_numbers")
"""Methods that the arena calls for every game or move, with arrays that it has made."""


class Call(NamedTuple):
    """A public call: how to come by it anew, what it takes, and what it is usually given."""

    make: Callable[[], Callable[..., Any]]
    parameters: tuple[inspect.Parameter, ...]
    usual: dict[str, Any]


def public_calls() -> dict[str, Call]:
    """All that can be called with something, by where it is found."""
    found: dict[str, Call] = {}
    for room in ROOMS:
        module = import_module(room)
        for name in getattr(module, "__all__", None) or dir(module):
            value = getattr(module, name)
            if isinstance(value, type):
                _put_class(found, f"{room}.{name}", value)
            elif callable(value):
                _put(found, f"{room}.{name}", partial(lambda value: value, value))
    for player in strategies.names():
        EXAMPLES[type(strategies.get(player))] = partial(strategies.get, player)
        _put_class(found, f"msat.strategies.{player}", type(strategies.get(player)))
    return {name: call for name, call in found.items() if name not in INNER}


def _put_class(found: dict[str, Call], name: str, kind: type) -> None:
    if issubclass(kind, Exception | str):
        return
    if not inspect.isabstract(kind):
        _put(found, name, partial(lambda kind: kind, kind))
    for method in dir(kind):
        value = getattr(kind, method)
        if (method.startswith("_") and method not in _OPERATORS) or method in BUSY or not callable(value):
            continue
        if not (getattr(value, "__module__", None) or "").startswith("msat."):
            continue  # what comes from Python itself, or from Gymnasium
        if isinstance(inspect.getattr_static(kind, method), classmethod | staticmethod):
            _put(found, f"{name}.{method}", partial(getattr, kind, method))
        elif len(inspect.signature(value).parameters) > 1:
            _put(found, f"{name}.{method}", partial(_method, kind, method))


def _method(kind: type, name: str) -> Any:
    return getattr(EXAMPLES[kind](), name)


def _put(found: dict[str, Call], name: str, make: Callable[[], Any]) -> None:
    parameters = tuple(inspect.signature(make()).parameters.values())
    special = SPECIAL.get(name, {})
    usual: dict[str, Any] = {}
    for each in parameters:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if each.name in special or each.default is each.empty or each.name in ("workers", "start"):
            usual[each.name] = special[each.name] if each.name in special else USUAL.get(each.name)
    if parameters:
        found[name] = Call(make, parameters, usual)
