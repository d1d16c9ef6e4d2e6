"""The board as a widget: scrolls over boards of any size, has a cursor, turns clicks and strokes into cells.

A board is drawn as large as there is room for: small ones with five columns and two lines a cell. The numbers
of the columns and of the rows stay in sight.
"""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from msat.board import Board, Cell
from msat.tui.board import BoardView

__all__ = ["LARGEST", "Grid"]

SIZES = ((5, 2), (3, 1), (2, 1))
"""Columns and lines of a cell, the largest first; the last one is scrolled where it does not fit."""

LARGEST = SIZES[0]


class Grid(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws the lines of a `BoardView` that are in sight, and no others."""

    DEFAULT_CSS = "Grid { height: 1fr; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }"

    class Clicked(Message):
        """A cell was clicked with a button: 1 left, 2 middle, 3 right."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    class Stroked(Clicked):
        """A button was pressed on a cell, which begins a stroke, or moved onto it while it is held down."""

        def __init__(self, cell: Cell, button: int, begins: bool) -> None:
            super().__init__(cell, button)
            self.begins = begins

    def __init__(self) -> None:
        super().__init__(id="grid")
        self._view = BoardView(Board.blank(1, 1, 0))
        self._pitch, self._tall = SIZES[-1]
        self._head = 1
        self.room = 0
        """The lines that a board in cells of two may take: not all, where a reason needs some."""
        self._button = 0  # the one that is held down
        self._stroked: Cell | None = None

    @property
    def view(self) -> BoardView:
        """What is drawn."""
        return self._view

    @property
    def scale(self) -> tuple[int, int]:
        """The columns and lines of a cell."""
        return self._pitch, self._tall

    def show(self, view: BoardView) -> None:
        """Draw this, as large as it fits, and scroll to the cursor."""
        room, height = self.size.width, view.board.height
        self._view = view
        for pitch, tall in SIZES:
            self._pitch, self._tall, self._head = pitch, tall, len(view.header(pitch))
            if view.columns(pitch) <= room and (tall == 1 or self._head + tall * height <= self.room):
                break
        size = Size(view.columns(self._pitch), self._head + self._tall * height)
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()
        if view.cursor is not None:
            row, column = view.cursor
            # With the numbers, which stay, and a neighbour on every side.
            at = Offset((column - 1) * self._pitch, (row - 1) * self._tall)
            size = Size(view.margin + 3 * self._pitch + 1, self._head + 3 * self._tall)
            self.scroll_to_region(Region.from_offset(at, size), animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """Another size may allow another scale."""
        self.show(self._view)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        left, top = self.scroll_offset
        row, part = divmod(y + top - self._head, self._tall)
        if y < self._head:
            segments = self._view.header(self._pitch)[y]
        elif row >= self._view.board.height:
            segments = []
        else:
            segments = self._view.row(row, self._pitch)
            if part:  # the lower half of the cells: their colours alone
                segments = [Segment(" " * len(segment.text), segment.style) for segment in segments]
        strip = Strip(segments).adjust_cell_length(max(self.virtual_size.width, left + self.size.width))
        margin = self._view.margin
        numbers, cells = strip.crop(0, margin), strip.crop(left + margin, left + self.size.width)
        return Strip.join([numbers, cells]).apply_style(self.rich_style)

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a place of the widget, if there is one."""
        left, top = self.scroll_offset
        # The sign of a cell is its last column: the spaces before it belong to the same cell.
        column = (x + left - self._view.margin) // self._pitch
        row = (y + top - self._head) // self._tall
        board = self._view.board
        if y < self._head or x < self._view.margin:  # the numbers, which stay
            return None
        return (row, column) if 0 <= row < board.height and 0 <= column < board.width else None

    def on_click(self, event: events.Click) -> None:
        """Tell which cell was clicked."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Clicked(cell, event.button))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin a stroke."""
        self._button, self._stroked = event.button, None
        self._stroke(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Go on with it while the button is held down."""
        if self._button and event.button:
            self._stroke(event)

    def on_mouse_up(self) -> None:
        """End it."""
        self._button = 0

    def _stroke(self, event: events.MouseEvent) -> None:
        cell = self.cell_at(event.x, event.y)
        if cell is not None and cell != self._stroked:
            begins, self._stroked = self._stroked is None, cell
            self.post_message(self.Stroked(cell, self._button, begins))
