"""Thinking about a guess: candidates played on in rounds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import msat
from msat.board import Board
from msat.strategies import playouts as module
from msat.strategies._kernels.onward import MINED, Limits
from msat.strategies.thinking import ROUNDS, Candidate, Effort, think
from tests.conftest import scaled

pytestmark = pytest.mark.kernel

LIMITS = Limits(1000, 50_000, 0.9, 4096)
ENDGAME = Board.parse("1???/????/???? 3")
OPEN = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")


def candidates_of(board: Board) -> list[Candidate]:
    known = msat.analyze(board)
    return [Candidate(r * board.width + c, 1 - float(known.probability[r, c])) for r, c in board.hidden]


def thought(board: Board, candidates: list[Candidate], effort: Effort) -> list[int] | None:
    return think(board.to_array(), board.mines, candidates, LIMITS, effort)


class Played:
    """Stands for `onward`: gives every cell the chance it is told, and counts layouts by cell and depth."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, chances: dict[int, tuple[float, float, float]]
    ) -> None:
        self._chances = chances
        self.layouts: Counter[tuple[int, int]] = Counter()
        monkeypatch.setattr(module, "onward", self._onward)

    def _onward(self, _: object, __: object, cell: int, layouts: Any, guesses: int, *rest: Any) -> None:
        self.layouts[cell, guesses] += len(layouts)
        rest[-1][:] = self._chances[cell][guesses]


def test_the_better_half_goes_on_a_guess_deeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evaluation's choice, here the worst, stays in; the best of the others challenges it."""
    played = Played(monkeypatch, {cell: (cell / 100, cell / 100, cell / 100) for cell in range(10, 17)})
    candidates = [Candidate(cell, 1.0) for cell in range(10, 17)]
    assert thought(OPEN, candidates, Effort(200)) == [6 - 1, 0, 4, 3, 2, 1, 6]
    first, second, third = ROUNDS
    assert (first.left, second.left, third.left) == (6, 3, 2)
    assert played.layouts == {
        **{(cell, 0): 100 for cell in range(10, 16)},  # the seventh is not thought about
        **{(cell, 1): 100 for cell in (10, 15, 14)},
        **{(cell, 2): 200 for cell in (10, 15)},
    }


@pytest.mark.parametrize("lead", [0.012, 0.013])
def test_a_challenger_has_to_lead_clearly(lead: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """By more than 2.5 / 200."""
    Played(monkeypatch, {1: (0.5, 0.5, 0.5), 2: (0.6, 0.6, 0.5 + lead)})
    order = thought(OPEN, [Candidate(1, 1.0), Candidate(2, 1.0)], Effort(200))
    assert order == ([1, 0] if lead > 0.0125 else [0, 1])


def test_safety_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances are those of games that the guess survives."""
    Played(monkeypatch, {1: (0.5, 0.5, 0.5), 2: (0.6, 0.6, 0.6)})
    assert thought(OPEN, [Candidate(1, 0.9), Candidate(2, 0.5)], Effort(200)) == [0, 1]
    assert thought(OPEN, [Candidate(1, 0.5), Candidate(2, 0.9)], Effort(200)) == [1, 0]


def test_without_a_challenger_the_rounds_end(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(monkeypatch, {1: (0.5, 0.5, 0.5), 2: (0.4, 0.9, 0.9), 3: (0.3, 0.9, 0.9)})
    assert thought(OPEN, [Candidate(cell, 1.0) for cell in (1, 3, 2)], Effort(50)) == [0, 2, 1]
    assert {guesses for _, guesses in played.layouts} == {0}


def test_a_cell_that_is_never_safe_has_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    Played(monkeypatch, {1: (0.1, 0.1, 0.1), 2: (MINED, MINED, MINED)})
    assert thought(OPEN, [Candidate(1, 1.0), Candidate(2, 1.0)], Effort(50)) == [0, 1]


def test_it_finds_a_good_move() -> None:
    """On a board small enough to be known exactly, whichever candidate the evaluation had chosen."""
    exact = msat.win_probability(ENDGAME, every_move=True).chances
    assert exact is not None
    candidates = candidates_of(ENDGAME)
    chances = [float(exact[divmod(candidate.cell, 4)]) for candidate in candidates]
    worst = int(np.argmin(chances))
    some = [candidates[worst], *candidates[:worst], *candidates[worst + 1 :]][:6]
    values = [float(exact[divmod(candidate.cell, 4)]) for candidate in some]
    order = thought(ENDGAME, some, Effort(max(30, scaled(2000))))
    assert order is not None
    assert values[order[0]] > np.mean(values) > values[0]


def test_nothing_but_the_board_decides() -> None:
    candidates = candidates_of(OPEN)[::9]
    first, again = (thought(OPEN, candidates, Effort(scaled(100))) for _ in range(2))
    assert first == again
    assert sorted(first or []) == list(range(len(candidates)))


def test_a_single_candidate_needs_no_thought() -> None:
    assert thought(OPEN, candidates_of(OPEN)[:1], Effort(100)) == [0]


def test_time_ends_it() -> None:
    candidates = candidates_of(OPEN)[:3]
    assert (thought(OPEN, candidates, Effort(seconds=1e-9)) or [-1])[0] == 0
    assert sorted(thought(OPEN, candidates, Effort(seconds=0.3)) or []) == [0, 1, 2]


@pytest.mark.parametrize("text", ["3?/?? 1", "1?/?1 3"])
def test_no_layouts(text: str) -> None:
    board = Board.parse(text)
    cells = [Candidate(r * board.width + c, 0.5) for r, c in board.hidden]
    assert thought(board, cells, Effort(10)) is None
