"""A session: the game or the what-if board that the viewer shows, and everything that can be done to it.

Nothing here knows of a screen. A what-if board stands in front of the game, which stays as it was; a session
that was begun with a board alone has no game behind it. A game that another takes the place of is kept.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass, replace

from msat.board import HIDDEN, MINE, Board, Cell
from msat.cells import default_start
from msat.errors import GameError
from msat.game import Game
from msat.layout import Layout
from msat.record import Record
from msat.strategies import Choice
from msat.tui.app.editor import Editor
from msat.tui.app.history import History

__all__ = ["KEPT", "Session", "ViewerSettings"]

KEPT = 10
"""Games that are kept when others take their place."""


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
    own_start: bool = False
    """Whether the first click is the player's: wherever it is, nothing is around it."""
    strategy: str = "best"
    guess1: bool = True
    """Whether the solver may guess cells that no number touches."""
    guess2: bool = True
    """Whether it may guess cells beside numbers."""
    overlay: str = ""
    """What is laid over the hidden cells, by its name in `overlays`; nothing by default."""
    quiet: bool = False
    """Whether the cell under the cursor keeps in a game what is known about it: no chance is given away."""
    cheat: bool = False
    trust: bool = False
    """Whether marks are taken for mines; else the numbers judge them."""
    look: str = ""
    """Dark or light, if that was chosen; else as the terminal is."""


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
        self.kept: list[Game] = []
        """Games that others took the place of, the latest last."""
        self._editor: Editor | None = None
        self._history: History | None = None
        if game is None:
            self.new()
        else:
            self._history = History(game)
            self._note_last()

    @classmethod
    def of_record(
        cls, record: Record, settings: ViewerSettings | None = None, move: int | None = None
    ) -> Session:
        """The session that continues a saved game, from one of its moves on; later ones can be made again."""
        session = cls(settings, record.game())
        if move is not None:
            session.go_to(move)
        return session

    @classmethod
    def of_board(cls, board: Board, settings: ViewerSettings | None = None) -> Session:
        """The session that analyses a board; there is no game behind it."""
        session = cls(settings, Game(Layout.from_mines(board.height, board.width, ())))
        session._history = None
        session._editor = Editor(board)
        return session

    @property
    def editing(self) -> bool:
        """Whether a what-if board is shown."""
        return self._editor is not None

    @property
    def editor(self) -> Editor:
        """The what-if board."""
        if self._editor is None:
            raise GameError("cells are set on a what-if board: e opens the editor")
        return self._editor

    @property
    def history(self) -> History:
        """The game and what was done in it; a board that was loaded for analysis has none."""
        if self._history is None:
            raise GameError("there is no game behind this board: g starts one")
        return self._history

    @property
    def game(self) -> Game:
        """The game, which a board that was loaded for analysis does not have."""
        return self.history.game

    @property
    def has_game(self) -> bool:
        """Whether there is a game."""
        return self._history is not None

    @property
    def in_progress(self) -> bool:
        """Whether there is a game that somebody would be sorry to lose."""
        return self._history is not None and self._history.total > 1 and self.game.state == "playing"

    @property
    def board(self) -> Board:
        """What is shown."""
        return self._editor.board if self._editor is not None else self.game.board

    @property
    def state(self) -> str:
        """How the game stands, or that this is a what-if board."""
        return "what if" if self.editing else self.game.state

    @property
    def guesses(self) -> tuple[tuple[Cell, float], ...]:
        """The guesses of the game so far."""
        return () if self._history is None else self.game.record.guesses

    @property
    def success(self) -> float | None:
        """The probability that all guesses so far go well, as document 000 (docs/sources.md) counts it.

        None where clicks, but for the first, do not tell how safe they are: a person's do not.
        """
        opened = () if self._history is None else [move for move in self.game.moves if move.opens]
        if any(move.probability is None for move in opened[1:]):
            return None
        return math.prod(safety for _, safety in self.guesses)

    # Playing

    def _playing(self) -> History:
        """The game, if moves can be made now."""
        if self.editing:
            raise GameError("this is a what-if board: e leaves the editor, to play on")
        return self.history

    def open(self, cell: Cell) -> None:
        """Open a hidden cell."""
        history = self._playing()
        self._choose_layout(cell)
        with history.action():
            history.game.open(cell)
        self.last = (cell,)

    def _choose_layout(self, cell: Cell) -> None:
        """Before a first click that is the player's: lay the mines so that nothing is around it."""
        history = self.history
        if history.game.layout.start is None and not history.game.moves and self.seed is not None:
            layout = history.game.layout
            history.game = Game(_layout(layout.height, layout.width, layout.mines, self.seed, cell))

    def mark(self, cell: Cell) -> None:
        """Mark a hidden cell, or take its mark away."""
        history = self._playing()
        with history.action():
            if history.game.board[cell] == MINE:
                history.game.unmark(cell)
            else:
                history.game.mark(cell)

    def chord(self, cell: Cell) -> None:
        """Open all that is left around a number whose mines are all marked."""
        history = self._playing()
        around = history.game.board.neighbours(cell)
        hidden = tuple(each for each in around if history.game.board[each] == HIDDEN)
        with history.action():
            history.game.chord(cell)
        self.last = hidden

    def apply(self, choice: Choice, join: bool = False) -> None:
        """Make the moves that a strategy chose; `join` makes them part of the action before."""
        history = self._playing()
        if choice.cells:
            self._choose_layout(choice.cells[0])
        game = history.game
        game.strategy = self.settings.strategy
        opened = []
        with history.action(join):
            for cell in choice.mines:
                if game.board[cell] == HIDDEN:
                    game.mark(cell)
            for cell, reason in choice.opened():
                if game.state == "playing":
                    if game.board[cell] == MINE:  # a mark of the player's that is wrong, or not proven
                        game.unmark(cell)
                    game.open(cell, probability=choice.safety, reason=reason)
                    opened.append(cell)
        self.last = tuple(opened)

    # Forwards and backwards

    def back(self) -> int:
        """Take back the last action, also the fatal one; of a what-if board, the last change."""
        if self.editing:
            self.editor.undo()
            return 1
        count = self.history.undo()
        self._note_last()
        return count

    def forward(self) -> int:
        """Make again what was taken back."""
        if self.editing:
            self.editor.redo()
            return 1
        count = self.history.redo()
        self._note_last()
        return count

    def go_to(self, moves: int) -> None:
        """Show the game after so many of its moves."""
        self._playing().go_to(moves)
        self._note_last()

    def _note_last(self) -> None:
        moves = self.game.moves
        self.last = (moves[-1].cell,) if moves and moves[-1].opens else ()

    # Other games

    def new(self) -> None:
        """Begin a new game of the chosen shape, with the chosen seed or one that is drawn."""
        chosen = self.settings
        seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
        height, width = chosen.height, chosen.width
        start = None if chosen.own_start else chosen.start or default_start(height, width)
        layout = _layout(height, width, chosen.mines, seed, start)
        self.seed = seed
        self._begin(layout)

    def again(self) -> None:
        """Begin the same game again."""
        self._begin(self.game.layout)

    def _begin(self, layout: Layout) -> None:
        self._keep()
        self._editor = None
        game = Game(layout)
        self.last = ()
        if layout.start is not None:
            game.open(layout.start, reason="the start")
            self.last = (layout.start,)
        self._history = History(game)

    def _keep(self) -> None:
        """Keep the game that another one takes the place of, if more than its start was played."""
        if self._history is not None and self._history.total > 1:
            self._history.go_to(self._history.total)
            self.kept = [*self.kept[1 - KEPT :], self.game]

    def take_up(self, other: Session) -> None:
        """Show the game or the board of another session; the game that was played is kept."""
        self._keep()
        self._editor, self._history = other._editor, other._history
        self.seed, self.last = other.seed, other.last

    def bring_back(self) -> None:
        """Take up the game that was played before; the one that is played now is kept instead."""
        if not self.kept:
            raise GameError("there is no game to bring back: none was left unfinished")
        *self.kept, game = self.kept
        self._keep()
        self._editor = None
        self._history = History(game)
        self.seed = None
        self._note_last()

    def flip(self, horizontal: bool) -> None:
        """Mirror what is shown: the board, the mines and every move so far."""
        if self.editing:
            board = self.board
            self.editor.change(board.flip_horizontal() if horizontal else board.flip_vertical())
            return
        record = self.game.record
        layout = record.layout
        mirrored = layout.flip_horizontal() if horizontal else layout.flip_vertical()

        def mirror(cell: Cell) -> Cell:
            row, column = cell
            return (row, layout.width - 1 - column) if horizontal else (layout.height - 1 - row, column)

        moves = tuple(move._replace(cell=mirror(move.cell)) for move in record.moves)
        flipped = Record(mirrored, moves, record.seconds, record.strategy, record.times)
        self._history = History(flipped.game())
        self._note_last()

    # What if?

    def edit(self, board: Board | None = None) -> None:
        """Begin to try out changes on the board (or another one); if that goes on, go back to the game."""
        if board is not None and self._editor is not None:
            self._editor.change(board)
        elif board is not None or not self.editing:
            self._editor = Editor(self.game.board if board is None else board)
        elif self.has_game:
            self._editor = None
        else:
            raise GameError("there is no game behind this board: g starts one")

    def choose(self, **changes: object) -> None:
        """Change some of the settings."""
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]


def _layout(height: int, width: int, mines: int, seed: int, start: Cell | None) -> Layout:
    """A layout of a seed; a crowded board has no room for a start with nothing around it."""
    free = height * width - mines
    first = "open" if free >= 9 else "safe" if free else "any"
    return Layout.random(height, width, mines, seed=seed, start=start, first=first)
