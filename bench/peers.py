"""msat beside its peers on the same positions: times, ratios, failures, time-outs, wrong answers.

    python -m bench.peers                     all suites: some minutes, most of them spent waiting for peers
    python -m bench.peers --suite expert      one of them (may be repeated)
    python -m bench.peers --limit 20          give peers 20 seconds a position instead of 3
    python -m bench.peers --apart             each library by itself over all positions, not in turn

Every peer first tries a position in a process of its own, where it may crash or be stopped at the limit.
Those that answer are then timed in this process, in several passes over all positions: on each position one
call of each library, in turn. So a busy machine disturbs all alike, and no call finds in the processor's
caches what an equal one left there, or memory as tidy as itself would leave it: as in a program that does
other things between two questions. The best pass counts. A library that starts processes is timed in passes
of its own: after a fork, the next to write to memory pays for it. A time is that of the clock or that of the
processor, child processes included, whichever is less: on a machine with other work to do, long calls look
longer by the clock than they are, and reading the time of the processor is not free for short ones.

`ratio` is the median, over the positions that the peer answers, of its time over msat's. A time-out counts as
slower than any time. An answer is wrong if it is off by more than 0.00001 somewhere. msat's own worst error
is against exact fractions, at cells spread over boards of up to 2,500 cells.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import msat
from bench.adapters import PEERS, Msat, Peer
from bench.suites import SUITES, Position, stuck
from bench.trial import ANSWERED, TIMED_OUT, Trial
from msat.bench.clock import processor_time
from msat.bench.run import machine
from msat.board import HIDDEN
from msat.engines.counting.exact import ExactCount

__all__ = ["Figures", "compare_on", "impossible", "main"]

Item = TypeVar("Item")

WRONG = 1e-5
LONG = 0.25
"""Seconds: what takes longer is asked once. Repeating makes fast calls precise, not slow ones."""

EXACT_CELLS = 60
"""Cells of a position, about, whose exact fraction is compared with msat's probability."""

MOST_EXACT = 2500
"""Cells of the largest board on which that is done: fractions of larger ones take long."""


@dataclass
class Figures:
    """What a peer did on a suite; `times` per position: infinite after a time-out, nan where it failed."""

    times: list[float] = field(default_factory=list)
    failed: int = 0
    timed_out: int = 0
    wrong: int = 0
    worst: float = float("nan")
    """The largest error of all answers; nan where none was compared."""

    def quantile(self, percent: float) -> float:
        """Seconds that so many percent of the answers took at most; time-outs are longer than all."""
        known = [seconds for seconds in self.times if not np.isnan(seconds)]
        return float(np.percentile(known, percent, method="higher")) if known else float("nan")

    def take(self, error: float) -> None:
        """Take in how far off an answer was."""
        self.worst = error if np.isnan(self.worst) else max(self.worst, error)
        self.wrong += not error <= WRONG  # also where it is nan


def compare_on(
    positions: list[Position],
    peers: list[Peer],
    limit: float,
    repeats: int,
    label: str = "",
    apart: bool = False,
) -> dict[str, Figures]:
    """Time msat and the peers on the same positions, in turn or `apart`: one library after the other."""
    ours = Msat()
    figures = {peer.name: Figures() for peer in (ours, *peers)}
    racing: list[list[Peer]] = [[ours] for _ in positions]
    for peer in peers:
        with Trial(peer, limit) as trial:
            for position, runners in zip(_shown(positions, f"{label} {peer.name}"), racing, strict=True):
                outcome = trial.outcome(position)
                figures[peer.name].timed_out += outcome == TIMED_OUT
                figures[peer.name].failed += outcome not in (ANSWERED, TIMED_OUT)
                if outcome == ANSWERED:
                    runners.append(peer)
                else:
                    figures[peer.name].times.append(float("inf") if outcome == TIMED_OUT else float("nan"))
    for position, found in zip(positions, _race(positions, racing, repeats, label, apart), strict=True):
        mine = ours.read(found[ours].answer)
        hidden = position.array == HIDDEN
        for peer, run in found.items():
            figures[peer.name].times.append(run.seconds)
            if peer is not ours:
                error = np.abs(peer.read(run.answer) - mine)[hidden].max(initial=0.0)
                figures[peer.name].take(float(error))
            elif position.array.size <= MOST_EXACT:
                figures[peer.name].take(_exact_error(position, mine))
    return figures


class Run(NamedTuple):
    """The best time of a peer on a position, and what it said."""

    seconds: float
    answer: Any


