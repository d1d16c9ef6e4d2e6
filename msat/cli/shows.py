"""What `play` and `watch` share: options for the show, and the pictures that are kept of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from msat.cli.options import pace
from msat.errors import LayoutError
from msat.limits import MAX_ANIMATED_CELLS
from msat.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msat.layout import Layout
    from msat.tui.playback import Playback
    from msat.tui.step import Step

__all__ = ["add_show_options", "check_pictures", "make_playback", "save_pictures"]


def add_show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a game is shown and what is kept of it."""
    group = parser.add_argument_group("the show")
    group.add_argument(
        "--speed",
        type=pace,
        metavar="N",
        help="moves a second, 0 as fast as it goes (default: 8 on a terminal, 0 in a pipe)",
    )
    group.add_argument("--heatmap", action="store_true", help="show how likely every hidden cell is a mine")
    group.add_argument("--ascii", action="store_true", help="use ASCII characters only")
    group.add_argument("--svg", metavar="FILE", help="save the last frame as a picture")
    group.add_argument("--svg-frames", metavar="FOLDER", help="save every frame as a picture")
    group.add_argument("--gif", metavar="FILE", help="save an animation (needs the package Pillow)")


def make_playback(args: argparse.Namespace, total: int | None = None) -> Playback:
    """The playback on standard output that the options describe."""
    from msat.tui.console import Terminal
    from msat.tui.playback import Playback

    return Playback(Terminal(args.ascii), args.speed, args.heatmap, total)


def check_pictures(args: argparse.Namespace, steps: int, layout: Layout) -> None:
    """Refuse an animation that would not fit the memory, before anything is drawn."""
    if args.gif and layout.height * layout.width * (steps + 10) > MAX_ANIMATED_CELLS:
        raise LayoutError(
            f"--gif of {counted(steps, 'step')} on a {layout.height}×{layout.width} board would be too "
            f"large: its frames may have {MAX_ANIMATED_CELLS:,} cells; --svg-frames has no such limit"
        )


def save_pictures(args: argparse.Namespace, steps: Sequence[Step]) -> None:
    """Save what the options ask for; a game without a step has no picture."""
    if not steps:
        return
    check_pictures(args, len(steps), steps[-1].layout)
    if args.svg:
        from msat.tui.svg import save_svg

        save_svg(Path(args.svg), steps[-1], len(steps), args.heatmap)
    if args.svg_frames:
        from msat.tui.svg import save_frames

        save_frames(Path(args.svg_frames), steps, args.heatmap)
    if args.gif:
        from msat.tui.gif import save_gif

        save_gif(Path(args.gif), steps, args.speed or 8.0, args.heatmap)
