"""`sweep`: the same games for each of several start positions, or values of a strategy's parameter.

Each value is a run of its own, in a folder of its own inside the sweep's: a sweep that is stopped is
completed like a run. All values play the same seeds, so that their differences owe little to luck.

Boards that are mirrored or turned are equally likely, so only one start of each class of symmetry is played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import InitVar, dataclass, replace
from decimal import Decimal, InvalidOperation
from numbers import Real
from pathlib import Path
from typing import Any

from msat.arena.code import playing_code
from msat.arena.estimates import wilson
from msat.arena.files import folder_path
from msat.arena.folder import Code, Folder, Report
from msat.arena.plan import Plan
from msat.arena.simulation import read_tally, simulate
from msat.arena.tally import TOLD, Tally
from msat.arena.workforce import crew_size
from msat.board import Cell
from msat.cells import check_cell
from msat.errors import ArenaError, WrongType
from msat.kinds import flag, function, given, several
from msat.limits import MAX_SWEEP_VALUES
from msat.strategies.parameter import Parameter
from msat.value import explained
from msat.wording import argument, counted, quoted, shorten, visible

__all__ = [
    "START",
    "USUAL",
    "Point",
    "Sweep",
    "expand",
    "read_sweep",
    "start_classes",
    "sweep",
    "symmetric_cells",
    "table",
    "usual_values",
    "warnings",
]

START = "start"
"""What a sweep of start positions varies; everything else is a parameter of the strategy."""

USUAL = {"games": 5000, "per_seed": 500}
"""How many games a value plays, if nothing is said."""

_DOCUMENT_000: dict[str, tuple[str, ...]] = {
    "end_play": ("8:30:2",),
    "guess1_offset": ("-0.08:0.05:0.01",),
}
"""The values that document 000 (docs/sources.md) tried."""

_VALUE = r"[^/\\]{1,100}"


@explained
@dataclass(frozen=True)
class Sweep:
    """What varies, and the plan for all else.

    >>> Sweep(Plan("logic", 4, 4, 3), "start", ("0,0", "1,1")).plans()[1].start
    (1, 1)
    """

    plan: Plan
    """All that stays the same."""
    what: str
    """What varies: "start", or a parameter of the strategy."""
    values: tuple[str, ...]
    """The values, written as on the command line; numbers will do."""
    as_read: InitVar[bool] = False
    """Whether the sweep comes from a file: who plays is then a name only, and so are the values."""

    def __post_init__(self, as_read: bool) -> None:
        given(self.plan, Plan, "plan", "a Plan")
        given(self.what, str, "what", "the name of what varies")
        if isinstance(self.values, str):
            raise WrongType(f"{argument('values', self.values)} is not accepted: give several texts")
        texts = tuple(several(self.values, "values", "texts or numbers"))
        for value in texts:
            given(value, (str, Real), "values", "texts or numbers")
        object.__setattr__(self, "values", tuple(map(_written, texts)))
        if not 1 <= len(self.values) <= MAX_SWEEP_VALUES:
            raise ArenaError(f"a sweep of {len(self.values)} values is none: give 1 to {MAX_SWEEP_VALUES}")
        if len(set(self.values)) < len(self.values):
            raise ArenaError(f"a value of {self.what} is given twice: {shorten(' '.join(self.values))}")
        if not flag(as_read, "as_read"):
            self.plans()  # says so if a value is not accepted

    def plans(self) -> list[Plan]:
        """A plan for each value."""
        if self.what == START:
            return [replace(self.plan, start=_cell(value)) for value in self.values]
        _declared(self.plan, self.what)
        return [
            replace(self.plan, parameters={**self.plan.parameters, self.what: value}) for value in self.values
        ]

    @property
    def name(self) -> str:
        """A name for the sweep: what varies from where to where, who plays, and what is not as usual.

        >>> Sweep(Plan("logic", 9, 9, 10, games=200), "start", ("0,0", "1,1")).name
        'sweep_start=0,0-to-1,1_logic_beginner_games=200_per_seed=100'
        """
        ends = "-to-".join(dict.fromkeys((self.values[0], self.values[-1])))
        return f"sweep_{self.what}={ends}_{self.plan.name_beside(USUAL)}"

    @property
    def title(self) -> str:
        """What is played, for people."""
        if self.what == START:
            varied = counted(len(self.values), "start")
        elif len(self.values) > 4:
            varied = f"{self.what} from {self.values[0]} to {self.values[-1]}"
        else:
            varied = f"{self.what} {', '.join(self.values)}"
        return f"{self.plan.player_name} on {self.plan.board_title}, {varied}, {self.plan.games} games each"

    def to_object(self) -> dict[str, Any]:
        """The sweep as plain JSON values."""
        return {"plan": self.plan.to_object(), "what": self.what, "values": list(self.values)}

    @classmethod
    def from_object(cls, found: dict[str, Any]) -> Sweep:
        """Read what `to_object` wrote; nothing is loaded for it."""
        given(found, dict, "found", "the settings of a sweep")
        what, values = found.get("what"), found.get("values")
        if not isinstance(what, str) or not isinstance(values, list):
            raise ArenaError(f"these are no settings of a sweep: {quoted(found)}")
        for text in (what, *values):
            # A value is also a part of a folder's name: it must not lead out of the sweep's.
            if not (isinstance(text, str) and text.isprintable() and re.fullmatch(_VALUE, text)):
                raise ArenaError(f"{quoted(text)} is nothing that a sweep varies, and no value of it")
        settings = cls(Plan.from_object(found.get("plan")), what, tuple(values), as_read=True)
        if what == START:
            for value in values:
                check_cell(_cell(value), settings.plan.height, settings.plan.width)
        return settings


@explained
@dataclass(frozen=True)
class Point:
    """One value of a sweep, and what its games add up to."""

    value: str
    """The value."""
    tally: Tally
    """The sum of its games."""

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values: the value, and the tally."""
        return {"value": self.value, "tally": self.tally.to_object()}


