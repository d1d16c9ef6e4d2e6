"""What all tests share: deterministic property tests, and a size for random ones.

Property tests draw the same examples in every run (a failure in CI is a failure at home) and have no
deadline, since a first call may compile a kernel.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.support.clock import Clock
from tests.support.command import Cli

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # a background job, or nohup: Ctrl-C is tried all the same
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.pop("PYTHONUNBUFFERED", None)  # commands write as they do for most people, wherever tests run
os.environ.setdefault("MSAT_KERNELS", "compiled")  # tests are about answers; test_jit.py is about speeds

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether kernels are compiled in this run."""

CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
"""Whether compiled kernels check every array index in this run."""

SCALE = 0.02 if not JIT else 0.2 if CHECKED else 1.0
"""The share of its full size at which a random test runs.

Answers are tested at full size, compiled. The runs without compiler and with checked indices look for
overflows and for indices out of range: they need every kernel and every kind of case, but not as many cases.
"""

FULL = SCALE == 1.0
"""Whether random tests have all their cases, so that they must have met every kind."""


def scaled(count: int) -> int:
    """`count` cases at full size, fewer where kernels run uncompiled or checked, never fewer than one."""
    return max(1, round(count * SCALE))


settings.register_profile(
    "msat",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault of a test
    max_examples=max(5, scaled(100)),
)
settings.load_profile("msat")


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line, in an environment that says nothing about the terminal."""
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return Cli(capsysbinary, monkeypatch)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that only the test moves."""
    return Clock(monkeypatch)
