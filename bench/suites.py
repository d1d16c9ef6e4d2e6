"""The positions that are timed: made from seeds, the same on every machine.

- stuck: expert games, stopped where rules 1–2 find nothing more, early and late; mines are not marked;
- dense: expert boards with 25–45 % of the safe cells opened at random: long frontiers, linked all over;
- large: 50×50 with 500 mines and 100×100 with 2000, half of the safe cells opened in play;
- lattice: 16×30 boards with every third (or second) cell of every third (second) row open.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from msat.board import HIDDEN, MINE
from msat.engines._kernels.answer import prefilter
from msat.layout import Layout
from msat.strategies._kernels.game import open_cell

__all__ = ["SUITES", "Position"]

Position = tuple[NDArray[np.int8], int]
"""What the player sees, as `msat.probabilities` takes it, and the mines."""

SAFE = -3


def _follow_rules_1_and_2(numbers: NDArray[np.int8], board: NDArray[np.int8]) -> NDArray[np.int8]:
    """Open whatever rules 1–2 prove, until nothing is left; returns the grid with their mines marked."""
    stack = np.empty(board.size, np.int64)
    grid = np.empty_like(board)
    while True:
        prefilter(board, MINE, 2, grid)
        safe = np.argwhere(grid == SAFE)
        if not len(safe):
            return grid
        for r, c in safe.tolist():
            open_cell(numbers, board, r, c, stack)


def _play(
    layout: Layout, rng: random.Random, stop: Callable[[NDArray[np.int8], int], bool]
) -> NDArray[np.int8] | None:
    """Play by rules 1–2, opening a random safe cell of the frontier when stuck, until `stop` says so.

    `stop` is given the board and how often it was stuck.
    """
    numbers = layout.numbers()
    board = np.full(layout.shape, HIDDEN, np.int8)
    stack = np.empty(board.size, np.int64)
    assert layout.start is not None
    open_cell(numbers, board, *layout.start, stack)
    stuck = 0
    while True:
        grid = _follow_rules_1_and_2(numbers, board)
        if not (grid == HIDDEN).any():
            return None
        if stop(board, stuck):
            return board
        stuck += 1
        near = np.zeros((board.shape[0] + 2, board.shape[1] + 2), bool)
        for dr in range(3):
            for dc in range(3):
                near[dr : dr + board.shape[0], dc : dc + board.shape[1]] |= board >= 0
        choices = np.argwhere((board == HIDDEN) & (numbers != MINE) & near[1:-1, 1:-1])
        if not len(choices):
            choices = np.argwhere((board == HIDDEN) & (numbers != MINE))
        r, c = choices[rng.randrange(len(choices))].tolist()
        open_cell(numbers, board, r, c, stack)


def stuck(count: int = 500) -> list[Position]:
    """Expert positions after 0 to 5 times stuck."""
    positions: list[Position] = []
    seed = 0
    while len(positions) < count:
        layout = Layout.random(16, 30, 99, seed=seed, start=(3, 3))
        times = seed % 6
        board = _play(layout, random.Random(seed), lambda _, stuck, times=times: stuck == times)  # type: ignore[misc]
        seed += 1
        if board is not None:
            positions.append((board, 99))
    return positions


def scattered(height: int, width: int, mines: int, low: float, high: float, seed: int) -> Position:
    """A share between `low` and `high` of the safe cells opened at random."""
    rng = random.Random(seed)
    numbers = Layout.random(height, width, mines, seed=seed).numbers()
    safe = np.argwhere(numbers != MINE).tolist()
    board = np.full((height, width), HIDDEN, np.int8)
    for r, c in rng.sample(safe, round(rng.uniform(low, high) * len(safe))):
        board[r, c] = numbers[r, c]
    return board, mines


def dense(count: int = 100) -> list[Position]:
    """Expert boards with 25–45 % of the safe cells open."""
    return [scattered(16, 30, 99, 0.25, 0.45, seed) for seed in range(count)]


def large(size: int, mines: int, count: int) -> list[Position]:
    """Square boards in the middle of a game."""
    positions: list[Position] = []
    goal = (size * size - mines) // 2
    seed = 0
    while len(positions) < count:
        layout = Layout.random(size, size, mines, seed=seed, start=(3, 3))
        board = _play(layout, random.Random(seed), lambda board, _: int((board >= 0).sum()) >= goal)
        seed += 1
        if board is not None:
            positions.append((board, mines))
    return positions


def lattice(step: int, mines: int, count: int) -> list[Position]:
    """16×30 boards with every `step`-th cell of every `step`-th row open."""
    positions: list[Position] = []
    for seed in range(count):
        rng = random.Random(seed)
        opened = [(r, c) for r in range(seed % step, 16, step) for c in range(seed % step, 30, step)]
        free = [(r, c) for r in range(16) for c in range(30) if (r, c) not in set(opened)]
        layout = Layout.from_mines(16, 30, rng.sample(free, mines))
        board = np.full((16, 30), HIDDEN, np.int8)
        for cell in opened:
            board[cell] = layout.number(cell)
        positions.append((board, mines))
    return positions


SUITES: dict[str, Callable[[], list[Position]]] = {
    "stuck": stuck,
    "dense": dense,
    "50×50/500": lambda: large(50, 500, 20),
    "100×100/2000": lambda: large(100, 2000, 8),
    "lattice 3": lambda: lattice(3, 99, 6),
    "lattice 2": lambda: lattice(2, 99, 6),
    "40×40/320": lambda: [scattered(40, 40, 320, 0.25, 0.45, seed) for seed in range(10)],
}
