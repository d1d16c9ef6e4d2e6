"""What the arena costs: processor time a game, two workers against one, and layouts that need no guess.

    python -m bench.arena                  all of it, in about a minute on a machine with nothing else to do
    python -m bench.arena --games 500      quicker, and rougher

Processor time is that of this process and its workers, layouts, statistics and result folder included. The
time on the clock tells something only where as many processors as workers are idle.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from msat.arena import Plan, simulate
from msat.arena.games import warm_up
from msat.layout import Layout

NO_GUESS = ((9, 9, 10), (16, 30, 99), (24, 30, 180), (30, 30, 270))


def _processor_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _run(plan: Plan, workers: int) -> tuple[float, float]:
    """Processor time and time on the clock of a run that keeps its games."""
    with tempfile.TemporaryDirectory() as folder:
        processor, clock = _processor_seconds(), time.perf_counter()
        simulate(plan, Path(folder) / "run", workers=workers)
        clock = time.perf_counter() - clock
        time.sleep(0.2)  # workers that were dismissed are counted once they have ended
        return _processor_seconds() - processor, clock


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=5000, help="expert games for each measurement (5000)")
    games = parser.parse_args().games
    for strategy in ("logic", "safest", "classic"):
        warm_up(Plan(strategy))
        processor, clock = _run(Plan(strategy, games=games), workers=1)
        print(
            f"{strategy:8} {1000 * processor / games:.3f} ms of processor time a game, "
            f"{1000 * clock / games:.3f} ms on the clock"
        )
    alone, together = _run(Plan("safest", games=games), 1), _run(Plan("safest", games=games), 2)
    print(
        f"safest, two workers against one: {alone[1] / together[1]:.2f} times as fast on the clock, "
        f"{together[0] / alone[0]:.2f} times the processor time"
    )
    Layout.no_guess(9, 9, 20, seed=1, start=(3, 3))  # load the kernels before the clock starts
    for size in NO_GUESS:
        seconds = []
        for seed in range(50):
            begin = time.perf_counter()
            Layout.no_guess(*size, seed=seed, start=(3, 3))
            seconds.append(time.perf_counter() - begin)
        name = "x".join(map(str, size))
        print(
            f"no guess {name:9} median {1000 * statistics.median(seconds):.1f} ms, "
            f"longest {1000 * max(seconds):.0f} ms of 50"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
