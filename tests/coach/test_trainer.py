"""The trainer: positions as hard as asked for, answers judged rightly, guesses that matter."""

from __future__ import annotations

from fractions import Fraction

import pytest

import msat
from msat.coach.techniques import NAMES, easiest_clues, forced_by, level_of
from msat.coach.trainer import find_exercise, guess_exercise
from msat.coach.walkthrough import next_step
from msat.errors import CellError, UnknownName
from tests.conftest import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="takes many layouts")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_easiest_step_is_as_hard_as_asked_for(name: str, seed: int) -> None:
    exercise = find_exercise(name, seed)
    assert exercise == find_exercise(name, seed)
    assert exercise.question == f"Find a safe cell ({name})."
    board = exercise.board
    step = next_step(board, board.to_array())
    assert step is not None
    assert step.technique == level_of(name)
    if level_of(name) == 4:
        assert not easiest_clues(board.to_array())
    if level_of(name) == 5:
        assert not any(forced_by(board.to_array()))
    analysis = msat.analyze(board)
    assert analysis.safe
    right = exercise.answer(min(analysis.safe))
    assert right.right
    assert right.kept == 1
    assert right.best == min(analysis.safe)
    assert right.text[0] == "right"
    others = [cell for cell in board.hidden if cell not in analysis.safe]
    for cell in others[:3]:
        wrong = exercise.answer(cell)
        assert not wrong.right
        assert wrong.best in analysis.safe
        assert wrong.text[0].startswith(f"r{cell[0]}c{cell[1]} is a mine")
        assert wrong.text[0].endswith("you missed this:")
        assert f"r{wrong.best[0]}c{wrong.best[1]}" in wrong.text[1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_guess_is_judged_by_what_it_keeps(seed: int) -> None:
    exercise = guess_exercise(seed, 6, 6, 8)
    assert exercise == guess_exercise(seed, 6, 6, 8)
    analysis = msat.analyze(exercise.board)
    assert not analysis.safe
    chances = msat.win_probability(exercise.board, every_move=True, most_solutions=60_000).chances
    assert chances is not None
    best = max(chances.values())
    worth = set()
    for cell in exercise.board.hidden:
        answer = exercise.answer(cell)
        expected = chances.get(cell, Fraction(0)) / best
        assert answer.kept == expected
        assert answer.right == (expected == 1)
        assert chances[answer.best] == best
        worth.add(expected)
    assert min(worth) < 1
    assert exercise.question == "Nothing can be proven: which cell would you open?"


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="unknown difficulty 'easy'"):
        find_exercise("easy", 1)
    exercise = find_exercise("gentle", 1)
    with pytest.raises(CellError, match=r"r3c3 is not hidden: choose a hidden cell"):
        exercise.answer((3, 3))
    with pytest.raises(CellError, match="not on the 9×9 board"):
        exercise.answer((9, 9))
