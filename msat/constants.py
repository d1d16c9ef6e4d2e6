"""Numbers that more than one module has to agree on. Names only: this file imports nothing of msat."""

from __future__ import annotations

__all__ = ["HIDDEN", "LAST_RULE", "MINE", "NO_LIMIT", "SAFE", "SETTLED"]

# What a cell of an array can be besides the number that it shows.
HIDDEN = -1
MINE = -2  # known, or marked, to be a mine
SAFE = -3  # known to hold no mine, but its number is not known
SETTLED = -4  # not a mine and of no concern: a cell without a number that matters

LAST_RULE = 9
"""Rules 1 to this one run before counting: all of them (measured: they cost no more than they save)."""

NO_LIMIT = 1 << 60
"""Stands for any amount of work."""
