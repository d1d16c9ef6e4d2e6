"""`explain`: why a cell is safe, why it is a mine, or why nobody can know.

A forced cell gets a minimal set of clues that forces it, and the steps of a proof from these clues alone. An
open cell gets two layouts as witnesses, one with and one without a mine there, and its probability.

A proof without the mine total is preferred to one with it, however many clues it takes: people look at
the clues around a cell and seldom count all mines. Among the sets of clues that remain, a smallest is looked
for (see `cores.py`); one that a rule knows wins a tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msat import svg
from msat.analysis import Analysis, analyze
from msat.board import MINE, Board, check_board
from msat.cells import Cell, cells_object, check_cell
from msat.check import failure
from msat.deadline import Budget, Deadline
from msat.engines.counting.sampling import sample
from msat.engines.rules.deductions import Deduction
from msat.errors import BudgetExceeded, CellError
from msat.explanation.arguments import Step, Tried, argue
from msat.explanation.cores import Prover
from msat.explanation.facts import Claim, Fact, clues_near, facts_of, total_of
from msat.explanation.named_rules import rules_used, suggested_by_rules
from msat.interrupting import interruptible
from msat.layout import Layout
from msat.notebook import figure
from msat.problem.problem import Problem
from msat.value import explained
from msat.wording import SHOWN, are, cell_name, clue_name, enumerate_words

__all__ = ["Explanation", "explain"]

RADIUS = 3
"""How far from a cell its proof is looked for first, in steps from clue to clue."""


@explained
@dataclass(frozen=True)
class Explanation:
    """Why a cell is what it is; `str()` gives it as text.

    >>> import msat
    >>> e = msat.explain(msat.Board.parse("???/11? 1"), (0, 2))
    >>> e.verdict, sorted(e.clues), e.uses_mine_count
    ('safe', [(1, 0), (1, 1)], False)
    """

    board: Board
    """The board that was asked about."""
    cell: Cell
    """The cell that was asked about."""
    verdict: Literal["safe", "mine", "open"]
    """What the cell is; open is one that may be a mine or not."""
    clues: frozenset[Cell] = frozenset()
    """A minimal set of clue cells that forces the cell: dropping any one of them breaks the proof."""
    uses_mine_count: bool = False
    """Whether the mine total is needed besides; never where the clues suffice."""
    smallest: bool = False
    """Whether no smaller set of clues would do."""
    rules: tuple[Deduction, ...] = ()
    """How the rules get from these clues to the cell; empty where they do not."""
    steps: tuple[Step, ...] = ()
    """A proof from these clues."""
    witnesses: tuple[Layout, Layout] | None = None
    """For an open cell: a layout with a mine there and one without, both in agreement with the board."""
    probability: Fraction | None = None
    """For an open cell: the probability of a mine; None where the board is too wide to be counted."""

    def reasons(self) -> str:
        """The clues, and the total, in words; just the number of clues if they are too many to read."""
        found = [clue_name(self.board[clue], clue) for clue in sorted(self.clues)]
        if len(found) > SHOWN:
            found = [f"{len(found)} numbers"]
        return enumerate_words(found + ["the mine total"] * self.uses_mine_count)

    def lines(self) -> list[str]:
        """The explanation as lines of text: first what it says, then why."""
        if self.verdict == "open":
            return self._open_lines()
        claim = are([self.cell], self.verdict == "mine")
        if self.board[self.cell] == MINE:
            return [f"{claim}: it is marked, and marks are taken for granted"]
        steps = [line for step in self.steps for line in step.lines()]
        rules = _name_rules(self.rules)
        if len(steps) == 1 and not isinstance(self.steps[0], Tried):  # which names no clues
            return [f"{claim}{rules}: {steps[0]}"]
        return [f"{claim}{rules}, by {self.reasons()}:", *(f"  {line}" for line in steps)]

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values; the fields are documented in the help of `msat explain`."""
        return {
            "cell": list(self.cell),
            "verdict": self.verdict,
            "clues": cells_object(self.clues),
            "uses_mine_count": self.uses_mine_count,
            "smallest": self.smallest,
            "rules": [
                {"rule": r.rule, "cell": list(r.cell), "mine": r.mine, "clues": cells_object(r.clues)}
                for r in self.rules
            ],
            "text": self.lines(),
            "probability": None if self.probability is None else float(self.probability),
            "exact": None if self.probability is None else str(self.probability),
            "witnesses": self.witnesses and [cells_object(layout.cells) for layout in self.witnesses],
        }

    def _repr_html_(self) -> str:
        kind = "choice" if self.verdict == "open" else self.verdict
        clues = sorted(self.clues)
        arrows = [(clue, self.cell) for clue in clues]
        picture = svg.drawn(svg.board, self.board, highlights={self.cell: kind}, clues=clues, arrows=arrows)
        return figure(picture, self.lines())

    def _open_lines(self) -> list[str]:
        start = f"{cell_name(self.cell)} is undecided: there are layouts with and without a mine there"
        if self.probability is None:
            return [f"{start}; the board is too wide to count them"]
        return [f"{start}; it is a mine with {float(self.probability):.2%} ({self.probability})"]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _name_rules(deductions: tuple[Deduction, ...]) -> str:
    """The rules of a chain, in order."""
    numbers = list(dict.fromkeys(str(deduction.rule) for deduction in deductions))
    if not numbers:
        return ""
    return f" (rule{'s' if len(numbers) > 1 else ''} {enumerate_words(numbers)})"


