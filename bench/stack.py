"""What a board costs in a stack: `python -m bench.stack`.

Expert positions, stuck in play, as `msat bench` has them: one by one, as a stack by one thread, as a stack by
two, and by `analyze_many` with one worker and two. Times are the best of several rounds by the clock, which
take turns; beside each stands the processor time of its best round, by which one sees whether two threads had
two processors: on a machine that does other work they have not, and the ratio says little.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from time import perf_counter, process_time

import numpy as np

import msat
from bench.suites import stuck
from msat.board import Board


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=500, help="how many there are (default: 500)")
    parser.add_argument("--copies", type=int, default=8, help="how often each is in the stack (default: 8)")
    parser.add_argument("--rounds", type=int, default=10, help="how often each way is timed (default: 10)")
    asked = parser.parse_args()
    positions = stuck(asked.positions) * asked.copies
    boards, mines = np.stack([array for array, _ in positions]), np.array([total for _, total in positions])
    batch = [Board.from_array(array, total) for array, total in positions]
    ways: dict[str, Callable[[], object]] = {
        "one by one": lambda: [msat.probabilities(array, total) for array, total in positions],
        "stack": lambda: msat.probabilities(boards, mines),
        "stack, 2 threads": lambda: msat.probabilities(boards, mines, threads=2),
        "analyze_many": lambda: msat.analyze_many(batch),
        "analyze_many, 2 workers": lambda: msat.analyze_many(batch, workers=2),
    }
    best: dict[str, tuple[float, float]] = {}
    for _ in range(1 + asked.rounds):  # the first also loads what is compiled
        for way, ask in ways.items():
            began, spent = perf_counter(), process_time()
            ask()
            taken = perf_counter() - began, process_time() - spent
            best[way] = min(taken, best.get(way, taken))
    load = os.getloadavg()[0]
    print(
        f"{len(positions)} expert positions, best of {asked.rounds} rounds, µs a position; load {load:.1f}\n"
    )
    print(f"{'way':24} {'clock':>7} {'processor':>10}")
    for way, (clock, processor) in best.items():
        print(f"{way:24} {1e6 * clock / len(positions):7.2f} {1e6 * processor / len(positions):10.2f}")


if __name__ == "__main__":
    main()
