"""Facts: what a proof starts from. A clue, the mine total, or a bound derived from it.

Every fact says that between `low` and `high` of some hidden cells are mines; a clue, and the total, say it
exactly. Marked mines are not among the cells: they are taken for granted and subtracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msat.cells import Cell
from msat.problem.problem import Problem
from msat.value import explained
from msat.wording import clue_name

__all__ = ["Claim", "Fact", "clues_near", "facts_of", "groups_of", "total_of"]

Claim = tuple[Cell, bool]
"""What is to be proven: the cell is a mine (True) or safe (False)."""


@explained
@dataclass(frozen=True)
class Fact:
    """Between `low` and `high` of the `cells` are mines, besides `marked` ones.

    `clue` is the cell of the clue that says so, None for the mine total and for what was derived from it;
    `text` is how a sentence calls it: "the 2 at r1c1".
    """

    cells: frozenset[Cell]
    """The hidden cells that it is about."""
    low: int
    """The fewest mines among them."""
    high: int
    """The most mines among them."""
    clue: Cell | None
    """Where its number stands; None for the mine total and for what was derived."""
    text: str
    """What it is called in sentences."""
    marked: int = 0
    """Mines beside these cells that are marked already, and are counted off."""


def facts_of(problem: Problem, numbers: Iterable[int] | None = None) -> list[Fact]:
    """The clues of a problem that touch unknown cells, or those with the given numbers.

    >>> from msat.board import Board
    >>> for fact in facts_of(Problem.of(Board.parse("?2*/?1? 2"))):
    ...     print(fact.text, "needs", fact.low, "besides", fact.marked)
    the 2 at r0c1 needs 1 besides 1
    the 1 at r1c1 needs 0 besides 1
    """
    facts = []
    for clue in problem.clues if numbers is None else [problem.clues[k] for k in numbers]:
        cells = frozenset(cell for b in clue.boxes for cell in problem.boxes[b].cells)
        value = problem.board[clue.cell]
        text = clue_name(value, clue.cell)
        facts.append(Fact(cells, clue.need, clue.need, clue.cell, text, marked=value - clue.need))
    return facts


def clues_near(problem: Problem, cell: Cell, radius: int) -> list[int]:
    """The numbers of clues near a cell: those around it, those they share hidden cells with, and so on.

    >>> from msat.board import Board
    >>> problem = Problem.of(Board.parse("?1?1?1? 3"))
    >>> clues_near(problem, (0, 0), 1), clues_near(problem, (0, 0), 2)
    ([0], [0, 1])
    """
    found: set[int] = set()
    reached = {k for box in problem.boxes if cell in box.cells for k in box.clues}
    for _ in range(radius):
        found |= reached
        boxes = {b for k in reached for b in problem.clues[k].boxes}
        reached = {k for b in boxes for k in problem.boxes[b].clues} - found
        if not reached:
            break
    return sorted(found)


def total_of(problem: Problem) -> Fact:
    """The mine total, about all hidden cells.

    >>> from msat.board import Board
    >>> total_of(Problem.of(Board.parse("?2*/?1? 2"))).low
    1
    """
    board = problem.board
    left = problem.mines_left
    return Fact(frozenset(board.hidden), left, left, None, "the whole board", len(board.marked))


def groups_of(facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts in groups that have no cell in common, each in the order given.

    >>> from msat.board import Board
    >>> facts = facts_of(Problem.of(Board.parse("?1??1? 2")))
    >>> [[fact.text for fact in group] for group in groups_of(facts)]
    [['the 1 at r0c1'], ['the 1 at r0c4']]
    """
    groups: list[list[Fact]] = []
    for fact in facts:
        joined = [group for group in groups if any(fact.cells & other.cells for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*(other for group in joined for other in group), fact])
    order = {id(fact): i for i, fact in enumerate(facts)}
    ordered = [sorted(group, key=lambda fact: order[id(fact)]) for group in groups]
    return sorted(ordered, key=lambda group: order[id(group[0])])
