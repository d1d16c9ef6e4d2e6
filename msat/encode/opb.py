"""OPB files: a board as pseudo-Boolean constraints, for solvers that take sums as they are.

A clue is two inequalities over the variables of its cells, and needs no auxiliary variables at all. Each is
filled up by the negated selector of the clue, so that it says nothing where the selector is false; the
selectors are asserted, so that the file stands alone. In form "boxes" the variables of a box are in order (a
later one is true only if all before it are), so that a solution is a number of mines per box; the rest is
written as a box that no clue touches.
"""

from __future__ import annotations

from collections.abc import Sequence

from msat.encode.cnf import FORMS
from msat.errors import UnknownName
from msat.problem.problem import Problem
from msat.wording import cell_name

__all__ = ["to_opb"]


def to_opb(problem: Problem, *, form: str) -> str:
    """The problem of a board as the text of an OPB file.

    >>> from msat.board import Board
    >>> print(to_opb(Problem.of(Board.parse("?1? 1")), form="cells"), end="")
    * #variable= 4 #constraint= 6
    * ?1?/ 1
    * x1 = mine at r0c0
    * x2 = mine at r0c2
    * x3 = the clue 1 at r0c1 holds
    * x4 = the mine total 1 holds
    +1 x1 +1 x2 +1 ~x3 >= 1 ;
    -1 x1 -1 x2 +1 ~x3 >= -1 ;
    +1 x3 >= 1 ;
    +1 x1 +1 x2 +1 ~x4 >= 1 ;
    -1 x1 -1 x2 +1 ~x4 >= -1 ;
    +1 x4 >= 1 ;
    """
    if form not in FORMS:
        raise UnknownName.of("form", form, FORMS)
    board = problem.board
    remarks = [board.to_text("line").strip()]
    constraints: list[str] = []
    groups: list[range] = []
    top = 0
    for cells in [*(box.cells for box in problem.boxes), problem.rest]:
        group = range(top + 1, top + 1 + len(cells))
        groups.append(group)
        top += len(cells)
        if form == "cells":
            remarks += [f"x{x} = mine at {cell_name(cell)}" for x, cell in zip(group, cells, strict=True)]
        else:
            where = " ".join(map(cell_name, cells))
            remarks += [
                f"x{x} = at least {n} of {len(group)} mines in {where}" for n, x in enumerate(group, 1)
            ]
            constraints += [f"+1 x{x} -1 x{x + 1} >= 0 ;" for x in group[:-1]]
    sums: list[tuple[str, Sequence[int], int]] = [
        (f"the clue {board[clue.cell]} at {cell_name(clue.cell)} holds", clue.boxes, clue.need)
        for clue in problem.clues
    ]
    if problem.broken is not None and all(clue.cell != problem.broken for clue in problem.clues):
        sums.append((f"the clue {board[problem.broken]} at {cell_name(problem.broken)} holds", (), 1))
    sums.append((f"the mine total {board.mines} holds", range(len(groups)), problem.mines_left))
    for remark, touched, need in sums:
        top += 1
        remarks.append(f"x{top} = {remark}")
        variables = [x for b in touched for x in groups[b]]
        constraints += _guarded_sum(variables, need, top)
        constraints.append(f"+1 x{top} >= 1 ;")
    heading = f"* #variable= {top} #constraint= {len(constraints)}"
    return "\n".join([heading, *(f"* {remark}" for remark in remarks), *constraints]) + "\n"


def _guarded_sum(variables: list[int], need: int, guard: int) -> list[str]:
    """At least and at most `need`, unless the guard is false; what holds anyway is left out."""
    found = []
    if need > 0:
        found.append(" ".join(f"+1 x{x}" for x in variables) + f" +{need} ~x{guard} >= {need} ;")
    spare = len(variables) - need
    if spare > 0:
        found.append(" ".join(f"-1 x{x}" for x in variables) + f" +{spare} ~x{guard} >= {-need} ;")
    return [line.strip() for line in found]
