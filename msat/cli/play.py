"""`msat play`: a game solved step by step in front of the reader.

The game is shown as it is played. A game that is interrupted, by Ctrl-C or because the terminal went away, is
saved as far as it came.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msat.cli.options import (
    STRATEGY_HELP,
    Subparsers,
    add_layout_options,
    add_parameters,
    listed,
    make_layout,
    parameters_of,
    strategy_names,
)
from msat.cli.shows import add_show_options, check_pictures, make_playback, save_pictures
from msat.errors import LayoutError
from msat.formats import read_text
from msat.layout import Layout
from msat.limits import RECORD_BYTES
from msat.record import Record, is_record
from msat.replays import is_binary, is_replay
from msat.wording import counted

if TYPE_CHECKING:
    from msat.game import Game
    from msat.strategies import Choice
    from msat.tui.step import Step

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat play --preset expert --seed 7 --speed 4     four decisions a second
  msat play --size 30x30x180 --strategy logic      without a single guess, as far as that goes
  msat play --strategy best --param seconds=1      up to a second for a guess (or best:seconds=1)
  msat play --layout seven.mbf --save seven.json   a given layout, and keep the game
  msat play --layout seven.json                    the layout of a saved game, played anew
  msat play --seed 7 --heatmap --gif seven.gif     with probabilities, and keep an animation

keys, on a terminal: space pauses and goes on, the right arrow goes one decision on, + and - change the speed,
q stops the game (--save keeps it as far as it came)

fields of a JSON result (cells are [row, column], numbered from 0):
  state                  won, lost, or playing if the strategy gave up
  guesses                {"cell", "safety"} of every cell opened that was not proven safe
  success_probability    the product of their safeties
  decisions, moves       how often the strategy was asked (the start counts), and the clicks and marks it made
  opened, marked         cells in the end
  strategy, seconds, height, width, mines
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "play",
        help="solve a game step by step",
        description="Solve a game in front of you: every decision, why it was made, and how it ended.",
        epilog=_EPILOG,
    )
    add_layout_options(parser)
    parser.add_argument(
        "--layout",
        metavar="FILE",
        help="play this layout (text, .mbf or a saved game), not a random one",
    )
    strategy = parser.add_argument(
        "--strategy", default="safest", metavar="S", help=f"{STRATEGY_HELP} (default: safest); %(known)s"
    )
    listed(strategy, strategy_names)
    add_parameters(parser)
    parser.add_argument("--save", metavar="FILE", help="save the record of the game")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object, no frames")
    add_show_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; losing it is no failure of the command."""
    from msat.strategies.naming import load

    strategy = load(args.strategy, parameters_of(args))
    layout = _load(args) if args.layout else make_layout(args)

    from msat.player import play
    from msat.strategies.strategy import playing_seed
    from msat.tui.playback import Left
    from msat.tui.step import Watcher
    from msat.tui.summary import conclusion, fields

    # What is random in the play is that of the same game in 'msat sim'.
    seed = playing_seed(args.rng, args.seed or 0, args.index or 0)
    watch = Watcher()
    steps: list[Step] = []
    played: list[Game] = []  # the game, from its first move on

    def note(game: Game, choice: Choice) -> None:
        played[:] = [game]
        if not (args.svg_frames or args.gif):
            steps.clear()  # each holds a board, and only the last one is needed
        steps.append(watch(game, choice))
        check_pictures(args, steps[-1].number, layout)

    before = _hang_up_like_ctrl_c() if args.save else None
    try:
        if args.json:
            record = play(layout, strategy, on_move=note, seed=seed)
            print(json.dumps(fields(record, steps[-1].number if steps else 0)))
        else:
            with make_playback(args) as playback:

                def show(game: Game, choice: Choice) -> None:
                    note(game, choice)
                    playback.show(steps[-1])

                try:
                    record = play(layout, strategy, on_move=show, seed=seed)
                except Left:
                    playback.line(f"Stopped after {counted(steps[-1].number, 'decision')}")
                else:
                    playback.line(conclusion(record, steps[-1].number if steps else 0))
    finally:
        if args.save:
            for game in played:
                game.record.save(args.save)
            if before is not None:
                signal.signal(signal.SIGHUP, before)
    save_pictures(args, steps)
    return 0


def _hang_up_like_ctrl_c() -> Any:
    """Let the end of the terminal interrupt the game instead of killing it; returns what was to happen."""
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:  # as by nohup
        return None
    return signal.signal(signal.SIGHUP, signal.default_int_handler)


def _load(args: argparse.Namespace) -> Layout:
    """The layout in a file, started where --start says or else where the file does."""
    for name in ("preset", "size", "seed", "index", "first"):
        if getattr(args, name) is not None:
            raise LayoutError(
                f"--layout {args.layout!r} and --{name} exclude each other: leave one of them out"
            )
    layout = _read(Path(args.layout))
    if args.start is not None:
        return Layout(layout.height, layout.width, layout.mask, args.start)
    if layout.start is None:
        print(
            f"msat: {args.layout!r} has no start: the strategy chooses the first cell; --start R,C gives one",
            file=sys.stderr,
        )
    return layout


def _read(path: Path) -> Layout:
    """The layout in a file: text, MBF, a saved game or a replay, which is played anew."""
    if path.suffix.lower() == ".mbf":
        return Layout.from_mbf(path.read_bytes())
    if is_binary(path.name):
        return Record.load(path).layout
    text = read_text(path, LayoutError, limit=RECORD_BYTES)  # a layout is checked when parsed
    return Record.parse(text).layout if is_record(text) or is_replay(text) else Layout.parse(text)
