"""The service behind `solve --jsonl`: one JSON request a line in, one JSON answer a line out.

Made for programs in any language that want exact answers without starting Python for each: the kernels stay
warm, every answer is flushed at once, and a bad line is answered with its error while the next is served. The
fields of requests and answers are documented for users in the help of `solve`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO, TextIO

from msat.errors import BoardError, MsatError, UnknownName
from msat.formats.json_text import read_json
from msat.limits import REQUEST_BYTES
from msat.questions.answers import error_of
from msat.questions.ask import ask, board_of, partial_analysis
from msat.questions.judging import WAYS
from msat.questions.reading import convert
from msat.questions.requests import QUESTIONS, Analyze
from msat.wording import as_field, naming, quoted, shorten

__all__ = ["serve"]

_KINDS: dict[str, tuple[type, ...]] = {
    "board": (str, dict, list),
    "mines": (int, type(None)),
    "form": (str, type(None)),
    "engine": (str,),
    "budget": (int, float, type(None)),
    "marks": (str,),
}
_NAMES: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    dict: "an object",
    list: "a list of rows",
    type(None): "null",
}


def serve(source: BinaryIO, out: TextIO, defaults: dict[str, Any]) -> None:
    """Answer every line; `defaults` are request fields for requests that leave them out."""
    with naming(as_field):
        for line in _lines(source):
            if line.strip():
                # By default json writes ASCII only: the answer survives every encoding of `out`.
                out.write(json.dumps(_reply(line, defaults), allow_nan=False) + "\n")
                out.flush()


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is too long to be read as much as shows that."""
    while line := source.readline(REQUEST_BYTES + 1):
        yield line
        while line and not line.endswith(b"\n"):  # the rest of it
            line = source.readline(REQUEST_BYTES)


def _reply(line: bytes, defaults: dict[str, Any]) -> dict[str, Any]:
    identity: dict[str, Any] = {}
    try:
        request = _parse(line)
        if "id" in request:
            identity["id"] = request.pop("id")
        name = request.pop("ask", "analyze")
        if not isinstance(name, str) or name not in QUESTIONS:
            raise UnknownName.of("question", name, QUESTIONS)
        known = QUESTIONS[name].__struct_fields__
        _check(request, known)
        wanted = {key: value for key, value in defaults.items() if key in known} | request
        question = convert(name, wanted)
        if not isinstance(question, Analyze):
            return identity | ask(question)
        answer, late = partial_analysis(question, board_of(question))
        return identity | answer | ({} if late is None else {"error": error_of(late)})
    except MsatError as error:
        return {"id": identity.get("id"), "error": error_of(error)}


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > REQUEST_BYTES:
        raise BoardError(f"request {_quoted(line)} is too long: at most {REQUEST_BYTES:,} bytes are read")
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise BoardError(
            f"request {_quoted(line)} is not UTF-8 text: byte {bad.start} is 0x{line[bad.start]:02x}"
        ) from None
    try:
        request = read_json(text, BoardError)
    except BoardError as bad:
        reason = str(bad).removeprefix("not usable JSON: ")
        raise BoardError(f"request {_quoted(line)} is not JSON: {reason}") from None
    if isinstance(request, str):
        return {"board": request}
    if not isinstance(request, dict):
        raise BoardError(f"request {_quoted(line)} is neither a JSON object nor a string that holds a board")
    return request


def _check(request: dict[str, Any], known: Collection[str]) -> None:
    """Refuse fields that are missing, unknown or of the wrong kind, in the words that people know."""
    for needed in ("board", "record"):
        if needed in known and needed not in request:
            raise BoardError(f'the request has no "{needed}"')
    for name, value in request.items():
        if name not in known:
            names = ", ".join((*known, "ask", "id"))
            raise BoardError(f"unknown field {quoted(name)} in the request: known are {names}")
        if name in _KINDS and (not isinstance(value, _KINDS[name]) or isinstance(value, bool)):
            kinds = " or ".join(_NAMES[kind] for kind in _KINDS[name])
            raise BoardError(
                f"field {name!r} of the request is {shorten(json.dumps(value))}: expected {kinds}"
            )
    if request.get("marks", WAYS[0]) not in WAYS:
        raise UnknownName.of("way to take marks", request["marks"], WAYS)


def _quoted(line: bytes) -> str:
    text = line[:200].decode("utf-8", "backslashreplace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
