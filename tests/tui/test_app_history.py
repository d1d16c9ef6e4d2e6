"""Games in the viewer are never lost: taken back and made again, jumped through, kept and brought back."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from msat import Game, Layout, Record
from msat.tui.app import storage
from msat.tui.app.dialogs import Confirm
from msat.tui.app.session import KEPT, Session, ViewerSettings
from msat.tui.app.stage import TimelineBar
from msat.tui.app.viewer import Viewer
from tests.support.screens import SMALL, answer, compare, decide, drive, said, screen_text, settle, until

GUESSING = ViewerSettings(seed=9)


async def play(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


class TestForwardsAndBackwards:
    def test_after_solving_one_key_goes_back_to_where_it_began(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            session = viewer.session
            began = session.board
            await play(pilot, "s")
            ended, moves = session.board, len(session.game.moves)
            assert session.state == "won"
            assert moves > 10
            await play(pilot, "u")
            assert session.board == began
            assert said(viewer) == f"{moves - 1} moves taken back; U makes them again."
            await play(pilot, "U")
            assert session.board == ended
            assert said(viewer) == f"{moves - 1} moves made again."
            await play(pilot, "U")
            assert said(viewer) == "there is nothing to make again: no move was taken back"

        drive(script)

    def test_single_moves(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            session = viewer.session
            await play(pilot, "n")
            moves = session.game.moves
            await play(pilot, "backspace")
            assert session.game.moves == moves[:-1]
            await play(pilot, "right_parenthesis")
            assert session.game.moves == moves

        drive(script)

    def test_another_move_forgets_what_was_taken_back(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "n")
            await play(pilot, "u")
            viewer.cursor = (0, 0)
            await play(pilot, "m", "U")
            assert said(viewer) == "there is nothing to make again: no move was taken back"

        drive(script)

    def test_jumps(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            history = viewer.session.history
            await play(pilot, "s")
            total = history.total
            for keys, expected in (
                (["home"], 0),
                (["pagedown"], 10),
                (["pageup", "pageup"], 0),
                (["end"], total),
                (["pageup"], total - 10),
            ):
                await play(pilot, *keys)
                assert history.moves == expected, keys
                assert said(viewer) == f"After {expected} of {total} moves."
            assert f" {total - 10}/{total}" in screen_text(viewer)
            assert history.game.state == "playing"

        drive(script)

    def test_the_timeline_is_clicked(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            history = viewer.session.history
            await play(pilot, "s")
            await pilot.click(TimelineBar, offset=(1, 0))
            assert history.moves == 1
            await pilot.click(TimelineBar, offset=(30, 0))
            assert history.moves == 29 * history.total // 60 + 1
            moves = history.moves
            await pilot.click(TimelineBar, offset=(75, 0))
            assert history.moves == moves

        drive(script)

    def test_times_survive(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "n")
            times = viewer.session.game.record.times
            await play(pilot, "u", "U")
            assert viewer.session.game.record.times == times

        drive(script)


class TestNoGameIsLost:
    def test_a_game_in_progress_is_left_only_if_the_player_says_so(self) -> None:
        """`z` and `d` threw a game of 285 moves away."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            session = viewer.session
            await play(pilot, "n")
            game = session.game
            moves = len(game.moves)
            for key, text in (("z", "3x3x1"), ("d", "5"), ("b", "0,0"), ("g", None), ("r", None)):
                if text is None:
                    await play(pilot, key)
                else:
                    await answer(pilot, key, text)
                await decide(pilot, "n")
                assert session.game is game, key
            await play(pilot, "g")
            await until(pilot, lambda: isinstance(viewer.screen, Confirm))
            await settle(pilot)
            compare(viewer, "confirm")
            await decide(pilot, "y")
            assert session.game is not game
            assert session.board.shape == (3, 3)  # as was chosen before
            await play(pilot, "l")
            assert session.game is game
            assert said(viewer) == f"Brought back, after {moves} moves; l again goes back."

        drive(script)

    def test_a_game_that_is_over_is_kept_without_asking(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "s")
            won = viewer.session.game
            await play(pilot, "g")
            assert not isinstance(viewer.screen, Confirm)
            assert viewer.session.state == "playing"
            await play(pilot, "l")
            assert viewer.session.game is won

        drive(script)

    def test_games_are_brought_back_in_turn_and_survive_the_session(self, tmp_path: Path) -> None:
        session = Session(SMALL)
        session.mark((0, 0))
        first = session.game.record
        session.new()
        session.mark((0, 7))
        second = session.game.record
        session.new()
        loaded = storage.parse(storage.dump(session))
        loaded.bring_back()
        assert loaded.game.record.moves == second.moves
        loaded.bring_back()
        assert loaded.game.record.moves == first.moves
        for _ in range(KEPT + 5):
            loaded.mark((0, 0))
            loaded.new()
        assert len(loaded.kept) == KEPT

    def test_what_was_taken_back_survives_the_session(self) -> None:
        session = Session(SMALL)
        session.mark((0, 0))
        session.mark((0, 7))
        session.back()
        loaded = storage.parse(storage.dump(session))
        assert (loaded.history.moves, loaded.history.total) == (2, 3)
        loaded.forward()
        assert loaded.board == session.board.replace({(0, 7): -2})

    def test_nothing_to_bring_back(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "l")
            assert said(viewer) == "there is no game to bring back: none was left unfinished"

        drive(script)

    def test_loading_keeps_the_game_as_well(self, tmp_path: Path) -> None:
        file = tmp_path / "other.json"
        Game(Layout.parse("..*")).record.save(file)

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "n")
            game = viewer.session.game
            await answer(pilot, "o", str(file))
            await decide(pilot, "y")
            assert viewer.session.board.shape == (1, 3)
            assert said(viewer) == f"Loaded from {file}."
            await play(pilot, "l")
            assert viewer.session.game is game

        drive(script)

    def test_where_a_game_is_saved_to_is_told(self, tmp_path: Path) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await answer(pilot, "ctrl+s", str(tmp_path / "lost.json"))
            assert said(viewer) == f"Saved to {tmp_path / 'lost.json'}"
            assert Record.load(tmp_path / "lost.json").moves == viewer.session.game.moves

        drive(script)


