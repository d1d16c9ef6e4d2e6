"""What the viewer says: about the cell under the cursor, numbers, marks, hints, and impossible boards."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from msat import MINE, Board, Game, Layout
from msat.tui.app.grid import Grid
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer
from tests.support.screens import SMALL, compare, drive, said, screen_text, settle


async def play(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


def cell_line(viewer: Viewer) -> str:
    return str(viewer.query_one("#cell", Static).content)


class TestTheCellUnderTheCursor:
    def test_its_probability_is_always_shown(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            for cell, expected in (
                ((0, 8), "r0c8 hidden · mine 20.0% · shows"),
                ((2, 6), "r2c6 hidden · proven safe · shows"),
                ((0, 0), "r0c0 hidden · proven to be a mine"),
                ((3, 4), "r3c4 shows 1 · 1 cell around it not opened"),
            ):
                viewer.cursor = cell
                viewer.draw()
                assert cell_line(viewer).startswith(expected)
            assert viewer.session.settings.overlay == ""
            await play(pilot, "s")
            viewer.cursor = (0, 0)
            viewer.draw()
            assert cell_line(viewer) == "r0c0 marked"

        drive(script)

    def test_who_plays_unaided_is_told_nothing(self) -> None:
        """With the keys alone, every cell that the cursor passed was given away."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.cursor = (0, 0)
            await play(pilot, "H")
            assert cell_line(viewer) == "r0c0 hidden"
            await play(pilot, "f")  # marks, as on the page
            assert cell_line(viewer) == "r0c0 marked"
            await play(pilot, "h")  # the heat map is asked for
            assert cell_line(viewer) == "r0c0 marked, rightly · proven to be a mine"
            await play(pilot, "h", "H")
            assert cell_line(viewer) == "r0c0 marked, rightly · proven to be a mine"

        drive(script)

    def test_of_a_board_that_is_impossible(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "right")
            assert cell_line(viewer) == "r0c1 hidden · the board is impossible"

        drive(script, Session.of_board(Board.parse("1?/0? 1")))


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "cell", "told"),
        [
            ("?1?/11?/??? 1", (0, 1), "the 1 at r0c1 needs 1 more mine in 3 hidden cells; with the other"),
            (
                "??/11 1",
                (1, 0),
                "the 1 at r1c0 needs 1 more mine in 2 hidden cells; with the other numbers, ",
            ),
            (
                "?????/11111/00000 2",
                (1, 1),
                "the 1 at r1c1 needs 1 more mine in 3 hidden cells; with the other numbers, "
                "r0c2 is safe; r0c0 and r0c1 are undecided",
            ),
            ("?2?/??? 2", (0, 1), "the 2 at r0c1 needs 2 more mines in 5 hidden cells"),
            (
                "0?/?? 0",
                (0, 0),
                "the 0 at r0c0 needs 0 more mines in 3 hidden cells; so r0c1, r1c0 and r1c1 are safe",
            ),
            ("?1 1", (0, 1), "the 1 at r0c1 needs 1 more mine in 1 hidden cell; so r0c0 is mined"),
            ("*1 1", (0, 1), "the 1 at r0c1 has no hidden cell left around it"),
        ],
    )
    def test_what_a_number_forces(self, text: str, cell: tuple[int, int], told: str) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.cursor = cell
            await play(pilot, "w")
            assert said(viewer).startswith(told)
            assert viewer.query_one(Grid).view.clues == {cell}

        drive(script, Session.of_board(Board.parse(text)))


