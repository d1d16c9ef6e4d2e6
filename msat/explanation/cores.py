"""Which clues force a cell: unsatisfiable cores, then a minimal set, then a smallest one.

The clues of a board, and the mine total, are switched on by assumptions of one incremental SAT solver. If
the opposite of what is claimed is unsatisfiable, the solver names the assumptions that it needed: a *core*.

- A core need not be minimal; trying to do without each of its clues in turn makes it so.
- A minimal set need not be a smallest one. That is found by the duality of hitting sets: whenever a set of
  clues is too weak, a model shows clues that it violates, and every proof must contain one of those. So the
  smallest set that hits all of these is either a proof, and then a smallest, or shows yet another such set.

On boards in play both are quick (`python -m bench.explain`). In theory a smallest set is much harder to find
than a minimal one; so the search for it ends after so many queries, a number and not a time, in order that
equal boards get equal answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.examples.hitman import Hitman

from msat.cells import Cell
from msat.deadline import Deadline
from msat.encode.cnf import Formula, encode_equations
from msat.engines.solvers.sat_session import SatSession
from msat.errors import BudgetExceeded
from msat.explanation.facts import Claim, Fact

__all__ = ["Prover"]

SOLVER = "glucose4"
"""Of python-sat's solvers one of those that stop after a number of conflicts, to look at the clock."""

QUERIES = 2_000
"""Queries that the search for a smallest set may take …"""

LARGEST = 60
"""… and the size of a minimal set above which there is none. Proofs that count out an expert board have about
forty clues; a smallest one, of five fewer, takes five hundred queries, a tenth of a second."""


class Prover:
    """Facts behind selectors, in one solver; a context manager, since solvers hold memory of their own.

    Facts are clues, referred to by their numbers; the total is always on. Without a claim, what is proven is
    that the facts contradict each other.
    """

    def __init__(self, facts: Sequence[Fact], total: Fact | None, deadline: Deadline) -> None:
        self._facts = facts
        self._total = total
        self._formula: Formula[Cell, int] = encode_equations(
            [(fact.cells, fact.low) for fact in facts],
            unknowns=total.cells if total else (),
            mines=total.low if total else None,
        )
        # A box is known by its first literal, "at least one mine", which each of its cells has.
        self._groups = [group[0] for group in self._formula.count]
        self._members: list[list[Cell]] = [[] for _ in self._groups]
        box = {group: b for b, group in enumerate(self._groups)}
        self._groups_of: list[set[int]] = []
        for fact in facts:
            self._groups_of.append({self._formula.literal(cell, True) for cell in fact.cells})
        for cell in sorted(frozenset[Cell]().union(*(fact.cells for fact in facts))):
            self._members[box[self._formula.literal(cell, True)]].append(cell)
        self._number = {literal: number for number, literal in self._formula.selector.items()}
        self._session = SatSession(self._formula, SOLVER, deadline, switched_on=False)
        self.queries = 0

    def __enter__(self) -> Prover:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.__exit__()

    def core(self, numbers: Iterable[int], claim: Claim | None) -> list[int] | None:
        """Those of the facts that prove the claim, in ascending order; None if they do not."""
        assumptions = self._formula.assumptions(numbers)
        if claim is not None:
            cell, mine = claim
            assumptions.append(self._formula.literal(cell, not mine))
        if self._satisfiable(assumptions):
            return None
        return sorted(self._number[literal] for literal in self._session.core() if literal in self._number)

    def minimal(self, core: Sequence[int], claim: Claim | None) -> list[int]:
        """A subset of a core that still proves the claim, and of which no fact can be dropped."""
        kept = list(core)
        at = 0
        while at < len(kept):
            fewer = self.core(kept[:at] + kept[at + 1 :], claim)
            if fewer is None:
                at += 1
            else:
                kept = fewer  # what was tried before is needed by every subset: it is still in front
        return kept

    def smallest(
        self, candidates: Sequence[int], known: Sequence[int], claim: Claim | None
    ) -> tuple[list[int], bool]:
        """A smallest set of candidates that proves the claim, and whether it is proven to be smallest.

        `known` is a minimal set; it is returned if no smaller one was found within the allowed queries.
        """
        if len(known) <= 1:
            return list(known), True  # none of it can be dropped, so no proof is smaller
        if len(known) > LARGEST:
            return list(known), False
        try:
            smaller = self._hit(candidates, known, claim)
        except BudgetExceeded:
            return list(known), False
        return (list(known), False) if smaller is None else (smaller, True)

    def _hit(self, candidates: Sequence[int], known: Sequence[int], claim: Claim | None) -> list[int] | None:
        """A smallest set that proves the claim; None if it takes too many queries."""
        limit = self.queries + QUERIES
        with Hitman(solver=SOLVER, htype="sorted") as hitting:
            for number in known:
                hitting.hit(
                    self._correction([other for other in known if other != number], candidates, claim)
                )
            while self.queries < limit:
                trial = sorted(hitting.get())
                if len(trial) == len(known):
                    return list(known)
                if self.core(trial, claim) is not None:
                    return trial
                hitting.hit(self._correction(trial, candidates, claim))
        return None

    def witness(self, cell: Cell, mine: bool) -> frozenset[Cell] | None:
        """Mines that meet all facts and the total, with or without one in `cell`; None if there are none."""
        if not self._satisfiable([*self._formula.assumptions(), self._formula.literal(cell, mine)]):
            return None
        mines: set[Cell] = set()
        counts = self._counts()
        # The cell itself comes first or last among its box, so that it gets the value asked for.
        for members, count in zip(self._members, counts, strict=True):
            order = sorted(members, key=lambda member: (member == cell) != mine)
            mines.update(order[:count])
        if self._total is not None:
            rest = self._total.cells.difference(*self._members)
            order = sorted(rest, key=lambda member: ((member == cell) != mine, member))
            mines.update(order[: self._total.low - sum(counts)])
        return frozenset(mines)

    def _correction(
        self, numbers: Sequence[int], candidates: Sequence[int], claim: Claim | None
    ) -> list[int]:
        """Candidates of which every proof needs one: those that cannot be met along with `numbers`.

        The facts must not prove the claim. The fewer are returned, the more they tell; so all that can
        be met together are left out.
        """
        met = list(numbers)
        unmet: list[int] = []
        waiting = [number for number in candidates if number not in numbers]
        while waiting:
            if self.core([*met, waiting[0]], claim) is not None:
                unmet.append(waiting.pop(0))
                continue
            counts = dict(zip(self._groups, self._counts(), strict=True))
            holds = {number: self._holds(number, counts) for number in waiting}
            met += [number for number in waiting if holds[number]]
            waiting = [number for number in waiting if not holds[number]]
        return unmet

    def _holds(self, number: int, counts: dict[int, int]) -> bool:
        return sum(counts[group] for group in self._groups_of[number]) == self._facts[number].low

    def _counts(self) -> list[int]:
        """The number of mines in each box, in the model found last."""
        true = set(self._session.model())
        return [sum(literal in true for literal in group) for group in self._formula.count]

    def _satisfiable(self, assumptions: list[int]) -> bool:
        self.queries += 1
        return self._session.satisfiable(assumptions)
