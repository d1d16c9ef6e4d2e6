"""`msat compare A B`: which of two strategies is the stronger one?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from msat.cli.options import Subparsers
from msat.cli.runs import (
    add_game_options,
    add_work_options,
    begun_settings,
    crew_of,
    folder_of,
    given_settings,
    keeping,
    player_of,
    require_named,
    tell,
)
from msat.errors import ArenaError

if TYPE_CHECKING:
    from msat.arena.comparison import Settings

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat compare safest classic --preset expert
  msat compare classic:end_play=30 classic:end_play=20 --games 100000 --bounds 0.5,0.52
  msat compare safest logic --alpha 0.01 --beta 0.01 --out runs/safest-logic
  msat compare --resume runs/safest-logic

A and B are strategies with their parameters: NAME, or NAME:name=value,name=value (a strategy of your own:
module:Class:name=value). Both play the same boards. The boards that exactly one of them wins decide: the
test asks whether A wins more than LOW of them rather than HIGH or more, and stops as soon as it knows.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "compare",
        help="find out which of two strategies is stronger",
        description="Let two strategies play the same boards until it is clear whether A is stronger than B.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("a", nargs="?", metavar="A", help="the strategy that may be stronger")
    parser.add_argument("b", nargs="?", metavar="B", help="the strategy it is measured against")
    parser.add_argument(
        "--bounds", type=_bounds, metavar="LOW,HIGH", help="shares to tell apart (default: 0.5,0.55)"
    )
    parser.add_argument(
        "--alpha", type=float, metavar="E", help="error rate of 'A is stronger' (default: 0.05)"
    )
    parser.add_argument(
        "--beta", type=float, metavar="E", help="error rate of 'A is not stronger' (default: 0.05)"
    )
    add_game_options(parser, games=f"at most {_MOST}", strategy=False)
    add_work_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare, print the answer; Ctrl-C keeps what is finished."""
    from msat.arena.comparison import compare
    from msat.cli.progress import ComparisonProgress
    from msat.cli.results import show_results

    settings = _settings(args)
    folder = folder_of(args, settings.name)
    with (
        crew_of(args) as crew,
        ComparisonProgress(settings.a.games) as progress,
        keeping(folder, "compare", settings.a.strategy, settings.b.strategy),
    ):
        found = compare(
            settings,
            folder,
            resume=args.resume,
            workers=crew.workers,
            executor=crew.executor,
            on_progress=progress,
            report=tell,
        )
    show_results(found.text())
    if folder is not None:
        tell(f"all games are in {folder}")
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    """What the options describe, or with --resume what was begun, which the options must then agree with."""
    from msat.arena.comparison import Settings

    given = given_settings(args)
    test: dict[str, Any] = {name: getattr(args, name) for name in ("alpha", "beta") if getattr(args, name)}
    if args.bounds is not None:
        test["low"], test["high"] = args.bounds
    begun = begun_settings(args, "compare")
    if begun:
        Settings.from_object(begun)  # says so if it is none
    else:
        if args.b is None:
            raise ArenaError("compare needs two strategies: msat compare A B")
        begun = {"a": {}, "b": {}, "test": {}}
        given.setdefault("games", _MOST)
    plans: dict[str, Any] = {}
    for side in ("a", "b"):
        named = getattr(args, side)
        player = {} if named is None else player_of(named)
        require_named(args, begun[side], player, "both: compare A B")
        plans[side] = begun[side] | given | player
    return Settings.from_object({**plans, "test": begun["test"] | test}, as_read=False)


_MOST = 100_000
"""Boards after which a comparison that nothing decides ends, if no other number is given."""


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no pair: expected LOW,HIGH such as 0.5,0.55") from None
    return low, high
