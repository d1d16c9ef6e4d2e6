"""Numbers that mean the same everywhere: one home for each, below everything else.

Kernels take them from here too: whatever is changed in this file compiles all of them anew.
"""

from __future__ import annotations

__all__ = [
    "DAY",
    "DEFAULT_START",
    "HIDDEN",
    "LAST_RULE",
    "MINE",
    "NO_LIMIT",
    "SAFE",
    "SETTLED",
    "Cell",
]

Cell = tuple[int, int]
"""A cell: (row, column), from 0."""

# The value of a cell is the number that it shows, 0 to 8, or one of these.

HIDDEN = -1
"""Neither open nor marked."""

MINE = -2
"""Known, or marked, to be a mine."""

SAFE = -3
"""Known to be safe, but without its number: not opened yet, or its clue is left out of consideration."""

SETTLED = -4
"""Not a mine and of no concern: a cell without a clue that matters."""

LAST_RULE = 9
"""The last of the rules, all of which run before counting (measured: they cost no more than they save)."""

SAME_RISK = 1e-9
"""Probabilities closer than this are equal: they are sums of doubles."""

SAME_SCORE = 1e-12
"""Scores closer than this are equal: they are products of a few doubles."""

NO_LIMIT = 1 << 60
"""More than any amount of work: a quota that never ends."""

DAY = 86_400
"""The seconds of a day: the longest time to think that is accepted."""

DEFAULT_START = (3, 3)
"""Where games begin if nothing else is said, on boards that are large enough.

It is document 000's (docs/sources.md).
"""
