"""The interactive viewer, driven by Textual's pilot through every action."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Footer, Input

from msat import HIDDEN, MINE, Board, Game, Layout, Record
from msat.tui.app import storage
from msat.tui.app.actions import ACTIONS
from msat.tui.app.dialogs import Help
from msat.tui.app.grid import Grid
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer
from msat.tui.theme import ASCII
from tests.support.screens import SMALL, compare, drive, screen_text, settle

Script = Callable[[Viewer, Pilot[None]], Awaitable[None]]


def said(viewer: Viewer) -> str:
    return viewer._text


def small_game(rows: str = "..*.*") -> Session:
    return Session(SMALL, Game(Layout.parse(rows)))


async def answer(pilot: Pilot[None], key: str, text: str) -> None:
    """Press a key that asks a question, and answer it."""
    await pilot.press(key)
    await pilot.pause()
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")
    await settle(pilot)


class TestPlayingByHand:
    def test_keys(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("right", "enter")
            assert viewer.session.board[0, 1] == 1
            await pilot.press("right", "m")
            assert viewer.session.board[0, 2] == MINE
            await pilot.press("left", "c")
            assert viewer.session.board[0, 0] == 0
            await pilot.press("right", "m")
            assert viewer.session.board[0, 2] == HIDDEN
            await pilot.press("u", "u")
            assert viewer.session.board[0, 0] == HIDDEN

        drive(script, small_game())

    def test_the_mouse(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            def place(column: int) -> tuple[int, int]:
                return 3 + 2 * column, 1

            await pilot.click(Grid, offset=place(1))
            assert viewer.session.board[0, 1] == 1
            await pilot.click(Grid, offset=place(2), button=3)
            assert viewer.session.board[0, 2] == MINE
            await pilot.click(Grid, offset=place(1))
            assert viewer.session.board[0, 0] == 0
            await pilot.click(Grid, offset=(40, 1))
            assert len(viewer.session.game.moves) == 3

        drive(script, small_game())

    def test_the_fatal_move_is_taken_back(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("right", "right", "enter")
            assert viewer.session.state == "lost"
            assert "✹" in screen_text(viewer)
            await pilot.press("enter")
            assert "the game is lost" in said(viewer)
            await pilot.press("backspace")
            assert viewer.session.state == "playing"

        drive(script, small_game())

    def test_what_is_not_possible_is_told(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("u")
            assert said(viewer) == "there is no move to take back"
            await pilot.press("c")
            assert "a chord needs one with all its mines marked" in said(viewer)
            await pilot.press("right", "enter", "c")
            assert said(viewer) == "the 1 at (0, 1) has 0 marks around it: a chord needs 1"

        drive(script, small_game())


class TestTheSolver:
    def test_next_auto_and_solve(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            before = len(viewer.session.game.moves)
            await pilot.press("n")
            await settle(pilot)
            assert len(viewer.session.game.moves) > before
            assert "proven safe" in said(viewer)
            await pilot.press("s")
            await settle(pilot)
            assert viewer.session.state == "won"
            compare(viewer, "won")
            await pilot.press("n")
            await settle(pilot)
            assert "The game is won" in said(viewer)

        drive(script)

    def test_automatic_until_a_guess(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("a")
            await settle(pilot)
            assert viewer.session.state == "playing"
            assert said(viewer).startswith("Here it would have to guess: guess (")
            assert viewer.session.guesses == ()
            await pilot.press("n")
            await settle(pilot)
            assert len(viewer.session.guesses) == 1

        drive(script, Session(ViewerSettings(seed=9)))

    def test_hint_and_why(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("i")
            await settle(pilot)
            assert said(viewer).startswith("Hint: open (2, 6)")
            assert viewer.cursor == (2, 6)
            assert len(viewer.session.game.moves) == 1
            await pilot.press("w")
            await settle(pilot)
            assert said(viewer).startswith("r2c6 is safe")
            assert viewer.query_one(Grid).view.clues
            compare(viewer, "why")
            await pilot.press("escape")
            assert viewer.query_one(Grid).view.clues == frozenset()
            await pilot.press("home", "w")
            await settle(pilot)
            assert "r2c0 is a mine" in said(viewer)

        drive(script)

    def test_guesses_can_be_turned_off(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("1", "2", "n")
            await settle(pilot)
            settings = viewer.session.settings
            assert (settings.guess1, settings.guess2) == (False, False)
            assert said(viewer) == "safest makes no move here: nothing is proven, and it may not guess."
            await pilot.press("1", "n")
            await settle(pilot)
            assert len(viewer.session.guesses) == 1

        drive(script, small_game("..*.*\n....."))

    def test_strategy(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("t")
            await pilot.pause()
            await pilot.press("home", "enter")
            await settle(pilot)
            assert viewer.session.settings.strategy == "classic"
            await pilot.press("n")
            await settle(pilot)
            assert viewer.session.game.strategy == "classic"

        drive(script)

    def test_a_question_is_cancelled(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.run_worker(viewer.solve("counting", sum, range(10**11)))
            while not viewer.busy:
                await pilot.pause(0.02)
            await pilot.pause()
            assert "counting (esc stops)" in screen_text(viewer)
            begin = time.perf_counter()
            await pilot.press("escape")
            await settle(pilot)
            assert time.perf_counter() - begin < 5
            assert said(viewer) == "Stopped."
            await pilot.press("n")  # and the solver answers again
            await settle(pilot)
            assert "proven safe" in said(viewer)

        drive(script)


class TestOtherGames:
    def test_new_again_size_seed_start(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            session = viewer.session
            await answer(pilot, "z", "2x3x1")
            assert session.board.shape == (2, 3)
            await answer(pilot, "z", "huge")
            assert said(viewer).startswith("'huge' is no size: write 16x30x99")
            assert session.board.shape == (2, 3)
            await answer(pilot, "z", "intermediate")
            await answer(pilot, "d", "7")
            await answer(pilot, "b", "5,6")
            expected = Layout.random(16, 16, 40, seed=7, start=(5, 6))
            assert session.game.layout == expected
            await answer(pilot, "b", "99,0")
            assert "(99, 0) is not on the 16×16 board" in said(viewer)
            await answer(pilot, "d", "")
            await pilot.press("g")
            assert session.game.layout != expected
            layout = session.game.layout
            await pilot.press("n")
            await settle(pilot)
            await pilot.press("r")
            assert session.game.layout == layout
            assert len(session.game.moves) == 1

        drive(script)

    def test_flips(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            before = viewer.session.board
            await pilot.press("x")
            assert viewer.session.board == before.flip_horizontal()
            await pilot.press("y")
            assert viewer.session.board == before.flip_horizontal().flip_vertical()
            assert viewer.session.game.state == "playing"

        drive(script)

    def test_cheat_and_heat_map(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("v")
            assert screen_text(viewer).count("✱") == 10
            await pilot.press("v", "h")
            await settle(pilot)
            assert " 20" in screen_text(viewer)
            compare(viewer, "heatmap")
            await pilot.press("h")
            assert " 20" not in screen_text(viewer)

        drive(script)


class TestWhatIf:
    def test_cells_and_the_total_are_set_and_analysed(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("e")
            await settle(pilot)
            assert viewer.session.state == "what if"
            await pilot.press("right", "1", "left", "asterisk", "end", "3", "minus", "right_square_bracket")
            await settle(pilot)
            assert viewer.session.board == Board.parse("*1??? 3")
            assert said(viewer) == "1 cell proven safe, 2 mines proven"
            compare(viewer, "what_if")
            await pilot.press("left_square_bracket", "u", "u")
            assert viewer.session.board == Board.parse("*1??? 2")
            await pilot.press("enter")
            assert "leave the editor to play on" in said(viewer)
            await pilot.press("e")
            assert viewer.session.board == Board.blank(1, 5, 2)
            await pilot.press("5")
            assert "what-if editor" in said(viewer)

        drive(script, small_game())

    def test_a_contradiction_is_explained_and_goes_away(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await settle(pilot)
            assert "these clues cannot all be true" in said(viewer)
            assert viewer.query_one(Grid).view.clues == {(0, 0), (1, 0)}
            await pilot.press("down", "1")
            await settle(pilot)
            assert "proven" in said(viewer)
            await pilot.press("e")
            assert "there is no game behind this board" in said(viewer)

        drive(script, Session.of_board(Board.parse("1?/0? 1")))


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
            await pilot.pause()
            assert isinstance(viewer.screen, Help)
            compare(viewer, "help")
            await pilot.press("escape")
            await pilot.pause()
            commands = {command.title for command in viewer.get_system_commands(viewer.screen)}
            assert {action.name for action in ACTIONS} <= commands
            for action in ACTIONS:
                assert hasattr(viewer, f"action_{action.method.split('(')[0]}"), action

        drive(script)

    def test_an_answer_that_comes_under_a_dialog_is_drawn(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("h", "question_mark")
            await settle(pilot)
            assert isinstance(viewer.screen, Help)
            await pilot.press("escape")
            await settle(pilot)
            assert " 20" in screen_text(viewer)

        drive(script)

    def test_leaving_while_the_solver_works(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.run_worker(viewer.solve("counting", sum, range(10**11)))
            while not viewer.busy:
                await pilot.pause(0.02)
            await pilot.press("q")

        begin = time.perf_counter()
        viewer = drive(script)
        assert time.perf_counter() - begin < 30
        assert viewer._solver._process is None

    def test_the_palette_runs_an_action(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("ctrl+p")
            await pilot.pause(0.2)
            await pilot.press(*"Cheat")
            await pilot.pause(0.5)
            await pilot.press("enter")
            await pilot.pause(0.2)
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

    def test_a_large_board_scrolls_and_answers_while_an_analysis_runs(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            grid = viewer.query_one(Grid)
            viewer.run_worker(viewer.solve("counting", sum, range(10**11)))
            while not viewer.busy:
                await pilot.pause(0.02)
            await pilot.press("pagedown", "pagedown", "pagedown", "end")
            assert grid.scroll_offset.y > 0
            assert grid.scroll_offset.x > 0
            delays = []
            for _ in range(10):
                row = viewer.cursor[0]
                begin = time.perf_counter()
                viewer.post_message(events.Key("down", None))
                while grid.view.cursor == (row, 99):
                    await asyncio.sleep(0.001)
                grid.render_lines(grid.size.region)
                delays.append(time.perf_counter() - begin)
            # The median: the bound is on msat, not on what else the machine does.
            assert sorted(delays)[5] < 0.1, delays
            assert viewer.busy
            await pilot.press("escape")
            await settle(pilot)

        drive(script, Session(ViewerSettings(height=100, width=100, mines=2000, seed=1)))
