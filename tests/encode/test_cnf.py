"""Problems as clauses: every encoding counted against binomials, and what selectors and limits do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import comb, prod
from typing import Any

import pytest
from pysat.solvers import Solver

from msat.board import Board
from msat.encode.cardinality import ENCODINGS, NATIVE, exactly
from msat.encode.cnf import FORMS, Formula, encode, encode_equations
from msat.errors import UnknownName
from msat.problem.problem import Problem
from tests.conftest import scaled
from tests.support.oracle import counts, enumerate_layouts
from tests.support.positions import small_boards
from tests.support.shared import cases, needs_cases


def solver_of(formula: Formula[Any, Any]) -> Solver:
    solver = Solver("minicard" if formula.native else "minisat22", bootstrap_with=formula.clauses)
    for literals, bound in formula.native:
        solver.add_atmost(literals, bound)
    return solver


def models(solver: Solver, variables: list[int], assumed: list[int]) -> Iterator[frozenset[int]]:
    """Every set of those variables that are true in a model under the assumptions."""
    only = (
        max(solver.nof_vars(), *variables, *map(abs, assumed), 0, 0) + 1
    )  # blocking clauses hold only while this is assumed
    while solver.solve([*assumed, only]):
        model = set(solver.get_model())
        true = frozenset(v for v in variables if v in model)
        yield true
        solver.add_clause([-only, *(-v if v in true else v for v in variables)])
    solver.add_clause([-only])


def solutions(formula: Formula[Any, Any], assumed: list[int]) -> int:
    """Layouts of the cells outside the rest, from projected models."""
    with solver_of(formula) as solver:
        return sum(
            prod(comb(len(group), len(true & set(group))) for group in formula.count)
            for true in models(solver, formula.projection, assumed)
        )


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("size", range(1, 9))
def test_exactly_k_of_n_has_a_binomial_of_models(encoding: str, size: int) -> None:
    cells = [(v,) for v in range(1, size + 1)]
    order = [tuple(range(1, size // 2 + 1)), tuple(range(size // 2 + 1, size + 1))]
    for need in range(-1, size + 2):
        guard = size + 1
        for groups, expected in (
            (cells, comb(size, need) if need >= 0 else 0),
            (order, sum(0 <= need - x <= size - size // 2 for x in range(size // 2 + 1))),
        ):
            written = exactly(groups, need, guard, guard, encoding)
            ordered = [[-b, a] for group in groups for a, b in pairwise(group)]
            formula: Formula[int, int] = Formula(ordered + written.clauses, written.native, written.top)
            with solver_of(formula) as solver:
                shown = list(range(1, size + 1))
                assert sum(1 for _ in models(solver, shown, [guard])) == expected, (need, groups)
                everything = sum(1 for _ in models(solver, shown, [-guard]))
                assert everything == prod(2 if len(group) == 1 else len(group) + 1 for group in groups)


def test_native_is_for_solvers_that_take_it() -> None:
    assert encode_equations([("abc", 2)], encoding=NATIVE).native
    assert not any(encode_equations([("abc", 2)], encoding=name).native for name in ENCODINGS[:-1])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_against_the_oracle(encoding: str, form: str) -> None:
    for board in small_boards(scaled(60), 31, most_hidden=12):
        formula = encode(Problem.of(board), encoding=encoding, form=form)
        every, with_mine = counts(board)
        if form == "cells":
            assert solutions(formula, formula.assumptions()) == every, board
        with solver_of(formula) as solver:
            for cell in board.hidden:
                for mine, layouts in ((True, with_mine[cell]), (False, every - with_mine[cell])):
                    possible = solver.solve([*formula.assumptions(), formula.literal(cell, mine)])
                    assert possible == (layouts > 0), (board, cell, mine)


def test_both_forms_have_the_same_layouts() -> None:
    for board in small_boards(scaled(60), 32, most_hidden=12):
        found = [encode(Problem.of(board), form=form, total=False) for form in FORMS]
        boxes, cells = (solutions(formula, formula.assumptions()) for formula in found)
        assert boxes * 2 ** len(Problem.of(board).rest) == cells, board


@pytest.mark.parametrize("form", FORMS)
def test_selectors_switch_clues_and_the_total_off(form: str) -> None:
    board = Board.parse("?1?/?2?/?1? 2")
    formula = encode(Problem.of(board), form=form)
    every = list(formula.selector)
    for dropped in every:
        kept = [clue for clue in every if clue != dropped]
        agree = [
            mines
            for mines in _layouts_of_cells(board)
            if all(sum(n in mines for n in board.neighbours(clue)) == board[clue] for clue in kept)
        ]
        assert solutions(formula, formula.assumptions(kept, total=False)) == len(agree)
        with_total = [mines for mines in agree if len(mines) == board.mines]
        assert solutions(formula, formula.assumptions(kept)) == len(with_total)


def _layouts_of_cells(board: Board) -> Iterator[frozenset[tuple[int, int]]]:
    """Every set of hidden cells."""
    for mines in range(len(board.hidden) + 1):
        blank = Board.from_array([[-1] * board.width] * board.height, mines)
        for layout in enumerate_layouts(blank):
            if layout <= set(board.hidden):
                yield layout


def test_limits_tighten_the_total_by_assumption() -> None:
    formula = encode_equations([("abcd", 2), ("cdef", 2)], unknowns="gh", mines=4)
    assert formula.limits is not None
    by_mines = {
        mines: sum(comb(2, shared) * comb(2, 2 - shared) ** 2 for shared in range(3) if 4 - shared == mines)
        for mines in range(2, 5)
    }
    for low, high in ((2, 4), (3, 4), (4, 4), (2, 3), (2, 2), (3, 3)):
        bounds = [formula.limits.at_least(low), formula.limits.at_most(high)]
        assumed = formula.assumptions() + [bound for bound in bounds if bound is not None]
        assert solutions(formula, assumed) == sum(by_mines[m] for m in range(low, high + 1))


@needs_cases
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_stated_equation_sets(encoding: str, form: str) -> None:
    seen = 0
    for case in cases("truth.json"):
        if not case["kind"].startswith("equation_set"):
            continue
        seen += 1
        formula: Formula[str, int] = encode_equations(
            [(names, need) for names, need in case["equations"]],
            unknowns=case["variables"],
            mines=case.get("mines"),
            encoding=encoding,
            form=form,
        )
        with solver_of(formula) as solver:
            on = formula.assumptions()
            consistent = case["stated"].get("consistent", True)
            assert solver.solve(on) == consistent, case["id"]
            if not consistent:
                continue
            forced = {
                name: int(can_be_mine)
                for name in case["variables"]
                for can_be_mine in [solver.solve([*on, formula.literal(name, mine=True)])]
                if can_be_mine != solver.solve([*on, formula.literal(name, mine=False)])
            }
            assert forced == case["exact_forced"], case["id"]
            if form == "cells":
                found = sum(1 for _ in models(solver, formula.projection, on))
                assert found == int(case["exact_total"]), case["id"]
    assert seen == 19


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"encoding": "magic"}, "unknown encoding 'magic': choose one of direct, pairwise"),
        ({"form": "rows"}, "unknown form 'rows': choose one of boxes, cells"),
    ],
)
def test_unknown_names(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        encode(Problem.of(Board.parse("?1? 1")), **change)


def test_a_broken_clue_can_still_be_switched_off() -> None:
    formula = encode(Problem.of(Board.parse("?3? 1")))
    with solver_of(formula) as solver:
        assert not solver.solve(formula.assumptions())
        assert solver.solve(formula.assumptions([]))
