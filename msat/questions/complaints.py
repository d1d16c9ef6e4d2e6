"""What is wrong with a question, in words: the field as it came, and what it may be.

The decoder says it in types (`Expected str | null, got int - at $.form`). Who asks writes JSON, maybe by
hand, and knows "text" and "null"; so the types of `requests.py` are told in these words, as `/docs` does.
"""

from __future__ import annotations

import json
import re
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta

from msat.questions.requests import Question
from msat.wording import as_field, shorten, visible

__all__ = ["complaint", "expected"]

LONGEST = 300
"""The most signs of what is told: names of fields are quoted as they came, of any length."""

SHOWN = 100
"""Signs of a value that are enough to be cut."""

_FIELD = re.compile(r" - at `\$\.(\w+)((?:\[(?:\d+|\.\.\.)\])*)`$")
_MISSING = re.compile(r"^Object missing required field `(\w+)`$")
_UNKNOWN = "Object contains unknown field "
_ONE: dict[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    tuple: "a cell, [row, column]",
    NoneType: "null",
    list: "a list",
}
_MANY = {str: "texts", int: "whole numbers", dict: "objects", list: "lists"}


def complaint(said: str, kind: type[Question], value: Any = UNSET) -> str:
    """What the decoder has said about a question of that kind, whose JSON value is known or UNSET.

    >>> from msat.questions.requests import Explain
    >>> complaint("Expected `int`, got `str` - at `$.cell[1]`", Explain, {"cell": [0, "b"]})
    '"cell": [0, "b"] is not accepted, since [1] is "b": expected a cell, [row, column] or null'
    >>> complaint("Expected `object`, got `int`", Explain, 7)
    'expected an object with the fields board, mines, form, marks, budget, cell: this is a number'
    """
    fields = (
        f"the fields {'are' if len(kind.__struct_fields__) > 1 else 'is'} {', '.join(kind.__struct_fields__)}"
    )
    if said.startswith(_UNKNOWN):
        return f"{_cut(said.removeprefix('Object contains '))}: {fields}"
    if missing := _MISSING.search(said):
        return f"{as_field(missing[1], ...)} is missing: {fields}"
    place = _FIELD.search(said)
    if place is None or place[1] not in kind.__struct_fields__:
        if value is UNSET or isinstance(value, dict):
            return _cut(said)
        names = ", ".join(kind.__struct_fields__)
        return f"expected an object with the fields {names}: this is {_sort(value)}"
    name, inside = place[1], place[2]
    wanted = expected(get_type_hints(kind, include_extras=True)[name])
    try:
        given = value[name]
        why = f", since {inside} is {_written(_part(given, inside))}" if inside else ""
    except (KeyError, TypeError, IndexError):  # a number that no decoder takes; two fields of that name
        return f"{as_field(name, ...)} is not accepted: expected {wanted}"
    return _cut(f"{json.dumps(name)}: {_written(given)} is not accepted{why}: expected {wanted}")


def expected(kind: Any) -> str:
    """A type of a field, in words.

    >>> expected(list[list[int]] | str | None), expected(Literal["judge", "trust"])
    ('a list of lists of whole numbers or text or null', '"judge" or "trust"')
    >>> expected(Annotated[int, Meta(ge=0, le=10_000)]), expected(Annotated[float, Meta(ge=0)])
    ('a whole number, 0 to 10,000', 'a number, 0 or more')
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return expected(parts[0]) + _range(parts[1])
    if origin in (Union, UnionType):
        return " or ".join(map(expected, parts))
    if origin is Literal:
        return " or ".join(map(json.dumps, parts))
    if origin is list:
        return f"{_ONE[list]} of {_several(parts[0])}"
    return _ONE[origin or kind]


def _several(kind: Any) -> str:
    """What a list holds.

    >>> _several(Literal["a", "b"]), _several(list[int])
    ('"a" or "b"', 'lists of whole numbers')
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin is list:
        return f"{_MANY[list]} of {_several(parts[0])}"
    return _MANY.get(origin or kind) or expected(kind)


def _range(meta: Meta) -> str:
    if meta.ge is None:
        return ""
    return f", {meta.ge:,} to {meta.le:,}" if meta.le is not None else f", {meta.ge:,} or more"


def _part(value: Any, inside: str) -> Any:
    """What stands at a place such as `[0][1]`."""
    for number in re.findall(r"\d+", inside):
        if not isinstance(value, list):
            raise TypeError
        value = value[int(number)]
    return value


def _written(value: Any) -> str:
    """The beginning of a value: the rest, maybe megabytes, is not even written.

    >>> _written([[1, 2], {"a": None}]), _written([0] * 1000)
    ('[[1, 2], {"a": null}]', '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …')
    """
    text = ""
    for part in json.JSONEncoder().iterencode(value):
        text += part
        if len(text) > SHOWN:
            break
    return shorten(text)


def _sort(value: Any) -> str:
    """What sort of JSON value it is.

    >>> _sort([]), _sort(True), _sort(1.5), _sort(None)
    ('a list', 'true or false', 'a number', 'null')
    """
    return "a number" if type(value) in (int, float) else _ONE[type(value)]


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
