"""Games by the portion: what a worker does. Nothing here knows of other workers, files or progress."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from msat._jit import hurry, is_compiled, working_time
from msat.arena.code import playing_code
from msat.arena.journal import line_of
from msat.arena.plan import Plan
from msat.arena.tally import GameResult, Tally
from msat.cells import MINE
from msat.constants import DEFAULT_START
from msat.errors import ArenaError, BudgetExceeded, MsatError
from msat.layout import Layout
from msat.measures._kernels import measure
from msat.strategies.given import told
from msat.strategies.naming import is_foreign
from msat.strategies.strategy import Played

__all__ = ["Portion", "begin_portion", "compile_for", "play_games", "play_portion", "warm_up"]


_PACKAGE = str(Path(__file__).parents[1])


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
        begin = working_time()
        if numbers[start] == MINE:  # only where the first click may hit anything
            played = Played(won=False, moves=1, guesses=(), slow=0.0)
        else:
            try:
                played = player.play_numbers(numbers, plan.mines, start, plan.game_seed(game))
            except BudgetExceeded as bad:
                raise BudgetExceeded(_failure(plan, game, bad)) from bad
            except (Exception, SystemExit) as bad:
                raise ArenaError(_failure(plan, game, bad)) from bad
        seconds = working_time() - begin
        yield GameResult(
            game,
            *plan.seed_of(game),
            played.won,
            played.moves,
            played.guesses,
            *measure(numbers),
            round(seconds, 6),
            round(played.slow, 3),
            played.mistaken,
        )


def _failure(plan: Plan, game: int, bad: BaseException) -> str:
    """What a player did wrong, in which game, where in its code, and how to see it again."""
    said = told(bad, most=300)
    if isinstance(bad, MsatError):  # which say all there is to say
        said = said.removeprefix(f"{type(bad).__name__}: ")
    seed, index = plan.seed_of(game)
    frames = traceback.extract_tb(bad.__traceback__)
    # The innermost line of the player's own: what msat does when it is called wrongly tells less.
    own = [frame for frame in frames if not frame.filename.startswith(_PACKAGE)]
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return (
        f"{plan.strategy} failed in game {game} (seed {seed}, index {index}): "
        f"{said}{place}; {plan.replay(game)} plays it again"
    )


MANY_CELLS = 10_000
"""Cells of all boards of a run beyond which it is worth to compile: some twenty expert games."""

MANY_OF_OTHERS = 1500
"""The same for players who are not msat's own: one that asks `analyze` each move plays 15 s if plain."""


def compile_for(plan: Plan, games: int) -> None:
    """Have compiled kernels if so many games of a plan are still to be played that it pays."""
    many = MANY_OF_OTHERS if is_foreign(plan.strategy) else MANY_CELLS
    if games * plan.height * plan.width > many:
        hurry()


_warm: set[str] = set()
"""Whom this process has made ready."""


def warm_up(plan: Plan) -> None:
    """Load, once in a process, what a player of msat needs, so that no game's time includes it.

    He plays a game with the parameters that were asked for, unless these give him time to think: loading does
    not lengthen such a game much. Somebody else's player may mind a game too many: for him only the module is
    loaded that most of them ask.
    """
    player = plan.player()
    if is_foreign(plan.strategy):
        import_module("msat.analysis")
    known = f"{plan.strategy} {sorted(plan.parameters.items())}"
    if known in _warm or is_foreign(plan.strategy) or not is_compiled() or player.values.get("seconds"):
        return
    _warm.add(known)
    layout = Layout.random(16, 30, 99, seed=9, start=DEFAULT_START)
    player.play_numbers(layout.numbers(), layout.mines, DEFAULT_START, 0)


def begin_portion(code: str, *plans: Plan) -> None:
    """Make ready to play; a worker elsewhere whose code is not that of the run is refused."""
    for plan in plans:
        warm_up(plan)
    here = playing_code(*(plan.strategy for plan in plans))
    if here != code:
        raise ArenaError(
            f"a worker has other playing code than the run (digest {here}, not {code}): install the same "
            "msat, and the same strategies, wherever games are played"
        )


def play_portion(plan: Plan, code: str, first: int, count: int) -> Portion:
    """Play a portion of a run and prepare all that is to be kept of it."""
    begin_portion(code, plan)
    tally = Tally()
    lines = []
    for result in play_games(plan, first, count):
        tally.add(result, result.game // plan.per_seed)
        lines.append(line_of(result.to_object()))
    return Portion("".join(lines), tally)
