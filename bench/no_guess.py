"""Document 000's 100,000 puzzles of each size (docs/sources.md), played by forced cells alone: all won?

    python -m bench.no_guess                     all three series on two processes: about two minutes
    python -m bench.no_guess --series expert     one of them
    python -m bench.no_guess --seeds 20          the first 2,000 puzzles of each

Any complete solver wins exactly 91,840 small, 72,259 medium and 16,385 expert puzzles without a guess.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rich.console import Console
from rich.progress import track

from msat.arena.forced import PUZZLES, forced_wins


def main() -> int:
    """Play, print wins and time, and fail if a full series differs from the known count."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.no_guess", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--series", choices=list(PUZZLES), action="append", help="only this series")
    parser.add_argument("--seeds", type=int, default=1000, help="seeds 1 to SEEDS, 100 puzzles each (1000)")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    options = parser.parse_args()
    console = Console()
    wrong = False
    forced_wins("small", 1, 1)  # compile before the clock starts
    with ProcessPoolExecutor(options.workers) as pool:
        for series in options.series or PUZZLES:
            begin = time.perf_counter()
            seeds = range(1, options.seeds + 1)
            results = pool.map(partial(forced_wins, series), seeds, chunksize=5)
            wins = sum(track(results, series, total=len(seeds), console=console, transient=True))
            seconds = time.perf_counter() - begin
            line = f"{series:7} {wins:6,} of {100 * options.seeds:,} won without a guess, {seconds:.1f} s"
            if options.seeds == 1000:
                known = PUZZLES[series].forced
                line += f"  ({'as it must be' if wins == known else f'but it must be {known:,}'})"
                wrong |= wins != known
            console.print(line, highlight=False)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
