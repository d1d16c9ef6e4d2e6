"""Arguments that are nothing of the kind: whatever is given, an answer or an `MsatError`.

Some numbers get through checks that were written for ordinary ones: no `float` holds 10**400, Python does not
write 10**5000 at all, no clock waits for 1e38 seconds, and some values cannot even be shown.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msat
from msat.deadline import FOR_EVER, Deadline
from msat.questions.reading import WrongQuestion, convert, read
from tests.support.public import BOARD, KEYWORDS, Call, public_calls

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


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
    "dict": {},
    "named": {"x": 1},
    "values of cells": {(0, 0): "x"},
    "keys that are none": {None: None},
    "nested": [[[[1]]]],
    "nothing in it": [None],
    "set": {1},
    "complex": 1j,
    "slice": slice(3),
}

CALLS = public_calls()

FUNCTIONS = {"on_move", "on_point", "on_progress", "open_cell", "progress", "report"}
"""Functions of the caller: what they raise is theirs, so none is tried."""


@pytest.mark.parametrize("name", CALLS)
def test_strange_arguments(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of files are among them
    call = CALLS[name]
    for each in call.parameters:
        for key in KEYWORDS.get(name, ("board",)) if each.kind is each.VAR_KEYWORD else (each.name,):
            for kind, value in STRANGE.items():
                if each.kind is not each.VAR_POSITIONAL and not (key in FUNCTIONS and callable(value)):
                    message = _tried(call, key, value, f"{name}({key}={kind})")
                    assert len(message) < 500, (key, kind)


def _tried(call: Call, key: str, value: Any, told: str) -> str:
    """What is said about a value, if it is refused."""
    given = call.usual | {key: value}
    first = [given.pop(each.name) for each in call.parameters if each.kind is each.POSITIONAL_ONLY]
    try:
        found = call.make()(*first, **given)
        if isinstance(found, Iterator):
            next(found, None)  # a generator looks at what it was given when it begins
    except msat.MsatError as refused:
        return str(refused)
    except ConnectionRefusedError:  # a client that would have asked
        return ""
    except Exception as bad:
        raise AssertionError(told) from bad
    return ""


def test_what_the_reference_tells_of_is_tried() -> None:
    listed = re.findall(r"^::: (msat\.\S+)$", "\n".join(map(Path.read_text, REFERENCE.glob("*.md"))), re.M)
    tried = {name.split(".")[-1] for name in CALLS}
    functions = [name for name in listed if _takes_something(pkgutil.resolve_name(name))]
    assert len(functions) > 20
    assert [name for name in functions if name.split(".")[-1] not in tried] == []


def _takes_something(value: object) -> bool:
    return inspect.isfunction(value) and bool(inspect.signature(value).parameters)


def test_a_new_name_is_tried_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine(board: msat.Board) -> int:
        return board.mines

    monkeypatch.setattr(msat.svg, "mine", mine, raising=False)
    monkeypatch.setattr(msat.svg, "__all__", [*msat.svg.__all__, "mine"])
    with pytest.raises(AssertionError, match="told"):
        _tried(public_calls()["msat.svg.mine"], "board", None, "told")


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


@pytest.mark.parametrize(
    ("name", "question", "told"),
    [
        ("hint", {"seconds": "2"}, '"seconds": "2" is not accepted: expected a number, 0 to 86,400'),
        ("explain", {"cell": [0]}, '"cell": [0] is not accepted: expected a cell, [row, column] or null'),
        (
            "explain",
            {"cell": [0, 1.5]},
            '"cell": [0, 1.5] is not accepted, since [1] is 1.5: expected a cell, [row, column] or null',
        ),
        (
            "analyze",
            {"board": [[-1, "1"]]},
            '"board": [[-1, "1"]] is not accepted, since [0][1] is "1": expected text or an object or a '
            "list of lists of whole numbers",
        ),
        (
            "encode",
            {"format": "cnf"},
            '"format": "cnf" is not accepted: expected "dimacs" or "opb" or "cpsat"',
        ),
        ("generate", {"no_guess": 1}, '"no_guess": 1 is not accepted: expected true or false'),
    ],
)
def test_complaints_quote_what_was_asked_and_tell_what_would_be_right(
    name: str, question: dict[str, Any], told: str
) -> None:
    asked = ({} if name == "generate" else {"board": "?1? 1"}) | question
    with pytest.raises(WrongQuestion) as found:
        read(name, json.dumps(asked).encode())
    assert str(found.value) == told
    with pytest.raises(WrongQuestion) as found:
        convert(name, asked)
    assert str(found.value) == told


def test_complaints_about_what_is_no_object_or_lacks_a_field_or_has_two() -> None:
    for body, told in (
        (b"[]", "expected an object with the fields board, mines, form, to: this is a list"),
        (b"{}", '"board" is missing: the fields are board, mines, form, to'),
        (
            b'{"board": "?", "mines": ' + b"9" * 10_000 + b"}",
            '"mines" is not accepted: expected a whole number',
        ),
        (b'{"board": [[0.5]], "board": "?1? 1"}', '"board" is not accepted: expected text or an object or a'),
    ):
        with pytest.raises(WrongQuestion) as found:
            read("convert", body)
        assert str(found.value).startswith(told)
