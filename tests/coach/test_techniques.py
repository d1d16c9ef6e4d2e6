"""Techniques, walk-throughs and difficulties: against players that have one technique and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import msat
from msat.board import HIDDEN, MINE, Board, Cell
from msat.coach._kernels.techniques import MOST_SUMMED, climb, find_clues, list_clues
from msat.coach.techniques import NAMES, easiest_clues, forced_by, level_of, play_up_to
from msat.errors import InconsistentBoard, LayoutError, UnknownName, WrongType
from msat.layout import Layout
from tests.conftest import FULL, JIT, scaled
from tests.support.oracle import enumerate_layouts
from tests.support.person import (
    Clue,
    Technique,
    all_clues,
    by_sum,
    connected,
    pairs,
    settled,
    singles,
    solves,
    sums,
)
from tests.support.positions import small_boards

pytestmark = pytest.mark.kernel


def clues_of(board: Board) -> dict[Cell, Clue]:
    found = {}
    for clue in board.revealed:
        around = board.neighbours(clue)
        unknown = frozenset(cell for cell in around if board[cell] == HIDDEN)
        if unknown:
            found[clue] = (unknown, board[clue] - sum(board[cell] == MINE for cell in around))
    return found


def consistent(count: int, seed: int, most_hidden: int) -> list[Board]:
    """Boards that some layout agrees with."""
    found = []
    for board in small_boards(count, seed, most_hidden):
        try:
            msat.analyze(board)
        except InconsistentBoard:
            continue
        found.append(board)
    return found


def test_the_easiest_clues_are_the_fewest_that_settle_something() -> None:
    sizes = dict.fromkeys(range(MOST_SUMMED + 1), 0)
    for board in consistent(scaled(900), seed=1, most_hidden=12) + summed_boards():
        clues = clues_of(board)
        if len(clues) > 12:
            continue
        found = easiest_clues(board.to_array())
        sizes[len(found)] += 1
        for size in range(1, MOST_SUMMED + 1):
            tell = settled if size <= 2 else by_sum
            told = any(tell(chosen) for chosen in connected(list(clues.values()), size))
            assert told == (size == len(found)), (board, size, found)
            if told:
                assert tell([clues[cell] for cell in found])
                break
    if FULL:
        assert all(sizes[size] > 3 for size in (0, 1, 2, 3)), sizes


def summed_boards() -> list[Board]:
    """Positions in which sums of three and more clues are the easiest that there is."""
    found = []
    for seed in range(scaled(40)):
        layout = Layout.random(6, 7, 11, seed=seed, start=(2, 2))
        _, known = play_up_to(layout.numbers(), (2, 2), 2)
        board = Board.from_array(known, layout.mines)
        if board.hidden:
            found.append(board)
    return found


def test_what_clues_force_without_the_total_is_what_all_totals_agree_on() -> None:
    for board in consistent(scaled(300), seed=2, most_hidden=9):
        layouts = [
            mines
            for total in range(board.height * board.width + 1)
            for mines in enumerate_layouts(board.replace({}, mines=total))
        ]
        safe, mined = forced_by(board.to_array())
        assert safe == {cell for cell in board.hidden if all(cell not in mines for mines in layouts)}
        assert mined == {cell for cell in board.hidden if all(cell in mines for mines in layouts)}
        analysis = msat.analyze(board)
        assert forced_by(board.to_array(), None, board.mines) == (analysis.safe, analysis.mined)
        clues = sorted(clues_of(board))[:3]
        told = settled([clues_of(board)[cell] for cell in clues]) if clues else {}
        safe, mined = forced_by(board.to_array(), clues)
        assert {cell: cell in mined for cell in safe | mined} == told


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_technique_never_errs(level: int) -> None:
    for seed in range(scaled(60)):
        layout = Layout.random(8, 8, 12, seed=seed, start=(3, 3))
        numbers = layout.numbers()
        grid = np.full((8, 8), HIDDEN, np.int8)
        grid[3, 3] = -3
        left = climb(numbers, grid, level)
        assert (numbers[grid == MINE] == MINE).all()
        assert (grid[grid >= 0] == numbers[grid >= 0]).all()
        assert left == np.count_nonzero((grid < 0) & (numbers != MINE))
        assert (left == 0) == play_up_to(numbers, (3, 3), level)[0]


def test_more_techniques_get_further() -> None:
    for seed in range(scaled(40)):
        layout = Layout.random(9, 9, 14, seed=seed, start=(4, 4))
        opened = [np.count_nonzero(play_up_to(layout.numbers(), (4, 4), n)[1] >= 0) for n in range(1, 6)]
        assert opened == sorted(opened)
        assert play_up_to(layout.numbers(), (4, 4), 5)[0] == msat.play(layout, "logic").won


@pytest.mark.skipif(not JIT, reason="takes many layouts")
@pytest.mark.parametrize(
    ("name", "solving", "failing"),
    [
        ("gentle", [singles], []),
        ("normal", [singles, pairs], [singles]),
        ("tricky", [singles, pairs, sums(3), sums(4), sums(5)], [singles, pairs]),
        ("hard", [singles, pairs, all_clues], [singles, pairs, sums(5)]),
        ("fiendish", None, [singles, pairs, all_clues]),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_layouts_are_as_hard_as_they_are_meant_to_be(
    name: str, solving: list[Technique] | None, failing: list[Technique], seed: int
) -> None:
    layout = Layout.no_guess(8, 8, 10, seed=seed, start=(3, 3), difficulty=name)
    assert layout == Layout.no_guess(8, 8, 10, seed=seed, start=(3, 3), difficulty=name)
    assert layout.mines == 10
    if solving is not None:
        assert solves(layout, solving)
    if failing:
        assert not solves(layout, failing)
    assert msat.play(layout, "logic").won
    found = msat.difficulty(layout)
    assert found.name == name
    assert found.technique == level_of(name) == max(i for i, steps in enumerate(found.steps, 1) if steps)
    assert found.to_object()["name"] == name
    assert str(found).startswith(f"{name}: the hardest step takes ")


def test_a_walkthrough_finds_all_that_is_forced_and_nothing_else() -> None:
    techniques = set()
    for board in consistent(scaled(400), seed=4, most_hidden=25) + summed_boards():
        analysis = msat.analyze(board)
        found = msat.walkthrough(board)
        assert (found.safe, found.mined) == (analysis.safe, analysis.mined), board
        known: dict[Cell, bool] = {}
        explained = set()
        for step in found.steps:
            techniques.add(step.technique)
            new = {cell: cell in step.mined for cell in step.safe | step.mined}
            assert new
            assert not new.keys() & known.keys()
            assert (step.clues, step.technique) not in explained
            explained.add((step.clues, step.technique))
            check_step(board, known, step)
            known |= new
        assert found.difficulty == max((step.difficulty for step in found.steps), default=(0, 0))
        assert msat.difficulty(board).technique == found.difficulty[0]
        assert len(found.to_object()["steps"]) == len(found.steps)
    if FULL:
        assert techniques == {1, 2, 3, 5}


def check_step(board: Board, known: dict[Cell, bool], step: msat.coach.walkthrough.WalkthroughStep) -> None:
    """The clues of a step force what it adds, given what was known before, and none can be left out."""
    clues = []
    for around, need in (clues_of(board)[cell] for cell in sorted(step.clues)):
        unknown = frozenset(cell for cell in around if cell not in known)
        clues.append((unknown, need - sum(known.get(cell, False) for cell in around)))
    if step.uses_mine_count:
        unknown = frozenset(board.hidden).difference(known)
        clues.append((unknown, board.mines - len(board.marked) - sum(known.values())))
    told = settled(clues)
    new = {cell: cell in step.mined for cell in step.safe | step.mined}
    assert told == new, (board, step)
    if step.technique <= 2:
        assert step.technique == len(step.clues)
    if step.technique == 3:
        assert 3 <= len(step.clues) <= MOST_SUMMED
        assert by_sum(clues)
    text = "\n".join(step.text)
    assert text
    for cell in new if len(new) <= 8 else ():
        assert f"r{cell[0]}c{cell[1]}" in text


def test_a_sum_that_settles_both_ways_is_told_once_and_numbers_are_listed_once() -> None:
    """A sum with no room to spare: what is added is used up, and what is subtracted is full."""
    both = 0
    for board in summed_boards() + [
        Board.from_array(play_up_to(layout.numbers(), (2, 2), 2)[1], layout.mines)
        for layout in (Layout.random(9, 12, 24, seed=seed, start=(2, 2)) for seed in (22, 25, 35))
    ]:
        for step in msat.walkthrough(board).steps:
            headers = [line for line in step.text if line.endswith(":") and "the same:" not in line]
            assert len(headers) <= 1
            if step.technique == 3 and step.safe and step.mined:
                assert len(step.text) == 1, step.text
                both += 1
    assert both or not FULL


def test_where_nothing_can_be_found() -> None:
    assert str(msat.walkthrough(Board.parse("??/?? 2"))) == "nothing can be proven: a guess is needed"
    assert str(msat.walkthrough(Board.parse("1*/11 1"))) == "nothing is left to find"
    found = msat.difficulty(Board.parse("??/?? 2"))
    assert (found.name, found.technique, str(found)) == (None, 0, "nothing can be proven")


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match=f"unknown difficulty 'easy': choose one of {', '.join(NAMES)}"):
        Layout.no_guess(9, 9, 10, seed=1, start=(4, 4), difficulty="easy")
    with pytest.raises(WrongType, match="difficulty takes a Board or a Layout, not '11'"):
        msat.difficulty("11")  # type: ignore[arg-type]
    with pytest.raises(LayoutError, match="as hard as its start makes it: give it one"):
        msat.difficulty(Layout.parse("..*"))
    with pytest.raises(LayoutError, match=r"the start \(0, 2\) has a mine"):
        msat.difficulty(Layout.from_mines(1, 3, [(0, 2)], start=(0, 2)))
    with pytest.raises(LayoutError, match=r"from \(0, 1\) this layout needs a guess"):
        msat.difficulty(Layout.from_mines(1, 3, [(0, 2)], start=(0, 1)))
    with pytest.raises(LayoutError, match=r"no tricky 2×2 layout with 1 mines? that needs no guess"):
        Layout.no_guess(2, 2, 1, seed=1, start=(0, 0), first="safe", difficulty="tricky")


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_each_kernel_is_compiled_once() -> None:
    msat.difficulty(Layout.no_guess(8, 8, 10, seed=1, start=(3, 3), difficulty="tricky"))
    kernels: list[Any] = [climb, find_clues, list_clues]
    assert [len(kernel.signatures) for kernel in kernels] == [1, 1, 1]
