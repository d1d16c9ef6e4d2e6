"""How the cost of `msat.probabilities` grows: with the board's area, with its density, with its frontier.

    python -m bench.scaling                  print the tables: about a minute
    python -m bench.scaling --out bench      also write scaling.md and scaling.png there (needs matplotlib)

- area: square boards in the middle of a game, every fifth cell a mine;
- density: 50×50 boards in the middle of a game, with ever more mines;
- width: boards of 60 columns and ever more rows, of which 30 % of the safe cells are opened at random. The
  width of a frontier is the number of clues that are open at once in the best elimination order found; cost
  grows with it exponentially, in theory, and with nothing else.

A time is processor time, the best of several calls; a row has the median and the maximum over its positions.
(On a machine with other work to do, long calls are interrupted and short ones are not: by the clock, cost
would seem to grow faster than it does.) The rounds go over all positions of a series, so that a moment in
which the machine is busy does not hit one row alone.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

import msat
from msat.bench.positions import Position, midgames, scattered
from msat.constants import LAST_RULE
from msat.deadline import Deadline
from msat.engines.counting._kernels.answer import prefilter
from msat.engines.counting.resumable import run_forward

__all__ = ["Series", "by_area", "by_density", "by_width", "main", "measure", "width_of"]

SIZES = (20, 28, 40, 57, 80, 100, 140, 200, 283)
DENSITY = 0.20
DENSITIES = (0.05, 0.10, 0.15, 0.20, 0.22, 0.25, 0.30)
ROWS = (4, 8, 12, 16, 20, 24)
ROUNDS = 7


@dataclass
class Series:
    """One table and one part of the picture: groups of positions along an axis."""

    title: str
    axis: str
    groups: dict[float, list[Position]]

    @property
    def positions(self) -> list[tuple[float, Position]]:
        """All positions, each with its place on the axis."""
        return [(at, position) for at, group in self.groups.items() for position in group]


@dataclass(frozen=True)
class Point:
    """A row: what the positions at one place of the axis cost, in seconds."""

    at: float
    count: int
    median: float
    most: float


def by_area(scale: float) -> Series:
    """Ever larger boards of one density."""
    groups = {}
    for size in SIZES:
        count = max(2, round(scale * min(20, 200_000 / size**2)))
        groups[float(size * size)] = _some(midgames(size, size, round(DENSITY * size * size)), count)
    return Series(f"area, {DENSITY:.0%} mines", "cells", groups)


def by_density(scale: float) -> Series:
    """Boards of one size with ever more mines."""
    count = max(2, round(20 * scale))
    groups = {share: _some(midgames(50, 50, round(share * 2500)), count) for share in DENSITIES}
    return Series("density, 50×50", "share of mines", groups)


def by_width(scale: float) -> Series:
    """Boards whose frontiers are ever wider."""
    found: dict[float, list[Position]] = {}
    for rows in ROWS:
        boards = scattered(rows, 60, round(DENSITY * rows * 60), 0.3, 0.3)
        for position in _some(boards, round(20 * scale)):
            found.setdefault(float(width_of(position)), []).append(position)
    return Series("width of the frontier, 60 columns", "clues open at once", dict(sorted(found.items())))


def _some(positions: Iterator[Position], count: int) -> list[Position]:
    return list(islice(positions, max(1, count)))


def width_of(position: Position) -> int:
    """Clues open at once on the widest frontier, in the elimination order that msat chooses.

    >>> width_of(Position(np.array([[-1, 1, -1]], np.int8), 1))
    0
    """
    grid = np.empty_like(position.array)
    prefilter(position.array, -2, LAST_RULE, grid)
    with Deadline(None) as clock:
        return max((component.width for component in run_forward(grid, clock).components), default=0)


def measure(series: Series, rounds: int = ROUNDS) -> list[Point]:
    """Time all positions of a series, in rounds."""
    best: list[float] = [float("inf")] * len(series.positions)
    for number in track(range(rounds), f"{series.title:44}", console=Console(stderr=True), transient=True):
        for i, (_, (array, mines)) in enumerate(series.positions):
            if number and best[i] > 0.5:
                continue
            begin = time.process_time()
            msat.probabilities(array, mines)
            best[i] = min(best[i], time.process_time() - begin)
    times: dict[float, list[float]] = {}
    for (at, _), seconds in zip(series.positions, best, strict=True):
        times.setdefault(at, []).append(seconds)
    return [Point(at, len(found), median(found), max(found)) for at, found in times.items()]


def table_of(series: Series, points: Iterable[Point]) -> str:
    """A table in Markdown."""
    per_cell = series.axis == "cells"
    lines = [
        f"| {series.axis} | positions | median, ms | max, ms |" + (" ns per cell |" if per_cell else ""),
        "|---:|---:|---:|---:|" + ("---:|" if per_cell else ""),
    ]
    for point in points:
        cost = f" {1e9 * point.median / point.at:.0f} |" if per_cell else ""
        times = f"{1e3 * point.median:.3g} | {1e3 * point.most:.3g} |"
        lines.append(f"| {point.at:g} | {point.count} | {times}{cost}")
    return "\n".join(lines)


def growth(points: list[Point]) -> str:
    """Whether cost is linear in the area, in one figure: a large board against two of half its area."""
    cost = {point.at: point.median for point in points}
    ratio = cost[200.0**2] / (2 * cost[140.0**2])
    return f"A 200×200 board takes {ratio:.2f}× the time of two 140×140 boards (medians)."


def processor() -> str:
    """The processor and what runs on it; nothing that tells whose machine it is."""
    model = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text("utf-8").splitlines() if line.startswith("model name")]
        if lines:
            model = f"{len(lines)} × {lines[0].partition(':')[2].strip()}"
    return f"{model}, {platform.system()}, Python {platform.python_version()}, msat {msat.__version__}"


def draw(results: list[tuple[Series, list[Point]]], path: Path) -> None:
    """The picture: one panel per series."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, len(results), figsize=(13, 4), layout="constrained")
    for (series, points), panel in zip(results, panels, strict=True):
        _draw_panel(series, points, panel)
    figure.suptitle(f"msat.probabilities: milliseconds per position ({processor()})", fontsize=9)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def _draw_panel(series: Series, points: list[Point], panel: Any) -> None:
    at = [point.at for point in points]
    panel.plot(at, [1e3 * point.median for point in points], "o-", label="median")
    panel.plot(at, [1e3 * point.most for point in points], "v:", alpha=0.6, label="maximum")
    panel.set(title=series.title, xlabel=series.axis, yscale="log")
    if series.axis == "cells":
        panel.set_xscale("log")
        middle = points[len(points) // 2]
        panel.plot(at, [1e3 * middle.median * x / middle.at for x in at], "k--", lw=0.8, label="linear")
    panel.grid(alpha=0.3, which="both")
    panel.legend()


def main() -> None:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scaling", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write scaling.md and scaling.png there")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the positions to take (1)")
    options = parser.parse_args()
    msat.probabilities([[-1, 1]], 1)  # compile before the clock starts

    every = [make(options.scale) for make in (by_area, by_density, by_width)]
    results = [(series, measure(series)) for series in every]
    today = time.strftime("%Y-%m-%d", time.gmtime())
    parts = ["# How the cost of `msat.probabilities` grows", f"{processor()}; {today}."]
    for series, points in results:
        parts += [f"## By {series.title}", table_of(series, points)]
        if series.axis == "cells":
            parts.append(growth(points))
    text = "\n\n".join(parts) + "\n"
    print(text, end="")
    if options.out is not None:
        (options.out / "scaling.md").write_text(text, "utf-8")
        draw(results, options.out / "scaling.png")


if __name__ == "__main__":
    main()
