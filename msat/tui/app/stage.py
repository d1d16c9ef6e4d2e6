"""The stage: the screen of the viewer, how a session is drawn on it, and how the solver is asked.

Whatever needs the solver is a coroutine that waits for its process: it never blocks the interface, and can be
cancelled. What the keys do is in `viewer`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual import events
from textual.app import App, ComposeResult, SystemCommand
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from msat.board import Board, Cell
from msat.errors import InconsistentBoard, MsatError
from msat.layout import Layout
from msat.strategies import Choice
from msat.tui.app import storage, tasks
from msat.tui.app.actions import ACTIONS
from msat.tui.app.cell_line import cell_line
from msat.tui.app.ending import Ending
from msat.tui.app.grid import Grid
from msat.tui.app.looks import LOOKS, name_of, themes
from msat.tui.app.overlays import shown
from msat.tui.app.panel import Panel
from msat.tui.app.session import Session
from msat.tui.app.solver import Cancelled, Solver
from msat.tui.app.tasks import Known, Told
from msat.tui.board import BoardView
from msat.tui.status import StatusLine
from msat.tui.step import GuessInStep
from msat.tui.theme import UNICODE, Signs
from msat.tui.timeline import Timeline
from msat.wording import cell_name, counted, visible

__all__ = ["SMALLEST", "Stage", "TimelineBar"]

SMALLEST = (40, 12)
"""Columns and lines below which there is no room for a board and its reasons."""

PATIENCE = 2.0
"""Seconds after which a question that nobody waits for is ended, and with it the solver: it starts anew."""

AUTOSAVE = 10.0
"""Seconds between two savings of a session that goes on."""

NOTHING = Told("")


class TimelineBar(Static):
    """The timeline, on which a click goes to a move."""

    class Jumped(Message):
        """A move was clicked."""

        def __init__(self, move: int) -> None:
            super().__init__()
            self.move = move

    line = Timeline(0)

    def show(self, line: Timeline) -> None:
        """Draw this line."""
        self.line = line
        self.update(line)

    def on_click(self, event: events.Click) -> None:
        """Tell which move was clicked."""
        place = event.get_content_offset(self)
        step = None if place is None else self.line.step_at(place.x, self.content_size.width)
        if step is not None:
            self.post_message(self.Jumped(step))


class Stage(App[None]):
    """The screen of a session, which is saved to `path` on exit."""

    TITLE = "msat"
    CSS = """
    #status, #cell, #timeline { height: 1; padding: 0 1; }
    #reason { height: auto; min-height: 1; max-height: 9; padding: 0 1; }
    .beside #cell { height: 4; }
    .beside #reason { max-height: 100vh; }
    #small { display: none; height: 1fr; content-align: center middle; text-align: center; }
    .small #small { display: block; }
    .small Panel, .small #status, .small TimelineBar, .small Footer { display: none; }
    """

    def __init__(
        self,
        session: Session,
        path: Path | None = None,
        signs: Signs = UNICODE,
        notice: str = "",
        light: bool = False,
    ) -> None:
        super().__init__()
        self.session = session
        self._light = light  # whether the terminal is
        for theme in themes():
            self.register_theme(theme)
        self.wear_look()
        self.cursor: Cell = session.last[0] if session.last else (0, 0)
        self.busy = ""
        """What the solver is doing, if it does something."""
        self.playing = False
        """Whether the solver plays: what is known of the boards in between is not asked for."""
        self.impossible: Board | None = None
        """The board, if no layout agrees with its numbers."""
        self._culprits: frozenset[Cell] = frozenset()  # its numbers and marks that cannot all be true
        self._path = path
        self._signs = signs
        self._notice = notice
        self._gone = False
        self._solver = Solver()
        self._ending = Ending(self.leave, self._end_beside)
        self._turn = asyncio.Lock()
        self._told = NOTHING
        self._known: tuple[Board, Known] | None = None  # of a board, all that is known
        self._bbbv: tuple[Layout, int] | None = None

    # The screen

    def compose(self) -> ComposeResult:
        """Status, board, the cell under the cursor, reason, timeline, keys."""
        yield Static(id="status")
        yield Panel(Static(id="cell", markup=False), Static(id="reason", markup=False))
        yield TimelineBar(id="timeline")
        yield Static(id="small", markup=False)
        yield Footer(show_command_palette=False)

    @property
    def look(self) -> str:
        """Dark or light: as it was chosen, or as the terminal is."""
        return self.session.settings.look or LOOKS[self._light]

    def wear_look(self) -> None:
        """Be dark or light."""
        self.theme = name_of(self.look)

    def on_mount(self) -> None:
        """Draw, and see to it that the session survives whatever happens to the terminal."""
        self.query_one(Grid).focus()
        if not self.is_headless:
            self._ending.watch()
        self.set_interval(AUTOSAVE, self.autosave)
        if self._notice or not self.over():
            self.say(
                self._notice
                or "Arrows move, enter opens, i gives a hint, H hides the chances, ? shows every key."
            )
        self.changed()

    def on_resize(self, event: events.Resize) -> None:
        """Say so where the terminal is too small."""
        width, height = event.size
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.screen_stack[0].set_class(small, "small")
        self.query_one("#small", Static).update(
            f"The terminal has {width}×{height} columns and lines.\n"
            f"The viewer needs {SMALLEST[0]}×{SMALLEST[1]}: enlarge it. The game is kept."
        )

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action that there is now, for the command palette."""
        yield from super().get_system_commands(screen)
        for action in ACTIONS:
            if self.offers(action.where):
                yield SystemCommand(action.name, action.help, self._runner(action.method))

    def offers(self, where: str) -> bool:
        """Whether an action of the game, or of the editor, is there now."""
        return where in ("both", "editor" if self.session.editing else "game")

    def _runner(self, method: str) -> Callable[[], Coroutine[Any, Any, Any]]:
        return lambda: self.run_action(method)

    def say(self, text: str, clues: Iterable[Cell] = ()) -> None:
        """Show a text below the board, and highlight the clues that it speaks of."""
        self.tell(Told(text, frozenset(clues)))

    def tell(self, told: Told) -> None:
        """Show a text, and highlight all that it speaks of."""
        self._told = told = replace(told, text=visible(told.text, keep="\n"))
        if not self._gone:
            spare, brief = (self._signs.text(visible(text)) for text in (told.spare, told.brief))
            self.query_one(Panel).tell(self._signs.text(told.text), spare, brief)

    def changed(self) -> None:
        """Draw the session, and ask for what is not known about it yet."""
        self.refresh_bindings()
        self.draw()
        self.ask_known()
        self.ask_bbbv()

    def known(self) -> Known | None:
        """All that is known about the board that is shown; None until it is."""
        return self._known[1] if self._known is not None and self._known[0] == self.session.board else None

    def forget(self) -> None:
        """Forget what is known: it is asked for anew."""
        self._known = self.impossible = None

    def believed(self) -> tasks.Believed:
        """The board that is shown, and whether its marks are taken for mines."""
        return tasks.Believed(self.session.board, self.session.settings.trust)

    def draw(self) -> None:
        """Draw the session as it is."""
        if self._gone:  # an answer that came after the end
            return
        session, board = self.session, self.session.board
        height, width = board.shape
        self.cursor = (min(self.cursor[0], height - 1), min(self.cursor[1], width - 1))
        lost = session.state == "lost"
        kind, known = shown(session), self.known()
        overlay = kind.of(known.overlay) if kind is not None and known is not None else None
        cheating = session.settings.cheat and not session.editing
        self.query_one(Panel).show(
            BoardView(
                board,
                self._signs,
                layout=session.game.layout if lost or cheating else None,
                exploded=session.game.exploded if lost else None,
                last=() if session.editing else session.last,
                overlay=overlay,
                clues=self._told.clues | (self._culprits if self.impossible == board else frozenset()),
                moves={cell: what for cell, what in self._told.moves.items() if board[cell] < 0},
                cursor=self.cursor,
            )
        )
        left = board.mines - len(board.marked)
        bbbv = self._bbbv[1] if self._bbbv and session.has_game and not session.editing else None
        success = None if session.editing else session.success
        state = f"{session.state}: {self.busy} (esc stops)" if self.busy else session.state
        self.query_one("#status", Static).update(
            StatusLine(state, left, success, len(session.guesses), bbbv, self._signs)
        )
        self.query_one("#cell", Static).update(self._signs.text(self._cell_line()))
        self._draw_timeline()

    def _cell_line(self) -> str:
        session, board = self.session, self.session.board
        if session.state not in ("playing", "what if"):
            game = session.game
            if self.cursor == game.exploded:
                return f"{cell_name(self.cursor)} the mine that went off"
            mined = game.state == "lost" and board[self.cursor] < 0 and game.layout.is_mine(self.cursor)
            return cell_line(board, self.cursor, None, "a mine" if mined else "")
        if session.settings.quiet and shown(session) is None:
            return cell_line(board, self.cursor, None, "")
        why = "the board is impossible" if self.impossible == board else "…"
        return cell_line(board, self.cursor, self.known(), why)

    def _draw_timeline(self) -> None:
        history = self.session.history if self.session.has_game else None
        moves = history.all_moves if history is not None else ()
        guesses = [
            GuessInStep(number, move.cell, move.probability)
            for number, move in enumerate(moves, 1)
            if move.probability is not None and move.probability < 1
        ]
        state = history.game.state if history is not None else "playing"
        current = history.moves if history is not None else 0
        self.query_one(TimelineBar).show(Timeline(current, guesses, state, len(moves) or None, self._signs))

    # What the solver is asked for

    async def solve(self, doing: str, task: Callable[..., Any], *arguments: Any) -> Any:
        """The solver's answer, while the status line says what it is doing; None if there is none."""
        async with self._turn:
            self.busy = doing
            self.draw()
            began = time.monotonic()
            try:
                return await asyncio.to_thread(self._solver.ask, task, *arguments)
            except asyncio.CancelledError:
                # Nobody waits for this answer any more. Most come soon; a long one must not hold up the next.
                if time.monotonic() - began > PATIENCE:
                    self._solver.cancel()
                raise
            except Cancelled:
                self.say("Stopped.")
            except InconsistentBoard as error:
                self.impossible, self._culprits = self.session.board, error.clues | error.marks
                self.say(f"Impossible: {error}. w says why, i what would repair it.")
            except MsatError as error:
                self.say(str(error))
            finally:
                self.busy = ""
                self.draw()
            return None

    async def ask(self, task: Callable[..., Any], *arguments: Any) -> Any:
        """The solver's answer, or its error; a question that is given up is ended at once."""
        async with self._turn:
            try:
                return await asyncio.to_thread(self._solver.ask, task, *arguments)
            except asyncio.CancelledError:
                self._solver.cancel()
                raise

    def ask_known(self) -> None:
        """Ask what is known about the hidden cells, if it is not known yet."""
        session = self.session
        wanted = session.state in ("playing", "what if") and self.impossible != session.board
        if wanted and self.known() is None and not self.playing:
            self.run_worker(self._fetch_known(), group="known", exclusive=True)

    async def _fetch_known(self) -> None:
        board = self.session.board
        known: Known | None = await self.solve("analysing", tasks.known, self.believed())
        if known is not None and board == self.session.board:
            self._known = (board, known)
            if self.session.editing:
                overlay = known.overlay
                safe, mined = counted(len(overlay.safe), "cell"), counted(len(overlay.mined), "mine")
                self.say(f"{safe} proven safe, {mined} proven")
            self.draw()

    def ask_bbbv(self) -> None:
        """Ask for the 3BV of the game, if it is not known."""
        session = self.session
        if session.has_game and (self._bbbv is None or self._bbbv[0] is not session.game.layout):
            self._bbbv = None
            self.run_worker(self._fetch_bbbv(session.game.layout), group="3BV", exclusive=True)

    async def _fetch_bbbv(self, layout: Layout) -> None:
        value = await self.solve("measuring", tasks.measure, layout)
        if value is not None:
            self._bbbv = (layout, value)
            self.draw()

    def over(self) -> bool:
        """Whether nothing can be asked for, because the game is over; that is told."""
        if self.session.state in ("playing", "what if"):
            return False
        self.say(
            f"The game is {self.session.state}: R reviews it, u takes the last move back, g starts another."
        )
        return True

    async def advice(self) -> Choice | None:
        """What the chosen strategy would do now; a reason is told where it would do nothing."""
        session = self.session
        if self.over():
            return None
        if self.impossible == session.board:
            self.say("Nobody can choose a move on an impossible board: w says why it is, i how to repair it.")
            return None
        chosen = session.settings
        before = self._told
        choice: Choice | None = await self.solve(
            "thinking", tasks.choose, self.believed(), chosen.strategy, chosen.guess1, chosen.guess2
        )
        if choice is None and self._told is before:
            self.say(f"{chosen.strategy} makes no move here: nothing is proven, and it may not guess.")
        return choice

    # The end

    def autosave(self) -> None:
        """Save the session; what goes wrong is told, and the game goes on."""
        if self._path is not None:
            try:
                storage.save(self.session, self._path)
            except MsatError as error:
                self.say(str(error))

    def leave(self) -> None:
        """Save and go, also where the terminal has gone already."""
        self.autosave()
        self._end()
        self.exit()

    def on_unmount(self) -> None:
        """Leave no process behind."""
        self._end()
        self._ending.stop()

    def _end(self) -> None:
        self._gone = True
        self.workers.cancel_all()
        self._solver.close()

    def _end_beside(self) -> None:
        """Save, and end the solver, while the interface stands still."""
        if not self._gone and self._path is not None:
            with contextlib.suppress(MsatError):
                storage.save(self.session, self._path)
        self._solver.close()
