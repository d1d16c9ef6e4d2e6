"""A picture of a board that grows part by part: cells, marks, mines, rings, brackets, arrows."""

from __future__ import annotations

import math
from html import escape

from msat import cells as geometry
from msat.cells import Cell
from msat.errors import BoardError, UnknownName
from msat.kinds import flag, is_name
from msat.limits import MAX_PICTURED_CELLS, MAX_PIXELS
from msat.svg.themes import THEMES
from msat.wording import argument, visible

__all__ = ["Drawing"]

SIDE = 32
"""Of a cell, in the picture's own units; `size` scales it."""

EDGE = 22
"""Of the margin that has the numbers of rows and columns."""

_FONT = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif"'


def _mixed(first: str, second: str, share: float) -> str:
    """A colour between two."""
    parts = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


class Drawing:
    """A picture that grows, layer by layer."""

    def __init__(self, height: int, width: int, theme: str, coordinates: bool) -> None:
        if not is_name(theme, THEMES):
            raise UnknownName.of("theme", theme, THEMES)
        if height * width > MAX_PICTURED_CELLS:
            raise BoardError(
                f"a {height}×{width} board is too large for a picture: {MAX_PICTURED_CELLS:,} cells fit"
            )
        self._height, self._width = height, width
        coordinates = flag(coordinates, "coordinates")
        self._theme = THEMES[theme]
        self._edge = EDGE if coordinates else 4
        self._coordinates = coordinates
        self._below: list[str] = []
        self._above: list[str] = []

    def checked(self, cell: Cell) -> Cell:
        """The cell, which must be on the board."""
        return divmod(geometry.check_cell(cell, self._height, self._width), self._width)

    def _corner(self, cell: Cell) -> tuple[int, int]:
        return self._edge + cell[1] * SIDE, self._edge + cell[0] * SIDE

    def hidden(self, cell: Cell, chance: float | None) -> None:
        """A hidden cell, tinted by the chance of a mine and with its percent."""
        theme = self._theme
        x, y = self._corner(cell)
        fill, bright, dark = theme.hidden, theme.bright, theme.dark
        if chance is not None:
            low = chance < 0.5
            ends = (theme.safe, theme.middle) if low else (theme.middle, theme.risky)
            fill = _mixed(*ends, 2 * chance if low else 2 * chance - 1)
            bright, dark = _mixed(fill, "#ffffff", 0.3), _mixed(fill, "#000000", 0.15)
        self._below.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{SIDE - 2}" height="{SIDE - 2}" rx="4" fill="{dark}"/>'
            f'<rect x="{x + 1}" y="{y + 1}" width="{SIDE - 2}" height="{SIDE - 4}" rx="4" fill="{bright}"/>'
            f'<rect x="{x + 1}" y="{y + 2.5}" width="{SIDE - 2}" height="{SIDE - 5.5}" rx="4" fill="{fill}"/>'
        )
        if chance is None:
            return
        if chance == 0:
            path = f"m{x + 10} {y + 17} 4.5 4.5 8-9.5"
            self._below.append(_stroke(path, theme.kinds["safe"], 3))
        elif chance == 1:
            self.mine(cell, False)
        else:
            percent = 100 * chance
            label = f"{percent:.0f}" if 1 <= percent <= 99 else ("&lt;1" if percent < 1 else "&gt;99")
            self._below.append(self._text(x + SIDE / 2, y + 20.5, label, theme.text, 13, 600))

    def number(self, cell: Cell, number: int) -> None:
        """A revealed number."""
        x, y = self._corner(cell)
        self._below.append(
            self._text(x + SIDE / 2, y + 22.5, str(number), self._theme.numbers[number], 18, 700)
        )

    def flag(self, cell: Cell, wrong: bool = False) -> None:
        """A mark, crossed out if it is known to be wrong."""
        x, y = self._corner(cell)
        self._below.append(
            _stroke(f"M{x + 13} {y + 7.5}v17M{x + 9.5} {y + 25}h9", self._theme.mine, 2.2)
            + f'<path d="M{x + 14} {y + 7}l9.5 5-9.5 5z" fill="{self._theme.flag}"/>'
        )
        if wrong:
            self._below.append(_stroke(f"M{x + 6} {y + 6}l20 20m0-20l-20 20", self._theme.mine, 2.6))

    def mine(self, cell: Cell, exploded: bool) -> None:
        """A mine, which may have gone off."""
        x, y = self._corner(cell)
        cx, cy = x + SIDE / 2, y + SIDE / 2
        if exploded:
            self._below.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{SIDE - 2}" height="{SIDE - 2}" rx="4" '
                f'fill="{self._theme.flag}"/>'
            )
        spikes = "".join(
            f"M{cx - 9.5 * a:.1f} {cy - 9.5 * b:.1f}L{cx + 9.5 * a:.1f} {cy + 9.5 * b:.1f}"
            for a, b in ((1, 0), (0, 1), (0.7, 0.7), (0.7, -0.7))
        )
        self._below.append(
            _stroke(spikes, self._theme.mine, 2)
            + f'<circle cx="{cx}" cy="{cy}" r="6.8" fill="{self._theme.mine}"/>'
            + f'<circle cx="{cx - 2.3}" cy="{cy - 2.3}" r="1.7" fill="{self._theme.page}"/>'
        )

    def last(self, cell: Cell) -> None:
        """Where the last move was: a tint, and a thin frame."""
        x, y = self._corner(cell)
        colour = self._theme.last
        self._above.append(
            f'<rect x="{x + 1.5}" y="{y + 1.5}" width="{SIDE - 3}" height="{SIDE - 3}" rx="4" '
            f'fill="{colour}" fill-opacity=".16" stroke="{colour}" stroke-width="1.5" stroke-opacity=".7"/>'
        )

    def ring(self, cell: Cell, kind: str) -> None:
        """A highlight; the better move's is dashed, so that it is told from the choice without colours."""
        x, y = self._corner(cell)
        dashes = ' stroke-dasharray="5 3.5"' if kind == "better" else ""
        self._above.append(
            f'<rect x="{x + 2}" y="{y + 2}" width="{SIDE - 4}" height="{SIDE - 4}" rx="5" fill="none" '
            f'stroke="{self._theme.kinds[kind]}" stroke-width="3"{dashes}/>'
        )

    def brackets(self, cell: Cell) -> None:
        """The four corners around a clue."""
        x, y = self._corner(cell)
        left, right, top, bottom = x + 3, x + SIDE - 3, y + 3, y + SIDE - 3
        path = f"M{left} {top + 6}v-6h6M{right - 6} {top}h6v6"
        path += f"M{right} {bottom - 6}v6h-6M{left + 6} {bottom}h-6v-6"
        self._above.append(_stroke(path, self._theme.kinds["clue"], 2.6))

    def arrow(self, start: Cell, end: Cell) -> None:
        """An arrow from edge to edge of two cells."""
        if start == end:
            return
        (x, y), (u, v) = self._corner(start), self._corner(end)
        x, y, u, v = (each + SIDE // 2 for each in (x, y, u, v))
        length = math.hypot(u - x, v - y)
        a, b = (u - x) / length, (v - y) / length
        x1, y1, x2, y2 = x + 13 * a, y + 13 * b, u - 7 * a, v - 7 * b
        colour = self._theme.kinds["clue"]
        head = f"{x2:.1f},{y2:.1f} {x2 - 9 * a - 5 * b:.1f},{y2 - 9 * b + 5 * a:.1f} "
        head += f"{x2 - 9 * a + 5 * b:.1f},{y2 - 9 * b - 5 * a:.1f}"
        self._above.append(
            f'<g opacity=".85">{_stroke(f"M{x1:.1f} {y1:.1f}L{x2 - 7 * a:.1f} {y2 - 7 * b:.1f}", colour, 3)}'
            f'<polygon points="{head}" fill="{colour}"/></g>'
        )

    def _text(self, x: float, y: float, text: str, colour: str, size: int, weight: int) -> str:
        return (
            f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="middle">{text}</text>'
        )

    def _labels(self) -> list[str]:
        if not self._coordinates:
            return []
        colour, middle = self._theme.label, SIDE / 2
        columns = (
            self._text(self._edge + c * SIDE + middle, EDGE - 7, str(c), colour, 11, 400)
            for c in range(self._width)
        )
        rows = (
            self._text(EDGE / 2, self._edge + r * SIDE + middle + 4, str(r), colour, 11, 400)
            for r in range(self._height)
        )
        return [*columns, *rows]

    def picture(self, size: int | None, title: str) -> str:
        """All of it."""
        wide = self._width * SIDE + self._edge + 4
        high = self._height * SIDE + self._edge + 4
        shown = wide if size is None else geometry.whole_number(size, "size", BoardError)
        if not 1 <= shown <= MAX_PIXELS:
            raise BoardError(f"{argument('size', size)} is no width in pixels: give 1 to {MAX_PIXELS:,}")
        theme, at = self._theme, self._edge
        right, bottom = at + self._width * SIDE, at + self._height * SIDE
        lines = "".join(f"M{at + c * SIDE} {at}V{bottom}" for c in range(1, self._width))
        lines += "".join(f"M{at} {at + r * SIDE}H{right}" for r in range(1, self._height))
        name = escape(visible(title))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{shown}" '
            f'height="{round(high * shown / wide)}" role="img" aria-label="{name}" {_FONT}>'
            f"<title>{name}</title>"
            f'<rect width="{wide}" height="{high}" rx="8" fill="{theme.page}"/>'
            f'<rect x="{at}" y="{at}" width="{right - at}" height="{bottom - at}" rx="4" '
            f'fill="{theme.open}"/>'
            f'<path d="{lines}" stroke="{theme.line}" fill="none"/>'
            f"{''.join(self._labels())}{''.join(self._below)}{''.join(self._above)}</svg>"
        )


def _stroke(path: str, colour: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )
