"""The plan of a run: who plays which games. Everything that a result depends on, times aside, is in it.

Every game has a number and depends on the plan and on that number alone, so any worker may play it at any
time. The layouts:

- `rng="pcg"`: game i of seed N is `Layout.random(…, seed=N·2^32 + i)`.
- `rng="kiss"`: document 000's puzzles (docs/sources.md). Seed N gives `per_seed` in a row, then seed N + 1,
  and so on: game i is `Layout.kiss(…, seed=N + i // per_seed, index=i % per_seed)`.

Both are cut into series of `per_seed` games, whose win rates give the deviation of the results.

A plan that is read from a file names its player, and no more: nothing is loaded for it, since the file may be
somebody else's, and what it names any code. It tells all about the games, and cannot be played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import InitVar, dataclass, field, fields
from shlex import quote
from typing import Any, Protocol

from numpy import int8
from numpy.typing import NDArray

from msat.arena.boards import kiss_numbers, pcg_numbers, protected_cells
from msat.board import PRESETS, Cell
from msat.cells import check_size, default_start, whole_number
from msat.errors import ArenaError, LayoutError, UnknownName
from msat.kinds import flag, given, is_name
from msat.layout import Layout
from msat.limits import MAX_GAMES, MAX_PER_SEED, NAME_LENGTH
from msat.strategies import Strategy
from msat.strategies.given import Given
from msat.strategies.naming import checked_name, described, load
from msat.strategies.parameter import Value
from msat.strategies.strategy import AnyStrategy, playing_seed
from msat.value import explained
from msat.wording import argument, counted, quoted

__all__ = ["Plan"]

_RNGS = ("pcg", "kiss")

_PCG = "'msat play --strategy {0} --size {1} --start {2} --first {3} --seed {4}'"
_KISS = "'msat play --strategy {0} --size {1} --start {2} --rng kiss --seed {4} --index {5}'"


class NamedStrategy(Protocol):
    """Tells type checkers that a plan is given a strategy in any way, and keeps its name."""

    def __get__(self, plan: object, kind: object) -> str:
        """The name."""

    def __set__(self, plan: object, given: AnyStrategy) -> None:
        """Whatever is given."""


@explained
@dataclass(frozen=True)
class Plan:
    """Which games to play, by whom: a strategy (its name, class, an object of it, or a function of boards).

    >>> plan = Plan("logic", 9, 9, 10, games=200, seed=5)
    >>> plan.name
    'logic_beginner_seed=5_games=200'
    >>> plan.layout(3) == Layout.random(9, 9, 10, seed=5 * 2**32 + 3, start=(3, 3))
    True
    """

    strategy: NamedStrategy = "safest"  # type: ignore[assignment]
    """Who plays, with parameters after a colon: "best:seconds=1"; what is a class becomes "module:Class"."""
    height: int = 16
    """Rows of every board."""
    width: int = 30
    """Columns."""
    mines: int = 99
    """Mines."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Parameters of the strategy by name, beside those in its name."""
    start: Cell | None = None
    """The first click; None stands for the usual one of that size."""
    first: str = "open"
    """What the start is sure of: "open" (no mine in the 3×3), "safe" (none in the cell) or "any"."""
    rng: str = "pcg"
    """The generator of layouts: "pcg", or "kiss" for the puzzles of document 000 (docs/sources.md)."""
    seed: int = 1
    """The first seed."""
    games: int = 1000
    """How many games."""
    per_seed: int = 100
    """Of kiss: how many puzzles each seed makes."""
    as_read: InitVar[bool] = False
    """Whether the plan comes from a file: who plays is then a name only."""

    def __post_init__(self, as_read: bool) -> None:
        for name, low, high in (
            ("seed", 0, MAX_GAMES - 1),
            ("games", 1, MAX_GAMES),
            ("per_seed", 1, MAX_PER_SEED),
        ):
            number = whole_number(getattr(self, name), name, ArenaError)
            if not low <= number <= high:
                raise ArenaError(f"{argument(name, number)} is out of range: give {low} to {high}")
            object.__setattr__(self, name, number)
        if not is_name(self.rng, _RNGS):
            raise UnknownName.of("generator", self.rng, _RNGS)
        if self.rng == "kiss" and self.first != "open":
            raise ArenaError(
                f"{argument('first', self.first)} needs {argument('rng', 'pcg')}: "
                "kiss always keeps the 3×3 at the start free"
            )
        height, width = check_size(self.height, self.width, LayoutError)
        if self.start is None:
            object.__setattr__(self, "start", default_start(height, width))
        # Making a layout checks all that has to do with it, and says what is wrong.
        layout = Layout.random(height, width, self.mines, seed=0, start=self.start, first=self.first)
        for name in ("height", "width", "mines", "start"):
            object.__setattr__(self, name, getattr(layout, name))
        for name in given(self.parameters, Mapping, "parameters", "values by their names"):
            given(name, str, "parameters", "values by their names")
        if flag(as_read, "as_read"):
            checked_name(self.strategy)
            _check_read(self.parameters)
        else:
            # Parameters may also be written behind the name, as in "best:layouts=2000".
            name, values = described(self.strategy)
            object.__setattr__(self, "strategy", name)
            object.__setattr__(self, "parameters", load(name, {**values, **self.parameters}).changed)

    def __hash__(self) -> int:
        others = (getattr(self, each.name) for each in fields(self) if each.name != "parameters")
        return hash((*others, frozenset(self.parameters.items())))

    def player(self) -> Strategy:
        """The strategy, ready to play."""
        return load(self.strategy, self.parameters)

    @property
    def first_click(self) -> Cell:
        """Where every game begins."""
        assert self.start is not None  # since __post_init__
        return self.start

    @property
    def board_name(self) -> str:
        """The preset of this size, or the size itself."""
        size = (self.height, self.width, self.mines)
        return next((name for name, known in PRESETS.items() if known == size), "x".join(map(str, size)))

    @property
    def player_name(self) -> str:
        """The strategy with its parameters, for people."""
        return " ".join([self.strategy, *(f"{name}={value}" for name, value in self.parameters.items())])

    @property
    def board_title(self) -> str:
        """The board for people: its preset, if it has one, and its size.

        >>> Plan("logic").board_title, Plan("logic", 8, 9, 10).board_title
        ('expert (16×30, 99 mines)', '8×9 with 10 mines')
        """
        size, mines = f"{self.height}×{self.width}", counted(self.mines, "mine")
        known = (self.height, self.width, self.mines) in PRESETS.values()
        return f"{self.board_name} ({size}, {mines})" if known else f"{size} with {mines}"

    @property
    def title(self) -> str:
        """What is played, for people."""
        return f"{self.player_name} on {self.board_title}, {counted(self.games, 'game')}"

    @property
    def name(self) -> str:
        """A name for the run: strategy, board, and whatever is not as by default."""
        return self.name_beside({})

    def name_beside(self, usual: Mapping[str, int]) -> str:
        """The name where something else is usual than for a plan."""
        given(usual, Mapping, "usual", "values by their names")
        parts = [self.strategy.replace(":", "."), self.board_name]
        parts += [f"{key}={value}" for key, value in self.parameters.items()]
        if self.start != default_start(self.height, self.width):
            parts.append(f"start={self.first_click[0]},{self.first_click[1]}")
        parts += [
            f"{key}={getattr(self, key)}"
            for key in ("first", "rng", "seed", "games", "per_seed")
            if getattr(self, key) != usual.get(key, getattr(Plan, key))
        ]
        return "_".join(parts)

    def replay(self, game: int) -> str:
        """The command that plays a game again, in quotation marks; what does so in Python, if no command can.

        >>> print(Plan("best:layouts=50", 9, 9, 10).replay(3))
        'msat play --strategy best:layouts=50 --size 9x9x10 --start 3,3 --first open --seed 4294967299'
        """
        game = self._game(game)
        if self.strategy.startswith("__main__:") or isinstance(self.strategy, Given):
            return f"'msat.play(plan.layout({game}), plan.player(), seed={self.game_seed(game)})'"
        settings = ",".join(f"{name}={value}" for name, value in self.parameters.items())
        command = _KISS if self.rng == "kiss" else _PCG
        size, start = f"{self.height}x{self.width}x{self.mines}", "{},{}".format(*self.first_click)
        # A name may come from somebody's folder, and the command be pasted into a shell.
        player = quote(f"{self.strategy}:{settings}" if settings else self.strategy)
        return command.format(player, size, start, self.first, *self.seed_of(game))

    @staticmethod
    def _game(game: object, name: str = "game") -> int:
        """The number of a game, of this run or one that goes on."""
        number = game if type(game) is int else whole_number(game, name, ArenaError)
        if not 0 <= number < MAX_GAMES:
            raise ArenaError(f"{argument(name, number)} is out of range: give 0 to {MAX_GAMES - 1}")
        return number

    def seed_of(self, game: int) -> tuple[int, int]:
        """(seed, index): which layout of which seed a game is played on, as the class `Layout` counts.

        >>> Plan(rng="kiss", seed=1).seed_of(250), Plan(seed=1).seed_of(250)
        ((3, 50), (4294967546, 0))
        """
        game = self._game(game)
        if self.rng == "kiss":
            return self.seed + game // self.per_seed, game % self.per_seed
        return (self.seed << 32) + game, 0

    def game_seed(self, game: int) -> int:
        """The seed of whatever is random in the play of a game: that of `msat play` on its layout."""
        return playing_seed(self.rng, *self.seed_of(game))

    def layout(self, game: int) -> Layout:
        """The layout of one game, the slow way and independent of `boards`."""
        seed, index = self.seed_of(game)
        size = (self.height, self.width, self.mines)
        if self.rng == "kiss":
            return Layout.kiss(*size, seed=seed, index=index, start=self.first_click)
        return Layout.random(*size, seed=seed, start=self.start, first=self.first)

    def boards(self, first: int, count: int) -> Iterator[tuple[int, NDArray[int8]]]:
        """The games from `first` on, each with the numbers of its layout (−2 at mines)."""
        protected = protected_cells(self.height, self.width, self.first_click, self.first)
        game = self._game(first, "first")
        end = game + whole_number(count, "count", ArenaError)
        while game < end:
            # At most a series at a time: a stream of KISS ends there, and memory stays small.
            stop = min(end, (game // self.per_seed + 1) * self.per_seed)
            if self.rng == "kiss":
                seed, index = self.seed_of(game)
                batch = kiss_numbers(self.mines, seed, index, stop - game, protected)
            else:
                batch = pcg_numbers(self.mines, self.seed, game, stop - game, protected)
            yield from enumerate(batch, game)
            game = stop

    def to_object(self) -> dict[str, Any]:
        """The plan as plain JSON values."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return found | {"start": list(self.first_click), "parameters": dict(self.parameters)}

    @classmethod
    def from_object(cls, found: object, as_read: bool = True) -> Plan:
        """Read what `to_object` wrote; who plays is loaded only if `as_read` is false.

        >>> Plan.from_object(Plan("logic", seed=3).to_object()) == Plan("logic", seed=3)
        True
        """
        if not isinstance(found, dict):
            raise ArenaError(f"this is no plan of a run: {quoted(found)}")
        known = [each.name for each in fields(cls)]
        for name in found:
            if name not in known:
                raise ArenaError(f"a plan of a run has no {quoted(name)}: it has {', '.join(known)}")
        start = found.get("start")
        if isinstance(start, list):
            start = tuple(start)
        return cls(**(found | {"start": start}), as_read=as_read)


def _check_read(parameters: object) -> None:
    """Refuse parameters from a file that cannot be any: they are to be shown."""
    if not isinstance(parameters, dict):
        raise ArenaError(f"parameters={quoted(parameters)} are none: expected an object")
    for name, value in parameters.items():
        usable = isinstance(name, str) and isinstance(value, Value) and len(str(value)) <= NAME_LENGTH
        if not usable or len(name) > NAME_LENGTH:
            raise ArenaError(f"{quoted(name)}: {quoted(value)} is no parameter of a strategy")
