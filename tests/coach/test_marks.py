"""Marks are opinions: how they are judged, and whom a board that they make impossible blames."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import msat
from msat import Board, InconsistentBoard
from msat.coach.marks import Mark, trusted
from tests.conftest import FULL, scaled
from tests.support.oracle import enumerate_layouts
from tests.support.positions import small_boards


def marked(board: Board, *cells: tuple[int, int]) -> Board:
    return board.replace(dict.fromkeys(cells, msat.MINE))


class TestTheBoard:
    def test_without_marks(self) -> None:
        board = Board.parse("*1?/2*? 3")
        assert board.without_marks() == Board.parse("?1?/2?? 3")
        assert board.without_marks().without_marks() == board.without_marks()

    def test_a_board_without_marks_is_itself(self) -> None:
        board = Board.parse("?1? 1")
        assert board.without_marks() is board


class TestJudging:
    def test_a_board_without_marks(self) -> None:
        assert msat.judge_marks(Board.parse("?1?/11? 1")) == {}

    def test_a_mark_on_a_safe_cell_is_wrong(self) -> None:
        found = msat.judge_marks(Board.parse("**?/111 1"))
        assert found == {(0, 0): Mark("wrong", Fraction(0)), (0, 1): Mark("proven", Fraction(1))}

    def test_a_mark_that_may_be_right(self) -> None:
        assert msat.judge_marks(Board.parse("*?/11 1")) == {(0, 0): Mark("unproven", Fraction(1, 2))}

    def test_the_total_is_part_of_the_judgement(self) -> None:
        assert msat.judge_marks(Board.parse("*?/?? 4"))[0, 0].verdict == "proven"
        assert msat.judge_marks(Board.parse("*?/?? 0"))[0, 0].verdict == "wrong"

    def test_a_board_whose_numbers_contradict_each_other_is_not_judged(self) -> None:
        with pytest.raises(InconsistentBoard) as caught:
            msat.judge_marks(Board.parse("1?*/0?? 1"))
        assert caught.value.clues == {(0, 0), (1, 0)}
        assert caught.value.marks == frozenset()

    def test_what_a_person_is_answered_from(self) -> None:
        board = Board.parse("**?/111 1")
        judged = msat.judge_marks(board)
        assert trusted(board, judged) == Board.parse("?*?/111 1")

    def test_something_that_is_no_board(self) -> None:
        with pytest.raises(TypeError, match="judge_marks takes a Board"):
            msat.judge_marks("*?/11 1")  # type: ignore[arg-type]

    def test_as_a_plain_value(self) -> None:
        assert Mark("unproven", Fraction(1, 4)).to_object((0, 2)) == {
            "cell": [0, 2],
            "verdict": "unproven",
            "probability": 0.25,
        }


@pytest.mark.kernel
def test_judgements_and_culprits_agree_with_the_oracle() -> None:
    """On small boards with random marks, right and wrong: every verdict, and minimal sets of culprits."""
    rng = random.Random(17)
    judged_kinds: set[str] = set()
    blamed = 0
    for board in small_boards(scaled(600), seed=17, most_hidden=10):
        hidden = board.hidden
        board = marked(board, *rng.sample(hidden, min(len(hidden), rng.randint(1, 4))))
        if len(board.marked) > 12:
            continue
        layouts = list(enumerate_layouts(board.without_marks()))
        if not layouts:
            continue
        judged = msat.judge_marks(board)
        assert set(judged) == set(board.marked)
        for cell, mark in judged.items():
            share = Fraction(sum(cell in layout for layout in layouts), len(layouts))
            assert mark.probability == share, (board, cell)
            assert mark.verdict == {0: "wrong", 1: "proven"}.get(share, "unproven")  # type: ignore[call-overload]
            judged_kinds.add(mark.verdict)
        if next(enumerate_layouts(board), None) is None:
            blamed += 1
            _check_culprits(board)
    if FULL:
        assert judged_kinds == {"wrong", "proven", "unproven"}
        assert blamed > 30


def _check_culprits(board: Board) -> None:
    """The set is contradictory, and without any one of its members it is not."""
    with pytest.raises(InconsistentBoard) as caught:
        msat.analyze(board)
    error = caught.value
    assert error.marks, "the numbers alone have layouts"
    assert error.marks <= set(board.marked)
    judged = msat.judge_marks(board)
    if any(mark.verdict == "wrong" for mark in judged.values()):
        [only] = error.marks
        assert judged[only].verdict == "wrong"
    culprits = [("mark", cell) for cell in error.marks] + [("clue", cell) for cell in error.clues]
    if error.uses_mine_count:
        culprits.append(("total", (0, 0)))
    assert not _possible(board, culprits), board
    for left_out in culprits:
        assert _possible(board, [each for each in culprits if each != left_out]), (board, left_out)


def _possible(board: Board, facts: list[tuple[str, tuple[int, int]]]) -> bool:
    """Whether some layout agrees with these facts; a clue that is not among them is a safe cell."""
    marks = {cell for kind, cell in facts if kind == "mark"}
    clues = {cell for kind, cell in facts if kind == "clue"}
    free = [cell for cell in (*board.hidden, *board.marked) if cell not in marks]
    totals = [board.mines] if ("total", (0, 0)) in facts else range(len(free) + len(marks) + 1)
    for code in range(1 << len(free)):
        mines = marks | {cell for i, cell in enumerate(free) if code >> i & 1}
        if len(mines) in totals and all(
            sum(near in mines for near in board.neighbours(clue)) == board[clue] for clue in clues
        ):
            return True
    return False
