"""The README's pictures, made by msat itself: `make pictures`.

The same program makes the same pictures: games are seeded, and an SVG holds no date.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from msat.__main__ import main
from msat.tui.app.session import Session, Settings
from msat.tui.app.viewer import Viewer
from msat.tui.svg import without_web_fonts

PICTURES = Path(__file__).parent / "pictures"

GAME = ("--preset", "expert", "--seed", "4")


async def viewer(file: Path) -> None:
    """The viewer as it explains a cell, with the heat map on."""
    app = Viewer(Session(Settings(seed=4, overlay="heat")))
    async with app.run_test(size=(100, 28)) as pilot:
        for key in ("n", "n", "i", "w"):
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        picture = app.export_screenshot(title="msat tui")
    file.write_text(without_web_fonts(picture), "utf-8")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    main(["play", *GAME, "--json", "--svg", str(PICTURES / "play.svg"), "--gif", str(PICTURES / "play.gif")])
    asyncio.run(viewer(PICTURES / "tui.svg"))
