"""`explain_contradiction`: why no layout agrees with a board, and which single change would repair it.

The usual case is one mistyped number. Whatever is mistyped must be among the clues of a minimal set that
contradicts itself, since that set stays contradictory as long as none of it changes; so the numbers of these
few clues are all that has to be tried.
"""

from __future__ import annotations

from dataclasses import dataclass

from msat.analysis import analyze
from msat.board import Board, Cell, check_board
from msat.deadline import Deadline
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting.engine import count_array
from msat.errors import BudgetExceeded, InconsistentBoard, ParameterError
from msat.explanation.arguments import Step, argue
from msat.explanation.facts import facts_of, total_of
from msat.problem.problem import Problem
from msat.wording import cell_name

__all__ = ["Contradiction", "explain_contradiction"]

SHOWN = 6
"""Repairs that the text lists."""


@dataclass(frozen=True)
class Contradiction:
    """Why no layout agrees with a board; `str()` gives it as text."""

    board: Board
    error: InconsistentBoard
    """The error that `analyze` raises: its message, its clues, whether the mine total takes part."""
    steps: tuple[Step, ...]
    """A proof from these clues; empty where a clue contradicts its own neighbours."""
    repairs: tuple[tuple[Cell, int], ...] | None
    """Clues, and numbers in their place with which the board would be possible, the nearest first; None where
    the time did not suffice to look for them."""

    @property
    def clues(self) -> frozenset[Cell]:
        """A minimal set of clue cells that cannot all be true."""
        return self.error.clues

    @property
    def uses_mine_count(self) -> bool:
        """Whether the mine total takes part."""
        return self.error.uses_mine_count

    def lines(self) -> list[str]:
        """The explanation as lines of text."""
        steps = [line for step in self.steps for line in step.lines()]
        return [str(self.error), *(f"  {line}" for line in steps), *self._repair_lines()]

    def _repair_lines(self) -> list[str]:
        if self.repairs is None:
            return []
        if not self.repairs:
            total = ", but another mine total would" if self.error.possible_mines else ""
            return [f"no single number, changed, would make the board possible{total}"]
        shown = [f"a {number} at {cell_name(cell)}" for cell, number in self.repairs[:SHOWN]]
        others = len(self.repairs) - len(shown)
        more = f", or one of {others} other changes" if others else ""
        return [f"one changed number would make the board possible: {' or '.join(shown)}{more}"]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def explain_contradiction(board: Board, budget: float | None = None) -> Contradiction:
    """Why no layout agrees with a board; raises `ParameterError` if one does.

    >>> import msat
    >>> print(msat.explain_contradiction(msat.Board.parse("1?/0? 1")))
    these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0
      the 1 at r0c0 needs 1 mine; the 0 at r1c0 allows none in r0c1 and r1c1; it has no place
    one changed number would make the board possible: a 1 at r1c0
    """
    check_board(board, "explain_contradiction")
    deadline = Deadline(budget)
    try:
        analyze(board, budget=budget)
    except InconsistentBoard as found:
        error = found
    else:
        raise ParameterError(f"{board!r} does not contradict itself: there is nothing to explain")
    problem = Problem.of(board)
    steps: tuple[Step, ...] = ()
    if len(error.clues) > 1 or error.uses_mine_count:
        facts = [fact for fact in facts_of(problem) if fact.clue in error.clues]
        steps = argue(board, facts, total_of(problem) if error.uses_mine_count else None, None)
    return Contradiction(board, error, steps, _repairs(board, error.clues, deadline))


def _repairs(board: Board, clues: frozenset[Cell], deadline: Deadline) -> tuple[tuple[Cell, int], ...] | None:
    """Single numbers that would make the board possible, the nearest to what is there first."""
    array = board.to_array()
    found = []
    try:
        for cell in sorted(clues):
            for number in range(9):
                changed = array.copy()
                changed[cell] = number
                if count_array(changed, board.mines, deadline).status == ANSWERED:
                    found.append((cell, number))
    except BudgetExceeded:
        return None
    return tuple(sorted(found, key=lambda repair: (abs(repair[1] - board[repair[0]]), repair)))