def usual_values(plan: Plan, what: str) -> tuple[str, ...]:
    """The values to try if none are given: all that there are, or those of document 000.

    >>> usual_values(Plan("logic", 9, 9, 10), "start")[:3]
    ('0,0', '0,1', '0,2')
    """
    if what == START:
        return tuple(f"{r},{c}" for r, c in start_classes(plan.height, plan.width))
    parameter = _declared(plan, what)
    if isinstance(parameter.default, bool):
        return "on", "off"
    if parameter.choices:
        return parameter.choices
    if what in _DOCUMENT_000:
        return expand(_DOCUMENT_000[what])
    some = argument("values")
    raise ArenaError(f"which values of {what}? It takes {parameter.accepted}: give some with {some}")


def _declared(plan: Plan, what: str) -> Parameter:
    declared = {parameter.name: parameter for parameter in plan.player().parameters}
    if what not in declared:
        raise ArenaError(
            f"{plan.strategy} has no parameter {quoted(what)}: sweep one of {', '.join([START, *declared])}"
        )
    return declared[what]


def expand(texts: Iterable[str]) -> tuple[str, ...]:
    """Values as they are, and ranges `from:to:step`, both ends included, spelled out.

    >>> expand(["on", "-0.02:0.01:0.01", "8:12:2"])
    ('on', '-0.02', '-0.01', '0.00', '0.01', '8', '10', '12')
    """
    found: list[str] = []
    for text in texts:
        if text.count(":") != 2:
            found.append(text)
            continue
        try:
            first, last, step = (Decimal(part) for part in text.split(":"))
            steps = int((last - first) / step)
        except (InvalidOperation, ZeroDivisionError, OverflowError, ValueError):
            raise ArenaError(f"{text!r} is no range: expected FROM:TO:STEP such as 8:30:2") from None
        if not 0 <= steps < MAX_SWEEP_VALUES:
            raise ArenaError(f"{text!r} has no values, or more than {MAX_SWEEP_VALUES}")
        found += [str(first + k * step) for k in range(steps + 1)]
    return tuple(found)


def symmetric_cells(height: int, width: int, cell: Cell) -> frozenset[Cell]:
    """The cells that mirrors, and on a square board turns, make of a cell.

    >>> sorted(symmetric_cells(3, 5, (0, 1)))
    [(0, 1), (0, 3), (2, 1), (2, 3)]
    """
    r, c = cell
    found = {(i, j) for i in (r, height - 1 - r) for j in (c, width - 1 - c)}
    if height == width:
        found |= {(j, i) for i, j in found}
    return frozenset(found)


def start_classes(height: int, width: int) -> list[Cell]:
    """One start of each class of symmetry: the first of its cells in reading order.

    >>> start_classes(3, 3)
    [(0, 0), (0, 1), (1, 1)]
    """
    cells = [(r, c) for r in range(height) for c in range(width)]
    return [cell for cell in cells if cell == min(symmetric_cells(height, width, cell))]


