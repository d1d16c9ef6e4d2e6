"""Many games side by side as a Gymnasium vector environment: one compiled call steps them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from msat._jit import hurry
from msat.board import Board, Cell
from msat.cells import check_workers
from msat.errors import GameError, ParameterError, UnknownName
from msat.gym._kernels.games import sample_actions
from msat.gym.environment import LABELS, board_space
from msat.gym.games import Games
from msat.gym.settings import AUTORESET, GameSettings, Reward, check_seed
from msat.wording import argument

__all__ = ["MinesweeperVector"]

MANY_CELLS = 10_000
"""Cells of all games beyond which it is worth to compile: some twenty expert boards, stepped many times."""


class MinesweeperVector(VectorEnv[Any, NDArray[Any], NDArray[Any]]):
    """`num_envs` games of `Minesweeper`, which has the same arguments, stepped together.

    Args:
        num_envs: how many games.
        autoreset: when a game that ended begins anew: in the "next_step", whose action is not looked at (as
            in Gymnasium's own), or in the "same_step"; info["final_obs"] then holds the last boards and
            info["_final_obs"] tells whose they are.
        threads: how many threads work out the labels, if they are asked for.

    `reset(seed=s)` gives game i the run of seed s + i, as a single environment with that seed has it; a list
    gives each its own. Observations are arrays (num_envs, height, width) of int8; without `copy`, always the
    same one, which every step changes.

    >>> import gymnasium, msat.gym
    >>> envs = gymnasium.make_vec("msat/Minesweeper-v0", 64, vectorization_mode="vector_entry_point")
    >>> boards, infos = envs.reset(seed=7)
    >>> boards, rewards, terminated, truncated, infos = envs.step(envs.unwrapped.sample_legal())
    >>> boards.shape, infos["action_mask"].shape
    ((64, 9, 9), (64, 81))
    """

    def __init__(
        self,
        num_envs: int = 1,
        height: int = 9,
        width: int = 9,
        mines: int = 10,
        *,
        start: Cell | None = None,
        first: str = "open",
        actions: Iterable[str] = ("open",),
        reward: Reward | Mapping[str, float] | None = None,
        labels: str | None = None,
        copy: bool = True,
        autoreset: str = "next_step",
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if labels not in LABELS:
            raise UnknownName.of("kind of labels", labels, ("None", "info", "observation"))
        if render_mode not in (None, "ansi"):
            raise UnknownName.of("render mode", render_mode, ("None", "ansi"))
        if autoreset not in AUTORESET:
            raise UnknownName.of("way to reset", autoreset, AUTORESET)
        settings = GameSettings.of(height, width, mines, start, first, actions, reward)
        self._same_step = autoreset == "same_step"
        self._games = Games(settings, num_envs, self._same_step)
        if self._games.boards.size > MANY_CELLS:
            hurry()
        self._labels = labels
        self._copy = copy
        self._threads = check_workers(threads, name="threads")
        self._begun = False
        self._stream: NDArray[np.uint64] = np.zeros(4, np.uint64)
        self._actions = np.zeros(num_envs, np.int64)
        self._never = np.zeros(num_envs, np.bool_)
        self.num_envs = num_envs
        self.render_mode = render_mode
        mode = AutoresetMode.SAME_STEP if self._same_step else AutoresetMode.NEXT_STEP
        self.metadata = {"render_modes": ["ansi"], "render_fps": 4, "autoreset_mode": mode}
        self.single_action_space = spaces.Discrete(self._games.masks.shape[1])
        self.single_observation_space = board_space(settings, labels)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games: those of a seed and the ones after it, of a list of seeds, or simply the next."""
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ParameterError(
                    f"{len(seed)} seeds are not those of {self.num_envs} games: give one each"
                )
            self._begin(np.array([self._draw() if each is None else check_seed(each) for each in seed]))
        elif seed is not None:
            last = check_seed(seed) + self.num_envs - 1
            check_seed(last)
            super().reset(seed=check_seed(seed))
            self._begin(np.arange(seed, last + 1))
        elif not self._begun:
            self._begin(np.array([self._draw() for _ in range(self.num_envs)]))
        else:
            self._games.begin()
        return self._seen()

    def _draw(self) -> int:
        return int(self.np_random.integers(1 << 32))

    def _begin(self, seeds: NDArray[np.int64]) -> None:
        self._games.begin(seeds)
        self._begun = True
        self._stream[:] = np.random.SeedSequence(seeds.tolist()).generate_state(4, np.uint64)
        self._stream[3] |= np.uint64(1)  # an increment of PCG is odd

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Carry out one action in each game."""
        if not self._begun:
            raise GameError("no game has begun: call reset() first")
        games = self._games
        games.step(self._checked(actions))
        observations, infos = self._seen()
        if self._same_step and games.ended.any():
            infos["final_obs"] = games.finals.copy()
            infos["_final_obs"] = games.ended.copy()
        rewards, ended, never = games.rewards, games.ended, self._never
        return observations, rewards.copy(), ended.copy(), never.copy(), infos

    def _checked(self, actions: npt.ArrayLike) -> NDArray[np.int64]:
        most = self._games.masks.shape[1] - 1
        try:
            found = np.asarray(actions)
        except ValueError:  # lists of several lengths
            found = np.empty(0)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise ParameterError(
                f"{argument('actions')}: expected {self.num_envs} whole numbers from 0 to {most}"
            )
        if found.min() < 0 or found.max() > most:
            at = int(np.flatnonzero((found < 0) | (found > most))[0])
            raise ParameterError(f"actions[{at}] is {found[at]}: expected 0 to {most}")
        return np.ascontiguousarray(found, np.int64)

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        boards, masks = self._games.boards, self._games.masks
        if self._copy:
            boards, masks = boards.copy(), masks.copy()
        infos: dict[str, Any] = {"action_mask": masks, "seed": self._games.seeds()}
        if self._labels is None:
            return boards, infos
        probability = self._games.probabilities(self._threads)
        if self._labels == "info":
            infos["probability"] = probability
            return boards, infos
        return {"board": boards, "probability": probability}, infos

    def sample_legal(self) -> NDArray[np.int64]:
        """A random legal action for every game, drawn evenly; the same after the same seeds."""
        with np.errstate(over="ignore"):
            sample_actions(self._games.masks, self._stream, self._actions)
        return self._actions

    def render(self) -> tuple[str, ...] | None:
        """The boards as text, if that was asked for."""
        if self.render_mode != "ansi":
            return None
        mines = self._games.settings.mines
        return tuple(str(Board.from_array(board, mines)) for board in self._games.boards)
