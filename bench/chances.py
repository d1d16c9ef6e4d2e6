"""How often `best` wins, and what a change of its guesses is worth, with a fraction of the noise of games.

A game won or lost tells little: most of it is luck. Here guesses, closed pockets and endgames count by their
exact chances (`best/_kernels/playout.py`), so that every board gives a chance to win. The average is
the same; for two versions that differ in few guesses the error of the difference is a third of that of games
or less.
The player is `best` without thinking (`samples=0`). A change of a kernel makes another version, so a run is
kept and compared with that of the other checkout:

    python -m bench.chances --games 20000 --out before.npz
    python -m bench.chances --games 20000 --against before.npz      # after the change
    python -m bench.chances --first safe --start 0,0 --closed       # only boards whose start is no opening
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal

import numpy as np
from numpy.typing import NDArray

from msat.arena.boards import pcg_numbers, protected_cells
from msat.board import PRESETS, preset
from msat.strategies.best._kernels.evaluate import new_ranked
from msat.strategies.best._kernels.playout import play_on
from msat.strategies.best.player import Best

__all__ = ["main"]

AT_ONCE = 200  # games between two looks at the terminal
ROUNDING = 1e-9
SEEDS_PER_GAME = 10_000  # for layouts that are drawn on the way


def _chances(first: int, options: argparse.Namespace) -> list[float]:
    """The chances to win some of the boards of `msat sim --seed`, from game `first` on; NaN if left out."""
    height, width, mines = preset(options.preset)
    r, c = options.start
    protected = protected_cells(height, width, options.start, options.first)
    count = min(AT_ONCE, options.games - first)
    blank = np.full((height, width), -1, np.int8)
    limits, room = Best(samples=0).limits, new_ranked(blank.size)
    found = []
    for game, numbers in enumerate(pcg_numbers(mines, options.seed, first, count, protected), first):
        if options.closed and numbers[r, c] == 0:
            found.append(np.nan)
        else:
            layout = np.array(numbers, np.int8, order="C")
            seed = SEEDS_PER_GAME * game
            found.append(play_on(blank, mines, r * width + c, layout, limits, room, seed))
    return found


def _all_chances(options: argparse.Namespace) -> NDArray[np.float64]:
    """The chances of all games, or of those before Ctrl-C; they do not depend on the number of workers."""
    begins = range(0, options.games, AT_ONCE)
    found: list[float] = []
    one = argparse.Namespace(**{**vars(options), "games": 1, "closed": False})
    _chances(0, one)  # so that kernels are compiled here, once, not by every worker
    with Pool(options.workers, signal, (SIGINT, SIG_IGN)) as pool:
        try:
            for part in pool.imap(partial(_chances, options=options), begins):
                found += part
                if sys.stderr.isatty():
                    print(f"\r{len(found)} games", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print(f"\rinterrupted after {len(found)} games", end="", file=sys.stderr)
    print(file=sys.stderr)
    return np.array(found)


def _settings(options: argparse.Namespace) -> str:
    """What a run was played on."""
    names = ("preset", "start", "first", "seed", "closed")
    return json.dumps({name: getattr(options, name) for name in names})


def _read(options: argparse.Namespace) -> NDArray[np.float64]:
    """The chances that another version found on the same boards."""
    try:
        with np.load(options.against) as file:
            settings, found = str(file["settings"]), np.array(file["chances"], np.float64)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"--against {options.against}: there is no run of bench.chances in it") from None
    if settings != _settings(options):
        raise ValueError(f"--against {options.against} was played on other boards: {settings}")
    if found.size < options.games:
        raise ValueError(f"--against {options.against}: {found.size} games, {options.games} are asked for")
    return found


def _points(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean and standard error, in points."""
    return 100 * float(values.mean()), 100 * float(values.std()) / sqrt(values.size)


def _cell(text: str) -> tuple[int, int]:
    try:
        r, c = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no cell: write row,column, such as 0,0") from None
    return r, c


def _check(options: argparse.Namespace) -> None:
    """Say what is wrong before hours are spent on it."""
    height, width, _ = preset(options.preset)
    r, c = options.start
    if not (0 <= r < height and 0 <= c < width):
        raise ValueError(f"--start {r},{c} is not on a {height}×{width} board")
    if options.games < 1 or options.workers < 1:
        raise ValueError("--games and --workers must be 1 or more")
    if not 0 <= options.seed < 1 << 32:
        raise ValueError(f"--seed {options.seed} is out of range: give 0 to {(1 << 32) - 1}")
    if options.closed and options.first == "open":
        raise ValueError("--closed leaves out every board with --first open: say --first safe")
    if options.out and not options.out.parent.is_dir():
        raise ValueError(f"--out {options.out}: there is no folder {options.out.parent}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the chance to win, and the difference from another run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.chances",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--preset", choices=PRESETS, default="expert", help="default: %(default)s")
    parser.add_argument("--start", type=_cell, default=(3, 3), metavar="R,C", help="default: 3,3")
    parser.add_argument("--first", choices=["open", "safe"], default="open", help="default: %(default)s")
    parser.add_argument("--games", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the boards, as in `msat sim`; default: 1")
    parser.add_argument("--closed", action="store_true", help="leave out boards whose start is a 0")
    parser.add_argument("--workers", type=int, default=1, help="processes; default: 1")
    parser.add_argument("--out", type=Path, help="a .npz file to keep the chances in")
    parser.add_argument("--against", type=Path, help="the file of another version, on the same boards")
    options = parser.parse_args(arguments)
    try:
        _check(options)
        other = _read(options) if options.against else None
    except ValueError as problem:
        parser.error(str(problem))
    found = _all_chances(options)
    if options.out:
        with options.out.open("wb") as file:
            np.savez(file, chances=found, settings=_settings(options))
    played = ~np.isnan(found)
    if not played.any():
        parser.error("no board was played: ask for more --games")
    mean, error = _points(found[played])
    print(f"{played.sum()} boards: wins {mean:.2f} ± {error:.2f} % (one standard error)")
    if other is not None:
        differences = (found - other[: found.size])[played]
        difference, error = _points(differences)
        changed = np.mean(abs(differences) > ROUNDING)
        print(f"against {options.against}: {difference:+.3f} ± {error:.3f} points, {changed:.1%} differ")


if __name__ == "__main__":
    main()
