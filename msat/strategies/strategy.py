"""What a strategy is: something that looks at a board and says which cells to open, and why.

A strategy sees only the `Board`, never the layout, and keeps nothing between calls that would change its
answers: the same board gets the same choice. Writing one takes a class with a `name`, a `summary` and
`choose`; it can then be played by `msat.play` and, by the hundred thousand, by the arena, which calls
`play_numbers`. Strategies that are compiled replace that by one call that plays the whole game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from msat._jit import working_time
from msat.board import Board, Cell
from msat.cells import check_cell
from msat.errors import CellError, GameError, WrongType
from msat.game import Game
from msat.layout import Layout
from msat.limits import NAME_LENGTH
from msat.strategies.parameter import Parameter, Value, checked
from msat.value import explained
from msat.wording import quoted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "BY_COUNTING",
    "PROVEN",
    "START",
    "Choice",
    "Chooser",
    "Guess",
    "Played",
    "Strategy",
    "as_choice",
    "play_on",
]

PROVEN = frozenset({"rule", "count"})
"""Kinds of choices that are proven; every other kind is a guess."""

START = "the start"
"""The reason of the first move, where the layout lays it down."""

BY_COUNTING = "proven safe by counting"
"""The reason of a move that no rule finds; which numbers prove it, `explain` tells."""


@explained
@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a strategy."""

    cells: tuple[Cell, ...]
    """The cells to open now; more than one only if all of them are proven safe."""

    safety: float
    """The probability that each of them is free of a mine, as the strategy sees it; 1.0 where proven."""

    reason: str
    """Why, in a few words, for the reader of a record."""

    ranking: tuple[tuple[Cell, float], ...] = ()
    """Cells with their safety, the best first, where the strategy compared several."""

    mines: tuple[Cell, ...] = ()
    """Hidden cells proven to be mines, for the player to mark."""

    kind: str = "guess"
    """How it was found: "rule" or "count" where it is proven, else the strategy's name for its guess."""

    reasons: tuple[str, ...] = ()
    """Why of each cell, where that is not the same for all."""

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "safety": self.safety,
            "reason": self.reason,
            "ranking": [[list(cell), safety] for cell, safety in self.ranking],
            "mines": [list(cell) for cell in self.mines],
            "kind": self.kind,
            "reasons": list(self.reasons),
        }

    def opened(self) -> Iterator[tuple[Cell, str]]:
        """Each cell to open, and why."""
        return zip(self.cells, self.reasons or repeat(self.reason), strict=False)

    @property
    def is_guess(self) -> bool:
        """Whether the cell may have a mine, as far as the strategy knows."""
        return self.kind not in PROVEN

    @property
    def is_sure(self) -> bool:
        """Whether the strategy claims that the cells have no mine."""
        return not self.is_guess or self.safety >= 1


@explained
class Guess(NamedTuple):
    """A cell that was opened without proof."""

    kind: str
    """How the cell was chosen, as the strategy names it."""
    cell: Cell
    """The cell that was opened."""
    safety: float
    """The probability that it was free of a mine, as the strategy saw it."""
    survived: bool
    """Whether it was."""


@explained
class Played(NamedTuple):
    """A whole game, in the few numbers that statistics need."""

    won: bool
    """Whether the game was won."""
    moves: int
    """Clicks, the start included; cells that a 0 opened along are not clicks."""
    guesses: tuple[Guess, ...]
    """What was opened without proof, in order."""
    slow: float
    """Seconds of the longest decision; of the whole game, where that was played in one compiled call."""
    mistaken: Cell | None = None
    """A mine that the player was sure to be none."""


class Chooser(Protocol):
    """The least that plays a game: a name, and a choice for every board."""

    @property
    def name(self) -> str:
        """What to call the player in records."""

    def choose(self, board: Board) -> Choice | None:
        """What to open on `board`; None if the strategy would rather stop than guess."""


