"""`simulate`: play all games of a plan, keep every one of them, and add them up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from msat.arena import results
from msat.arena.code import playing_code
from msat.arena.done import Done
from msat.arena.files import folder_path
from msat.arena.folder import Code, Folder, Report
from msat.arena.games import Portion, compile_for, play_portion, warm_up
from msat.arena.plan import Plan
from msat.arena.tally import GameResult, Tally
from msat.arena.workforce import crew_size, work
from msat.errors import FolderError, UnknownName
from msat.kinds import function, given, is_name

__all__ = ["PUZZLES", "Progress", "finished_games", "read_tally", "simulate"]

PUZZLES = ("none", "lost", "all")
"""Whose layouts a result folder keeps."""

Progress = Callable[[Tally], None]
"""Called with the tally so far whenever some games are finished."""


def simulate(
    plan: Plan,
    folder: str | Path | None = None,
    *,
    resume: bool = False,
    workers: int | None = None,
    executor: Executor | None = None,
    puzzles: str = "none",
    on_progress: Progress | None = None,
    report: Report = print,
) -> Tally:
    """Play all games of `plan` and return what they add up to.

    With a `folder` every finished game is kept there (see `msat.arena.folder`), and `resume=True` completes a
    run that was stopped. The work is done by `workers` processes (all processors by default; 1: in this one),
    or by any `executor`, which then gets portions for that many workers at a time. The result depends on the
    plan alone, times aside. `puzzles` tells whose layouts the folder keeps: of "none", "lost" or "all" games.
    `on_progress` is called with the tally whenever games are finished. `report` takes messages such as
    "line 7 is damaged".

    >>> tally = simulate(Plan("logic", 9, 9, 10, games=50), workers=1)
    >>> tally.games, tally.wins
    (50, 46)
    """
    given(plan, Plan, "plan", 'a Plan, such as Plan("logic", 9, 9, 10)')
    function(on_progress, "on_progress", "a tally")
    if not is_name(puzzles, PUZZLES):
        raise UnknownName.of("kind of puzzles to keep", puzzles, PUZZLES)
    crew = crew_size(workers, executor, [plan.strategy])
    code = Code(playing_code(plan.strategy))
    tally, done = Tally(), Done(plan.games)
    if folder is None:
        _play(plan, code, done, tally, None, crew, executor, on_progress)
        return tally
    values = dict(plan.player().values)
    place = Folder.prepare(folder_path(folder), "sim", plan.to_object(), resume, code, values, report)
    with place.journal() as journal:
        for result in finished_games(place, plan, done, report):
            tally.add(result, result.game // plan.per_seed)
        with place.results(lambda: results.text(plan, tally)):
            _play(plan, code, done, tally, journal.append, crew, executor, on_progress)
        if puzzles != "none":
            place.write("puzzles.jsonl", _puzzles(place, plan, puzzles))
    return tally


def read_tally(folder: Folder, report: Report) -> tuple[Plan, Tally]:
    """The plan of a result folder, and what its games so far add up to."""
    folder.require("sim")
    plan = Plan.from_object(folder.settings)
    tally = Tally()
    for result in finished_games(folder, plan, Done(plan.games), report):
        tally.add(result, result.game // plan.per_seed)
    return plan, tally


def finished_games(folder: Folder, plan: Plan, done: Done, report: Report) -> Iterator[GameResult]:
    """The games that a folder holds, each once, and noted in `done`."""

    def read(value: dict[str, Any]) -> GameResult:
        result = GameResult.from_object(value)
        if result.game >= plan.games or plan.seed_of(result.game) != (result.seed, result.index):
            raise FolderError("not a game of this run")
        return result

    return (result for result in folder.games(read, report) if done.add(result.game))


def _play(
    plan: Plan,
    code: Code,
    done: Done,
    tally: Tally,
    keep: Callable[[str], None] | None,
    workers: int,
    executor: Executor | None,
    on_progress: Progress | None,
) -> None:
    def accept(portion: Portion) -> bool:
        if keep is not None:
            keep(portion.lines)
        tally.merge(portion.tally)
        if on_progress is not None:
            on_progress(tally)
        return True

    if not done.complete:
        compile_for(plan, done.total - len(done))
        warm_up(plan)  # here, once, before there are several processes that would all compile
    work(partial(play_portion, plan, code.digest), done.missing(), accept, workers, executor)


def _puzzles(folder: Folder, plan: Plan, which: str) -> Iterator[str]:
    """The layouts, made again from the plan, as lines of JSON in the order of games."""
    kept = Done(plan.games)
    for result in finished_games(folder, plan, Done(plan.games), lambda _: None):
        if which == "all" or not result.won:
            kept.add(result.game)
    for game in range(plan.games):
        if game in kept:
            yield json.dumps({"game": game, "layout": plan.layout(game).to_object()}) + "\n"
