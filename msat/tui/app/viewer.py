"""The viewer: plays, explains, analyses and lets the solver play; the methods behind the keys of `actions`.

Keys and clicks change the session at once and redraw; what needs the solver goes on in the background.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from msat.board import HIDDEN, MINE, PRESETS, Board, Cell
from msat.cells import read_cell
from msat.errors import GameError, LayoutError, MsatError
from msat.formats import read_text
from msat.limits import RECORD_BYTES
from msat.record import Record, is_record
from msat.tui.app import tasks
from msat.tui.app.actions import ACTIONS, NOTE
from msat.tui.app.dialogs import Ask, Help, Pick
from msat.tui.app.grid import Grid
from msat.tui.app.overlays import KINDS
from msat.tui.app.session import Session
from msat.tui.app.stage import Stage
from msat.tui.svg import write

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from msat.strategies import Choice

__all__ = ["Viewer", "open_file", "shape_of"]


def shape_of(text: str) -> tuple[int, int, int]:
    """Height, width and mines, written 16x30x99 or as the name of a preset.

    >>> shape_of("beginner") == shape_of("9x9x10") == (9, 9, 10)
    True
    """
    if text in PRESETS:
        return PRESETS[text]
    if not re.fullmatch(r"\d{1,4}[x×]\d{1,4}[x×]\d{1,7}", text):
        raise LayoutError(f"{text!r} is no size: write 16x30x99, or one of {', '.join(PRESETS)}")
    height, width, mines = map(int, re.split("[x×]", text))
    return height, width, mines


def _cell_of(text: str) -> Cell:
    found = read_cell(text)
    if found is None:
        raise LayoutError(f"{text!r} is no cell: write row and column, such as 3,3")
    return found


def open_file(path: Path, session: Session) -> Session:
    """The session that shows a saved game or a board, with the settings of another one."""
    text = read_text(path, limit=RECORD_BYTES)
    if is_record(text):
        return Session.of_record(Record.from_json(text), session.settings)
    return Session.of_board(Board.parse(text), session.settings)


class Viewer(Stage):
    """The interactive viewer of a session, which is saved to `path` on exit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(a.key, a.method, a.name, show=a.footer, key_display=a.shown, tooltip=a.help)
            for a in ACTIONS
        ),
        *(Binding(str(n), f"digit({n})", show=False) for n in (0, *range(3, 9))),
        Binding("minus,delete", f"put({HIDDEN})", show=False),
        Binding("asterisk", f"put({MINE})", show=False),
        *(
            Binding(key, f"move({r}, {c})", show=False)
            for key, r, c in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1))
        ),
        *(
            Binding(key, f"move({r}, {c})", show=False)
            for key, r, c in (
                ("pageup", -10, 0),
                ("pagedown", 10, 0),
                ("home", 0, -9999),
                ("end", 0, 9999),
            )
        ),
    ]

    def _try(self, change: Callable[[], object], said: str = "") -> bool:
        """Change the session and say so; what is not possible is told instead."""
        try:
            change()
        except MsatError as error:
            self.say(str(error))
            self.draw()
            return False
        self.say(said)
        self.changed()
        return True

    def _later(self, work: Coroutine[None, None, None]) -> None:
        """Begin something that needs the solver; whatever it did before is finished first."""
        self.run_worker(work, group="solver", exclusive=True)

    # The cursor, and playing by hand

    def action_move(self, rows: int, columns: int) -> None:
        """Move the cursor, not beyond the edge."""
        height, width = self.session.board.shape
        row, column = self.cursor
        self.cursor = (min(max(row + rows, 0), height - 1), min(max(column + columns, 0), width - 1))
        self.draw()

    def on_grid_clicked(self, event: Grid.Clicked) -> None:
        """Left opens, or chords on a number; right marks; the middle button chords."""
        self.cursor = event.cell
        if self.session.editing:
            self.draw()
        elif event.button == 3:
            self.action_mark()
        elif event.button == 2 or self.session.board[event.cell] > 0:
            self.action_chord()
        else:
            self.action_open()

    def action_open(self) -> None:
        """Open the cell under the cursor."""
        self._try(lambda: self.session.open(self.cursor))

    def action_mark(self) -> None:
        """Mark it, or take its mark away."""
        self._try(lambda: self.session.mark(self.cursor))

    def action_chord(self) -> None:
        """Open what is left around it."""
        self._try(lambda: self.session.chord(self.cursor))

    def action_take_back(self) -> None:
        """Take back one move."""
        self._try(self.session.back, "Taken back.")

    # Letting the solver play

    def action_next(self) -> None:
        """One decision of the solver."""
        self._later(self._play(most=1))

    def action_auto(self) -> None:
        """Decisions that need no guess."""
        self._later(self._play(guessing=False))

    def action_solve(self) -> None:
        """Decisions until the end."""
        self._later(self._play())

    async def _play(self, most: int | None = None, guessing: bool = True) -> None:
        made = 0
        while most is None or made < most:
            board = self.session.board
            choice = await self.advice()
            if choice is None or board != self.session.board:  # the player moved meanwhile: that counts
                return
            if choice.is_guess and not guessing:
                self._suggest(choice, "Here it would have to guess: ")
                return
            self._try(lambda choice=choice: self.session.apply(choice), _words(choice))  # type: ignore[misc]
            if self.session.editing or self.session.state != "playing":
                return
            made += 1

    def _suggest(self, choice: Choice, start: str) -> None:
        self.cursor = choice.cells[0]
        self.say(start + _words(choice))
        self.draw()

    def action_hint(self) -> None:
        """What the solver would do."""
        self._later(self._hint())

    async def _hint(self) -> None:
        choice = await self.advice()
        if choice is not None:
            self._suggest(choice, "Hint: ")

    def action_why(self) -> None:
        """Why the cell under the cursor is safe, or a mine."""
        self._later(self._why(self.cursor))

    async def _why(self, cell: Cell) -> None:
        answer = await self.solve("explaining", tasks.why, self.session.board, cell)
        if answer is not None:
            self.say(*answer)
            self.draw()

    def action_cancel(self) -> None:
        """Stop the solver and whatever waits for it."""
        if self.busy:
            self.workers.cancel_all()
            self._solver.cancel()
            self.say("Stopped.")
        else:
            self.say("")  # also takes away what is highlighted
        self.draw()

    # Other games, other views

    def action_new(self) -> None:
        """A new game."""
        if self._try(self.session.new):
            self.say(f"A new game, with the seed {self.session.seed}.")

    def action_again(self) -> None:
        """The same game again."""
        self._try(self.session.again, "The same game again.")

    def action_flip_horizontal(self) -> None:
        """Exchange left and right."""
        self.cursor = (self.cursor[0], self.session.board.width - 1 - self.cursor[1])
        self._try(lambda: self.session.flip(horizontal=True))

    def action_flip_vertical(self) -> None:
        """Exchange top and bottom."""
        self.cursor = (self.session.board.height - 1 - self.cursor[0], self.cursor[1])
        self._try(lambda: self.session.flip(horizontal=False))

    def _toggle(self, name: str, what: str) -> None:
        on = not getattr(self.session.settings, name)
        self._try(lambda: self.session.choose(**{name: on}), f"{what} {'on' if on else 'off'}.")

    def action_cheat(self) -> None:
        """Show the mines, or hide them."""
        self._toggle("cheat", "Cheat")

    def action_overlay(self, name: str) -> None:
        """Lay something over the hidden cells, or take it away."""
        [title] = [kind.title for kind in KINDS if kind.name == name]
        on = self.session.settings.overlay != name
        said = f"{title} {'on' if on else 'off'}."
        self._try(lambda: self.session.choose(overlay=name if on else ""), said)

    # What if?

    def action_edit(self) -> None:
        """Into the what-if editor, or back to the game."""
        if self._try(self.session.edit) and self.session.editing:
            self.say("What if? 0 to 8 set a number, - hides, * sets a mine, [ and ] change the total.")

    def action_digit(self, number: int) -> None:
        """In the editor, set a number; in a game, 1 and 2 allow or forbid a kind of guess."""
        if self.session.editing:
            self.action_put(number)
        elif number in (1, 2):
            self._toggle(f"guess{number}", f"Guess {number}")
        else:
            self.say(f"{number} sets a number in the what-if editor: e opens it.")

    def action_put(self, value: int) -> None:
        """Set the cell under the cursor of the what-if board."""
        shown = {HIDDEN: "hidden", MINE: "a mine"}.get(value, str(value))
        self._try(lambda: self.session.set_cell(self.cursor, value), f"{self.cursor} is {shown}.")

    def action_mines(self, more: int) -> None:
        """Change the mine total of the what-if board."""
        total = self.session.board.mines + more
        self._try(lambda: self.session.set_mines(total), f"{total} mines in total.")

    # Questions to the player

    def _question(self, question: str, answer: str, take: Callable[[str], object]) -> None:
        def answered(text: str | None) -> None:
            if text is not None:
                self._try(lambda: take(text), f"{question}: {text or 'as usual'}")

        self.push_screen(Ask(question, answer), answered)

    def action_size(self) -> None:
        """Ask for the size, and begin a game of it."""
        chosen = self.session.settings

        def take(text: str) -> None:
            height, width, mines = shape_of(text)
            before = self.session.settings
            self.session.choose(height=height, width=width, mines=mines)
            try:
                self.session.new()
            except MsatError:
                self.session.settings = before
                raise

        self._question("Size and mines", f"{chosen.height}x{chosen.width}x{chosen.mines}", take)

    def action_seed(self) -> None:
        """Ask for the seed, and begin the game of it."""

        def take(text: str) -> None:
            if text and not text.isdecimal():
                raise LayoutError(f"{text!r} is no seed: write a whole number, or nothing for a random one")
            self.session.choose(seed=int(text) if text else None)
            self.session.new()

        seed = self.session.settings.seed
        self._question("Seed (nothing: random)", "" if seed is None else str(seed), take)

    def action_start(self) -> None:
        """Ask where to start, and begin a game there."""

        def take(text: str) -> None:
            before = self.session.settings
            self.session.choose(start=_cell_of(text) if text else None)
            try:
                self.session.new()
            except MsatError:
                self.session.settings = before
                raise

        start = self.session.settings.start
        self._question("Start (row,column)", "" if start is None else f"{start[0]},{start[1]}", take)

    def action_strategy(self) -> None:
        """Ask who advises."""
        from msat.strategies import get, names

        def answered(name: str | None) -> None:
            if name is not None:
                self._try(lambda: self.session.choose(strategy=name), f"Strategy: {name}")

        listed = [(name, get(name).summary) for name in names()]
        self.push_screen(Pick(listed, self.session.settings.strategy), answered)

    def action_load(self) -> None:
        """Ask for a file, and show what is in it."""

        def take(text: str) -> None:
            if not text:
                raise GameError("no file was named: nothing is loaded")
            self.session = open_file(Path(text).expanduser(), self.session)

        self._question("Load", "", take)

    def action_save(self) -> None:
        """Ask for a file, and save the game or the what-if board."""

        def take(text: str) -> None:
            if not text:
                raise GameError("no file was named: nothing is saved")
            path = Path(text).expanduser()
            if self.session.editing:
                write(path, f"{self.session.board}\n")
            else:
                self.session.game.record.save(path)

        self._question("Save", "board.txt" if self.session.editing else "game.json", take)

    def action_help(self) -> None:
        """All keys."""
        self.push_screen(Help([(action.shown, action.help) for action in ACTIONS], NOTE))

    async def action_quit(self) -> None:
        """Save and go."""
        self.leave()


def _words(choice: Choice) -> str:
    """A choice as text."""
    first, *others = choice.cells
    if choice.is_guess:
        return f"guess {first}, safe with {choice.safety:.2%}: {choice.reason}"
    more = f" and {len(others)} more" if others else ""
    return f"open {first}{more}: {choice.reason}"
