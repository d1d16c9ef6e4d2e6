"""A board as lines of coloured text, as wide as the terminal allows.

Wide, three columns a cell, shows the mine probability of every hidden cell in percent (two digits, so that it
is never mistaken for a clue). Where that does not fit, one character a cell shows it in steps of ten percent
as a letter. Boards that are wider still are cut into blocks of columns, so that no line ever wraps.

Cells that look alike share a code, and the codes of a whole board are found by array operations: the largest
board has a million cells, which is why `solve` and `explain` do not use the renderable of `msat.tui`. Signs
and styles are those of its theme.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Span, Text

from msat.board import HIDDEN, MINE, Board, Cell
from msat.tui.theme import CLUES, HEAT, PLAIN, STYLES

if TYPE_CHECKING:
    from msat.analysis import Analysis

__all__ = ["LEGEND", "draw", "fits"]

LEGEND = {
    "wide": "+ safe   * mine   07 hidden, a mine with 7 %",
    "compact": "+ safe   * mine   a–j hidden: a mine with under 10 % to 90 % or more",
}
"""What the signs of a drawing with probabilities mean."""

# Codes 0 to 8 are clues; from RISK on, a code holds the tens (for colour and letter) and the percent.
_MINED, _UNKNOWN, _SAFE, _RISK = 9, 10, 11, 100
_FIXED = {
    _MINED: (PLAIN.mine, STYLES["proven mine"]),
    _UNKNOWN: (PLAIN.hidden, STYLES["hidden"]),
    _SAFE: (PLAIN.safe, STYLES["safe"]),
}


def _look(code: int, wide: bool) -> tuple[str, Style]:
    """The sign and the style of every cell with this code."""
    if code in _FIXED:
        return _FIXED[code]
    if code < _RISK:
        return PLAIN.number(code), CLUES[code]
    tens, percent = divmod(code - _RISK, 100)
    return (f"{percent:02d}" if wide else "abcdefghij"[tens]), HEAT[tens]


def _codes(board: Board, analysis: Analysis | None) -> NDArray[np.int16]:
    """The code of every cell."""
    codes = board.to_array().astype(np.int16)
    hidden = codes == HIDDEN
    codes[codes == MINE] = _MINED
    codes[hidden] = _UNKNOWN
    if analysis is not None:
        counted = hidden & ~np.isnan(analysis.probability)
        risk = analysis.probability[counted]
        tens = np.minimum(risk * 10, 9).astype(np.int16)
        # A cell that is not proven is never shown as 0 or 100.
        percent = np.clip(np.rint(risk * 100), 1, 99).astype(np.int16)
        codes[counted] = _RISK + 100 * tens + percent
        for cells, code in ((analysis.safe, _SAFE), (analysis.mined, _MINED)):
            if cells:
                codes[tuple(np.array(list(cells)).T)] = code
    return codes


def draw(
    board: Board,
    width: int | None = None,
    analysis: Analysis | None = None,
    fresh: Collection[Cell] = (),
    styled: bool = True,
    signs: Mapping[Cell, str] = MappingProxyType({}),
) -> Iterator[Text]:
    """The lines of `board`, none longer than `width`; with an analysis also what it says of hidden cells.

    The cells in `fresh` stand out, those in `signs` are shown by these. Rows and columns are numbered from 0,
    as everywhere. Lines that are not `styled` are the same text, made faster.
    """
    wide = fits(board, width)
    codes = _codes(board, analysis)
    looks = {code: _look(code, wide) for code in np.unique(codes).tolist()}
    margin = len(str(board.height - 1)) + 1
    pitch = 3 if wide else 1
    padded = {code: f"{sign:>{pitch}}" for code, (sign, _) in looks.items()}
    own: dict[int, dict[int, str]] = {}
    for (r, c), sign in signs.items():
        own.setdefault(r, {})[c] = f"{sign:>{pitch}}"
    room = board.width if width is None else max(1, (width - margin) // pitch)
    for first in range(0, board.width, room):
        columns = range(first, min(first + room, board.width))
        if first:
            yield Text()
        yield from _header(columns, margin, wide)
        for row, line in enumerate(codes[:, first : columns.stop].tolist()):
            cells = [padded[code] for code in line]
            for c, sign in own.get(row, {}).items():
                if c in columns:
                    cells[c - first] = sign
            text = f"{row:>{margin - 1}} " + "".join(cells)
            yield Text(text, spans=_spans(line, row, first, margin, looks, fresh, pitch) if styled else [])


def _spans(
    line: list[int],
    row: int,
    first: int,
    margin: int,
    looks: dict[int, tuple[str, Style]],
    fresh: Collection[Cell],
    pitch: int,
) -> list[Span]:
    """Where the styles of a line are; neighbours that look alike share a span where spaces do not show it."""
    spans = [Span(0, margin, STYLES["label"])]
    for column, code in enumerate(line):
        sign, style = looks[code]
        if fresh and (row, first + column) in fresh:
            style += Style(reverse=True)
        end = margin + pitch * (column + 1)
        begin, _, last = spans[-1]
        if style is last and style.bgcolor is None:
            spans[-1] = Span(begin, end, style)
        else:
            spans.append(Span(end - len(sign), end, style))
    return spans


def fits(board: Board, width: int | None) -> bool:
    """Whether the wide drawing of `board` fits into `width` columns."""
    return width is None or len(str(board.height - 1)) + 1 + 3 * board.width <= width


def _header(columns: range, margin: int, wide: bool) -> Iterator[Text]:
    """The column numbers: their last two digits if wide, else tens above units."""
    if wide:
        yield Text(" " * margin + "".join(f"{column % 100:>3}" for column in columns), style=STYLES["label"])
        return
    if columns[-1] >= 10:
        tens = "".join(str(column // 10 % 10) if column % 10 == 0 else " " for column in columns)
        yield Text(" " * margin + tens.rstrip(), style=STYLES["label"])
    yield Text(" " * margin + "".join(str(column % 10) for column in columns), style=STYLES["label"])
