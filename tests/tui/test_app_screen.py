"""What the viewer shows and keeps: files, sessions, dialogs, terminals and boards of all sizes."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.widgets import Footer

from msat import Board, Record
from msat.tui.app import storage
from msat.tui.app.actions import ACTIONS
from msat.tui.app.dialogs import Help
from msat.tui.app.grid import Grid
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer
from msat.tui.board import BoardView
from msat.tui.theme import ASCII
from tests.support.screens import SMALL, answer, closed, compare, drive, said, screen_text, settle, until


def first_command(viewer: Viewer) -> str:
    """What the command palette would run on enter."""
    commands = viewer.screen.query_one(CommandList)
    return str(commands.get_option_at_index(0).prompt) if commands.option_count else ""


class TestFiles:
    def test_save_and_load(self, tmp_path: Path) -> None:
        file, board = tmp_path / "game.json", tmp_path / "board.txt"

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await answer(pilot, "ctrl+s", str(file))
            assert Record.load(file).layout == viewer.session.game.layout
            moves = viewer.session.game.moves
            await pilot.press("e")
            await answer(pilot, "ctrl+s", str(board))
            assert Board.parse(board.read_text()) == viewer.session.board
            await answer(pilot, "o", str(board))
            assert not viewer.session.has_game
            await answer(pilot, "o", str(file))
            assert viewer.session.game.moves == moves
            file.write_text("{")
            await answer(pilot, "o", str(file))
            assert viewer.session.game.moves == moves
            await answer(pilot, "o", str(tmp_path / "nowhere"))
            assert "nowhere" in said(viewer)

        drive(script)

    @pytest.mark.parametrize("editing", [False, True])
    def test_the_session_is_kept(self, tmp_path: Path, editing: bool) -> None:
        file = tmp_path / "deep" / "session.json"

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("n")
            await settle(pilot)
            await pilot.press("h")
            if editing:
                await pilot.press("e", "8")
            await pilot.press("q")

        left = drive(script, path=file).session
        loaded, notice = storage.load(file)
        assert notice == ""
        assert loaded is not None
        assert (loaded.board, loaded.settings, loaded.seed) == (left.board, left.settings, left.seed)
        assert loaded.game.moves == left.game.moves
        assert loaded.editing is editing

    @pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"format": "msat-session", "version": 1}', "\0"])
    def test_a_damaged_session_is_put_aside(self, tmp_path: Path, damage: str) -> None:
        file = tmp_path / "session.json"
        file.write_text(damage)
        session, notice = storage.load(file)
        assert session is None
        assert "cannot be read" in notice
        assert (tmp_path / "session.damaged").read_text() == damage
        assert not file.exists()

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            assert "session.damaged" in said(viewer)

        drive(script, notice=notice)

    def test_every_cut_of_a_session_is_noticed(self) -> None:
        text = storage.dump(Session(SMALL))
        for size in range(0, len(text), 97):
            with pytest.raises(ValueError, match="not a saved session"):
                storage.parse(text[:size])

    def test_a_folder_that_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.autosave()
            assert "cannot be written" in said(viewer)

        drive(script, path=tmp_path / "file" / "session.json")


class TestTheScreen:
    def test_help_and_palette_have_every_action(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            compare(viewer, "start")
            await pilot.press("question_mark")
            await until(pilot, lambda: isinstance(viewer.screen, Help))
            await settle(pilot)
            compare(viewer, "help")
            await pilot.press("escape")
            await closed(pilot)
            commands = {command.title for command in viewer.get_system_commands(viewer.screen)}
            assert {action.name for action in ACTIONS if action.where != "editor"} <= commands
            assert "Clear" not in commands
            for action in ACTIONS:
                assert hasattr(viewer, f"action_{action.method.split('(')[0]}"), action

        drive(script)

    def test_an_answer_that_comes_under_a_dialog_is_drawn(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("h", "question_mark")
            await until(pilot, lambda: isinstance(viewer.screen, Help))
            await settle(pilot)
            await pilot.press("escape")
            await closed(pilot)
            await settle(pilot)
            assert " 20" in screen_text(viewer)

        drive(script)

    def test_leaving_while_the_solver_works(self, monkeypatch: pytest.MonkeyPatch) -> None:
        started: list[subprocess.Popen[bytes]] = []

        class Noting(subprocess.Popen[bytes]):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                started.append(self)

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.run_worker(viewer.solve("counting", sum, range(10**11)))
            await until(pilot, lambda: viewer.busy)
            await pilot.press("q")

        monkeypatch.setattr(subprocess, "Popen", Noting)
        drive(script, own_solver=True)  # left alone, the solver would work for an hour
        assert started
        assert all(process.poll() is not None for process in started)

    def test_the_palette_runs_an_action(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(viewer.screen, CommandPalette))
            await pilot.press(*"Cheat")
            await until(pilot, lambda: "Cheat" in first_command(viewer))
            await pilot.press("enter")
            await closed(pilot)
            await settle(pilot)
            assert viewer.session.settings.cheat

        drive(script)

    def test_an_expert_board_fits_80_by_24(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            grid = viewer.query_one(Grid)
            assert grid.max_scroll_x == grid.max_scroll_y == 0

        drive(script, Session(ViewerSettings(seed=1)))

    def test_ascii(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            board = "\n".join(screen_text(viewer).splitlines()[1:11])
            assert board.isascii()
            assert "?" in board

        drive(script, signs=ASCII)

    def test_a_terminal_that_is_too_small(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            moves = viewer.session.game.moves
            await pilot.resize_terminal(30, 8)
            await pilot.pause()
            shown = " ".join(screen_text(viewer).split())
            assert "The terminal has 30×8 columns and lines" in shown
            assert "The game is kept." in shown
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert viewer.query_one(Footer).display
            assert viewer.session.game.moves == moves
            assert "mines left" in screen_text(viewer)

        drive(script)

    def test_a_large_board_scrolls_and_answers_while_an_analysis_runs(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[int] = []
        row_of = BoardView.row

        def noted(view: BoardView, row: int, pitch: int) -> list[Segment]:
            drawn.append(row)
            return row_of(view, row, pitch)

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            grid = viewer.query_one(Grid)
            viewer.run_worker(viewer.solve("counting", sum, range(10**11)))
            await until(pilot, lambda: viewer.busy)
            await pilot.press(*["ctrl+down"] * 3, *["ctrl+right"] * 10)
            await until(pilot, lambda: grid.scroll_offset.x > 0 and grid.scroll_offset.y > 0)
            monkeypatch.setattr(BoardView, "row", noted)
            for _ in range(10):
                row, column = viewer.cursor
                await pilot.press("down")
                await until(pilot, partial(lambda cell: grid.view.cursor == cell, (row + 1, column)))
                grid.render_lines(grid.size.region)
            assert viewer.busy
            # A key costs the lines in sight, of a hundred: drawn by the screen, and once more here.
            assert 0 < len(drawn) <= 10 * 3 * grid.size.height
            await pilot.press("escape")
            await settle(pilot)

        drive(script, Session(ViewerSettings(height=100, width=100, mines=2000, seed=1)))
