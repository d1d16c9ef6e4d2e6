"""Changes of an input: of its bytes, and of the JSON value that it is, if it is one.

What is random comes from the `Random` that is given: the same seed, the same inputs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

__all__ = ["STRANGE", "TOKENS", "mutate"]

TOKENS = (
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b":",
        b",",
        b"null",
        b"true",
        b"NaN",
        b"Infinity",
        b"1e999",
        b"-0",
        b"-1",
    ),
    *(b"\x1b]0;title\x07", b"\x1b[31m", b"\x00", b"\r\n", b"\x85", b"\xe2\x80\xae", b"\xff", b"\xef\xbb\xbf"),
    *(b"9" * 400, b"1" * 5000, b"[" * 985, b'{"a":' * 200, b"x" * 3000, b"0." + b"0" * 400 + b"1"),
    *(
        b"\\ud800",
        b"\\u001b",
        b"2147483648",
        b"18446744073709551616",
        b"1000x1000x1",
        b"mines: 1",
        b"start: 0 0",
    ),
    *(b"/", b"?", b"*", b".", b"H", b"M", b" ", b"\n", b"\t", b"=", b"module:Class", b"[red]x[/red]", b"[/]"),
)
"""Pieces that some readers have stumbled over, and what the forms are made of."""

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 8, 9, 10**9, 1 << 32, 1 << 63, 10**30, 10**400, -(10**50)),
    *(
        0.5,
        1.0,
        -0.0,
        1e308,
        5e-324,
        float("nan"),
        float("inf"),
        "",
        "a",
        "0",
        "\x1b[31m",
        "\u202e",
        "\ud800",
    ),
    *(
        "x" * 3000,
        "evil:Player",
        "../../x",
        "[bold]x",
        "0,0",
        "on",
        [],
        {},
        [[]],
        [0, 0],
        [-1, 5],
        {"": None},
    ),
    *([0] * 2000, {"game": 0}, json.loads("[" * 60 + "]" * 60)),
)
"""Values to put where another one is expected."""


def mutate(data: bytes, corpus: Sequence[bytes], draw: Random) -> bytes:
    """Another input made of one, or of two."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        if draw.random() < 0.5:
            changed = _change_value(data, draw)
            if changed is not None:
                data = changed
                continue
        data = _change_bytes(data, corpus, draw)
    return data


def _change_bytes(data: bytes, corpus: Sequence[bytes], draw: Random) -> bytes:
    begin = draw.randint(0, len(data))
    end = min(len(data), begin + draw.choice((1, 1, 2, 4, 16, 64, 1024)))
    match draw.randrange(8):
        case 0:
            return data[:begin] + data[end:]
        case 1:
            return data[:begin] + draw.choice(TOKENS) + data[begin:]
        case 2:
            return data[:begin] + draw.choice(TOKENS) + data[end:]
        case 3:
            return data[:end] + data[begin:end] * draw.choice((1, 1, 2, 20)) + data[end:]
        case 4:
            other = draw.choice(corpus)
            place = draw.randint(0, len(other))
            return data[:begin] + other[place : place + draw.choice((4, 32, 4096))]
        case 5:
            return data[:begin]
        case 6 if data:
            place = min(begin, len(data) - 1)
            return data[:place] + bytes([data[place] ^ 1 << draw.randrange(8)]) + data[place + 1 :]
        case _:
            return data[:begin] + bytes([draw.randrange(256)]) + data[begin:]


def _change_value(data: bytes, draw: Random) -> bytes | None:
    """The input with something in its JSON value changed: of all of it, or of one of its lines."""
    lines = data.split(b"\n")
    which = draw.randrange(len(lines))
    for text, before, after in ((data, [], []), (lines[which], lines[:which], lines[which + 1 :])):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        try:
            written = json.dumps(_changed(value, draw), ensure_ascii=draw.random() < 0.8)
        except (ValueError, RecursionError):
            return None
        return b"\n".join([*before, written.encode("utf-8", "surrogatepass"), *after])
    return None


def _changed(value: Any, draw: Random) -> Any:
    """A value with one thing in it replaced, left out, added or doubled."""
    if not isinstance(value, dict | list) or not value or draw.random() < 0.1:
        if isinstance(value, str) and draw.random() < 0.5:  # JSON within JSON, as a session has it
            try:
                return json.dumps(_changed(json.loads(value), draw))
            except (ValueError, RecursionError):
                pass
        return draw.choice(STRANGE)
    if isinstance(value, list):
        place = draw.randrange(len(value))
        match draw.randrange(6):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value[:place], draw.choice(STRANGE), *value[place:]]
            case 2:
                return value[: place + 1] + value[place:]
            case _:
                return [*value[:place], _changed(value[place], draw), *value[place + 1 :]]
    name = draw.choice(list(value))
    match draw.randrange(6):
        case 0:
            return {key: each for key, each in value.items() if key != name}
        case 1:
            return {**value, draw.choice(("a", "", "\x1b", name + "x", "self", "name")): draw.choice(STRANGE)}
        case 2:
            return {**value, name: value[draw.choice(list(value))]}
        case _:
            return {**value, name: _changed(value[name], draw)}
