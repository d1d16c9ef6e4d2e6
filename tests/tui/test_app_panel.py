"""Where the viewer puts what it tells, and that nothing told hides the board, its numbers or the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from msat import Board, Layout, play
from msat.tui.app.dialogs import Ask, Confirm
from msat.tui.app.grid import Grid
from msat.tui.app.panel import Panel
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer
from msat.tui.board import BoardView
from tests.support.screens import answer, closed, drive, said, screen_text, settle, until

LONG = "\n".join(["a reason"] * 5)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_a_long_reason_does_not_change_the_size_of_the_board(size: tuple[int, int]) -> None:
    """A hint of five lines shrank a beginner's board, which jumped back afterwards."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        grid = viewer.query_one(Grid)
        before = grid.scale
        viewer.say(LONG)
        await settle(pilot)
        assert grid.scale == before
        assert grid.max_scroll_y == 0
        assert screen_text(viewer).count("a reason") == 5

    drive(script, size=size)


def test_what_is_told_follows_the_board() -> None:
    """Below an expert board on 120×40 there were twenty empty lines."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        for size in ((120, 40), (80, 24), (100, 30), (60, 40)):  # the last with a scrollbar below the board
            await pilot.resize_terminal(*size)
            await settle(pilot)
            lines = screen_text(viewer).splitlines()
            [last] = [number for number, line in enumerate(lines) if line.startswith("15 ")]
            [told] = [number for number, line in enumerate(lines) if line.startswith(" r3c3 ")]
            assert told - last == 1 + (viewer.size.width == 60)

    drive(script, Session(ViewerSettings(seed=7)), size=(120, 40))


def test_a_guess_leaves_the_board_in_sight() -> None:
    """On 80×24 its reasons took four rows of an expert board, and then two; what it may show can wait."""
    layout = Layout.random(16, 30, 99, seed=9, start=(3, 3))
    board = play(layout, "logic").game().board

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await pilot.press("i")
        await settle(pilot)
        told = said(viewer)
        assert told.startswith("open r8c3: a guess, a mine with 9.8%, the safest, r12c1, with 8.2%")
        assert told.endswith("; it wins 85.3%, and r12c1 82.0%")
        assert (
            sum(line[1:3].strip().isdigit() and line[2] == " " for line in screen_text(viewer).splitlines())
            == 16
        )
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert "it may show 3 (71.2%)" in said(viewer)

    drive(script, Session.of_board(board), size=(80, 24))


def test_reasons_stand_beside_a_small_board() -> None:
    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        assert viewer.query_one(Panel).has_class("beside")
        viewer.say("a reason")
        await settle(pilot)
        [line] = [line for line in screen_text(viewer).splitlines() if "a reason" in line]
        assert line.index("a reason") == 50
        await pilot.resize_terminal(200, 50)
        await settle(pilot)
        [line] = [line for line in screen_text(viewer).splitlines() if "a reason" in line]
        assert line.index("a reason") == 50  # still beside the board
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        assert not viewer.query_one(Panel).has_class("beside")
        [line] = [line for line in screen_text(viewer).splitlines() if "a reason" in line]
        assert line.strip() == "a reason"

    drive(script)


def test_a_reason_never_hides_the_line_of_the_cursor() -> None:
    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        for row in (0, 14, 15):
            viewer.say("")
            viewer.cursor = (row, 3)
            viewer.draw()
            await settle(pilot)
            for lines in (3, 9):
                viewer.say("\n".join(["a reason"] * lines))
                await settle(pilot)
                assert any(line.startswith(f"{row:>2}  ") and ">" in line for line in _rows(viewer))

    drive(script, Session(ViewerSettings(seed=1)))


def test_a_proven_hint_leaves_an_expert_board_whole() -> None:
    """On 80×24 its third line hid the last row."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await pilot.press("i")
        await settle(pilot)
        assert "chance to win: " in said(viewer)
        assert viewer.query_one(Grid).max_scroll_y == 0

    drive(script, Session(ViewerSettings(seed=4)))