class Strategy(ABC):
    """A way to play, known by its name, with parameters that are declared once and checked.

    >>> class First(Strategy):
    ...     name = "first"
    ...     summary = "the first hidden cell, whatever the board says"
    ...
    ...     def choose(self, board):
    ...         return Choice((board.hidden[0],), 0.5, "it is the first")
    >>> layout = Layout.from_mines(1, 3, [(0, 2)])
    >>> played = First().play_numbers(layout.numbers(), mines=1, start=(0, 1), seed=0)
    >>> played.won, played.moves, played.guesses
    (True, 2, (Guess(kind='guess', cell=(0, 0), safety=0.5, survived=True),))
    """

    name: ClassVar[str]
    """The name that `get` and the command line know it by."""

    summary: ClassVar[str]
    """What it does, in one line."""

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    """What can be set."""

    _values: dict[str, Value]

    def __new__(cls, /, *_: object, **__: object) -> Self:
        """An object with every default: also where an `__init__` of one's own does not call this one."""
        made = super().__new__(cls)
        made._values = {parameter.name: parameter.default for parameter in cls.parameters}
        return made

    def __init__(self, /, **values: object) -> None:
        self._values = checked(self.name, self.parameters, values)

    @property
    def values(self) -> Mapping[str, Value]:
        """The value of every parameter."""
        return MappingProxyType(self._values)

    @property
    def changed(self) -> dict[str, Value]:
        """The parameters whose value is not the default."""
        return {p.name: self._values[p.name] for p in self.parameters if self._values[p.name] != p.default}

    @abstractmethod
    def choose(self, board: Board) -> Choice | None:
        """What to open on `board`; None if the strategy would rather stop than guess."""

    def for_game(self, seed: int) -> Strategy:
        """The player of the game with this seed: itself, unless it draws random numbers."""
        del seed
        return self

    def unranked(self) -> Strategy:
        """The same player for who does not look at the rankings of its choices, where that is faster."""
        return self

    def _is_guess(self, choice: Choice) -> bool:
        """Whether statistics count a choice as a guess: as a record does, not where it claims to be sure."""
        return not choice.is_sure

    def play_numbers(
        self, numbers: npt.NDArray[np.int8], mines: int, start: Cell | None, seed: int
    ) -> Played:
        """Play one game on a layout given as its numbers (int8, MINE (−2) where the mines are).

        It is the very game that `msat.play` would play. `seed` is the game's: whatever is random derives
        from it. Without a `start` the strategy makes the first move as well.
        """
        height, width = numbers.shape
        game = Game(Layout(height, width, (numbers < 0).tobytes(), start), self.name)
        guesses: list[Guess] = []
        decided = working_time()
        slow = 0.0
        mistaken: Cell | None = None

        def note(game: Game, choice: Choice) -> None:
            nonlocal decided, slow, mistaken
            if choice.cells and self._is_guess(choice):
                cell = divmod(check_cell(choice.cells[0], height, width), width)
                guesses.append(Guess(choice.kind, cell, float(choice.safety), game.state != "lost"))
            if choice.is_sure and choice.cells != (start,):  # which is given, and no choice
                mistaken = game.exploded
            now = working_time()
            slow = max(slow, now - decided)
            decided = now

        play_on(self.for_game(seed), game, note)
        clicks = sum(move.kind == "open" for move in game.moves)
        return Played(game.state == "won", clicks, tuple(guesses), slow, mistaken)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.changed.items())
        return f"{type(self).__name__}({values})"


def play_on(player: Chooser, game: Game, on_move: Callable[[Game, Choice], None] | None = None) -> None:
    """Play `game` to its end: the start first, then what `player` chooses, until it is over or he stops."""
    start = game.layout.start
    if start is not None:
        game.open(start, probability=None, reason=START)
        if on_move is not None:
            on_move(game, Choice((start,), 1.0, START, kind="rule"))
    while game.state == "playing":
        choice = as_choice(game.board, player.choose(game.board))
        if choice is None:
            break
        try:
            _check_choice(player, game.board, choice)
            game.mark_all(choice.mines)
            game.open_all(choice.cells, choice.safety, choice.reasons or repeat(choice.reason))
        except CellError as bad:
            raise CellError(f"strategy {player.name!r} chose what is no cell: {bad}") from None
        if on_move is not None:
            on_move(game, choice)


def as_choice(board: Board, found: Any) -> Any:
    """What was chosen; a cell alone as the choice of it, with its exact chance."""
    if isinstance(found, Choice) or not isinstance(found, tuple | list) or len(found) != 2:
        return found
    try:
        cell = divmod(check_cell((found[0], found[1]), board.height, board.width), board.width)
    except CellError:
        return Choice((tuple(found),), 0.0, "its choice")  # to be refused
    if board[cell] >= 0:
        return Choice((cell,), 0.0, "its choice")  # to be refused as well
    from msat.analysis import analyze  # with the engines: only where a game is played

    risk = analyze(board).exact(*cell)
    if risk == 0:
        return Choice((cell,), 1.0, BY_COUNTING, kind="count")
    return Choice((cell,), float(1 - risk), "its choice")


def _check_choice(player: Chooser, board: Board, choice: object) -> None:
    """Refuse what would not get the game on: it would go on for ever."""
    if not isinstance(choice, Choice):
        raise WrongType(
            f"strategy {player.name!r} chose {quoted(choice)}: "
            "give a cell such as (3, 4), a msat.strategies.Choice such as Choice(((3, 4),), 0.8, 'why'), "
            "or None to give up"
        )
    try:
        likely = 0 <= choice.safety <= 1
    except TypeError:
        likely = False
    if not likely:
        raise GameError(
            f"strategy {player.name!r} made a choice with safety={quoted(choice.safety)}: give a number "
            "from 0 to 1, the chance that there is no mine"
        )
    try:
        known = isinstance(choice.kind, str)
        iter(choice.cells), iter(choice.mines)
    except TypeError:
        known = False
    if not known or len(choice.kind) > NAME_LENGTH:
        raise GameError(
            f"strategy {player.name!r} made a choice that is none: {quoted(choice)}; give cells, each "
            "(row, column), and a text for the kind"
        )
    if not choice.cells and not choice.mines:
        raise GameError(f"strategy {player.name!r} chose no cell: give one, or None to give up")
    if choice.cells and all(board.values[check_cell(cell, *board.shape)] <= 8 for cell in choice.cells):
        raise GameError(
            f"strategy {player.name!r} chose {choice.cells[0]}, which is open already: "
            "choose a hidden cell, or None to give up"
        )
