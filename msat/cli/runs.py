"""Options that the commands of the arena share: which games to play, on what, and where the results go."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msat.board import preset
from msat.cli.options import (
    STRATEGY_HELP,
    add_parameters,
    add_size_options,
    add_start_options,
    listed,
    parameters_of,
    strategy_names,
    whole,
)
from msat.errors import ArenaError
from msat.wording import quoted, shorten, visible

if TYPE_CHECKING:
    from msat.arena.cluster import Crew
    from msat.arena.plan import Plan

__all__ = [
    "GAMES_HELP",
    "add_game_options",
    "add_work_options",
    "begun_settings",
    "crew_of",
    "folder_of",
    "given_settings",
    "keeping",
    "make_plan",
    "player_of",
    "require_named",
    "tell",
]

GAMES_HELP = "how many: 5000, or 1000x100 for 1000 seeds with 100 puzzles each (default: {})"


def tell(message: str) -> None:
    """A line for the person, beside the results."""
    print(f"msat: {visible(message)}", file=sys.stderr)


def add_game_options(
    parser: argparse.ArgumentParser, games: str, per_seed: int = 100, strategy: bool = True
) -> None:
    """Add the options that say which games to play; `given_settings` reads them.

    `games` and `per_seed` are what the command takes if nothing else is said.
    """
    group = parser.add_argument_group("the games")
    if strategy:
        named = group.add_argument(
            "--strategy", metavar="S", help=f"{STRATEGY_HELP} (default: safest); %(known)s"
        )
        listed(named, strategy_names)
        add_parameters(group)
    add_size_options(group)
    group.add_argument("--games", type=_games, metavar="N", help=GAMES_HELP.format(games))
    group.add_argument("--seed", type=whole, metavar="N", help="the (first) seed (default: 1)")
    group.add_argument(
        "--rng",
        choices=["pcg", "kiss"],
        help="numpy's PCG64 (default), or KISS: 300,000 puzzles with published results (docs/sources.md)",
    )
    group.add_argument(
        "--per-seed", type=whole, metavar="K", help=f"puzzles of each seed (default: {per_seed})"
    )
    add_start_options(group)


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who does the work and where results go."""
    group = parser.add_argument_group("the run")
    workers = group.add_mutually_exclusive_group()
    workers.add_argument(
        "--workers", type=whole, metavar="K", help="worker processes (default: one per processor)"
    )
    workers.add_argument("--scheduler", metavar="ADDRESS", help="run on the Dask cluster of this scheduler")
    group.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="the result folder (default: a new one in runs/, named by the date and what is not as usual)",
    )
    group.add_argument("--no-folder", action="store_true", help="only print the results, write no folder")
    group.add_argument(
        "--resume",
        nargs="?",
        const=True,
        default=False,
        type=_folder,
        metavar="FOLDER",
        help="complete the run in this folder, or in --out; more --games extend it",
    )


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The settings of a plan that the options name; those left out are not in it."""
    found: dict[str, Any] = {}
    if args.size or args.preset:
        found["height"], found["width"], found["mines"] = args.size or preset(args.preset)
    if args.games is not None:
        found["games"], per_seed = args.games
        if per_seed is not None:
            if args.per_seed not in (None, per_seed):
                raise ArenaError(f"--games …x{per_seed} and --per-seed {args.per_seed} contradict each other")
            found["per_seed"] = per_seed
    for name in ("seed", "rng", "per_seed", "start", "first"):
        if getattr(args, name, None) is not None:
            found.setdefault(name, getattr(args, name))
    if getattr(args, "strategy", None) is not None:
        found |= player_of(args.strategy)
    if getattr(args, "param", None):
        found["parameters"] = found.get("parameters", {}) | parameters_of(args)
    return found


def player_of(text: str) -> dict[str, Any]:
    """The settings of a plan that a strategy names: itself and, if there are some, its parameters."""
    from msat.strategies.naming import split

    name, parameters = split(text)
    return {"strategy": name} | ({"parameters": parameters} if parameters else {})


def make_plan(args: argparse.Namespace) -> Plan:
    """The plan that the options describe, or with --resume the one that was begun."""
    from msat.arena.plan import Plan

    given = given_settings(args)
    begun = begun_settings(args, "sim")
    require_named(args, begun, given)
    return Plan.from_object(begun | given, as_read=False) if begun else Plan(**given)


def require_named(args: argparse.Namespace, begun: object, given: dict[str, Any], how: str = "") -> None:
    """Refuse to go on with a plan whose player is no part of msat, unless whoever resumes it has named it.

    The folder may be somebody else's: to load what it names would be to run any code.
    """
    from msat.strategies.naming import is_foreign

    name = begun.get("strategy") if isinstance(begun, dict) else None
    if isinstance(name, str) and "strategy" not in given and is_foreign(name):
        shown = quoted(name)
        raise ArenaError(
            f"the run in {args.out} is played by {shown}, which is no part of msat and would be loaded: if "
            f"you trust it, name {how or f'it by --strategy {shorten(name)}'}"
        )


def begun_settings(args: argparse.Namespace, command: str) -> dict[str, Any]:
    """With --resume, the settings with which `command` began what is in --out; else none.

    Combinations of --out, --no-folder and --resume that say nothing are refused.
    """
    from msat.arena.folder import Folder

    if isinstance(args.resume, Path):
        if args.out not in (None, args.resume):
            both = f"--resume {str(args.resume)!r} and --out {str(args.out)!r}"
            raise ArenaError(f"{both} are two folders: leave one of them out")
        args.out, args.resume = args.resume, True
    if args.no_folder and args.out is not None:
        raise ArenaError(f"--no-folder and --out {str(args.out)!r} exclude each other: leave one of them out")
    if not args.resume:
        return {}
    if args.out is None:
        raise ArenaError("--resume needs the folder of the run to complete: --resume FOLDER")
    folder = Folder.open(args.out)
    folder.require(command)
    return folder.settings


def folder_of(args: argparse.Namespace, name: str) -> Path | None:
    """Where results go: to --out, to a new folder for a run of this name, or nowhere."""
    from msat.arena.folder import new_path

    if args.out is not None or args.no_folder:
        return cast(Path | None, args.out)
    return new_path(name)


@contextmanager
def keeping(folder: Path | None, command: str, *strategies: str) -> Iterator[None]:
    """Tell whoever interrupts this block by Ctrl-C how to go on with what is finished.

    `strategies` are who plays: those that are no part of msat have to be named again.
    """
    try:
        yield
    except KeyboardInterrupt:
        if folder is not None:
            from msat.strategies.naming import is_foreign

            named = ""
            if any(map(is_foreign, strategies)):
                named = f" {' '.join(strategies)}" if command == "compare" else f" --strategy {strategies[0]}"
            tell(f"stopped; finished games are kept: 'msat {command}{named} --resume {folder}' goes on")
        raise


def crew_of(args: argparse.Namespace) -> AbstractContextManager[Crew]:
    """Who does the work: a cluster, or processes on this machine."""
    from msat.arena.cluster import Crew, connect

    if args.scheduler is not None:
        return connect(args.scheduler)
    return nullcontext(Crew(None, args.workers))


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(
            f"{text!r} is no folder: write --resume and the folder of the run behind all else"
        )
    return Path(text)


def _games(text: str) -> tuple[int, int | None]:
    if not re.fullmatch(r"\d{1,12}([x×]\d{1,9})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of games: expected 5000, or 1000x100")
    first, *second = (int(part) for part in re.split("[x×]", text))
    return (first * second[0], second[0]) if second else (first, None)
