"""The board as a widget: scrolls over boards of any size, has a cursor, turns clicks into cells."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from msat.board import Board, Cell
from msat.tui.board import BoardView

__all__ = ["Grid"]


class Grid(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws the lines of a `BoardView` that are in sight, and no others.

    Of the keys by which a view scrolls it leaves the arrows to the viewer, which moves the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("pageup", "page_up"),
        ("pagedown", "page_down"),
        ("ctrl+pageup", "page_left"),
        ("ctrl+pagedown", "page_right"),
        ("home", "scroll_home"),
        ("end", "scroll_end"),
    ]

    DEFAULT_CSS = "Grid { height: 1fr; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }"

    class Clicked(Message):
        """A cell was clicked with a button: 1 left, 2 middle, 3 right."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    def __init__(self) -> None:
        super().__init__(id="grid")
        self._view = BoardView(Board.blank(1, 1, 0))
        self._pitch = 2
        self._head = 1

    @property
    def view(self) -> BoardView:
        """What is drawn."""
        return self._view

    def show(self, view: BoardView) -> None:
        """Draw this, and scroll to the cursor."""
        room = self.size.width
        self._pitch = 3 if view.columns(view.pitch(None)) <= room and view.pitch(None) == 3 else 2
        self._view = view
        self._head = len(view.header(self._pitch))
        size = Size(view.columns(self._pitch), self._head + view.board.height)
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()
        if view.cursor is not None:
            row, column = view.cursor
            at = Offset(view.margin + column * self._pitch, row + self._head)
            self.scroll_to_region(
                Region(at.x - 1, at.y - 1, self._pitch + 3, 3), animate=False, force=True, immediate=True
            )

    def on_resize(self) -> None:
        """Another width may allow another pitch."""
        self.show(self._view)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        left, top = self.scroll_offset
        line = y + top
        if line < self._head:
            segments = self._view.header(self._pitch)[line]
        elif line - self._head < self._view.board.height:
            segments = self._view.row(line - self._head, self._pitch)
        else:
            segments = []
        strip = Strip(segments).adjust_cell_length(max(self.virtual_size.width, left + self.size.width))
        return strip.crop(left, left + self.size.width).apply_style(self.rich_style)

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a place of the widget, if there is one."""
        left, top = self.scroll_offset
        # The sign of a cell is its last column: the space before it belongs to the same cell.
        column, row = (x + left - self._view.margin) // self._pitch, y + top - self._head
        board = self._view.board
        return (row, column) if 0 <= row < board.height and 0 <= column < board.width else None

    def on_click(self, event: events.Click) -> None:
        """Tell which cell was clicked."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Clicked(cell, event.button))
