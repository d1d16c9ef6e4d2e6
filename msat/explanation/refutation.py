"""Proofs by contradiction: assume the opposite, follow what it implies, until a fact cannot be met.

    suppose r0c2 were a mine
    then the 1 at r1c1 has all its mines: r0c0 and r0c1 are safe
    but then the 1 at r1c0 would have room for no mines

What follows is found by the two inferences that everybody makes: a fact has all its mines, or it needs all
the cells it has left. Where these come to rest, a cell is taken in both ways. Only inferences that the
contradiction rests on are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msat.cells import Cell
from msat.explanation.facts import Claim, Fact
from msat.value import explained
from msat.wording import are, cell_name, many

__all__ = ["Branch", "Clash", "Inference", "Refutation", "Split", "refute"]

INDENT = "  "

DEEPEST = 3
"""Cases within cases, where the shortest proof is looked for …"""

BRANCHES = 400
"""… and the cases looked at before any proof will do …"""

LONGEST = 12
"""… that does not have more cases than this: nobody would read it."""


@explained
@dataclass(frozen=True)
class Inference:
    """By one fact, given what is known before, these cells are all mines or all safe."""

    fact: Fact
    """The fact that it follows from."""
    cells: frozenset[Cell]
    """The cells that are decided by it."""
    mine: bool
    """Whether all of them are mines; else all are safe."""

    def text(self) -> str:
        """The inference in words."""
        if self.mine:
            reason = "needs a mine in every cell left"
        else:
            reason = "has all its mines" if self.fact.high + self.fact.marked else "has no mines"
        return f"{self.fact.text} {reason}: {are(self.cells, self.mine)}"


@explained
@dataclass(frozen=True)
class Clash:
    """A fact that cannot be met: it has `mines` mines already, and room for only `room` in all."""

    fact: Fact
    """The fact that cannot be met."""
    mines: int
    """The mines that it has already."""
    room: int
    """The mines that it can have at most."""

    def text(self) -> str:
        """The contradiction in words."""
        marked = self.fact.marked
        if self.mines > self.fact.high:
            too_many = f"{self.fact.text} would have {many(self.mines + marked, 'mine')}"
            return too_many if self.fact.clue else f"{too_many}, and may have {self.fact.high + marked}"
        too_few = f"{self.fact.text} would have room for {many(self.room + marked, 'mine')}"
        return too_few if self.fact.clue else f"{too_few}, and must have {self.fact.low + marked}"


@explained
@dataclass(frozen=True)
class Branch:
    """What follows from the assumptions made so far, and how it ends."""

    inferences: tuple[Inference, ...]
    """What follows, in this order."""
    end: Clash | Split
    """A fact that cannot be met, or two further cases."""

    def lines(self) -> list[str]:
        """The branch in words, a line for each inference."""
        found = [f"then {inference.text()}" for inference in self.inferences]
        if isinstance(self.end, Clash):
            return [*found, f"{'but then' if found else 'then'} {self.end.text()}"]
        return found + self.end.lines()

    def size(self) -> int:
        """The number of inferences and assumptions."""
        return len(self.inferences) + (self.end.size() if isinstance(self.end, Split) else 1)


@explained
@dataclass(frozen=True)
class Split:
    """A cell in both ways; both end in contradictions."""

    cell: Cell
    """The cell that is assumed to be a mine, then to be safe."""
    mined: Branch
    """What follows if it is a mine."""
    safe: Branch
    """What follows if it is safe."""

    def lines(self) -> list[str]:
        """Both cases in words, indented."""
        lines = []
        for mine, branch in ((True, self.mined), (False, self.safe)):
            lines.append(f"if {are([self.cell], mine)}:")
            lines += [INDENT + line for line in branch.lines()]
        return lines

    def size(self) -> int:
        """The number of inferences and assumptions."""
        return self.mined.size() + self.safe.size()


@explained
@dataclass(frozen=True)
class Refutation:
    """The opposite of the claim is assumed and leads to contradictions; without a claim, the facts do."""

    claim: Claim | None
    """What is proven: a cell, and whether it is a mine; None where the facts contradict each other."""
    branch: Branch
    """What follows from the opposite."""

    def lines(self) -> list[str]:
        """The proof in words."""
        if self.claim is None:
            first, *others = self.branch.lines()
            return [first.removeprefix("then "), *others]
        cell, mine = self.claim
        opposite = "safe" if mine else "a mine"
        return [f"suppose {cell_name(cell)} were {opposite}", *self.branch.lines()]


def refute(facts: Sequence[Fact], claim: Claim | None, deepest: int = DEEPEST) -> Refutation | None:
    """A proof by contradiction with at most so many cases within cases, if one is found.

    >>> from msat.board import Board
    >>> from msat.problem.problem import Problem
    >>> from msat.explanation.facts import facts_of
    >>> facts = facts_of(Problem.of(Board.parse("???/11? 1")))
    >>> print("\\n".join(refute(facts, ((0, 2), False)).lines()))
    suppose r0c2 were a mine
    then the 1 at r1c1 has all its mines: r0c0 and r0c1 are safe
    but then the 1 at r1c0 would have room for no mines
    """
    search = _CaseSearch(facts)
    known = {} if claim is None else {claim[0]: not claim[1]}
    for depth in range(deepest + 1):
        closed = search.close(known, depth)
        if closed is not None:
            return Refutation(claim, closed.branch)
    closed = _CaseSearch(facts, LONGEST).close_somehow(known) if deepest else None
    return None if closed is None else Refutation(claim, closed.branch)


class _CaseSearch:
    """Looks for contradictions; `known` maps decided cells to whether they are mines."""

    def __init__(self, facts: Sequence[Fact], branches: int = BRANCHES) -> None:
        self._facts = facts
        # Cells that the same facts touch are interchangeable: it is enough to try one of them.
        boxes: dict[tuple[int, ...], list[Cell]] = {}
        for cell in sorted(frozenset[Cell]().union(*(fact.cells for fact in facts))):
            touching = tuple(i for i, fact in enumerate(facts) if cell in fact.cells)
            boxes.setdefault(touching, []).append(cell)
        # A cell that many facts touch decides most.
        self._boxes = [boxes[touching] for touching in sorted(boxes, key=len, reverse=True)]
        self._left = branches

    def close(self, known: dict[Cell, bool], depth: int) -> _Closed | None:
        """A contradiction that follows from `known`, by cases up to `depth` levels deep."""
        known, inferences, closed = self._follow(known)
        if closed is not None:
            return closed
        best: tuple[Split, frozenset[Cell]] | None = None
        for box in self._boxes if depth else ():
            cell = next((cell for cell in box if cell not in known), None)
            if cell is None:
                continue
            mined = self.close(known | {cell: True}, depth - 1)
            safe = self.close(known | {cell: False}, depth - 1) if mined else None
            if mined and safe:
                split = Split(cell, mined.branch, safe.branch)
                if best is None or split.size() < best[0].size():
                    best = split, (mined.grounds | safe.grounds) - {cell}
            if self._left <= 0:
                break
        return None if best is None else _pruned(inferences, *best, known)

    def close_somehow(self, known: dict[Cell, bool]) -> _Closed | None:
        """The same by cases as deep as need be, not the shortest; None if that takes too many."""
        known, inferences, closed = self._follow(known)
        if closed is not None:
            return closed
        free = [[cell for cell in fact.cells if cell not in known] for fact in self._facts]
        tightest = min((cells for cells in free if cells), key=len, default=None)
        if tightest is None or self._left <= 0:
            return None
        cell = max(sorted(tightest), key=lambda cell: sum(cell in cells for cells in free))
        cases = []
        for mine in (True, False):
            closed = self.close_somehow(known | {cell: mine})
            if closed is None:
                return None
            if cell not in closed.grounds:  # the case did not matter: it is the whole proof
                start = _pruned(inferences, closed.branch.end, closed.grounds, known)
                steps = start.branch.inferences + closed.branch.inferences
                return _Closed(Branch(steps, closed.branch.end), start.grounds)
            cases.append(closed)
        mined, safe = cases
        split = Split(cell, mined.branch, safe.branch)
        return _pruned(inferences, split, (mined.grounds | safe.grounds) - {cell}, known)

    def _follow(self, known: dict[Cell, bool]) -> tuple[dict[Cell, bool], list[Inference], _Closed | None]:
        """What is known by inferences from `known`, these, and the contradiction they end in, if any."""
        self._left -= 1
        known = dict(known)
        inferences: list[Inference] = []
        clash = self._propagate(known, inferences)
        if clash is None:
            return known, inferences, None
        grounds = _grounds(clash.fact, clash.mines > clash.fact.high, known)
        return known, inferences, _pruned(inferences, clash, grounds, known)

    def _propagate(self, known: dict[Cell, bool], inferences: list[Inference]) -> Clash | None:
        """Add what follows to `known` and to `inferences`, until nothing does or a fact cannot be met."""
        changed = True
        while changed:
            changed = False
            for fact in self._facts:
                mines = sum(known.get(cell, False) for cell in fact.cells)
                free = frozenset(cell for cell in fact.cells if cell not in known)
                if mines > fact.high or mines + len(free) < fact.low:
                    return Clash(fact, mines, mines + len(free))
                if free and mines in (fact.high, fact.low - len(free)):
                    mine = mines != fact.high
                    inferences.append(Inference(fact, free, mine))
                    known.update(dict.fromkeys(free, mine))
                    changed = True
        return None


class _Closed(NamedTuple):
    """A branch, and the cells known before it that it rests on."""

    branch: Branch
    grounds: frozenset[Cell]


def _grounds(fact: Fact, mines: bool, known: dict[Cell, bool]) -> frozenset[Cell]:
    """The cells that a conclusion about a fact rests on: its mines, or its safe cells."""
    return frozenset(cell for cell in fact.cells if known.get(cell) is mines)


def _pruned(
    inferences: Sequence[Inference], end: Clash | Split, grounds: frozenset[Cell], known: dict[Cell, bool]
) -> _Closed:
    """The branch with only those inferences, and of them only those cells, that its end rests on."""
    kept: list[Inference] = []
    for inference in reversed(inferences):
        used = inference.cells & grounds
        if used:
            kept.append(Inference(inference.fact, used, inference.mine))
            # What was inferred is the opposite of what it was inferred from: all its mines, hence safe cells.
            grounds = (grounds - used) | _grounds(inference.fact, not inference.mine, known)
    return _Closed(Branch(tuple(reversed(kept)), end), grounds)
