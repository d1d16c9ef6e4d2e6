"""A mouse at play: presses, releases and movements become moves of a game.

Minesweeper programs agree on what buttons do. A cell opens when the left button is released on it, a mark is
set or taken away when the right one is pressed. With both down, or with the middle one, or with Shift and the
left one, the first release makes a chord; the other button's release does nothing then. Clicks that change
nothing (a marked cell, a chord with the wrong number of marks) are no moves.
"""

from __future__ import annotations

from msat.cells import Cell, neighbours
from msat.errors import GameError, RecordError
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE
from msat.game import Game, State
from msat.layout import Layout
from msat.record import Record

__all__ = ["EVENTS", "Mouse"]

EVENTS = ("lc", "lr", "rc", "rr", "mc", "mr", "sc", "cc", "pf", "mv", "mt")
"""Press and release of each button; press with Shift; press of the second of two; a mark from before the
game; movement; a toggle of doubts."""


class Mouse:
    """A game on a layout that is played by the events of a mouse.

    `doubts` says that a right click turns a mark into a question mark before it takes that away. Programs'
    own habits: `superclick` makes a chord by the left button alone, `superflag` marks by a right click all
    that a number says to be mines, `elmar` opens on the press as well.
    """

    def __init__(
        self,
        layout: Layout,
        doubts: bool = False,
        superclick: bool = False,
        superflag: bool = False,
        elmar: bool = False,
    ) -> None:
        self.game = Game(layout)
        self._layout = layout
        self._doubts = doubts
        self._superclick = superclick
        self._superflag = superflag
        self._elmar = elmar
        self._doubted: set[Cell] = set()
        self._left = self._right = self._middle = self._shift = self._chorded = False
        self._values = bytearray([HIDDEN_BYTE]) * (layout.height * layout.width)
        self._times: list[float] = []

    @property
    def over(self) -> bool:
        """Whether the game has ended, after which events say nothing."""
        return self.game.state != "playing"

    def event(self, kind: str, cell: Cell, seconds: float) -> None:
        """One of `EVENTS`, at a cell that may be beside the board."""
        if self.over or kind == "mv":
            return
        row, column = cell
        inside = 0 <= row < self._layout.height and 0 <= column < self._layout.width
        at = cell if inside else None
        if kind == "pf":
            if at is not None:
                self._mark(at)
        elif kind == "mt":
            self._doubts = not self._doubts
        elif kind == "mc":
            self._left = self._right = self._shift = self._chorded = False
            self._middle = True
        elif kind == "mr":
            if self._middle:
                self._middle = False
                self._chord(at)
        elif kind in ("lr", "rr"):
            self._release(kind, at)
        elif not self._middle:
            self._press(kind, at)
        self._note(max(0.0, seconds))

    def _press(self, kind: str, at: Cell | None) -> None:
        if kind == "cc":
            self._left = self._right = True
        elif kind == "rc":
            self._right, self._shift = True, False
            if not self._left and at is not None:
                self._chorded = False
                self._mark(at)
        else:
            self._left, self._shift = True, kind == "sc"
            if self._elmar:
                self._release("lr", at)
                self._left, self._shift = True, kind == "sc"

    def _release(self, kind: str, at: Cell | None) -> None:
        if kind == "lr":
            if not self._left:
                return
            both, shift = self._right, self._shift
            self._left = self._shift = False
            if both or shift:
                self._chorded = both
                self._chord(at)
            elif self._chorded:
                self._chorded = False
            elif at is not None:
                if self._superclick and self._value(at) <= 8:
                    self._chord(at)
                else:
                    self._open(at)
        elif self._right:
            self._right = self._shift = False
            self._chorded = self._left
            if self._left:
                self._chord(at)

    def _value(self, cell: Cell) -> int:
        return self._values[cell[0] * self._layout.width + cell[1]]

    def _set(self, cells: tuple[Cell, ...]) -> None:
        for row, column in cells:
            position = row * self._layout.width + column
            self._values[position] = self._layout.values[position]

    def _open(self, cell: Cell) -> None:
        if self._value(cell) == HIDDEN_BYTE:
            self._set(self.game.open(cell))

    def _chord(self, cell: Cell | None) -> None:
        if cell is None or self._value(cell) > 8:
            return
        try:
            self._set(self.game.chord(cell))
        except GameError:  # another number of marks around
            return

    def _mark(self, cell: Cell) -> None:
        value = self._value(cell)
        position = cell[0] * self._layout.width + cell[1]
        if value == MINE_BYTE:
            self.game.unmark(cell)
            self._values[position] = HIDDEN_BYTE
            if self._doubts:
                self._doubted.add(cell)
        elif value == HIDDEN_BYTE and cell in self._doubted and self._doubts:
            self._doubted.discard(cell)
        elif value == HIDDEN_BYTE:
            self.game.mark(cell)
            self._values[position] = MINE_BYTE
        elif self._superflag:
            around = neighbours(self._layout.height, self._layout.width, position)
            closed = [each for each in around if self._values[each] > 8]
            if value >= len(closed):
                for each in closed:
                    if self._values[each] == HIDDEN_BYTE:
                        self.game.mark(divmod(each, self._layout.width))
                        self._values[each] = MINE_BYTE

    def _note(self, seconds: float) -> None:
        """Give the moves that this event made their time, which never runs backwards."""
        made = len(self.game.moves_since(len(self._times)))
        if made:
            last = self._times[-1] if self._times else 0.0
            self._times += [max(last, seconds)] * made

    def record(self, claimed: State | None = None) -> Record:
        """The game so far; an error if the file claimed another end."""
        state = self.game.state
        if (claimed == "won" and state != "won") or (claimed == "lost" and state == "won"):
            raise RecordError(f"the replay says that the game was {claimed}, its events leave it {state}")
        moves = self.game.moves
        first = next((move for move in moves if move.kind == "open"), None)
        layout = self._layout
        if first is not None and layout.start is None and not layout.is_mine(first.cell):
            layout = Layout(layout.height, layout.width, layout.mask, first.cell)
        return Record(layout, moves, self._times[-1] if self._times else 0.0, None, tuple(self._times))
