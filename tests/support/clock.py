"""A clock that stands still unless it is told: deadlines are tested without waiting."""

from __future__ import annotations

import pytest

__all__ = ["Clock"]


class Clock:
    """Takes the place of the clock of `msat.deadline`; `time` is what it shows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 1000.0
        monkeypatch.setattr("msat.deadline.now", lambda: self.time)
