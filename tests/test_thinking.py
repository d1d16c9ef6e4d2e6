"""Thinking about a guess: candidates played on in rounds."""

from __future__ import annotations

import time
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
    """Stands for `onward`: gives every cell the chance it is told, and notes what was played."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, chances: dict[int, tuple[float, float, float]]
    ) -> None:
        self._chances = chances
        self.games: Counter[tuple[int, int]] = Counter()  # by cell and depth
        self.layouts: dict[int, set[bytes]] = {0: set(), 1: set(), 2: set()}  # by depth
        self.limits: set[Limits] = set()
        monkeypatch.setattr(module, "onward", self._onward)

    def _onward(
        self, _: object, __: object, cell: int, layout: Any, guesses: int, limits: Limits, ___: object
    ) -> float:
        self.games[cell, guesses] += 1
        self.layouts[guesses].add(layout.tobytes())
        self.limits.add(limits)
        return self._chances[cell][guesses]


def test_the_better_half_goes_on_a_guess_deeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evaluation's choice, here the worst, stays in; the best of the others challenges it."""
    played = Played(monkeypatch, {cell: (cell / 100, cell / 100, cell / 100) for cell in range(10, 17)})
    candidates = [Candidate(cell, 1.0) for cell in range(10, 17)]
    assert thought(OPEN, candidates, Effort(200)) == [6 - 1, 0, 4, 3, 2, 1, 6]
    first, second, third = ROUNDS
    assert (first.left, second.left, third.left) == (6, 3, 2)
    assert played.games == {
        **{(cell, 0): 100 for cell in range(10, 16)},  # the seventh is not thought about
        **{(cell, 1): 100 for cell in (10, 15, 14)},
        **{(cell, 2): 200 for cell in (10, 15)},
    }
    assert [len(played.layouts[depth]) for depth in range(3)] == [100, 100, 200]
    assert len(set.union(*played.layouts.values())) == 400, "every round has layouts of its own"
    assert played.limits == {Limits(200, 20_000, 0.9, 4096)}


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
    assert {guesses for _, guesses in played.games} == {0}


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


def test_time_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round in its time; where there is none, nothing is found."""
    played = Played(monkeypatch, {1: (0.5, 0.5, 0.5), 2: (0.6, 0.6, 0.6)})
    candidates = [Candidate(1, 1.0), Candidate(2, 1.0)]
    assert thought(OPEN, candidates, Effort(seconds=1e-9)) is None
    assert not played.games
    began = time.perf_counter()
    assert thought(OPEN, candidates, Effort(seconds=0.5)) == [1, 0]
    assert 0.5 <= time.perf_counter() - began < 1.5
    assert min(played.games[cell, depth] for cell in (1, 2) for depth in range(3)) > 20
    assert played.games[1, 2] > played.games[1, 0]


def test_with_games_and_seconds_whichever_ends_first(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(monkeypatch, {1: (0.5, 0.5, 0.5), 2: (0.6, 0.6, 0.6)})
    candidates = [Candidate(1, 1.0), Candidate(2, 1.0)]
    thought(OPEN, candidates, Effort(40, 60.0))
    assert [played.games[1, depth] for depth in range(3)] == [20, 20, 40]
    began = time.perf_counter()
    thought(OPEN, candidates, Effort(10_000_000, 0.2))
    assert time.perf_counter() - began < 1.2


def test_a_choice_that_is_never_safe_cannot_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    Played(monkeypatch, {1: (MINED, MINED, MINED), 2: (0.5, 0.5, 0.5)})
    assert thought(OPEN, [Candidate(1, 0.1), Candidate(2, 1.0)], Effort(3)) is None


def test_it_searches_no_further_than_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(monkeypatch, {1: (0.5, 0.5, 0.5), 2: (0.4, 0.4, 0.4)})
    candidates = [Candidate(1, 1.0), Candidate(2, 1.0)]
    think(OPEN.to_array(), OPEN.mines, candidates, Limits(20, 1000, 0.9, 4096), Effort(3))
    assert played.limits == {Limits(20, 1000, 0.9, 4096)}


@pytest.mark.parametrize("text", ["3?/?? 1", "1?/?1 3"])
def test_no_layouts(text: str) -> None:
    board = Board.parse(text)
    cells = [Candidate(r * board.width + c, 0.5) for r, c in board.hidden]
    assert thought(board, cells, Effort(10)) is None
