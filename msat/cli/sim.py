"""`msat sim`: many games by one strategy, every statistic, and a folder that keeps them all."""

from __future__ import annotations

import argparse

from msat.cli.options import Subparsers
from msat.cli.runs import add_game_options, add_work_options, crew_of, folder_of, keeping, make_plan, tell

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat sim --strategy safest --preset expert --games 10000
  msat sim --strategy classic --rng kiss --games 1000x100     the 100,000 expert puzzles of docs/sources.md
  msat sim --strategy classic --param end_play=20 --size 9x9x10 --start 2,2 --games 200x100 --rng kiss
  msat sim --strategy mine:Corner --games 500 --puzzles lost  the class Corner of mine.py in this folder
  msat sim --resume runs/2030-01-31_safest_expert             complete a run that was stopped
  msat sim --resume runs/2030-01-31_safest_expert --games 5000      extend it

Every game depends on the seed and its own number only: game i of seed N is the layout of
'msat generate --seed N*2^32+i' (pcg), or the puzzle i % K of seed N + i // K, for K puzzles a seed (kiss).
The folder: results.txt for people, games.jsonl with a line per game for machines, run.json with what was run.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "sim",
        help="play many games and add them up",
        description="Play many games by one strategy. A run that is stopped loses no finished game.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game_options(parser, games="1000")
    add_work_options(parser)
    parser.add_argument(
        "--puzzles",
        choices=["none", "lost", "all"],
        default="none",
        help="layouts to keep in the folder: of games that were not won, or of all (default: none)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, print the results; Ctrl-C keeps what is finished."""
    from msat.arena import results
    from msat.arena.simulation import simulate
    from msat.cli.progress import GamesProgress
    from msat.cli.results import show_results

    plan = make_plan(args)
    folder = folder_of(args, plan.name)
    with (
        crew_of(args) as crew,
        GamesProgress(plan.games, plan.strategy) as progress,
        keeping(folder, "sim", plan.strategy),
    ):
        tally = simulate(
            plan,
            folder,
            resume=args.resume,
            workers=crew.workers,
            executor=crew.executor,
            puzzles=args.puzzles,
            on_progress=progress,
            report=tell,
        )
    told = dict(results.rows(plan, tally))
    answer = f"Answer: {plan.strategy} wins {told['Percent']} of {tally.games:,} games"
    show_results(results.text(plan, tally), f"{answer}, 95% interval {told['95% interval']}")
    if folder is not None:
        tell(f"all games are in {folder}")
    return 0
