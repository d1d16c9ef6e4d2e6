"""DIMACS files: a board's formula for SAT solvers and model counters.

Comment lines say which variable stands for what. `c p show … 0` is the projection of the model counting
competition: over the shown variables, a counter counts solutions, not the ways to fill auxiliary variables.
The selectors are asserted as unit clauses, so that the file stands alone; to switch a clue off, delete its
unit. In form "cells" the number of projected models is the number of layouts.

A file begins with the number of its clauses. So these are made twice: counted, and refused if there are too
many; then written, each as it is made, so that memory holds none of them.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from msat.cells import Cell
from msat.encode.cnf import Formula, encode
from msat.errors import ParameterError
from msat.limits import MAX_CLAUSES
from msat.problem.problem import Problem
from msat.wording import cell_name, counted

__all__ = ["heading", "legend", "to_dimacs", "untouched", "write_dimacs"]

Clause = list[int]


class _ClauseCount(list[Clause]):
    """Counts clauses instead of keeping them."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def __iadd__(self, clauses: Iterable[Clause]) -> _ClauseCount:  # type: ignore[override,misc]
        self.number += len(clauses) if isinstance(clauses, list) else sum(1 for _ in clauses)
        if self.number > MAX_CLAUSES:
            raise ParameterError(
                f"this board has more than {MAX_CLAUSES:,} clauses in DIMACS: choose another encoding, "
                "boxes for variables, or the form opb"
            )
        return self

    def append(self, clause: Clause) -> None:
        self += [clause]


class _ClauseWriter(list[Clause]):
    """Writes clauses instead of keeping them."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self._out = out

    def __iadd__(self, clauses: Iterable[Clause]) -> _ClauseWriter:  # type: ignore[override,misc]
        self._out.write("".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses))
        return self

    def append(self, clause: Clause) -> None:
        self += [clause]


def write_dimacs(problem: Problem, out: TextIO, *, encoding: str, form: str) -> None:
    """Write the problem of a board as a DIMACS file."""

    def encoded(clauses: list[Clause]) -> Formula[Cell, Cell]:
        formula: Formula[Cell, Cell] = Formula(clauses, in_binary=True)
        encode(problem, encoding=encoding, form=form, formula=formula)
        if formula.native:
            raise ParameterError("encoding 'native' has no clauses: choose another one, or the form opb")
        return formula

    counted = _ClauseCount()
    formula = encoded(counted)
    selectors = formula.assumptions()
    out.writelines(f"c {line}\n" for line in legend(problem, formula))
    out.write(f"p cnf {formula.variables} {counted.number + len(selectors)}\n")
    out.write(f"c p show {_listed(formula.projection)} 0\n")
    encoded(_ClauseWriter(out))
    out.writelines(f"{selector} 0\n" for selector in selectors)


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
    p cnf 6 13
    c p show 1 2 0
    -3 -1 -2 0
    -3 1 2 0
    """
    text = io.StringIO()
    write_dimacs(problem, text, encoding=encoding, form=form)
    return text.getvalue()


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def heading(problem: Problem) -> Iterator[str]:
    """The board, and what has no variable."""
    yield problem.board.to_text("line").strip()
    if problem.board.marked:
        yield f"marked, and taken for mines: {' '.join(map(cell_name, problem.board.marked))}"


def untouched(problem: Problem) -> str:
    """The rest, in words."""
    number = len(problem.rest)
    return f"the {'cell' if number == 1 else f'{number} cells'} that no clue touches"


def legend(problem: Problem, formula: Formula[Cell, Cell]) -> Iterator[str]:
    """What the variables mean, a line each."""
    board = problem.board
    yield from heading(problem)
    for cell, variable in formula.mine.items():
        yield f"{variable} = mine at {cell_name(cell)}"
    for box, group in zip(problem.boxes, formula.count, strict=False):
        cells = " ".join(map(cell_name, box.cells))
        for least, variable in enumerate(group, 1):
            yield f"{variable} = at least {counted(least, 'mine')} in {cells}"
    if formula.rest_literals is not None:
        some, full = formula.rest_literals
        yield f"{some} = a mine in {untouched(problem)}"
        if full != some:
            yield f"{full} = mines in all of these"
    for clue, variable in formula.selector.items():
        yield f"{variable} = the clue {board[clue]} at {cell_name(clue)} holds"
    if formula.total_selector is not None:
        yield f"{formula.total_selector} = the mine total {board.mines} holds"
