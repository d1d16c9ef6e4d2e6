"""The proof that a person is shown: from a minimal set of facts, in steps that are easy to follow.

In the order of how easy they are to follow: a sum of few facts in which no cell counts twice; the opposite,
followed to a contradiction; other sums; the opposite with cases. A proof by the mine total is first taken
apart into groups. What withstands all of these is left to the solver that found it, and said to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msat.board import Board
from msat.explanation.facts import Claim, Fact
from msat.explanation.refutation import Refutation, refute
from msat.explanation.sums import Sum, find_sum
from msat.explanation.totals import Remainder, divide_total
from msat.value import explained
from msat.wording import are

__all__ = ["Step", "Tried", "argue"]

FEW = 3
"""Facts whose sum one sentence can hold."""


@explained
@dataclass(frozen=True)
class Tried:
    """A solver has tried all ways to meet the facts with the opposite of the claim: there is none."""

    facts: tuple[Fact, ...]
    """The clues, and the mine total where it is needed, that were given to the solver."""
    claim: Claim | None
    """What is proven: a cell, and whether it is a mine; None where the facts contradict each other."""

    def lines(self) -> list[str]:
        """The step in words."""
        if self.claim is None:
            return ["a solver has tried all ways to meet them: there is none"]
        cell, mine = self.claim
        return [f"a solver has tried all ways to meet them in which {are([cell], not mine)}: there is none"]


Step: TypeAlias = Sum | Refutation | Remainder | Tried


def argue(board: Board, facts: Sequence[Fact], total: Fact | None, claim: Claim | None) -> tuple[Step, ...]:
    """Steps that prove the claim, or without one a contradiction, from a minimal set of facts."""
    if total is None:
        return (_argue_locally(facts, claim) or Tried(tuple(facts), claim),)
    for way in divide_total(board, facts, total, claim):
        if claim is None and way.impossible():
            return (way,)
        near = [fact for fact in facts if not any(fact in bound.facts for bound in way.bounds)]
        last = _argue_locally([*near, way.fact() if way.bounds else total], claim)
        if last is not None:
            return (way, last) if way.bounds else (last,)
    return (Tried((*facts, total), claim),)


def _argue_locally(facts: Sequence[Fact], claim: Claim | None) -> Sum | Refutation | None:
    """The easiest proof from these facts that was found."""
    summed = find_sum(facts, claim)
    if summed is not None and summed.simple() and len(facts) <= FEW:
        return summed
    straight = refute(facts, claim, deepest=0)
    if straight is not None:
        return straight
    if summed is not None and (summed.simple() or len(facts) <= FEW):
        return summed
    return refute(facts, claim) or summed
