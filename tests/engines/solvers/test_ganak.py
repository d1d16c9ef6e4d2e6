"""The Ganak engine: weights without weights, and the process that counts."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise, product
from typing import Any

import pytest

import msat
from msat.board import Board
from msat.deadline import Deadline
from msat.encode.cnf import encode
from msat.encode.multiples import multiply
from msat.engines.solvers import ganak
from msat.engines.solvers.ganak_process import ask
from msat.errors import BudgetExceeded, EngineError
from msat.problem.problem import Problem
from tests.support.clock import PATIENCE, Clock
from tests.support.positions import lattice, scattered

pytest.importorskip("pyganak")

WIDE = lattice(40, 40, 320, 2, seed=1)
"""A board that nobody can count."""


def models(variables: int, clauses: list[list[int]]) -> list[tuple[bool, ...]]:
    """Every model, by trying all assignments."""
    return [
        values
        for values in product((False, True), repeat=variables)
        if all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
    ]


@pytest.mark.parametrize(
    "ways", [[1, 1], [1, 2, 1], [1, 3, 3, 1], [0, 1, 2, 1], [1, 0, 5], [7, 6, 8], [0, 0], [1, 4, 6, 4, 1]]
)
def test_every_number_is_counted_so_many_times(ways: list[int]) -> None:
    group = tuple(range(1, len(ways)))
    clauses, top = multiply(group, ways, len(group))
    clauses += [[-after, before] for before, after in pairwise(group)]
    found = [sum(values[: len(group)]) for values in models(top, clauses)]
    assert [found.count(n) for n in range(len(ways))] == ways


@pytest.mark.parametrize("by", [[], [2], [1, 3], [1, 2, 3, 4]])
def test_models_are_counted_by_what_is_true(by: list[int]) -> None:
    clauses = [[1, 2, -3], [-1, 3], [-2, -4], [3, 4]]
    true = [sum(values[variable - 1] for variable in by) for values in models(4, clauses)]
    expected = [true.count(n) for n in range(max(true) + 1)]
    assert ask({"variables": 4, "clauses": clauses, "by": by}, Deadline(None)) == expected


@pytest.mark.parametrize("by", [[], [1]])
def test_no_models(by: list[int]) -> None:
    assert ask({"variables": 1, "clauses": [[1], [-1]], "by": by}, Deadline(None)) == []


def test_dense_boards_are_counted() -> None:
    board = scattered(9, 9, 16, 0.35, seed=5)
    a, b = msat.analyze(board), msat.analyze(board, engine="ganak")
    assert b.solutions == a.solutions
    assert all(b.exact(*cell) == a.exact(*cell) for cell in board.hidden)


def test_an_error_in_the_process_is_told_and_does_not_end_it() -> None:
    with pytest.raises(EngineError, match="Ganak failed: KeyError: 'clauses'"):
        ask({"variables": 1}, Deadline(None))
    assert ask({"variables": 1, "clauses": [], "by": []}, Deadline(None)) == [2]


def test_one_budget_for_all_questions(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which every question takes 400 seconds, and there is a day between them."""
    left = []

    def slow(task: dict[str, Any], deadline: Deadline) -> list[int]:
        left.append(deadline.left())
        counts = ask(task, Deadline(None))
        clock.time += 400
        return counts

    monkeypatch.setattr(ganak, "ask", slow)
    counted = ganak.count(Board.parse("??1/3?2/??? 3"), 1000)
    for cell in ((0, 0), (0, 1)):
        clock.time += 86_400
        counted.probability(*cell)
    assert left == [1000, 600, 200]


@pytest.mark.parametrize("budget", [0, 0.3])
def test_a_budget_ends_it_and_the_next_question_is_answered(budget: float) -> None:
    with pytest.raises(
        BudgetExceeded,
        match=f"(Ganak did not finish counting|the board was not taken in) within {budget} seconds",
    ):
        ganak.count(WIDE, budget)
    assert ganak.count(Board.parse("?1? 1"), None).solutions == 2


def test_processes_of_a_batch_have_their_own() -> None:
    boards = [Board.parse("?1? 1"), Board.parse("??1/3?2/??? 3")] * 4
    assert msat.analyze(boards[0], engine="ganak").solutions == 2
    analyses = msat.analyze_many(boards, workers=2, engine="ganak")
    assert [a.solutions for a in analyses] == [2, 4] * 4


def test_a_count_ends_with_the_one_who_waits_for_it() -> None:
    problem = Problem.of(WIDE)
    formula = encode(problem, component=problem.components[0])
    clauses = formula.clauses + [[selector] for selector in formula.assumptions()]
    with subprocess.Popen(
        [sys.executable, "-m", "msat.engines.solvers.ganak_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(b'{"variables": 1, "clauses": [], "by": []}\n')
            process.stdin.flush()
            assert process.stdout.readline() == b"[2]\n"
            task = {"variables": formula.variables, "clauses": clauses, "by": []}
            process.stdin.write(json.dumps(task).encode() + b"\n")
            process.stdin.close()
            assert process.wait(PATIENCE) == 0
            assert process.stdout.read() == b""
        finally:
            process.kill()
