"""Minesweeper for learning: a Gymnasium environment, many games in one call, labelled positions.

`import msat.gym` registers `msat/Minesweeper-v0` with Gymnasium:

    import gymnasium, msat.gym
    env = gymnasium.make("msat/Minesweeper-v0", height=16, width=30, mines=99)
"""

from __future__ import annotations

from importlib.util import find_spec

from msat.errors import MissingPackage
from msat.installing import install

if find_spec("gymnasium") is None:
    raise MissingPackage(f"msat.gym needs the package gymnasium: {install('gymnasium')}")

import gymnasium

from msat.gym.environment import Minesweeper
from msat.gym.labels import LabelledPositions, labelled_positions
from msat.gym.settings import Reward
from msat.gym.vector import MinesweeperVector

__all__ = ["LabelledPositions", "Minesweeper", "MinesweeperVector", "Reward", "labelled_positions"]

NAME = "msat/Minesweeper-v0"

if NAME not in gymnasium.registry:
    gymnasium.register(
        NAME, entry_point="msat.gym:Minesweeper", vector_entry_point="msat.gym:MinesweeperVector"
    )
