"""Pictures of sweeps as PNG files, by matplotlib, which is an extra."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from msat.arena.estimates import wilson
from msat.arena.sweeps import START, Point, Sweep, symmetric_cells
from msat.errors import MissingPackage
from msat.installing import install

__all__ = ["draw_sweep", "heat_map"]


def heat_map(settings: Sweep, points: list[Point]) -> NDArray[np.float64]:
    """The win rate in percent of every start position that was played, or is the mirror of one; else nan."""
    height, width = settings.plan.height, settings.plan.width
    rates = np.full((height, width), np.nan)
    for point in points:
        r, c = map(int, point.value.split(","))
        for cell in symmetric_cells(height, width, (r, c)):
            rates[cell] = point.tally.percent
    return rates


def draw_sweep(settings: Sweep, points: list[Point], file: Path) -> None:
    """Draw a heat map of start positions, or the win rate over the values with its 95 % intervals."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackage(f"a picture needs the package 'matplotlib': {install('matplotlib')}") from None
    plan = settings.plan
    # Room for a number in every cell of a heat map, for the scale beside it, and for the title above.
    width, height = 9.0, 5.0
    layout: Literal["constrained", "compressed"] = "constrained"
    if settings.what == START:
        width, height = min(40, max(6, 0.36 * plan.width + 2)), max(4.5, 0.33 * plan.height + 1)
        layout = "compressed"  # for axes that have a shape of their own
    figure = Figure(figsize=(width, min(height, 40)), layout=layout)
    figure.suptitle(fill(settings.title, int(10 * width)), fontsize=11)
    axes = figure.subplots()
    if settings.what == START:
        rates = heat_map(settings, points)
        image = axes.imshow(rates, cmap="viridis")
        figure.colorbar(image, label="games won, %")
        axes.set_xticks(range(plan.width))
        axes.set_yticks(range(plan.height))
        axes.tick_params(labelsize=7)
        size = 6 if max(plan.height, plan.width) > 12 else 9
        middle = (np.nanmin(rates) + np.nanmax(rates)) / 2
        for r, c in zip(*np.nonzero(~np.isnan(rates)), strict=True):
            shade = "black" if rates[r, c] > middle else "white"
            axes.text(c, r, f"{rates[r, c]:.1f}", ha="center", va="center", fontsize=size, color=shade)
        axes.set_xlabel("column")
        axes.set_ylabel("row")
    else:
        rates = np.array([point.tally.percent for point in points])
        bounds = 100 * np.array([wilson(point.tally.wins, point.tally.games) for point in points])
        below, above = rates - bounds[:, 0], bounds[:, 1] - rates
        axes.errorbar(
            [point.value for point in points], rates, yerr=np.stack([below, above]), fmt="o-", capsize=3
        )
        axes.set_xlabel(settings.what)
        axes.set_ylabel("games won, %, with 95 % intervals")
    figure.savefig(file)
