"""Where a session is kept between runs: one file in the platform's user directory, replaced as a whole.

A file that cannot be read is put aside, never overwritten: what is in it may be somebody's game.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from msat.board import Board
from msat.errors import FileError, MissingFile, MsatError, RecordError
from msat.formats import read_text
from msat.record import Record
from msat.tui.app.session import Session, ViewerSettings

__all__ = ["dump", "load", "parse", "save", "state_file"]

_FORMAT = "msat-session"


def state_file() -> Path:
    """The file of the session that is saved on exit."""
    from platformdirs import user_state_path

    return user_state_path("msat", appauthor=False) / "session.json"


def dump(session: Session) -> str:
    """A session as text."""
    return json.dumps(
        {
            "format": _FORMAT,
            "version": 1,
            "settings": asdict(session.settings),
            "seed": session.seed,
            "record": session.game.record.to_json() if session.has_game else None,
            "board": session.board.to_text("line") if session.editing else None,
        }
    )


def parse(text: str) -> Session:
    """The session that `dump` wrote; anything else is a `RecordError`."""
    try:
        found = json.loads(text)
        if not isinstance(found, dict) or found.get("format") != _FORMAT or found.get("version") != 1:
            raise RecordError("it is no session of this version of msat")
        settings = _settings(found["settings"])
        record, board = found["record"], found["board"]
        if record is not None:
            session = Session.of_record(Record.from_json(record), settings)
            session.seed = found["seed"]
            if board is not None:
                session.edit(Board.parse(board))
        else:
            session = Session.of_board(Board.parse(board), settings)
    except (ValueError, KeyError, TypeError, AttributeError) as bad:  # MsatErrors of texts are ValueErrors
        raise RecordError(f"not a saved session: {bad}") from None
    return session


def _settings(found: dict[str, Any]) -> ViewerSettings:
    # A session of another version may know settings that this one does not: a game is not lost for them.
    known = {field.name for field in fields(ViewerSettings)}
    settings = ViewerSettings(**{name: value for name, value in found.items() if name in known})
    expected = {
        field.name: type(field.default) for field in fields(ViewerSettings) if field.default is not None
    }
    for name, kind in expected.items():
        if type(getattr(settings, name)) is not kind:
            raise RecordError(f"'{name}' is {getattr(settings, name)!r}")
    start = settings.start
    return settings if start is None else replace(settings, start=(int(start[0]), int(start[1])))


def save(session: Session, path: Path) -> None:
    """Write the session, entirely or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(dump(session), "utf-8")
        unfinished.replace(path)
    except OSError as bad:
        raise FileError(f"{path}: cannot be written: {bad.strerror or bad}") from None


def load(path: Path) -> tuple[Session | None, str]:
    """The saved session, if there is one, and what is to be told about it.

    A damaged file is renamed, so that the next save does not destroy it.
    """
    try:
        return parse(read_text(path, RecordError, limit=None)), ""
    except MissingFile:
        return None, ""
    except MsatError as bad:
        aside = path.with_suffix(".damaged")
        try:
            path.replace(aside)
        except OSError as worse:
            return None, f"the last session cannot be read ({bad}), nor put aside ({worse.strerror})"
        return None, f"the last session cannot be read ({bad}); it was put aside as {aside}"
