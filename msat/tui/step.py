"""A step: what a viewer shows of a game at one moment.

Live games make a step of every decision of the strategy. A record does not tell which clicks were one
decision, so that there a step is one click, together with the marks made before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import overload

from msat.board import Board, Cell
from msat.errors import MsatError
from msat.game import Game, Move, State
from msat.layout import Layout
from msat.record import Record
from msat.strategies import Choice
from msat.strategies.choice import BY_COUNTING
from msat.wording import cell_name, counted, visible

__all__ = ["GuessInStep", "Step", "Steps", "Watcher", "proven_by", "steps_of"]

PATIENCE = 5.0
"""Seconds that the reason of one step may take at most; nearly all take milliseconds …"""

LARGEST = 2_000
"""… on boards of at most so many hidden cells."""


@dataclass(frozen=True)
class GuessInStep:
    """A cell that was opened without proof, and in which step."""

    step: int
    cell: Cell
    safety: float


@dataclass(frozen=True)
class Step:
    """The game after some moves, and the latest of them."""

    number: int
    """Counted from 1."""
    board: Board
    layout: Layout
    moves: tuple[Move, ...]
    """The moves of this step."""
    state: State
    exploded: Cell | None
    guesses: tuple[GuessInStep, ...]
    """All guesses so far."""
    remark: str = ""
    """What a review says about it."""
    before: Board | None = None
    """The board before the moves, where it is known."""
    told: bool = True
    """Whether all clicks so far but the first tell how safe they are; a person's do not."""

    @property
    def opened(self) -> tuple[Cell, ...]:
        """The cells that were clicked in this step."""
        return tuple(move.cell for move in self.moves if move.opens)

    @property
    def success(self) -> float | None:
        """The probability that all guesses so far go well, or None if that was not told.

        It is what document 000 (docs/sources.md) counts.
        """
        return math.prod(guess.safety for guess in self.guesses) if self.told else None

    @property
    def decision(self) -> str:
        """What was done and why, in words."""
        opens = [move for move in self.moves if move.opens]
        marks = sum(move.kind == "mark" for move in self.moves)
        unmarks = sum(move.kind == "unmark" for move in self.moves)
        parts = [_in_words(opens, self.before)] if opens else []
        if marks:
            parts.append(f"mark {counted(marks, 'mine')}")
        if unmarks:
            parts.append(f"take back {counted(unmarks, 'mark')}")
        return "; ".join([*parts, self.remark] if self.remark else parts)


def _in_words(opens: list[Move], before: Board | None) -> str:
    first, *others = opens
    name = cell_name(first.cell)
    what = f"open {name}" + (f" and {len(others)} more" if others else "")
    if first.kind == "chord":
        what = f"open around {name}"
    if first.probability is not None and first.probability < 1:
        what = f"guess {name}, safe with {first.probability:.2%}"
    reason = first.reason
    if reason == BY_COUNTING and before is not None:
        reason = proven_by(before, first.cell) or reason
    return f"{what}: {visible(reason)}" if reason else what


@lru_cache(maxsize=256)
def proven_by(board: Board, cell: Cell) -> str:
    """By which numbers a cell is safe, for who reads "by counting"; nothing where that takes too long.

    >>> proven_by(Board.parse("???/121/000 2"), (0, 1))
    'proven safe by the 1 at r1c0, the 2 at r1c1 and the 1 at r1c2'
    """
    from msat.explanation.explanation import explain

    if len(board.hidden) > LARGEST:
        return ""
    try:
        found = explain(board, cell, budget=PATIENCE)
    except MsatError:
        return ""
    return f"proven safe by {found.reasons()}" if found.verdict == "safe" else ""


