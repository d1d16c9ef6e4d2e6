"""Positions whose answers public projects have stated: counts, probabilities, contradictions."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import msat
from msat.board import MINE, Board, Cell
from msat.deadline import Deadline
from msat.engines.counting._kernels.combine import combine
from msat.engines.counting.resumable import run_forward
from msat.errors import InconsistentBoard
from msat.problem._kernels.workspace import new_workspace
from tests.support.shared import cases, needs_cases

pytestmark = needs_cases

Case = dict[str, Any]


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    """The cases of these kinds as parameters of a test."""
    found = [case for case in cases("truth.json") if case["kind"] in kinds]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def board_of(case: Case) -> Board:
    return Board.parse("\n".join(case["rows"]), mines=case["total_mines"])


def cell_of(key: str) -> Cell:
    row, column = key.split(",")
    return int(row), int(column)


def probability_with(board: Board, changes: dict[Cell, int]) -> Fraction:
    """The share of the board's layouts that agree with it after `changes`."""
    try:
        return Fraction(msat.analyze(board.replace(changes)).solutions, msat.analyze(board).solutions)
    except InconsistentBoard:
        return Fraction(0)


def close(p: float, stated: float | str, decimals: int | None) -> bool:
    return abs(p - float(Fraction(stated))) <= (1e-9 if decimals is None else 0.5000001 * 10**-decimals)


BOARDS = (
    "endgame_solution_count_and_optimal_wins",
    "cell_safe_probability_percent",
    "perimeter_polynomial",
    "mine_probability_grid",
    "mine_probability_cells",
    "solution_count_and_probabilities",
    "number_distribution_per_cell",
    "probability_of_extra_rule",
    "joint_safe_probability",
)


@of_kind(*BOARDS)
def test_solution_counts(case: Case) -> None:
    a = msat.analyze(board_of(case))
    stated = case["stated"]
    if "exact_total" in case:
        assert a.solutions == int(case["exact_total"])
    elif "total" in stated:
        assert a.solutions == stated["total"]
    if case["verified"] and "solution_count" in stated:
        assert a.solutions == stated["solution_count"]
    if "total_approx" in stated:
        assert abs(a.solutions - stated["total_approx"]) <= stated["total_tolerance"]
    assert np.nansum(a.probability) == pytest.approx(case["total_mines"], rel=1e-12)


@of_kind("cell_safe_probability_percent")
def test_safe_probabilities(case: Case) -> None:
    probability = msat.analyze(board_of(case)).probability
    for key, percent in case["stated"]["safe_probability_percent_by_xy"].items():
        column, row = cell_of(key)
        assert abs(100 * (1 - probability[row, column]) - percent) <= case["stated"]["tolerance_percent"], key


@of_kind("mine_probability_grid")
def test_grids_of_probabilities(case: Case) -> None:
    board = board_of(case)
    probability = msat.analyze(board).probability
    for r, row in enumerate(case["stated"]["mine_probability"]):
        for c, stated in enumerate(row):
            if board[r, c] < 0:
                assert close(float(probability[r, c]), stated, case["stated"].get("decimals")), (r, c)


@of_kind("mine_probability_cells", "solution_count_and_probabilities")
def test_probabilities_of_cells(case: Case) -> None:
    board = board_of(case)
    a = msat.analyze(board)
    stated = case["stated"]
    decimals = stated.get("decimals")
    by_cell = {cell_of(key): p for key, p in stated.get("by_cell", stated.get("mine_probability")).items()}
    for cell, p in by_cell.items():
        assert close(float(a.probability[cell]), p, decimals), cell
    if stated.get("all_other_hidden") is not None:
        for cell in set(board.hidden) - set(by_cell):
            assert close(float(a.probability[cell]), stated["all_other_hidden"], decimals), cell
    if stated.get("all_unconstrained_hidden") is not None:
        assert a.rest_probability is not None
        assert close(a.rest_probability, stated["all_unconstrained_hidden"], decimals)


@of_kind("perimeter_polynomial")
def test_placements_by_mine_count(case: Case) -> None:
    (component,) = run_forward(board_of(case).to_array(), Deadline(None)).components
    found = {str(component.low + i): int(n) for i, n in enumerate(component.values)}
    assert found == case["stated"]["perimeter_solutions_by_mines"]


@of_kind("number_distribution_per_cell")
def test_what_a_cell_would_show(case: Case) -> None:
    for key, stated in case["stated"]["P_cell_is_safe_and_shows_k"].items():
        for number, p in enumerate(stated):
            assert float(probability_with(board_of(case), {cell_of(key): number})) == pytest.approx(p), (
                key,
                number,
            )


@of_kind("joint_safe_probability")
def test_cells_that_are_safe_together(case: Case) -> None:
    cells = [cell_of(key) for key in case["stated"]["cells"]]
    safe = sum(
        (-1) ** size * probability_with(board_of(case), dict.fromkeys(mined, MINE))
        for size in range(len(cells) + 1)
        for mined in combinations(cells, size)
    )
    assert safe == Fraction(case["stated"]["probability_all_safe"])


@of_kind("probability_of_extra_rule")
def test_exactly_one_mine_among_two_cells(case: Case) -> None:
    board = board_of(case)
    a, b = (cell_of(text) for text in re.findall(r"\((\d+,\d+)\)", case["stated"]["rule"]))
    both = probability_with(board, {a: MINE, b: MINE})
    exact = msat.analyze(board).exact
    assert exact(*a) + exact(*b) - 2 * both == Fraction(case["stated"]["probability"])


@of_kind("inconsistent_board")
def test_contradictory_boards(case: Case) -> None:
    with pytest.raises(InconsistentBoard):
        msat.analyze(board_of(case))


@of_kind("arithmetic")
def test_components_and_the_rest_put_together(case: Case) -> None:
    stated = case["stated"]
    if "perimeter_solutions_by_mines" in stated:
        ways = [{int(mines): n for mines, n in stated["perimeter_solutions_by_mines"].items()}]
        rest, mines = stated["NP"], stated["M"]
    else:  # rule 10's second example: 1–2, 3–4 and 2–2 mines, 6 in all, no rest
        ways = [{1: 1, 2: 1}, {3: 1, 4: 1}, {2: 1}]
        rest, mines = 0, 6
    low = np.array([min(counts) for counts in ways])
    poly = np.array([n for counts in ways for _, n in sorted(counts.items())], np.float64)
    ends = np.cumsum([0, *map(len, ways)])
    weight = np.empty_like(poly)
    unknown = 2 * mines + rest
    _, in_rest, _, _ = combine(poly, ends, low, rest, unknown, mines, 0.0, weight, new_workspace(0))
    if rest:
        assert 100 * in_rest == pytest.approx(stated["P_nonperimeter_percent"], abs=0.0005)
    else:
        assert [w > 0 for w in weight] == [True, False, True, False, True]
