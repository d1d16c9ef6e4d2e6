"""Two versions of msat on the same boards: how many were won by both, by either, by neither.

`msat compare` pits players of one version against each other. A change of a kernel makes another version, and
that plays its own run. Play the same boards from a checkout of each (a worktree is handy), then compare:

    git worktree add ../before HEAD~1 && cd ../before
    python -m msat sim --strategy best --rng kiss --seed 1001 --games 300x100 --start 3,3 --out ../runs/before
    cd - && python -m msat sim …                                                          --out ../runs/after
    python -m bench.versions ../runs/after ../runs/before
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from msat.arena.estimates import paired_interval
from msat.arena.folder import Folder
from msat.errors import FolderError

__all__ = ["main"]


def _won(folder: Folder) -> dict[int, bool]:
    """Which games of a run were won."""
    with (folder.path / "games.jsonl").open() as lines:
        games = [json.loads(line) for line in lines]
    return {game["game"]: game["won"] for game in games}


def _boards(folder: Folder) -> dict[str, object]:
    """What a run was played on, whoever played."""
    return {name: value for name, value in folder.settings.items() if name not in ("strategy", "parameters")}


def main() -> None:
    """Compare two runs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.versions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("a", type=Path, help="the folder of a run")
    parser.add_argument("b", type=Path, help="that of another, on the same boards")
    options = parser.parse_args()
    try:
        folders = [Folder.open(path) for path in (options.a, options.b)]
        for folder in folders:
            folder.require("sim")
    except FolderError as error:
        parser.error(str(error))
    if _boards(folders[0]) != _boards(folders[1]):
        parser.error(f"{options.a} and {options.b} were played on different boards")
    a, b = map(_won, folders)
    games = sorted(a.keys() & b.keys())
    if not games:
        parser.error("the two runs have no game in common")
    both = sum(a[game] and b[game] for game in games)
    only_a = sum(a[game] and not b[game] for game in games)
    only_b = sum(b[game] and not a[game] for game in games)
    difference, low, high = paired_interval(only_a, only_b, len(games))
    print(f"{len(games)} boards: A wins {both + only_a}, B wins {both + only_b}")
    print(f"both {both}, A only {only_a}, B only {only_b}")
    print(f"difference {difference:+.3%}, 95 % interval {low:+.3%} to {high:+.3%}")


if __name__ == "__main__":
    main()
