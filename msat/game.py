"""The game: a layout, what the player sees of it, and what happened so far.

`Game` is the only thing here that changes. Every move remembers which cells it changed, so that any of them
can be taken back, the fatal one included.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, repeat
from numbers import Real
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msat import cells as geometry
from msat.board import Board, Cell
from msat.constants import DAY
from msat.errors import GameError, WrongType
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE
from msat.kinds import given, several
from msat.layout import Layout
from msat.value import explained
from msat.wording import argument, cell_name, counted, quoted

CELLS = "cells, such as a list of them"

if TYPE_CHECKING:
    from msat.record import Record

__all__ = ["Game", "Kind", "Move", "State"]

Kind = Literal["open", "chord", "mark", "unmark"]
State = Literal["playing", "won", "lost"]

_new_tuple = tuple.__new__  # makes a Move of its parts, which the constructor takes thrice the time for


@explained
class Move(NamedTuple):
    """One move, with what the player said about it."""

    kind: Kind
    """What is done: "open", "chord", "mark" or "unmark"."""
    cell: Cell
    """Where; for a chord, the number that it is made on."""
    probability: float | None = None
    """The probability, as claimed, that what is opened is safe; None where nothing is claimed."""
    reason: str = ""
    """Why, in words; empty where none was given."""

    @property
    def opens(self) -> bool:
        """Whether it opens cells."""
        return self.kind in ("open", "chord")

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**self._asdict(), "cell": list(self.cell)}


class Game:
    """A game on a layout, nothing opened yet. `strategy` names the player in the game's record.

    >>> game = Game(Layout.parse("...\\n...\\n..*"))
    >>> len(game.open((0, 0))), game.state
    (8, 'won')
    >>> print(game.board)
    0 0 0
    0 1 1
    0 1 ?
    mines: 1
    >>> game.undo().cell, game.board == Board.blank(3, 3, mines=1)
    ((0, 0), True)
    """

    __slots__ = (
        "_began",
        "_board",
        "_changes",
        "_exploded",
        "_layout",
        "_left",
        "_moves",
        "_seconds",
        "_times",
        "_values",
        "strategy",
    )

    def __init__(self, layout: Layout, strategy: str | None = None) -> None:
        if not isinstance(layout, Layout):
            raise WrongType(f"a game is played on a Layout, not on {quoted(layout)}: Layout.parse reads one")
        self._layout = layout
        self.strategy = strategy
        self._values = bytearray([HIDDEN_BYTE]) * (layout.height * layout.width)
        self._left = len(self._values) - layout.mines  # safe cells still hidden
        self._moves: list[Move] = []
        self._changes: list[tuple[int, ...]] = []  # of each move: the positions whose value it changed
        self._times: list[float | None] = []  # of each move: when it was made, if that is known
        self._exploded: Cell | None = None
        self._board: Board | None = None
        self._began = perf_counter()
        self._seconds = 0.0

    @property
    def layout(self) -> Layout:
        """Where the mines are, which the player must not know."""
        return self._layout

    @property
    def board(self) -> Board:
        """What the player sees now; a mine that went off stays hidden on it (see `exploded`)."""
        if self._board is None:
            self._board = Board(
                self._layout.height, self._layout.width, self._layout.mines, bytes(self._values)
            )
        return self._board

    @property
    def exploded(self) -> Cell | None:
        """The mine that was opened, if the game is lost; of several, the first."""
        return self._exploded

    @property
    def state(self) -> State:
        """ "won" once every safe cell is open, "lost" once a mine was opened, "playing" before."""
        if self._exploded is not None:
            return "lost"
        return "playing" if self._left else "won"

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, without those taken back."""
        return tuple(self._moves)

    def moves_since(self, number: int) -> tuple[Move, ...]:
        """The moves after the first `number` of them."""
        return tuple(self._moves[geometry.whole_number(number, "number", GameError) :])

    @property
    def record(self) -> Record:
        """What happened so far, as a value that can be saved; its time ends with the last move."""
        # A record replays itself by a game, so it is the one to import the other.
        from msat.record import Record

        record = Record(self._layout, self.moves, self._seconds, self.strategy, tuple(self._times))
        record._state = self.state  # known here: it need not replay itself to tell
        return record

    def to_object(self) -> dict[str, Any]:
        """The game as plain JSON values: those of its `record`, which `Record.from_object` reads."""
        return self.record.to_object()

    def open(self, cell: Cell, probability: float | None = None, reason: str = "") -> tuple[Cell, ...]:
        """Open a cell and, around every 0, its neighbours; return the cells revealed, in row-major order.

        `probability` is how safe the player claims the cell to be (None: nothing is claimed, and nothing
        counted as a guess), `reason` why: both go into the record.
        A cell that is open already reveals nothing and makes no move. Marked cells are not opened along.
        """
        position = self._playable(cell)
        value = self._values[position]
        if value == MINE_BYTE:
            cell = divmod(position, self._layout.width)
            raise GameError(f"{cell} is marked as a mine: unmark({cell}) first to open it")
        if value != HIDDEN_BYTE:
            return ()
        return self._open("open", position, [position], probability, reason)

    def open_all(
        self, cells: Iterable[Cell], probability: float | None = None, reasons: Iterable[str] = repeat("")
    ) -> None:
        """Open cells one after the other, as `open` does, until the game is over; what is open is left.

        Each has its own of the `reasons`. For players: it is several times as fast as opening each.

        >>> game = Game(Layout.parse("..*.."))
        >>> game.open_all([(0, 1), (0, 3), (0, 2), (0, 0)], reasons=["first", "second", "third", "fourth"])
        >>> game.state, game.exploded, [move.reason for move in game.moves]
        ('lost', (0, 2), ['first', 'second', 'third'])
        """
        claimed = _claimed(probability)
        height, width = self._layout.shape
        values, numbers, began = self._values, self._layout.values, self._began
        moves, changes, times = self._moves, self._changes, self._times
        positions = [geometry.check_cell(cell, height, width) for cell in several(cells, "cells", CELLS)]
        told = list(islice(several(reasons, "reasons", "texts"), len(positions)))
        if len(told) < len(positions):
            raise GameError(f"{len(told)} reasons are not those of {len(positions)} cells: give one each")
        for position, reason in zip(positions, told, strict=True):
            if self._exploded is not None or not self._left:
                return
            if values[position] != HIDDEN_BYTE or not 0 < numbers[position] <= 8:
                self.open(divmod(position, width), claimed, reason)
                continue
            # As with nearly all moves nothing opens along; what `_made` does is done here, without a call.
            values[position] = numbers[position]
            self._left -= 1
            moves.append(_new_tuple(Move, ("open", divmod(position, width), claimed, reason)))
            changes.append((position,))
            self._board = None
            self._seconds = seconds = perf_counter() - began
            times.append(seconds)

    def mark_all(self, cells: Iterable[Cell]) -> None:
        """Mark hidden cells as mines, one after the other, as `mark` does.

        >>> game = Game(Layout.parse("*.*"))
        >>> game.mark_all([(0, 0), (0, 2)])
        >>> str(game.board).splitlines()[0]
        '* ? *'
        """
        height, width = self._layout.shape
        values, began = self._values, self._began
        moves, changes, times = self._moves, self._changes, self._times
        over = self._exploded is not None or not self._left
        for cell in several(cells, "cells", CELLS):
            position = geometry.check_cell(cell, height, width)
            if over or values[position] != HIDDEN_BYTE:
                self.mark(cell)  # which says what is wrong
            values[position] = MINE_BYTE
            moves.append(_new_tuple(Move, ("mark", divmod(position, width), None, "")))
            changes.append((position,))
            self._board = None
            self._seconds = seconds = perf_counter() - began
            times.append(seconds)

    def chord(self, cell: Cell, probability: float | None = None, reason: str = "") -> tuple[Cell, ...]:
        """Open all that is hidden around a number with as many marks around it; else as `open`.

        >>> game = Game(Layout.parse(".*.\\n..."))
        >>> game.open((1, 1)), game.mark((0, 1)), game.chord((1, 1)), game.state
        (((1, 1),), None, ((0, 0), (0, 2), (1, 0), (1, 2)), 'won')
        """
        position = self._playable(cell)
        cell = divmod(position, self._layout.width)
        value = self._values[position]
        if value in (HIDDEN_BYTE, MINE_BYTE):
            raise GameError(f"{cell} shows no number: a chord needs one with all its mines marked")
        around = geometry.neighbours(*self._layout.shape, position)
        marked = sum(self._values[other] == MINE_BYTE for other in around)
        if marked != value:
            raise GameError(f"the {value} at {cell} has {marked} marks around it: a chord needs {value}")
        hidden = [other for other in around if self._values[other] == HIDDEN_BYTE]
        return self._open("chord", position, hidden, probability, reason) if hidden else ()

    def _open(
        self, kind: Kind, position: int, opened: list[int], probability: float | None, reason: str
    ) -> tuple[Cell, ...]:
        """Open hidden positions by a move at `position`."""
        width = self._layout.width
        move = Move(kind, divmod(position, width), _claimed(probability), reason)
        numbers = self._layout.values
        if len(opened) == 1 and 0 < numbers[opened[0]] <= 8:  # as with nearly all moves: nothing opens along
            self._values[opened[0]] = numbers[opened[0]]
            self._left -= 1
            self._made(move, (opened[0],))
            return (divmod(opened[0], width),)
        mines = [each for each in opened if numbers[each] == MINE_BYTE]
        if mines:
            self._exploded = divmod(mines[0], width)
            self._made(move, ())
            return ()
        revealed = tuple(sorted([i for each in opened for i in self._flood(each)]))
        self._left -= len(revealed)
        self._made(move, revealed)
        return tuple([divmod(i, width) for i in revealed])

    def _flood(self, position: int) -> list[int]:
        """Reveal a safe cell and what its zeros uncover; return the positions, none if it is open by now."""
        values, numbers = self._values, self._layout.values
        if values[position] != HIDDEN_BYTE:
            return []
        height, width = self._layout.shape
        values[position] = numbers[position]
        revealed = [position]
        for opened in revealed:  # grows while it is walked
            if numbers[opened] == 0:
                for around in geometry.neighbours(height, width, opened):
                    if values[around] == HIDDEN_BYTE:
                        values[around] = numbers[around]
                        revealed.append(around)
        return revealed

    def mark(self, cell: Cell) -> None:
        """Mark a hidden cell as a mine."""
        position = self._playable(cell)
        cell = divmod(position, self._layout.width)
        if self._values[position] == MINE_BYTE:
            raise GameError(f"{cell} is marked already: unmark({cell}) takes the mark away")
        if self._values[position] != HIDDEN_BYTE:
            shows = self._values[position]
            raise GameError(f"{cell_name(cell)} is open and shows {shows}: only a hidden cell can be marked")
        self._values[position] = MINE_BYTE
        self._made(Move("mark", cell), (position,))

    def unmark(self, cell: Cell) -> None:
        """Take the mark away from a cell."""
        position = self._playable(cell)
        cell = divmod(position, self._layout.width)
        if self._values[position] != MINE_BYTE:
            raise GameError(f"{cell} is not marked: there is nothing to take away")
        self._values[position] = HIDDEN_BYTE
        self._made(Move("unmark", cell), (position,))

    def apply(self, move: Move, seconds: float | None = None) -> None:
        """Make a move that was recorded; unlike `open`, refuse one that opens nothing.

        `seconds` is when it was made, if that is known: the game's time goes on from there.
        """
        given(move, Move, "move", "a Move, such as those of a record")
        if seconds is not None:
            self._began = perf_counter() - _passed(seconds)
        if move.opens:
            opening = self.open if move.kind == "open" else self.chord
            revealed = opening(move.cell, move.probability, move.reason)
            if not revealed and self._exploded is None:
                already = "open" if move.kind == "open" else "open all around"
                raise GameError(f"{move.cell} is {already} already")
        elif move.kind == "mark":
            self.mark(move.cell)
        else:
            self.unmark(move.cell)
        self._times[-1] = seconds

    def undo(self) -> Move:
        """Take back the last move, of whatever kind, and return it."""
        if not self._moves:
            raise GameError("there is no move to take back")
        move, changed = self._moves.pop(), self._changes.pop()
        self._times.pop()
        before = MINE_BYTE if move.kind == "unmark" else HIDDEN_BYTE
        for position in changed:
            self._values[position] = before
        if move.opens:
            self._left += len(changed)
            self._exploded = None  # nothing follows an explosion, so only the last move can have been one
        self._board = None
        self._seconds = perf_counter() - self._began
        return move

    def _playable(self, cell: Cell) -> int:
        """The position of a cell that is about to be played."""
        position = geometry.check_cell(cell, *self._layout.shape)
        if self._exploded is not None or not self._left:
            raise GameError(f"the game is {self.state}: undo() takes the last move back")
        return position

    def _made(self, move: Move, changed: tuple[int, ...]) -> None:
        self._moves.append(move)
        self._changes.append(changed)
        self._board = None
        self._seconds = seconds = perf_counter() - self._began
        self._times.append(seconds)

    def __eq__(self, other: object) -> bool:
        """Whether the same player made the same moves on the same layout, whenever that was."""
        if not isinstance(other, Game):
            return NotImplemented
        return (self._layout, self._moves, self.strategy) == (other._layout, other._moves, other.strategy)

    __hash__ = None  # type: ignore[assignment]  # a game goes on

    def _repr_svg_(self) -> str | None:
        from msat import svg

        last = self._moves[-1].cell if self._moves else None
        shown = self._layout if self.state == "lost" else None
        return svg.drawn(svg.board, self.board, last=last, exploded=self._exploded, mines=shown)

    def __repr__(self) -> str:
        size = f"{self._layout.height}×{self._layout.width} with {counted(self._layout.mines, 'mine')}"
        return f"<Game: {self.state} after {counted(len(self._moves), 'move')} on {size}>"


def _passed(seconds: float) -> float:
    """A time from the game's beginning."""
    if not 0 <= given(seconds, Real, "seconds", "a number, or None") < DAY * DAY:
        raise GameError(f"{argument('seconds', seconds)} is not a time: give 0 or more")
    return float(seconds)


def _claimed(probability: float | None) -> float | None:
    """A probability that a player claims, as a plain float: a Fraction, say, could not be saved."""
    if probability is not None and not 0 <= given(probability, Real, "probability", "a number") <= 1:
        raise GameError(f"{argument('probability', probability)} is not one: give a number between 0 and 1")
    return None if probability is None else float(probability)
