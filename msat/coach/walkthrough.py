"""`walkthrough`: the steps by which everything that is forced on a board can be found, the easiest first.

Each step takes the fewest numbers, of the easiest technique, that settle something new, and all that these
numbers settle. What was found before counts as known: mines are subtracted, safe cells are left out. So a
step can be followed by looking at its numbers alone, and the hardest of them is how hard the board is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from msat import svg
from msat.analysis import analyze
from msat.board import Board, Cell, check_board
from msat.coach.techniques import (
    BY_CASES,
    BY_COUNT,
    BY_SUMS,
    NAMES,
    TECHNIQUES,
    Knowledge,
    easiest_clues,
    forced_by,
    note_forced,
)
from msat.constants import HIDDEN, MINE, SAFE
from msat.deadline import Budget, Deadline
from msat.errors import BudgetExceeded
from msat.explanation.arguments import argue
from msat.explanation.cores import Prover
from msat.explanation.facts import Claim, Fact, clues_near, facts_of
from msat.explanation.sums import Sum, find_sum
from msat.interrupting import interruptible
from msat.notebook import figure
from msat.problem.problem import Problem
from msat.value import explained
from msat.wording import are, cell_name, counted, enumerate_words

__all__ = ["Walkthrough", "WalkthroughStep", "easiest_safe", "in_words", "next_step", "walkthrough"]

RADIUS = 3
"""How far from a cell its proof is looked for first, in steps from clue to clue."""

MOST_CLAIMS = 12
"""Cells whose proofs are compared, where it takes a search to find one."""


@explained
@dataclass(frozen=True)
class WalkthroughStep:
    """Some numbers, and what they settle."""

    technique: int
    """From 1 to 5, as in `TECHNIQUES`."""
    clues: frozenset[Cell]
    """A minimal set of clues that settles a cell: of fewer none would."""
    safe: frozenset[Cell]
    """What the step adds: cells that are safe …"""
    mined: frozenset[Cell]
    """… and mines."""
    text: tuple[str, ...]
    """The proof in words."""

    @property
    def uses_mine_count(self) -> bool:
        """Whether the mine total is needed besides the clues."""
        return self.technique == BY_COUNT

    @property
    def difficulty(self) -> tuple[int, int]:
        """(technique, number of clues)."""
        return self.technique, len(self.clues)

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "technique": self.technique,
            "technique_name": TECHNIQUES[self.technique - 1],
            "clues": [list(cell) for cell in sorted(self.clues)],
            "uses_mine_count": self.uses_mine_count,
            "safe": [list(cell) for cell in sorted(self.safe)],
            "mined": [list(cell) for cell in sorted(self.mined)],
            "text": list(self.text),
        }


@explained
@dataclass(frozen=True)
class Walkthrough:
    """Everything that is forced on a board, step by step; `str()` gives it as text."""

    board: Board
    """The board that was asked about."""
    steps: tuple[WalkthroughStep, ...]
    """The steps, each the easiest that was possible then."""

    @property
    def difficulty(self) -> tuple[int, int]:
        """That of the hardest step: (technique, number of clues); (0, 0) where nothing is forced."""
        return max((step.difficulty for step in self.steps), default=(0, 0))

    @property
    def safe(self) -> frozenset[Cell]:
        """All cells that are found to be safe."""
        return frozenset[Cell]().union(*(step.safe for step in self.steps))

    @property
    def mined(self) -> frozenset[Cell]:
        """All cells that are found to be mines."""
        return frozenset[Cell]().union(*(step.mined for step in self.steps))

    def lines(self) -> list[str]:
        """The steps as lines of text."""
        if not self.steps:
            left = any(True for _ in self.board.hidden)
            return ["nothing can be proven: a guess is needed" if left else "nothing is left to find"]
        lines = []
        for number, step in enumerate(self.steps, 1):
            first, *others = step.text
            lines.append(f"{number}. {first}")
            lines += [f"   {line}" for line in others]
        lines.append(f"{NAMES[self.difficulty[0] - 1]}: the hardest step takes {in_words(self.difficulty)}")
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        steps, safe, mined = counted(len(self.steps), "step"), len(self.safe), len(self.mined)
        return f"<Walkthrough of {self.board!r}: {steps}, {safe} safe, {mined} mined>"

    def _repr_html_(self) -> str:
        found = dict.fromkeys(self.safe, "safe") | dict.fromkeys(self.mined, "mine")
        return figure(svg.drawn(svg.board, self.board, highlights=found), self.lines())

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        technique, clues = self.difficulty
        return {
            "difficulty": NAMES[technique - 1] if technique else None,
            "technique": technique,
            "clues": clues,
            "steps": [step.to_object() for step in self.steps],
        }


def in_words(difficulty: tuple[int, int]) -> str:
    """What a step takes.

    >>> in_words((1, 1)), in_words((3, 4)), in_words((5, 2))
    ('one number', '4 numbers, by sums', 'the mine count and 2 numbers')
    """
    technique, clues = difficulty
    numbers = counted(clues, "number")
    if technique == BY_COUNT:
        return f"the mine count and {numbers}" if clues else "the mine count alone"
    way = {BY_SUMS: ", by sums", BY_CASES: ", case by case"}.get(technique)
    return f"{numbers}{way}" if way else ("one number", "two numbers")[technique - 1]


def walkthrough(board: Board, budget: Budget = None) -> Walkthrough:
    """The steps by which everything that is forced on a board can be found, the easiest first.

    Marked mines count as known. `budget` limits the time in seconds; what takes longer raises
    `BudgetExceeded`. A board that no layout agrees with raises `InconsistentBoard`.

    >>> import msat
    >>> print(msat.walkthrough(msat.Board.parse("????/1111/0000 2")))
    1. the 1 at r1c1 has 1 mine; the 1 at r1c0 puts it in r0c0 and r0c1; so none is left: r0c2 is safe
    2. the 1 at r1c3 needs 1 mine in r0c3: r0c3 is a mine
    3. the 1 at r1c2 already has all its mines: r0c1 is safe
    4. the 1 at r1c0 needs 1 mine in r0c0: r0c0 is a mine
    normal: the hardest step takes two numbers
    """
    check_board(board, "walkthrough")
    deadline = Deadline.of(budget)
    analysis = analyze(board, budget=deadline)
    known = board.to_array()

    def answer() -> Walkthrough:
        steps = []
        settled = 0
        while settled < len(analysis.safe) + len(analysis.mined):
            step = next_step(board, known, deadline)
            assert step is not None  # what is forced is found by the last technique at the latest
            steps.append(step)
            note_forced(known, step.safe, step.mined)
            settled += len(step.safe) + len(step.mined)
        return Walkthrough(board, tuple(steps))

    try:
        return interruptible(answer, deadline)
    except BudgetExceeded:
        raise BudgetExceeded(
            f"not everything was found {deadline.within()}", safe=analysis.safe, mined=analysis.mined
        ) from None


def next_step(board: Board, known: Knowledge, deadline: Deadline | None = None) -> WalkthroughStep | None:
    """The easiest step on a board of which this is known; None where nothing more is forced."""
    deadline = deadline or Deadline(None)
    deadline.check("no step was found")
    clues = easiest_clues(known)
    if clues:
        technique = min(len(clues), BY_SUMS)
        return _step(board, known, technique, clues, deadline)
    found = _by_cases(board, known, deadline)
    if found is not None:
        return _step(board, known, BY_CASES, found, deadline)
    found = _by_count(board, known, deadline)
    return None if found is None else _step(board, known, BY_COUNT, found, deadline)


def easiest_safe(board: Board, deadline: Deadline | None = None) -> Cell:
    """The safe cell that the easiest steps come to first, on a board that has one.

    >>> easiest_safe(Board.parse("????/1111/0000 2"))
    (0, 2)
    """
    known = board.to_array()
    while True:
        step = next_step(board, known, deadline)
        assert step is not None  # some cell is safe
        if step.safe:
            return min(step.safe)
        note_forced(known, step.safe, step.mined)


def _step(
    board: Board, known: Knowledge, technique: int, clues: tuple[Cell, ...], deadline: Deadline
) -> WalkthroughStep:
    """The step that these clues make, with all that they settle."""
    total = board.mines if technique == BY_COUNT else None
    safe, mined = forced_by(known, clues, total, deadline)
    text = _text(board, known, technique, clues, safe | mined, mined)
    return WalkthroughStep(technique, frozenset(clues), safe, mined, tuple(text))


def _problem(board: Board, known: Knowledge) -> Problem:
    """The problem that is left."""
    safe, mined = (
        [(r, c) for r, c in np.argwhere(known == value).tolist() if board[r, c] == HIDDEN]
        for value in (SAFE, MINE)
    )
    return Problem.of(board, safe, mined)


def _total(board: Board, known: Knowledge) -> Fact:
    """The mine total, about the cells that are unknown."""
    unknown = frozenset((r, c) for r, c in np.argwhere(known == HIDDEN).tolist())
    marked = int(np.count_nonzero(known == MINE))
    left = board.mines - marked
    return Fact(unknown, left, left, None, "the whole board", marked)


def _text(
    board: Board,
    known: Knowledge,
    technique: int,
    clues: tuple[Cell, ...],
    settled: frozenset[Cell],
    mined: frozenset[Cell],
) -> Iterator[str]:
    """The proof of all that is settled: what a sum settles shares a sentence, and numbers are listed once."""
    problem = _problem(board, known)
    facts = facts_of(problem, [k for k, clue in enumerate(problem.clues) if clue.cell in clues])
    total = _total(board, known) if technique == BY_COUNT else None
    left: dict[Cell, bool] = {cell: cell in mined for cell in sorted(settled)}
    listed = False
    while left:
        claim = next(iter(left.items()))
        summed = find_sum(facts, claim) if technique == BY_SUMS else None
        steps = (summed,) if summed is not None else argue(_noted(board, known), facts, total, claim)
        last = steps[-1]
        together, besides = {claim[0]}, set[Cell]()
        if isinstance(last, Sum):
            together |= {c for c, mine in left.items() if replace(last, claim=(c, mine)).holds()}
            besides = {c for c, mine in left.items() if Sum(last.minus, last.plus, (c, mine)).holds()}
        also = f", and {are(besides, not claim[1])}" if besides else ""
        lines = [line for step in steps for line in step.lines()]
        if isinstance(last, Sum) and len(lines) == 1:
            yield lines[0] + also
        else:
            reasons = "the same" if listed else _reasons(facts, total)
            yield f"{are(together, claim[1])}{also}, by {reasons}:"
            yield from (f"  {line}" for line in lines)
            listed = True
        for cell in together | besides:
            del left[cell]


def _noted(board: Board, known: Knowledge) -> Board:
    """The board with known mines marked."""
    return board.replace({(r, c): int(MINE) for r, c in np.argwhere(known == MINE).tolist()})


def _reasons(facts: list[Fact], total: Fact | None) -> str:
    told = sorted((fact.clue or (0, 0), fact.text) for fact in facts)
    return enumerate_words([text for _, text in told] + ["the mine total"] * (total is not None))


def _by_cases(board: Board, known: Knowledge, deadline: Deadline) -> tuple[Cell, ...] | None:
    """The fewest clues that settle a cell in any way without the mine total."""
    claims = _claims(forced_by(known, deadline=deadline))
    if not claims:
        return None
    problem = _problem(board, known)
    proofs = [_smallest_nearby(problem, claim, deadline) for claim in claims]
    return min(proofs, key=lambda clues: (len(clues), clues))


def _claims(forced: tuple[frozenset[Cell], frozenset[Cell]]) -> list[Claim]:
    safe, mined = forced
    return sorted([(cell, False) for cell in safe] + [(cell, True) for cell in mined])[:MOST_CLAIMS]


def _smallest_nearby(problem: Problem, claim: Claim, deadline: Deadline) -> tuple[Cell, ...]:
    """A smallest set of clues that proves a claim which all clues together prove."""
    radius = RADIUS
    while True:
        facts = facts_of(problem, clues_near(problem, claim[0], radius))
        found = _smallest(facts, None, claim, deadline)
        if found is not None:
            return found
        radius *= 2


def _smallest(
    facts: list[Fact], total: Fact | None, claim: Claim, deadline: Deadline
) -> tuple[Cell, ...] | None:
    with Prover(facts, total, deadline) as prover:
        core = prover.core(range(len(facts)), claim)
        if core is None:
            return None
        chosen, _ = prover.smallest(range(len(facts)), prover.minimal(core, claim), claim)
    return tuple(sorted(fact.clue for fact in (facts[i] for i in chosen) if fact.clue is not None))


def _by_count(board: Board, known: Knowledge, deadline: Deadline) -> tuple[Cell, ...] | None:
    """The fewest clues that settle a cell together with the mine total."""
    claims = _claims(forced_by(known, None, board.mines, deadline))
    if not claims:
        return None
    facts, total = facts_of(_problem(board, known)), _total(board, known)
    proofs = []
    for claim in claims:
        found = _smallest(facts, total, claim, deadline)
        assert found is not None, f"{cell_name(claim[0])} is forced"
        proofs.append(found)
    return min(proofs, key=lambda clues: (len(clues), clues))
