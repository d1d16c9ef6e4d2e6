"""Many games side by side as a Gymnasium vector environment: one compiled call steps them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
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
from msat.gym.games import Games
from msat.gym.observations import RENDER_MODES, board_space, check_kinds, with_labels
from msat.gym.pictures import picture
from msat.gym.settings import AUTORESET, GameSettings, Reward, check_seed
from msat.kinds import given, is_name
from msat.wording import argument, quoted

__all__ = ["MinesweeperVector"]

MANY_CELLS = 10_000
"""Cells of all games beyond which it is worth to compile: some twenty expert boards, stepped many times."""


class MinesweeperVector(VectorEnv[Any, NDArray[Any], NDArray[Any]]):
    """`num_envs` games of `Minesweeper`, which has the same arguments, stepped together.

    Args:
        num_envs: how many games.
        autoreset: when a game that ended begins anew: in the "next_step", whose action is not looked at (as
            in Gymnasium's own), or in the "same_step"; info["final_obs"] then holds the last observations
            and info["_final_obs"] tells whose they are. "disabled": when `reset` is told so.
        threads: how many threads work out the labels, if they are asked for.

    `reset(seed=s)` gives game i the run of seed s + i, as a single environment with that seed has it; a list
    gives each its own, and None in it the next game. `reset(options={"reset_mask": …})` begins only some.
    Observations are arrays (num_envs, height, width) of int8; without `copy`, always the same one, which
    every step changes.

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
        flood: bool = True,
        reward: Reward | Mapping[str, float] | None = None,
        labels: str | None = None,
        copy: bool = True,
        autoreset: str | AutoresetMode = "next_step",
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        check_kinds(labels, render_mode)
        if isinstance(autoreset, AutoresetMode):
            autoreset = autoreset.name.lower()
        if not is_name(autoreset, AUTORESET):
            raise UnknownName.of("way to reset", autoreset, AUTORESET)
        settings = GameSettings.of(height, width, mines, start, first, actions, reward, flood)
        self._same_step, self._disabled = autoreset == "same_step", autoreset == "disabled"
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
        mode = AutoresetMode[autoreset.upper()]
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4, "autoreset_mode": mode}
        self.single_action_space = spaces.Discrete(self._games.masks.shape[1])
        self.single_observation_space = board_space(settings, labels)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games: those of a seed and the ones after it, of a list of seeds, or simply the next.

        With options={"reset_mask": an array of bool, one a game} only those games; the others go on.
        """
        only = self._mask(options)
        if isinstance(seed, Sequence) or (isinstance(seed, np.ndarray) and seed.ndim):
            if len(seed) != self.num_envs:
                raise ParameterError(
                    f"{len(seed)} seeds are not those of {self.num_envs} games: give one each"
                )
            self._begin_some(seed, np.ones(self.num_envs, np.bool_) if only is None else only)
        elif seed is not None:
            last = check_seed(seed) + self.num_envs - 1
            check_seed(last)
            super().reset(seed=check_seed(seed))
            self._begin(np.arange(seed, last + 1), only)
        elif not self._begun:
            self._begin(np.array([self._draw() for _ in range(self.num_envs)]))
        else:
            self._games.begin(only=only)
        return self._seen()

    def _begin_some(self, seeds: Sequence[int | None], only: NDArray[np.bool_]) -> None:
        """Begin games by seeds of their own; who is given none plays the next game of its run."""
        if self._begun:
            told = np.array([each is not None for each in seeds]) & only
            self._games.begin(only=only & ~told)
            only = told
        if only.any():
            drawn = [self._draw() if each is None else check_seed(each) for each in seeds]
            self._begin(np.array(drawn), only)

    def _mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        """Which games to begin; None for all, as it is before any has begun."""
        given(options, (dict, NoneType), "options", "options by their names, or None")
        only = (options or {}).get("reset_mask")
        if only is None:
            return None
        if not isinstance(only, np.ndarray) or only.shape != (self.num_envs,) or only.dtype != np.bool_:
            raise ParameterError(
                f"options['reset_mask']={quoted(only)}: expected an array of {self.num_envs} bool"
            )
        return only if self._begun else None

    def _draw(self) -> int:
        return int(self.np_random.integers(1 << 32))

    def _begin(self, seeds: NDArray[np.int64], only: NDArray[np.bool_] | None = None) -> None:
        self._games.begin(seeds, only)
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
        if self._disabled and games.over().any():
            first = int(games.over().argmax())
            raise GameError(f"game {first} has ended: begin it by reset(options={{'reset_mask': ended}})")
        games.step(self._checked(actions))
        observations, infos = self._seen()
        if self._same_step and games.ended.any():
            infos["final_obs"] = self._finals()
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
        return with_labels(self._labels, boards, infos, self._games.probabilities(boards, self._threads))

    def _finals(self) -> NDArray[Any]:
        """The last observations of games that ended; those of the others mean nothing."""
        games = self._games
        if self._labels != "observation":
            return games.finals.copy()
        found = np.full(self.num_envs, None, object)
        boards = games.finals[games.ended]
        labels = games.probabilities(boards, self._threads)
        for i, board, probability in zip(np.flatnonzero(games.ended), boards, labels, strict=True):
            found[i] = {"board": board, "probability": probability}
        return found

    def sample_legal(self) -> NDArray[np.int64]:
        """A random legal action for every game, drawn evenly; the same after the same seeds."""
        with np.errstate(over="ignore"):
            sample_actions(self._games.masks, self._stream, self._actions)
        return self._actions

    def render(self) -> tuple[str, ...] | tuple[NDArray[np.uint8], ...] | None:
        """The boards as texts or as pictures, if that was asked for."""
        if self.render_mode == "rgb_array":
            return tuple(picture(self._games.shown(number)) for number in range(self.num_envs))
        if self.render_mode != "ansi":
            return None
        mines = self._games.settings.mines
        return tuple(str(Board.from_array(board, mines)) for board in self._games.boards)
