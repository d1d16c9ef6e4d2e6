"""Some games side by side: their arrays, which one compiled call moves on. Environments are views of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from msat._jit import is_compiled
from msat.board import HIDDEN, MINE
from msat.cells import check_workers
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting.engine import answer_array
from msat.engines.counting.stack import answer_quickly
from msat.gym._kernels import games as k
from msat.gym.pictures import EXPLODED
from msat.gym.settings import GameSettings
from msat.layout import Layout
from msat.limits import MAX_STACK_CELLS

__all__ = ["Games"]


class Games:
    """`count` games by the same settings.

    >>> games = Games(GameSettings.of(9, 9, 10, None, "open"), 2)
    >>> games.begin(np.array([7, 8]))
    >>> games.step(np.array([40, 0]))
    >>> games.boards.shape, bool((games.boards[0] >= 0).any()), games.rewards.tolist()
    ((2, 9, 9), True, [0.0, 0.0])
    """

    def __init__(self, settings: GameSettings, count: int, same_step: bool = False) -> None:
        self.settings = settings
        h, w, area = settings.height, settings.width, settings.area
        most = MAX_STACK_CELLS // (area * len(settings.actions))
        count = check_workers(count, most, "num_envs")
        self._numbers = settings.numbers(same_step)
        self._kinds = settings.kinds()
        self._prices = settings.prices()
        self._states = np.zeros((count, k.STATE), np.int64)
        self._cells = np.full((count, area), HIDDEN, np.int8)
        self._layouts = np.empty((count, area), np.int8)
        self._finals = np.empty((count if same_step else 0, area), np.int8)
        self._scratch = np.empty(area, np.int64)
        self.boards: NDArray[np.int8] = self._cells.reshape(count, h, w)
        """What the players see: −1 hidden, −2 marked, 0…8 revealed. Changed by every step."""
        self.masks = np.ones((count, area * len(settings.actions)), np.int8)
        """Which actions have an effect."""
        self.rewards = np.zeros(count, np.float64)
        self.ended = np.zeros(count, np.bool_)
        self.finals: NDArray[np.int8] = self._finals.reshape(-1, h, w)
        """The last boards of games that ended, where the same step began new ones."""
        self._arrays = (
            *(self._numbers, self._kinds, self._prices, self._states, self._cells, self._layouts),
            *(self.masks, self.rewards, self.ended, self._finals, self._scratch),
        )

    def begin(self, seeds: NDArray[Any] | None = None, only: NDArray[np.bool_] | None = None) -> None:
        """Begin all games, or `only` some: number 0 of each seed, or else the one after the present."""
        chosen = slice(None) if only is None else only
        if seeds is None:
            self._states[chosen, k.GAME] += 1
            self._states[chosen, k.GAME] &= 0xFFFFFFFF
        else:
            self._states[chosen, k.RUN] = seeds[chosen]
            self._states[chosen, k.GAME] = 0
        parts = [chosen] if isinstance(chosen, slice) else [slice(i, i + 1) for i in np.flatnonzero(chosen)]
        with np.errstate(over="ignore"):  # uncompiled, numpy would warn of the wrap-around that is meant
            for part in parts:
                k.begin_games(
                    self._numbers,
                    self._kinds,
                    self._states[part],
                    self._cells[part],
                    self._layouts[part],
                    self.masks[part],
                    self._scratch,
                )

    def over(self) -> NDArray[np.bool_]:
        """Which games have ended."""
        found: NDArray[np.bool_] = self._states[:, k.PHASE] == k.OVER
        return found

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carry out one action (int64, each below `masks.shape[1]`) in each game."""
        if is_compiled():
            k.step_games(actions, *self._arrays)
        else:
            with np.errstate(over="ignore"):
                k.step_games(actions, *self._arrays)

    def seeds(self) -> NDArray[np.uint64]:
        """The seeds of the layouts: `Layout.random` with these and the cell opened first makes them again."""
        runs, games = self._states[:, k.RUN].astype(np.uint64), self._states[:, k.GAME].astype(np.uint64)
        return (runs << np.uint64(32)) | games

    def seed(self, number: int) -> int:
        """The seed of one layout."""
        return (self._states.item(number, k.RUN) << 32) | self._states.item(number, k.GAME)

    def layout(self, number: int) -> Layout | None:
        """Where the mines of a game are; None before its first cell is opened."""
        if self._states[number, k.PHASE] == k.BLANK:
            return None
        settings = self.settings
        mask = (self._layouts[number] == MINE).tobytes()
        return Layout(settings.height, settings.width, mask, settings.start)

    def shown(self, number: int) -> NDArray[np.int8]:
        """The board of a game as a picture has it: where it is lost, with all mines that are not marked."""
        board, mines = self.boards[number], (self._layouts[number] == MINE).reshape(self.boards[number].shape)
        lost = self._states[number, k.PHASE] == k.OVER and bool(((board < 0) & ~mines).any())
        shown: NDArray[np.int8] = np.where(mines & (board == HIDDEN) & lost, np.int8(EXPLODED), board)
        return shown

    def probabilities(self, boards: NDArray[np.int8], threads: int = 1) -> NDArray[np.float64]:
        """P(mine) of every cell of boards, 0.0 where it is revealed; marks count as hidden cells."""
        if len(self.settings.actions) > 1:
            boards = np.where(boards == MINE, np.int8(HIDDEN), boards)
        mines = np.full(len(boards), self.settings.mines, np.int64)
        found = answer_quickly(boards, mines, threads, verdicts=False)
        for number in np.flatnonzero(found.status != ANSWERED).tolist():
            found.probability[number] = answer_array(boards[number], self.settings.mines).probability
        return np.nan_to_num(found.probability, copy=False, nan=0.0)
