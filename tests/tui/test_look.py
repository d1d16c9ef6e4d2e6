"""Dark and light: the viewer is as the terminal is, unless it was chosen, which is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot

from msat.tui import background
from msat.tui.app import storage
from msat.tui.app.session import Session
from msat.tui.app.viewer import Viewer
from tests.support.screens import SMALL, drive, settle


@pytest.mark.parametrize(("light", "ground"), [(False, "#000000"), (True, "#ffffff")])
def test_the_viewer_is_as_the_terminal_is(light: bool, ground: str) -> None:
    """It stayed dark on light terminals. On these grounds the colours of the theme are AA."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        assert viewer.screen.styles.background == Color.parse(ground)

    drive(script, light=light)


def test_a_key_changes_it_and_it_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "session.json"

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await pilot.press("L")
        await settle(pilot)
        assert viewer.screen.styles.background == Color.parse("#ffffff")
        viewer.autosave()

    drive(script, Session(SMALL), path=path)
    assert storage.kept_look(path) == "light"

    async def again(viewer: Viewer, pilot: Pilot[None]) -> None:
        assert viewer.look == "light"
        await pilot.press("L")
        assert viewer.look == "dark"

    session, _ = storage.load(path)
    drive(again, session)


def test_a_look_that_is_none_is_refused(tmp_path: Path) -> None:
    text = storage.dump(Session(SMALL)).replace('"look": ""', '"look": "pink"')
    (tmp_path / "session.json").write_text(text)
    assert storage.kept_look(tmp_path / "session.json") == storage.kept_look(None) == ""
    assert "pink" in storage.load(tmp_path / "session.json")[1]


def test_nobody_is_asked_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORFGBG", raising=False)
    assert not background.is_light()
    monkeypatch.setenv("COLORFGBG", "0;15")
    assert background.is_light()
