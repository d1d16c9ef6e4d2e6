"""What tests of the viewer share: an app driven by Textual's pilot, and the screen as text."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, Static
from textual.worker import WorkerCancelled

from msat import Game, Layout
from msat.tui.app.dialogs import Ask, Confirm
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.app.solver import Solver
from msat.tui.app.viewer import Viewer
from tests.support.clock import PATIENCE

__all__ = [
    "SMALL",
    "answer",
    "closed",
    "compare",
    "decide",
    "drive",
    "said",
    "screen_text",
    "settle",
    "small_game",
    "until",
]

SNAPSHOTS = Path(__file__).parents[1] / "tui" / "snapshots"

SMALL = ViewerSettings(height=9, width=9, mines=10, seed=2)
"""A game that logic alone solves."""


def screen_text(viewer: Viewer) -> str:
    """The screen as lines of text, without colours."""
    strips = viewer.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips) + "\n"


async def settle(pilot: Pilot[None]) -> None:
    """Wait until keys are handled, the solver has answered everything, and the screen shows it."""
    await pilot.pause()
    while any(not worker.is_finished for worker in pilot.app.workers):
        with contextlib.suppress(WorkerCancelled):  # by a key that wanted something else
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    """Wait until something that keys bring about is true."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await pilot.pause(0.01)


class _HandedOn(Solver):
    """A solver whose process the next viewer goes on with: its start takes longer than most tests.

    One that is closed while it works is ended, as usual.
    """

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None and _idle:
            self._process = _idle.pop()
        return super()._started()

    def close(self) -> None:
        self._closed = True
        if self._process is not None and self._turn.acquire(blocking=False):
            _idle.append(self._process)
            self._process = None
            self._turn.release()
        super().close()


_idle: list[subprocess.Popen[bytes]] = []


@atexit.register
def _end_idle() -> None:
    for process in _idle:
        process.communicate()  # which closes its input: it ends


def drive(
    script: Callable[[Viewer, Pilot[None]], Awaitable[Any]],
    session: Session | None = None,
    size: tuple[int, int] = (80, 24),
    own_solver: bool = False,
    **options: Any,
) -> Viewer:
    """Run a script of key presses and questions on a viewer."""
    viewer = Viewer(session or Session(SMALL), **options)
    if not own_solver:
        viewer._solver = _HandedOn()

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


def said(viewer: Viewer) -> str:
    """The text below the board."""
    return str(viewer.query_one("#reason", Static).content)


def small_game(rows: str = "..*.*") -> Session:
    """A game on a layout of one row."""
    return Session(SMALL, Game(Layout.parse(rows)))


async def answer(pilot: Pilot[None], key: str, text: str) -> None:
    """Press a key that asks a question, and answer it; if the answer is refused, give none."""
    await pilot.press(key)
    await until(pilot, lambda: pilot.app.screen.query(Input))
    asked = pilot.app.screen
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.screen is not asked)
    await settle(pilot)
    if isinstance(pilot.app.screen, Ask):
        await pilot.press("escape")
        await closed(pilot)
        await settle(pilot)


async def decide(pilot: Pilot[None], key: str) -> None:
    """Answer by y or n, when it is asked whether to leave the game."""
    await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
    await pilot.press(key)
    await closed(pilot)
    await settle(pilot)


async def closed(pilot: Pilot[None]) -> None:
    """Wait until no dialog is open: keys that come before would be the dialog's."""
    await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
