"""What the service may be told: every number has a default that suits one machine and its users."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from msat.constants import DAY
from msat.errors import ParameterError, WrongType
from msat.kinds import several
from msat.limits import MAX_SIDE, MAX_WORKERS
from msat.wording import argument

__all__ = ["PORT", "Settings"]

PORT = 8817


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_RANGES: dict[str, tuple[float, float]] = {
    "workers": (1, MAX_WORKERS),
    "queue": (0, 100_000),
    "budget": (0.001, DAY),
    "max_cells": (1, MAX_SIDE * MAX_SIDE),
    "memory": (128, 1 << 20),
    "max_bytes": (1, 1 << 30),
    "max_batch": (1, 1_000_000),
    "receive_seconds": (0.001, DAY),
    "grace": (0, DAY),
}
"""What numbers may be."""


@dataclass(frozen=True)
class Settings:
    """How a service is set up."""

    hosts: tuple[str, ...] = ()
    """Names, with or without a port, under which it may be asked; those of loopback always are."""
    workers: int = max(1, min(8, _processors()))
    """Processes for dear questions."""
    queue: int = 64
    """Dear questions that may wait for one of them; further ones are refused."""
    budget: float = 30.0
    """The most seconds for one question."""
    max_cells: int = 10_000
    """The most cells of a board."""
    memory: int = 1024
    """The most memory of a worker, in MB."""
    allow_origin: tuple[str, ...] = ()
    """Origins of other pages that may ask; `*` for all."""
    max_bytes: int = 4 << 20
    """The most bytes of a request."""
    max_batch: int = 1000
    """The most questions of a batch."""
    receive_seconds: float = 20.0
    """The time in which a request has to be sent."""
    grace: float = 5.0
    """Seconds that requests under way have to be finished in when the service is told to stop."""

    def __post_init__(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ParameterError(f"{argument(name, value)} is no number: expected {least:,} to {most:,}")
            if not least <= value <= most:
                raise ParameterError(f"{argument(name, value)}: expected {least:,} to {most:,}")
        for name, like in (("hosts", "example.org"), ("allow_origin", "https://example.org")):
            texts = getattr(self, name)
            found = tuple(several(texts, name, f"texts such as {like}"))
            if isinstance(texts, str) or not all(isinstance(each, str) for each in found):
                raise WrongType(f"{argument(name, texts)} is not accepted: expected texts such as {like}")
            object.__setattr__(self, name, found)
        for origin in self.allow_origin:
            if origin != "*" and not re.fullmatch(r"https?://[^/\s]+", origin):
                given = argument("allow_origin", origin)
                raise ParameterError(f"{given} is no origin: expected one such as https://example.org, or *")
