"""A problem as a CP-SAT model: one integer per box, its number of mines.

This is the shortest form of all: a clue is a sum of a few small integers, and the rest is one more integer
that only the mine total speaks of. Every clue, and the total, is enforced only if its selector is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msat.cells import Cell
from msat.deadline import Deadline
from msat.errors import MissingPackage
from msat.installing import install
from msat.problem.problem import Component, Problem
from msat.wording import cell_name

__all__ = ["BoxModel", "cp_sat", "encode_cpsat", "text_pieces", "to_text"]

UNWRITTEN = "not written"


def cp_sat() -> Any:
    """OR-Tools' module for CP-SAT; where it is not installed, the error says how to install it.

    >>> cp_sat().CpModel.__name__
    'CpModel'
    """
    try:
        from ortools.sat.python import cp_model
    except ModuleNotFoundError:
        raise MissingPackage(f"CP-SAT needs the package ortools: {install('ortools')}") from None
    return cp_model


@dataclass
class BoxModel:
    """A CP-SAT model, and what its variables mean."""

    model: Any
    """The `CpModel`."""
    count: list[Any]
    """The number of mines in each box."""
    rest: Any | None
    """The number of mines in the rest, if there is one."""
    selector: dict[Cell, Any]
    """The Boolean that switches each clue on."""
    total_selector: Any | None
    """The Boolean that switches the mine total on, if it was encoded."""

    def switch_on(self) -> None:
        """Fix all selectors: every clue holds, and the mine total."""
        chosen = list(self.selector.values())
        if self.total_selector is not None:
            chosen.append(self.total_selector)
        if chosen:
            self.model.add_bool_and(chosen)


def encode_cpsat(
    problem: Problem,
    *,
    total: bool = True,
    component: Component | None = None,
    deadline: Deadline | None = None,
) -> BoxModel:
    """A board's problem as a CP-SAT model.

    With a `component`, only that: its boxes in its order, its clues, neither the rest nor the total. It may
    be a part of one: other boxes of its clues then hold any number of mines that they have cells for.

    >>> from msat.board import Board
    >>> encoded = encode_cpsat(Problem.of(Board.parse("?1?? 2")))
    >>> [str(count) for count in encoded.count], str(encoded.rest)
    (['box_r0c0'], 'rest')
    """
    cp_model = cp_sat()
    model = cp_model.CpModel()
    watch = (deadline or Deadline(None)).watch
    which = range(len(problem.boxes)) if component is None else component.boxes
    clues = problem.clues if component is None else [problem.clues[k] for k in component.clues]
    count = {
        b: model.new_int_var(0, problem.boxes[b].size, f"box_{cell_name(problem.boxes[b].cells[0])}")
        for b in watch(which, UNWRITTEN)
    }
    encoded = BoxModel(model, list(count.values()), None, {}, None)
    for clue in watch(clues, UNWRITTEN):
        selector = model.new_bool_var(f"clue_{cell_name(clue.cell)}")
        encoded.selector[clue.cell] = selector
        inside = cp_model.LinearExpr.sum([count[b] for b in clue.boxes if b in count])
        outside = sum(problem.boxes[b].size for b in clue.boxes if b not in count)
        model.add_linear_constraint(inside, clue.need - outside, clue.need).only_enforce_if(selector)
    if component is None:
        if problem.rest:
            encoded.rest = model.new_int_var(0, len(problem.rest), "rest")
        if problem.broken is not None and problem.broken not in encoded.selector:
            # A number with no unknown cell around it to be met by: it can only be switched off.
            encoded.selector[problem.broken] = model.new_bool_var(f"clue_{cell_name(problem.broken)}")
            model.add_bool_and([~encoded.selector[problem.broken]])
        if total:
            encoded.total_selector = model.new_bool_var("total")
            every = encoded.count + ([] if encoded.rest is None else [encoded.rest])
            together = cp_model.LinearExpr.sum(every) == problem.mines_left
            model.add(together).only_enforce_if(encoded.total_selector)
    return encoded


def to_text(problem: Problem) -> str:
    """The problem of a board as a CP-SAT model in text form (a protocol buffer), all selectors fixed.

    >>> from msat.board import Board
    >>> to_text(Problem.of(Board.parse("?1? 1"))).count("constraints {")
    3
    """
    return "".join(text_pieces(problem))


def text_pieces(problem: Problem, deadline: Deadline | None = None) -> Iterator[str]:
    """The same in pieces: the text of a large model takes seconds, in which nothing else runs."""
    encoded = encode_cpsat(problem, deadline=deadline)
    encoded.switch_on()
    name = cp_sat().CpModel()
    name.name = problem.board.to_text("line").strip()
    yield f"{name.proto}\n"
    proto = encoded.model.proto
    for field, entries in (("variables", proto.variables), ("constraints", proto.constraints)):
        for entry in entries:
            inside = str(entry).replace("\n", "\n  ")
            yield f"{field} {{\n  {inside}\n}}\n"
