"""The keys of the what-if editor: a position is typed, painted, cleared or filled."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from msat.board import HIDDEN, MINE, Cell
from msat.errors import MsatError
from msat.tui.app.stage import Stage
from msat.wording import cell_name, counted

__all__ = ["Editing"]


class Editing(Stage):
    """What the keys of the editor do."""

    def attempt(self, change: Callable[[], object], said: str = "") -> bool:
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

    def later(self, work: Coroutine[None, None, None]) -> None:
        """Begin something that needs the solver; whatever it did before is finished first."""
        self.run_worker(work, group="solver", exclusive=True)

    def action_edit(self) -> None:
        """Into the what-if editor, or back to the game."""
        if self.attempt(self.session.edit) and self.session.editing:
            self.say("What if? 0 to 8 put a number, - hides, * puts a mine, = sets the total; pasting works.")

    def action_put(self, value: int) -> None:
        """Set the cell under the cursor of the what-if board, and move on."""
        shown = {HIDDEN: "hidden", MINE: "a mine"}.get(value, str(value))
        cell = self.cursor

        def put() -> None:
            self.cursor = self.session.editor.put(cell, value)

        self.attempt(put, f"{cell_name(cell)} is {shown}.")

    def action_put_again(self) -> None:
        """Put what was put last."""
        self.action_put(self.session.editor.brush)

    def action_digit(self, number: int) -> None:
        """In a game, numbers are not set."""
        self.say(f"{number} sets a number in the what-if editor: e opens it.")

    def paint(self, cell: Cell, button: int, begins: bool) -> None:
        """Paint a cell with what was put last; with the right button, mark it or hide it."""
        self.cursor = cell
        editor = self.session.editor
        if begins:
            editor.begin_stroke()
        self.attempt(lambda: editor.toggle(cell) if button == 3 else editor.paint(cell))

    def action_clear(self) -> None:
        """Hide every cell."""
        self.attempt(lambda: self.session.editor.clear(), "Cleared; u takes that back.")

    def action_fill(self) -> None:
        """Give every hidden cell what was put last."""
        editor = self.session.editor
        if editor.brush == HIDDEN:
            self.say("Fill with what? Put a number or a mine first: f then gives it to every hidden cell.")
            return
        count = counted(len(self.session.board.hidden), "cell")
        self.attempt(editor.fill, f"{count} filled; u takes that back.")

    def action_mines(self, more: int) -> None:
        """Change the mine total of the what-if board."""
        self.set_total(self.session.board.mines + more)

    def set_total(self, mines: int) -> None:
        """Give the what-if board this total."""
        self.attempt(lambda: self.session.editor.set_mines(mines), f"{counted(mines, 'mine')} in total.")
