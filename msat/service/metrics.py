"""What the service counts about itself, as Prometheus reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

__all__ = ["Metrics"]

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds that answers are counted by."""


class Metrics:
    """Counters since the start; paths are those that exist, so that nobody can make more of them."""

    def __init__(self) -> None:
        self._replies: dict[tuple[str, int], int] = {}
        self._seconds: dict[str, list[float]] = {}

    def count(self, path: str, status: int, seconds: float) -> None:
        """Note a reply."""
        key = (path, status)
        self._replies[key] = self._replies.get(key, 0) + 1
        times = self._seconds.get(path)
        if times is None:
            times = self._seconds[path] = [0.0] * (len(BOUNDS) + 2)  # buckets, the last without end; the sum
        times[bisect_left(BOUNDS, seconds)] += 1
        times[-1] += seconds

    def text(self, gauges: dict[str, tuple[str, float]]) -> str:
        """All of it, and `gauges`: what is so now, by name, with its help.

        >>> metrics = Metrics()
        >>> metrics.count("analyze", 200, 0.0004)
        >>> print(*metrics.text({"msat_waiting": ("Questions that wait.", 0)}).splitlines()[2:7], sep="\\n")
        msat_replies_total{path="analyze",status="200"} 1
        # HELP msat_seconds Time from a request to its reply.
        # TYPE msat_seconds histogram
        msat_seconds_bucket{path="analyze",le="0.0005"} 1
        msat_seconds_bucket{path="analyze",le="0.001"} 1
        """
        return "\n".join(self._lines(gauges)) + "\n"

    def _lines(self, gauges: dict[str, tuple[str, float]]) -> Iterator[str]:
        yield "# HELP msat_replies_total Replies, by path and status."
        yield "# TYPE msat_replies_total counter"
        for (path, status), number in sorted(self._replies.items()):
            yield f'msat_replies_total{{path="{path}",status="{status}"}} {number}'
        yield "# HELP msat_seconds Time from a request to its reply."
        yield "# TYPE msat_seconds histogram"
        for path, (*buckets, total) in sorted(self._seconds.items()):
            number = 0
            for bound, inside in zip([*map(str, BOUNDS), "+Inf"], buckets, strict=True):
                number += int(inside)
                yield f'msat_seconds_bucket{{path="{path}",le="{bound}"}} {number}'
            yield f'msat_seconds_sum{{path="{path}"}} {total:.6f}'
            yield f'msat_seconds_count{{path="{path}"}} {number}'
        for name, (meaning, value) in gauges.items():
            yield f"# HELP {name} {meaning}"
            yield f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}"
            yield f"{name} {value:g}"
