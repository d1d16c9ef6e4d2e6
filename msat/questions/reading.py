"""Questions read from JSON: what is not JSON, or no question, is refused by one line."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from msat.errors import MsatError
from msat.questions.requests import QUESTIONS, Question
from msat.wording import visible

__all__ = ["NotJson", "WrongQuestion", "convert", "decode", "read"]


class NotJson(MsatError, ValueError):
    """A body that is not JSON, or is nested too deep."""


class WrongQuestion(MsatError, ValueError):
    """JSON that is not a question: a field is missing, unknown, or of the wrong kind."""


LONGEST_COMPLAINT = 300
"""The most signs of what is told about a wrong question."""

T = TypeVar("T")

_ANYTHING: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
_DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in QUESTIONS.items()}


def read(name: str, body: bytes) -> Question:
    """The question of a name in a JSON text.

    >>> read("sample", b'{"board": "?1? 1", "n": 2}').n
    2
    >>> read("convert", b'{"board": "?1? 1", "m": 2}')
    Traceback (most recent call last):
    msat.questions.reading.WrongQuestion: unknown field `m`: the fields are board, mines, form, to
    >>> read("cells", b'{"board": "?1? 1", "marks": "x"}')
    Traceback (most recent call last):
    msat.questions.reading.WrongQuestion: Invalid enum value 'x' - at `$.marks`: expected one of judge, trust
    """
    return decode(body, _DECODERS[name])


def decode(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """What a JSON text holds."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as bad:
        # Said of the part that was read so far: what follows may not even be JSON.
        if decoder is not _ANYTHING:
            with suppress(WrongQuestion):
                decode(body, _ANYTHING)
        raise WrongQuestion(_told(bad, decoder.type)) from None
    except msgspec.DecodeError as bad:
        raise NotJson(_told(bad)) from None
    except UnicodeDecodeError as bad:
        raise NotJson(f"byte {bad.start} is not UTF-8") from None
    except RecursionError:
        raise NotJson("it is nested too deep") from None


def convert(name: str, value: Any) -> Question:
    """The question of a name in plain values."""
    try:
        return msgspec.convert(value, QUESTIONS[name])
    except msgspec.ValidationError as bad:
        raise WrongQuestion(_told(bad, QUESTIONS[name])) from None
    except UnicodeEncodeError:  # a text with half of a surrogate pair, where a number is expected
        raise WrongQuestion("it holds a text that is not Unicode: half of a surrogate pair") from None


def _told(bad: msgspec.MsgspecError, kind: Any = None) -> str:
    """What msgspec says, which quotes names of fields as they came, of any length.

    Where a field of a question is unknown, those that it has are told, and where a value is, what it may be.
    """
    text = visible(str(bad))
    if len(text) > LONGEST_COMPLAINT:
        text = text[:LONGEST_COMPLAINT] + "…"
    unknown = text.removeprefix("Object contains ")
    if kind is None or not issubclass(kind, Question):
        return text
    if unknown != text:
        return f"{unknown}: the fields are {', '.join(kind.__struct_fields__)}"
    place = _VALUE.search(text)
    known = _names_of(get_type_hints(kind)[place[1]]) if place and place[1] in kind.__struct_fields__ else []
    return f"{text}: expected one of {', '.join(known)}" if known else text


_VALUE = re.compile(r"^Invalid enum value .* - at `\$\.(\w+)(?:\[(?:\d+|\.\.\.)\])?`$", re.DOTALL)


def _names_of(kind: Any) -> list[str]:
    """The names that a type is made of.

    >>> _names_of(list[Literal["a", "b"]] | None)
    ['a', 'b']
    """
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [name for part in get_args(kind) for name in _names_of(part)]
