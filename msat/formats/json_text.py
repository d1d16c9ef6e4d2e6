"""JSON that may come from anybody, read within limits and to plain values.

Python's reader takes what JSON does not have (NaN, Infinity), makes infinities of numbers such as 1e999, and
takes its time for numbers with a million digits; what is nested deep is read, and then nobody can print it.
Here all of that is refused.
"""

from __future__ import annotations

import json
import math
from typing import Any

from msat.errors import MsatError
from msat.limits import JSON_DEPTH, NUMBER_DIGITS

__all__ = ["read_json"]


def read_json(text: str | bytes, error: type[MsatError]) -> Any:
    """The value that `text` stands for; whatever is wrong with it is an `error`.

    >>> from msat.errors import RecordError
    >>> read_json('{"a": [1, 2.5, null]}', RecordError)
    {'a': [1, 2.5, None]}
    """
    try:
        found = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_refuse)
    except json.JSONDecodeError as bad:
        raise error(f"line {bad.lineno}, column {bad.colno}: not valid JSON: {bad.msg}") from None
    except UnicodeDecodeError as bad:
        raise error(f"not text: byte {bad.start} is not UTF-8") from None
    except ValueError as bad:
        raise error(f"not usable JSON: {bad}") from None
    except RecursionError:
        raise error(f"not usable JSON: it is nested deeper than {JSON_DEPTH}") from None
    if _deeper_than(found, JSON_DEPTH):
        raise error(f"not usable JSON: it is nested deeper than {JSON_DEPTH}")
    return found


def _whole(text: str) -> int:
    if len(text) > NUMBER_DIGITS:
        raise ValueError(f"a number of {len(text):,} digits: at most {NUMBER_DIGITS} are read")
    return int(text)


def _finite(text: str) -> float:
    if len(text) > NUMBER_DIGITS:
        raise ValueError(f"a number of {len(text):,} characters: at most {NUMBER_DIGITS} are read")
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _deeper_than(found: Any, limit: int) -> bool:
    """Whether lists and objects are nested deeper, told level by level: a recursion might not come back."""
    level = [found] if isinstance(found, dict | list) else []
    for _ in range(limit):
        level = [
            inside
            for each in level
            for inside in (each.values() if isinstance(each, dict) else each)
            if isinstance(inside, dict | list)
        ]
        if not level:
            return False
    return True
