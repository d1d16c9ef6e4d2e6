"""Questions of every kind, with what they are answered: the examples of `/openapi.json` and `/docs`.

The answers are kept in `examples.json`, since a page of documentation should not have to be thought about; a
test asks every question anew, and compares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["EXAMPLES", "FILE", "PROBLEMS", "answer_to"]

FILE = Path(__file__).with_name("examples.json")

_BOARD = "??1/3?2/??? 3"

EXAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    "analyze": {
        "everything": {"board": _BOARD},
        "some fields": {"board": _BOARD, "fields": ["safe", "mined", "probability"]},
        "rows of numbers": {"board": [[-1, 1, -1]], "mines": 1, "fields": ["solutions"]},
    },
    "cells": {"every hidden cell": {"board": "1?? 1"}},
    "hint": {
        "a guess": {"board": "?1??/???? 2"},
        "a nudge": {"board": "????/1111/0000 2", "level": 2},
        "the proof": {"board": "????/1111/0000 2", "level": 5},
    },
    "explain": {
        "a forced cell": {"board": "???/111 1", "cell": [0, 1]},
        "an open cell": {"board": _BOARD, "cell": [0, 0]},
        "all that is forced": {"board": "???/111 1"},
    },
    "win": {"every first move": {"board": "?1?? 2", "every_move": True}},
    "sample": {"two layouts": {"board": _BOARD, "n": 2, "seed": 7}},
    "encode": {"for a SAT solver": {"board": "?1? 1", "format": "dimacs"}},
    "generate": {"a small board": {"height": 5, "width": 6, "mines": 5, "seed": 7, "start": [2, 2]}},
    "convert": {"two forms": {"board": _BOARD, "to": ["grid", "link"]}},
    "review": {
        "a game of one move": {
            "record": {
                "format": "msat-record",
                "version": 2,
                "layout": {"height": 2, "width": 3, "mines": 2, "rows": ["..*", "*.."]},
                "moves": [{"kind": "open", "cell": [0, 0]}],
            }
        }
    },
    "batch": {
        "an answer and a problem": {
            "requests": [
                {"path": "analyze", "board": "?1? 1", "fields": ["probability"]},
                {"path": "analyze", "board": "1?/0? 1"},
            ]
        }
    },
}
"""Questions by their names, and by what they are examples of."""

PROBLEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "a contradiction": ("explain", {"board": "1?/0? 1"}),
    "a mine total that cannot be": ("analyze", {"board": "?1? 2"}),
    "a field that does not exist": ("analyze", {"board": "?1? 1", "colour": "red"}),
}
"""What is answered with a problem: the name of the question, and the question."""


_KEPT: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))


def answer_to(name: str, title: str) -> Any:
    """The answer to an example; those to `PROBLEMS` have the name `problems`. None if it is not kept yet.

    >>> answer_to("analyze", "rows of numbers")
    {'solutions': '2'}
    """
    return _KEPT.get(name, {}).get(title)
