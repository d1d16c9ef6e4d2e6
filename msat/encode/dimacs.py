"""DIMACS files: a board's formula for SAT solvers and model counters.

Comment lines say which variable stands for what. `c p show … 0` is the projection of the model counting
competition: over the shown variables, a counter counts solutions, not the ways to fill auxiliary variables.
The selectors are asserted as unit clauses, so that the file stands alone; to switch a clue off, delete its
unit. In form "cells" the number of projected models is the number of layouts.
"""

from __future__ import annotations

from collections.abc import Iterator

from msat.cells import Cell
from msat.encode.cnf import Formula, encode
from msat.errors import ParameterError
from msat.problem.problem import Problem
from msat.wording import cell_name

__all__ = ["legend", "to_dimacs"]


def to_dimacs(problem: Problem, *, encoding: str, form: str) -> str:
    """The problem of a board as the text of a DIMACS file.

    >>> from msat.board import Board
    >>> text = to_dimacs(Problem.of(Board.parse("?1? 1")), encoding="direct", form="cells")
    >>> for line in text.splitlines()[:9]:
    ...     print(line)
    c ?1?/ 1
    c 1 = mine at r0c0
    c 2 = mine at r0c2
    c 3 = the clue 1 at r0c1 holds
    c 4 = the mine total 1 holds
    p cnf 8 12
    c p show 1 2 0
    -3 -1 -2 0
    -3 1 2 0
    """
    formula = encode(problem, encoding=encoding, form=form)
    if formula.native:
        raise ParameterError("encoding 'native' has no clauses: choose another one, or the form opb")
    clauses = formula.clauses + [[selector] for selector in formula.assumptions()]
    lines = [
        *(f"c {line}" for line in legend(problem, formula)),
        f"p cnf {formula.variables} {len(clauses)}",
        f"c p show {' '.join(map(str, formula.projection))} 0",
        *(" ".join(map(str, clause)) + " 0" for clause in clauses),
    ]
    return "\n".join(lines) + "\n"


def legend(problem: Problem, formula: Formula[Cell, Cell]) -> Iterator[str]:
    """What the variables mean, a line each."""
    board = problem.board
    yield board.to_text("line").strip()
    for cell, variable in formula.mine.items():
        yield f"{variable} = mine at {cell_name(cell)}"
    for box, group in zip(problem.boxes, formula.count, strict=False):
        cells = " ".join(map(cell_name, box.cells))
        for least, variable in enumerate(group, 1):
            yield f"{variable} = at least {least} of {len(group)} mines in {cells}"
    if formula.rest_literals is not None:
        some, full = formula.rest_literals
        yield f"{some} = a mine in the {len(problem.rest)} cells that no clue touches"
        if full != some:
            yield f"{full} = mines in all of these"
    for clue, variable in formula.selector.items():
        yield f"{variable} = the clue {board[clue]} at {cell_name(clue)} holds"
    if formula.total_selector is not None:
        yield f"{formula.total_selector} = the mine total {board.mines} holds"
