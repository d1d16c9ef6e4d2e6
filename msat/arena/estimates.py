"""How sure a share is: confidence intervals, and when a sequential comparison may stop.

Two players on the same boards differ only in the *discordant* pairs, those that exactly one of them wins.
If they are equally strong, each such pair is a fair coin. Wald's sequential probability ratio test watches
these coins one by one and stops as soon as the evidence allows an answer with the chosen error rates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import Literal

from msat.cells import whole_number
from msat.errors import ArenaError
from msat.limits import MAX_GAMES
from msat.value import explained
from msat.wording import argument, quoted

__all__ = ["Sprt", "Verdict", "paired_interval", "wilson"]

Verdict = Literal["stronger", "not stronger"]

_LEAST = 1e-9
"""The smallest share or error rate to tell from none: so far logarithms are accurate."""


def wilson(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for a share: right also for few games and for shares near 0 and 1.

    >>> low, high = wilson(47, 100)
    >>> round(low, 3), round(high, 3)
    (0.375, 0.567)
    """
    if games == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate, spread = wins / games, z * z / games
    centre = (rate + spread / 2) / (1 + spread)
    reach = z * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def paired_interval(
    only_a: int, only_b: int, games: int, confidence: float = 0.95
) -> tuple[float, float, float]:
    """The difference of two win rates on the same boards: (estimate, low, high).

    The interval is Bonett and Price's (2012): as if on two boards more each player had won alone once. So it
    holds for few games as well, and also where no board told the players apart. The number of games must have
    been fixed before: `stopped.py` has the interval of a test that stops by itself.

    >>> [round(bound, 4) for bound in paired_interval(60, 40, 1000)]
    [0.02, 0.0002, 0.0397]
    >>> [round(bound, 4) for bound in paired_interval(0, 0, 200)]
    [0.0, -0.0137, 0.0137]
    """
    if games == 0:
        return 0.0, -1.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    n = games + 2
    centre = (only_a - only_b) / n
    variance = (only_a + only_b + 2) / n - centre * centre
    reach = z * math.sqrt(variance / n)
    return (only_a - only_b) / games, max(-1.0, centre - reach), min(1.0, centre + reach)


@explained
@dataclass(frozen=True)
class Sprt:
    """The test: does A win more than `low` of the discordant pairs, rather than `high` or more?

    If A's true share is at most `low`, "stronger" is answered with a probability of about `alpha` at most; if
    it is at least `high`, "not stronger" with about `beta` at most. (These are Wald's bounds; the true rates
    are usually a little lower, since the evidence oversteps its bound when it stops.)

    >>> test = Sprt(low=0.5, high=0.6)
    >>> test.verdict(60, 40), test.verdict(100, 60), test.verdict(90, 90)
    (None, 'stronger', 'not stronger')
    """

    low: float = 0.5
    """The share of A at which it is not stronger …"""
    high: float = 0.55
    """… and the one from which it is."""
    alpha: float = 0.05
    """How often "stronger" may be wrong."""
    beta: float = 0.05
    """How often "not stronger" may be wrong."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ArenaError(f"{each.name}={quoted(value)} is no number")
        if not 0 < self.low < self.high < 1:
            raise ArenaError(
                f"bounds {_written(self.low)},{_written(self.high)} are none: give 0 < LOW < HIGH < 1"
            )
        if self.low < _LEAST or 1 - self.high < _LEAST:
            raise ArenaError(f"bounds {self.low:g},{self.high:g} are nearer than {_LEAST:g} to 0 or 1")
        for name in ("alpha", "beta"):
            rate = getattr(self, name)
            if not _LEAST <= rate < 0.5:
                raise ArenaError(
                    f"{argument(name, rate)} is no error rate: give a number above 0 and below 0.5"
                )

    @property
    def lower(self) -> float:
        """The evidence at which "not stronger" is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The evidence at which "stronger" is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def weights(self) -> tuple[float, float]:
        """What a pair that only A wins adds to the evidence, and one that only B wins."""
        return math.log(self.high / self.low), math.log((1 - self.high) / (1 - self.low))

    def evidence(self, only_a: int, only_b: int) -> float:
        """The logarithm of the likelihood ratio, `high` against `low`, after so many discordant pairs."""
        only_a, only_b = _pairs(only_a, "only_a"), _pairs(only_b, "only_b")
        for_a, for_b = self.weights
        return only_a * for_a + only_b * for_b

    def verdict(self, only_a: int, only_b: int) -> Verdict | None:
        """The answer, or None while there is not evidence enough."""
        evidence = self.evidence(only_a, only_b)
        if evidence >= self.upper:
            return "stronger"
        return "not stronger" if evidence <= self.lower else None


def _pairs(value: object, name: str) -> int:
    number = whole_number(value, name, ArenaError)
    if not 0 <= number <= MAX_GAMES:
        raise ArenaError(f"{argument(name, number)} is out of range: give 0 to {MAX_GAMES}")
    return number


def _written(number: float) -> str:
    return quoted(number) if isinstance(number, int) else f"{number:g}"
