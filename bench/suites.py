"""Positions for the benchmarks beside `msat bench`: those of its suites, and some that are harder on peers.

All are made from seeds by `msat.bench`, the same on every machine.

- stuck, dense, large: as in `msat bench`, in any number;
- lattice: 16×30 boards with every third (or second) cell of every third (second) row open;
- 40×40/320: a quarter to almost half of the safe cells opened at random.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from msat.bench.positions import Position, endgames, lattices, midgames, scattered
from msat.bench.positions import stuck as stuck_positions
from msat.board import PRESETS

__all__ = ["SUITES", "Position", "dense", "endgame", "large", "lattice", "stuck"]


def stuck(count: int = 500, preset: str = "expert") -> list[Position]:
    """Positions from play at which rules 1–2 find nothing, after 0 to 5 times stuck."""
    return list(islice(stuck_positions(*PRESETS[preset]), count))


def endgame(count: int = 100) -> list[Position]:
    """Expert games with at most 20 safe cells left."""
    return list(islice(endgames(*PRESETS["expert"], 20), count))


def dense(count: int = 100) -> list[Position]:
    """Expert boards with 25–45 % of the safe cells open."""
    return list(islice(scattered(*PRESETS["expert"], 0.25, 0.45), count))


def large(size: int, mines: int, count: int) -> list[Position]:
    """Square boards in the middle of a game."""
    return list(islice(midgames(size, size, mines), count))


def lattice(step: int, mines: int, count: int) -> list[Position]:
    """16×30 boards with every `step`-th cell of every `step`-th row open."""
    return list(islice(lattices(16, 30, mines, step), count))


SUITES: dict[str, Callable[[], list[Position]]] = {
    "beginner": lambda: stuck(100, "beginner"),
    "intermediate": lambda: stuck(100, "intermediate"),
    "expert": stuck,
    "endgame": endgame,
    "dense": lambda: dense(40),
    "50×50/500": lambda: large(50, 500, 10),
    "100×100/2000": lambda: large(100, 2000, 5),
    "200×200/8000": lambda: large(200, 8000, 2),
    "lattice 3": lambda: lattice(3, 99, 3),
    "lattice 2": lambda: lattice(2, 99, 3),
    "40×40/320": lambda: list(islice(scattered(40, 40, 320, 0.25, 0.45), 3)),
}
