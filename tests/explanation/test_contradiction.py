"""Explanations of boards that contradict themselves: right, minimal, and with what would repair them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import msat
from msat.board import HIDDEN, Board, Cell
from msat.constants import SAFE
from msat.engines.counting.engine import count_array
from msat.engines.counting.possible_totals import possible_totals
from msat.errors import BudgetExceeded, ParameterError
from msat.explanation.conflict import explain_contradiction
from tests.conftest import FULL, JIT, scaled
from tests.support.oracle import counts
from tests.support.positions import scattered, small_boards
from tests.support.proofs import check_proof, placements, showing

pytestmark = pytest.mark.kernel


def possible_with(board: Board, clues: frozenset[Cell], total: bool) -> bool:
    """Whether these clues can be met, by the counting engine."""
    possible = possible_totals(showing(board, clues), lowest=SAFE)
    return board.mines in possible if total else bool(possible)


def test_small_boards() -> None:
    seen = 0
    for board in small_boards(scaled(500), 77, most_hidden=9):
        if counts(board)[0] or board.height * board.width > 20:
            continue
        seen += 1
        found = msat.explain_contradiction(board)
        board = found.blamed
        assert not placements(board, found.clues, found.uses_mine_count)
        if found.steps:
            check_proof(board, found.clues, found.uses_mine_count, found.steps, None)
        else:
            assert len(found.clues) == 1, "only a clue that its neighbours contradict needs no steps"
        possible = {
            (cell, number)
            for cell in board.revealed
            for number in range(9)
            if counts(board.replace({cell: number}))[0]
        }
        flags = [(mark, HIDDEN) for mark in board.marked]
        assert list(found.repairs or ())[: len(flags)] == flags, board
        assert all(counts(board.replace({mark: HIDDEN}))[0] for mark in board.marked), board
        assert set(found.repairs or ()) - set(flags) == possible, board
    assert not FULL or seen > 40


def test_a_changed_number_on_expert_boards() -> None:
    if not JIT:
        pytest.skip("too large for uncompiled kernels")
    rng = random.Random(5)
    seen = 0
    for seed in range(8):
        board = scattered(16, 30, 99, 0.5, seed=seed)
        cell = rng.choice(board.revealed)
        wrong = board.replace({cell: (board[cell] + rng.choice([1, 2, 7, 8])) % 9})
        if count_array(wrong.to_array(), 99).status == 0:
            continue
        seen += 1
        found = msat.explain_contradiction(wrong)
        assert not possible_with(wrong, found.clues, found.uses_mine_count)
        for clue in found.clues:
            assert possible_with(wrong, found.clues - {clue}, found.uses_mine_count), (wrong, clue)
        assert found.repairs is not None
        assert (cell, board[cell]) in found.repairs
        if found.steps:
            check_proof(wrong, found.clues, found.uses_mine_count, found.steps, None)
    assert seen >= 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "1?/0? 1",
            "these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0\n"
            "  the 1 at r0c0 needs 1 mine; the 0 at r1c0 allows none in r0c1 and r1c1; it has no place\n"
            "one changed number would make the board possible: a 1 at r1c0",
        ),
        (
            "0?1/???/?0? 0",
            "these clues cannot all be true: the 0 at r0c0, the 1 at r0c2 and the 0 at r2c1\n"
            "  the 0 at r0c0 has no mines: r0c1 and r1c1 are safe\n"
            "  then the 1 at r0c2 needs a mine in every cell left: r1c2 is a mine\n"
            "  but then the 0 at r2c1 would have 1 mine\n"
            "one changed number would make the board possible: a 0 at r0c2",
        ),
        (
            "8?/?? 2",
            "the 8 at r0c0 has room for at most 3 mines: 0 known and 3 hidden neighbours\n"
            "one changed number would make the board possible: a 2 at r0c0",
        ),
        (
            "1??/??? 5",
            "no layout has 5 mines in total together with the 1 at r0c0; possible totals: 1–3\n"
            "  the 1 at r0c0 has 1 mine in r0c1, r1c0 and r1c1\n"
            "  there are 5 mines in all: 4 left for 2 other cells\n"
            "one changed number would make the board possible: a 3 at r0c0",
        ),
        (
            "**/?? 1",
            "the marks at r0c0 and r0c1 cannot all be right, by the mine total 1; possible totals: 2–4\n"
            "  there is 1 mine in all, 2 are marked: 1 too few\n"
            "take the flag off r0c0 or r0c1",
        ),
        (
            "*??/111 1",
            "the mark at r0c0 is wrong, by the 1 at r1c1 and the 1 at r1c2\n"
            "  the 1 at r1c2 needs 1 mine; the 1 at r1c1 allows none in r0c1 and r0c2; it has no place\n"
            "take the flag off r0c0\n"
            "one changed number would do as well: a 0 at r1c2",
        ),
    ],
)
def test_texts(text: str, expected: str) -> None:
    assert str(msat.explain_contradiction(Board.parse(text))) == expected


def test_without_time_there_are_no_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: object) -> None:
        raise BudgetExceeded("no time")

    monkeypatch.setattr("msat.explanation.conflict.count_array", give_up)
    found = msat.explain_contradiction(Board.parse("1?/0? 1"))
    assert found.repairs is None
    assert str(found).endswith("it has no place")


def test_a_board_without_contradiction() -> None:
    with pytest.raises(ParameterError, match=r"does not contradict itself"):
        msat.explain_contradiction(Board.parse("?1 1"))


def test_many_changes_are_told_as_people_list_them() -> None:
    """They were "a 2 or a 1 or a 0 at r0c0 or a 4 at r1c2 or …"."""
    found = explain_contradiction(Board.parse("1?/0? 1"))
    would = "one changed number would make the board possible:"
    many = (((0, 0), 2), ((0, 0), 1), ((0, 0), 0), ((1, 2), 4), ((1, 5), 2), ((1, 5), 3))
    assert replace(found, repairs=many).repair_lines() == [
        f"{would} a 2, 1 or 0 at r0c0, a 4 at r1c2, or a 2 or 3 at r1c5"
    ]
    assert replace(found, repairs=many[2:4]).repair_lines() == [f"{would} a 0 at r0c0 or a 4 at r1c2"]
