"""The what-if editor: a position is typed, painted, cleared, filled and pasted, and analysed meanwhile."""

from __future__ import annotations

from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from msat import Board
from msat.tui.app.dialogs import Ask
from msat.tui.app.grid import Grid
from msat.tui.app.session import Session
from msat.tui.app.viewer import Viewer
from tests.support.screens import SMALL, answer, compare, drive, said, screen_text, settle, until


async def play(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


def blank(height: int = 3, width: int = 4, mines: int = 2) -> Session:
    return Session.of_board(Board.blank(height, width, mines))


class TestTyping:
    def test_digits_move_the_cursor_on(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, *"1221", "asterisk", "minus", "right", "3")
            assert viewer.session.board == Board.parse("1221/*??3/???? 2")
            assert viewer.cursor == (2, 0)
            await play(pilot, "enter", "space")
            assert viewer.session.board[2, 0] == viewer.session.board[2, 1] == 3
            await play(pilot, "end", "4")
            assert viewer.cursor == (0, 0)  # from the last cell to the first

        drive(script, blank())

    def test_the_total_is_typed(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await answer(pilot, "equals_sign", "7")
            assert viewer.session.board.mines == 7
            await answer(pilot, "equals_sign", "99")
            assert said(viewer) == "99 mines do not fit a 3×4 board: between 0 and 12 do"
            await answer(pilot, "equals_sign", "many")
            assert said(viewer) == "'many' is no number of mines: write one such as 10"
            await play(pilot, "right_square_bracket")
            assert viewer.session.board.mines == 8

        drive(script, blank())

    def test_keys_that_come_at_once_are_taken_in_order(self) -> None:
        """As a slow connection sends them: those before the dialog was there were lost."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            for key, sign in (("equals_sign", "="), ("backspace", "\x7f"), ("5", "5"), ("enter", "\r")):
                viewer.post_message(events.Key(key, sign))
            await until(pilot, lambda: viewer.session.board.mines == 5)
            assert not isinstance(viewer.screen, Ask)
            await play(pilot, "equals_sign")
            for key, sign in (("1", "1"), ("backspace", "\x7f"), ("2", "2"), ("enter", "\r")):
                viewer.post_message(events.Key(key, sign))
            await until(pilot, lambda: viewer.session.board.mines == 2)
            assert viewer.session.board == blank().board  # no digit went elsewhere

        drive(script, blank())

    def test_another_size_is_an_empty_board(self) -> None:
        """It began a game, and the position was gone."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await answer(pilot, "z", "2 x 5 x 3")
            assert viewer.session.board == Board.blank(2, 5, 3)
            await play(pilot, "u")
            assert viewer.session.board == blank().board

        drive(script, blank())

    def test_clear_fill_undo_redo(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            session = viewer.session
            await play(pilot, "f")
            assert "Fill with what?" in said(viewer)
            await play(pilot, "1", "f")
            assert session.board == Board.parse("1111/1111/1111 2")
            await play(pilot, "c")
            assert session.board == Board.blank(3, 4, 2)
            await play(pilot, "u")
            assert session.board == Board.parse("1111/1111/1111 2")
            await play(pilot, "u", "u")
            assert session.board == Board.blank(3, 4, 2)
            await play(pilot, "U", "U")
            assert session.board == Board.parse("1111/1111/1111 2")
            await play(pilot, "u", "u", "u")
            assert said(viewer) == "there is no change to take back"

        drive(script, blank())

    def test_culprits_are_marked_while_one_types(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "1", "right", "down", "0")
            assert viewer.query_one(Grid).view.clues == frozenset()
            viewer.cursor = (1, 0)
            await play(pilot, "0")
            assert said(viewer).startswith("Impossible: these clues cannot all be true")
            assert (0, 0) in viewer.query_one(Grid).view.clues
            compare(viewer, "impossible")
            marked = viewer.query_one(Grid).view.clues
            for key in ("h", "escape"):  # they stay marked, whatever is said next
                await play(pilot, key)
                assert viewer.query_one(Grid).view.clues == marked
            await play(pilot, "u")
            assert viewer.query_one(Grid).view.clues == frozenset()
            await play(pilot, "U")
            assert viewer.query_one(Grid).view.clues == marked

        drive(script, blank())


class TestTheMouse:
    async def drag(self, pilot: Pilot[None], *cells: tuple[int, int], button: int = 1) -> None:
        """Press on the first cell, move over the others, let go."""
        grid = pilot.app.query_one(Grid)
        wide, tall = grid.scale

        def place(cell: tuple[int, int]) -> tuple[int, int]:
            return grid.view.margin + wide * cell[1] + 1, 1 + tall * cell[0]

        await pilot.mouse_down(Grid, offset=place(cells[0]), button=button)
        for cell in cells[1:]:
            x, y = place(cell)
            move = events.MouseMove(grid, x, y, 0, 0, button, False, False, False)
            move.stop()  # the screen would take it for one of its own, and hand it down once more
            grid.post_message(move)
            await pilot.pause()
        await pilot.mouse_up(Grid, offset=place(cells[-1]))
        await settle(pilot)

    def test_it_paints_what_was_put_last(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "1")
            await self.drag(pilot, (1, 0), (1, 1), (1, 2))
            assert viewer.session.board == Board.parse("1???/111?/???? 2")
            await self.drag(pilot, (2, 0), (2, 1), button=3)
            assert viewer.session.board == Board.parse("1???/111?/**?? 2")
            await self.drag(pilot, (2, 0), button=3)
            assert viewer.session.board == Board.parse("1???/111?/?*?? 2")
            await play(pilot, "u")
            assert viewer.session.board == Board.parse("1???/111?/**?? 2")
            await play(pilot, "u")
            assert viewer.session.board == Board.parse("1???/111?/???? 2")  # a stroke is one change
            await play(pilot, "u")
            assert viewer.session.board == Board.parse("1???/????/???? 2")
            await play(pilot, "U")
            await self.drag(pilot, (1, 0), (1, 1))  # which changes nothing
            await play(pilot, "u")
            assert viewer.session.board == Board.parse("1???/????/???? 2")

        drive(script, blank())

    def test_in_a_game_a_stroke_opens_nothing_twice(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            moves = len(viewer.session.game.moves)
            grid = viewer.query_one(Grid)
            wide, tall = grid.scale
            await pilot.click(Grid, offset=(grid.view.margin + wide * 6 + 2, 1 + 2 * tall))
            await settle(pilot)
            assert len(viewer.session.game.moves) == moves + 1

        drive(script, Session(SMALL))


class TestPasting:
    async def paste(self, viewer: Viewer, pilot: Pilot[None], text: str) -> None:
        viewer.post_message(events.Paste(text))
        await settle(pilot)

    def test_a_position_is_pasted(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await self.paste(viewer, pilot, "| ? | ? | ? | 1 |\n| 1 | 1 | ? | ? |\n| ? | ? | ? | ? |")
            assert viewer.session.board == Board.parse("???1/11??/???? 2")  # the total of the board before
            await self.paste(viewer, pilot, "??1/3?2/??? 3")
            assert viewer.session.board == Board.parse("??1/3?2/??? 3")
            await play(pilot, "u")
            assert viewer.session.board == Board.parse("???1/11??/???? 2")
            await self.paste(viewer, pilot, "hello")
            assert "is not a cell" in said(viewer)

        drive(script, blank())

    def test_a_total_that_nothing_tells_is_asked_for(self) -> None:
        """An expert game's 99 mines did not fit; those of another board made it impossible."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            before = viewer.session.board
            for total, shown in (("ten", before), ("10", before), ("3", Board.parse("??1/3?2/??? 3"))):
                await self.paste(viewer, pilot, "??1/3?2/???")
                await until(pilot, lambda: isinstance(viewer.screen, Ask))
                viewer.screen.query_one(Input).value = total
                await play(pilot, "enter")
                assert viewer.session.board == shown
                if shown is before:
                    await play(pilot, "escape")
            await self.paste(viewer, pilot, "\n".join(["?" * 30] * 16))
            assert viewer.session.board == Board.blank(16, 30, 99)

        drive(script)

    def test_over_a_game_which_stays_behind_it(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            before = viewer.session.board
            await self.paste(viewer, pilot, "??1/3?2/??? 3")
            assert viewer.session.editing
            await play(pilot, "e")
            assert viewer.session.board == before

        drive(script)


class TestTheFooter:
    def test_it_shows_the_keys_of_the_editor(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            footer = screen_text(viewer).splitlines()[-1]
            assert "n Next" in footer
            assert "= Total" not in footer
            await play(pilot, "e")
            footer = screen_text(viewer).splitlines()[-1]
            for key in ("- Hide", "* Mine", "= Total", "c Clear", "u Back", "w Why", "i Hint", "e Edit"):
                assert key in footer, footer
            assert "n Next" not in footer
            await play(pilot, "n")
            assert len(viewer.session.game.moves) == 1  # no move of a game is made
            await play(pilot, "e")
            assert "n Next" in screen_text(viewer).splitlines()[-1]

        drive(script)