class Watcher:
    """Makes steps of a game that goes on: call it whenever a step is complete.

    >>> game = Game(Layout.parse("..*"))
    >>> watch = Watcher()
    >>> _ = game.open((0, 0), probability=0.5, reason="a try")
    >>> step = watch(game)
    >>> step.number, step.decision, step.state
    (1, 'guess r0c0, safe with 50.00%: a try', 'won')
    """

    def __init__(self) -> None:
        self._number = 0
        self._seen = 0
        self._guesses: tuple[GuessInStep, ...] = ()
        self._board: Board | None = None
        self._begun = False
        self._told = True

    def __call__(self, game: Game, choice: Choice | None = None) -> Step:
        """The step that the moves since the last call make; `choice` is taken as `msat.play` gives it."""
        del choice  # its reason and its safety are in the moves
        self._number += 1
        moves = game.moves_since(self._seen)
        self._seen += len(moves)
        self._guesses += tuple(
            GuessInStep(self._number, move.cell, move.probability)
            for move in moves
            if move.opens and move.probability is not None and move.probability < 1
        )
        for move in moves:
            if move.opens:
                self._told &= move.probability is not None or not self._begun
                self._begun = True
        before, self._board = self._board, game.board
        return Step(
            self._number,
            game.board,
            game.layout,
            moves,
            game.state,
            game.exploded,
            self._guesses,
            before=before,
            told=self._told,
        )


def steps_of(record: Record) -> Iterator[Step]:
    """The steps of a saved game: one click each, with the marks before it.

    >>> game = Game(Layout.parse("..*"))
    >>> game.mark((0, 2)), game.open((0, 1)), game.open((0, 0))
    (None, ((0, 1),), ((0, 0),))
    >>> [step.decision for step in steps_of(game.record)]
    ['open r0c1; mark 1 mine', 'open r0c0']
    """
    game, watch = Game(record.layout, record.strategy), Watcher()
    for number, move in enumerate(record.moves, 1):
        game.apply(move)
        if move.opens or number == len(record.moves):
            yield watch(game)


class Steps(Sequence[Step]):
    """The steps of a saved game, made anew whenever they are asked for.

    Each holds a board: kept all at once, those of a long game on a large board would not fit the memory.
    `remarks` are what is said about each click; `runs` tells how many clicks in a row make one step.

    >>> game = Game(Layout.parse("..*"))
    >>> game.open((0, 1)), game.mark((0, 2))
    (((0, 1),), None)
    >>> steps = Steps(game.record)
    >>> len(steps), [step.number for step in steps], steps[-1].decision
    (2, [1, 2], 'mark 1 mine')
    >>> Steps(game.record, runs=[2])[0].decision
    'open r0c1; mark 1 mine'
    """

    def __init__(self, record: Record, remarks: Sequence[str] = (), runs: Sequence[int] = ()) -> None:
        self._record = record
        self._remarks = remarks
        self._runs = runs
        opened = [move.opens for move in record.moves]
        self._count = len(runs) or sum(opened) + (not opened[-1] if opened else 0)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Step]:
        single = _remarked(steps_of(self._record), self._remarks)
        guesses: tuple[GuessInStep, ...] = ()
        for number, length in enumerate(self._runs, 1):
            run = list(islice(single, length))
            new = run[-1].guesses[len(guesses) :]
            guesses += tuple(replace(guess, step=number) for guess in new)
            yield _joined(run, number, guesses)
        if not self._runs:
            yield from single

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> list[Step]: ...

    def __getitem__(self, place: int | slice) -> Step | list[Step]:
        wanted = range(self._count)[place]
        if isinstance(wanted, range):
            return [step for number, step in enumerate(self) if number in wanted]
        return next(islice(self, wanted, None))


def _remarked(steps: Iterator[Step], remarks: Sequence[str]) -> Iterator[Step]:
    left = iter(remarks)
    for step in steps:
        yield replace(step, remark=next(left, "")) if step.opened else step


def _joined(run: list[Step], number: int, guesses: tuple[GuessInStep, ...]) -> Step:
    """Some steps in a row as one; of what was said about them the last, which is about where it led."""
    moves = tuple(move for step in run for move in step.moves)
    remark = next((step.remark for step in reversed(run) if step.remark), "")
    return replace(run[-1], number=number, moves=moves, guesses=guesses, remark=remark, before=run[0].before)
