"""Games in questions: as an object or text of msat, as a replay that is text, or as a file's bytes in base64.

Reading a game replays it, and binary replays are read by a process of their own: all of that is for a worker.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from msat.errors import RecordError
from msat.layout import Layout
from msat.questions import requests as q
from msat.record import Record, is_record
from msat.wording import quoted

if TYPE_CHECKING:
    from msat.conversion import Convertible

__all__ = ["content_of", "is_file_or_game", "record_of"]


def is_file_or_game(board: Any) -> bool:
    """Whether what is given for a board is a file's content, or the text of a game.

    >>> is_file_or_game("??1/3?2/??? 3"), is_file_or_game({"name": "game.avf", "base64": ""})
    (False, True)
    """
    if isinstance(board, str):
        from msat.replays import is_replay

        return is_record(board) or is_replay(board)
    return isinstance(board, dict) and "base64" in board


def content_of(question: q.Convert) -> Convertible:
    """What such a question is about: a game, a board or a layout."""
    board = question.board
    if isinstance(board, str):
        return Record.parse(board)
    assert isinstance(board, dict)
    return _file(board, question.mines, question.form)


def record_of(record: str | dict[str, Any]) -> Record:
    """The game that is to be judged."""
    if isinstance(record, str):
        return Record.parse(record)
    if "base64" not in record:
        return Record.from_json(json.dumps(record))
    found = _file(record)
    if isinstance(found, Record):
        return found
    kind = "layout" if isinstance(found, Layout) else "board"
    raise RecordError(f"{quoted(record['name'])} is a {kind}, not a game")


def _file(found: dict[str, Any], mines: int | None = None, form: str | None = None) -> Convertible:
    """What a file's bytes are; its name says so by its ending, and is used for nothing else."""
    from msat.conversion import read

    name, data = found.get("name"), found.get("base64")
    if found.keys() != {"name", "base64"} or not isinstance(name, str) or not isinstance(data, str):
        raise RecordError('a file is {"name": "game.avf", "base64": "…"}, two texts and no more')
    try:
        content = b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise RecordError(f"what {quoted(name)} holds is not base64") from None
    return read(content, name, mines, form)
