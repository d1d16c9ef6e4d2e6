"""Positions made from seeds, the same on every machine: how the suites get theirs.

Of Python's generator only `random()` is used: it is the one method whose results are promised to stay the
same in every version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.board import HIDDEN, MINE, Board
from msat.constants import SAFE
from msat.engines.counting._kernels.answer import prefilter
from msat.layout import Layout
from msat.strategies._kernels.game import open_cell

__all__ = ["Position", "endgames", "lattices", "midgames", "scattered", "stuck"]


class Position(NamedTuple):
    """What the player sees, as `msat.probabilities` takes it, and the mines."""

    array: NDArray[np.int8]
    mines: int

    @property
    def board(self) -> Board:
        """The same as a `Board`."""
        return Board.from_array(self.array, self.mines)


def stuck(height: int, width: int, mines: int) -> Iterator[Position]:
    """Games stopped where rules 1–2 find nothing more, after 0 to 5 such stops; mines are not marked.

    >>> position = next(stuck(9, 9, 10))
    >>> position.board.mines, position.array.shape
    (10, (9, 9))
    """
    for seed in count():
        stops = seed % 6
        board = _play(_layout(height, width, mines, seed), Random(seed), lambda _, n, stops=stops: n == stops)  # type: ignore[misc]
        if board is not None:
            yield Position(board, mines)


def midgames(height: int, width: int, mines: int) -> Iterator[Position]:
    """Games stopped, where rules 1–2 find nothing, once half of the safe cells are open."""
    goal = (height * width - mines) // 2
    for seed in count():
        layout = _layout(height, width, mines, seed)
        board = _play(layout, Random(seed), lambda board, _: _opened(board) >= goal)
        if board is not None:
            yield Position(board, mines)


def endgames(height: int, width: int, mines: int, left: int) -> Iterator[Position]:
    """Games stopped, where rules 1–2 find nothing, with at most `left` safe cells to open."""
    goal = height * width - mines - left
    for seed in count():
        layout = _layout(height, width, mines, seed)
        board = _play(layout, Random(seed), lambda board, _: _opened(board) >= goal)
        if board is not None:
            yield Position(board, mines)


def scattered(height: int, width: int, mines: int, low: float, high: float) -> Iterator[Position]:
    """Boards with a share between `low` and `high` of the safe cells opened at random."""
    for seed in count():
        rng = Random(seed)
        numbers = Layout.random(height, width, mines, seed=seed).numbers()
        safe = _shuffled(((r, c) for r, c in np.argwhere(numbers != MINE).tolist()), rng)
        board = np.full((height, width), HIDDEN, np.int8)
        for r, c in safe[: round((low + (high - low) * rng.random()) * len(safe))]:
            board[r, c] = numbers[r, c]
        yield Position(board, mines)


def lattices(height: int, width: int, mines: int, step: int) -> Iterator[Position]:
    """Boards with every `step`-th cell of every `step`-th row open, from another corner each time."""
    every = [(r, c) for r in range(height) for c in range(width)]
    for seed in count():
        first = seed % step
        opened = [(r, c) for r, c in every if r % step == first and c % step == first]
        free = _shuffled(sorted(set(every) - set(opened)), Random(seed))
        layout = Layout.from_mines(height, width, free[:mines])
        board = np.full((height, width), HIDDEN, np.int8)
        for cell in opened:
            board[cell] = layout.number(cell)
        yield Position(board, mines)


def _layout(height: int, width: int, mines: int, seed: int) -> Layout:
    return Layout.random(height, width, mines, seed=seed, start=(3, 3))


def _opened(board: NDArray[np.int8]) -> int:
    return int((board >= 0).sum())


def _shuffled(cells: Iterable[tuple[int, int]], rng: Random) -> list[tuple[int, int]]:
    return [cell for _, cell in sorted((rng.random(), cell) for cell in cells)]


def _play(
    layout: Layout, rng: Random, stop: Callable[[NDArray[np.int8], int], bool]
) -> NDArray[np.int8] | None:
    """Play by rules 1–2, opening a random safe cell of the frontier when stuck, until `stop` says so.

    `stop` is given the board and how often play was stuck. A game that is over before gives None.
    """
    numbers = layout.numbers()
    board = np.full(layout.shape, HIDDEN, np.int8)
    stack = np.empty(board.size, np.int64)
    assert layout.start is not None
    open_cell(numbers, board, *layout.start, stack)
    stops = 0
    while True:
        grid = _follow_rules_1_and_2(numbers, board)
        if not (grid == HIDDEN).any():
            return None
        if stop(board, stops):
            return board
        stops += 1
        choices = np.argwhere((board == HIDDEN) & (numbers != MINE) & _near_numbers(board))
        if not len(choices):
            choices = np.argwhere((board == HIDDEN) & (numbers != MINE))
        if not len(choices):
            return None
        r, c = choices[int(rng.random() * len(choices))].tolist()
        open_cell(numbers, board, r, c, stack)


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


def _near_numbers(board: NDArray[np.int8]) -> NDArray[np.bool_]:
    height, width = board.shape
    near = np.zeros((height + 2, width + 2), bool)
    for dr in range(3):
        for dc in range(3):
            near[dr : dr + height, dc : dc + width] |= board >= 0
    return near[1:-1, 1:-1]
