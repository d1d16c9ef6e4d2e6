"""`compare`: two strategies on the same boards, until it is clear whether the first is the stronger one.

Playing the same boards removes the luck of the draw: only boards that exactly one of the two wins tell them
apart. The sequential test looks at these in the order of the games' numbers, whatever the order in which
workers finish them, so that the answer and the board at which it falls depend on the settings alone.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from msat.arena.code import playing_code
from msat.arena.done import Done
from msat.arena.estimates import Sprt, Verdict
from msat.arena.files import folder_path
from msat.arena.folder import Code, Folder, Report
from msat.arena.games import compile_for, warm_up
from msat.arena.pairs import Pair, PairPortion, play_pairs
from msat.arena.plan import Plan
from msat.arena.stopped import gain_interval, share_interval
from msat.arena.workforce import crew_size, work
from msat.errors import ArenaError, FolderError
from msat.kinds import function, given
from msat.notebook import figure
from msat.value import explained
from msat.wording import counted, quoted, visible

__all__ = ["Comparison", "Settings", "compare", "read_comparison"]


_SHARED = tuple(each.name for each in fields(Plan) if each.name not in ("strategy", "parameters"))
"""What two plans of a comparison have in common."""


WANTED = 'Settings of two plans, such as Settings(Plan("best"), Plan("safest"))'
"""What a comparison is made of."""


@explained
@dataclass(frozen=True)
class Settings:
    """What is compared, and how sure the answer shall be. Both plans differ in their strategies only."""

    a: Plan
    """One player …"""
    b: Plan
    """… and the other."""
    test: Sprt = field(default_factory=Sprt)
    """When to stop."""

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            given(getattr(self, name), Plan, name, "a Plan")
        given(self.test, Sprt, "test", "a Sprt")
        if any(getattr(self.a, name) != getattr(self.b, name) for name in _SHARED):
            raise ArenaError("a comparison needs the same boards: the two plans may differ in strategy only")

    def to_object(self) -> dict[str, Any]:
        """The settings as plain JSON values."""
        return {"a": self.a.to_object(), "b": self.b.to_object(), "test": asdict(self.test)}

    @classmethod
    def from_object(cls, found: dict[str, Any], as_read: bool = True) -> Settings:
        """Read what `to_object` wrote; who plays is loaded only if `as_read` is false."""
        test = found.get("test") if isinstance(found, dict) else None
        if not isinstance(test, dict) or not set(test) <= {each.name for each in fields(Sprt)}:
            raise ArenaError(f"these are no settings of a comparison: {quoted(found)}")
        a, b = (Plan.from_object(found.get(side), as_read) for side in ("a", "b"))
        return cls(a, b, Sprt(**test))

    @property
    def name(self) -> str:
        """A name for the comparison: what is compared, on which board."""
        return f"compare_{self.a.name}_against_{self.b.player_name.replace(' ', '_').replace(':', '.')}"

    @property
    def title(self) -> str:
        """The same for people."""
        return f"{self.a.player_name} against {self.b.player_name} on {self.a.board_title}"


class Comparison:
    """What a comparison found so far, up to the board at which it was decided.

    `settings` tells what was compared. `games` are the boards that count: `both` won so many, `only_a` and
    `only_b` so many that the other lost. `verdict` is "stronger", "not stronger" or, while the test has not
    decided, None. `path` has the evidence after each board that only one won, with the number of boards until
    then; `mistaken` the boards on which A, and B, was sure of what was a mine.

    >>> from msat.arena import Plan
    >>> found = Comparison(Settings(Plan("safest"), Plan("logic"), Sprt(0.5, 0.6)))
    >>> for game in range(30):
    ...     found.add(Pair(game, a=True, b=game % 10 == 0))
    >>> found.verdict, found.games, found.only_a, found.only_b
    ('stronger', 19, 17, 0)
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = given(settings, Settings, "settings", WANTED)
        self.games = 0
        self.both = 0
        self.only_a = 0
        self.only_b = 0
        self.mistaken = [0, 0]
        self.verdict: Verdict | None = None
        self.path: list[tuple[int, float]] = [(0, 0.0)]
        self._waiting: dict[int, Pair] = {}

    @property
    def neither(self) -> int:
        """Boards that nobody won."""
        return self.games - self.both - self.only_a - self.only_b

    @property
    def evidence(self) -> float:
        """The logarithm of the likelihood ratio so far."""
        return self.path[-1][1]

    def add(self, pair: Pair) -> None:
        """Take a pair; it counts once all boards before it are known, and only until the decision."""
        self._waiting[given(pair, Pair, "pair", "a Pair").game] = pair
        while self.verdict is None and self.games in self._waiting:
            self._count(self._waiting.pop(self.games))

    def _count(self, pair: Pair) -> None:
        self.games += 1
        self.both += pair.a and pair.b
        for side, mistaken in enumerate(pair.mistaken):
            self.mistaken[side] += mistaken
        if pair.a == pair.b:
            return
        self.only_a += pair.a
        self.only_b += pair.b
        test = self.settings.test
        self.path.append((self.games, test.evidence(self.only_a, self.only_b)))
        self.verdict = test.verdict(self.only_a, self.only_b)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparison):
            return NotImplemented
        return (self.settings, self.path, self.games, self.both) == (
            *(other.settings, other.path, other.games, other.both),
        )

    def __repr__(self) -> str:
        return f"<Comparison: {self.settings.title}, {self.answer}>"

    __hash__ = None  # type: ignore[assignment]  # it grows

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values: the settings, the counts, and the answer."""
        return {
            "settings": self.settings.to_object(),
            "games": self.games,
            "both": self.both,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "neither": self.neither,
            "evidence": self.evidence,
            "verdict": self.verdict,
            "answer": self.answer,
        }

    def _repr_html_(self) -> str:
        rows = [line.partition(": ")[::2] for line in self.text().splitlines()]
        return figure(None, [self.answer], (), rows)

    def text(self) -> str:
        """The comparison for people."""
        settings, test = self.settings, self.settings.test
        wins_a, wins_b = self.both + self.only_a, self.both + self.only_b
        unlike = self.only_a + self.only_b
        gain = gain_interval(test, self.only_a, self.only_b, self.games)
        share = share_interval(test, self.only_a, self.only_b)
        seen = (self.only_a - self.only_b) / self.games if self.games else 0.0
        lines = [
            f"A: {visible(settings.a.player_name)}",
            f"B: {visible(settings.b.player_name)}",
            f"board: {settings.a.height}x{settings.a.width}x{settings.a.mines}, "
            f"start {settings.a.first_click[0]},{settings.a.first_click[1]} (row,column), "
            f"first {settings.a.first}, {settings.a.rng} seed {settings.a.seed}",
            f"Boards: {self.games}{self._stopped}",
            f"A wins: {wins_a} ({_percent(wins_a, self.games)})",
            f"B wins: {wins_b} ({_percent(wins_b, self.games)})",
            f"Both: {self.both}, only A: {self.only_a}, only B: {self.only_b}, neither: {self.neither}",
            f"A's win rate less B's: {_points(seen)} points seen, {_points(gain.value)} estimated, "
            f"95% interval {_points(gain.low)} to {_points(gain.high)}",
            f"A's share of the boards that one of them wins: {_percent(self.only_a, unlike)} seen, "
            f"{100 * share.value:.1f}% estimated, "
            f"95% interval {100 * share.low:.1f}% to {100 * share.high:.1f}%",
            "Estimates and intervals: with regard to the test, which could stop after every board",
            f"Test: a share of {test.high:g} or more against {test.low:g} or less, "
            f"error rates {test.alpha:g} and {test.beta:g}",
            f"Evidence: {self.evidence:+.2f}, where {test.lower:+.2f} and {test.upper:+.2f} decide",
            f"Answer: {self.answer}",
        ]
        lines += [
            f"Warning: on {counted(number, 'board')} {side} was sure of what was a mine; 'msat sim' tells"
            for side, number in zip("AB", self.mistaken, strict=True)
            if number
        ]
        return "\n".join(lines) + "\n"

    @property
    def _stopped(self) -> str:
        """Whether and why there are no more boards."""
        most = self.settings.a.games
        if self.verdict is not None:
            return f", stopped there by the test; at most {most} were to be played"
        return "" if self.games == most else f" of {most}"

    @property
    def answer(self) -> str:
        """The decision in words."""
        test = self.settings.test
        if self.verdict == "stronger":
            return f"A is stronger than B: its share is above {test.low:g}"
        if self.verdict == "not stronger":
            return f"A is not stronger than B by so much: its share is below {test.high:g}"
        return f"undecided after {self.games} boards"


def compare(
    settings: Settings,
    folder: str | Path | None = None,
    *,
    resume: bool = False,
    workers: int | None = None,
    executor: Executor | None = None,
    on_progress: Callable[[Comparison], None] | None = None,
    report: Report = print,
) -> Comparison:
    """Play pairs until the test decides, or all games of the plans are played.

    `settings` name the two plans and the test. `on_progress` is called with what is found whenever games are
    finished. `folder`, `resume`, `workers`, `executor` and `report` are as for `simulate`.

    >>> plans = [Plan(name, 9, 9, 10, games=200) for name in ("safest", "logic")]
    >>> found = compare(Settings(*plans, Sprt(0.5, 0.9)), workers=1)
    >>> found.verdict, found.only_b
    ('stronger', 0)
    """
    given(settings, Settings, "settings", WANTED)
    function(on_progress, "on_progress", "a comparison")
    crew = crew_size(workers, executor, [settings.a.strategy, settings.b.strategy])
    code = Code(playing_code(settings.a.strategy, settings.b.strategy))
    found, done = Comparison(settings), Done(settings.a.games)
    if folder is None:
        _play(found, code, done, None, crew, executor, on_progress)
        return found
    place = Folder.prepare(folder_path(folder), "compare", settings.to_object(), resume, code, report=report)
    with place.journal() as journal:
        _read(place, found, done, report)
        with place.results(found.text):
            _play(found, code, done, journal.append, crew, executor, on_progress)
    return found


def read_comparison(folder: Folder, report: Report) -> Comparison:
    """What the comparison of a folder found so far."""
    folder.require("compare")
    found = Comparison(Settings.from_object(folder.settings))
    _read(folder, found, Done(found.settings.a.games), report)
    return found


def _read(folder: Folder, found: Comparison, done: Done, report: Report) -> None:
    def read(value: dict[str, Any]) -> Pair:
        pair = Pair.from_object(value)
        if not 0 <= pair.game < done.total:
            raise FolderError("not a board of this comparison")
        return pair

    for pair in folder.games(read, report):
        if done.add(pair.game):
            found.add(pair)


def _play(
    found: Comparison,
    code: Code,
    done: Done,
    keep: Callable[[str], None] | None,
    workers: int,
    executor: Executor | None,
    on_progress: Callable[[Comparison], None] | None,
) -> None:
    def accept(portion: PairPortion) -> bool:
        if keep is not None:
            keep(portion.lines)
        for pair in portion.pairs:
            found.add(pair)
        if on_progress is not None:
            on_progress(found)
        return found.verdict is None

    settings = found.settings
    if found.verdict is None and not done.complete:
        for plan in (settings.a, settings.b):
            compile_for(plan, done.total - len(done))
        for plan in (settings.a, settings.b):
            warm_up(plan)
        task = partial(play_pairs, settings.a, settings.b, code.digest)
        work(task, done.missing(), accept, workers, executor)


def _points(share: float) -> str:
    """A difference of shares in points; what rounds to nothing has no minus before it.

    >>> _points(0.0585), _points(-0.00001)
    ('+5.85', '+0.00')
    """
    return f"{round(100 * share, 2) + 0.0:+.2f}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "none"
