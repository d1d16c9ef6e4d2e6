"""A game with everything that was done in it: moves, those taken back, and which of them were one action.

What one key did is one action, be it a mark or a whole game by the solver, and is taken back as one. Moves
that were taken back can be made again until another move is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from msat.errors import GameError
from msat.game import Game, Move
from msat.record import Record

__all__ = ["History"]


class _Undone(NamedTuple):
    """A move that was taken back: when it was made, and as part of which action."""

    move: Move
    seconds: float | None
    action: int


class History:
    """The game of a session, forwards and backwards.

    >>> from msat.layout import Layout
    >>> history = History(Game(Layout.parse("..*..")))
    >>> with history.action():
    ...     _ = history.game.open((0, 1)), history.game.open((0, 0))
    >>> history.undo(), history.moves, history.total
    (2, 0, 2)
    >>> history.go_to(1), history.moves
    (None, 1)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._actions = list(range(len(game.moves)))  # of each move, the action it belongs to
        self._undone: list[_Undone] = []  # the next one last

    @property
    def moves(self) -> int:
        """Moves that count now."""
        return len(self._actions)

    @property
    def total(self) -> int:
        """Moves that there are, those that were taken back included."""
        return len(self._actions) + len(self._undone)

    @property
    def all_moves(self) -> tuple[Move, ...]:
        """All of them, in order."""
        return self.game.moves + tuple(undone.move for undone in reversed(self._undone))

    @property
    def record(self) -> Record:
        """All of it as a value that can be saved."""
        played = self.game.record
        times = played.times + tuple(undone.seconds for undone in reversed(self._undone))
        return Record(played.layout, self.all_moves, played.seconds, played.strategy, times)

    @contextmanager
    def action(self, join: bool = False) -> Iterator[None]:
        """Make all moves inside one action; `join` makes them part of the action before."""
        number = self._actions[-1] + (not join) if self._actions else 0
        before = len(self._actions)
        try:
            yield
        finally:
            made = len(self.game.moves) - before
            if made:
                self._undone.clear()
                self._actions += [number] * made

    def undo(self) -> int:
        """Take back the last action; returns the number of its moves."""
        count = self._last_action()
        for _ in range(count):
            self._back()
        return count

    def _last_action(self) -> int:
        if not self._actions:
            raise GameError("there is no move to take back")
        return sum(number == self._actions[-1] for number in self._actions)

    def redo(self) -> int:
        """Make the next action again; returns the number of its moves."""
        if not self._undone:
            raise GameError("there is nothing to make again: no move was taken back")
        count = sum(undone.action == self._undone[-1].action for undone in self._undone)
        for _ in range(count):
            self._forward()
        return count

    def go_to(self, moves: int) -> None:
        """Take back, or make again, so that this many moves count, as far as there are so many."""
        wanted = min(max(moves, 0), self.total)
        while len(self._actions) > wanted:
            self._back()
        while len(self._actions) < wanted:
            self._forward()

    def _back(self) -> None:
        seconds = self.game.record.times[-1]
        move = self.game.undo()
        self._undone.append(_Undone(move, seconds, self._actions.pop()))

    def _forward(self) -> None:
        undone = self._undone.pop()
        self.game.apply(undone.move, undone.seconds)
        self._actions.append(undone.action)
