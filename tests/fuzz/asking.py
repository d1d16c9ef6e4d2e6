"""Questions as they come in: by a line of `solve --jsonl`, and in the body of a request to the service.

What a client may ask for is bounded by the service (cells, budgets, layouts); here the bounds are lower, so
that a thousand questions are asked in the time of one dear one.
"""

from __future__ import annotations

import io
import json

import msgspec

from msat.board import Board
from msat.cli.jsonl import serve
from msat.errors import MsatError
from msat.game import Game
from msat.layout import Layout
from msat.questions import requests as q
from msat.questions.ask import ask, board_of
from msat.questions.reading import read
from msat.service.problems import problem_of
from msat.service.worker import plain_answer
from msat.wording import as_field, naming

__all__ = ["BODIES", "LINES", "read_body", "read_lines"]

MOST_CELLS = 40
BUDGET = 5.0
"""Seconds, of which small boards take some thousandths: no test rests on the machine."""

_BOARD = "??1/3?2/??? 3"


def _record() -> str:
    game = Game(Layout.parse("..*.\n...*\n...."), "best")
    game.open((2, 0), probability=0.75, reason="a try")
    return game.record.to_json()


_QUESTIONS: dict[str, dict[str, object]] = {
    "analyze": {"board": _BOARD, "fields": ["safe", "probability"], "engine": "counting"},
    "cells": {"board": "??1/3?2/?*? 3", "marks": "trust"},
    "hint": {"board": _BOARD, "level": 3, "seconds": 0.01},
    "explain": {"board": _BOARD, "cell": [0, 0]},
    "win": {"board": [[-1, -1, 1], [-1, -2, 1]], "mines": 2, "every_move": True},
    "sample": {"board": _BOARD, "n": 2, "seed": 1},
    "encode": {"board": _BOARD, "format": "opb", "variables": "boxes"},
    "generate": {"height": 4, "width": 5, "mines": 3, "seed": 7, "start": [0, 0], "difficulty": "gentle"},
    "convert": {"board": {"height": 1, "width": 3, "mines": 1, "rows": ["?1?"]}, "to": ["line", "link"]},
    "review": {"record": _record(), "seconds": 0.01},
}
assert set(_QUESTIONS) == set(q.QUESTIONS)

LINES = tuple(
    json.dumps({"id": 7, "ask": name, **fields}).encode()
    for name, fields in _QUESTIONS.items()
    if name != "convert"  # all of its forms are slow under the eyes of the fuzzer
)
BODIES = tuple(f"{name}\n{json.dumps(fields)}".encode() for name, fields in _QUESTIONS.items())


def read_lines(data: bytes) -> None:
    """Answer lines as `solve --jsonl` does; every one gets one line, which is JSON."""
    out = io.StringIO()
    defaults = {"mines": None, "form": None, "engine": "auto", "budget": BUDGET, "marks": "judge"}
    serve(io.BytesIO(data), out, defaults)
    for line in out.getvalue().splitlines():
        answer = json.loads(line)
        assert isinstance(answer, dict)
        assert len(answer.get("error", {}).get("message", "")) < 2000


def read_body(data: bytes) -> None:
    """Answer a request as a worker of the service does; its problem can be sent, if it is one."""
    name, _, body = data.partition(b"\n")
    with naming(as_field):
        try:
            question = read(name.decode("latin-1"), body) if name.decode("latin-1") in q.QUESTIONS else None
            if question is None or not _is_small(question):
                return
            assert msgspec.json.encode(plain_answer(ask(question)))
        except MsatError as error:
            msgspec.json.encode(problem_of(error).body)
            raise


def _is_small(question: q.Question) -> bool:
    """Whether it is a small question; if so it has a small budget, as the service gives everyone one."""
    if hasattr(question, "budget"):
        question.budget = BUDGET if question.budget is None else min(question.budget, BUDGET)
    if isinstance(question, q.Hint | q.Review):
        question.seconds = min(question.seconds or 0.01, 0.01)
    if isinstance(question, q.Sample) and question.n > 10:
        return False
    if isinstance(question, q.Generate):
        return (question.height or 99) * (question.width or 99) <= MOST_CELLS
    if not isinstance(question, q.BoardQuestion):
        return True
    board: Board = board_of(question)
    return board.height * board.width <= MOST_CELLS
