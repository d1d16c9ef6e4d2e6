"""Questions read from JSON: what is not JSON, or no question, is refused by one line."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from msat.errors import MsatError
from msat.questions.complaints import complaint
from msat.questions.requests import QUESTIONS, Question
from msat.wording import visible

__all__ = ["NotJson", "WrongQuestion", "convert", "decode", "read"]


class NotJson(MsatError, ValueError):
    """A body that is not JSON, or is nested too deep."""


class WrongQuestion(MsatError, ValueError):
    """JSON that is not a question: a field is missing, unknown, or of the wrong kind."""


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
    msat.questions.reading.WrongQuestion: "marks": "x" is not accepted: expected "judge" or "trust"
    """
    return decode(body, _DECODERS[name])


def decode(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """What a JSON text holds."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as bad:
        # Said of the part that was read so far: what follows may not even be JSON.
        value = UNSET
        if decoder is not _ANYTHING:
            with suppress(WrongQuestion):
                value = decode(body, _ANYTHING)
        raise _wrong(bad, decoder.type, value) from None
    except msgspec.DecodeError as bad:
        raise NotJson(visible(str(bad)) if body.strip() else "the body is empty") from None
    except UnicodeDecodeError as bad:
        raise NotJson(f"byte {bad.start} is not UTF-8") from None
    except RecursionError:
        raise NotJson("it is nested too deep") from None


def convert(name: str, value: Any) -> Question:
    """The question of a name in plain values."""
    try:
        return msgspec.convert(value, QUESTIONS[name])
    except msgspec.ValidationError as bad:
        raise _wrong(bad, QUESTIONS[name], value) from None
    except UnicodeEncodeError:  # a text with half of a surrogate pair, where a number is expected
        raise WrongQuestion("it holds a text that is not Unicode: half of a surrogate pair") from None


def _wrong(bad: msgspec.ValidationError, kind: Any, value: Any) -> WrongQuestion:
    if isinstance(kind, type) and issubclass(kind, Question):
        return WrongQuestion(complaint(str(bad), kind, value))
    return WrongQuestion(visible(str(bad)))
