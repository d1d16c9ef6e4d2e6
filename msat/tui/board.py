"""The board as a renderable: numbers, marks, mines, the last move, what is proven, how likely the rest.

A cell takes one, two or three columns (its `pitch`), as many as there is room for. In two or three, rings
such as `[2]` surround the clues of an explanation, `(2)` the last move and `>2<` the cursor, so that all of
it is seen without colour; neighbours share the column between them. A board that does not fit even with one
column a cell is cut into blocks of columns, so that no line ever wraps.

Rows are made one by one on demand: a viewer that scrolls over a large board asks for those in sight only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

from msat.board import MINE, Board, Cell
from msat.layout import Layout
from msat.tui.theme import CLUES, HEAT, STYLES, UNICODE, Signs, heat_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from msat.analysis import Analysis

__all__ = ["BoardView", "Overlay", "legend"]


@dataclass(frozen=True, eq=False)
class Overlay:
    """What is known about hidden cells; without `probability` only what is proven."""

    safe: frozenset[Cell] = frozenset()
    mined: frozenset[Cell] = frozenset()
    probability: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, analysis: Analysis) -> Overlay:
        """All that an analysis found."""
        return cls(analysis.safe, analysis.mined, analysis.probability)


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board, ready to be printed by rich.

    >>> from rich.console import Console
    >>> view = BoardView(Board.parse("?1?/121 2"), clues={(1, 1)}, last={(0, 1)})
    >>> Console(color_system=None).print(view)
       0 1 2
    0  ■(1)■
    1  1[2]1
    """

    board: Board
    signs: Signs = UNICODE
    layout: Layout | None = None
    """Where the mines are, if they are to be shown: at the end of a game, or to a cheat."""
    exploded: Cell | None = None
    last: Collection[Cell] = ()
    """The cells that were opened last."""
    overlay: Overlay | None = None
    clues: Collection[Cell] = ()
    """The clues that an explanation rests on."""
    cursor: Cell | None = None
    roomy: bool = False
    """Whether to take three columns a cell where they fit, also without probabilities."""
    _values: list[list[int]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        width = self.board.width
        signed = [byte - 256 if byte > 8 else byte for byte in self.board.values]
        rows = [signed[i : i + width] for i in range(0, len(signed), width)]
        object.__setattr__(self, "_values", rows)

    @property
    def margin(self) -> int:
        """The columns of the row numbers."""
        return len(str(self.board.height - 1)) + 1

    def pitch(self, room: int | None) -> int:
        """The columns of a cell, where a line has `room` columns (None: any number)."""
        widest = 3 if self.roomy or (self.overlay and self.overlay.probability is not None) else 2
        if room is None:
            return widest
        return next((p for p in range(widest, 1, -1) if self.columns(p) <= room), 1)

    def columns(self, pitch: int) -> int:
        """The columns of the whole drawing; one more than the cells take, for a ring around the last."""
        return self.margin + pitch * self.board.width + (pitch > 1)

    def look(self, cell: Cell, pitch: int) -> tuple[str, Style]:
        """The sign of a cell, and its style without highlights."""
        value = self._values[cell[0]][cell[1]]
        signs = self.signs
        if cell == self.exploded:
            return signs.exploded, STYLES["exploded"]
        if value >= 0:
            return signs.number(value), CLUES[value]
        if value == MINE:
            if self.layout is not None and not self.layout.is_mine(cell):
                return signs.wrong, STYLES["wrong"]
            return signs.mark, STYLES["mark"]
        if self.layout is not None and self.layout.is_mine(cell):
            return signs.mine, STYLES["mine"]
        return self._overlaid(cell, pitch)

    def _overlaid(self, cell: Cell, pitch: int) -> tuple[str, Style]:
        """A hidden cell, with what is known about it."""
        overlay = self.overlay
        if overlay is not None:
            if cell in overlay.safe:
                return self.signs.safe, STYLES["safe"]
            if cell in overlay.mined:
                return self.signs.mine, STYLES["proven mine"]
            risk = float("nan") if overlay.probability is None else float(overlay.probability[cell])
            if risk == risk:  # nan where nothing is known
                heat = heat_index(risk)
                # What is not proven is never shown as 0 or 100.
                percent = min(max(round(risk * 100), 1), 99)
                return (f"{percent:02d}" if pitch > 2 else "abcdefghij"[heat]), HEAT[heat]
        return self.signs.hidden, STYLES["hidden"]

    def _ring(self, cell: Cell) -> str:
        """The two brackets around a cell, or nothing."""
        if cell == self.cursor:
            return self.signs.cursor
        if cell in self.clues:
            return self.signs.clue
        # The mine that went off has a sign that nothing else has.
        return self.signs.last if cell in self.last and cell != self.exploded else ""

    def _styled(self, cell: Cell, style: Style) -> Style:
        if cell == self.cursor:
            return style + STYLES["cursor"]
        if cell in self.clues:
            return style + STYLES["clue"]
        return style + STYLES["last"] if cell in self.last and cell != self.exploded else style

    def row(self, row: int, pitch: int, columns: range | None = None) -> list[Segment]:
        """One line of the drawing, with its row number; of some columns, if they are given."""
        columns = range(self.board.width) if columns is None else columns
        margin = self.margin
        size = margin + pitch * len(columns) + (pitch > 1)
        signs = [*f"{row:>{margin - 1}} ", *" " * (size - margin)]
        styles: list[Style | None] = [STYLES["label"]] * margin + [None] * (size - margin)
        rings: list[tuple[int, int, str]] = []
        end = margin
        for column in columns:
            cell = (row, column)
            sign, style = self.look(cell, pitch)
            begin, end = end, end + pitch
            at = end - len(sign)
            signs[at:end] = sign
            style = self._styled(cell, style)
            # The spaces before a sign take its style, where that does not show or makes an even surface:
            # neighbours that look alike are then one segment, which halves the cost of a frame.
            filled = at if style.reverse else begin
            styles[filled:end] = [style] * (end - filled)
            ring = self._ring(cell) if pitch > 1 else ""
            if ring:
                rings.append((at - 1, end, ring))
        for before, after, ring in rings:  # in order: an opening bracket wins the column that two share
            for at, sign in ((after, ring[1]), (before, ring[0])):
                signs[at], styles[at] = sign, STYLES["ring"]
        return _segments(signs, styles)

    def header(self, pitch: int, columns: range | None = None) -> list[list[Segment]]:
        """The lines above the board: the columns' numbers, tens above units where a cell has one column."""
        columns = range(self.board.width) if columns is None else columns
        if pitch > 1:
            lines = ["".join(f"{column % 100:>{pitch}}" for column in columns)]
            if pitch == 2 and columns[-1] >= 10:
                # Two digits in two columns would run into each other.
                lines = [_tens(columns, pitch), "".join(f"{column % 10:>{pitch}}" for column in columns)]
        else:
            lines = ["".join(str(column % 10) for column in columns)]
            if columns[-1] >= 10:
                lines.insert(0, _tens(columns, pitch))
        return [[Segment(" " * self.margin + line.rstrip(), STYLES["label"])] for line in lines]

    def blocks(self, room: int | None) -> tuple[int, list[range]]:
        """The pitch, and the columns of each block, for lines of at most `room` columns."""
        pitch = self.pitch(room)
        width = self.board.width
        fit = width if room is None else max(1, (room - self.margin - (pitch > 1)) // pitch)
        return pitch, [range(first, min(first + fit, width)) for first in range(0, width, fit)]

    def lines(self, room: int | None = None) -> Iterator[list[Segment]]:
        """All lines of the drawing, none longer than `room`."""
        pitch, blocks = self.blocks(room)
        for number, columns in enumerate(blocks):
            if number:
                yield []
            yield from self.header(pitch, columns)
            for row in range(self.board.height):
                yield self.row(row, pitch, columns)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(options.max_width):
            yield from line
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = min(self.columns(self.pitch(options.max_width)), options.max_width)
        return Measurement(width, width)


def _tens(columns: range, pitch: int) -> str:
    """A line with the tens of the columns that begin one."""
    return "".join(
        f"{str(column // 10 % 10) if column % 10 == 0 and column else '':>{pitch}}" for column in columns
    )


def _segments(signs: list[str], styles: list[Style | None]) -> list[Segment]:
    """The characters joined where their styles agree; spaces at the end of the line are left out."""
    size = len(signs)
    while size and signs[size - 1] == " " and styles[size - 1] is None:
        size -= 1
    return [
        Segment("".join(signs[i] for i in run), style)
        for style, run in groupby(range(size), key=styles.__getitem__)
    ]


def legend(view: BoardView, room: int | None = None) -> str:
    """What the signs of a view mean, as far as it uses them."""
    signs = view.signs
    parts = []
    if view.exploded is not None:
        parts.append(f"{signs.exploded} the mine that went off")
    if view.layout is not None:
        parts.append(f"{signs.mine} mine")
        if any(not view.layout.is_mine(cell) for cell in view.board.marked):
            parts.append(f"{signs.wrong} a mark that is wrong")
    elif view.overlay is not None:
        parts += [f"{signs.safe} safe", f"{signs.mine} mine"]
        if view.overlay.probability is not None:
            wide = view.pitch(room) > 2
            parts.append("07 a mine with 7 %" if wide else "a-j a mine with under 10 % to 90 % or more")
    return "   ".join(parts)
