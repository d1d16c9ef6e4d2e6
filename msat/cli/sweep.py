"""`msat sweep WHAT`: how the win rate depends on the start position or on a parameter."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from msat.cli.options import Subparsers
from msat.cli.runs import (
    add_game_options,
    add_work_options,
    begun_settings,
    crew_of,
    folder_of,
    given_settings,
    keeping,
    require_named,
    tell,
)
from msat.errors import ArenaError, MissingPackage

if TYPE_CHECKING:
    from msat.arena.plan import Plan
    from msat.arena.sweeps import Sweep
    from msat.arena.tally import Tally

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat sweep start --strategy safest --preset beginner     a heat map, one start of each symmetry class
  msat sweep end_play --strategy classic --rng kiss        the published values (docs/sources.md)
  msat sweep guess1_offset --strategy classic --values=-0.04:0.02:0.01 --games 200x100
  msat sweep start --values 0,0 3,3 8,15 --games 1000x100

Values are separated by spaces; FROM:TO:STEP is a range. The folder holds a run for each value, results.txt
with the table, and sweep.png (if the package matplotlib is installed).
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "sweep",
        help="vary the start or a parameter",
        description="Play the same seeds for each start position, or for each value of a parameter.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", metavar="WHAT", help="'start', or a parameter of the strategy")
    parser.add_argument(
        "--values", nargs="+", metavar="V", help="what to try (default: all, or those in docs/sources.md)"
    )
    add_game_options(parser, games="5000", per_seed=500)
    add_work_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Sweep, print the table, draw the picture."""
    from msat.arena.pictures import draw_sweep
    from msat.arena.sweeps import sweep, table
    from msat.cli.progress import GamesProgress
    from msat.cli.results import show_results

    settings = _settings(args)
    folder = folder_of(args, settings.name)
    with crew_of(args) as crew, ExitStack() as bars, keeping(folder, "sweep", settings.plan.strategy):

        def on_point(number: int, plan: Plan) -> Callable[[Tally], None]:
            bars.pop_all().close()
            label = f"{number + 1}/{len(settings.values)} {settings.what}={settings.values[number]}"
            return bars.enter_context(GamesProgress(plan.games, label))

        points = sweep(
            settings,
            folder,
            resume=args.resume,
            workers=crew.workers,
            executor=crew.executor,
            on_point=on_point,
            report=tell,
        )
    show_results(table(settings, points))
    if folder is not None:
        try:
            draw_sweep(settings, points, folder / "sweep.png")
        except MissingPackage as missing:
            tell(str(missing))
        tell(f"all games are in {folder}")
    return 0


def _settings(args: argparse.Namespace) -> Sweep:
    """What the options describe, or with --resume what was begun, which the options must then agree with."""
    from msat.arena.plan import Plan
    from msat.arena.sweeps import USUAL, Sweep, expand, usual_values

    given = given_settings(args)
    begun = begun_settings(args, "sweep")
    if begun:
        before = Sweep.from_object(begun)
        require_named(args, begun["plan"], given)
        plan = Plan.from_object(begun["plan"] | given, as_read=False)
    elif args.what is None:
        raise ArenaError("sweep what? 'start', or a parameter of the strategy: msat sweep start")
    else:
        plan = Plan(**(USUAL | given))
    what = args.what or before.what
    if args.values is not None:
        values = expand(" ".join(args.values).split())
    else:
        values = before.values if begun else usual_values(plan, what)
    return Sweep(plan, what, values)
