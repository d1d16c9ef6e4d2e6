"""OPB files: a board as pseudo-Boolean constraints, for solvers that take sums as they are.

A clue is an equation over the variables of its cells, and needs no auxiliary variables at all. In form
"boxes" the variables of a box are in order (a later one is true only if all before it are), so that a
solution is a number of mines per box; the rest is written as a box that no clue touches.

With selectors every sum has a variable that switches it on, for whoever asks which clues contradict each
other: it is then two inequalities, which say nothing where the selector is false, and the selectors are
asserted, so that the file stands alone. What is written is what the oldest readers take: `x1`, `=` and `>=`,
at least one term in every sum, and no negated variables.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TextIO

from msat.encode.cnf import FORMS
from msat.encode.dimacs import heading, untouched
from msat.errors import UnknownName
from msat.problem.problem import Problem
from msat.wording import cell_name, counted

__all__ = ["to_opb", "write_opb"]

Sum = tuple[str, Sequence[int], int]
"""What a sum says, the groups that it adds up, and what it has to be."""


def to_opb(problem: Problem, *, form: str, selectors: bool = False) -> str:
    """The problem of a board as the text of an OPB file.

    >>> from msat.board import Board
    >>> problem = Problem.of(Board.parse("?1? 1"))
    >>> print(to_opb(problem, form="cells"), end="")
    * #variable= 2 #constraint= 2
    * ?1?/ 1
    * x1 = mine at r0c0
    * x2 = mine at r0c2
    +1 x1 +1 x2 = 1 ;
    +1 x1 +1 x2 = 1 ;
    >>> print(*to_opb(problem, form="cells", selectors=True).splitlines()[4:8], sep="\\n")
    * x3 = the clue 1 at r0c1 holds
    * x4 = the mine total 1 holds
    +1 x1 +1 x2 -1 x3 >= 0 ;
    -1 x1 -1 x2 -1 x3 >= -2 ;
    """
    text = io.StringIO()
    write_opb(problem, text, form=form, selectors=selectors)
    return text.getvalue()


def write_opb(problem: Problem, out: TextIO, *, form: str, selectors: bool = False) -> None:
    """Write the problem of a board as an OPB file, line by line as they are made."""
    if form not in FORMS:
        raise UnknownName.of("form", form, FORMS)
    groups: list[range] = []
    top = 0
    for size in [*(box.size for box in problem.boxes), len(problem.rest)]:
        groups.append(range(top + 1, top + 1 + size))
        top += size
    sums = _sums(problem, len(groups))

    def constraints() -> Iterator[str]:
        if form == "boxes":
            yield from (f"+1 x{x} -1 x{x + 1} >= 0 ;" for group in groups for x in group[:-1])
        for guard, (_, touched, need) in enumerate(sums, top + 1):
            variables = [x for b in touched for x in groups[b]]
            yield from _switched(variables, need, guard) if selectors else _plain(variables, need)

    # A sum of nothing that is to be something needs a variable to say so, also where the board has none.
    variables = top + len(sums) if selectors else top or int(any(constraints()))
    out.write(f"* #variable= {variables} #constraint= {sum(1 for _ in constraints())}\n")
    out.writelines(f"* {remark}\n" for remark in (*heading(problem), *_meanings(problem, form, groups)))
    if selectors:
        out.writelines(f"* x{guard} = {remark}\n" for guard, (remark, _, _) in enumerate(sums, top + 1))
    out.writelines(f"{line}\n" for line in constraints())


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
        where = untouched(problem) if rest else " ".join(map(cell_name, cells))
        yield from (f"x{x} = at least {counted(n, 'mine')} in {where}" for n, x in enumerate(group, 1))


def _plain(variables: list[int], need: int) -> Iterator[str]:
    """The sum as an equation."""
    if variables:
        yield " ".join(f"+1 x{x}" for x in variables) + f" = {need} ;"
    elif need != 0:
        yield "+1 x1 >= 2 ;"


def _switched(variables: list[int], need: int, guard: int) -> Iterator[str]:
    """At least and at most `need`, unless the guard is false; what holds anyway is left out."""
    if need > 0:
        yield " ".join([*(f"+1 x{x}" for x in variables), f"-{need} x{guard}"]) + " >= 0 ;"
    spare = len(variables) - need
    if spare > 0:
        yield " ".join([*(f"-1 x{x}" for x in variables), f"-{spare} x{guard}"]) + f" >= {-len(variables)} ;"
    yield f"+1 x{guard} >= 1 ;"
