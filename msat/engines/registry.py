"""The engines by name, each loaded when it is first asked for: solvers are heavy packages.

`sat` may name its solver and its encoding after colons: `sat:glucose4`, `sat:minicard:native`.
"""

from __future__ import annotations

from functools import cache, partial

from msat.engines.protocol import Engine, SolverEngine
from msat.errors import UnknownName
from msat.kinds import is_name

__all__ = ["ENGINES", "load"]

ENGINES = ("auto", "counting", "sat", "cpsat", "ganak")
"""All names."""


def load(name: str) -> Engine:
    """The engine of this name.

    >>> from msat.board import Board
    >>> [load(name).count(Board.parse("?1? 1")).solutions for name in ("counting", "sat:glucose4")]
    [2, 2]
    """
    if is_name(name, ("auto", "counting")):
        return _own(name)
    base, *choices = name.split(":") if isinstance(name, str) else ("",)
    if base == "sat" and len(choices) <= 2:
        from msat.encode.cardinality import DEFAULT, known_encoding
        from msat.engines.solvers import sat

        solver, encoding = [*choices, *(sat.DEFAULT_SOLVER, DEFAULT)[len(choices) :]]
        sat.known_solver(solver, known_encoding(encoding))
        return SolverEngine(
            partial(sat.forced, solver=solver, encoding=encoding),
            partial(sat.count, solver=solver, encoding=encoding),
        )
    if is_name(name, ("cpsat",)):
        from msat.encode.cpsat import cp_sat
        from msat.engines.solvers import cpsat

        cp_sat()
        return SolverEngine(cpsat.forced, cpsat.count)
    if is_name(name, ("ganak",)):
        from msat.engines.solvers import ganak

        ganak.require()
        return SolverEngine(ganak.forced, ganak.count)
    raise UnknownName.of("engine", name, ENGINES)


@cache
def _own(name: str) -> Engine:
    """The engines that need no solver; kept, since an import takes as long as a hundredth of an answer."""
    from msat.engines import auto
    from msat.engines.counting import engine as counting

    return auto if name == "auto" else counting
