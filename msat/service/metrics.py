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
        self._lag = _new_times()

    def count(self, path: str, status: int, seconds: float) -> None:
        """Note a reply."""
        key = (path, status)
        self._replies[key] = self._replies.get(key, 0) + 1
        times = self._seconds.get(path)
        if times is None:
            times = self._seconds[path] = _new_times()
        _add(times, seconds)

    def count_lag(self, seconds: float) -> None:
        """Note by how much the serving process was late for what it had to do."""
        _add(self._lag, seconds)

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
        for path, times in sorted(self._seconds.items()):
            yield from _histogram("msat_seconds", f'path="{path}"', times)
        yield "# HELP msat_lag_seconds How late the serving process was for what it had to do at a time."
        yield "# TYPE msat_lag_seconds histogram"
        yield from _histogram("msat_lag_seconds", "", self._lag)
        for name, (meaning, value) in gauges.items():
            yield f"# HELP {name} {meaning}"
            yield f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}"
            yield f"{name} {value:g}"


def _new_times() -> list[float]:
    """Buckets, the last without end; the sum."""
    return [0.0] * (len(BOUNDS) + 2)


def _add(times: list[float], seconds: float) -> None:
    times[bisect_left(BOUNDS, seconds)] += 1
    times[-1] += seconds


def _histogram(name: str, labels: str, times: list[float]) -> Iterator[str]:
    *buckets, total = times
    number, label = 0, f"{{{labels}}}" if labels else ""
    for bound, inside in zip([*map(str, BOUNDS), "+Inf"], buckets, strict=True):
        number += int(inside)
        yield f'{name}_bucket{{{labels}{"," if labels else ""}le="{bound}"}} {number}'
    yield f"{name}_sum{label} {total:.6f}"
    yield f"{name}_count{label} {number}"
