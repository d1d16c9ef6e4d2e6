"""The most memory that msat takes on each suite of positions.

    python -m bench.memory                    all suites, in a minute
    python -m bench.memory --suite dense      one of them (may be repeated)

Every suite is answered by a process of its own, which imports msat, makes the positions and asks for the
probabilities of each and for the exact number of its solutions. Its peak, as the system counts it (resident
set), holds Python, numba and the compiled kernels as well: that is what the first row shows, for a board of
four cells.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

import msat
from bench.suites import SUITES, Position, dense, large, lattice
from msat.bench.positions import scattered

__all__ = ["MEMORY_SUITES", "Peak", "main", "measure"]

LIMIT = 500
"""Megabytes that the project allows for any of these positions."""

MEMORY_SUITES: dict[str, Callable[[], list[Position]]] = {
    "four cells": lambda: [Position(np.array([[-1, 1], [-1, -1]], np.int8), 1)],
    **SUITES,
    "dense": dense,
    "100×100/2000": lambda: large(100, 2000, 20),
    "lattice 3": lambda: [*lattice(3, 99, 3), *lattice(3, 60, 3)],
    "lattice 2": lambda: [*lattice(2, 99, 4), *lattice(2, 60, 4)],
    "40×40/320": lambda: list(islice(scattered(40, 40, 320, 0.25, 0.45), 20)),
}
"""The suites of `bench.peers`, those of difficult positions in larger numbers."""


class Peak(NamedTuple):
    """What a suite took."""

    positions: int
    megabytes: float


def measure(suite: str) -> Peak:
    """Answer every position of a suite, in this process; its peak since the process began."""
    positions = MEMORY_SUITES[suite]()
    for position in positions:
        msat.probabilities(*position)
        assert msat.analyze(position.board).solutions > 0
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    peak = unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Peak(len(positions), peak / 1e6)


def main() -> int:
    """Measure and print; the exit status is 1 if a suite takes more than the project allows."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.memory", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--suite", choices=list(MEMORY_SUITES), action="append", help="only this (may be repeated)"
    )
    worst = 0.0
    print(f"{'suite':14} {'n':>4} {'peak':>8}")
    for suite in parser.parse_args().suite or MEMORY_SUITES:
        # Not forked: a child would begin with the memory of this process.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            peak = pool.submit(measure, suite).result()
        worst = max(worst, peak.megabytes)
        print(f"{suite:14} {peak.positions:4} {peak.megabytes:5.0f} MB", flush=True)
    print(f"most: {worst:.0f} MB of {LIMIT}")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