def explain(board: Board, cell: Cell, budget: Budget = None) -> Explanation:
    """Why a hidden cell is safe or a mine, or that it is neither.

    Marked mines are taken for granted. `budget` limits the time in seconds; what is not proven by then raises
    `BudgetExceeded`. A board that no layout agrees with raises `InconsistentBoard`; `explain_contradiction`
    says why.

    >>> import msat
    >>> print(msat.explain(msat.Board.parse("???/12? 2"), (0, 2)))
    r0c2 is undecided: there are layouts with and without a mine there; it is a mine with 50.00% (1/2)
    """
    check_board(board, "explain")
    cell = divmod(check_cell(cell, board.height, board.width), board.width)
    value = board[cell]
    if value >= 0:
        raise CellError(f"{cell_name(cell)} is open (it shows {value}): ask about a hidden or marked cell")
    deadline = Deadline.of(budget)
    analysis = analyze(board, budget=deadline)
    if value == MINE:
        return Explanation(board, cell, "mine", smallest=True)

    def answer() -> Explanation:
        if cell in analysis.safe or cell in analysis.mined:
            return _explain_forced(board, (cell, cell in analysis.mined), deadline)
        return _explain_open(board, cell, analysis, deadline)

    try:
        return interruptible(answer, deadline)
    except BudgetExceeded:
        raise BudgetExceeded(f"{cell_name(cell)} was not explained {deadline.within()}") from None


def _explain_forced(board: Board, claim: Claim, deadline: Deadline) -> Explanation:
    problem = Problem.of(board, deadline=deadline)
    proof = _prove_by_clues(problem, claim, deadline) or _prove_by_total(problem, claim, deadline)
    facts, total, smallest = proof
    clues = frozenset(fact.clue for fact in facts if fact.clue is not None)
    return Explanation(
        board,
        claim[0],
        "mine" if claim[1] else "safe",
        clues,
        uses_mine_count=total is not None,
        smallest=smallest,
        rules=() if total else rules_used(board, clues, claim),
        steps=argue(board, facts, total, claim),
    )


class _Proof(NamedTuple):
    """What proves a claim: clues, the mine total if needed, and whether no fewer clues would do."""

    facts: list[Fact]
    total: Fact | None
    smallest: bool


def _prove_by_clues(problem: Problem, claim: Claim, deadline: Deadline) -> _Proof | None:
    """A minimal set of clues that proves the claim without the mine total, if there is one.

    Such a set hangs together: from the cell, every clue is reached in as many steps as the set has clues. So
    it is looked for nearby, and what is smallest there is smallest at all unless it is larger than that.
    """
    suggested = suggested_by_rules(problem.board, claim[0])
    radius = RADIUS
    numbers = clues_near(problem, claim[0], radius)
    while numbers:
        found = _prove_nearby(facts_of(problem, numbers), suggested, claim, deadline)
        more = clues_near(problem, claim[0], 2 * radius)
        settled = found is not None and (len(found.facts) <= radius + 1 or not found.smallest)
        if settled or more == numbers:
            return found
        radius, numbers = 2 * radius, more
    return None


def _prove_nearby(
    facts: list[Fact], suggested: frozenset[Cell], claim: Claim, deadline: Deadline
) -> _Proof | None:
    """The same, from these clues alone."""
    with Prover(facts, None, deadline) as prover:
        core = prover.core(range(len(facts)), claim)
        if core is None:
            return None
        by_rule = prover.core([i for i, fact in enumerate(facts) if fact.clue in suggested], claim)
        known = prover.minimal(core if by_rule is None else by_rule, claim)
        chosen, smallest = prover.smallest(range(len(facts)), known, claim)
    return _Proof([facts[i] for i in chosen], None, smallest)


def _prove_by_total(problem: Problem, claim: Claim, deadline: Deadline) -> _Proof:
    """A minimal set of clues that proves the claim together with the mine total."""
    facts, total = facts_of(problem), total_of(problem)
    with Prover(facts, total, deadline) as prover:
        core = prover.core(range(len(facts)), claim)
        if core is None:
            raise failure(
                problem.board, f"{are([claim[0]], claim[1])} by the engine, but SAT finds otherwise"
            )
        chosen, smallest = prover.smallest(range(len(facts)), prover.minimal(core, claim), claim)
    return _Proof([facts[i] for i in chosen], total, smallest)


def _explain_open(board: Board, cell: Cell, analysis: Analysis, deadline: Deadline) -> Explanation:
    problem = Problem.of(board, deadline=deadline)
    witnesses = []
    with Prover(facts_of(problem), total_of(problem), deadline) as prover:
        for mine in (True, False):
            mines = prover.witness(cell, mine)
            if mines is None:
                raise failure(board, f"{cell_name(cell)} is open by the engine, but SAT finds otherwise")
            witnesses.append(Layout.from_mines(*board.shape, {*board.marked, *mines}))
    try:
        probability = analysis.exact(*cell)
        witnesses = [_random_witness(board, cell, layout, deadline) for layout in witnesses]
    except BudgetExceeded:
        probability = None  # the witnesses prove the verdict all the same
    return Explanation(board, cell, "open", witnesses=(witnesses[0], witnesses[1]), probability=probability)


DRAWN = 200
"""Layouts that are drawn to find one without a mine in a cell; it fails where nearly all have one there."""


def _random_witness(board: Board, cell: Cell, found: Layout, deadline: Deadline) -> Layout:
    """A layout drawn evenly from all that have the same in `cell` as the one found, which looks contrived."""
    if found.is_mine(cell):
        [drawn] = sample(board.replace({cell: MINE}), 1, budget=deadline)
        return drawn
    layouts = sample(board, DRAWN, budget=deadline)
    return next((layout for layout in layouts if not layout.is_mine(cell)), found)
