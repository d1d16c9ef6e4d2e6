"""Components counted part by part: wherever they are cut, the count is the same."""

from __future__ import annotations

from types import ModuleType

import pytest

from msat.board import Board
from msat.deadline import Deadline
from msat.engines.counting.exact import ExactCount
from msat.engines.solvers import cpsat, cutting, sat
from msat.engines.solvers.cutting import ListedPart, parts_of
from msat.engines.solvers.prepared import PreparedBoard
from msat.engines.solvers.rejoining import join_parts
from msat.errors import BudgetExceeded
from msat.problem.problem import Component
from tests.conftest import scaled
from tests.support.oracle import counts
from tests.support.positions import lattice, scattered, small_boards

FEWEST = 9
"""The ways to fill a single box of eight cells: no part can be asked to have fewer."""


@pytest.mark.parametrize("engine", [sat, cpsat])
def test_small_boards_against_the_oracle(engine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "MOST", FEWEST)
    for board in small_boards(scaled(100), 71, most_hidden=14):
        every, with_mine = counts(board)
        if every:
            counted = engine.count(board)
            assert counted.solutions == every, board
            for cell, mined in with_mine.items():
                assert counted.probability(*cell) * every == mined, (board, cell)


@pytest.mark.parametrize("most", [FEWEST, 40, 1000])
@pytest.mark.parametrize("engine", [sat, cpsat])
def test_linked_boards_against_counting(
    engine: ModuleType, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cutting, "MOST", most)
    for board in (lattice(9, 9, 16, 2, seed=1), lattice(10, 14, 20, 3, seed=2), scattered(9, 16, 30, 0.3, 3)):
        expected = ExactCount(board.to_array(), board.mines)
        counted = engine.count(board)
        assert counted.solutions == expected.solutions, board
        for cell in board.hidden:
            assert counted.probability(*cell) == expected.probability(*cell), (board, cell)


def every_filling(position: PreparedBoard, boxes: tuple[int, ...], most: int) -> list[tuple[int, ...]] | None:
    """Any number of mines in any box: what a solver that knows no clues would say."""
    found: list[tuple[int, ...]] = [()]
    for b in boxes:
        found = [(*counts, n) for counts in found for n in range(position.problem.boxes[b].size + 1)]
        if len(found) > most:
            return None
    return found


def test_ways_that_break_a_clue_do_no_harm() -> None:
    board = lattice(5, 7, 8, 2, seed=4)  # no rest
    position = PreparedBoard(board)
    (component,) = position.problem.components
    found = parts_of(
        position.problem,
        component,
        lambda: position.order(component),
        lambda boxes, most: every_filling(position, boxes, most),
    )
    assert len(found) > 3
    assert all(len(part.solutions) <= cutting.MOST for part in found)
    assert [b for part in found for b in part.boxes] == position.order(component)
    tally = join_parts(position.problem, component, found, Deadline(None))
    expected = ExactCount(board.to_array(), board.mines)
    assert tally.ways[position.problem.mines_left] == expected.solutions
    for i, b in enumerate(component.boxes):
        cell = position.problem.boxes[b].cells[0]
        assert tally.mined(i).get(
            position.problem.mines_left, 0
        ) == expected.solutions * expected.probability(*cell)


def test_a_way_that_is_missing_is_missed() -> None:
    position = PreparedBoard(Board.parse("?1?? 1"))
    component = Component((0,), (0,))
    assert join_parts(position.problem, component, [ListedPart((0,), [(0,), (1,)])], Deadline(None)).ways == {
        1: 2
    }
    assert join_parts(position.problem, component, [ListedPart((0,), [(0,)])], Deadline(None)).ways == {}


@pytest.mark.parametrize("engine", [sat, cpsat])
def test_memory_is_limited(engine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.deadline.MEMORY_LIMIT", 1 << 20)
    with pytest.raises(BudgetExceeded, match=r"a frontier with \d+ clues .* 1 MiB of memory") as info:
        engine.count(lattice(24, 24, 115, 2, seed=0))
    assert info.value.width > 5
