"""The coach in the viewer: facts about cells, reviews of games, and the trainer."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Static

from msat import Board, Game, Layout, analyze
from msat.coach.trainer import find_exercise, guess_exercise
from msat.errors import UnknownName
from msat.tui.app.dialogs import Pick
from msat.tui.app.grid import Grid
from msat.tui.app.session import Session
from msat.tui.app.training import KINDS, Trainer
from msat.tui.app.viewer import Viewer
from tests.support.command import Cli
from tests.support.screens import SMALL, closed, compare, drive, said, settle, until


def lost_game() -> Session:
    """A game that was lost to a needless risk: r0c0 was proven safe."""
    game = Game(Layout.parse("...*\n....\n...*"))
    for cell in [(1, 1), (0, 3)]:
        game.open(cell)
    return Session(SMALL, game)


async def play(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


def cell_line(viewer: Viewer, row: int, column: int) -> str:
    viewer.cursor = (row, column)
    viewer.draw()
    return str(viewer.query_one("#cell", Static).content)


class TestFacts:
    def test_of_hidden_dead_and_marked_cells(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            assert (
                cell_line(viewer, 0, 1) == "r0c1 hidden · mine 33.3% · shows 1: 67% · dead: it tells nothing"
            )
            assert cell_line(viewer, 0, 2) == "r0c2 hidden · proven safe · shows 0: 33%, 1: 67% · alive"
            assert cell_line(viewer, 0, 0) == "r0c0 shows 1 · 3 cells around it not opened"
            await play(pilot, "right", "asterisk")
            viewer.cursor = (0, 2)
            await play(pilot, "asterisk")
            assert (
                cell_line(viewer, 0, 2) == "r0c2 marked, wrongly · proven safe · shows 0: 33%, 1: 67% · alive"
            )

        drive(script, Session.of_board(Board.parse("1??/??? 1")))


class TestReviews:
    def test_a_lost_game(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            assert viewer.session.state == "lost"
            await play(pilot, "enter")
            assert said(viewer).startswith("The game is lost: R reviews it")
            await play(pilot, "R")
            await until(pilot, lambda: isinstance(viewer.screen, Pick))
            await settle(pilot)
            compare(viewer, "review")
            await pilot.press("enter")
            await closed(pilot)
            await settle(pilot)
            assert viewer.session.history.moves == 1
            assert said(viewer).startswith("Move 2: you opened r0c3; a mistake: kept 0.")
            assert viewer.query_one(Grid).view.moves
            await play(pilot, "end")
            assert said(viewer).startswith("After 2 of 2 moves. A mistake: kept 0.")

        drive(script, lost_game())

    def test_a_game_without_a_decision(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await play(pilot, "R")
            assert said(viewer) == "Not finished; no mistakes: you kept 100% of your chances."

        drive(script)

    def test_losing_tells_of_it(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            viewer.cursor = (0, 0)
            await play(pilot, "enter")
            assert said(viewer) == (
                "The game is lost: R reviews it, u takes the last move back, g starts another."
            )

        drive(script)


class Clock:
    time = 0.0

    def __call__(self) -> float:
        return self.time


async def trainer(viewer: Viewer, pilot: Pilot[None], kind: str, seed: int) -> tuple[Trainer, Clock]:
    """The trainer, when it shows its first exercise."""
    clock = Clock()
    viewer.train(kind, seed, clock)
    await until(pilot, lambda: isinstance(viewer.screen, Trainer) and viewer.screen.exercise)
    await settle(pilot)
    screen = viewer.screen
    assert isinstance(screen, Trainer)
    return screen, clock


def told(screen: Trainer) -> str:
    return str(screen.query_one("#reason", Static).content)


def status(screen: Trainer) -> str:
    screen._draw_status()
    return str(screen.query_one("#status", Static).content)


async def choose(pilot: Pilot[None], screen: Trainer, cell: tuple[int, int]) -> None:
    """Answer with a cell."""
    row, column = screen._cursor
    keys = ["down" if cell[0] > row else "up"] * abs(cell[0] - row)
    keys += ["right" if cell[1] > column else "left"] * abs(cell[1] - column)
    count = len(screen.results)
    await pilot.press(*keys, "enter")
    await until(pilot, lambda: len(screen.results) > count)
    await settle(pilot)


class TestTheTrainer:
    def test_finding_safe_cells(self) -> None:
        first = find_exercise("normal", 1).board
        found = analyze(first)

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            screen, clock = await trainer(viewer, pilot, "normal", 1)
            clock.time = 12.0
            assert status(screen) == "Find a safe cell (normal) · 10 mines · 12 s"
            await choose(pilot, screen, min(found.safe))
            assert told(screen).startswith("Right\n")
            assert status(screen).endswith("10 mines · 1 of 1 right, 12 s on average")
            compare(viewer, "trained")
            await pilot.press("n")
            await until(pilot, lambda: screen.exercise is not None and screen.exercise.seed == 2)
            await settle(pilot)
            await choose(pilot, screen, min(analyze(find_exercise("normal", 2).board).mined))
            assert "; you missed this:\n" in told(screen)
            assert screen.query_one(Grid).view.clues
            await pilot.press("escape")
            await closed(pilot)
            assert said(viewer) == "Trained: 1 of 2 right, 6 s on average."

        drive(script)

    def test_guesses_hints_and_other_kinds(self) -> None:
        board = guess_exercise(1).board
        riskiest = max(board.hidden, key=lambda cell: float(analyze(board).probability[cell]))

        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            screen, _ = await trainer(viewer, pilot, "guess", 1)
            assert status(screen) == "Nothing can be proven: which cell would you open? · 0 s"
            await play(pilot, "k")
            assert told(screen) == "1 of 5: nothing can be proven: a guess is needed"
            await choose(pilot, screen, riskiest)
            assert "you kept 0." in told(screen)
            assert len(screen.query_one(Grid).view.moves) == 2
            await pilot.press("d")
            await until(pilot, lambda: screen.exercise is not None and screen.exercise.task == "find")
            await settle(pilot)
            assert status(screen).startswith("Find a safe cell (gentle)")
            await pilot.press("home")  # does nothing here, least of all in the game
            await pilot.press("escape")
            await closed(pilot)

        drive(script)

    def test_from_the_key(self) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await pilot.press("P")
            await until(pilot, lambda: isinstance(viewer.screen, Trainer) and viewer.screen.exercise)
            assert len(viewer.session.game.moves) == 1
            await pilot.press("escape")
            await closed(pilot)
            await settle(pilot)
            assert said(viewer) == ""

        drive(script)

    def test_from_the_command(self, cli: Cli) -> None:
        async def script(viewer: Viewer, pilot: Pilot[None]) -> None:
            await until(pilot, lambda: isinstance(viewer.screen, Trainer) and viewer.screen.exercise)
            assert "gentle" in status(viewer.screen)  # type: ignore[arg-type]

        drive(script, train="gentle")
        assert cli("tui", "--train", "hrad") == 2
        assert "unknown training 'hrad'" in cli.err
        assert str(UnknownName.of("training", "hrad", KINDS)) in cli.err
