"""The service behind `solve --jsonl`: one JSON request a line in, one JSON answer a line out.

Made for programs in any language that want exact answers without starting Python for each: the kernels stay
warm, every answer is flushed at once, and a bad line is answered with its error while the next is served. The
fields of requests and answers are documented for users in the help of `solve`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from msat.analysis import analyze
from msat.board import Board
from msat.cli.answer import answer_of, error_of
from msat.errors import BoardError, MsatError

__all__ = ["serve"]

_KINDS: dict[str, tuple[type, ...]] = {
    "board": (str,),
    "mines": (int, type(None)),
    "form": (str, type(None)),
    "engine": (str,),
    "budget": (int, float, type(None)),
}


def serve(lines: Iterable[bytes], out: TextIO, defaults: dict[str, Any]) -> None:
    """Answer every line; `defaults` are request fields for requests that leave them out."""
    for line in lines:
        if line.strip():
            # By default json writes ASCII only: the answer survives every encoding of `out`.
            out.write(json.dumps(_reply(line, defaults)) + "\n")
            out.flush()


def _reply(line: bytes, defaults: dict[str, Any]) -> dict[str, Any]:
    identity: dict[str, Any] = {}
    try:
        request = _parse(line)
        if "id" in request:
            identity["id"] = request.pop("id")
        _check(request)
        wanted = defaults | request
        board = Board.parse(wanted["board"], mines=wanted["mines"], form=wanted["form"])
        return identity | answer_of(analyze(board, engine=wanted["engine"], budget=wanted["budget"]))
    except MsatError as error:
        return {"id": identity.get("id"), "error": error_of(error)}


def _parse(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BoardError(f"request {_quoted(line)} is not JSON: {error}") from None
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
            raise BoardError(f"unknown field {name!r} in the request: known are {', '.join(_KINDS)}, id")
        if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
            kinds = " or ".join("null" if kind is type(None) else kind.__name__ for kind in _KINDS[name])
            raise BoardError(f"field {name!r} of the request is {value!r}: expected {kinds}")


def _quoted(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
