"""`difficulty`: how hard a board is, or a layout from its start to its end, for somebody who never guesses.

A board is as hard as the hardest step of its walk-through. A layout is as hard as the hardest step that its
easiest solution needs: the easiest step that there is is always taken, and whatever it finds is opened at
once. That way no step is harder than it must be: what is known never makes a step harder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from msat._jit import hurry
from msat.board import Board
from msat.coach.techniques import NAMES, TECHNIQUES, note_forced, play_up_to
from msat.coach.walkthrough import WalkthroughStep, in_words, next_step, walkthrough
from msat.constants import HIDDEN, SAFE, Cell
from msat.deadline import Budget, Deadline
from msat.errors import LayoutError, WrongType
from msat.game import Game
from msat.interrupting import interruptible
from msat.layout import Layout
from msat.notebook import figure
from msat.value import explained
from msat.wording import argument, quoted

__all__ = ["Difficulty", "difficulty"]

SMALL = 100
"""Cells up to which a layout is solved in no time, also by kernels that are not compiled."""


@explained
@dataclass(frozen=True)
class Difficulty:
    """How hard it is; `str()` says it in words."""

    technique: int
    """That of the hardest step, from 1 to 5 as in `TECHNIQUES`; 0 where there is no step …"""
    clues: int
    """… and the numbers that this step takes."""
    steps: tuple[int, ...]
    """How many steps take each technique."""

    @property
    def name(self) -> str | None:
        """ "gentle", "normal", "tricky", "hard" or "fiendish"; None where nothing is forced."""
        return NAMES[self.technique - 1] if self.technique else None

    def __str__(self) -> str:
        if self.name is None:
            return "nothing can be proven"
        listed = ", ".join(
            f"{number} by {name}" for name, number in zip(TECHNIQUES, self.steps, strict=True) if number
        )
        return f"{self.name}: the hardest step takes {in_words((self.technique, self.clues))}; {listed}"

    def _repr_html_(self) -> str:
        return figure(None, [str(self)])

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "name": self.name,
            "technique": self.technique,
            "clues": self.clues,
            "steps": dict(zip(NAMES, self.steps, strict=True)),
        }


def difficulty(puzzle: Board | Layout, budget: Budget = None) -> Difficulty:
    """How hard a board is, or a layout that is solved from its start without a guess.

    A layout that needs a guess, or has no start, is a `LayoutError`. `budget` limits the time in seconds;
    what takes longer raises `BudgetExceeded`.

    >>> import msat
    >>> found = msat.difficulty(msat.Board.parse("????/1111/0000 2"))
    >>> found.name, found.technique, found.clues, found.steps
    ('normal', 2, 2, (3, 1, 0, 0, 0))
    >>> print(msat.difficulty(msat.Layout.random(9, 9, 10, seed=1, start=(4, 4))))
    gentle: the hardest step takes one number; 22 by counting one number
    """
    if isinstance(puzzle, Layout):
        deadline = Deadline.of(budget)
        return _of_steps(interruptible(lambda: _solve(puzzle, deadline), deadline, "not solved"))
    if not isinstance(puzzle, Board):
        raise WrongType(f"difficulty takes a Board or a Layout, not {quoted(puzzle)}")
    return _of_steps(list(walkthrough(puzzle, budget).steps))


def _of_steps(steps: list[WalkthroughStep]) -> Difficulty:
    technique, clues = max((step.difficulty for step in steps), default=(0, 0))
    counts = [sum(step.technique == each for step in steps) for each in range(1, len(NAMES) + 1)]
    return Difficulty(technique, clues, tuple(counts))


def _solve(layout: Layout, deadline: Deadline) -> list[WalkthroughStep]:
    """The steps of the easiest solution of a layout."""
    start = layout.start
    if start is None:
        raise LayoutError(
            f"a layout is as hard as its start makes it: give it one, such as {argument('start', (0, 0))}"
        )
    if layout.is_mine(start):
        raise LayoutError(f"the start {start} has a mine: no logic solves that")
    if layout.height * layout.width > SMALL:
        hurry()
    if not play_up_to(layout.numbers(), start, len(NAMES), deadline)[0]:
        raise LayoutError(
            f"from {start} this layout needs a guess: only one that needs none has a difficulty"
        )
    game = Game(layout)
    game.open(start)
    known = game.board.to_array()
    steps = []
    while game.state == "playing":
        step = next_step(game.board, known, deadline)
        assert step is not None  # logic solves it
        steps.append(step)
        note_forced(known, step.safe, step.mined)
        _open(game, step.safe)
        opened = game.board.to_array()
        known = np.where((known == HIDDEN) | (known == SAFE), opened, known)
    return steps


def _open(game: Game, cells: frozenset[Cell]) -> None:
    for cell in sorted(cells):
        if game.state == "playing":
            game.open(cell)
