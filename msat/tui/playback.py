"""Playback: the steps of a game, shown one after the other.

On a terminal that is large enough, frames replace each other in place. In a pipe, on a dumb terminal, and
where a frame does not fit, they follow each other as plain text, which can be scrolled and searched. On every
terminal keys pause it, step on and back, change the speed and leave.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from itertools import islice
from types import TracebackType

from rich.live import Live

from msat.errors import BudgetExceeded
from msat.layout import Layout
from msat.tui.board import Overlay
from msat.tui.console import Terminal
from msat.tui.frame import PlaybackFrame, board_of
from msat.tui.keys import Keys
from msat.tui.legend import legend
from msat.tui.step import Step
from msat.wording import counted

__all__ = ["Left", "Playback", "measured", "overlay_of"]

LIVE_SPEED = 8.0
"""Steps a second on a terminal, if nothing else is asked for."""

SLOWEST, FASTEST = 0.25, 64.0
"""Between these, keys double and halve the speed; faster than that nothing is waited for."""


class Left(Exception):
    """The viewer wants no more of it."""


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
        self._keys = Keys(terminal.live)
        self._paused = False
        self._shown: tuple[Step, Overlay | None] | None = None
        self._told = 2

    def __enter__(self) -> Playback:
        self._keys.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._end_screen()
        finally:
            self._keys.__exit__(kind, error, trace)

    def show(self, step: Step) -> None:
        """Show a step for its time, or until a key says to go on; `Left` says that no more is wanted."""
        began = time.monotonic()
        self._draw(step)
        self._key(began)

    def run(self, steps: Sequence[Step]) -> None:
        """Show all steps; keys go on and back in them, and stay at the last one until they leave it."""
        going, place, last = iter(steps), 0, len(steps) - 1
        while place <= last:
            began = time.monotonic()
            self._draw(next(going))
            key = self._key(began)
            while key == "on" and self._paused and place == last:  # there is nothing to go on to
                key = self._key(began)
            if key == "on":
                place += 1
            else:
                place = {"back": max(place - 1, 0), "first": 0}.get(key, last)
                going = islice(steps, place, None)

    def _draw(self, step: Step) -> None:
        overlay = overlay_of(step) if self._heatmap else None
        if self._live and self._shown is None:
            self._live = self._fits(step, overlay)
        self._shown = (step, overlay)
        if self._live:
            self._update()
        else:
            self._print(step, overlay)

    def _key(self, began: float) -> str:
        """What to do after a step: "on" when its time is over, or what a key says."""
        while True:
            seconds = began + 1 / self._speed - time.monotonic() if self._speed else 0.0
            key = self._keys.wait(None if self._paused else max(seconds, 0.0))
            if key is None:
                return "on"
            if key == "quit":
                raise Left
            if key in ("faster", "slower"):
                self._change_speed(key == "faster")
            else:
                self._paused = key != "pause" or not self._paused
                if key != "pause":
                    return key
                if not self._paused:
                    return "on"
            if self._live:
                self._update()

    def _change_speed(self, faster: bool) -> None:
        speed = self._speed or FASTEST * 2
        speed = min(speed * 2 if faster else speed / 2, FASTEST * 2)
        self._speed = 0.0 if speed > FASTEST else max(speed, SLOWEST)

    @property
    def _controls(self) -> str:
        """What the keys do, where there are keys."""
        if not self._keys.there:
            return ""
        pace = "paused" if self._paused else f"{self._speed:g} a second" if self._speed else "no waiting"
        keys = ("space goes on" if self._paused else "space pauses", "arrows step", "+/- speed", "q quits")
        return f" {self._signs.separator} ".join([pace, *keys])

    def _fits(self, step: Step, overlay: Overlay | None) -> bool:
        """Whether frames fit the terminal; if not, this is told once."""
        size = self._terminal.console.size
        frame = PlaybackFrame(step, overlay=overlay, signs=self._signs, controls=self._controls)
        columns, lines = frame.size(size.width)
        if columns <= size.width and lines < size.height:
            self._told += lines + 1 < size.height  # where there is room, no reason is cut
            return True
        print(
            f"msat: the terminal has {size.width}×{size.height} columns and lines, this board needs "
            f"{columns}×{lines + 1}: its frames follow each other",
            file=sys.stderr,
        )
        return False

    def _update(self) -> None:
        assert self._shown is not None
        step, overlay = self._shown
        if self._bbbv is None:
            self._bbbv = measured(step.layout)
        frame = self._frame(step, overlay, self._controls)
        if self._screen is None:
            self._screen = Live(frame, console=self._terminal.console, auto_refresh=False)
            self._screen.start(refresh=True)
        else:
            self._screen.update(frame, refresh=True)

    def _frame(self, step: Step, overlay: Overlay | None, controls: str = "") -> PlaybackFrame:
        return PlaybackFrame(step, self._bbbv, self._total, overlay, self._signs, controls, self._told)

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
        # What the drawing leaves out of the position: with it the frame is read back.
        self.line(f"{counted(step.board.mines - len(step.board.marked), 'mine')} left")
        self.line()

    def line(self, text: str = "") -> None:
        """Print a line of text below what was shown."""
        self._end_screen()
        self._terminal.wrapped(text)

    def _end_screen(self) -> None:
        """Leave the last frame on the terminal, without the keys: they do nothing any more."""
        if self._screen is not None:
            assert self._shown is not None
            step, overlay = self._shown
            self._screen.update(self._frame(step, overlay), refresh=True)
            self._screen.stop()
            self._screen = None
