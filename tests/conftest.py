"""What all tests share: deterministic property tests, and a size for random ones.

Property tests draw the same examples in every run (a failure in CI is a failure at home) and have no
deadline, since a first call may compile a kernel.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.command import Cli

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether kernels are compiled in this run."""

SCALE = 1.0 if JIT else 0.05
"""The share of its full size at which a random test runs; uncompiled kernels get fewer cases, not none."""


def scaled(count: int) -> int:
    """`count` cases at full size, fewer where kernels run uncompiled, never fewer than one."""
    return max(1, round(count * SCALE))


settings.register_profile("msat", derandomize=True, deadline=None, max_examples=scaled(100))
settings.load_profile("msat")


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line, in an environment that says nothing about the terminal."""
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return Cli(capsysbinary, monkeypatch)
