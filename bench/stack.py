"""What a board costs in a stack: `python -m bench.stack`.

Expert positions, stuck in play, as `msat bench` has them: one by one, as a stack by one thread, as a stack by
two, as two halves by two processes side by side, and by `analyze_many` with one worker and two. Two processes
share nothing but the machine: no threads can do better than these.

Times are the best of several rounds by the clock, which take turns; beside each stands the processor time of
its best round, by which one sees whether two threads had two processors: on a machine that does other work
they have not, and the ratio says little. `--first` goes before all other work meanwhile (SCHED_FIFO, which
takes the right to do so): for a second or two nobody else gets a processor.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from time import perf_counter, process_time, sleep

import numpy as np
from numpy.typing import NDArray

import msat
from bench.suites import stuck
from msat.board import Board

Stack = tuple[NDArray[np.int8], NDArray[np.int64]]

BREATH = 0.05
"""Seconds for others after each measurement."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=500, help="how many there are (default: 500)")
    parser.add_argument("--copies", type=int, default=8, help="how often each is in the stack (default: 8)")
    parser.add_argument("--rounds", type=int, default=10, help="how often each way is timed (default: 10)")
    parser.add_argument("--first", action="store_true", help="before all other work of the machine")
    asked = parser.parse_args()
    positions = stuck(asked.positions) * asked.copies
    boards, mines = np.stack([array for array, _ in positions]), np.array([total for _, total in positions])
    batch = [Board.from_array(array, total) for array, total in positions]
    half = len(positions) // 2
    with beside([(boards[:half], mines[:half]), (boards[half:], mines[half:])], asked.first) as both:
        ways: dict[str, Callable[[], float]] = {
            "one by one": timed(lambda: [msat.probabilities(array, total) for array, total in positions]),
            "stack": timed(lambda: msat.probabilities(boards, mines)),
            "stack, 2 threads": timed(lambda: msat.probabilities(boards, mines, threads=2)),
            "halves, 2 processes": both,
            "analyze_many": timed(lambda: msat.analyze_many(batch)),
            "analyze_many, 2 workers": timed(lambda: msat.analyze_many(batch, workers=2)),
        }
        best: dict[str, tuple[float, float]] = {}
        for number in range(1 + asked.rounds):  # the first also loads what is compiled
            for way, ask in ways.items():
                began = perf_counter()
                spent = ask()
                taken = perf_counter() - began, spent
                best[way] = min(taken, best.get(way, taken)) if number > 1 else taken
                sleep(BREATH)
            if asked.first and number == 0:
                go_first()
    load = os.getloadavg()[0]
    print(
        f"{len(positions)} expert positions, best of {asked.rounds} rounds, µs a position; load {load:.1f}\n"
    )
    print(f"{'way':24} {'clock':>7} {'processor':>10}")
    for way, (clock, processor) in best.items():
        print(f"{way:24} {1e6 * clock / len(positions):7.2f} {1e6 * processor / len(positions):10.2f}")
    alone = best["stack"][0]
    print(
        f"\nagainst one thread: 2 threads {alone / best['stack, 2 threads'][0]:.2f} times as fast, ", end=""
    )
    print(f"2 processes {alone / best['halves, 2 processes'][0]:.2f}")


def timed(ask: Callable[[], object]) -> Callable[[], float]:
    """The same, returning the processor time that it took."""

    def spent() -> float:
        before = process_time()
        ask()
        return process_time() - before

    return spent


@contextmanager
def beside(parts: list[Stack], first: bool) -> Iterator[Callable[[], float]]:
    """Processes that have a part each: what has all of them answer it, and returns their processor time."""
    context = multiprocessing.get_context("spawn")
    ends = []
    for part in parts:
        ours, theirs = context.Pipe()
        context.Process(target=answer_when_told, args=(theirs, part, first), daemon=True).start()
        ends.append(ours)

    def both() -> float:
        for end in ends:
            end.send(True)
        return sum(float(end.recv()) for end in ends)

    yield both
    for end in ends:
        end.send(False)


def answer_when_told(connection: Connection, part: Stack, first: bool) -> None:
    ask = timed(lambda: msat.probabilities(*part))
    while connection.recv():
        connection.send(ask())
        if first:  # from its second answer on
            go_first()


def go_first() -> None:
    """Have this process, and the threads that it starts, run before all others."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


if __name__ == "__main__":
    main()
