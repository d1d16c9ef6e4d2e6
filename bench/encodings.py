"""Encodings × solvers: how large the formulas are, and how long finding all forced cells takes.

    python -m bench.encodings                 100 stuck and 20 dense positions, a few minutes
    python -m bench.encodings --positions 20  fewer

Median over the positions: variables and clauses of the formula without the mine total in either form, and the
time for all forced cells (the rules, encoding, solving; boxes form), best of several repeats. The last line
names the best encoding for the default solver on the dense positions, where the encoding makes a difference;
it is the default.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import msat
from bench.suites import dense, stuck
from msat.encode.cardinality import DEFAULT, ENCODINGS, NATIVE
from msat.encode.cnf import FORMS, encode
from msat.engines.solvers import sat
from msat.engines.solvers.prepared import PreparedBoard
from msat.engines.solvers.sat_session import DEFAULT_SOLVER, NATIVE_SOLVERS

SOLVERS = (DEFAULT_SOLVER, "cadical195", "glucose4", "maplechrono", "minicard", "minisat22")


WIDTH = 120
"""The columns that the table needs, also where the output goes to a file."""


def median_time(boards: list[msat.Board], solver: str, encoding: str, repeats: int) -> float:
    """The median time of forced cells, in milliseconds."""
    times = []
    for board in boards:
        best = float("inf")
        for _ in range(repeats):
            begin = time.perf_counter()
            sat.forced(board, solver=solver, encoding=encoding)
            best = min(best, time.perf_counter() - begin)
        times.append(best)
    return 1e3 * float(np.median(times))


def main() -> None:
    """Print one table per suite, and the best encoding."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.encodings", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=100, help="of suite stuck, a fifth of dense (100)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of each call (3)")
    options = parser.parse_args()
    console = Console()
    console.width = max(console.width, WIDTH)
    default_times: dict[str, float] = {}
    for suite, positions in (
        ("stuck", stuck(options.positions)),
        ("dense", dense(max(1, options.positions // 5))),
    ):
        boards = [msat.Board.from_array(*position) for position in positions]
        problems = [PreparedBoard(board).problem for board in boards]
        table = Table(title=f"{suite}: size (boxes | cells), and ms for all forced cells")
        table.add_column("encoding")
        for heading in ("variables", "clauses", *SOLVERS):
            table.add_column(heading, justify="right")
        for encoding in track(ENCODINGS, suite, console=console, transient=True):
            sizes = []
            for form in FORMS:
                formulas = [encode(p, encoding=encoding, form=form, total=False) for p in problems]
                sizes.append(
                    (
                        np.median([f.variables for f in formulas]),
                        np.median([len(f.clauses) for f in formulas]),
                    )
                )
            row = []
            for solver in SOLVERS:
                if encoding == NATIVE and solver not in NATIVE_SOLVERS:
                    row.append("–")
                    continue
                milliseconds = median_time(boards, solver, encoding, options.repeats)
                row.append(f"{milliseconds:.2f}")
                if solver == DEFAULT_SOLVER and suite == "dense":
                    default_times[encoding] = milliseconds
            table.add_row(
                encoding,
                " | ".join(f"{variables:.0f}" for variables, _ in sizes),
                " | ".join(f"{clauses:.0f}" for _, clauses in sizes),
                *row,
            )
        console.print(table)
    best = min(default_times, key=default_times.__getitem__)
    console.print(f"best with {DEFAULT_SOLVER}: {best}; the default is {DEFAULT}")


if __name__ == "__main__":
    main()
