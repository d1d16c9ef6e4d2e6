"""The service behind `solve --jsonl`: one JSON request a line in, one JSON answer a line out.

Made for programs in any language that want exact answers without starting Python for each: the kernels stay
warm, every answer is flushed at once, and a bad line is answered with its error while the next is served. The
fields of requests and answers are documented for users in the help of `solve`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, TextIO

from msat.analysis import analyze
from msat.board import Board
from msat.cli.answer import answer_of, count_of, error_of
from msat.cli.judging import WAYS, judge
from msat.errors import BoardError, MsatError, UnknownName
from msat.formats.json_text import read_json
from msat.limits import REQUEST_BYTES
from msat.wording import argument, as_field, naming, shorten

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


def _check(request: dict[str, Any]) -> None:
    """Refuse fields that are missing, unknown or of the wrong kind, before anything else meets them."""
    if "board" not in request:
        raise BoardError('the request has no "board"')
    for name, value in request.items():
        if name not in _KINDS:
            raise BoardError(
                f"unknown field {shorten(repr(name))} in the request: known are {', '.join(_KINDS)}, id"
            )
        if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
            kinds = " or ".join(_NAMES[kind] for kind in _KINDS[name])
            raise BoardError(
                f"field {name!r} of the request is {shorten(json.dumps(value))}: expected {kinds}"
            )
    if request.get("marks", WAYS[0]) not in WAYS:
        raise UnknownName.of("way to take marks", request["marks"], WAYS)


def _quoted(line: bytes) -> str:
    text = line[:200].decode("utf-8", "backslashreplace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