def _race(
    positions: list[Position], racing: list[list[Peer]], repeats: int, label: str, apart: bool
) -> list[dict[Peer, Run]]:
    """Time, on each position, all that answer it: one call each, in turn, in several passes over all."""
    everyone = dict.fromkeys(peer for runners in racing for peer in runners)
    if apart:
        groups = [{peer} for peer in everyone]
    else:
        groups = [{peer for peer in everyone if peer.starts_processes == forks} for forks in (False, True)]
    prepared = [
        {peer: peer.prepare(position) for peer in runners}
        for position, runners in zip(positions, racing, strict=True)
    ]
    best: list[dict[Peer, Run]] = [{} for _ in positions]
    gc.collect()
    gc.disable()
    try:
        for group, i in _shown(list(product(groups, list(range(len(positions))) * repeats)), label):
            for peer in racing[i]:
                if peer not in group:
                    continue
                before = best[i].get(peer)
                if before is not None and before.seconds > LONG:
                    continue
                question = prepared[i][peer]
                used, begin = processor_time(), perf_counter()
                answer = peer.ask(question)
                end = perf_counter()
                seconds = min(end - begin, processor_time() - used)
                best[i][peer] = Run(seconds if before is None else min(seconds, before.seconds), answer)
    finally:
        gc.enable()
    return best


def _shown(items: list[Item], label: str) -> Iterable[Item]:
    """The items, with a bar that shows how far they are."""
    return track(items, f"{label:28}", console=Console(stderr=True), transient=True)


def _exact_error(position: Position, found: NDArray[np.float64]) -> float:
    """How far probabilities are from the exact fractions, at cells spread over the board."""
    exact = ExactCount(position.array, position.mines)
    cells = np.argwhere(position.array == HIDDEN).tolist()
    some = cells[:: max(1, len(cells) // EXACT_CELLS)]
    return max((abs(float(exact.probability(r, c)) - float(found[r, c])) for r, c in some), default=0.0)


def impossible(peers: list[Peer], limit: float, count: int = 20) -> dict[str, int]:
    """How often each one answers with numbers where the mine total fits no layout; right is never."""
    answered = {peer.name: 0 for peer in (Msat(), *peers)}
    boards = [Position(position.array, _impossible_total(position)) for position in stuck(count)]
    for peer in (Msat(), *peers):
        with Trial(peer, limit) as trial:
            answered[peer.name] = sum(trial.outcome(board) == ANSWERED for board in boards)
    return answered


def _impossible_total(position: Position) -> int:
    """One mine less than the clues need."""
    try:
        msat.probabilities(position.array, 0)
    except msat.InconsistentBoard as error:
        return min(error.possible_mines) - 1
    raise AssertionError("a stuck position without a mine")


def table_of(results: dict[str, dict[str, Figures]]) -> Table:
    """All figures in one table."""
    table = Table(title="milliseconds per position", title_justify="left")
    left = ("suite", "library")
    headings = ("n", "median", "p95", "max", "ratio", "failed", "time-outs", "wrong", "worst error")
    for heading in (*left, *headings):
        table.add_column(heading, justify="left" if heading in left else "right", no_wrap=True)
    for suite, figures in results.items():
        base = figures["msat"].times
        for name, found in figures.items():
            pairs = zip(found.times, base, strict=True)
            ratios = [theirs / ours for theirs, ours in pairs if np.isfinite(theirs)]
            table.add_row(
                suite if name == "msat" else "",
                name,
                str(len(found.times)),
                *(_milliseconds(found.quantile(percent)) for percent in (50, 95, 100)),
                _ratio(median(ratios)) if ratios else "–",
                *(str(number or "") for number in (found.failed, found.timed_out, found.wrong)),
                "–" if np.isnan(found.worst) else f"{found.worst:.0e}",
            )
        table.add_section()
    return table


def _milliseconds(seconds: float) -> str:
    if np.isnan(seconds):
        return "–"
    if np.isinf(seconds):
        return "time-out"
    return f"{1e3 * seconds:.3g}" if seconds < 1 else f"{1e3 * seconds:,.0f}"


def _ratio(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def main() -> None:
    """Run the suites and print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.peers", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--suite", choices=list(SUITES), action="append", help="only this (may be repeated)")
    parser.add_argument("--limit", type=float, default=3.0, help="seconds a peer gets for a position (3)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (5)")
    parser.add_argument("--apart", action="store_true", help="time one library after the other, not in turn")
    options = parser.parse_args()
    msat.probabilities([[-1, 1]], 1)  # compile before the clock starts

    peers = [peer for peer in PEERS if peer.installed]
    results = {
        name: compare_on(SUITES[name](), peers, options.limit, options.repeats, name, options.apart)
        for name in options.suite or SUITES
    }
    console = Console(width=None if Console().is_terminal else 132, highlight=False)
    console.print(table_of(results))
    console.print(
        "numbers for an impossible mine total: "
        + ", ".join(f"{name} {number} of 20" for name, number in impossible(peers, options.limit).items())
    )
    for peer in PEERS:
        if not peer.installed:
            console.print(f"{peer.name} is not installed: skipped (pip install {peer.name})")
        elif peer.note:
            console.print(f"{peer.name} {peer.note}")
    versions = ", ".join(f"{peer.name} {peer.version}" for peer in (Msat(), *peers))
    console.print(f"{versions}; {', '.join(machine().values())}, {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
