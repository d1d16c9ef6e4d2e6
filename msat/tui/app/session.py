"""A session: the game or the what-if board that the viewer shows, and everything that can be done to it.

Nothing here knows of a screen. A what-if board stands in front of the game, which stays as it was; a session
that was begun with a board alone has no game behind it.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass, replace

from msat.board import HIDDEN, MINE, Board, Cell
from msat.cells import default_start
from msat.errors import GameError
from msat.game import Game, Move
from msat.layout import Layout
from msat.record import Record
from msat.strategies import Choice

__all__ = ["Session", "ViewerSettings"]


@dataclass(frozen=True)
class ViewerSettings:
    """What is chosen: the next game's shape, who advises, and what is shown."""

    height: int = 16
    width: int = 30
    mines: int = 99
    seed: int | None = None
    """The seed of the next game; None draws one."""
    start: Cell | None = None
    """Where a game starts; None starts near a corner."""
    strategy: str = "safest"
    guess1: bool = True
    """Whether the solver may guess cells that no number touches."""
    guess2: bool = True
    """Whether it may guess cells beside numbers."""
    overlay: str = ""
    """What is laid over the hidden cells, by its name in `overlays`; nothing by default."""
    cheat: bool = False


class Session:
    """A game in play, or a board that is analysed.

    >>> session = Session(ViewerSettings(height=2, width=2, mines=1, seed=1, start=(0, 0)))
    >>> session.editing, session.board.mines, session.board[0, 0] >= 0
    (False, 1, True)
    """

    def __init__(self, settings: ViewerSettings | None = None, game: Game | None = None) -> None:
        self.settings = settings or ViewerSettings()
        self.seed: int | None = None
        """The seed of the game that is played, where there is one."""
        self.last: tuple[Cell, ...] = ()
        """The cells clicked last."""
        self._what_if: list[Board] = []  # the what-if boards, the current one last
        self._game = game
        if game is None:
            self.new()
        else:
            self._note_last()

    @classmethod
    def of_record(
        cls, record: Record, settings: ViewerSettings | None = None, move: int | None = None
    ) -> Session:
        """The session that continues a saved game, from one of its moves on."""
        return cls(settings, record.game(upto=move))

    @classmethod
    def of_board(cls, board: Board, settings: ViewerSettings | None = None) -> Session:
        """The session that analyses a board; there is no game behind it."""
        session = cls(settings, Game(Layout.from_mines(board.height, board.width, ())))
        session._game = None
        session._what_if = [board]
        return session

    @property
    def editing(self) -> bool:
        """Whether a what-if board is shown."""
        return bool(self._what_if)

    @property
    def game(self) -> Game:
        """The game, which a board that was loaded for analysis does not have."""
        if self._game is None:
            raise GameError("there is no game behind this board: start one with a new game")
        return self._game

    @property
    def has_game(self) -> bool:
        """Whether there is a game."""
        return self._game is not None

    @property
    def board(self) -> Board:
        """What is shown."""
        return self._what_if[-1] if self._what_if else self.game.board

    @property
    def state(self) -> str:
        """How the game stands, or that this is a what-if board."""
        return "what if" if self.editing else self.game.state

    @property
    def guesses(self) -> tuple[tuple[Cell, float], ...]:
        """The guesses of the game so far."""
        return () if self._game is None else self._game.record.guesses

    @property
    def success(self) -> float:
        """The probability that all guesses so far go well, as document 000 (docs/sources.md) counts it."""
        return math.prod(safety for _, safety in self.guesses)

    # Playing

    def _playing(self) -> Game:
        """The game, if moves can be made now."""
        if self.editing:
            raise GameError("this is a what-if board: leave the editor to play on")
        return self.game

    def open(self, cell: Cell) -> None:
        """Open a hidden cell."""
        game = self._playing()
        game.open(cell)
        self.last = (cell,)

    def mark(self, cell: Cell) -> None:
        """Mark a hidden cell, or take its mark away."""
        game = self._playing()
        if game.board[cell] == MINE:
            game.unmark(cell)
        else:
            game.mark(cell)

    def chord(self, cell: Cell) -> None:
        """Open all that is left around a number whose mines are all marked."""
        game = self._playing()
        around = game.board.neighbours(cell)
        hidden = tuple(each for each in around if game.board[each] == HIDDEN)
        game.chord(cell)
        self.last = hidden

    def apply(self, choice: Choice) -> None:
        """Make the moves that a strategy chose."""
        game = self._playing()
        game.strategy = self.settings.strategy
        for cell in choice.mines:
            if game.board[cell] == HIDDEN:
                game.mark(cell)
        opened = []
        for cell in choice.cells:
            if game.state == "playing":
                game.open(cell, probability=choice.safety, reason=choice.reason)
                opened.append(cell)
        self.last = tuple(opened)

    def back(self) -> Move | None:
        """Take back the last move, also the fatal one; of a what-if board, the last change."""
        if self.editing:
            if len(self._what_if) < 2:
                raise GameError("there is no change to take back")
            self._what_if.pop()
            return None
        move = self.game.undo()
        self._note_last()
        return move

    def _note_last(self) -> None:
        moves = self.game.moves
        self.last = (moves[-1].cell,) if moves and moves[-1].opens else ()

    # Other games

    def new(self) -> None:
        """Begin a new game of the chosen shape, with the chosen seed or one that is drawn."""
        chosen = self.settings
        seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
        height, width, mines = chosen.height, chosen.width, chosen.mines
        start = chosen.start or default_start(height, width)
        free = height * width - mines
        # A crowded board has no room for a start with nothing around it.
        first = "open" if free >= 9 else "safe" if free else "any"
        layout = Layout.random(height, width, mines, seed=seed, start=start, first=first)
        self.seed = seed
        self._begin(layout)

    def again(self) -> None:
        """Begin the same game again."""
        self._begin(self.game.layout)

    def _begin(self, layout: Layout) -> None:
        self._what_if = []
        self._game = Game(layout)
        self.last = ()
        if layout.start is not None:
            self._game.open(layout.start, reason="the start")
            self.last = (layout.start,)

    def flip(self, horizontal: bool) -> None:
        """Mirror what is shown: the board, the mines and every move so far."""
        if self.editing:
            board = self._what_if[-1]
            self._what_if.append(board.flip_horizontal() if horizontal else board.flip_vertical())
            return
        record = self.game.record
        layout = record.layout
        mirrored = layout.flip_horizontal() if horizontal else layout.flip_vertical()

        def mirror(cell: Cell) -> Cell:
            row, column = cell
            return (row, layout.width - 1 - column) if horizontal else (layout.height - 1 - row, column)

        moves = tuple(move._replace(cell=mirror(move.cell)) for move in record.moves)
        self._game = Record(mirrored, moves, record.seconds, record.strategy, record.times).game()
        self._note_last()

    # What if?

    def edit(self, board: Board | None = None) -> None:
        """Begin to try out changes on the board (or another one); if that goes on, go back to the game."""
        if board is not None or not self.editing:
            self._what_if = [self.game.board if board is None else board]
        elif self.has_game:
            self._what_if = []
        else:
            raise GameError("there is no game behind this board: start one with a new game")

    def set_cell(self, cell: Cell, value: int) -> None:
        """Give a cell of the what-if board any value: HIDDEN, MINE or a number."""
        self._change(self._edited().replace({cell: value}))

    def set_mines(self, mines: int) -> None:
        """Give the what-if board another total of mines."""
        self._change(self._edited().replace({}, mines=mines))

    def _edited(self) -> Board:
        if not self.editing:
            raise GameError("cells are set on a what-if board: open the editor first")
        return self._what_if[-1]

    def _change(self, board: Board) -> None:
        if board != self._what_if[-1]:
            self._what_if.append(board)

    def choose(self, **changes: object) -> None:
        """Change some of the settings."""
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]
