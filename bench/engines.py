"""The engines side by side: forced cells and exact counts, on the same positions, with every answer compared.

    python -m bench.engines                 500 stuck and 100 dense positions, some minutes
    python -m bench.engines --positions 50  fewer

On `stuck`, forced cells and counting are timed apart: finding forced cells includes the rules, building the
problem and encoding it; counting means `solutions` and the probability of every cell. Best of several
repeats. On `dense`, counting by solvers gets a budget of a second, and how many positions end at it is told.
Every answer is compared with that of the counting engine: forced cells and solutions must be equal,
probabilities within 1e-9.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import msat
from bench.suites import dense, stuck
from msat.engines.registry import ENGINES, load

ASKED = tuple(name for name in ENGINES if name not in ("auto", "ganak"))
"""`auto` is `counting`, and `ganak` has forced cells of no engine but `sat`."""

BUDGET = 1.0
CLOSE = 1e-9
WIDTH = 100
"""The columns that the table needs, also where the output goes to a file."""


def best_of(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Least time of several calls, and the result."""
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - begin)
    return best, result


def find_forced(board: msat.Board, engine: str) -> msat.Analysis:
    """Forced cells only: solvers count later, if asked."""
    return msat.analyze(board, engine=engine)


def count(board: msat.Board, engine: str, budget: float | None = None) -> tuple[int, Any]:
    """Solutions and probabilities, without finding forced cells first."""
    if engine == "counting":
        analysis = msat.analyze(board)
        return analysis.solutions, analysis.probability
    counts = load(engine).count(board, budget)
    probability = np.full(board.shape, np.nan)
    for cell in board.hidden:
        probability[cell] = float(counts.probability(*cell))
    return counts.solutions, probability


def same_forced(a: msat.Analysis, b: msat.Analysis) -> bool:
    """Whether two engines prove the same."""
    return (a.safe, a.mined) == (b.safe, b.mined)


def same_counts(a: tuple[int, Any], b: tuple[int, Any], hidden: tuple[Any, ...]) -> bool:
    """Whether two engines count the same."""
    return a[0] == b[0] and all(abs(a[1][cell] - b[1][cell]) <= CLOSE for cell in hidden)


def add_row(table: Table, suite: str, question: str, engine: str, times: list[float], note: str) -> None:
    """One line of the table."""
    quantiles = [f"{1e3 * float(np.percentile(times, q)):.2f}" for q in (50, 95, 100)] if times else ["–"] * 3
    table.add_row(suite, question, engine, str(len(times)), *quantiles, note)


def main() -> None:
    """Run everything and print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.engines", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=500, help="of suite stuck, a fifth of dense (500)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of each call (3)")
    options = parser.parse_args()
    console = Console()
    console.width = max(console.width, WIDTH)
    table = Table(title="milliseconds per position, best of several")
    for heading in ("suite", "question", "engine", "n", "median", "p95", "max", "answers"):
        table.add_column(heading, justify="left" if heading in ("suite", "question", "engine") else "right")
    for engine in ASKED:  # what is loaded late is loaded before the clock runs
        assert msat.analyze(msat.Board.parse("?1? 1"), engine=engine).solutions == 2
    for suite, positions in (
        ("stuck", stuck(options.positions)),
        ("dense", dense(max(1, options.positions // 5))),
    ):
        boards = [msat.Board.from_array(*position) for position in positions]
        for engine in ASKED:
            times, differ = [], 0
            for board in track(boards, f"{suite} {engine}: forced", console=console, transient=True):
                seconds, found = best_of(lambda: find_forced(board, engine), options.repeats)  # noqa: B023
                times.append(seconds)
                differ += not same_forced(found, msat.analyze(board))
            note = f"{differ} differ" if differ else "all equal"
            add_row(table, suite, "forced cells", engine, times, note)
        for engine in ASKED:
            times, differ, late = [], 0, 0
            budget = None if suite == "stuck" else BUDGET
            for board in track(boards, f"{suite} {engine}: counts", console=console, transient=True):
                try:
                    repeats = options.repeats if suite == "stuck" else 1
                    seconds, counted = best_of(lambda: count(board, engine, budget), repeats)  # noqa: B023
                except msat.BudgetExceeded:
                    late += 1
                    continue
                times.append(seconds)
                differ += not same_counts(counted, count(board, "counting"), board.hidden)
            note = (f"{differ} differ" if differ else "all equal") + (f", {late} over budget" if late else "")
            add_row(table, suite, "counts", engine, times, note)
        table.add_section()
    console.print(table)


if __name__ == "__main__":
    main()
