"""The interval of a sequential test: one that knows where the test could have stopped before.

A test that stops as soon as the evidence suffices stops on a lucky streak more often than not: the share seen
at that moment exaggerates, and an interval for a fixed number of coins is too far out and misses the truth
too often. Here outcomes are put in order by how they ended, the stagewise ordering: an early "stronger" says
more for A than a late one, that more than no decision at all (there, more coins of A say more), and a late
"not stronger" more than an early one. A share is in the interval if neither an outcome so good for A nor one
so bad is improbable under it. Since all ways through the test are added up coin by coin, the interval is
exact: it holds the truth at least as often as it says, whatever the share and the rule.

Sources: P. Armitage, "Restricted sequential procedures", Biometrika 44 (1957); D. Siegmund, "Estimation
following sequential tests", Biometrika 65 (1978); C. Jennison and B. Turnbull, "Group Sequential Methods"
(2000), chapter 8. Fishtest does the same for chess engines, with Brownian motion in place of coins.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.arena.estimates import Sprt, wilson
from msat.errors import ArenaError

__all__ = ["StoppedEstimate", "gain_interval", "share_interval"]

_STEPS = 60
"""Halvings of the shares between 0 and 1: then the bound is as exact as a float."""

_SMALL = 1e-200


class StoppedEstimate(NamedTuple):
    """A number and its interval. The number is as likely too high as too low."""

    value: float
    low: float
    high: float


class _Ends(NamedTuple):
    """Ends of a test: after how many coins, of which so many were A's, and the logarithm of their chance."""

    coins: NDArray[np.float64]
    only_a: NDArray[np.float64]
    chance: NDArray[np.float64]


class _Outcomes(NamedTuple):
    """The ends that say more for A than the one that was seen, that one itself, and those that say less.

    Only one of the two sides is complete where the test stopped: the other follows from it.
    """

    better: _Ends
    same: _Ends
    worse: _Ends
    share: float
    """The share of A under which the chances are given."""


@lru_cache(maxsize=16)
def share_interval(test: Sprt, only_a: int, only_b: int, confidence: float = 0.95) -> StoppedEstimate:
    """A's share of the coins, after a test that ended (or stands) with so many for each.

    >>> test = Sprt(0.5, 0.6)
    >>> [round(number, 3) for number in share_interval(test, 45, 23)]
    [0.645, 0.521, 0.758]
    >>> test.verdict(45, 23), round(45 / 68, 3)
    ('stronger', 0.662)
    """
    if only_a + only_b == 0:
        return StoppedEstimate(0.5, 0.0, 1.0)
    outcomes = _outcomes(test, only_a, only_b)
    verdict = test.verdict(only_a, only_b)
    tail = (1 - confidence) / 2

    def chance(ends: _Ends, share: float) -> float:
        """How likely these ends are if A's share is `share`."""
        log_a = np.log(share / outcomes.share)
        log_b = np.log((1 - share) / (1 - outcomes.share))
        return float(np.exp(ends.chance + ends.only_a * log_a + (ends.coins - ends.only_a) * log_b).sum())

    def at_least(share: float) -> float:
        if verdict == "not stronger":
            return 1 - chance(outcomes.worse, share)
        return chance(outcomes.better, share) + chance(outcomes.same, share)

    def more(share: float) -> float:
        return at_least(share) - chance(outcomes.same, share)

    return StoppedEstimate(
        _where(lambda share: (at_least(share) + more(share)) / 2, 0.5),
        _where(at_least, tail),
        _where(more, 1 - tail),
    )


def gain_interval(
    test: Sprt, only_a: int, only_b: int, games: int, confidence: float = 0.95
) -> StoppedEstimate:
    """A's win rate less B's: the share of boards that tell them apart, times 2 · (A's share of these) − 1.

    When the test stops depends on the coins alone, so how many boards it took for each coin tells the first
    factor as if nothing had been stopped. Each factor has an interval that fails half as often as it may, so
    that both hold together as often as is said.

    >>> [round(100 * number, 2) for number in gain_interval(Sprt(0.5, 0.6), 45, 23, 1000)]
    [1.98, 0.02, 4.79]
    """
    unlike = only_a + only_b
    if games == 0:
        return StoppedEstimate(0.0, -1.0, 1.0)
    each = (1 + confidence) / 2
    share = share_interval(test, only_a, only_b, each)
    apart = wilson(unlike, games, each)
    ends = [factor * (2 * bound - 1) for factor in apart for bound in (share.low, share.high)]
    return StoppedEstimate(unlike / games * (2 * share.value - 1), min(ends), max(ends))


def _where(rising: Callable[[float], float], level: float) -> float:
    """The share at which a chance that rises with it reaches a level; 0 or 1 if it always or never does."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if rising(middle) < level:
            low = middle
        else:
            high = middle
    return low if high < 1 else 1.0


def _outcomes(test: Sprt, only_a: int, only_b: int) -> _Outcomes:
    """Follow all ways through the test, coin by coin, up to the number of coins that were seen."""
    total = only_a + only_b
    share = min(max(only_a / total, 0.5 / total), 1 - 0.5 / total)
    up: list[tuple[int, int, float]] = []
    down: list[tuple[int, int, float]] = []
    running = np.ones(1)  # the chance of each number of A's coins, from `first` on, of tests that still run
    first, scale = 0, 0.0
    for_a, for_b = test.weights
    for coins in range(1, total + 1):
        longer = np.zeros(len(running) + 1)
        longer[:-1] = running * (1 - share)
        longer[1:] += running * share
        numbers = first + np.arange(len(longer))
        evidence = numbers * for_a + (coins - numbers) * for_b
        over, under = evidence >= test.upper, evidence <= test.lower
        for ends, stopped in ((up, over), (down, under)):
            ends += [(coins, int(numbers[k]), scale + np.log(longer[k])) for k in np.flatnonzero(stopped)]
        going_on = np.flatnonzero(~over & ~under)
        if not going_on.size:
            running = longer[:0]
            break
        first, running = int(numbers[going_on[0]]), longer[going_on]
        if running.max() < _SMALL:
            scale += np.log(running.max())
            running = running / running.max()
    still = [(total, first + k, scale + np.log(chance)) for k, chance in enumerate(running)]
    # From the best for A to the worst: an early "stronger" first, an early "not stronger" last.
    order = [*up, *still[::-1], *down[::-1]]
    place = next((k for k, end in enumerate(order) if end[:2] == (total, only_a)), None)
    if place is None:
        raise ArenaError(f"no test stands at {only_a} to {only_b}: it would have stopped before")
    return _Outcomes(_ends(order[:place]), _ends(order[place : place + 1]), _ends(order[place + 1 :]), share)


def _ends(found: list[tuple[int, int, float]]) -> _Ends:
    columns = np.array(found, np.float64).reshape(-1, 3).T
    return _Ends(columns[0], columns[1], columns[2])
