"""A board as text in the language of a solver, whichever: what `msat encode` and the service write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO, cast

from msat.board import Board
from msat.deadline import Budget, Deadline
from msat.errors import ParameterError, UnknownName
from msat.interrupting import interruptible
from msat.problem.problem import Problem
from msat.wording import argument

__all__ = ["FORMATS", "check_choices", "write_encoding"]

FORMATS = ("dimacs", "opb", "cpsat")

UNWRITTEN = "not written"


def check_choices(form: str, variables: str | None, encoding: str | None, selectors: bool = False) -> None:
    """Refuse what does not exist, or does not go together, before a board is read for it."""
    if form not in FORMATS:
        raise UnknownName.of("format", form, FORMATS)
    if encoding is not None and form != "dimacs":
        given = f"{argument('encoding', encoding)} needs {argument('format', 'dimacs')}"
        raise ParameterError(f"{given}: {form} has no clauses")
    if variables is not None and form == "cpsat":
        given = f"{argument('variables', variables)} needs {argument('format', 'dimacs')} or opb"
        raise ParameterError(f"{given}: cpsat counts per box")
    if selectors and form != "opb":
        has = "has them anyway" if form == "dimacs" else "has none"
        raise ParameterError(f"--selectors needs {argument('format', 'opb')}: {form} {has}")


def write_encoding(
    board: Board,
    out: TextIO,
    form: str = "dimacs",
    variables: str | None = None,
    encoding: str | None = None,
    selectors: bool = False,
    budget: Budget = None,
) -> None:
    """Write the problem that a board poses; `variables`, `encoding`, `selectors` where the format has them.

    `budget` limits the time in seconds; what takes longer raises `BudgetExceeded`, and is not written whole.

    >>> import sys
    >>> write_encoding(Board.parse("?1? 1"), sys.stdout, "opb")  # doctest: +ELLIPSIS
    * #variable= 2 #constraint= 2...
    """
    check_choices(form, variables, encoding, selectors)
    deadline = Deadline.of(budget)
    kept = cast(TextIO, _WrittenInTime(out, deadline))

    def write() -> None:
        problem = Problem.of(board, deadline=deadline)
        if form == "opb":
            from msat.encode.opb import write_opb

            write_opb(problem, kept, form=variables or "cells", selectors=selectors)
        elif form == "cpsat":
            from msat.encode.cpsat import text_pieces

            kept.writelines(text_pieces(problem, deadline))
        else:
            from msat.encode.cnf import DEFAULT
            from msat.encode.dimacs import write_dimacs

            write_dimacs(problem, kept, encoding=encoding or DEFAULT, form=variables or "cells")

    interruptible(write, deadline, UNWRITTEN)


class _WrittenInTime:
    """A file that takes nothing when the time is over: nobody waits any more for whoever writes then."""

    def __init__(self, out: TextIO, deadline: Deadline) -> None:
        self._out = out
        self._deadline = deadline

    def write(self, text: str) -> int:
        self._deadline.check(UNWRITTEN)
        return self._out.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        self._out.writelines(self._deadline.watch(lines, UNWRITTEN))