class TestWhatIsTyped:
    @pytest.mark.parametrize(
        ("key", "text", "told"),
        [
            ("o", "~nobody-of-this-name/game.json", "there is no such home"),
            ("ctrl+s", "~nobody-of-this-name/game.json", "there is no such home"),
            ("ctrl+s", "x" * 5000, "cannot be written"),
            ("ctrl+s", "a\0b", "is not a file name"),
            ("d", "9" * 5000, "is no seed"),
        ],
    )
    def test_what_no_file_and_no_number_is(self, key: str, text: str, told: str) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await answer(pilot, key, text)
            assert told in said(viewer)
            assert len(said(viewer)) < 200

        drive(script)


class TestTheFirstClick:
    def test_it_can_be_the_players(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            session = viewer.session
            await answer(pilot, "b", "own")
            assert session.game.moves == ()
            assert len(session.board.hidden) == 81
            viewer.cursor = (8, 0)
            await play(pilot, "enter")
            assert session.board[8, 0] == 0
            assert session.state == "playing"
            await play(pilot, "u")
            viewer.cursor = (0, 8)
            await play(pilot, "enter")
            assert session.state == "playing"
            await answer(pilot, "b", "")
            assert len(session.game.moves) == 1

        drive(script, Session(ViewerSettings(height=9, width=9, mines=20, seed=3)))

    def test_it_can_be_the_solvers(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "n")
            assert len(viewer.session.game.moves) >= 1
            assert viewer.session.state == "playing"

        settings = ViewerSettings(height=9, width=9, mines=20, seed=3, own_start=True)
        drive(script, Session(settings))


def test_a_game_with_guesses_from_end_to_end() -> None:
    """Guesses stand on the timeline also where they are still to come."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await play(pilot, "s")
        guesses = len(viewer.session.guesses)
        assert guesses
        await play(pilot, "home")
        assert viewer.session.guesses == ()
        assert screen_text(viewer).splitlines()[-2].count("◆") >= 1

    drive(script, Session(GUESSING))
