"""Time in tests: a clock that they set themselves, and waiting that no machine is too slow for."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

__all__ = ["PATIENCE", "Clock", "wait_until"]

PATIENCE = 300.0
"""Seconds after which a test gives up what will never come: no measure, only so that nothing hangs."""


def wait_until(true: Callable[[], object], what: Callable[[], object] = lambda: "it never came true") -> None:
    """Look until it is true; `what` tells what was seen instead."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, what()
        time.sleep(0.05)


class Clock:
    """Takes the place of all clocks, so that what depends on time depends on nothing else.

    `time` is what it shows. It moves by what is slept, by what it is told to, and by `tick` when it is read.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 1000.0
        self.tick = 0.0
        for name in ("msat.deadline.now", "time.monotonic", "time.perf_counter"):
            monkeypatch.setattr(name, self._read)
        monkeypatch.setattr("time.sleep", self.pass_by)

    def pass_by(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self.time += seconds

    def _read(self) -> float:
        self.time += self.tick
        return self.time
