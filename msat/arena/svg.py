"""Small pictures as SVG text, to be put into a page: bars, lines with intervals, a heat map of a board.

A picture is one string without any reference to the outside; colours follow the page's text colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from msat.wording import visible

__all__ = ["bars", "heat", "lines", "path"]

_WIDTH, _HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 14, 36


def bars(labels: Sequence[str], values: Sequence[float], unit: str) -> str:
    """A bar for each value.

    >>> bars(["0", "1"], [3, 1], "games").count("<rect")
    2
    """
    top = _ceiling(max(values, default=0))
    slot = (_WIDTH - _LEFT - _RIGHT) / max(len(values), 1)
    parts = _frame(0, top, unit)
    for k, (label, value) in enumerate(zip(labels, values, strict=True)):
        x, y = _LEFT + k * slot, _y(value, 0, top)
        parts.append(
            f'<rect x="{x + slot * 0.1:.1f}" y="{y:.1f}" width="{slot * 0.8:.1f}" '
            f'height="{_HEIGHT - _BOTTOM - y:.1f}" class="bar">'
            f"<title>{_escaped(label)}: {value:g}</title></rect>"
        )
        parts.append(_text(x + slot / 2, _HEIGHT - _BOTTOM + 16, label))
    return _picture(parts)


def lines(
    labels: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    unit: str,
) -> str:
    """A point for each value, joined by a line, with an interval each.

    >>> lines(["a", "b"], [1, 2], [(0.5, 1.5), (1.5, 2.5)], "%").count("<circle")
    2
    """
    low = min((bound for interval in intervals for bound in interval), default=0.0)
    high = max((bound for interval in intervals for bound in interval), default=1.0)
    margin = (high - low) * 0.05 or 1.0
    low, high = low - margin, high + margin
    slot = (_WIDTH - _LEFT - _RIGHT) / max(len(values), 1)
    places = [(_LEFT + (k + 0.5) * slot, _y(value, low, high)) for k, value in enumerate(values)]
    parts = _frame(low, high, unit)
    parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" class="line"/>')
    every = math.ceil(len(labels) / 16)  # more would run into each other
    for k, ((x, y), (below, above)) in enumerate(zip(places, intervals, strict=True)):
        y1, y2 = _y(below, low, high), _y(above, low, high)
        parts.append(f'<line x1="{x:.1f}" y1="{y1:.1f}" x2="{x:.1f}" y2="{y2:.1f}" class="line"/>')
        title = f"<title>{_escaped(labels[k])}: {values[k]:.2f} ({below:.2f} to {above:.2f})</title>"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="bar">{title}</circle>')
        if k % every == 0:
            parts.append(_text(x, _HEIGHT - _BOTTOM + 16, labels[k]))
    return _picture(parts)


def path(points: Sequence[tuple[float, float]], levels: Sequence[tuple[float, str]], unit: str) -> str:
    """A line through many points, with named levels across.

    >>> path([(0, 0), (10, 2)], [(1.5, "enough")], "evidence").count("<polyline")
    1
    """
    heights = [y for _, y in points] + [level for level, _ in levels]
    low, high = min(heights) - 0.3, max(heights) + 0.3
    last = max((x for x, _ in points), default=1) or 1
    scale = (_WIDTH - _LEFT - _RIGHT) / last
    places = [(_LEFT + x * scale, _y(y, low, high)) for x, y in points]
    parts = _frame(low, high, unit)
    for level, name in levels:
        y = _y(level, low, high)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" class="level"/>')
        parts.append(_text(_WIDTH - _RIGHT, y - 4, name, "end"))
    parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" class="line"/>')
    parts.append(_text(_WIDTH - _RIGHT, _HEIGHT - _BOTTOM + 16, f"{last:g}", "end"))
    return _picture(parts)


def heat(rates: Sequence[Sequence[float]]) -> str:
    """A coloured square for each cell of a board; cells that are nan stay empty.

    >>> heat([[50.0, math.nan]]).count("<rect")
    1
    """
    known = [rate for row in rates for rate in row if not math.isnan(rate)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    side = min(24, 900 // max(len(rates[0]), 1))
    parts = []
    for r, row in enumerate(rates):
        for c, rate in enumerate(row):
            if math.isnan(rate):
                continue
            share = (rate - low) / (high - low) if high > low else 0.5
            parts.append(
                f'<rect x="{c * side}" y="{r * side}" width="{side - 1}" height="{side - 1}" '
                f'fill="hsl({250 - 200 * share:.0f} 70% {30 + 35 * share:.0f}%)">'
                f"<title>row {r}, column {c}: {rate:.2f} %</title></rect>"
            )
    width, height = len(rates[0]) * side, len(rates) * side
    note = f"{low:.2f} % (dark) to {high:.2f} % (light)"
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{note}">'
        f"{''.join(parts)}</svg><p>{note}</p>"
    )


def _y(value: float, low: float, high: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / ((high - low) or 1)


def _ceiling(value: float) -> float:
    """A round number not below `value`: 1, 2 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def _frame(low: float, high: float, unit: str) -> list[str]:
    """What a picture stands on: its unit, and lines at a few round numbers."""
    parts = [_text(_LEFT, _TOP - 3, unit, "start")]
    step = _ceiling((high - low) / 6)
    for k in range(math.ceil(low / step), math.floor(high / step) + 1):
        y = _y(k * step, low, high)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" class="grid"/>')
        parts.append(_text(_LEFT - 6, y + 4, f"{k * step:.10g}", "end"))
    return parts


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_escaped(text)}</text>'


def _picture(parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img">{inside}</svg>'


def _escaped(text: str) -> str:
    return escape(visible(text))
