"""Contradictory boards: always reported, with a minimal set of clues, never answered with numbers."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import msat
from msat.board import HIDDEN, Board, Cell
from msat.constants import SAFE
from msat.deadline import Deadline
from msat.engines.counting import contradiction
from msat.engines.counting._kernels.mine_range import mine_range
from msat.engines.counting.possible_totals import possible_totals
from msat.errors import BudgetExceeded, InconsistentBoard
from tests.conftest import FULL, JIT, scaled
from tests.support.oracle import counts, enumerate_layouts
from tests.support.positions import scattered, small_boards

pytestmark = pytest.mark.kernel


def problem_of(board: Board) -> InconsistentBoard:
    with pytest.raises(InconsistentBoard) as info:
        msat.analyze(board)
    return info.value


def can_be_met(board: Board, clues: frozenset[Cell], any_total: bool) -> bool:
    """Whether a layout agrees with these clues; the other revealed cells are safe but show nothing."""
    others = [cell for cell in board.revealed if cell not in clues]
    hidden = board.replace(dict.fromkeys(others, HIDDEN))
    for total in range(board.height * board.width + 1) if any_total else [board.mines]:
        for mines in enumerate_layouts(hidden.replace({}, mines=total)):
            if not mines.intersection(others):
                return True
    return False


@pytest.mark.parametrize("seed", range(3))
def test_the_clues_named_contradict_each_other_and_none_can_be_dropped(seed: int) -> None:
    seen = with_total = 0
    for board in small_boards(scaled(600), 50 + seed, most_hidden=9):
        if board.height * board.width > 16 or counts(board)[0]:
            continue
        problem = problem_of(board)
        seen += 1
        with_total += problem.uses_mine_count
        any_total = not problem.uses_mine_count
        board = board.replace({mark: HIDDEN for mark in board.marked if mark not in problem.marks})
        assert not can_be_met(board, problem.clues, any_total), board
        for clue in problem.clues:
            assert can_be_met(board, problem.clues - {clue}, any_total), (board, clue)
        if problem.uses_mine_count:
            every = range(board.height * board.width + 1)
            assert list(problem.possible_mines) == [m for m in every if counts(board.replace({}, mines=m))[0]]
            assert problem.possible_mines, "the clues alone would be contradictory"
    if FULL:
        assert seen > 30
        assert with_total > 10


@pytest.mark.parametrize(
    ("text", "message", "clues"),
    [
        ("000/010/000 1", "the 1 at r1c1 has no hidden cell and no mine around it", {(1, 1)}),
        ("8?/?? 2", "the 8 at r0c0 has room for at most 3 mines: 0 known and 3 hidden neighbours", {(0, 0)}),
        (
            "*1*/???/??? 2",
            "the marks at r0c0 and r0c2 cannot all be right, by the 1 at r0c1",
            {(0, 1)},
        ),
        (
            "*1*/??? 2",  # whatever is marked
            "no layout has 2 mines in total together with the 1 at r0c1; possible totals: 1",
            {(0, 1)},
        ),
        (
            "*??/111 1",
            "the mark at r0c0 is wrong, by the 1 at r1c1 and the 1 at r1c2",
            {(1, 1), (1, 2)},
        ),
        (
            "0?/1? 1",
            "these clues cannot all be true: the 0 at r0c0 and the 1 at r1c0",
            {(0, 0), (1, 0)},
        ),
        (
            "1??/??? 5",
            "no layout has 5 mines in total together with the 1 at r0c0; possible totals: 1–3",
            {(0, 0)},
        ),
        (
            "**/?? 1",
            "the marks at r0c0 and r0c1 cannot all be right, by the mine total 1; possible totals: 2–4",
            set(),
        ),
        (
            "11/?? 2",
            "no layout has 2 mines in total together with the 1 at r0c1; possible totals: 1",
            {(0, 1)},
        ),
    ],
)
def test_messages(text: str, message: str, clues: set[Cell]) -> None:
    problem = problem_of(Board.parse(text))
    assert str(problem) == message
    assert problem.clues == clues


def test_one_mistyped_number_on_an_expert_board_is_found() -> None:
    if not JIT:
        pytest.skip("too large for uncompiled kernels")
    board = scattered(16, 30, 99, 0.35, seed=4)
    cell = next(cell for cell in board.revealed if board[cell] == 1)
    wrong = board.replace({cell: 5})
    problem = problem_of(wrong)
    assert cell in problem.clues
    assert 1 <= len(problem.clues) <= 9


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
@pytest.mark.parametrize(("end", "beyond"), [(0, -1), (-1, 1)])
@pytest.mark.parametrize(("size", "total", "share"), [(30, 180, 0.3), (50, 500, 0.45)])
def test_a_total_just_beyond_the_possible_ones_of_a_large_board(
    size: int, total: int, share: float, end: int, beyond: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = 0

    def ask(*args: Any) -> Any:
        nonlocal questions
        questions += 1
        return mine_range(*args)

    monkeypatch.setattr(contradiction, "mine_range", ask)
    board = scattered(size, size, total, share, seed=1)
    possible = possible_totals(board.to_array())
    mines = possible[end] + beyond
    problem = problem_of(board.replace({}, mines=mines))
    assert questions < 2 * len(board.revealed)
    assert problem.possible_mines == tuple(possible)
    assert problem.uses_mine_count
    assert len(problem.clues) > 20
    assert len(str(problem)) < 400

    def allowed(clues: frozenset[Cell]) -> bool:
        array = board.to_array()
        for cell in board.revealed:
            if cell not in clues:
                array[cell] = SAFE
        return mines in possible_totals(array, lowest=SAFE)

    assert not allowed(problem.clues)
    for clue in sorted(problem.clues)[::20]:
        assert allowed(problem.clues - {clue}), clue


def test_a_total_in_a_gap_between_others() -> None:
    # A mine in the middle serves all three clues; without it each needs one of its own.
    board = Board.parse("?***?/*7*7*/**?**/*7***/?**** 20")
    assert possible_totals(board.to_array()) == [19, 21]
    problem = problem_of(board)
    assert problem.possible_mines == (19, 21)
    assert problem.clues == {(1, 1), (1, 3), (3, 1)}
    assert str(problem).endswith("possible totals: 19, 21")


def test_the_error_is_a_value_error_that_survives_pickling() -> None:
    problem = problem_of(Board.parse("1??/??? 5"))
    assert isinstance(problem, ValueError)
    again = pickle.loads(pickle.dumps(problem))
    assert (str(again), again.clues, again.uses_mine_count, again.possible_mines) == (
        str(problem),
        problem.clues,
        True,
        (1, 2, 3),
    )


def test_probabilities_refuses_what_analyze_refuses() -> None:
    with pytest.raises(InconsistentBoard, match="r0c0 has room for at most 3"):
        msat.probabilities([[8, -1], [-1, -1]], 2)


class OverBefore(Deadline):
    """A deadline that is over when one thing is about to begin."""

    def __init__(self, what: str) -> None:
        super().__init__(None)
        self.what = what

    def check(self, undone: str = "", *_: Any, **__: Any) -> None:
        if undone == self.what:
            raise BudgetExceeded(undone)


def test_clues_that_are_not_known_to_be_minimal_are_told_as_such() -> None:
    board = Board.parse("1?1?/0??? 2")
    known = contradiction.contradiction(board.to_array(), 2)
    assert known.minimal
    assert known.clues == {(0, 0), (1, 0)}
    cut_short = contradiction.contradiction(board.to_array(), 2, OverBefore("not minimal"))
    assert not cut_short.minimal
    assert not pickle.loads(pickle.dumps(cut_short)).minimal
    assert cut_short.clues > known.clues
    assert "fewer may suffice" in str(cut_short)
