"""Guesses of `best` with the boards that it guessed on, from games by seed."""

from __future__ import annotations

from functools import cache

from msat.board import Board, preset
from msat.layout import Layout
from msat.player import play
from msat.strategies import Choice
from msat.strategies.best.player import Best
from tests.conftest import JIT

__all__ = ["LIMITS", "guesses"]

LIMITS = {} if JIT else {"layouts": 200, "samples": 50}
"""The player's parameters: uncompiled, its searches would take long."""


class _Noting:
    """`best`, and the boards on which it guessed."""

    name = "best"

    def __init__(self) -> None:
        self._player = Best(**LIMITS)
        self.guesses: list[tuple[Board, Choice]] = []

    def choose(self, board: Board) -> Choice | None:
        choice = self._player.choose(board)
        if choice is not None and choice.is_guess:
            self.guesses.append((board, choice))
        return choice


@cache
def guesses(size: str, games: int) -> tuple[tuple[Board, Choice], ...]:
    """The guesses of so many games on boards of a preset's size, or "small" ones."""
    height, width, mines = (6, 7, 8) if size == "small" else preset(size)
    player = _Noting()
    for seed in range(games):
        play(Layout.random(height, width, mines, seed=seed, start=(2, 2), first="safe"), player)
    return tuple(player.guesses)
