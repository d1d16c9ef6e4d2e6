"""A problem as clauses (CNF), each clue behind a selector of its own.

Two forms of the same problem:

- *boxes* (the default): the mine count of each box in order encoding, literal t meaning "at least t + 1
  mines in the box". Cells of a box are interchangeable, so this is all there is to know; it makes the formula
  smaller, and models few enough to be counted one by one. The rest is not spelled out at all: how many mines
  it holds follows from the boxes, and two variables say whether it holds any and whether it is full.
- *cells*: one variable per unknown cell, true for a mine.

Every clue, and the mine total as one more constraint, is guarded by a selector literal: a solver that assumes
the selectors solves the board, and the assumptions in an unsatisfiable core are the clues of a proof. The
total is written with incremental totalizers, so that it can be tightened by assumptions (`Formula.limits`);
or, in files, as a sum in binary, which grows with the board and not with its square.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, TypeVar

from msat.cells import Cell
from msat.encode.binary import binary_sum, bounded
from msat.encode.cardinality import DEFAULT, ENCODINGS, AssumableBounds, Group, exactly, known_encoding
from msat.errors import UnknownName
from msat.problem.problem import Component, Problem

__all__ = ["DEFAULT", "ENCODINGS", "FORMS", "Formula", "encode", "encode_equations"]

FORMS = ("boxes", "cells")

MOST_COUNTED = 60_000
"""Literals times mines beyond which the total is a sum in binary in any case: totalizers grow with that."""

Key = TypeVar("Key", bound=Hashable)
"""What a variable is called: a cell of a board, or a letter of an equation."""

Name = TypeVar("Name", bound=Hashable)
"""What a constraint is called: the cell of a clue, or the number of an equation."""


@dataclass
class Formula(Generic[Key, Name]):
    """Clauses, and what their variables mean."""

    clauses: list[list[int]] = field(default_factory=list)
    """The clauses."""
    native: list[tuple[list[int], int]] = field(default_factory=list)
    """At-most constraints (literals, bound), for solvers with native cardinality; else empty."""
    variables: int = 0
    """The highest variable."""
    mine: dict[Key, int] = field(default_factory=dict)
    """Form "cells": the variable of every unknown cell."""
    count: tuple[Group, ...] = ()
    """Form "boxes": the order literals of every box; literal t says "at least t + 1 mines"."""
    selector: dict[Name, int] = field(default_factory=dict)
    """The literal that switches each clue on."""
    total_selector: int | None = None
    """The literal that switches the mine total on, if it was encoded."""
    rest_literals: tuple[int, int] | None = None
    """Form "boxes", if there is a rest: variables for "it holds a mine" and for "it is full of mines".

    Only the mine total ties them to the boxes."""
    limits: AssumableBounds | None = None
    """Bounds on the number of mines outside the rest, to be assumed; only where the total needs them."""
    in_binary: bool = False
    """Whether the total is a sum in binary, which stays small on any board, and has no `limits`."""
    _literals: dict[Key, tuple[int, int]] = field(default_factory=dict)

    def literal(self, cell: Key, mine: bool) -> int:
        """The literal of "some layout of this kind has a mine (or none) in the cell".

        In form "boxes": its box has a mine at all, or is not full. Cells of a box are interchangeable, so a
        formula that is unsatisfiable under this literal proves the opposite for the cell.
        """
        if cell in self.mine:
            return self.mine[cell] if mine else -self.mine[cell]
        return self._literals[cell][0 if mine else 1]

    def assumptions(self, clues: Iterable[Name] | None = None, total: bool = True) -> list[int]:
        """The selectors to assume: of all clues or just of some, and of the mine total."""
        names = self.selector if clues is None else clues
        chosen = [self.selector[name] for name in names]
        if total and self.total_selector is not None:
            chosen.append(self.total_selector)
        return chosen

    @property
    def projection(self) -> list[int]:
        """The variables whose values tell one solution from another; all others follow or do not matter."""
        shown = [literal for group in self.count for literal in group] + list(self.mine.values())
        return sorted(shown)


def encode(
    problem: Problem,
    *,
    encoding: str = DEFAULT,
    form: str = "boxes",
    total: bool = True,
    component: Component | None = None,
    formula: Formula[Cell, Cell] | None = None,
) -> Formula[Cell, Cell]:
    """A board's problem as clauses; cells name the variables, clue cells the constraints.

    With a `component`, only that: its boxes in its order, its clues, neither the rest nor the total. A
    `formula` that is empty may be given to be filled: one whose list of clauses does something else with them
    than to keep them, or one `in_binary`.

    >>> from msat.board import Board
    >>> formula = encode(Problem.of(Board.parse("?1? 1")))
    >>> formula.count, formula.selector, formula.total_selector
    (((1, 2),), {(0, 1): 3}, 4)
    >>> formula.literal((0, 0), mine=True), formula.assumptions()
    (1, [3, 4])
    """
    if component is not None:
        place = {b: i for i, b in enumerate(component.boxes)}
        clues = [problem.clues[k] for k in component.clues]
        return _encode(
            [problem.boxes[b].cells for b in component.boxes],
            [(clue.cell, [place[b] for b in clue.boxes], clue.need) for clue in clues],
            (),
            None,
            encoding,
            form,
        )
    constraints: list[tuple[Cell, Sequence[int], int]] = [
        (clue.cell, clue.boxes, clue.need) for clue in problem.clues
    ]
    if problem.broken is not None and all(clue.cell != problem.broken for clue in problem.clues):
        constraints.append((problem.broken, (), -1))  # a number with no unknown cell around it to be met by
    return _encode(
        [box.cells for box in problem.boxes],
        constraints,
        problem.rest,
        problem.mines_left if total else None,
        encoding,
        form,
        formula,
    )


def encode_equations(
    equations: Sequence[tuple[Collection[Key], int]],
    *,
    unknowns: Iterable[Key] = (),
    mines: int | None = None,
    encoding: str = DEFAULT,
    form: str = "boxes",
) -> Formula[Key, int]:
    """Equations "so many of these unknowns are mines" as clauses; constraints are named by their number.

    `unknowns` may name more than the equations do: those are the rest.

    >>> formula = encode_equations([("ab", 1), ("abc", 2)], mines=2)
    >>> formula.count, formula.selector
    (((1, 2), (3,)), {0: 4, 1: 5})
    """
    touching: dict[Key, list[int]] = {}
    for i, (names, _) in enumerate(equations):
        for name in dict.fromkeys(names):
            touching.setdefault(name, []).append(i)
    for name in unknowns:
        touching.setdefault(name, [])
    boxes: dict[tuple[int, ...], list[Key]] = {}
    for name, numbers in touching.items():
        boxes.setdefault(tuple(numbers), []).append(name)
    rest = boxes.pop((), [])
    touched: list[list[int]] = [[] for _ in equations]
    for b, together in enumerate(boxes):
        for i in together:
            touched[i].append(b)
    constraints = [(i, touched[i], need) for i, (_, need) in enumerate(equations)]
    return _encode(list(boxes.values()), constraints, rest, mines, encoding, form)


def _encode(
    boxes: Sequence[Sequence[Key]],
    constraints: Sequence[tuple[Name, Sequence[int], int]],
    rest: Sequence[Key],
    mines: int | None,
    encoding: str,
    form: str,
    formula: Formula[Key, Name] | None = None,
) -> Formula[Key, Name]:
    """Write down: every constraint has its need in its boxes; boxes and rest together hold `mines`."""
    known_encoding(encoding)
    if form not in FORMS:
        raise UnknownName.of("form", form, FORMS)
    formula = Formula() if formula is None else formula
    groups = [_add_box(formula, names, form) for names in boxes]
    if form == "cells":
        _add_box(formula, rest, form)
    else:
        formula.count = tuple(group for (group,) in groups)
        if rest:
            _add_rest(formula, rest)
    for name, _, _ in constraints:
        formula.selector[name] = _new(formula)
    if mines is not None:
        formula.total_selector = _new(formula)
    for name, touched, need in constraints:
        written = exactly(
            [group for b in touched for group in groups[b]],
            need,
            formula.selector[name],
            formula.variables,
            encoding,
        )
        formula.clauses += written.clauses
        formula.native += written.native
        formula.variables = written.top
    if mines is not None:
        _add_total(formula, mines, 0 if form == "cells" else len(rest))
    return formula


def _new(formula: Formula[Key, Name]) -> int:
    formula.variables += 1
    return formula.variables


def _add_box(formula: Formula[Key, Name], names: Sequence[Key], form: str) -> list[Group]:
    """Variables for a box, as groups: one group for all its cells, or one for each."""
    first = formula.variables + 1
    formula.variables += len(names)
    group = tuple(range(first, first + len(names)))
    if form == "cells":
        for name, variable in zip(names, group, strict=True):
            formula.mine[name] = variable
        return [(variable,) for variable in group]
    formula.clauses += [[-after, before] for before, after in pairwise(group)]
    for name in names:
        formula._literals[name] = group[0], -group[-1]
    return [group]


def _add_rest(formula: Formula[Key, Name], rest: Sequence[Key]) -> None:
    """Variables for "a mine in the rest" and "mines all over it"; of a single cell these are the same."""
    some = _new(formula)
    full = some if len(rest) == 1 else _new(formula)
    if full != some:
        formula.clauses.append([-full, some])
    formula.rest_literals = some, full
    for name in rest:
        formula._literals[name] = some, -full


def _add_total(formula: Formula[Key, Name], mines: int, rest: int) -> None:
    """The mine total: with r cells of rest, the boxes hold between mines − r and mines."""
    guard = formula.total_selector
    assert guard is not None
    literals = formula.projection
    # (a condition, at least, at most): the total itself, then what it says of the rest in either case.
    demands: list[tuple[list[int], int, int]] = [([], mines - rest, mines)]
    if formula.rest_literals is not None:
        some, full = formula.rest_literals
        demands += [([some], mines - rest, mines - 1), ([-some], mines, mines)]
        if full != some:
            demands += [([full], mines - rest, mines - rest), ([-full], mines - rest + 1, mines)]
    size = len(literals)
    if formula.in_binary or size * min(mines + 1, size) > MOST_COUNTED:
        digits, formula.variables = binary_sum(literals, formula.clauses, formula.variables)
        for condition, low, high in demands:
            unless = [-guard, *(-literal for literal in condition)]
            formula.clauses += bounded(digits, low, high if high < size else 1 << len(digits), unless)
        return
    limits = AssumableBounds(
        literals,
        lowest=min((low for _, low, _ in demands if 0 < low <= size), default=0),
        highest=max((high for _, _, high in demands if 0 <= high < size), default=size),
        top=formula.variables,
    )
    formula.limits = limits
    formula.clauses += limits.clauses
    formula.variables = limits.top
    for condition, low, high in demands:
        unless = [-guard, *(-literal for literal in condition)]
        if high < 0 or low > size:
            formula.clauses.append(unless)
            continue
        for bound in (limits.at_least(low), limits.at_most(high)):
            if bound is not None:
                formula.clauses.append([*unless, bound])
