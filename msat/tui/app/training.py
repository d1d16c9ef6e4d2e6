"""The trainer: a position, a question, a clock; then what the answer was worth, and what was missed.

It covers the game, which waits behind it. What it asks comes from `msat.coach.trainer`; the solver's process
looks for positions and judges answers, so that the clock never stands still.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from msat.board import HIDDEN, Board, Cell
from msat.coach.levels import LEVELS
from msat.coach.techniques import NAMES
from msat.coach.trainer import Exercise, Feedback
from msat.errors import MsatError
from msat.tui.app import tasks
from msat.tui.app.grid import Grid
from msat.tui.app.panel import Panel
from msat.tui.app.tasks import Told
from msat.tui.board import BoardView
from msat.tui.theme import Signs
from msat.wording import counted, sentence

if TYPE_CHECKING:
    from msat.tui.app.stage import Stage

__all__ = ["KINDS", "Trainer"]

KINDS = (*NAMES, tasks.GUESS)
"""What can be trained: to find safe cells, by difficulty, and to guess."""

_ARROWS = (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1))


class Result(NamedTuple):
    """One answer."""

    right: bool
    seconds: float


class Trainer(ModalScreen[str]):
    """Exercises one after the other; ends with what was achieved."""

    DEFAULT_CSS = "Trainer { background: $background; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Choose", key_display="enter"),
        Binding("n", "next", "Next"),
        Binding("k", "nudge", "Hint"),
        Binding("d", "kind", "Difficulty"),
        Binding("escape,q", "leave", "Back", key_display="esc"),
        *(Binding(key, f"move({r}, {c})", show=False) for key, r, c in _ARROWS),
    ]

    def __init__(
        self,
        stage: Stage,
        signs: Signs,
        kind: str,
        seed: int | None,
        clock: Callable[[], float],
    ) -> None:
        super().__init__()
        self._stage = stage
        self._signs = signs
        self._kind = kind
        self._seed = secrets.randbits(31) if seed is None else seed
        self._clock = clock
        self._began = 0.0
        self._exercise: Exercise | None = None
        self._answered: tuple[Cell, Feedback] | None = None
        self._told = Told("")
        self._level = 0
        self._cursor: Cell = (0, 0)
        self.results: list[Result] = []

    def compose(self) -> ComposeResult:
        """The question with the clock, the board, what is said, the keys."""
        yield Static(id="status", markup=False)
        yield Panel(Static(id="reason", markup=False))
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(Grid).focus()
        self.set_interval(1.0, self._draw_status)
        self._look_for()

    @property
    def exercise(self) -> Exercise | None:
        """The exercise that is shown; None while one is looked for."""
        return self._exercise

    # Asking and answering

    def _look_for(self) -> None:
        self._exercise, self._answered, self._level = None, None, 0
        self._told = Told("Looking for a position …")
        self._draw()
        self.run_worker(self._find(), exclusive=True)

    async def _find(self) -> None:
        try:
            self._exercise = await self._stage.ask(tasks.exercise, self._kind, self._seed)
        except MsatError as error:
            self._told = Told(str(error))
        else:
            self._told = Told(
                "Arrows move, enter chooses a cell, k gives a hint." if not self.results else ""
            )
            self._began = self._clock()
        self._draw()

    def action_choose(self) -> None:
        """Answer with the cell under the cursor; after an answer, go on."""
        exercise = self._exercise
        if exercise is None:
            return
        if self._answered is not None:
            self.action_next()
        elif exercise.board[self._cursor] != HIDDEN:
            self._told = Told("Choose a hidden cell.")
            self._draw()
        else:
            seconds = self._clock() - self._began
            self._told = Told("Judging …")
            self._draw()
            self.run_worker(self._judge(exercise, self._cursor, seconds), exclusive=True)

    async def _judge(self, exercise: Exercise, cell: Cell, seconds: float) -> None:
        found: Feedback = await self._stage.ask(tasks.answer, exercise, cell)
        self._answered = (cell, found)
        self.results.append(Result(found.right, seconds))
        first, *others = found.text
        self._told = Told(
            "\n".join([sentence(first), *others, f"{seconds:.0f} s. n goes on."]),
            found.clues,
            self._shown(exercise, cell, found),
        )
        self._draw()

    def _shown(
        self, exercise: Exercise, cell: Cell, found: Feedback
    ) -> dict[Cell, Literal["safe", "mine", "open"]]:
        """The cell that was chosen, and the one that should have been."""
        if exercise.task == "guess":
            return {cell: "open", found.best: "open"}
        return {found.best: "safe"} if found.right else {cell: "open", found.best: "safe"}

    def action_next(self) -> None:
        """Another exercise of the same kind."""
        if self._exercise is not None:
            self._seed += 1
            self._look_for()

    def action_kind(self) -> None:
        """Exercises of the next kind."""
        self._kind = KINDS[(KINDS.index(self._kind) + 1) % len(KINDS)]
        self._look_for()

    def action_nudge(self) -> None:
        """A hint that gives a little away, and more each time."""
        if self._exercise is not None and self._answered is None:
            self._level = min(self._level + 1, LEVELS)
            self.run_worker(self._nudge(self._exercise.board, self._level), exclusive=True)

    async def _nudge(self, board: Board, level: int) -> None:
        self._told = await self._stage.ask(tasks.nudge, tasks.Believed(board, True), level)
        self._draw()

    def action_leave(self) -> None:
        """Back to the game, with what was achieved."""
        self.dismiss(f"Trained: {self._score()}." if self.results else "")

    # The screen

    def action_move(self, rows: int, columns: int) -> None:
        """Move the cursor, not beyond the edge."""
        if self._exercise is not None:
            height, width = self._exercise.board.shape
            row, column = self._cursor
            self._cursor = (min(max(row + rows, 0), height - 1), min(max(column + columns, 0), width - 1))
            self._draw()

    def on_grid_clicked(self, event: Grid.Clicked) -> None:
        """A click chooses a cell."""
        if not isinstance(event, Grid.Stroked):
            self._cursor = event.cell
            if self._answered is None:
                self.action_choose()
            else:
                self._draw()

    def _score(self) -> str:
        right = sum(result.right for result in self.results)
        mean = sum(result.seconds for result in self.results) / len(self.results)
        return f"{right} of {len(self.results)} right, {mean:.0f} s on average"

    def _draw_status(self) -> None:
        exercise = self._exercise
        parts = [f"Training: {self._kind}"]
        if exercise is not None:
            parts = [exercise.question.rstrip(".")]
            if exercise.task == "find":
                parts.append(counted(exercise.board.mines, "mine"))
            if self._answered is None:
                parts.append(f"{self._clock() - self._began:.0f} s")
        if self.results:
            parts.append(self._score())
        line = f" {self._signs.separator} ".join(parts)
        self.query_one("#status", Static).update(self._signs.text(line))

    def _draw(self) -> None:
        self._draw_status()
        self.query_one(Panel).tell(self._signs.text(self._told.text))
        board = self._exercise.board if self._exercise is not None else Board.blank(9, 9, 10)
        cursor = self._cursor if self._exercise is not None and self._answered is None else None
        self.query_one(Panel).show(
            BoardView(board, self._signs, clues=self._told.clues, moves=self._told.moves, cursor=cursor)
        )
