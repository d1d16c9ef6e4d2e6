"""The problem of a board: its constraints have exactly the solutions that the board has."""

from __future__ import annotations

from itertools import product
from math import comb, prod

import pytest

from msat.board import Board
from msat.errors import CellError
from msat.problem.problem import Problem
from tests.conftest import scaled
from tests.support.oracle import counts
from tests.support.positions import small_boards

pytestmark = pytest.mark.kernel


def solutions_of(problem: Problem) -> int:
    """Count by trying every number of mines in every box, straight from the definition."""
    if problem.broken is not None:
        return 0
    total = 0
    for mines in product(*(range(box.size + 1) for box in problem.boxes)):
        if all(sum(mines[b] for b in clue.boxes) == clue.need for clue in problem.clues):
            left = problem.mines_left - sum(mines)
            if left >= 0:
                ways = prod(comb(box.size, n) for box, n in zip(problem.boxes, mines, strict=True))
                total += ways * comb(len(problem.rest), left)
    return total


def test_the_constraints_have_as_many_solutions_as_the_board() -> None:
    for board in small_boards(scaled(400), 31, most_hidden=9):
        assert solutions_of(Problem.of(board)) == counts(board)[0], board


def test_boxes_components_and_rest_part_the_hidden_cells() -> None:
    for board in small_boards(scaled(400), 32, most_hidden=30):
        problem = Problem.of(board)
        cells = [cell for box in problem.boxes for cell in box.cells] + list(problem.rest)
        assert sorted(cells) == list(board.hidden)
        revealed = set(board.revealed)
        for box in problem.boxes:
            touching = {problem.clues[k].cell for k in box.clues}
            for cell in box.cells:
                assert set(board.neighbours(cell)) & revealed == touching
        signatures = [box.clues for box in problem.boxes]
        assert len(set(signatures)) == len(signatures)
        assert sorted(b for part in problem.components for b in part.boxes) == list(range(len(problem.boxes)))
        assert sorted(k for part in problem.components for k in part.clues) == list(range(len(problem.clues)))
        for clue in problem.clues:
            assert (
                len({b in part.boxes for part in problem.components for b in clue.boxes if b in part.boxes})
                == 1
            )


def test_known_cells_are_no_longer_unknown() -> None:
    board = Board.parse("1??/??? 2")
    problem = Problem.of(board, safe=[(0, 1)], mined=[(1, 0)])
    assert problem.mines_left == 1
    assert [box.cells for box in problem.boxes] == [((1, 1),)]
    assert problem.clues[0].need == 0
    with pytest.raises(CellError, match="r0c0 is not hidden"):
        Problem.of(board, safe=[(0, 0)])


def test_a_broken_clue_is_named() -> None:
    assert Problem.of(Board.parse("1?1/?9?/??? 3".replace("9", "8"))).broken == (1, 1)
    assert Problem.of(Board.parse("*1*/??? 3")).broken == (0, 1)
