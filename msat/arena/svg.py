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
_SIDE, _EDGE = 32, 32
"""Of a cell in a heat map, and of the margin that has the numbers of rows and columns."""
_NUMBERED = 100
"""Rows and columns that are all numbered; of more, every second, third, …"""


def bars(labels: Sequence[str], values: Sequence[float], unit: str, across: str) -> str:
    """A bar for each value; `unit` is what they count, `across` what their labels are.

    >>> bars(["0", "1"], [3, 1], "games", "guesses").count("<rect")
    2
    """
    top = _ceiling(max(values, default=0))
    slot = (_WIDTH - _LEFT - _RIGHT) / max(len(values), 1)
    parts = _frame(0, top, unit, across)
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
    across: str,
) -> str:
    """A point for each value, joined by a line, with an interval each.

    >>> lines(["a", "b"], [1, 2], [(0.5, 1.5), (1.5, 2.5)], "%", "games").count("<circle")
    2
    """
    low = min((bound for interval in intervals for bound in interval), default=0.0)
    high = max((bound for interval in intervals for bound in interval), default=1.0)
    margin = (high - low) * 0.05 or 1.0
    low, high = low - margin, high + margin
    slot = (_WIDTH - _LEFT - _RIGHT) / max(len(values), 1)
    places = [(_LEFT + (k + 0.5) * slot, _y(value, low, high)) for k, value in enumerate(values)]
    parts = _frame(low, high, unit, across)
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


def path(
    points: Sequence[tuple[float, float]],
    levels: Sequence[tuple[float, str]],
    unit: str,
    across: str,
    end: float = 0,
) -> str:
    """A line through many points, which stays as it is from the last of them to `end`, with named levels.

    >>> picture = path([(0, 0), (10, 2)], [(1.5, "enough")], "evidence", "boards", 30)
    >>> picture.count("<polyline"), ">30<" in picture
    (1, True)
    """
    heights = [y for _, y in points] + [level for level, _ in levels]
    low, high = min(heights) - 0.3, max(heights) + 0.3
    last = max([end, *(x for x, _ in points)]) or 1
    if points:
        points = [*points, (last, points[-1][1])]
    scale = (_WIDTH - _LEFT - _RIGHT) / last
    places = [(_LEFT + x * scale, _y(y, low, high)) for x, y in points]
    parts = _frame(low, high, unit, across)
    for level, name in levels:
        y = _y(level, low, high)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" class="level"/>')
        parts.append(_text(_WIDTH - _RIGHT, y - 4, name, "end"))
    parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" class="line"/>')
    step = max(1.0, _ceiling(last / 8))
    for k in range(math.floor(last / step) + 1):
        x = _LEFT + k * step * scale
        anchor = "end" if x > _WIDTH - 3 * _RIGHT else "middle"  # there is no room beside the last one
        parts.append(_text(x, _HEIGHT - _BOTTOM + 16, f"{k * step:.10g}", anchor))
    return _picture(parts)


def heat(rates: Sequence[Sequence[float]]) -> str:
    """A coloured square with its number for each cell of a board, rows and columns numbered along the edges.

    Cells that are nan stay empty.

    >>> picture = heat([[50.0, math.nan]])
    >>> picture.count("<rect"), ">50.0<" in picture, ">column<" in picture
    (1, True, True)
    """
    known = [rate for row in rates for rate in row if not math.isnan(rate)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    height, width = len(rates), len(rates[0])
    parts = []
    for r, row in enumerate(rates):
        for c, rate in enumerate(row):
            if math.isnan(rate):
                continue
            share = (rate - low) / (high - low) if high > low else 0.5
            x, y = _EDGE + c * _SIDE, _EDGE + r * _SIDE
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_SIDE - 1}" height="{_SIDE - 1}" '
                f'fill="hsl({250 - 200 * share:.0f} 70% {30 + 35 * share:.0f}%)">'
                f"<title>row {r}, column {c}: {rate:.2f} %</title></rect>"
            )
            shade = "dark" if share > 0.5 else "light"
            parts.append(_text(x + _SIDE / 2, y + _SIDE / 2 + 4, f"{rate:.1f}", shade=shade))
    numbers = range(0, max(height, width), math.ceil(max(height, width) / _NUMBERED))
    parts += [_text(_EDGE + (c + 0.5) * _SIDE, _EDGE - 5, str(c)) for c in numbers if c < width]
    parts += [_text(_EDGE - 5, _EDGE + (r + 0.5) * _SIDE + 4, str(r), "end") for r in numbers if r < height]
    parts += [_text(_EDGE + width * _SIDE / 2, 11, "column"), _text(0, 11, "row", "start")]
    across, down = _EDGE + max(width, 2) * _SIDE, _EDGE + height * _SIDE
    note = f"games won, %: {low:.2f} (dark) to {high:.2f} (light)"
    return (
        f'<svg viewBox="0 0 {across} {down}" width="{across}" role="img" class="heat" aria-label="{note}">'
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


def _frame(low: float, high: float, unit: str, across: str) -> list[str]:
    """What a picture stands on: the names of its axes, and lines at a few round numbers."""
    parts = [_text(_LEFT, _TOP - 3, unit, "start"), _text(_WIDTH / 2, _HEIGHT - 5, across)]
    step = _ceiling((high - low) / 6)
    for k in range(math.ceil(low / step), math.floor(high / step) + 1):
        y = _y(k * step, low, high)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" class="grid"/>')
        parts.append(_text(_LEFT - 6, y + 4, f"{k * step:.10g}", "end"))
    return parts


def _text(x: float, y: float, text: str, anchor: str = "middle", shade: str = "") -> str:
    shaded = f' class="{shade}"' if shade else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{shaded}>{_escaped(text)}</text>'


def _picture(parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img">{inside}</svg>'


def _escaped(text: str) -> str:
    return escape(visible(text))
