"""The README's pictures, made by msat itself: `make pictures`.

The same program makes the same pictures: games are seeded, and an SVG holds no date.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from msat import Layout, play
from msat.__main__ import main
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer
from msat.tui.svg import without_web_fonts

PICTURES = Path(__file__).parent / "pictures"

GAME = ("--preset", "expert", "--seed", "4")


async def viewer(file: Path) -> None:
    """The viewer as it explains a cell, with the heat map on."""
    app = Viewer(Session(ViewerSettings(seed=4, overlay="heat")))
    async with app.run_test(size=(100, 28)) as pilot:
        for key in ("n", "n", "i", "w"):
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        picture = app.export_screenshot(title="msat tui")
    file.write_text(without_web_fonts(picture), "utf-8")


def page(folder: Path) -> None:
    """The page in the browser: a guess in the analyser, and a game in review."""
    from playwright.sync_api import sync_playwright

    from tests.page.conftest import CHROMIUM
    from tests.page.driver import PORTABLE, Driver, Served

    if CHROMIUM is None:
        print("there is no chromium: the pictures of the page stay as they are")
        return
    record = play(Layout.random(16, 30, 99, seed=17, start=(3, 3)), strategy="safest")
    with Served() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=PORTABLE)
        for scheme, name in (("light", "page-analyse"), ("dark", "page-review")):
            driver = Driver(browser, served, color_scheme=scheme)
            driver.open()
            driver.answered()
            if name == "page-review":
                driver.drop("game.json", record.to_json())
                driver.page.locator(".card-decisions").wait_for()
                driver.keys(["Home", "m"])
                driver.answered()
            else:
                driver.page.locator(".card-candidates table").wait_for()
            driver.page.screenshot(path=folder / f"{name}.png")
            driver.close()
        browser.close()


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    main(["play", *GAME, "--json", "--svg", str(PICTURES / "play.svg"), "--gif", str(PICTURES / "play.gif")])
    asyncio.run(viewer(PICTURES / "tui.svg"))
    page(PICTURES)
