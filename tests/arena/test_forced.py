"""Document 000's puzzles (docs/sources.md): how many are won by forced cells alone.

The counts of all 100,000 puzzles of each series are stated in `PUZZLES` and checked by `python -m
bench.no_guess`; here are the first 2,000 of each, with the counts found then.
"""

from __future__ import annotations

import pytest

from msat.arena.forced import forced_wins
from tests.conftest import JIT


@pytest.mark.skipif(not JIT, reason="two thousand games are too many for uncompiled kernels")
@pytest.mark.parametrize(("series", "wins"), [("small", 1833), ("medium", 1424), ("expert", 339)])
def test_wins_without_a_guess(series: str, wins: int) -> None:
    assert sum(forced_wins(series, seed) for seed in range(1, 21)) == wins
