"""The what-if board: a position that is set up cell by cell, with undo and redo."""

from __future__ import annotations

from msat.board import HIDDEN, MINE, Board, Cell
from msat.errors import GameError

__all__ = ["Editor"]


class Editor:
    """A board that changes; every change can be taken back.

    >>> editor = Editor(Board.parse("?? 1"))
    >>> editor.put((0, 0), 1), editor.board
    ((0, 1), Board.parse('1?/ 1'))
    >>> editor.undo(), editor.board
    (None, Board.parse('??/ 1'))
    """

    def __init__(self, board: Board) -> None:
        self._boards = [board]
        self._undone: list[Board] = []
        self._before = 0  # of the boards, how many were there when the stroke of the mouse began
        self.brush = HIDDEN
        """What the mouse paints: whatever was put last."""

    @property
    def board(self) -> Board:
        """The board as it is."""
        return self._boards[-1]

    def change(self, board: Board) -> None:
        """Show another board; what was taken back before is forgotten."""
        if board != self.board:
            self._boards.append(board)
            self._undone.clear()

    def put(self, cell: Cell, value: int) -> Cell:
        """Give a cell any value; returns the next cell in reading order."""
        self.change(self.board.replace({cell: value}))
        self.brush = value
        at = cell[0] * self.board.width + cell[1] + 1
        return divmod(at % (self.board.height * self.board.width), self.board.width)

    def paint(self, cell: Cell, value: int | None = None) -> None:
        """Give a cell the value that was put last, or this one; a whole stroke is one change."""
        painted = self.board.replace({cell: self.brush if value is None else value})
        if painted != self.board and len(self._boards) > self._before > 0:
            self._boards.pop()
        self.change(painted)

    def begin_stroke(self) -> None:
        """What is painted from now on is one change."""
        self._before = len(self._boards)

    def toggle(self, cell: Cell) -> None:
        """Mark a cell, or hide it."""
        self.paint(cell, HIDDEN if self.board[cell] == MINE else MINE)

    def set_mines(self, mines: int) -> None:
        """Give the board another total of mines."""
        self.change(self.board.replace({}, mines=mines))

    def clear(self) -> None:
        """Hide every cell."""
        self.change(Board.blank(self.board.height, self.board.width, self.board.mines))

    def fill(self) -> None:
        """Give every hidden cell the value that was put last."""
        self.change(self.board.replace(dict.fromkeys(self.board.hidden, self.brush)))

    def undo(self) -> None:
        """Take back the last change."""
        if len(self._boards) < 2:
            raise GameError("there is no change to take back")
        self._undone.append(self._boards.pop())

    def redo(self) -> None:
        """Make it again."""
        if not self._undone:
            raise GameError("there is nothing to make again: no change was taken back")
        self._boards.append(self._undone.pop())
