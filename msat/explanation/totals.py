"""Proofs by the mine total, taken apart: what the clues elsewhere hold, and what that leaves.

A proof that needs the mine total can need clues from all over the board. But clues that share no hidden cell
act on each other only by how many mines they hold. So each group of such clues is replaced by a bound on its
mines, and the total minus these bounds is one fact about the rest of the board, which together with the clues
near the cell in question makes a small proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from msat.board import Board, Cell
from msat.constants import HIDDEN, SAFE
from msat.engines.counting.possible_totals import possible_totals
from msat.explanation.facts import Claim, Fact, groups_of
from msat.value import explained
from msat.wording import cell_names, enumerate_words, many

__all__ = ["Bound", "Remainder", "divide_total"]


@explained
@dataclass(frozen=True)
class Bound:
    """However the mines of these clues are placed, there are between `low` and `high` of them."""

    facts: tuple[Fact, ...]
    """Clues that have hidden cells in common."""
    low: int
    """The fewest mines that they can have together."""
    high: int
    """The most."""

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells that the bound is about."""
        return frozenset[Cell]().union(*(fact.cells for fact in self.facts))

    def lines(self, least: bool, most: bool) -> list[str]:
        """The bound in words; of its two ends, those asked for."""
        several = len(self.facts) > 1
        subject = enumerate_words([fact.text for fact in self.facts])
        if self.low == self.high:
            number = str(self.low)
        else:
            number = " and ".join([f"at least {self.low}"] * least + [f"at most {self.high}"] * most)
        noun = "mine" if number.endswith(" 1") or number == "1" else "mines"
        together = " together" if several else ""
        return [
            f"{subject} {'have' if several else 'has'}{together} {number} {noun} in {cell_names(self.cells)}"
        ]


@explained
@dataclass(frozen=True)
class Remainder:
    """The mine total minus the mines of some groups of clues: what is left for the other hidden cells."""

    total: Fact
    """The mine total, about all hidden cells."""
    bounds: tuple[Bound, ...]
    """The groups of clues that are subtracted, and how many mines each has."""
    least: bool
    """Whether the lower ends of the bounds are used: they limit the rest from above."""
    most: bool
    """Whether their upper ends are used."""

    def fact(self) -> Fact:
        """What is left, as a fact."""
        cells = self.total.cells.difference(*(bound.cells for bound in self.bounds))
        high = self.total.high - sum(bound.low for bound in self.bounds) if self.least else len(cells)
        low = self.total.low - sum(bound.high for bound in self.bounds) if self.most else 0
        return Fact(cells, low, high, None, "the rest of the board")

    def impossible(self) -> bool:
        """Whether nothing can be left like that: a contradiction by itself."""
        fact = self.fact()
        return fact.high < 0 or fact.low > len(fact.cells)

    def lines(self) -> list[str]:
        """The groups and what they leave, in words."""
        fact = self.fact()
        lines = [line for bound in self.bounds for line in bound.lines(self.least, self.most)]
        marked = (
            f", {self.total.marked} {'is' if self.total.marked == 1 else 'are'} marked"
            if self.total.marked
            else ""
        )
        number = self.total.low + self.total.marked
        mines = f"there {'is' if number == 1 else 'are'} {many(number, 'mine')} in all{marked}"
        if fact.high < 0:
            return [*lines, f"{mines}: {-fact.high} too few"]
        if fact.low > len(fact.cells):
            return [*lines, f"{mines}: {fact.low} left for {many(len(fact.cells), 'other cell')}"]
        ends = [f"at least {fact.low}"] * self.most + [f"at most {fact.high}"] * self.least
        left = f"{fact.low or 'none'}" if fact.low == fact.high else " and ".join(ends)
        return [*lines, f"{mines}: that leaves {left} for the rest of the board"]


def divide_total(board: Board, clues: Sequence[Fact], total: Fact, claim: Claim | None) -> list[Remainder]:
    """Ways to reduce the total to the clues around the claim, the simplest first; the last one loses nothing.

    Without a claim, all groups are replaced.
    """
    near = None if claim is None else claim[0]
    groups = [group for group in groups_of(clues) if not any(near in fact.cells for fact in group)]
    bounds = tuple(_bound(board, group) for group in groups)
    if all(bound.low == bound.high for bound in bounds):
        return [Remainder(total, bounds, least=True, most=True)]
    return [
        Remainder(total, bounds, least, most) for least, most in ((True, False), (False, True), (True, True))
    ]


def _bound(board: Board, group: Sequence[Fact]) -> Bound:
    """The fewest and the most mines that a group of clues can have."""
    # The engine is shown these clues and their cells alone.
    grid = np.full(board.shape, SAFE, np.int8)
    for fact in group:
        assert fact.clue is not None
        grid[fact.clue] = fact.low
        for cell in fact.cells:
            grid[cell] = HIDDEN
    found = possible_totals(grid, lowest=SAFE)
    return Bound(tuple(group), found[0], found[-1])
