"""`msat watch`: a saved game, shown again click by click."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msat.cli.options import Subparsers
from msat.cli.reading import add_game_option, read_record
from msat.cli.shows import add_show_options, check_pictures, make_playback, save_pictures

if TYPE_CHECKING:
    from msat.record import Record
    from msat.tui.step import Step

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat play --preset expert --seed 7 --save seven.json
  msat watch seven.json --speed 10 --heatmap
  msat watch seven.json --review                     what every click kept of the chance to win
  msat watch seven.json --gif games/seven.gif        the game as an animation
  msat watch seven.json --svg-frames seven           every frame as a picture
  msat watch runs/2030-01-31_safest --game 12        a game of many, played again
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "watch",
        help="replay a saved game",
        description="Replay a saved game, click by click, with the reasons that were given.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "record", metavar="RECORD", help="a game that was saved by 'msat play --save', or a result folder"
    )
    add_game_option(parser)
    parser.add_argument(
        "--review", action="store_true", help="say at every click what it kept of the chance to win"
    )
    add_show_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay one game."""
    from msat.record import Record

    record = read_record(args.record, args.game) if Path(args.record).exists() else None
    if record is None:
        record = Record.load(args.record)  # says what is wrong with it

    from msat.tui.step import Steps
    from msat.tui.summary import conclusion

    steps: Sequence[Step] = Steps(record)
    check_pictures(args, len(steps), record.layout)
    if args.review:
        steps = _reviewed(record, steps)
    with make_playback(args, len(steps)) as playback:
        for step in steps:
            playback.show(step)
        playback.line(conclusion(record, len(steps), "step"))
    save_pictures(args, steps)
    return 0


def _reviewed(record: Record, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with what a review says about them."""
    from msat.cli.progress import StepsProgress
    from msat.coach.review import review

    with StepsProgress("decisions") as progress:
        found = review(record, progress=progress)
    remarks = [move.remark for move in found.moves if move.opened]
    clicks = [bool(step.opened) for step in steps]
    left = iter(remarks)
    return tuple(
        replace(step, remark=next(left)) if click else step for step, click in zip(steps, clicks, strict=True)
    )
