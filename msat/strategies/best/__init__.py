"""`best`, the strongest player: `player.py` decides, its kernels search and evaluate.

`thinking.py` searches some of the layouts for a second opinion; `playouts.py` plays positions on, for hints.
"""

from msat.strategies.best.player import Best

__all__ = ["Best"]
