"""The viewer: plays, explains, analyses and lets the solver play; the methods behind the keys of `actions`.

Keys and clicks change the session at once and redraw; what needs the solver goes on in the background.
Questions to the player, and the editor's keys, are in `questions` and `editing`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from msat.board import Cell
from msat.strategies import Choice
from msat.tui.app import tasks
from msat.tui.app.actions import ACTIONS, NOTE
from msat.tui.app.coaching import Coaching
from msat.tui.app.dialogs import Ask, Help
from msat.tui.app.grid import Grid
from msat.tui.app.looks import LOOKS
from msat.tui.app.overlays import KINDS
from msat.tui.app.questions import Questions, open_file, shape_of
from msat.tui.app.session import Session
from msat.tui.app.stage import TimelineBar
from msat.tui.app.tasks import Told
from msat.tui.theme import UNICODE, Signs
from msat.wording import cell_name, counted, sentence

__all__ = ["Viewer", "open_file", "shape_of"]

_ARROWS = (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1))
_WHERE = {action.method: action.where for action in ACTIONS}


class Viewer(Questions, Coaching):
    """The interactive viewer of a session, which is saved to `path` on exit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(a.key, a.method, a.name, show=a.footer, key_display=a.shown, tooltip=a.help)
            for a in ACTIONS
        ),
        *(Binding(str(n), f"put({n})", show=False) for n in range(9)),
        *(Binding(str(n), f"digit({n})", show=False) for n in (0, *range(3, 9))),
        *(Binding(key, f"move({r}, {c})", show=False) for key, r, c in _ARROWS),
        *(Binding(f"ctrl+{key}", f"move({10 * r}, {10 * c})", show=False) for key, r, c in _ARROWS),
    ]

    def __init__(
        self,
        session: Session,
        path: Path | None = None,
        signs: Signs = UNICODE,
        notice: str = "",
        train: str | None = None,
        light: bool = False,
    ) -> None:
        super().__init__(session, path, signs, notice, light)
        self._begin_with = train

    def on_ready(self) -> None:
        """Begin with the trainer, if that is asked for."""
        if self._begin_with is not None:
            self.train(self._begin_with)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does this now: some belong to the game, some to the editor."""
        if action == "put":
            return self.session.editing
        if action == "digit":
            return not self.session.editing
        told = ", ".join(repr(parameter) for parameter in parameters)
        where = _WHERE.get(f"{action}({told})" if parameters else action)
        return where is None or self.offers(where)

    # The cursor, and playing by hand

    def action_move(self, rows: int, columns: int) -> None:
        """Move the cursor, not beyond the edge."""
        height, width = self.session.board.shape
        row, column = self.cursor
        self.cursor = (min(max(row + rows, 0), height - 1), min(max(column + columns, 0), width - 1))
        self.draw()

    def on_grid_clicked(self, event: Grid.Clicked) -> None:
        """Left opens, or chords on a number; right marks; the middle button chords."""
        if self.session.editing or isinstance(event, Grid.Stroked):
            return
        self.cursor = event.cell
        if event.button == 3:
            self.action_mark()
        elif event.button == 2 or self.session.board[event.cell] > 0:
            self.action_chord()
        else:
            self.action_open()

    def on_grid_stroked(self, event: Grid.Stroked) -> None:
        """In the editor the mouse paints."""
        if self.session.editing:
            self.paint(event.cell, event.button, event.begins)

    def action_open(self) -> None:
        """Open the cell under the cursor."""
        self._make(lambda: self.session.open(self.cursor))

    def action_mark(self) -> None:
        """Mark it, or take its mark away."""
        self.attempt(lambda: self.session.mark(self.cursor))

    def action_chord(self) -> None:
        """Open what is left around it."""
        self._make(lambda: self.session.chord(self.cursor))

    def _make(self, move: Callable[[], None]) -> None:
        """Make a move of the player's, and say so if it was the last."""
        if not self.over() and self.attempt(move):
            self.over()

    # Forwards and backwards

    def action_take_back(self) -> None:
        """Take back what the last key did."""
        self._go(self.session.back, "taken back; U makes {them} again")

    def action_make_again(self) -> None:
        """Make again what was taken back."""
        self._go(self.session.forward, "made again")

    def _go(self, way: object, what: str) -> None:
        counts: list[int] = []
        if self.attempt(lambda: counts.append(way())):  # type: ignore[operator]
            thing = "change" if self.session.editing else "move"
            self.say(f"{counted(counts[0], thing)} {what.format(them='it' if counts[0] == 1 else 'them')}.")

    def action_step(self, moves: int) -> None:
        """Some moves back, or on where moves were taken back."""
        self._jump(self.session.history.moves + moves)

    def action_jump(self, move: int) -> None:
        """To a move; -1 is the last."""
        self._jump(self.session.history.total if move < 0 else move)

    def on_timeline_bar_jumped(self, event: TimelineBar.Jumped) -> None:
        """To the move that was clicked."""
        if not self.session.editing:
            self._jump(event.move)

    def _jump(self, move: int) -> None:
        if self.attempt(lambda: self.session.go_to(move)):
            history = self.session.history
            said = f"After {history.moves} of {counted(history.total, 'move')}."
            self.say(said + self.remark(history.moves))

    # Letting the solver play

    def action_next(self) -> None:
        """One decision of the solver."""
        self.later(self._play(most=1))

    def action_auto(self) -> None:
        """Decisions that need no guess."""
        self.later(self._play(guessing=False))

    def action_solve(self) -> None:
        """Decisions until the end."""
        self.later(self._play())

    async def _play(self, most: int | None = None, guessing: bool = True) -> None:
        self.playing = True
        try:
            await self._decide(most, guessing)
        finally:
            self.playing = False
        self.ask_known()

    async def _decide(self, most: int | None, guessing: bool) -> None:
        made = 0
        while most is None or made < most:
            board = self.session.board
            choice = await self.advice()
            if choice is None or board != self.session.board:  # the player moved meanwhile: that counts
                return
            if choice.is_guess and not guessing:
                cell = choice.cells[0]
                said = f"Here it would have to guess: {_words(choice)}"
                self.point_out(Told(said, moves={cell: "open"}, cell=cell))
                return
            join = made > 0  # all that one key does is taken back as one
            self.attempt(lambda choice=choice, join=join: self.session.apply(choice, join), _words(choice))  # type: ignore[misc]
            if self.session.editing:
                return
            if self.session.state != "playing":
                self.say(
                    f"{_words(choice)}\n{self.session.state.capitalize()}; u goes back to where it began."
                )
                return
            made += 1

    def action_hint(self) -> None:
        """What to open, why, and how likely that is to win."""
        self.later(self._hint())

    async def _hint(self) -> None:
        board = self.session.board
        if self.over():
            self.draw()
        elif self.impossible == board:
            found = await self.solve("looking for repairs", tasks.contradiction, self.believed())
            if found is not None:
                told, repairs = found
                self.point_out(Told(sentence(repairs), told.clues))
        elif self.session.settings.strategy == "best":
            found = await self.solve("thinking", tasks.suggest, self.believed())
            if found is not None and board == self.session.board:
                self.point_out(found)
        else:
            choice = await self.advice()
            if choice is not None and board == self.session.board:
                what: dict[Cell, str] = dict.fromkeys(choice.cells, "open" if choice.is_guess else "safe")
                self.point_out(Told(_words(choice), moves=what, cell=choice.cells[0]))  # type: ignore[arg-type]

    def action_why(self) -> None:
        """Why the cell under the cursor is safe, or a mine; of a number, what it forces."""
        self.later(self._why(self.cursor))

    async def _why(self, cell: Cell) -> None:
        board = self.session.board
        if self.impossible == board:
            found = await self.solve("explaining", tasks.contradiction, self.believed())
            found = None if found is None else found[0]
        else:
            found = await self.solve("explaining", tasks.why, self.believed(), cell)
        if found is not None:
            self.tell(found)
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

    # Other views

    def action_flip_horizontal(self) -> None:
        """Exchange left and right."""
        self.cursor = (self.cursor[0], self.session.board.width - 1 - self.cursor[1])
        self.attempt(lambda: self.session.flip(horizontal=True))

    def action_flip_vertical(self) -> None:
        """Exchange top and bottom."""
        self.cursor = (self.session.board.height - 1 - self.cursor[0], self.cursor[1])
        self.attempt(lambda: self.session.flip(horizontal=False))

    def _toggle(self, name: str, what: str) -> None:
        on = not getattr(self.session.settings, name)
        self.attempt(lambda: self.session.choose(**{name: on}), f"{what} {'on' if on else 'off'}.")

    def action_look(self) -> None:
        """Be light instead of dark, or dark instead of light."""
        other = next(look for look in LOOKS if look != self.look)
        self.session.choose(look=other)
        self.wear_look()
        self.say(f"{other.capitalize()}; L changes it back.")

    def action_cheat(self) -> None:
        """Show the mines, or hide them."""
        self._toggle("cheat", "Cheat")

    def action_quiet(self) -> None:
        """Keep quiet about the cell under the cursor, or tell what is known."""
        on = not self.session.settings.quiet
        said = (
            "Unaided: the cell under the cursor gives nothing away; H shows it again."
            if on
            else "What is known about the cell under the cursor is shown."
        )
        self.attempt(lambda: self.session.choose(quiet=on), said)

    def action_trust(self) -> None:
        """Take marks for mines, or judge them."""
        self.forget()
        self._toggle("trust", "Trust in marks")

    def action_guess(self, number: int) -> None:
        """Allow or forbid a kind of guess."""
        where = "that no number touches" if number == 1 else "beside numbers"
        self._toggle(f"guess{number}", f"Guesses of cells {where}, for the solver:")

    def action_overlay(self, name: str) -> None:
        """Lay something over the hidden cells, or take it away."""
        [title] = [kind.title for kind in KINDS if kind.name == name]
        on = self.session.settings.overlay != name
        said = f"{title} {'on' if on else 'off'}."
        self.attempt(lambda: self.session.choose(overlay=name if on else ""), said)

    def action_help(self) -> None:
        """All keys that there are now."""
        offered = [(action.shown, action.help) for action in ACTIONS if self.offers(action.where)]
        self.push_screen(Help(offered, NOTE))

    async def on_key(self, event: events.Key) -> None:
        """A key that was sent before the dialog was there is the dialog's."""
        if isinstance(self.screen, Ask) and await self.screen.type_ahead(event):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Show a position that was pasted."""
        self.paste(event.text)

    async def action_quit(self) -> None:
        """Save and go."""
        self.leave()


def _words(choice: Choice) -> str:
    """A choice as text."""
    first, *others = choice.cells
    if choice.is_guess:
        return f"guess {cell_name(first)}, safe with {choice.safety:.2%}: {choice.reason}"
    more = f" and {len(others)} more" if others else ""
    return f"open {cell_name(first)}{more}: {choice.reason}"
