"""The board and what is told about it: beside the board where there is room, else below it.

A long reason below a board takes lines from it. So a board gets cells of two lines only where a usual hint
has room as well: the same board is drawn in the same size, whatever is told about it. What is told follows
the board, however much room there is below it; where there is little, it is told in fewer words.
"""

from __future__ import annotations

import textwrap

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import Static

from msat.tui.app.grid import LARGEST, Grid
from msat.tui.board import BoardView

__all__ = ["Panel"]

NARROWEST, WIDEST = 28, 50
"""Columns of what is told beside a board."""

USUAL = 6
"""Lines of what is told below a board: the cell under the cursor, and the reason of a guess."""


class Panel(Container):
    """A board above, or to the left of, the lines about it."""

    DEFAULT_CSS = """
    Panel { height: 1fr; layout: vertical; }
    Panel > #told { height: auto; }
    Panel.beside { layout: horizontal; }
    Panel.beside > #told { height: 100%; padding-top: 1; overflow-y: auto; }
    """

    def __init__(self, *lines: Static) -> None:
        super().__init__(id="panel")
        self._lines: tuple[Widget, ...] = lines
        self._told: tuple[str, ...] = ()
        self._spare = self._brief = ""

    def compose(self) -> ComposeResult:
        """The board, then the lines."""
        yield Grid()
        yield Vertical(*self._lines, id="told")

    def show(self, view: BoardView) -> None:
        """Draw a board, and find the place of what is told about it."""
        grid = self.query_one(Grid)
        width, height = self.size
        pitch, tall = LARGEST
        left = width - view.columns(pitch) - 1
        beside = left >= NARROWEST and len(view.header(pitch)) + tall * view.board.height <= height
        if beside != self.has_class("beside"):
            self.set_class(beside, "beside")
        grid.styles.width = width - left if beside else "1fr"
        self.query_one("#told").styles.width = min(left, WIDEST) if beside else "100%"
        grid.room = height if beside else height - USUAL
        grid.show(view)
        size = grid.virtual_size
        grid.styles.max_height = None if beside else size.height + (size.width > width)  # and its scrollbar
        self._fill()

    def tell(self, text: str, spare: str = "", brief: str = "") -> None:
        """Tell something about the board.

        Where that would hide rows of it, the line `spare` is left out, or else just `brief` is told.
        """
        self._told, self._spare, self._brief = tuple(text.split("\n")), spare, brief
        self._fill()

    def _fill(self) -> None:
        left = self.size.height - self.query_one(Grid).virtual_size.height - 1  # the line of the cursor
        width = max(self.size.width - 2, 1)
        ways = [self._told]
        if not self.has_class("beside"):
            ways += [tuple(line for line in self._told if line != self._spare)] if self._spare else []
            ways += [(self._brief,)] if self._brief else []
        fitting = (
            way for way in ways if sum(max(len(textwrap.wrap(line, width)), 1) for line in way) <= left
        )
        self.query_one("#reason", Static).update("\n".join(next(fitting, ways[-1])))

    def on_resize(self) -> None:
        """Another size may allow another place."""
        self.show(self.query_one(Grid).view)
