"""Strategies in plain Python for the tests of the arena, loaded by name as a user's own are."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from msat.board import Board
from msat.strategies import Choice, Strategy
from msat.strategies.parameter import Parameter

__all__ = ["SOME", "Deadly", "First", "Slow", "kept_games"]

SOME = 5
"""Games after which `Slow` waits to be killed."""


def kept_games(folder: str | Path | None) -> int:
    """How many games the run in a folder has kept so far."""
    games = Path(folder or os.devnull) / "games.jsonl"
    return games.read_bytes().count(b"\n") if games.exists() else 0


class First(Strategy):
    """Opens the first hidden cell, and says so."""

    name: ClassVar[str] = "first"
    summary: ClassVar[str] = "the first hidden cell, whatever the board says"

    def choose(self, board: Board) -> Choice | None:
        return Choice((board.hidden[0],), 0.5, "it is the first")


class Slow(First):
    """Takes its time for each decision; once the run in MSAT_TEST_RUN has kept some games, for ever."""

    name: ClassVar[str] = "slow"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("pause", 0.02, "seconds for each decision", low=0, high=10),
    )

    def choose(self, board: Board) -> Choice | None:
        time.sleep(float(self.values["pause"]))
        while kept_games(os.environ.get("MSAT_TEST_RUN")) >= SOME:
            time.sleep(0.05)
        return super().choose(board)


class Deadly(First):
    """Kills the process that it plays in, unless that is the runner, once for each file in a folder."""

    name: ClassVar[str] = "deadly"

    def choose(self, board: Board) -> Choice | None:
        if str(os.getpid()) != os.environ["MSAT_TEST_RUNNER"]:
            for life in Path(os.environ["MSAT_TEST_LIVES"]).iterdir():
                with suppress(FileNotFoundError):  # taken by another worker
                    life.unlink()
                    os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(board)
