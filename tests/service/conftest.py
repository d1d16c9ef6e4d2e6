"""The service that most tests ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.service import Service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """One service for all tests that leave it as it was."""
    running = Service("--workers", "2", "--queue", "3", "--budget", "600")
    yield running
    assert running.stop() == (0, "")


@pytest.fixture(scope="session")
def modest() -> Iterator[Service]:
    """A service with little memory and little patience, that another page may ask."""
    limits = ["--workers", "1", "--memory", "400", "--receive-seconds", "2"]
    running = Service(*limits, "--allow-origin", "https://page.example")
    yield running
    assert running.stop() == (0, "")
