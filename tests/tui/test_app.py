"""The interactive viewer, driven by Textual's pilot through every action."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from msat import HIDDEN, MINE, Board, Layout
from msat.tui.app.dialogs import Pick
from msat.tui.app.grid import Grid
from msat.tui.app.overlays import KINDS
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer
from tests.support.screens import (
    answer,
    closed,
    compare,
    decide,
    drive,
    said,
    screen_text,
    settle,
    small_game,
    until,
)

Script = Callable[[Viewer, Pilot[None]], Awaitable[None]]


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
                return 6 + 5 * column, 1  # a board so small is drawn large

            await pilot.click(Grid, offset=place(1))
            assert viewer.session.board[0, 1] == 1
            await pilot.click(Grid, offset=place(2), button=3)
            assert viewer.session.board[0, 2] == MINE
            await pilot.click(Grid, offset=place(1))
            assert viewer.session.board[0, 0] == 0
            await pilot.click(Grid, offset=(40, 3))
            assert len(viewer.session.game.moves) == 3

        drive(script, small_game())

    def test_the_fatal_move_is_taken_back(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("right", "right", "enter")
            assert viewer.session.state == "lost"
            assert "✹" in screen_text(viewer)
            await pilot.press("enter")
            assert "The game is lost" in said(viewer)
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
            assert said(viewer).startswith("Here it would have to guess: guess r")
            assert viewer.session.guesses == ()
            await pilot.press("n")
            await settle(pilot)
            assert len(viewer.session.guesses) == 1

        drive(script, Session(ViewerSettings(seed=9)))

    def test_hint_and_why(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("i")
            await settle(pilot)
            assert said(viewer).startswith("open r2c6, safe by rule 1: the 1 at r1c5 has all its mines")
            assert said(viewer).endswith("chance to win: 100%")
            assert viewer.cursor == (2, 6)
            highlighted = viewer.query_one(Grid).view.moves
            assert highlighted == dict.fromkeys([(2, 6), (2, 7), (3, 6), (4, 7), (4, 8), (5, 8)], "safe")
            assert len(viewer.session.game.moves) == 1
            await pilot.press("w")
            await settle(pilot)
            assert said(viewer).startswith("r2c6 is safe")
            assert viewer.query_one(Grid).view.clues
            compare(viewer, "why")
            await pilot.press("escape")
            assert viewer.query_one(Grid).view.clues == frozenset()
            await pilot.press("ctrl+left", "w")
            await settle(pilot)
            assert "r2c0 is a mine" in said(viewer)

        drive(script)

    def test_guesses_can_be_turned_off(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("1", "2", "n")
            await settle(pilot)
            settings = viewer.session.settings
            assert (settings.guess1, settings.guess2) == (False, False)
            assert said(viewer) == "best makes no move here: nothing is proven, and it may not guess."
            await pilot.press("1", "n")
            await settle(pilot)
            assert len(viewer.session.guesses) == 1

        drive(script, small_game("..*.*\n....."))

    def test_strategy(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("t")
            await until(pilot, lambda: isinstance(viewer.screen, Pick))
            await pilot.press("home", "enter")
            await closed(pilot)
            assert viewer.session.settings.strategy == "classic"
            await pilot.press("n")
            await settle(pilot)
            assert viewer.session.game.strategy == "classic"

        drive(script)

    def test_a_question_is_cancelled(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.run_worker(viewer.solve("counting", sum, range(10**11)))
            await until(pilot, lambda: viewer.busy)
            await pilot.pause()
            assert "counting (esc stops)" in screen_text(viewer)
            await pilot.press("escape")
            await settle(pilot)  # left alone, it would take an hour
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
            await decide(pilot, "y")
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

    def test_every_overlay_is_drawn_where_it_is_asked_for(self) -> None:
        """Whether it is fetched and whether it is drawn were decided in two places, and differently."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            for kind in KINDS:
                await pilot.press(kind.key)
                await settle(pilot)
                assert said(viewer) == f"{kind.title} on."
                overlay = viewer.query_one(Grid).view.overlay
                assert overlay is not None
                assert (overlay.probability is None) == (kind.name == "proven")
            await pilot.press(KINDS[-1].key)
            assert viewer.query_one(Grid).view.overlay is None
            await pilot.press(KINDS[0].key, "s")
            await settle(pilot)
            assert viewer.query_one(Grid).view.overlay is None  # the game is over

        drive(script)


class TestWhatIf:
    def test_cells_and_the_total_are_set_and_analysed(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("e")
            await settle(pilot)
            assert viewer.session.state == "what if"
            await pilot.press("asterisk", "1", "end", "3", "end", "minus", "right_square_bracket")
            await settle(pilot)
            assert viewer.session.board == Board.parse("*1??? 3")
            assert said(viewer) == "0 cells proven safe, 2 mines proven"
            await pilot.press("T")
            await settle(pilot)
            assert said(viewer) == "1 cell proven safe, 2 mines proven"
            compare(viewer, "what_if")
            await pilot.press("left_square_bracket", "u", "u")
            assert viewer.session.board == Board.parse("*1??? 2")
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
