"""What perfect play costs: the exact endgame search on positions from expert games, by number of layouts.

    python -m bench.endgame                  600 of document 000's puzzles (docs/sources.md), ten seconds
    python -m bench.endgame --puzzles 5000   more of them

A puzzle is played by `safest` up to its first guess with at most `--most` layouts; that position is searched.
`list` is the time to list its layouts, `search` the time to find the most of them that can be won, in
milliseconds of processor time, the better of two runs. Positions that are lost before, or need no such
guess, do not count.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.board import MINE, PRESETS
from msat.constants import LAST_RULE
from msat.engines.counting._kernels.answer import PROVEN_MINE
from msat.engines.endgame._kernels.layouts import list_solutions
from msat.engines.endgame._kernels.search import SOLVED, search
from msat.layout import Layout
from msat.strategies._kernels import game
from msat.strategies._kernels.safest import decide_exact

SIZES = (1, 10, 30, 100, 300, 1000, 2000, 5000, 10000)
NODES = 20_000_000
START = (3, 3)
PUZZLES_PER_SEED = 100


class Sample(NamedTuple):
    """One position and what it cost."""

    layouts: int
    wins: int
    nodes: int
    list_ms: float
    search_ms: float


def first_late_guess(layout: Layout, most: int) -> NDArray[np.int8] | None:
    """The board at the first guess of `safest` with at most `most` layouts, proven mines marked."""
    table = game.lay(layout.numbers(), layout.mines, *START)
    probability = np.empty(table.board.shape)
    while table.counts[game.LEFT] > 0:
        decided = decide_exact(table.board, layout.mines, LAST_RULE, True, probability, table.verdict)
        kind, cell, safety = decided
        if kind in (game.UNANSWERED, game.STOP):
            return None
        if kind == game.GUESS:
            board = np.where(table.verdict == PROVEN_MINE, np.int8(MINE), table.board)
            if list_solutions(board, layout.mines, most)[0] > 0:
                return board
        if not game.carry_out(table, kind, cell, safety):
            return None
    return None


def positions(puzzles: int, most: int) -> Iterator[NDArray[np.int8]]:
    """The positions of so many puzzles."""
    for puzzle in range(puzzles):
        seed, index = puzzle // PUZZLES_PER_SEED + 1, puzzle % PUZZLES_PER_SEED
        layout = Layout.kiss(*PRESETS["expert"], seed=seed, index=index, start=START)
        board = first_late_guess(layout, most)
        if board is not None:
            yield board


def measure(board: NDArray[np.int8], most: int) -> Sample:
    """List and search twice, and keep the better times."""
    mines = PRESETS["expert"].mines
    list_ms = search_ms = float("inf")
    for _ in range(2):
        begin = time.process_time_ns()
        count, _, values = list_solutions(board, mines, most)
        middle = time.process_time_ns()
        status, wins, _, nodes = search(values, NODES)
        search_ms = min(search_ms, (time.process_time_ns() - middle) / 1e6)
        list_ms = min(list_ms, (middle - begin) / 1e6)
    if status != SOLVED:
        sys.exit(f"{count} layouts are not searched within {NODES} nodes: choose a smaller --most")
    return Sample(count, wins, nodes, list_ms, search_ms)


def line(name: str, samples: list[Sample]) -> str:
    """A row of the table."""

    def spread(values: list[float]) -> str:
        return " ".join(f"{np.percentile(values, p):9.3f}" for p in (50, 90, 99, 100))

    listing = spread([sample.list_ms for sample in samples])
    searching = spread([sample.search_ms for sample in samples])
    nodes = int(np.median([sample.nodes for sample in samples]))
    return f"{name:>12} {len(samples):5} {nodes:8}  {listing}  {searching}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.endgame", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--puzzles", type=int, default=600, help="document 000's expert puzzles to play (600)"
    )
    parser.add_argument("--most", type=int, default=2000, help="the most layouts of a position (2000)")
    options = parser.parse_args()
    warm = Layout.kiss(9, 9, 10, seed=1, index=0, start=(2, 2))  # load the kernels before the clock starts
    first_late_guess(warm, 1)
    search(np.array([[-1, 1], [1, -1]], np.int8), 1)
    samples = [measure(board, options.most) for board in positions(options.puzzles, options.most)]
    if not samples:
        sys.exit(
            f"no guess with at most {options.most} layouts in {options.puzzles} puzzles: try more of them"
        )
    percentiles = " ".join(f"{p:>9}" for p in ("median", "p90", "p99", "max"))
    print(f"{'':28}{'list, ms':40}search, ms")
    print(f"{'layouts':>12} {'n':>5} {'nodes':>8}  {percentiles}  {percentiles}")
    for low, high in pairwise(SIZES):
        some = [sample for sample in samples if low <= sample.layouts < high]
        if some:
            print(line(f"{low}–{high - 1}", some))
    print(line("all", samples))
    to_1000 = [sample for sample in samples if sample.layouts <= 1000]
    if to_1000:
        print(line("up to 1000", to_1000))
    wins, layouts = sum(s.wins for s in samples), sum(s.layouts for s in samples)
    chance = np.mean([s.wins / s.layouts for s in samples])
    print(f"{wins:,} of {layouts:,} layouts can be won; {chance:.1%} of these games on average")
    return 0


if __name__ == "__main__":
    sys.exit(main())
