"""The SAT engine: every solver and every encoding against the oracle; deadlines; who handles Ctrl-C."""

from __future__ import annotations

import numpy as np
import pytest

from msat.board import Board
from msat.deadline import Deadline
from msat.encode.cardinality import ENCODINGS, NATIVE
from msat.encode.cnf import Formula
from msat.engines.counting._kernels.answer import PROVEN_MINE, PROVEN_SAFE
from msat.engines.solvers import sat
from msat.engines.solvers.sat_session import NATIVE_SOLVERS, SOLVERS, UNLIMITED, SatSession
from msat.errors import BudgetExceeded, MissingPackage
from tests.conftest import scaled
from tests.support.oracle import counts
from tests.support.positions import lattice, small_boards


def check(board: Board, solver: str, encoding: str) -> None:
    """Compare with the oracle."""
    every, with_mine = counts(board)
    if not every:
        return
    verdict = sat.forced(board, solver=solver, encoding=encoding)
    counted = sat.count(board, solver=solver, encoding=encoding)
    assert counted.solutions == every, board
    for cell, mined in with_mine.items():
        assert (verdict[cell] == PROVEN_SAFE) == (mined == 0), (board, cell)
        assert (verdict[cell] == PROVEN_MINE) == (mined == every), (board, cell)
        assert counted.probability(*cell) * every == mined, (board, cell)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding(encoding: str) -> None:
    solver = NATIVE_SOLVERS[-1] if encoding == NATIVE else sat.DEFAULT_SOLVER
    for board in small_boards(scaled(100), 61, most_hidden=12):
        check(board, solver, encoding)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver(solver: str) -> None:
    try:
        sat.forced(Board.parse("?1? 1"), solver=solver)
    except MissingPackage as error:
        pytest.skip(str(error))
    for board in small_boards(scaled(40), 62, most_hidden=12):
        check(board, solver, "direct")


@pytest.mark.parametrize("solver", NATIVE_SOLVERS)
def test_native_constraints(solver: str) -> None:
    for board in small_boards(scaled(40), 63, most_hidden=12):
        check(board, solver, NATIVE)


def pigeons(holes: int) -> Formula[int, int]:
    """One more pigeon than holes: no solution, and no solver sees it quickly."""
    nest = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    apart = [[-a[h], -b[h]] for h in range(holes) for i, a in enumerate(nest) for b in nest[:i]]
    return Formula(clauses=nest + apart, variables=holes * (holes + 1))


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in UNLIMITED])
def test_a_deadline_is_kept(solver: str) -> None:
    try:
        session = SatSession(pigeons(12), solver, Deadline(0.3))
    except MissingPackage as error:
        pytest.skip(str(error))
    with session, pytest.raises(BudgetExceeded, match=r"within 0\.3 seconds"):
        session.solve()  # without one it would take days


def test_answers_are_the_same_every_time() -> None:
    board = lattice(12, 12, 30, 2, seed=3)
    assert np.array_equal(sat.forced(board), sat.forced(board))
