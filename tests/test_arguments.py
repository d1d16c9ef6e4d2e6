"""Arguments that are nothing of the kind: whatever is given, an answer or an `MsatError`.

Some numbers get through checks that were written for ordinary ones: no `float` holds 10**400, Python does not
write 10**5000 at all, no clock waits for 1e38 seconds, and some values cannot even be shown.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msat
from msat.arena import Plan
from msat.deadline import FOR_EVER, Deadline
from msat.questions.reading import WrongQuestion, convert, read

BOARD = msat.Board.parse("??1/3?2/??? 3")
LAYOUT = msat.Layout.parse("..*.\n...*\n....\n")


class Unshown:
    """A value that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("not to be shown")


class _Holding(list[Any]):
    """A list that holds itself."""

    def __init__(self) -> None:
        super().__init__([self])


STRANGE: dict[str, Any] = {
    "none": None,
    "true": True,
    "minus one": -1,
    "long": 10**30,
    "longer than floats": 10**400,
    "longer than texts": 10**5000,
    "negative": -(10**5000),
    "half": 0.5,
    "1e38": 1e38,
    "nan": float("nan"),
    "infinite": float("inf"),
    "text": "x" * 3000,
    "escape": "\x1b]0;x\x07",
    "surrogate": "\ud800",
    "bytes": b"\xff",
    "list": [],
    "itself": _Holding(),
    "cell": (10**400, 0),
    "class": int,
    "object": Unshown(),
    "numpy": np.int64(3),
    "array": np.array(3),
    "arrays": np.zeros((2, 2)),
}

CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "analyze": (msat.analyze, {"board": BOARD}),
    "analyze_many": (msat.analyze_many, {"boards": [BOARD]}),
    "probabilities": (msat.probabilities, {"array": BOARD.to_array(), "mines": 3}),
    "best_move": (msat.best_move, {"board": BOARD}),
    "hint": (msat.hint, {"board": BOARD, "level": 1}),
    "explain": (msat.explain, {"board": BOARD, "cell": (0, 0)}),
    "sample": (msat.sample, {"board": BOARD}),
    "win_probability": (msat.win_probability, {"board": BOARD}),
    "difficulty": (msat.difficulty, {"puzzle": LAYOUT}),
    "walkthrough": (msat.walkthrough, {"board": BOARD}),
    "judge_marks": (msat.judge_marks, {"board": BOARD}),
    "review": (msat.review, {"record": msat.Game(LAYOUT).record}),
    "deductions": (msat.deductions, {"board": BOARD}),
    "metrics": (msat.metrics, {"layout": LAYOUT}),
    "Board.blank": (msat.Board.blank, {"height": 2, "width": 2, "mines": 1}),
    "Board.from_object": (msat.Board.from_object, {"found": {}}),
    "Layout.no_guess": (
        msat.Layout.no_guess,
        {"height": 3, "width": 4, "mines": 1, "seed": 1, "start": (0, 0)},
    ),
    "Layout.from_object": (msat.Layout.from_object, {"found": {}}),
    "Record.from_object": (msat.Record.from_object, {"found": {}}),
    "Record.game": (msat.Game(LAYOUT).record.game, {}),
    "svg.board": (msat.svg.board, {"board": BOARD}),
    "Plan": (Plan, {"strategy": "logic", "height": 4, "width": 4, "mines": 2}),
}

TRIED = frozenset(
    [
        "board",
        "array",
        "layout",
        "puzzle",
        "record",
        "found",
        "cell",
        "seconds",
        "budget",
        "n",
        "seed",
        "level",
        "workers",
        "last_rule",
        "mines",
        "height",
        "width",
        "upto",
        "size",
        "start",
        "games",
        "per_seed",
        "strategy",
        "most_solutions",
        "most_nodes",
    ]
)
"""Arguments that are tried: what is one thing, not a collection or a function."""


@pytest.mark.parametrize("name", CALLS)
def test_strange_arguments(name: str) -> None:
    function, usual = CALLS[name]
    tried = [each for each in inspect.signature(function).parameters if each in TRIED]
    assert tried
    for each in tried:
        if name == "svg.board" and each == "mines":  # a layout there
            continue
        for kind, value in STRANGE.items():
            message = ""
            try:
                function(**usual | {each: value})
            except msat.MsatError as refused:
                message = str(refused)
            except Exception as bad:
                raise AssertionError(f"{name}({each}={kind})") from bad
            assert len(message) < 500, (each, kind)


def test_a_budget_that_no_clock_waits_for_is_no_error() -> None:
    for seconds in (1e38, 10**400, 10**5000, float("inf")):
        assert msat.analyze(BOARD, budget=seconds).solutions == 4
        assert Deadline(seconds).left() == pytest.approx(FOR_EVER)


def test_complaints_about_questions_are_short_and_shown() -> None:
    with pytest.raises(WrongQuestion) as found:
        read("analyze", b'{"board": "?1? 1", "' + b"x" * 100_000 + b'": 1}')
    assert len(str(found.value)) < 400
    with pytest.raises(WrongQuestion, match=r"\\x1b\[31m"):
        read("analyze", b'{"board": "?1? 1", "\\u001b[31m": 1}')
    with pytest.raises(WrongQuestion, match="surrogate"):
        convert("analyze", {"board": [["\ud800"]], "mines": 1})
