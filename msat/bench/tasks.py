"""What is asked, and who is asked: one `Task` per suite, player and question.

A player is an engine, asked for forced cells or for probabilities, or a strategy, asked for games. Every
answer is checked against the reference answers of the suite (those of the counting engine, whose digest is
printed): an engine that is fast and wrong shows as wrong. Only asking is timed, not checking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from msat.analysis import Analysis, analyze
from msat.arena.games import play_games, warm_up
from msat.arena.plan import Plan
from msat.batch import probabilities
from msat.bench.alarm import alarm
from msat.bench.clock import processor_time
from msat.bench.digests import ExactAnswer
from msat.bench.suites import Position, Suite
from msat.board import PRESETS, Board
from msat.constants import HIDDEN
from msat.engines.registry import ENGINES, load
from msat.engines.rules.deductions import deductions
from msat.errors import BudgetExceeded, MissingPackage, MsatError, UnknownName
from msat.strategies import names
from msat.strategies.naming import load as load_strategy
from msat.strategies.naming import split

__all__ = [
    "ASKED",
    "DIFFERENT",
    "FAILED",
    "GAMES",
    "LIMIT",
    "LOST",
    "QUESTIONS",
    "SAME",
    "TIMED_OUT",
    "WON",
    "Task",
    "check_only",
    "missing_engines",
    "tasks_of",
]

ASKED = ("rules", *(name for name in ENGINES if name != "auto"))
"""Who is asked about positions: `auto` is `counting` on all of them."""

QUESTIONS = ("forced", "probabilities", "games")

LIMIT = 1.0
"""Seconds, by the clock, that an engine gets for a position."""

GAMES = 500
"""Games of a strategy at most."""

SAME, DIFFERENT, TIMED_OUT, FAILED = "=!tx"
"""How an engine's answer compares with the reference, each in one letter."""

WON, LOST = "wl"
"""How a game ends."""

_CLOSE = 1e-9
"""Probabilities are floats: their sum is the mine total up to this share of it."""

_WARM = Board.parse("??1/3?2/??? 3")


@dataclass(frozen=True)
class Task:
    """A question that a player is asked for every item of a suite, be it a position or a game."""

    suite: str
    player: str
    question: str
    items: int
    ask: Callable[[int], Any]
    check: Callable[[int, Any], str]

    def timed(self, item: int) -> tuple[float, str]:
        """Ask once: the processor time it took, and a letter for how the answer was.

        A time-out counts as the whole limit, which is one by the clock.
        """
        begin = processor_time()
        try:
            found = self.ask(item)
        except BudgetExceeded:
            return LIMIT, TIMED_OUT
        except MsatError:
            return processor_time() - begin, FAILED
        return processor_time() - begin, self.check(item, found)


def check_only(only: Iterable[str]) -> None:
    """Refuse names of neither an engine nor a strategy, which may have parameters, nor a question."""
    known = [*ASKED, *names(), *QUESTIONS]
    for text in only:
        name, _ = split(text)
        if name not in known:
            raise UnknownName.of("engine, strategy or question", name, known)
        if name in names():
            load_strategy(text)  # says what is wrong with its parameters


def missing_engines(only: frozenset[str] = frozenset()) -> dict[str, str]:
    """The engines that would be asked and are not installed, each with the message that says so."""
    wanted = only.difference(QUESTIONS) or ASKED
    return {engine: reason for engine in ASKED if engine in wanted and (reason := _missing(engine))}


@cache
def _missing(engine: str) -> str:
    """Why an engine cannot be asked; nothing if it can, and it is then ready."""
    try:
        _warm_up(engine)
    except MissingPackage as error:
        return str(error)
    return ""