def test_the_numbers_of_the_rows_stay_in_sight() -> None:
    """They were scrolled away with the columns."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await pilot.press(*["ctrl+right"] * 3)
        await settle(pilot)
        grid = viewer.query_one(Grid)
        assert grid.scroll_offset.x > 0
        top, (row, column) = grid.scroll_offset.y, viewer.cursor
        assert [int(line[:3]) for line in _rows(viewer)[:3]] == [top, top + 1, top + 2]
        assert ">" in _rows(viewer)[row - top]
        x = grid.view.margin + column * grid.scale[0] + 1 - grid.scroll_offset.x
        assert grid.cell_at(x, 2 + row - top) == (row, column)
        assert grid.cell_at(1, 2 + row - top) is None

    drive(script, Session(ViewerSettings(seed=1)), size=(60, 24))


def _rows(viewer: Viewer) -> list[str]:
    return screen_text(viewer).splitlines()[3:-2]


def test_a_question_is_no_larger_than_what_it_asks() -> None:
    """Its box covered the whole board, in a real terminal; here, where nothing else brings containers."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        for key in ("z", "d", "b", "o", "ctrl+s"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(viewer.screen, Ask))
            await settle(pilot)
            assert viewer.screen.query_one(".box").size.height <= 5
            await pilot.press("escape")
            await closed(pilot)

    drive(script)


def test_an_answer_that_is_refused_is_not_lost() -> None:
    """The dialog closed, and the letters of the second attempt were keys of the game."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await pilot.press("z")
        await until(pilot, lambda: isinstance(viewer.screen, Ask))
        first = viewer.screen
        first.query_one(Input).value = "beginer"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(viewer.screen, Ask) and viewer.screen is not first)
        await settle(pilot)
        assert viewer.screen.query_one(Input).value == "beginer"
        assert "'beginer' is no size: write 16x30x99" in screen_text(viewer)
        viewer.screen.query_one(Input).value = "Intermediate"
        await pilot.press("enter")
        await closed(pilot)
        await settle(pilot)
        assert viewer.session.board.shape == (16, 16)

    drive(script)


def test_the_cursor_is_whole_beside_what_is_highlighted() -> None:
    """In two columns a cell it was drawn as `>■[+]`."""
    view = BoardView(Board.parse("????/1111 2"), moves={(0, 0): "safe", (0, 2): "safe"}, cursor=(0, 1))
    text = "".join(segment.text for segment in view.row(0, 2))
    assert text == "0 [+>■<+]■"


def test_a_saved_game_is_not_replaced_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "game.json"
    file.write_text("precious")

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(viewer.screen, Ask))
        await pilot.press("enter")  # the name that is offered is a free one
        await closed(pilot)
        await settle(pilot)
        assert said(viewer) == "Saved to game-2.json"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(viewer.screen, Ask))
        await pilot.press(*"game.json", "enter")
        await until(pilot, lambda: isinstance(viewer.screen, Confirm))
        await pilot.press("n")
        await closed(pilot)
        assert said(viewer) == "Nothing was saved."
        assert file.read_text() == "precious"
        await answer(pilot, "ctrl+s", "other.json")
        await settle(pilot)
        assert said(viewer) == "Saved to other.json"

    drive(script)


def test_a_game_that_is_over_says_so_from_the_start() -> None:
    session = Session(ViewerSettings(height=9, width=9, mines=10, seed=2))
    game = session.game
    mine = next(cell for cell in game.board.hidden if game.layout.is_mine(cell))
    session.open(mine)

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        assert said(viewer).startswith("The game is lost: R reviews it")
        viewer.cursor = mine
        viewer.draw()
        cell = viewer.query_one("#cell", Static)
        assert str(cell.content).endswith("the mine that went off")

    drive(script, session)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_the_whole_screen_is_read_back(size: tuple[int, int]) -> None:
    """Copied out of the terminal, with status line, heat map, a hint beside the board, timeline and keys."""

    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        viewer.session.mark((0, 0))
        viewer.session.mark((8, 8)) if viewer.session.board[8, 8] < 0 else None
        for key in ("h", "i", "w", "p"):
            await pilot.press(key)
            await settle(pilot)
            assert Board.parse(screen_text(viewer)) == viewer.session.board, screen_text(viewer)
        await pilot.press("e")
        await settle(pilot)
        assert Board.parse(screen_text(viewer)) == viewer.session.board

    drive(script, size=size)
