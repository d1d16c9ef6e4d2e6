"""Games played on that all end alike."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.typing import NDArray

from msat.board import MINE
from msat.strategies.best import playouts
from msat.strategies.best._kernels.playout import MINED, NO_MOVE

__all__ = ["end_with"]


def end_with(chance: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all playouts whose move is safe end with this chance."""

    def play_on(_: object, __: object, cell: int, layout: NDArray[Any], *___: object) -> float:
        return chance if cell == NO_MOVE or layout.flat[cell] != MINE else MINED

    monkeypatch.setattr(playouts, "play_on", play_on)
