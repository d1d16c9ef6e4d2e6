"""Many games: runs that can be stopped and completed, sweeps of parameters, paired comparisons, reports.

>>> from msat import arena
>>> arena.simulate(arena.Plan("logic", 9, 9, 10, games=50), workers=1).wins
46
"""

from msat.arena.comparison import Comparison, Settings, compare
from msat.arena.estimates import Sprt
from msat.arena.page import page
from msat.arena.plan import Plan
from msat.arena.simulation import simulate
from msat.arena.sweeps import Point, Sweep, sweep
from msat.arena.tally import GameResult, Tally

__all__ = [
    "Comparison",
    "GameResult",
    "Plan",
    "Point",
    "Settings",
    "Sprt",
    "Sweep",
    "Tally",
    "compare",
    "page",
    "simulate",
    "sweep",
]
