"""Playback: the steps of a game, shown one after the other.

On a terminal that is large enough, frames replace each other in place. In a pipe, on a dumb terminal, and
where a frame does not fit, they follow each other as plain text, which can be scrolled and searched.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.live import Live

from msat.errors import BudgetExceeded
from msat.layout import Layout
from msat.tui.board import Overlay
from msat.tui.console import Terminal
from msat.tui.frame import PlaybackFrame, board_of
from msat.tui.legend import legend
from msat.tui.step import Step

__all__ = ["Playback", "measured", "overlay_of"]

LIVE_SPEED = 8.0
"""Steps a second on a terminal, if nothing else is asked for."""


def overlay_of(step: Step, budget: float | None = 10.0) -> Overlay | None:
    """The heat map of a step; None where the game is over or the board too wide to be counted in time."""
    if step.state != "playing":
        return None
    try:
        return Overlay.judged(step.board, budget)
    except BudgetExceeded:
        return None


def measured(layout: Layout) -> int:
    """The 3BV of a layout."""
    from msat.measures import metrics

    return metrics(layout).bbbv


class Playback:
    """Shows steps on a terminal; `speed` is in steps a second, 0 as fast as it goes, None a good pace.

    Use it in a `with` statement: a terminal is given back in order, whatever happens inside.
    """

    def __init__(
        self,
        terminal: Terminal,
        speed: float | None = None,
        heatmap: bool = False,
        total: int | None = None,
    ) -> None:
        self._terminal = terminal
        self._signs = terminal.signs
        self._live = terminal.live
        self._speed = speed if speed is not None else LIVE_SPEED * self._live
        self._heatmap = heatmap
        self._total = total
        self._bbbv: int | None = None
        self._screen: Live | None = None

    def __enter__(self) -> Playback:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._screen is not None:
            self._screen.stop()

    def show(self, step: Step) -> None:
        """Show a step for its time."""
        begin = time.monotonic()
        overlay = overlay_of(step) if self._heatmap else None
        if self._live and step.number == 1:
            self._live = self._fits(step, overlay)
        if self._live:
            self._update(step, overlay)
        else:
            self._print(step, overlay)
        if self._speed:
            time.sleep(max(0.0, begin + 1 / self._speed - time.monotonic()))

    def _fits(self, step: Step, overlay: Overlay | None) -> bool:
        """Whether frames fit the terminal; if not, this is told once."""
        size = self._terminal.console.size
        columns, lines = PlaybackFrame(step, overlay=overlay, signs=self._signs).size(size.width)
        if columns <= size.width and lines < size.height:
            return True
        print(
            f"msat: the terminal has {size.width}×{size.height} columns and lines, this board needs "
            f"{columns}×{lines + 1}: its frames follow each other",
            file=sys.stderr,
        )
        return False

    def _update(self, step: Step, overlay: Overlay | None) -> None:
        if self._bbbv is None:
            self._bbbv = measured(step.layout)
        frame = PlaybackFrame(step, self._bbbv, self._total, overlay, self._signs)
        if self._screen is None:
            self._screen = Live(frame, console=self._terminal.console, auto_refresh=False)
            self._screen.start(refresh=True)
        else:
            self._screen.update(frame, refresh=True)

    def _print(self, step: Step, overlay: Overlay | None) -> None:
        """A frame as plain text: number and reason, then the board."""
        view = board_of(step, self._signs, overlay)
        room = self._terminal.width
        self.line(f"{step.number}. {step.decision}")
        for segments in view.lines(room):
            self._terminal.line(segments)
        explained = legend(view, room)
        if explained:
            self.line(explained)
        self.line()

    def line(self, text: str = "") -> None:
        """Print a line of text below what was shown."""
        if self._screen is not None:
            self._screen.stop()
            self._screen = None
        self._terminal.line(text)
