"""What it costs to draw a frame: `python -m bench.redraw`.

An expert board in the middle and at the end of a game, as playback prints it (rich, true colour) and as the
interactive viewer draws it (all lines of the board's widget). The bound of the design is 10 ms a frame.
Processor time is measured: what else the machine does is not part of the answer.
"""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Callable

from rich.console import Console

from msat import Layout, analyze, play
from msat.tui.board import BoardView, Overlay
from msat.tui.frame import PlaybackFrame
from msat.tui.step import steps_of

__all__ = ["main"]

ROUNDS = 100


def milliseconds(draw: Callable[[], object]) -> float:
    """The median processor time of a call, after one that warms up."""
    draw()
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        draw()
        times.append(time.process_time() - begin)
    return 1000 * statistics.median(times)


def main() -> None:
    """Print a line for each kind of frame."""
    steps = list(steps_of(play(Layout.random(16, 30, 99, seed=9, start=(3, 3)))))
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="truecolor")
    print(f"ms of processor time a frame, median of {ROUNDS}: expert board, seed 9, safest")
    for name, number in (("middle", len(steps) // 2), ("end", len(steps) - 1)):
        step = steps[number]
        overlay = Overlay.of(analyze(step.board)) if step.state == "playing" else None
        for what, known in (("plain", None), ("heat map", overlay)):
            frame = PlaybackFrame(step, 200, len(steps), known)
            view = BoardView(step.board, overlay=known, last=step.opened, cursor=(8, 15))
            print(
                f"{name:6}  {what:8}  printed {milliseconds(lambda frame=frame: console.print(frame)):5.2f}"  # type: ignore[misc]
                f"  drawn {milliseconds(lambda view=view: list(view.lines(80))):5.2f}"  # type: ignore[misc]
            )


if __name__ == "__main__":
    main()
