"""The service behind `solve --jsonl`: one JSON request a line in, one JSON answer a line out.

Made for programs in any language that want exact answers without starting Python for each: the kernels stay
warm, every answer is flushed at once, and a bad line is answered with its error while the next is served. The
fields of requests and answers are documented for users in the help of `solve`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, TextIO

from msat.analysis import analyze
from msat.board import Board
from msat.cli.answer import answer_of, count_of, error_of
from msat.cli.judging import WAYS, judge
from msat.errors import BoardError, MsatError, UnknownName
from msat.formats.source import shorten
from msat.wording import argument, as_field, naming

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


def serve(lines: Iterable[bytes], out: TextIO, defaults: dict[str, Any]) -> None:
    """Answer every line; `defaults` are request fields for requests that leave them out."""
    with naming(as_field):
        for line in lines:
            if line.strip():
                # By default json writes ASCII only: the answer survives every encoding of `out`.
                out.write(json.dumps(_reply(line, defaults), allow_nan=False) + "\n")
                out.flush()


def _reply(line: bytes, defaults: dict[str, Any]) -> dict[str, Any]:
    identity: dict[str, Any] = {}
    try:
        request = _parse(line)
        if "id" in request:
            identity["id"] = request.pop("id")
        _check(request)
        wanted = defaults | request
        board = _board(wanted)
        judged = judge(board, wanted["marks"], wanted["budget"])
        analysis = analyze(judged.trusted, engine=wanted["engine"], budget=wanted["budget"])
        solutions, late = count_of(analysis)
        answer = identity | answer_of(analysis, solutions) | {"marks": judged.fields()}
        return answer if late is None else answer | {"error": error_of(late)}
    except MsatError as error:
        return {"id": identity.get("id"), "error": error_of(error)}


def _board(wanted: dict[str, Any]) -> Board:
    """The board of a request: text in any form, the object of the json form, or rows of numbers."""
    board, mines = wanted["board"], wanted["mines"]
    if isinstance(board, str):
        return Board.parse(board, mines=mines, form=wanted["form"])
    if isinstance(board, dict):
        return Board.from_object(board, mines=mines)
    if mines is None:
        raise BoardError(f"a board of numbers does not tell its mines: give {argument('mines', 10)}")
    return Board.from_array(board, mines)


def _parse(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise BoardError(
            f"request {_quoted(line)} is not UTF-8 text: byte {bad.start} is 0x{line[bad.start]:02x}"
        ) from None
    try:
        request = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise BoardError(f"request {_quoted(line)} is not JSON: {error}") from None
    if isinstance(request, str):
        return {"board": request}
    if not isinstance(request, dict):
        raise BoardError(f"request {_quoted(line)} is neither a JSON object nor a string that holds a board")
    return request


def _refuse(constant: str) -> float:
    """Refuse NaN and Infinity, which Python reads and writes, and JSON does not have."""
    raise ValueError(f"{constant} is no JSON number")


def _finite(text: str) -> float:
    """A number; one such as 1e999 would become an infinity, which no answer could repeat."""
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _check(request: dict[str, Any]) -> None:
    """Refuse fields that are missing, unknown or of the wrong kind, before anything else meets them."""
    if "board" not in request:
        raise BoardError('the request has no "board"')
    for name, value in request.items():
        if name not in _KINDS:
            raise BoardError(f"unknown field {name!r} in the request: known are {', '.join(_KINDS)}, id")
        if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
            kinds = " or ".join(_NAMES[kind] for kind in _KINDS[name])
            raise BoardError(
                f"field {name!r} of the request is {shorten(json.dumps(value))}: expected {kinds}"
            )
    if request.get("marks", WAYS[0]) not in WAYS:
        raise UnknownName.of("way to take marks", request["marks"], WAYS)


def _quoted(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
