"""The tally of a run: counts and sums from which every statistic follows, in any order of games.

A game adds to it, two tallies add up, and nothing grows with the number of games except one pair of counts
for each series. Probabilities are summed as whole multiples of 2^-60 and times in whole microseconds: adding
integers, unlike adding floats, gives the same total in whatever order workers finish.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from msat.board import Cell
from msat.cells import whole_number
from msat.errors import ArenaError, FolderError
from msat.kinds import given
from msat.limits import MAX_SIDE, NAME_LENGTH
from msat.notebook import figure
from msat.strategies.strategy import Guess
from msat.value import explained
from msat.wording import counted, quoted

__all__ = ["MANY_GUESSES", "SLOW", "GameResult", "KindTally", "Tally"]

MANY_GUESSES = 8
"""Wins with so many guesses or more are counted together, as document 000 (docs/sources.md) does."""

SLOW = 1.0
"""A computation that took longer, in seconds, gets a warning."""

TOLD = 5
"""Games of a kind that are told one by one; more are only counted."""

_COUNTERS = ("wins_by_guesses", "series_games", "series_wins")

_UNIT = 1 << 60
_LARGEST = 1 << 70
"""Above any seed, count and time of a game: a larger one is damage."""


@explained
@dataclass(frozen=True, slots=True)
class GameResult:
    """One game, as a line of the results for machines tells it."""

    game: int
    """The number of the game in its run, from 0."""
    seed: int
    """The seed of its layout …"""
    index: int
    """… and, of kiss, which of its puzzles."""
    won: bool
    """Whether it was won."""
    moves: int
    """Clicks, the start included."""
    guesses: tuple[Guess, ...]
    """What was opened without proof, in order."""
    bbbv: int
    """3BV of the layout."""
    openings: int
    """Its openings."""
    islands: int
    """Its islands."""
    seconds: float
    """What the game took."""
    slow: float = 0.0
    """Seconds of its longest decision."""
    mistaken: Cell | None = None
    """A mine that the player was sure to be none."""

    def to_object(self) -> dict[str, Any]:
        """The result as plain JSON values; what is worth a warning, only where it is."""
        guesses = [[g.kind, list(g.cell), g.safety, g.survived] for g in self.guesses]
        found = {name: getattr(self, name) for name in self.__slots__} | {"guesses": guesses}
        if self.slow <= SLOW:
            del found["slow"]
        if self.mistaken is None:
            del found["mistaken"]
        return found

    @classmethod
    def from_object(cls, found: Any) -> GameResult:
        """Read what `to_object` wrote.

        >>> result = GameResult(0, 1, 0, True, 9, (Guess("guess1", (2, 3), 0.75, True),), 12, 2, 1, 0.5)
        >>> GameResult.from_object(result.to_object()) == result
        True
        """
        if not isinstance(found, dict) or not isinstance(found.get("guesses"), list):
            raise FolderError(f"not the result of a game: {quoted(found)}")
        guesses = tuple(map(_guess, found["guesses"]))
        try:
            result = cls(**(found | {"guesses": guesses}))
        except TypeError:  # a field too many, or too few
            raise FolderError(f"not the result of a game: {quoted(found)}") from None
        for name in ("game", "seed", "index", "moves", "bbbv", "openings", "islands"):
            number = getattr(result, name)
            if type(number) is not int or not 0 <= number <= _LARGEST:
                raise FolderError(f"not the result of a game: {name} is {quoted(number)}")
        for name in ("seconds", "slow"):
            number = getattr(result, name)
            if type(number) not in (int, float) or not 0 <= number <= _LARGEST:
                raise FolderError(f"not the result of a game: {name} is {quoted(number)}")
        if type(result.won) is not bool:
            raise FolderError(f"not the result of a game: won is {quoted(result.won)}")
        return result if result.mistaken is None else replace(result, mistaken=_cell(result.mistaken))


def _guess(found: Any) -> Guess:
    """A guess as a line of the results tells it."""
    match found:
        case [str() as kind, list() as cell, int() | float() as safety, bool() as survived]:
            if len(kind) <= NAME_LENGTH and 0 <= safety <= 1:
                return Guess(kind, _cell(cell), float(safety), survived)
    raise FolderError(f"{quoted(found)} is no guess")


def _cell(found: Any) -> Cell:
    match found:
        case [int() as r, int() as c] if 0 <= r < MAX_SIDE and 0 <= c < MAX_SIDE:
            return r, c
    raise FolderError(f"{quoted(found)} is no cell")


@explained
@dataclass
class KindTally:
    """All guesses of one kind."""

    used: int = 0
    """How often it was made."""
    failed: int = 0
    """How often it hit a mine."""
    units: int = 0
    """The sum of the claimed safeties, in whole units: no order of adding changes it."""

    @property
    def probability(self) -> float:
        """The average probability of success, as claimed."""
        return _ratio(self.units, self.used * _UNIT)


@explained
@dataclass
class Tally:
    """What the games so far add up to.

    >>> tally = Tally()
    >>> tally.add(GameResult(0, 1, 0, True, 9, (Guess("guess", (2, 3), 0.75, True),), 12, 2, 1, 0.5), 0)
    >>> tally.add(GameResult(1, 2, 0, False, 3, (Guess("guess", (0, 0), 0.5, False),), 15, 2, 1, 0.5), 0)
    >>> tally.percent, tally.win_probability, tally.kinds["guess"].failed
    (50.0, 0.75, 1)
    """

    games: int = 0
    """Games that were played …"""
    wins: int = 0
    """… and won."""
    moves: int = 0
    """Clicks, all games together."""
    guesses_in_wins: int = 0
    """Guesses in games that were won …"""
    guesses_in_losses: int = 0
    """… and in those that were lost."""
    win_units: int = 0
    """The success, as claimed, of all games that were won, in whole units …"""
    loss_units: int = 0
    """… and of those that were lost."""
    bbbv: int = 0
    """3BV of all layouts together."""
    openings: int = 0
    """Their openings."""
    islands: int = 0
    """Their islands."""
    microseconds: int = 0
    """What all games took together."""
    longest: int = 0
    """The microseconds of the longest game."""
    kinds: dict[str, KindTally] = field(default_factory=dict)
    """The guesses by their kind."""
    wins_by_guesses: Counter[int] = field(default_factory=Counter)
    """How many games were won with so many guesses."""
    series_games: Counter[int] = field(default_factory=Counter)
    """The games of each series, which the deviation between series comes from …"""
    series_wins: Counter[int] = field(default_factory=Counter)
    """… and those of them that were won."""
    warnings: list[tuple[int, float]] = field(default_factory=list)
    """Games with a decision that took long: the number of the game, and the seconds."""
    mistaken: int = 0
    """Games that ended on a mine that the player was sure to be none."""
    first_mistaken: list[tuple[int, Cell]] = field(default_factory=list)
    """The first few of them, and where."""

    def to_object(self) -> dict[str, Any]:
        """The tally as plain JSON values, from which `from_object` makes an equal one.

        >>> Tally.from_object(Tally(games=2, wins=1).to_object()) == Tally(games=2, wins=1)
        True
        """
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        for name in _COUNTERS:  # the keys of JSON are texts
            found[name] = sorted([key, count] for key, count in getattr(self, name).items())
        found["kinds"] = {name: asdict(kind) for name, kind in sorted(self.kinds.items())}
        found["warnings"] = [list(warning) for warning in self.warnings]
        found["first_mistaken"] = [[game, list(cell)] for game, cell in self.first_mistaken]
        return found

    @classmethod
    def from_object(cls, found: Any) -> Tally:
        """Read what `to_object` wrote."""
        try:
            made = cls(**found)
            for name in _COUNTERS:
                setattr(made, name, Counter({int(key): int(count) for key, count in found[name]}))
            made.kinds = {str(name): KindTally(**kind) for name, kind in found["kinds"].items()}
            made.warnings = [(int(game), float(seconds)) for game, seconds in found["warnings"]]
            made.first_mistaken = [(int(game), _cell(cell)) for game, cell in found["first_mistaken"]]
        except (TypeError, ValueError, KeyError, AttributeError):
            raise FolderError(f"not a tally: {quoted(found)}") from None
        return made

    def __repr__(self) -> str:
        return f"<Tally: {self.wins:,} of {counted(self.games, 'game')} won, {self.percent:.2f}%>"

    def _repr_html_(self) -> str:
        rows = [
            ("games", f"{self.games:,}"),
            ("wins", f"{self.wins:,} ({self.percent:.2f}% ± {100 * self.error:.2f})"),
            ("guesses a win", f"{self.guesses_per_win:.2f}"),
            ("guesses a loss", f"{self.guesses_per_loss:.2f}"),
            ("3BV", f"{_ratio(self.bbbv, self.games):.2f}"),
        ]
        kinds = [
            (f"{name}: used, failed", f"{kind.used:,}, {kind.failed:,}")
            for name, kind in sorted(self.kinds.items())
        ]
        return figure(None, (), (), rows + kinds)

    def add(self, result: GameResult, series: int) -> None:
        """Count one game, which belongs to this series."""
        given(result, GameResult, "result", "a GameResult")
        series = whole_number(series, "series", ArenaError)
        self.games += 1
        self.wins += result.won
        self.moves += result.moves
        self.bbbv += result.bbbv
        self.openings += result.openings
        self.islands += result.islands
        microseconds = round(result.seconds * 1e6)
        self.microseconds += microseconds
        self.longest = max(self.longest, microseconds)
        self.series_games[series] += 1
        self.series_wins[series] += result.won
        chance = 1.0
        for guess in result.guesses:
            kind = self.kinds.setdefault(guess.kind, KindTally())
            kind.used += 1
            kind.failed += not guess.survived
            kind.units += round(guess.safety * _UNIT)
            chance *= guess.safety
        units = round(chance * _UNIT)
        if result.won:
            self.win_units += units
            self.guesses_in_wins += len(result.guesses)
            self.wins_by_guesses[min(len(result.guesses), MANY_GUESSES)] += 1
        else:
            self.loss_units += units
            self.guesses_in_losses += len(result.guesses)
        if result.slow > SLOW:
            self.warnings.append((result.game, result.slow))
        if result.mistaken is not None:
            self.mistaken += 1
            self._keep_first([(result.game, result.mistaken)])

    def _keep_first(self, found: list[tuple[int, Cell]]) -> None:
        self.first_mistaken = sorted(self.first_mistaken + found)[:TOLD]

    def merge(self, other: Tally) -> None:
        """Count all the games of another tally."""
        given(other, Tally, "other", "a Tally")
        for name in (
            "games",
            "wins",
            "moves",
            "guesses_in_wins",
            "guesses_in_losses",
            "win_units",
            "loss_units",
            "bbbv",
            "openings",
            "islands",
            "microseconds",
            "mistaken",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)
        for name, found in other.kinds.items():
            kind = self.kinds.setdefault(name, KindTally())
            kind.used += found.used
            kind.failed += found.failed
            kind.units += found.units
        self.wins_by_guesses.update(other.wins_by_guesses)
        self.series_games.update(other.series_games)
        self.series_wins.update(other.series_wins)
        self.warnings += other.warnings
        self._keep_first(other.first_mistaken)

    @property
    def losses(self) -> int:
        """Games that were not won."""
        return self.games - self.wins

    @property
    def seconds(self) -> float:
        """The time that the games took, added up over all workers."""
        return self.microseconds / 1e6

    @property
    def rate(self) -> float:
        """The share of games won."""
        return _ratio(self.wins, self.games)

    @property
    def percent(self) -> float:
        """The share of games won, in percent."""
        return 100 * self.rate

    @property
    def error(self) -> float:
        """The standard error of the win rate, as of independent games."""
        return math.sqrt(self.rate * (1 - self.rate) / self.games) if self.games else 0.0

    @property
    def deviation(self) -> float | None:
        """Document 000's: sqrt(Σ (rate of a series − rate of all)²) / number of series; None of one."""
        rates = [self.series_wins[s] / games for s, games in self.series_games.items()]
        if len(rates) < 2:
            return None
        return math.sqrt(math.fsum((rate - self.rate) ** 2 for rate in rates)) / len(rates)

    @property
    def guesses_per_win(self) -> float:
        """The average number of guesses in a game won."""
        return _ratio(self.guesses_in_wins, self.wins)

    @property
    def capped_guesses_per_win(self) -> float:
        """The same as document 000 has it: more than 8 guesses of a game count as 8.

        >>> Tally(wins=2, guesses_in_wins=13, wins_by_guesses=Counter({3: 1, 8: 1})).capped_guesses_per_win
        5.5
        """
        return _ratio(sum(guesses * wins for guesses, wins in self.wins_by_guesses.items()), self.wins)

    @property
    def guesses_per_loss(self) -> float:
        """The average number of guesses in a game not won."""
        return _ratio(self.guesses_in_losses, self.losses)

    @property
    def win_probability(self) -> float:
        """The average over the games won of the product of their guesses' probabilities."""
        return _ratio(self.win_units, self.wins * _UNIT)

    @property
    def loss_probability(self) -> float:
        """The average over the games not won of the product of their guesses' probabilities."""
        return _ratio(self.loss_units, self.losses * _UNIT)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
