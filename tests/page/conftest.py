"""The page in a real browser: chromium, driven by Playwright. Where either is missing, tests are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.page.driver import PORTABLE, Driver, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """The service with the page, on a port of its own."""
    with Served() as service:
        yield service


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; every page has a context of its own."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=PORTABLE)
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser, served: Served) -> Iterator[Any]:
    """Opens pages; at the end none of them may have complained, or asked anybody else."""
    drivers: list[Driver] = []

    def opened(link: str = "", **context: Any) -> Driver:
        driver = Driver(browser, served, **context)
        drivers.append(driver)
        return driver.open(link)

    yield opened
    for driver in drivers:
        driver.close()
    assert [each for driver in drivers for each in driver.complaints] == []


@pytest.fixture
def page(open_page: Any) -> Driver:
    """A page on a wide screen, as a first visit finds it."""
    found: Driver = open_page()
    return found
