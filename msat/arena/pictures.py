"""Pictures of sweeps as PNG files, by matplotlib, which is an extra."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from msat.arena.estimates import wilson
from msat.arena.sweeps import START, Point, Sweep, symmetric_cells
from msat.errors import MissingPackage
from msat.wording import install

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
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    plan = settings.plan
    axes.set_title(f"{plan.strategy}, {plan.board_name}, {plan.games} games a value")
    if settings.what == START:
        image = axes.imshow(heat_map(settings, points), cmap="viridis")
        figure.colorbar(image, label="games won, %")
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
