"""How fast msat is, and that its answers stay the same: fixed suites, timed in rounds, with a digest.

>>> from msat import bench
>>> [suite.name for suite in bench.choose_suites(["large"])]
['large-50', 'large-100', 'large-200']
"""

from msat.bench.comparison import Change, compare
from msat.bench.digests import digest, fingerprint
from msat.bench.report import Report
from msat.bench.run import run
from msat.bench.suites import SUITES, Position, Suite, choose_suites

__all__ = [
    "SUITES",
    "Change",
    "Position",
    "Report",
    "Suite",
    "choose_suites",
    "compare",
    "digest",
    "fingerprint",
    "run",
]
