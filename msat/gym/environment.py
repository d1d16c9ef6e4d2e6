"""One game at a time as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from msat.board import Board, Cell
from msat.cells import index_of
from msat.errors import GameError, ParameterError
from msat.gym.games import Games
from msat.gym.observations import RENDER_MODES, board_space, check_kinds, with_labels
from msat.gym.pictures import picture
from msat.gym.settings import GameSettings, Reward, check_seed
from msat.layout import Layout
from msat.wording import argument

__all__ = ["Minesweeper"]


class Minesweeper(gymnasium.Env[Any, int]):
    """Minesweeper: an action opens a cell, row · width + column; with marks and chords, more follow.

    Args:
        height: the rows; `msat.PRESETS` has the sizes that are well known.
        width: the columns.
        mines: all of them.
        start: a cell that is open when a game begins. Without one, the layout is drawn when the first cell is
            opened.
        first: what is kept free of mines around the first cell: "open", "safe" or "any" (`Layout.random`).
        actions: "open", and optionally "mark" (which also takes a mark away) and "chord": action
            n · height · width + cell is the n-th of these. One that is not legal changes nothing.
        flood: whether opening a 0 opens its neighbours as well, and so on, as in every game. Without it each
            action opens its own cell alone, and a chord those around its number.
        reward: a `Reward`, or a mapping of some of its parts: win, loss, cell, useless.
        labels: "info" adds info["probability"], the exact P(mine) of every cell, 0.0 where it is revealed;
            "observation" makes observations of {"board": …, "probability": …}.
        copy: give every observation and mask in an array of its own, as Gymnasium demands. Without it they
            are the environment's own int8 arrays, which the next step changes: for who keeps none of them.
        render_mode: "ansi" lets `render()` give the board as text, "rgb_array" as a picture (16·height,
            16·width, 3) of uint8; at the end of a game that was lost it has all mines.

    `reset(seed=s)` begins a run of games: their layouts are `Layout.random` with the seeds s·2^32,
    s·2^32 + 1, …, as those of `msat sim --seed s`; info["seed"] tells the seed of each. info["action_mask"]
    is 1 for legal actions, as `action_space.sample(mask)` takes it.

    >>> import gymnasium, msat.gym
    >>> env = gymnasium.make("msat/Minesweeper-v0", height=9, width=9, mines=10)
    >>> board, info = env.reset(seed=7)
    >>> board, reward, terminated, truncated, info = env.step(4 * 9 + 4)
    >>> int((board >= 0).sum()), reward, info["seed"] == 7 * 2**32
    (49, 0.0, True)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
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
        render_mode: str | None = None,
    ) -> None:
        check_kinds(labels, render_mode)
        settings = GameSettings.of(height, width, mines, start, first, actions, reward, flood)
        self.render_mode = render_mode
        self._labels = labels
        self._copy = copy
        self._games = Games(settings, 1)
        self._board: NDArray[np.int8] = self._games.boards[0]
        self._mask = self._games.masks[0]
        self._action = np.zeros(1, np.int64)
        self._begun = self._playing = False
        self.action_space: Any = spaces.Discrete(self._mask.size)
        self.observation_space: Any = board_space(settings, labels)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the run of games of a seed, or the next game of the present run."""
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(1 << 32))
        self._games.begin(None if seed is None else np.array([seed]))
        self._begun = self._playing = True
        return self._seen()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry an action out."""
        if not self._playing:
            said = "the game is over" if self._begun else "no game has begun"
            raise GameError(f"{said}: call reset() first")
        at = index_of(action)
        if at is None or not 0 <= at < self._mask.size:
            most = self._mask.size - 1
            raise ParameterError(f"{argument('action', action)}: expected a whole number from 0 to {most}")
        self._action[0] = at
        games = self._games
        games.step(self._action)
        observation, info = self._seen()
        ended = games.ended.item(0)
        self._playing = not ended
        return observation, games.rewards.item(0), ended, False, info

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        board, mask = self._board, self._mask
        if self._copy:
            board, mask = board.copy(), mask.copy()
        info: dict[str, Any] = {"action_mask": mask, "seed": self._games.seed(0)}
        if self._labels is None:
            return board, info
        return with_labels(self._labels, board, info, self._games.probabilities(self._games.boards)[0])

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or as a picture, if that was asked for."""
        if self.render_mode == "rgb_array":
            return picture(self._games.shown(0))
        return str(self.board) if self.render_mode == "ansi" else None

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as `MaskablePPO` of sb3-contrib asks for it."""
        legal: NDArray[np.bool_] = self._mask.astype(np.bool_)
        return legal

    @property
    def board(self) -> Board:
        """What the player sees, as a value."""
        return Board.from_array(self._board, self._games.settings.mines)

    @property
    def layout(self) -> Layout | None:
        """Where the mines are, which the player must not know; None before the first cell is opened."""
        return self._games.layout(0)
