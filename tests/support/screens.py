"""What tests of the viewer share: an app driven by Textual's pilot, and the screen as text."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.viewer import Viewer

__all__ = ["SMALL", "compare", "drive", "screen_text", "settle"]

SNAPSHOTS = Path(__file__).parents[1] / "tui" / "snapshots"

SMALL = ViewerSettings(height=9, width=9, mines=10, seed=2)
"""A game that logic alone solves."""


def screen_text(viewer: Viewer) -> str:
    """The screen as lines of text, without colours."""
    strips = viewer.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips) + "\n"


async def settle(pilot: Pilot[None]) -> None:
    """Wait until the solver has answered everything and the screen shows it."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def drive(
    script: Callable[[Viewer, Pilot[None]], Awaitable[Any]],
    session: Session | None = None,
    size: tuple[int, int] = (80, 24),
    **options: Any,
) -> Viewer:
    """Run a script of key presses and questions on a viewer."""
    viewer = Viewer(session or Session(SMALL), **options)

    async def run() -> None:
        async with viewer.run_test(size=size) as pilot:
            await settle(pilot)
            await script(viewer, pilot)

    asyncio.run(run())
    return viewer


def compare(viewer: Viewer, name: str) -> None:
    """Compare the screen with its snapshot; `MSAT_SNAPSHOTS=write` replaces the snapshot."""
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("MSAT_SNAPSHOTS") == "write":
        file.write_text(screen_text(viewer), "utf-8")
    assert screen_text(viewer) == file.read_text("utf-8")
