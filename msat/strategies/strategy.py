"""What a strategy is: something that looks at a board and says which cells to open, and why.

A strategy sees only the `Board`, never the layout, and keeps nothing between calls that would change its
answers: the same board gets the same choice. Writing one takes a class with a `name`, a `summary` and
`choose`; it can then be played by `msat.play` and, by the hundred thousand, by the arena, which calls
`play_numbers`. Strategies that are compiled replace that by one call that plays the whole game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from itertools import repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, Self, TypeAlias

from msat._jit import working_time
from msat.board import Board, Cell
from msat.errors import GameError, WrongType
from msat.game import Game
from msat.layout import Layout
from msat.strategies.choice import START, Choice, checked_choice
from msat.strategies.parameter import Parameter, Value, checked
from msat.value import explained
from msat.wording import quoted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["AnyStrategy", "Chooser", "Guess", "Played", "Strategy", "play_on", "playing_seed"]


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

    def choose(self, board: Board) -> Choice | Cell | None:
        """What to open on `board`; None if the strategy would rather stop than guess."""


AnyStrategy: TypeAlias = str | type[Chooser] | Chooser | Callable[[Board], Choice | Cell | None]
"""All ways in which a strategy is given."""


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
        _check_declared(cls)
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
                guesses.append(
                    Guess(choice.kind, choice.cells[0], float(choice.safety), game.state != "lost")
                )
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
        choice = checked_choice(player.name, game.board, player.choose(game.board))
        if choice is None:
            break
        try:
            game.mark_all(choice.mines)
            game.open_all(choice.cells, choice.safety, choice.reasons or repeat(choice.reason))
        except GameError as bad:
            raise GameError(f"strategy {player.name!r} chose what cannot be done: {bad}") from None
        if on_move is not None:
            on_move(game, choice)


def playing_seed(rng: str, seed: int, index: int) -> int:
    """The seed of what is random in the play on a layout that is known by its seed, and of "kiss" its index.

    It depends on nothing else, so that one game alone is played as it was among many.

    >>> playing_seed("pcg", 7, 0), playing_seed("kiss", 0, 7), playing_seed("kiss", 1, 7)
    (7, 7, 4294967303)
    """
    return (seed << 32) + index if rng == "kiss" else seed


def _check_declared(kind: type[Strategy]) -> None:
    """Refuse a class that does not say what everybody asks of it, before it fails somewhere else."""
    name = getattr(kind, "name", None)
    if not isinstance(name, str) or not name:
        said = "no name" if name is None else f"the name {quoted(name)}"
        raise WrongType(
            f"the strategy {kind.__name__} has {said}: give its class one, such as name = 'corner'"
        )
    declared = kind.parameters
    if not isinstance(declared, tuple | list) or not all(isinstance(one, Parameter) for one in declared):
        raise WrongType(
            f"the strategy {kind.__name__} has parameters={quoted(declared)}: give a tuple of Parameter, "
            "such as (Parameter('share', 0.1, 'what it does', low=0, high=1),)"
        )
    names = [one.name for one in declared]
    if len(set(names)) < len(names):
        raise WrongType(f"the strategy {kind.__name__} declares a parameter twice: {', '.join(names)}")
