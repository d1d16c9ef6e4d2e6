"""Proofs by counting: some facts added up, others subtracted, leave no choice.

    the 2 at r1c1 needs 2 mines; the 1 at r1c2 allows at most 1 of them in r0c1 and r0c2;
    the other 1 must be in r0c0: r0c0 is a mine

A cell *weighs* as often as added facts touch it, less those subtracted. What two clues prove together can
always be said like this; of what more clues prove, most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from msat.cells import Cell
from msat.explanation.facts import Claim, Fact
from msat.value import explained
from msat.wording import are, cell_name, cell_names, enumerate_words, many

__all__ = ["Sum", "find_sum"]

MOST_FACTS = 8
"""Facts that are tried with all signs: more take long, and nobody follows them."""


@explained
@dataclass(frozen=True)
class Sum:
    """The facts in `plus` minus those in `minus` prove the claim, or without one contradict each other."""

    plus: tuple[Fact, ...]
    """The facts that are added."""
    minus: tuple[Fact, ...]
    """The facts that are subtracted from them."""
    claim: Claim | None
    """What is proven: a cell, and whether it is a mine; None where the facts contradict each other."""

    def weights(self) -> dict[Cell, int]:
        """The weight of every cell that does not cancel out."""
        weight = _touched(self.plus)
        weight.subtract(_touched(self.minus))
        return {cell: number for cell, number in weight.items() if number}

    def holds(self) -> bool:
        """Whether this is a proof."""
        weights = self.weights()
        least = _low(self.plus) - _high(self.minus)
        most = _high(self.plus) - _low(self.minus)
        inside = sum(number for number in weights.values() if number > 0)
        outside = -sum(number for number in weights.values() if number < 0)
        if self.claim is None:
            return inside < least
        cell, mine = self.claim
        weight = weights.get(cell, 0)
        return weight > 0 and (inside - weight < least if mine else weight - outside > most)

    def simple(self) -> bool:
        """Whether no cell counts more than once on either side, which is easy to follow."""
        return max([*_touched(self.plus).values(), *_touched(self.minus).values()], default=0) <= 1

    def lines(self) -> list[str]:
        """The proof in a sentence."""
        if self.claim is None:
            return [self._too_little_room()]
        return [self._no_other_place() if self.claim[1] else self._nothing_left(self.claim[0])]

    def _too_little_room(self) -> str:
        inside = {cell: number for cell, number in self.weights().items() if number > 0}
        needed, text, they = self._needed()
        if not inside:
            return f"{text}; {they} {'has' if needed == 1 else 'have'} no place"
        must = f"; {they} must be in" if self.minus else ", and has only"
        return f"{text}{must} {cell_names(inside)}{_counts(inside)}, with room for {sum(inside.values())}"

    def _no_other_place(self) -> str:
        inside = {other: number for other, number in self.weights().items() if number > 0}
        needed, text, they = self._needed()
        forced = [other for other, number in inside.items() if sum(inside.values()) - number < needed]
        besides = "," if any(fact.marked for fact in self.plus) else ""
        must = f"; {they} must be" if self.minus else besides
        return f"{text}{must} in {cell_names(inside)}{_counts(inside)}: {are(forced, True)}"

    def _needed(self) -> tuple[int, str, str]:
        """How many mines the added facts need outside the subtracted ones, why, and how to call them."""
        needed = _low(self.plus)
        text = f"{_subject(self.plus)} {_verb(self.plus, 'need')} {_mines(self.plus, needed)}"
        if not self.minus:
            return needed, text, "they"
        allowed = _high(self.minus)
        shared = _touched(self.plus).keys() & _touched(self.minus).keys()
        number = f"at most {allowed} of them" if allowed else "none"
        text += f"; {_subject(self.minus)} {_verb(self.minus, 'allow')} {number} in {cell_names(shared)}"
        if allowed:
            return needed - allowed, text, f"the other {needed - allowed}"
        return needed, text, "it" if needed == 1 else f"all {needed}"

    def _nothing_left(self, cell: Cell) -> str:
        weights = self.weights()
        have = _high(self.plus)
        outside = {other: -number for other, number in weights.items() if number < 0}
        most = have - _low(self.minus) + sum(outside.values())
        free = [other for other, number in weights.items() if number > most]
        if not self.minus:
            return f"{_subject(self.plus)} {_have_no_more(self.plus)}: {are(free, False)}"
        text = f"{_subject(self.plus)} {_verb(self.plus, 'have')} {_mines(self.plus, have)}"
        shared = _touched(self.plus).keys() & _touched(self.minus).keys()
        least = _low(self.minus) - sum(outside.values())
        number = "it" if have == 1 else f"at least {least} of them" if outside else f"{least} of them"
        text += f"; {_subject(self.minus)} {_verb(self.minus, 'put')} {number} in {cell_names(shared)}"
        if outside:
            text += (
                f" (of {_low(self.minus)}, at most {sum(outside.values())} can be in {cell_names(outside)})"
            )
        if most == 0:
            return f"{text}; so none is left: {are(free, False)}"
        return (
            f"{text}; the {most} left is too little for {cell_name(cell)}, which counts {weights[cell]} times"
        )


def find_sum(facts: Sequence[Fact], claim: Claim | None) -> Sum | None:
    """A proof that uses each of the facts once, if there is one: a simple one, else the fewest subtracted.

    >>> from msat.board import Board
    >>> from msat.problem.problem import Problem
    >>> from msat.explanation.facts import facts_of
    >>> facts = facts_of(Problem.of(Board.parse("???/11? 1")))
    >>> proof = find_sum(facts, ((0, 2), False))
    >>> print(*proof.lines())
    the 1 at r1c1 has 1 mine; the 1 at r1c0 puts it in r0c0 and r0c1; so none is left: r0c2 and r1c2 are safe
    """
    if len(facts) > MOST_FACTS:
        return None
    best: Sum | None = None
    for signs in sorted(product((False, True), repeat=len(facts)), key=sum):
        plus = tuple(fact for fact, subtract in zip(facts, signs, strict=True) if not subtract)
        minus = tuple(fact for fact, subtract in zip(facts, signs, strict=True) if subtract)
        found = Sum(plus, minus, claim)
        if found.holds():
            if found.simple():
                return found
            best = best or found
    return best


def _touched(facts: Sequence[Fact]) -> Counter[Cell]:
    touched: Counter[Cell] = Counter()
    for fact in facts:
        touched.update(fact.cells)
    return touched


def _low(facts: Sequence[Fact]) -> int:
    return sum(fact.low for fact in facts)


def _high(facts: Sequence[Fact]) -> int:
    return sum(fact.high for fact in facts)


def _subject(facts: Sequence[Fact]) -> str:
    several = "together, " if len(facts) > 1 else ""
    return several + enumerate_words([fact.text for fact in facts])


def _verb(facts: Sequence[Fact], verb: str) -> str:
    if len(facts) > 1:
        return verb
    return "has" if verb == "have" else f"{verb}s"


def _have_no_more(facts: Sequence[Fact]) -> str:
    if not any(fact.marked for fact in facts):
        return f"{_verb(facts, 'have')} no mines"
    return f"already {_verb(facts, 'have')} all {'its' if len(facts) == 1 else 'their'} mines"


def _mines(facts: Sequence[Fact], number: int) -> str:
    """So many mines; besides marked ones, and with a note on cells that several facts touch."""
    marked = sum(fact.marked for fact in facts)
    text = many(number, "mine") + (f" besides the {marked} marked" if marked else "")
    return text + _counts({cell: times for cell, times in _touched(facts).items() if times > 1})


def _counts(weights: Mapping[Cell, int]) -> str:
    """A note on cells that do not count once."""
    often: dict[int, list[Cell]] = {}
    for cell, number in weights.items():
        if number > 1:
            often.setdefault(number, []).append(cell)
    notes = []
    for number, cells in sorted(often.items()):
        verb = "counts" if len(cells) == 1 else "count"
        notes.append(f"{cell_names(cells)} {verb} {'twice' if number == 2 else f'{number} times'}")
    return f" ({'; '.join(notes)})" if notes else ""