def sweep(
    settings: Sweep,
    folder: str | Path | None = None,
    *,
    resume: bool = False,
    workers: int | None = None,
    executor: Executor | None = None,
    on_point: Callable[[int, Plan], Callable[[Tally], None] | None] | None = None,
    report: Report = print,
) -> list[Point]:
    """Play all values and return a point for each.

    `on_point(number, plan)` is called before each value and may return what to call with its tally as games
    are finished. `folder`, `resume`, `workers`, `executor` and `report` are as for `simulate`.

    >>> settings = Sweep(Plan("logic", 4, 4, 3, games=20), "start", ("0,0", "1,1"))
    >>> [point.tally.games for point in sweep(settings, workers=1)]
    [20, 20]
    """
    given(settings, Sweep, "settings", "a Sweep")
    function(on_point, "on_point", "a number and a plan")
    crew_size(workers, executor, [settings.plan.strategy])  # refused before there is a folder
    code = Code(playing_code(settings.plan.strategy))
    place = None
    if folder is not None:
        place = Folder.prepare(
            folder_path(folder), "sweep", settings.to_object(), resume, code, report=report
        )
    points: list[Point] = []
    for number, (value, plan) in enumerate(zip(settings.values, settings.plans(), strict=True)):
        inside = None if place is None else _inside(place, settings, number)
        progress = None if on_point is None else on_point(number, plan)
        begun = inside is not None and (inside / "run.json").exists()
        tally = simulate(
            plan,
            inside,
            resume=begun,
            workers=workers,
            executor=executor,
            on_progress=progress,
            report=report,
        )
        points.append(Point(value, tally))
        if place is not None:
            place.write("results.txt", table(settings, points))
    return points


def read_sweep(folder: Folder, report: Report) -> tuple[Sweep, list[Point]]:
    """A sweep's folder: its settings, and the points so far."""
    folder.require("sweep")
    settings = Sweep.from_object(folder.settings)
    points = []
    for number, value in enumerate(settings.values):
        inside = _inside(folder, settings, number)
        if (inside / "run.json").exists():
            points.append(Point(value, read_tally(Folder.open(inside), report)[1]))
    return settings, points


def table(settings: Sweep, points: list[Point]) -> str:
    """The points for people, the best one starred."""
    plan = settings.plan
    best = max((point.tally.wins for point in points), default=0)
    lines = [
        f"{visible(plan.strategy)} on {plan.height}x{plan.width}x{plan.mines}, {plan.rng} seed {plan.seed}, "
        f"{plan.games} games a value",
        f"{settings.what:>14} {'games':>8} {'wins':>8} {'percent':>9} {'deviation':>10}   95% interval",
    ]
    for point in points:
        tally = point.tally
        low, high = wilson(tally.wins, tally.games)
        star = " *" if tally.wins == best else ""
        lines.append(
            f"{point.value:>14} {tally.games:>8} {tally.wins:>8} {tally.percent:>8.2f}% "
            f"{_deviation(tally):>10}   {100 * low:.2f}% to {100 * high:.2f}%{star}"
        )
    if any(point.tally.deviation is None for point in points):
        lines.append(f"no deviation: it takes two series of {plan.per_seed} games a value")
    return "\n".join([*lines, *warnings(settings, points)]) + "\n"


def warnings(settings: Sweep, points: list[Point]) -> list[str]:
    """What is wrong with the player: values with which he was sure of what was a mine, and where that is."""
    found = []
    mistaken = [point for point in points if point.tally.mistaken]
    for point in mistaken[:TOLD]:
        if settings.what == START:
            plan = replace(settings.plan, start=_cell(point.value), as_read=True)
        else:
            parameters = {**settings.plan.parameters, settings.what: point.value}
            plan = replace(settings.plan, parameters=parameters, as_read=True)
        game, _ = point.tally.first_mistaken[0]
        times = counted(point.tally.mistaken, "game")
        found.append(
            f"Warning: with {settings.what} {point.value} the player was sure of what was a mine in {times}: "
            f"{visible(plan.replay(game))} shows the first"
        )
    more = len(mistaken) - len(found)
    return [*found, f"Warning: so it was with {counted(more, 'more value')}"] if more else found


def _deviation(tally: Tally) -> str:
    return "–" if tally.deviation is None else f"{100 * tally.deviation:.2f}%"


def _inside(folder: Folder, settings: Sweep, number: int) -> Path:
    return folder.path / f"{number:03}_{settings.what}={settings.values[number]}"


def _written(value: str | Real) -> str:
    """A value as the command line has it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def _cell(text: str) -> Cell:
    if not re.fullmatch(r"\d{1,6},\d{1,6}", text):
        raise ArenaError(f"start {text!r} is no cell: expected ROW,COLUMN such as 3,3")
    r, c = map(int, text.split(","))
    return r, c
