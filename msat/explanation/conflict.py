"""`explain_contradiction`: why no layout agrees with a board, and which single change would repair it.

The usual case is one wrong flag or one mistyped number. Whatever is wrong must be in a minimal set of marks
and clues that contradicts itself, since that set stays contradictory as long as none of it changes; so these
few are all that has to be tried. To take any one of its flags off is always enough, and comes first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from msat import svg
from msat.analysis import analyze
from msat.board import HIDDEN, Board, Cell, check_board
from msat.cells import cells_object
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting.engine import count_array
from msat.errors import BudgetExceeded, InconsistentBoard, ParameterError
from msat.explanation.arguments import Step, argue
from msat.explanation.facts import facts_of, total_of
from msat.interrupting import interruptible
from msat.notebook import figure
from msat.problem.problem import Problem
from msat.value import explained
from msat.wording import cell_name

__all__ = ["Contradiction", "explain_contradiction"]

SHOWN = 6
"""Repairs that the text lists."""


@explained
@dataclass(frozen=True)
class Contradiction:
    """Why no layout agrees with a board; `str()` gives it as text."""

    board: Board
    """The board that was asked about."""
    error: InconsistentBoard = field(compare=False)
    """The error that `analyze` raises: its message, its clues, whether the mine total takes part."""
    steps: tuple[Step, ...]
    """A proof from these clues; empty where a clue contradicts its own neighbours."""
    repairs: tuple[tuple[Cell, int], ...] | None
    """Single changes that would remove the contradiction: marks to take off (HIDDEN), then clues with other
    numbers in their place, the nearest first; None where the time did not suffice to look for them."""

    def _repr_html_(self) -> str:
        picture = svg.drawn(
            svg.board, self.board, clues=sorted(self.clues), highlights=dict.fromkeys(self.marks, "mine")
        )
        return figure(picture, str(self).splitlines())

    @property
    def clues(self) -> frozenset[Cell]:
        """The clue cells of a minimal set that cannot all be true."""
        return self.error.clues

    @property
    def marks(self) -> frozenset[Cell]:
        """The marked cells of the same set."""
        return self.error.marks

    @property
    def blamed(self) -> Board:
        """The board with only those marks that take part in the contradiction; the others are hidden."""
        return self.board.replace({mark: HIDDEN for mark in self.board.marked if mark not in self.marks})

    @property
    def uses_mine_count(self) -> bool:
        """Whether the mine total takes part."""
        return self.error.uses_mine_count

    def lines(self) -> list[str]:
        """The explanation as lines of text."""
        steps = [line for step in self.steps for line in step.lines()]
        return [str(self.error), *(f"  {line}" for line in steps), *self.repair_lines()]

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values; the fields are documented in the help of `msat explain`."""
        repairs = self.repairs and [
            {"cell": list(cell), "number": None if number == HIDDEN else number}
            for cell, number in self.repairs
        ]
        return {
            "verdict": "contradiction",
            "clues": cells_object(self.clues),
            "blamed_marks": cells_object(self.marks),
            "uses_mine_count": self.uses_mine_count,
            "possible_mines": list(self.error.possible_mines),
            "repairs": None if self.repairs is None else list(repairs or ()),
            "text": self.lines(),
        }

    def repair_lines(self) -> list[str]:
        """The last lines of it: what would make the board possible."""
        if self.repairs is None:
            return []
        flags = [cell_name(cell) for cell, number in self.repairs if number == HIDDEN]
        numbers: dict[Cell, list[str]] = {}
        for cell, number in self.repairs:
            if number != HIDDEN:
                numbers.setdefault(cell, []).append(str(number))
        changes = [f"a {_listed(found)} at {cell_name(cell)}" for cell, found in numbers.items()]
        found = [f"take the flag off {_either(flags)}"] if flags else []
        if changes:
            would = "would do as well" if flags else "would make the board possible"
            found.append(f"one changed number {would}: {_either(changes)}")
        if not found:
            total = ", but another mine total would" if self.error.possible_mines else ""
            found.append(f"no single number, changed, would make the board possible{total}")
        return found

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _either(changes: list[str]) -> str:
    others = len(changes) - SHOWN
    more = f", or one of {others} other changes" if others > 0 else ""
    *first, last = changes[:SHOWN]
    if len(first) < 2 or more:
        return (", " if more else " or ").join([*first, last]) + more
    return f"{', '.join(first)}, or {last}"


def _listed(numbers: list[str]) -> str:
    """Numbers to choose from.

    >>> _listed(["4"]), _listed(["4", "5"]), _listed(["2", "1", "0"])
    ('4', '4 or 5', '2, 1 or 0')
    """
    *first, last = numbers
    return f"{', '.join(first)} or {last}" if first else last


def explain_contradiction(board: Board, budget: Budget = None) -> Contradiction:
    """Why no layout agrees with a board; raises `ParameterError` if one does. `budget` limits the seconds.

    >>> import msat
    >>> print(msat.explain_contradiction(msat.Board.parse("1?/0? 1")))
    these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0
      the 1 at r0c0 needs 1 mine; the 0 at r1c0 allows none in r0c1 and r1c1; it has no place
    one changed number would make the board possible: a 1 at r1c0
    """
    check_board(board, "explain_contradiction")
    deadline = Deadline.of(budget)
    try:
        analyze(board, budget=deadline)
    except InconsistentBoard as inconsistent:
        error = inconsistent
    else:
        raise ParameterError(f"{board!r} does not contradict itself: there is nothing to explain")
    if not error.clues and not error.marks and not error.uses_mine_count:
        raise BudgetExceeded(str(error))  # which was all that there was time for
    found = Contradiction(board, error, (), ())

    def argued() -> tuple[Step, ...]:
        problem = Problem.of(found.blamed, deadline=deadline)
        if len(error.clues) <= 1 and not error.uses_mine_count:
            return ()
        facts = [fact for fact in facts_of(problem) if fact.clue in error.clues]
        return argue(found.blamed, facts, total_of(problem) if error.uses_mine_count else None, None)

    steps = interruptible(argued, deadline, "the contradiction was not explained")
    try:
        repairs = interruptible(lambda: _repairs(found, deadline), deadline)
    except BudgetExceeded:
        repairs = None
    return replace(found, steps=steps, repairs=repairs)


def _repairs(contradiction: Contradiction, deadline: Deadline) -> tuple[tuple[Cell, int], ...] | None:
    """Single changes that would remove the contradiction: flags first, then numbers near to what is there."""
    board = contradiction.blamed
    array = board.to_array()
    found = []
    try:
        for cell in sorted(contradiction.clues):
            for number in range(9):
                changed = array.copy()
                changed[cell] = number
                if count_array(changed, board.mines, deadline).status == ANSWERED:
                    found.append((cell, number))
    except BudgetExceeded:
        return None
    found.sort(key=lambda repair: (abs(repair[1] - board[repair[0]]), repair))
    return (*((mark, HIDDEN) for mark in sorted(contradiction.marks)), *found)
