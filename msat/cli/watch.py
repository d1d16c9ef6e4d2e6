"""`msat watch`: a saved game, shown again click by click."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from msat.cli.options import Subparsers
from msat.cli.reading import add_game_option, load_record
from msat.cli.shows import add_show_options, check_pictures, make_playback, save_pictures

if TYPE_CHECKING:
    from msat.record import Record

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat play --preset expert --seed 7 --save seven.json
  msat watch seven.json --speed 10 --heatmap
  msat watch seven.json --by guess                   all that is proven between two guesses at once
  msat watch seven.json --review                     what every click kept of the chance to win
  msat watch seven.json --gif games/seven.gif        the game as an animation
  msat watch seven.json --svg-frames seven           every frame as a picture
  msat watch runs/2030-01-31_safest --game 12        a game of many, played again

keys, on a terminal: space pauses and goes on, the arrows step on and back (home, end: to the first and last
step), + and - change the speed, q quits
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
        "record",
        metavar="RECORD",
        help="a game saved by 'msat play --save', another program's replay, or a result folder",
    )
    add_game_option(parser)
    parser.add_argument(
        "--review", action="store_true", help="say at every click what it kept of the chance to win"
    )
    parser.add_argument(
        "--by",
        choices=["cell", "decision", "guess"],
        default="cell",
        help="what a step is: a click (default), all that was proven at once, or all between two guesses",
    )
    add_show_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay one game."""
    record = load_record(args.record, args.game)

    from msat.tui.folding import runs_of
    from msat.tui.playback import Left
    from msat.tui.step import Steps
    from msat.tui.summary import conclusion

    remarks = _remarks(record) if args.review else ()
    steps = Steps(record, remarks, runs_of(record, args.by))
    check_pictures(args, len(steps), record.layout)
    with make_playback(args, len(steps)) as playback:
        try:
            playback.run(steps)
        except Left:
            pass
        else:
            playback.line(conclusion(record, len(steps), "step"))
    save_pictures(args, steps)
    return 0


def _remarks(record: Record) -> tuple[str, ...]:
    """What a review says about each click: what it kept and, of a mistake, why."""
    from msat.cli.progress import StepsProgress
    from msat.coach.review import review

    with StepsProgress("decisions") as progress:
        found = review(record, progress=progress)
    return tuple(
        f"{move.remark}; {move.reason}" if move.mistake else move.remark
        for move in found.moves
        if move.opened
    )
