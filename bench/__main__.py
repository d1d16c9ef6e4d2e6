"""msat beside ms_toollib on fixed positions: times, ratios, and the largest difference of the answers.

    python -m bench                  all suites, about two minutes
    python -m bench --suite stuck    one of them
    python -m bench --limit 5        give the peer 5 seconds a position instead of 20

Both are timed in this process, position by position in turn, best of several repeats, so that a busy
machine disturbs both alike; `×` is the ratio to msat. The peer gets its lists ready made. A position on
which the peer takes longer than the limit is tried in a process of its own, which is ended then. `lists` is
msat given lists of lists instead of an array; `analyze` is the full analysis with forced cells. The worst
error of msat is against its exact fractions, that of the peer against msat.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import resource
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import msat
from bench.suites import SUITES, Position
from msat.engines.exact import ExactCount

ms_toollib: Any = import_module("ms_toollib") if find_spec("ms_toollib") else None

LONG = 0.5  # seconds: slower calls are timed once only


def best_of(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Least time of several calls, and the result."""
    best = float("inf")
    result = None
    for _ in range(repeats):
        begin = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - begin)
        if best > LONG:
            break
    return best, result


def peer_lists(position: Position) -> list[list[int]]:
    """The position as the peer takes it: hidden = 10."""
    array, _ = position
    lists: list[list[int]] = np.where(array == -1, 10, array).astype(int).tolist()
    return lists


def ask_peer(lists: list[list[int]], mines: int) -> Any:
    """The peer's probabilities."""
    return ms_toollib.cal_probability_onboard(lists, mines)[0]


def peer_finishes(position: Position, limit: float) -> bool:
    """Whether the peer answers within the limit, tried in a process of its own."""
    process = multiprocessing.Process(target=ask_peer, args=(peer_lists(position), position[1]))
    process.start()
    process.join(limit)
    finished = not process.is_alive()
    process.kill()
    process.join()
    return finished and process.exitcode == 0


def difference(array: Any, ours: Any, theirs: Any) -> float:
    """The largest difference at hidden cells."""
    hidden = array == -1
    return float(np.max(np.abs(np.asarray(ours)[hidden] - np.asarray(theirs)[hidden]), initial=0.0))


def run_suite(name: str, limit: float, repeats: int, console: Console) -> dict[str, Any]:
    """All figures of one suite."""
    positions = SUITES[name]()
    times: dict[str, list[float]] = {"msat": [], "lists": [], "analyze": [], "peer": []}
    worst_peer = worst_exact = 0.0
    timeouts = 0
    slow_peer = name.startswith(("lattice", "40×40"))
    for number, (array, mines) in enumerate(track(positions, f"{name:12}", console=console, transient=True)):
        board = msat.Board.from_array(array, mines)
        as_lists = array.tolist()
        lists = peer_lists((array, mines))
        seconds, ours = best_of(lambda: msat.probabilities(array, mines), repeats)  # noqa: B023
        times["msat"].append(seconds)
        times["lists"].append(best_of(lambda: msat.probabilities(as_lists, mines), repeats)[0])  # noqa: B023
        times["analyze"].append(best_of(lambda: msat.analyze(board), repeats)[0])  # noqa: B023
        if number % max(1, len(positions) // 20) == 0:
            exact = ExactCount(array, mines)
            fractions = [[float(exact.probability(r, c)) if array[r, c] == -1 else 0.0
                          for c in range(array.shape[1])] for r in range(array.shape[0])]  # fmt: skip
            worst_exact = max(worst_exact, difference(array, ours, fractions))
        if ms_toollib is None:
            continue
        if slow_peer and not peer_finishes((array, mines), limit):
            timeouts += 1
            times["peer"].append(float("inf"))
            continue
        seconds, theirs = best_of(lambda: ask_peer(lists, mines), repeats)  # noqa: B023
        times["peer"].append(seconds)
        worst_peer = max(worst_peer, difference(array, ours, theirs))
    return {"times": times, "worst_peer": worst_peer, "worst_exact": worst_exact, "timeouts": timeouts}


def milliseconds(seconds: float) -> str:
    """A time as text."""
    return "time-out" if seconds == float("inf") else f"{1e3 * seconds:.3g}"


def main() -> None:
    """Run the suites and print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument(
        "--suite", choices=list(SUITES), action="append", help="only this suite (may be repeated)"
    )
    parser.add_argument("--limit", type=float, default=20.0, help="seconds the peer gets on lattices (20)")
    parser.add_argument("--repeats", type=int, default=7, help="repeats of each fast call (7)")
    options = parser.parse_args()
    console = Console()
    msat.analyze(msat.Board.parse("?1? 1"))

    table = Table(title="milliseconds per position")
    for heading in ("suite", "n", "player", "median", "p95", "max", "× median", "× p95", "worst error"):
        table.add_column(heading, justify="left" if heading in ("suite", "player") else "right")
    for name in options.suite or SUITES:
        found = run_suite(name, options.limit, options.repeats, console)
        base = np.array(found["times"]["msat"])
        for player, seconds in found["times"].items():
            if not seconds:
                continue
            quantiles = [float(np.percentile(seconds, q, method="lower")) for q in (50, 95, 100)]
            against = [
                quantiles[i] / float(np.percentile(base, q, method="lower")) for i, q in enumerate((50, 95))
            ]
            note = {"msat": f"{found['worst_exact']:.0e}", "peer": f"{found['worst_peer']:.0e}"}.get(
                player, ""
            )
            if player == "peer" and found["timeouts"]:
                note += f", {found['timeouts']} time-outs"
            table.add_row(
                name if player == "msat" else "",
                str(len(seconds)) if player == "msat" else "",
                "ms_toollib" if player == "peer" else player,
                *map(milliseconds, quantiles),
                *(f"{ratio:.2f}" for ratio in against),
                note,
            )
        table.add_section()
    console.print(table)
    if ms_toollib is None:
        console.print("ms_toollib is not installed: skipped (pip install ms_toollib)")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"{platform.machine()}, Python {platform.python_version()}; peak memory {memory:.0f} MiB")


if __name__ == "__main__":
    main()
