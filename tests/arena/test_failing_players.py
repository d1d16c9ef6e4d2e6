"""Players that fail in ways of their own: the game is named, and one line says what happened."""

from __future__ import annotations

import re
import sys

import pytest

import msat
from msat import ArenaError
from msat.arena import Plan, games, simulate
from msat.board import Board

PLAN = {"height": 4, "width": 4, "mines": 3, "games": 3}


class Speechless(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError("no words")


def leaving(board: Board) -> None:
    """Ends the whole process, as it would be in a script."""
    sys.exit(3)


def speechless(board: Board) -> None:
    """Fails, and fails to tell why."""
    raise Speechless


def greedy(board: Board) -> None:
    """Wants more memory than there is."""
    raise MemoryError


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (leaving, "SystemExit: 3"),
        (speechless, "Speechless: it cannot say why"),
        (greedy, "MemoryError"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_the_game_is_named(player: object, said: str, workers: int) -> None:
    plan = Plan(player, **PLAN)  # type: ignore[arg-type]
    with pytest.raises(ArenaError) as caught:
        simulate(plan, workers=workers)
    assert re.fullmatch(
        rf"tests\.arena\.test_failing_players:\w+ failed in game \d \(seed \d+, index 0\): {said} "
        r"\(test_failing_players\.py, line \d+\); 'msat play .*' plays it again",
        str(caught.value),
    ), str(caught.value)


def test_a_board_that_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps its kind, and so the command line its exit status; and names the game as well."""

    def wide(board: Board) -> None:
        raise msat.BudgetExceeded("the board is too wide")

    with pytest.raises(msat.BudgetExceeded, match=r"wide failed in game 0 \(.*\): the board is too wide"):
        list(games.play_games(Plan(wide, **PLAN), 0, 1))  # type: ignore[arg-type]
