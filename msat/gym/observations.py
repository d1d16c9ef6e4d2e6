"""What environments show of their games: boards, alone or with the exact probabilities as labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from msat.board import MINE
from msat.errors import UnknownName
from msat.gym.settings import GameSettings
from msat.kinds import is_name

__all__ = ["RENDER_MODES", "board_space", "check_kinds", "with_labels"]

_LABELS = (None, "info", "observation")
RENDER_MODES = ("ansi", "rgb_array")


def check_kinds(labels: Any, render_mode: Any) -> None:
    """Refuse kinds of labels and render modes that there are none of."""
    if labels is not None and not is_name(labels, _LABELS[1:]):
        raise UnknownName.of("kind of labels", labels, tuple(map(str, _LABELS)))
    if render_mode is not None and not is_name(render_mode, RENDER_MODES):
        raise UnknownName.of("render mode", render_mode, ("None", *RENDER_MODES))


def board_space(settings: GameSettings, labels: str | None) -> spaces.Space[Any]:
    """What observations of one game are."""
    shape = (settings.height, settings.width)
    board = spaces.Box(MINE, 8, shape, np.int8)
    if labels != "observation":
        return board
    return spaces.Dict({"board": board, "probability": spaces.Box(0.0, 1.0, shape, np.float64)})


def with_labels(
    labels: str, boards: NDArray[np.int8], infos: dict[str, Any], probability: NDArray[np.float64]
) -> tuple[Any, dict[str, Any]]:
    """Observations and infos with the probabilities, where `labels` says that they belong."""
    if labels == "info":
        return boards, infos | {"probability": probability}
    return {"board": boards, "probability": probability}, infos
