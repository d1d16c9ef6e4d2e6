"""OPB files: a board as pseudo-Boolean constraints, for solvers that take sums as they are.

A clue is two inequalities over the variables of its cells, and needs no auxiliary variables at all. Each is
filled up by the negated selector of the clue, so that it says nothing where the selector is false; the
selectors are asserted, so that the file stands alone. In form "boxes" the variables of a box are in order (a
later one is true only if all before it are), so that a solution is a number of mines per box; the rest is
written as a box that no clue touches.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TextIO

from msat.encode.cnf import FORMS
from msat.errors import UnknownName
from msat.problem.problem import Problem
from msat.wording import cell_name

__all__ = ["to_opb", "write_opb"]

Sum = tuple[str, Sequence[int], int]
"""What a sum says, the groups that it adds up, and what it has to be."""


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
    text = io.StringIO()
    write_opb(problem, text, form=form)
    return text.getvalue()


def write_opb(problem: Problem, out: TextIO, *, form: str) -> None:
    """Write the problem of a board as an OPB file, line by line as they are made."""
    if form not in FORMS:
        raise UnknownName.of("form", form, FORMS)
    groups: list[range] = []
    top = 0
    for size in [*(box.size for box in problem.boxes), len(problem.rest)]:
        groups.append(range(top + 1, top + 1 + size))
        top += size
    sums = _sums(problem, len(groups))
    count = sum(1 for _ in _constraints(form, groups, sums, top))
    out.write(f"* #variable= {top + len(sums)} #constraint= {count}\n")
    out.write(f"* {problem.board.to_text('line').strip()}\n")
    out.writelines(f"* {remark}\n" for remark in _meanings(problem, form, groups))
    for guard, (remark, _, _) in enumerate(sums, top + 1):
        out.write(f"* x{guard} = {remark}\n")
    out.writelines(f"{line}\n" for line in _constraints(form, groups, sums, top))


def _sums(problem: Problem, groups: int) -> list[Sum]:
    """What is said about which groups: every clue, and the total."""
    board = problem.board
    sums: list[Sum] = [
        (f"the clue {board[clue.cell]} at {cell_name(clue.cell)} holds", clue.boxes, clue.need)
        for clue in problem.clues
    ]
    if problem.broken is not None and all(clue.cell != problem.broken for clue in problem.clues):
        sums.append((f"the clue {board[problem.broken]} at {cell_name(problem.broken)} holds", (), 1))
    return [*sums, (f"the mine total {board.mines} holds", range(groups), problem.mines_left)]


def _meanings(problem: Problem, form: str, groups: Sequence[range]) -> Iterator[str]:
    """What the variables of the groups mean."""
    for cells, group in zip([*(box.cells for box in problem.boxes), problem.rest], groups, strict=True):
        if form == "cells":
            yield from (f"x{x} = mine at {cell_name(cell)}" for x, cell in zip(group, cells, strict=True))
            continue
        # The rest may be most of the board: its cells are not listed once for each of them.
        rest = cells is problem.rest
        where = f"the {len(cells)} cells that no clue touches" if rest else " ".join(map(cell_name, cells))
        yield from (f"x{x} = at least {n} of {len(group)} mines in {where}" for n, x in enumerate(group, 1))


def _constraints(form: str, groups: Sequence[range], sums: Sequence[Sum], top: int) -> Iterator[str]:
    if form == "boxes":
        yield from (f"+1 x{x} -1 x{x + 1} >= 0 ;" for group in groups for x in group[:-1])
    for guard, (_, touched, need) in enumerate(sums, top + 1):
        yield from _guarded_sum([x for b in touched for x in groups[b]], need, guard)
        yield f"+1 x{guard} >= 1 ;"


def _guarded_sum(variables: list[int], need: int, guard: int) -> list[str]:
    """At least and at most `need`, unless the guard is false; what holds anyway is left out."""
    found = []
    if need > 0:
        found.append(" ".join(f"+1 x{x}" for x in variables) + f" +{need} ~x{guard} >= {need} ;")
    spare = len(variables) - need
    if spare > 0:
        found.append(" ".join(f"-1 x{x}" for x in variables) + f" +{spare} ~x{guard} >= {-need} ;")
    return [line.strip() for line in found]
