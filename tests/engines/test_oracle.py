"""The oracle itself, against values worked out by hand and against a second, even plainer enumeration."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from msat.board import Board
from tests.support.oracle import counts, enumerate_layouts


def test_a_blank_board_counts_like_a_binomial() -> None:
    solutions, with_mine = counts(Board.blank(3, 4, 5))
    assert solutions == comb(12, 5)
    assert set(with_mine.values()) == {comb(11, 4)}


def test_one_clue_by_hand() -> None:
    # One mine is among the three cells that the 1 sees, the other among the two that it does not.
    assert counts(Board.parse("1??/??? 2")) == (
        3 * 2,
        {(0, 1): 2, (0, 2): 3, (1, 0): 2, (1, 1): 2, (1, 2): 3},
    )


def test_the_one_two_one_has_one_solution() -> None:
    assert list(enumerate_layouts(Board.parse("???/121 2"))) == [frozenset({(0, 0), (0, 2)})]


def test_marked_mines_belong_to_every_layout_and_to_the_total() -> None:
    board = Board.parse("*2?/??? 2")
    assert set(enumerate_layouts(board)) == {
        frozenset({(0, 0), other}) for other in [(0, 2), (1, 0), (1, 1), (1, 2)]
    }


@pytest.mark.parametrize("text", ["10/?? 1", "1?1/??? 0", "1?/?? 3"])
def test_a_contradiction_has_no_layout(text: str) -> None:
    assert counts(Board.parse(text))[0] == 0


@pytest.mark.parametrize("text", ["?1?/???/?2?/??? 3", "*?2?/??3?/???1 4", "??1/3?2/??? 3"])
def test_backtracking_equals_filtering_all_combinations(text: str) -> None:
    board = Board.parse(text)
    expected = set()
    for chosen in combinations(board.hidden, board.mines - len(board.marked)):
        mines = frozenset(board.marked).union(chosen)
        if all(len(mines.intersection(board.neighbours(clue))) == board[clue] for clue in board.revealed):
            expected.add(mines)
    assert expected, "a case without a layout shows nothing"
    assert set(enumerate_layouts(board)) == expected
