"""Games by the portion: what a worker does. Nothing here knows of other workers, files or progress."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msat._jit import hurry, is_compiled
from msat.arena.code import playing_code
from msat.arena.journal import line_of
from msat.arena.plan import Plan
from msat.arena.tally import GameResult, Tally
from msat.cells import MINE
from msat.constants import DEFAULT_START
from msat.errors import ArenaError
from msat.layout import Layout
from msat.measures._kernels import measure
from msat.strategies.naming import load
from msat.strategies.strategy import Played

__all__ = ["Portion", "begin_portion", "compile_for", "play_games", "play_portion", "warm_up"]


class Portion(NamedTuple):
    """Games that were finished: their lines, and what they add up to."""

    lines: str
    tally: Tally


def play_games(plan: Plan, first: int, count: int) -> Iterator[GameResult]:
    """Play the games from `first` on.

    >>> [result.won for result in play_games(Plan("logic", 9, 9, 10), 0, 3)]
    [True, True, True]
    """
    player = plan.player()
    start = plan.first_click
    for game, numbers in plan.boards(first, count):
        begin = time.perf_counter()
        if numbers[start] == MINE:  # only where the first click may hit anything
            played = Played(won=False, moves=1, guesses=(), slow=0.0)
        else:
            played = player.play_numbers(numbers, plan.mines, start, plan.game_seed(game))
        seconds = time.perf_counter() - begin
        yield GameResult(
            game,
            *plan.seed_of(game),
            played.won,
            played.moves,
            played.guesses,
            *measure(numbers),
            round(seconds, 6),
            round(played.slow, 3),
        )


MANY_CELLS = 10_000
"""Cells of all boards of a run beyond which it is worth to compile: some twenty expert games."""


def compile_for(plan: Plan, games: int) -> None:
    """Have compiled kernels if so many games of a plan are still to be played that it pays."""
    if games * plan.height * plan.width > MANY_CELLS:
        hurry()


@cache
def warm_up(strategy: str) -> None:
    """Load, once in a process, what a strategy needs, so that no game's time includes it."""
    player = load(strategy)
    if not is_compiled():
        return
    layout = Layout.random(16, 30, 99, seed=9, start=DEFAULT_START)
    player.play_numbers(layout.numbers(), layout.mines, DEFAULT_START, 0)


def begin_portion(code: str, *strategies: str) -> None:
    """Make ready to play; a worker elsewhere whose code is not that of the run is refused."""
    for strategy in strategies:
        warm_up(strategy)
    here = playing_code(*strategies)
    if here != code:
        raise ArenaError(
            f"a worker has other playing code than the run (digest {here}, not {code}): install the same "
            "msat, and the same strategies, wherever games are played"
        )


def play_portion(plan: Plan, code: str, first: int, count: int) -> Portion:
    """Play a portion of a run and prepare all that is to be kept of it."""
    begin_portion(code, plan.strategy)
    tally = Tally()
    lines = []
    for result in play_games(plan, first, count):
        tally.add(result, result.game // plan.per_seed)
        lines.append(line_of(result.to_object()))
    return Portion("".join(lines), tally)