class TestMarks:
    def flagged(self) -> Session:
        """A mark on a cell that is proven safe."""
        session = Session(SMALL)
        session.mark((2, 6))
        return session

    def test_a_wrong_mark_misleads_no_answer(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.cursor = (2, 6)
            viewer.draw()
            assert cell_line(viewer) == "r2c6 marked, wrongly · proven safe · shows 2: 80%, 3: 20% · alive"
            assert "⚑" in screen_text(viewer)  # what is not asked for is not given away
            await play(pilot, "w")
            assert said(viewer).startswith("the mark at r2c6 is wrong: r2c6 is safe")
            await play(pilot, "i")
            assert said(viewer).startswith("open r2c6, safe by rule 1")
            await play(pilot, "h")
            assert "✗" in screen_text(viewer)
            await play(pilot, "n")
            assert viewer.session.board[2, 6] >= 0
            await play(pilot, "s")
            assert viewer.session.state == "won"

        drive(script, self.flagged())

    def test_a_mark_that_may_be_wrong(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.cursor = (0, 0)
            await play(pilot, "h")
            assert "⚐" in screen_text(viewer)
            assert cell_line(viewer).startswith("r0c0 marked, not proven · mine 50.0% · shows ")

        game = Game(Layout.parse("*.\n..\n.."))
        game.open((2, 0))
        game.open((2, 1))
        game.mark((0, 0))
        assert game.board[0, 0] == MINE
        drive(script, Session(SMALL, game))


class TestHints:
    def test_nudges_give_a_little_more_away_each_time(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            grid = viewer.query_one(Grid)
            await play(pilot, "k")
            assert said(viewer) == "1 of 5: there is something to find"
            assert (grid.view.clues, dict(grid.view.moves)) == (frozenset(), {})
            await play(pilot, "k")
            assert said(viewer).startswith("2 of 5: look at ")
            assert grid.view.clues
            await play(pilot, "k")
            assert re.match(r"3 of 5: the \d at .* proves? it", said(viewer))
            assert dict(grid.view.moves) == {}
            await play(pilot, "k")
            assert re.match(r"4 of 5: r\dc\d is safe", said(viewer))
            assert len(grid.view.moves) == 1
            await play(pilot, "k")
            await play(pilot, "k")
            assert said(viewer).startswith("5 of 5: ")
            await play(pilot, "n")
            await play(pilot, "k")
            assert said(viewer).startswith("1 of 5: ")

        drive(script)

    def test_a_hint_gives_its_reason_and_the_chance_to_win(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "a")
            await play(pilot, "i")
            assert re.search(r"it wins \d+\.\d%", said(viewer))
            moves = viewer.query_one(Grid).view.moves
            assert list(moves) == [viewer.cursor]
            assert list(moves.values()) == ["open"]

        drive(script, Session(ViewerSettings(seed=9)))

    def test_of_another_adviser(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "i")
            assert said(viewer).startswith("open r2c6 and 5 more: proven safe")
            assert len(viewer.query_one(Grid).view.moves) == 6

        drive(script, Session(ViewerSettings(height=9, width=9, mines=10, seed=2, strategy="safest")))


class TestImpossibleBoards:
    def test_every_key_says_something_else(self) -> None:
        """All of them said that no layout agrees."""

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await settle(pilot)
            first = said(viewer)
            clues = "these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0"
            assert first.startswith(f"Impossible: {clues}.")
            told = {first}
            for key, expected in (
                (
                    "w",
                    f"{clues}\n  the 1 at r0c0 needs",
                ),
                ("i", "One changed number would make the board possible: a 1 at r1c0"),
                ("h", "Heat map on."),
            ):
                await play(pilot, key)
                assert said(viewer).startswith(expected)
                told.add(said(viewer))
            assert len(told) == 4

        drive(script, Session.of_board(Board.parse("1?/0? 1")))


@pytest.mark.parametrize(
    ("settings", "size", "scale"),
    [
        (ViewerSettings(height=9, width=9, mines=10, seed=2), (80, 24), (5, 2)),
        (ViewerSettings(height=9, width=9, mines=10, seed=2), (80, 20), (3, 1)),
        (ViewerSettings(seed=2), (120, 24), (3, 1)),
        (ViewerSettings(seed=2), (80, 24), (2, 1)),
    ],
)
def test_a_board_is_drawn_as_large_as_there_is_room(
    settings: ViewerSettings, size: tuple[int, int], scale: tuple[int, int]
) -> None:
    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        grid = viewer.query_one(Grid)
        assert grid.scale == scale
        await play(pilot, "h")
        assert grid.scale == scale  # the heat map does not change it
        if scale == (5, 2):
            compare(viewer, "large")
            await pilot.click(Grid, offset=(grid.view.margin + 5 * 8 + 4, 1 + 2 * 2 + 1))
            assert viewer.cursor == (2, 8)

    drive(script, Session(settings), size=size)


def test_nothing_undecided_is_called_open() -> None:
    async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
        viewer.cursor = (0, 8)
        await play(pilot, "w")
        assert said(viewer).startswith("r0c8 is undecided: there are layouts with and without a mine there")
        assert not re.search(r"\bis open\b", screen_text(viewer))

    drive(script)
