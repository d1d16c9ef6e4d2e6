"""A board as lines of coloured text, as wide as the terminal allows.

Wide, three columns a cell, shows the mine probability of every hidden cell in percent (two digits, so that it
is never mistaken for a clue). Where that does not fit, one character a cell shows it in steps of ten percent
as a letter. Boards that are wider still are cut into blocks of columns, so that no line ever wraps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from msat.analysis import Analysis
from msat.board import MINE, Board, Cell

__all__ = ["LEGEND", "draw", "fits"]

LEGEND = {
    "wide": "+ safe   * mine   07 hidden, a mine with 7 %",
    "compact": "+ safe   * mine   a–j hidden: a mine with under 10 % to 90 % or more",
}
"""What the signs of a drawing with probabilities mean."""

_CLUES = (
    Style(dim=True),
    Style(color="bright_blue"),
    Style(color="green"),
    Style(color="red"),
    Style(color="blue", bold=True),
    Style(color="magenta"),
    Style(color="cyan"),
    Style(color="white", bold=True),
    Style(color="bright_black"),
)
"""The classic colours of the numbers 0 to 8, near enough in the sixteen that every terminal has."""

_SAFE = Style(color="black", bgcolor="green", bold=True)
_MINE = Style(color="white", bgcolor="red", bold=True)
_HIDDEN = Style(dim=True)
_LABEL = Style(dim=True)
_HEAT = tuple(Style(color=f"color({code})") for code in (78, 114, 150, 186, 222, 221, 215, 209, 203, 197))
"""The colour of a probability, by tens of percent: from green over yellow to red."""


@dataclass(frozen=True)
class _Painter:
    """Signs and styles of single cells."""

    board: Board
    analysis: Analysis | None
    fresh: Collection[Cell]
    wide: bool

    def paint(self, cell: Cell) -> tuple[str, Style]:
        sign, style = self._plain(cell)
        if cell in self.fresh:
            style += Style(reverse=True)
        return sign, style

    def _plain(self, cell: Cell) -> tuple[str, Style]:
        value = self.board[cell]
        if value >= 0:
            return ("·" if value == 0 else str(value)), _CLUES[value]
        if value == MINE or (self.analysis is not None and cell in self.analysis.mined):
            return "*", _MINE
        if self.analysis is None:
            return "?", _HIDDEN
        if cell in self.analysis.safe:
            return "+", _SAFE
        risk = float(self.analysis.probability[cell])
        tens = min(int(risk * 10), 9)
        # A cell that is not proven is never shown as 0 or 100.
        return (f"{min(max(round(risk * 100), 1), 99):02d}" if self.wide else "abcdefghij"[tens]), _HEAT[tens]


def draw(
    board: Board,
    width: int | None = None,
    analysis: Analysis | None = None,
    fresh: Collection[Cell] = (),
) -> Iterator[Text]:
    """The lines of `board`, none longer than `width`; with an analysis also what it says of hidden cells.

    The cells in `fresh` stand out. Rows and columns are numbered from 0, as everywhere.
    """
    wide = fits(board, width)
    painter = _Painter(board, analysis, fresh, wide)
    margin = len(str(board.height - 1)) + 1
    pitch = 3 if wide else 1
    room = board.width if width is None else max(1, (width - margin) // pitch)
    for first in range(0, board.width, room):
        columns = range(first, min(first + room, board.width))
        if first:
            yield Text()
        yield from _header(columns, margin, wide)
        for row in range(board.height):
            line = Text().append(f"{row:>{margin - 1}} ", style=_LABEL)
            for column in columns:
                sign, style = painter.paint((row, column))
                line.append(" " * (pitch - len(sign))).append(sign, style=style)
            yield line


def fits(board: Board, width: int | None) -> bool:
    """Whether the wide drawing of `board` fits into `width` columns."""
    return width is None or len(str(board.height - 1)) + 1 + 3 * board.width <= width


def _header(columns: range, margin: int, wide: bool) -> Iterator[Text]:
    """The column numbers: their last two digits if wide, else tens above units."""
    if wide:
        yield Text(" " * margin + "".join(f"{column % 100:>3}" for column in columns), style=_LABEL)
        return
    if columns[-1] >= 10:
        tens = "".join(str(column // 10 % 10) if column % 10 == 0 else " " for column in columns)
        yield Text(" " * margin + tens.rstrip(), style=_LABEL)
    yield Text(" " * margin + "".join(str(column % 10) for column in columns), style=_LABEL)