def tasks_of(suite: Suite, answers: list[ExactAnswer], only: frozenset[str] = frozenset()) -> Iterator[Task]:
    """The tasks of a suite; `only` may name players, questions or both."""
    wanted = only.difference(QUESTIONS) or {*ASKED, *names()}
    questions = only.intersection(QUESTIONS) or set(QUESTIONS)
    missing = missing_engines(only)
    for engine in ASKED:
        if engine not in wanted or engine in missing:
            continue
        for question in QUESTIONS[:2]:
            # Rules say nothing of probabilities, and the forced cells of ganak are those of sat.
            if question in questions and (engine, question) not in _NOT_ASKED:
                yield _engine_task(suite, engine, question, answers)
    if "games" in questions and suite.name in PRESETS:
        for strategy in sorted(wanted.difference(ASKED), key=lambda x: (names().index(split(x)[0]), x)):
            yield _games_task(suite.name, strategy)


_NOT_ASKED = {("rules", "probabilities"), ("ganak", "forced")}


def _warm_up(engine: str) -> None:
    """Import and compile what an engine needs, so that no position's time includes it."""
    if engine == "rules":
        deductions(_WARM)
    else:
        assert load(engine).count(_WARM).solutions
        assert analyze(_WARM, engine).probability is not None


def _engine_task(suite: Suite, engine: str, question: str, answers: list[ExactAnswer]) -> Task:
    positions = suite.positions
    boards = [position.board for position in positions]
    ask: Callable[[int], Any]
    check: Callable[[int, Any], str]
    if engine == "rules":
        ask = lambda i: deductions(boards[i])  # noqa: E731
        check = lambda i, found: _letter(_sound(found, answers[i]))  # noqa: E731
    elif question == "forced":
        ask = lambda i: _forced(boards[i], engine)  # noqa: E731
        check = lambda i, found: _letter(found == answers[i][1:])  # noqa: E731
    elif engine == "counting":
        ask = lambda i: probabilities(*positions[i], budget=LIMIT)  # noqa: E731
        check = lambda i, found: _letter(_adds_up(found, positions[i], answers[i]))  # noqa: E731
    else:
        ask = lambda i: _all_probabilities(boards[i], engine)  # noqa: E731
        check = lambda i, found: _letter(ExactAnswer.of(found) == answers[i])  # noqa: E731
    return Task(suite.name, engine, question, len(positions), ask, check)


def _games_task(name: str, strategy: str) -> Task:
    height, width, mines = PRESETS[name]
    plan = Plan(strategy, height, width, mines, games=GAMES)
    warm_up(plan)
    return Task(name, strategy, "games", GAMES, partial(_play, plan), lambda _, won: WON if won else LOST)


def _play(plan: Plan, game: int) -> bool:
    return next(play_games(plan, game, 1)).won


def _forced(board: Board, engine: str) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
    if engine == "counting":  # keeps its budget; an alarm might ring in the middle of a kernel
        analysis = analyze(board, engine, LIMIT)
    else:
        with alarm(LIMIT):
            analysis = analyze(board, engine, LIMIT)
    return analysis.safe, analysis.mined


def _all_probabilities(board: Board, engine: str) -> Analysis:
    with alarm(LIMIT):
        analysis = analyze(board, engine, LIMIT)
        assert analysis.probability is not None
    return analysis


def _letter(same: bool) -> str:
    return SAME if same else DIFFERENT


def _sound(found: Iterable[Any], answer: ExactAnswer) -> bool:
    """Whether all deductions are among the forced cells; rules need not find them all."""
    return all(deduction.cell in (answer.mined if deduction.mine else answer.safe) for deduction in found)


def _adds_up(probability: Any, position: Position, answer: ExactAnswer) -> bool:
    """Whether forced cells are certain, no other cell is, and the expected mines are the mine total."""
    hidden = position.array == HIDDEN
    certain = int((hidden & ((probability == 0) | (probability == 1))).sum())
    forced = all(probability[cell] == 0 for cell in answer.safe) and all(
        probability[cell] == 1 for cell in answer.mined
    )
    total = float(np.nansum(probability))
    return (
        forced
        and certain == len(answer.safe) + len(answer.mined)
        and abs(total - position.mines) <= _CLOSE * max(1, position.mines)
    )
