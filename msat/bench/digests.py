"""What msat answers, in a few letters: fingerprints of positions, and a digest of a whole suite.

A fingerprint covers what is exact: the number of layouts, the safe cells and the mined cells. So it is the
same for every engine, machine, hash seed and with the compiler off; if it changes, an answer has changed.
Probabilities as floats are left out, since their last digits may depend on the order of additions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from msat.analysis import Analysis, analyze
from msat.bench.suites import Suite
from msat.cells import Cell

__all__ = ["ExactAnswer", "combine_fingerprints", "digest", "fingerprint"]


class ExactAnswer(NamedTuple):
    """The exact answers about a position."""

    solutions: int
    safe: frozenset[Cell]
    mined: frozenset[Cell]

    @classmethod
    def of(cls, analysis: Analysis) -> ExactAnswer:
        """Those of an analysis."""
        return cls(analysis.solutions, analysis.safe, analysis.mined)


def fingerprint(answer: ExactAnswer) -> str:
    """Eight letters that stand for an answer.

    >>> import msat
    >>> fingerprint(ExactAnswer.of(msat.analyze(msat.Board.parse("??1/3?2/??? 3"))))
    'ed652ad6'
    """
    # Hexadecimal, since Python limits the length of decimal numbers; sorted, since sets have no order.
    text = f"{answer.solutions:x} safe {sorted(answer.safe)} mined {sorted(answer.mined)}"
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def combine_fingerprints(fingerprints: Iterable[str]) -> str:
    """The digest of a suite, given the fingerprints of its positions in order."""
    return hashlib.sha256(" ".join(fingerprints).encode()).hexdigest()[:16]


def digest(suite: Suite, engine: str = "counting") -> str:
    """The digest of all exact answers that an engine gives on a suite."""
    return combine_fingerprints(
        fingerprint(ExactAnswer.of(analyze(p.board, engine))) for p in suite.positions
    )
