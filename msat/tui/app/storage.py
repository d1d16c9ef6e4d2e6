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
from msat.errors import FileError, MissingFile, MsatError, RecordError, UnknownName
from msat.formats import read_text
from msat.formats.json_form import check_keys, load_object, shown, take
from msat.limits import RECORD_BYTES, SESSION_BYTES
from msat.record import Record
from msat.strategies import names
from msat.tui.app.looks import LOOKS
from msat.tui.app.session import KEPT, Session, ViewerSettings

__all__ = ["dump", "kept_look", "load", "parse", "save", "state_file"]

_FORMAT = "msat-session"


def state_file() -> Path | None:
    """The file of the session that is saved on exit; None for a user without a home, who keeps nothing."""
    from platformdirs import user_state_path

    try:
        return user_state_path("msat", appauthor=False) / "session.json"
    except RuntimeError:
        return None


def dump(session: Session) -> str:
    """A session as text."""
    return json.dumps(
        {
            "format": _FORMAT,
            "version": 1,
            "settings": asdict(session.settings),
            "seed": session.seed,
            "record": session.history.record.to_json() if session.has_game else None,
            "move": session.history.moves if session.has_game else None,
            "kept": _kept(session),
            "board": session.board.to_text("line") if session.editing else None,
        }
    )


def _kept(session: Session) -> list[str]:
    """The games that were left before, the latest last, as many as a file has room for."""
    texts: list[str] = []
    for game in reversed(session.kept):
        texts.insert(0, game.record.to_json())
        if sum(map(len, texts)) > RECORD_BYTES // 2:  # twice as long once it is text in text
            return texts[1:]
    return texts


def parse(text: str) -> Session:
    """The session that `dump` wrote; anything else is a `RecordError`."""
    try:
        if len(text) > SESSION_BYTES:
            raise RecordError(f"it has {len(text):,} characters: at most {SESSION_BYTES:,} are read")
        found = load_object(text, RecordError)
        if found.get("format") != _FORMAT or found.get("version") != 1:
            raise RecordError("it is no session of this version of msat")
        check_keys(
            found,
            ["format", "version", "settings", "seed", "record", "board"],
            ["move", "kept"],
            RecordError,
        )
        return _session(found, _settings(take(found, "settings", dict, RecordError)))
    except MsatError as bad:
        raise RecordError(f"not a saved session: {bad}") from None


def _session(found: dict[str, Any], settings: ViewerSettings) -> Session:
    board = None if found["board"] is None else Board.parse(take(found, "board", str, RecordError))
    if found["record"] is None:
        if board is None:
            raise RecordError("it has neither a game nor a board")
        session = Session.of_board(board, settings)
    else:
        record = Record.from_json(take(found, "record", str, RecordError))
        move = None if found.get("move") is None else take(found, "move", int, RecordError)
        session = Session.of_record(record, settings, move)
        session.seed = None if found["seed"] is None else take(found, "seed", int, RecordError)
        if board is not None:
            session.edit(board)
    kept = take(found, "kept", list, RecordError) if "kept" in found else []
    session.kept = [Record.from_json(each).game() for each in kept[-KEPT:]]
    return session


def _settings(found: dict[str, Any]) -> ViewerSettings:
    # A session of another version may know settings that this one does not: a game is not lost for them.
    known = {field.name: field.default for field in fields(ViewerSettings)}
    found = {name: value for name, value in found.items() if name in known}
    for name, value in found.items():
        if known[name] is not None and type(value) is not type(known[name]):
            raise RecordError(f"'{name}' is {shown(value)}")
    settings = ViewerSettings(**found)
    if settings.look not in ("", *LOOKS):
        raise UnknownName.of("look", settings.look, LOOKS)
    if settings.strategy not in names():
        raise UnknownName.of("strategy", settings.strategy, names())
    if settings.seed is not None:
        take(found, "seed", int, RecordError)
    if settings.start is None:
        return settings
    start = take(found, "start", list, RecordError)
    if len(start) != 2 or not all(type(part) is int for part in start):
        raise RecordError(f"start is {shown(start)}, not [row, column]")
    return replace(settings, start=(start[0], start[1]))


def save(session: Session, path: Path) -> None:
    """Write the session, entirely or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(dump(session), "utf-8")
        unfinished.replace(path)
    except OSError as bad:
        raise FileError(f"{path}: cannot be written: {bad.strerror or bad}") from None


def kept_look(path: Path | None) -> str:
    """Dark or light, if that was chosen in the last session: also a fresh one looks like that."""
    try:
        found = None if path is None else parse(read_text(path, RecordError, limit=SESSION_BYTES))
    except MsatError:  # which `load` tells
        return ""
    return "" if found is None else found.settings.look


def load(path: Path) -> tuple[Session | None, str]:
    """The saved session, if there is one, and what is to be told about it.

    A damaged file is renamed, so that the next save does not destroy it.
    """
    try:
        return parse(read_text(path, RecordError, limit=SESSION_BYTES)), ""
    except MissingFile:
        return None, ""
    except MsatError as bad:
        aside, number = path.with_suffix(".damaged"), 1
        while aside.exists():  # of an earlier time
            number += 1
            aside = path.with_suffix(f".damaged-{number}")
        try:
            path.replace(aside)
        except OSError as worse:
            return None, f"the last session cannot be read ({bad}), nor put aside ({worse.strerror})"
        return None, f"the last session cannot be read ({bad}); it was put aside as {aside}"
