"""What all games of an environment have in common, checked once: size, first click, actions, rewards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.board import Cell
from msat.cells import check_cell, check_mines, check_size, index_of
from msat.errors import LayoutError, ParameterError, UnknownName
from msat.gym._kernels import games as k
from msat.kinds import flag, is_name, several
from msat.layout import FIRST_RULES
from msat.value import explained
from msat.wording import argument, quoted

__all__ = ["ACTIONS", "AUTORESET", "GameSettings", "Reward", "check_seed"]

ACTIONS = ("open", "mark", "chord")
"""What an action may do with a cell; `mark` also takes a mark away."""

AUTORESET = ("next_step", "same_step", "disabled")

_KINDS = {"open": k.OPEN_CELL, "mark": k.MARK_CELL, "chord": k.CHORD_CELL}
_FIRST = {"any": 0, "safe": 1, "open": 2}


@explained
class Reward(NamedTuple):
    """What a step earns: for the end of a game, for every cell revealed, and for an action without effect."""

    win: float = 1.0
    """For the step that wins."""
    loss: float = -1.0
    """For the step that opens a mine."""
    cell: float = 0.0
    """For every cell that a step reveals."""
    useless: float = 0.0
    """For an action that is not legal, and changes nothing."""

    @classmethod
    def of(cls, given: Reward | Mapping[str, float] | None) -> Reward:
        """A reward from what is given: one, or a mapping of its parts, the others as they are.

        >>> Reward.of({"cell": 0.01})
        Reward(win=1.0, loss=-1.0, cell=0.01, useless=0.0)
        """
        parts = given._asdict() if isinstance(given, Reward) else {} if given is None else given
        if not isinstance(parts, Mapping):
            raise ParameterError(
                f"{argument('reward', given)}: expected a Reward or a mapping of {', '.join(cls._fields)}"
            )
        for name, value in parts.items():
            if name not in cls._fields:
                raise UnknownName.of("part of a reward", name, cls._fields)
            if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
                raise ParameterError(f"reward: {name} is {quoted(value)}: expected a number")
        return cls(**{name: float(value) for name, value in parts.items()})


@dataclass(frozen=True)
class GameSettings:
    """The games of an environment; the arrays are what its kernels take."""

    height: int
    width: int
    mines: int
    start: Cell | None
    first: str
    actions: tuple[str, ...]
    reward: Reward
    flood: bool = True

    @classmethod
    def of(
        cls,
        height: int,
        width: int,
        mines: int,
        start: Cell | None,
        first: str,
        actions: Iterable[str] = ("open",),
        reward: Reward | Mapping[str, float] | None = None,
        flood: bool = True,
    ) -> GameSettings:
        """The settings, if games can be played by them; else the error that says why not."""
        height, width = check_size(height, width, LayoutError)
        mines = check_mines(mines, height, width, LayoutError)
        if not is_name(first, FIRST_RULES):
            raise UnknownName.of("first-click rule", first, FIRST_RULES)
        if start is not None:
            start = divmod(check_cell(start, height, width), width)
            if first == "any":
                raise ParameterError(
                    f"{argument('first', first)} with {argument('start', start)} would lose games before "
                    f"they begin: give {argument('first', 'safe')}, or no start"
                )
        protected = _protected(height, width, start, first)
        most = height * width - max(1, protected) - (start is not None)
        if not 1 <= mines <= most:
            raise LayoutError(
                f"{mines} mines leave nothing to play on a {height}×{width} board with "
                f"{argument('first', first)}: give 1 to {most}"
            )
        if not isinstance(actions, Iterable):
            raise ParameterError(f"{argument('actions', actions)}: expected some of {', '.join(ACTIONS)}")
        several(actions, "actions", f"some of {', '.join(ACTIONS)}")
        chosen = (actions,) if isinstance(actions, str) else tuple(actions)
        for action in chosen:
            if not is_name(action, ACTIONS):
                raise UnknownName.of("action", action, ACTIONS)
        if chosen[:1] != ("open",) or len(set(chosen)) < len(chosen):
            raise ParameterError(f"{argument('actions', chosen)}: expected 'open' first, and each once")
        if "chord" in chosen and "mark" not in chosen:
            raise ParameterError(f"{argument('actions', chosen)}: chords need marks, so add 'mark'")
        return cls(height, width, mines, start, first, chosen, Reward.of(reward), flag(flood, "flood"))

    @property
    def area(self) -> int:
        """The number of cells."""
        return self.height * self.width

    def numbers(self, same_step: bool = False) -> NDArray[np.int64]:
        """As `_kernels/games.py` has them."""
        found = np.empty(k.SETTINGS, np.int64)
        found[k.HEIGHT], found[k.WIDTH], found[k.MINES] = self.height, self.width, self.mines
        found[k.START] = -1 if self.start is None else self.start[0] * self.width + self.start[1]
        found[k.FIRST] = _FIRST[self.first]
        found[k.SAME_STEP] = same_step
        found[k.FLOOD] = self.flood
        return found

    def kinds(self) -> NDArray[np.int64]:
        """The kinds of actions."""
        return np.array([_KINDS[action] for action in self.actions], np.int64)

    def prices(self) -> NDArray[np.float64]:
        """The rewards."""
        return np.array(self.reward, np.float64)


def check_seed(seed: Any, name: str = "seed") -> int:
    """A seed of a run of games, whose layouts have the seeds seed·2^32, seed·2^32 + 1, …"""
    found = index_of(seed)
    if found is None or not 0 <= found < 1 << 32:
        raise ParameterError(f"{argument(name, seed)}: expected a whole number from 0 to 2^32 − 1")
    return found


def _protected(height: int, width: int, start: Cell | None, first: str) -> int:
    """How many cells the first click keeps free, at most."""
    if first == "any":
        return 0
    if first == "safe":
        return 1
    if start is None:
        return min(height, 3) * min(width, 3)
    (r, c) = start
    rows = min(r + 2, height) - max(r - 1, 0)
    return rows * (min(c + 2, width) - max(c - 1, 0))
