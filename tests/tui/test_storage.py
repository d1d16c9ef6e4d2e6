"""The session that is kept between two runs of the viewer: a damaged one is put aside, whatever is in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from msat.board import Board
from msat.errors import RecordError
from msat.tui.app import storage
from msat.tui.app.session import Session, ViewerSettings

GOOD: dict[str, Any] = json.loads(storage.dump(Session(ViewerSettings(9, 9, 10, seed=3, start=(2, 2)))))

DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"\xff\xfe",
    b"\x00" * 100,
    b"[" * 100_000,
    b'{"a":' * 985 + b"1" + b"}" * 985,
    *(
        json.dumps(GOOD | change).encode()
        for change in (
            {"version": 2},
            {"settings": None},
            {"settings": GOOD["settings"] | {"start": []}},
            {"settings": GOOD["settings"] | {"start": {}}},
            {"settings": GOOD["settings"] | {"start": [1, "2"]}},
            {"settings": GOOD["settings"] | {"height": 9.0}},
            {"settings": GOOD["settings"] | {"seed": "x"}},
            {"settings": GOOD["settings"] | {"strategy": "evil:Player"}},
            {"seed": [1]},
            {"seed": float("nan")},
            {"seed": 10**400},
            {"record": 5},
            {"record": None},
            {"record": "[" * 100_000},
            {"board": [[1]]},
            {"board": "9/9 1"},
        )
    ),
]


def test_a_user_without_a_home_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert storage.state_file() is not None
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as for a uid without a name
    assert storage.state_file() is None


@pytest.mark.parametrize("data", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_session_is_put_aside(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(data)
    session, notice = storage.load(path)
    assert session is None
    assert "the last session cannot be read" in notice
    assert len(notice) < 1000
    assert not path.exists()
    [aside] = tmp_path.iterdir()
    assert aside.read_bytes() == data
    assert str(aside) in notice
    assert storage.load(path) == (None, "")


def test_the_next_damaged_one_does_not_replace_it(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    for number in range(3):
        path.write_text(f"damage {number}")
        storage.load(path)
    assert sorted(file.read_text() for file in tmp_path.iterdir()) == ["damage 0", "damage 1", "damage 2"]


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "session.json").mkdir()
    session, notice = storage.load(tmp_path / "session.json")
    assert session is None
    assert "cannot be read" in notice


def test_a_good_one_comes_back(tmp_path: Path) -> None:
    played = Session(ViewerSettings(9, 9, 10, seed=3, start=(2, 2)))
    played.edit(Board.parse("?1? 1"))
    for session in (played, Session.of_board(Board.parse("??/11 1"))):
        again = storage.parse(storage.dump(session))
        assert again.settings == session.settings
        assert again.board == session.board
        assert again.seed == session.seed
    with pytest.raises(RecordError, match="it has neither a game nor a board"):
        storage.parse(json.dumps(GOOD | {"record": None}))
