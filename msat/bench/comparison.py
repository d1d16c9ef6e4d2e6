"""Two runs compared: what became faster, slower or different, and what is only noise.

A run cannot be interleaved with one of last week, so each run interleaves its own rounds, and every round of
the one is paired with every round of the other. For a pair of rounds: the ratio of the times of each item,
both in units of the yardstick that was timed at that moment, and the median of these ratios. The ratio of a
row is the median over all pairs, and its spread the middle half of them (from quartile to quartile: a single
round in which the machine was busy decides nothing). A row has changed only if all of this spread lies
beyond the noise between two runs of the same code.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median, quantiles

from msat.bench.report import Report, ReportRow

__all__ = ["LEAST_ROUNDS", "NOISE", "Change", "compare"]

NOISE = 0.15
"""How far apart medians of two runs of the same code may lie: see bench/README.md for the measurement."""

LEAST_ROUNDS = 3
"""With fewer rounds on either side, a spread says nothing."""


@dataclass(frozen=True)
class Change:
    """How a row compares with the same row of an earlier run: `ratio` is new time over old time."""

    row: ReportRow
    ratio: float
    low: float
    high: float
    rounds: int
    different: int
    """Items whose answer, or whose winner, is not what it was."""

    @property
    def verdict(self) -> str:
        """What can be said of the times: "faster", "slower", "same", or "unsure" with too few rounds."""
        if self.rounds < LEAST_ROUNDS:
            return "unsure"
        if self.high < 1 / (1 + NOISE):
            return "faster"
        return "slower" if self.low > 1 + NOISE else "same"


def compare(new: Report, old: Report) -> list[Change]:
    """How the rows that both runs have compare.

    >>> row = ReportRow("expert", "counting", "forced", 2, [[2e-5, 4e-5]] * 3, "==", [1e-3] * 3)
    >>> slow = ReportRow("expert", "counting", "forced", 2, [[4e-5, 8e-5]] * 3, "==", [1e-3] * 3)
    >>> change, = compare(Report("1", {}, [], [row], {}), Report("1", {}, [], [slow], {}))
    >>> change.ratio, change.verdict
    (0.5, 'faster')
    """
    before = {row.key: row for row in old.rows}
    fingerprints = [{suite.name: suite.fingerprints for suite in run.suites} for run in (new, old)]
    changes = []
    for row in new.rows:
        if row.key in before:
            prints = [known.get(row.suite, []) for known in fingerprints]
            changes.append(_change(row, before[row.key], prints[0], prints[1]))
    return changes


def _change(new: ReportRow, old: ReportRow, new_prints: list[str], old_prints: list[str]) -> Change:
    common = min(len(new.letters), len(old.letters))
    different = sum(a != b for a, b in zip(new.letters, old.letters, strict=False))
    if new.question != "games":
        different += sum(a != b for a, b in zip(new_prints[:common], old_prints[:common], strict=False))
    ratios = [
        median(a / unit / (b / old_unit) for a, b in zip(times, old_times, strict=False))
        for times, unit in zip(new.times, new.yardstick, strict=True)
        for old_times, old_unit in zip(old.times, old.yardstick, strict=True)
    ]
    low, middle, high = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    rounds = min(len(new.times), len(old.times))
    return Change(new, middle, low, high, rounds, different)
