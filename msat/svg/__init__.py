"""Boards as SVG pictures, for notebooks, pages and papers: `msat.svg.board(board, …)`.

A picture is one string that needs nothing else: no script, no style sheet, no font to load, and no ids, so
that many of them fit into one page. It is drawn by attributes alone, in one of two themes. A notebook shows
it by itself, and also shows boards, layouts and games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from numbers import Real
from types import NoneType
from typing import TYPE_CHECKING, Any

from msat import cells as geometry
from msat.cells import HIDDEN, MINE, Cell
from msat.errors import BoardError, UnknownName, WrongType
from msat.kinds import given, is_name, several
from msat.limits import MAX_PICTURED_CELLS
from msat.svg.drawing import Drawing
from msat.svg.themes import KINDS, THEMES
from msat.wording import cell_name, counted, quoted

if TYPE_CHECKING:
    from msat.board import Board
    from msat.layout import Layout

__all__ = ["KINDS", "THEMES", "Picture", "board", "drawn", "layout"]


CELLS = "cells, such as [(0, 1), (2, 2)]"
"""What is asked for where cells belong."""


class Picture(str):
    """The text of an SVG picture, which a notebook shows as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board(
    board: Board,
    *,
    overlay: Mapping[Cell, float] | Sequence[Sequence[float]] | Any = None,
    highlights: Mapping[Cell, str] | Iterable[Cell] = (),
    clues: Iterable[Cell] = (),
    arrows: Iterable[tuple[Cell, Cell]] = (),
    last: Cell | None = None,
    exploded: Cell | None = None,
    mines: Layout | None = None,
    size: int | None = None,
    coordinates: bool = True,
    theme: str = "light",
    title: str | None = None,
) -> Picture:
    """A board as a picture.

    `overlay` has the probability of a mine of hidden cells, by cell or as an array (`analysis.probability`):
    they are coloured from green to red, and show it in percent. `highlights` rings cells, all as choices or
    each by its kind: "safe", "mine", "clue", "choice" or "better"; `clues` puts numbers in brackets;
    `arrows` lead from cell to cell. `last` is where the last move was, `exploded` the mine that went off;
    `mines` is a layout whose mines are shown, while marks without one are crossed out. `size` is the width in
    pixels of the whole picture; `coordinates` says whether rows and columns are numbered; `theme` is "light"
    or "dark"; `title` is what a screen reader says instead of size and mines.

    >>> from msat.board import Board
    >>> picture = board(Board.parse("?1/11 1"), overlay={(0, 0): 1.0}, arrows=[((1, 1), (0, 0))])
    >>> picture[:5], picture.count("<text"), "<script" in picture
    ('<svg ', 7, False)
    """
    from msat.board import Board, check_board
    from msat.layout import Layout

    if isinstance(board, Layout):
        raise WrongType(f"svg.board takes a Board, not {quoted(board)}: svg.layout draws a layout")
    if not isinstance(board, Board) and isinstance(getattr(board, "board", None), Board):
        raise WrongType(f"svg.board takes a Board, not {quoted(board)}: give its .board")
    check_board(board, "svg.board")
    drawing = Drawing(board.height, board.width, theme, coordinates)
    chances = _chances(overlay, board)
    rings = _rings(highlights, drawing)
    for kind in rings.values():
        if not is_name(kind, KINDS):
            raise UnknownName.of("kind of highlight", kind, KINDS)
    shown = _shown(mines, board)
    exploded = None if exploded is None else drawing.checked(exploded)
    for position, byte in enumerate(board.values):
        cell = divmod(position, board.width)
        value = byte - 256 if byte > 8 else byte
        if value < 0:
            drawing.hidden(cell, chances.get(cell) if value == HIDDEN else None)
            if value == MINE:
                drawing.flag(cell, wrong=mines is not None and cell not in shown)
            elif cell == exploded or (cell in shown and cell not in chances):
                drawing.mine(cell, cell == exploded)
        elif value:
            drawing.number(cell, value)
    if last is not None:
        drawing.last(drawing.checked(last))
    for clue in several(clues, "clues", CELLS):
        drawing.brackets(drawing.checked(clue))
    for cell, kind in rings.items():
        drawing.ring(cell, kind)
    for arrow in several(arrows, "arrows", "pairs of cells"):
        if not isinstance(arrow, Sequence) or len(arrow) != 2:
            raise WrongType(f"{quoted(arrow)} is no arrow: give two cells, such as ((0, 1), (2, 2))")
        drawing.arrow(*map(drawing.checked, arrow))
    size_told = f"{board.height}×{board.width} board with {counted(board.mines, 'mine')}"
    given(title, (str, NoneType), "title", "a text, or None")
    return Picture(drawing.picture(size, title or size_told))


def _shown(mines: Layout | None, board: Board) -> frozenset[Cell]:
    """Where a layout of the board's own size has its mines."""
    from msat.layout import Layout

    if mines is None:
        return frozenset()
    layout = given(mines, Layout, "mines", "a Layout, or None")
    if layout.shape != board.shape:
        sizes = f"a {layout.height}×{layout.width} layout is not that of a {board.height}×{board.width} board"
        raise BoardError(f"mines: {sizes}")
    return layout.cells


def _rings(highlights: Mapping[Cell, str] | Iterable[Cell], drawing: Drawing) -> dict[Cell, str]:
    """The kind of each ring, by its cell."""
    if isinstance(highlights, Mapping):
        return {drawing.checked(cell): kind for cell, kind in highlights.items()}
    return {drawing.checked(cell): "choice" for cell in several(highlights, "highlights", CELLS)}


def drawn(picture: Callable[..., Picture], value: Any, **more: Any) -> Picture | None:
    """What a notebook shows: the picture, or None for a board that is too large for one."""
    return picture(value, **more) if value.height * value.width <= MAX_PICTURED_CELLS else None


def layout(
    layout: Layout, *, size: int | None = None, coordinates: bool = True, theme: str = "light"
) -> Picture:
    """A layout as a picture: its mines, its numbers, and where the game starts; options as for `board`.

    >>> from msat.layout import Layout
    >>> layout(Layout.parse("..*")).count("<circle")
    2
    """
    from msat.layout import Layout

    if not isinstance(layout, Layout):
        raise WrongType(f"svg.layout takes a Layout, not {quoted(layout)}: Layout.parse reads one")
    drawing = Drawing(layout.height, layout.width, theme, coordinates)
    for position, byte in enumerate(layout.values):
        cell = divmod(position, layout.width)
        if byte > 8:
            drawing.mine(cell, False)
        elif byte:
            drawing.number(cell, byte)
    if layout.start is not None:
        drawing.last(layout.start)
    return Picture(
        drawing.picture(size, f"{layout.height}×{layout.width} layout with {counted(layout.mines, 'mine')}")
    )


def _chances(overlay: Any, board: Board) -> dict[Cell, float]:
    """The probabilities of hidden cells; what is none is left out."""
    if overlay is None:
        return {}
    if isinstance(overlay, Mapping):
        told = [(cell, chance) for cell, chance in overlay.items() if chance is not None]
        for cell, _ in told:
            geometry.check_cell(cell, board.height, board.width)
    else:
        rows = list(several(overlay, "overlay", "chances by their cells, or rows of them"))
        if len(rows) != board.height or any(
            not isinstance(row, Sized) or len(row) != board.width for row in rows
        ):
            raise BoardError(
                f"the overlay of a {board.height}×{board.width} board has as many rows and columns"
            )
        told = [
            ((r, c), chance)
            for r, row in enumerate(rows)
            for c, chance in enumerate(row)
            if chance is not None
        ]
    chances = [(cell, float(given(chance, Real, "overlay", "numbers from 0 to 1"))) for cell, chance in told]
    found = {cell: chance for cell, chance in chances if not math.isnan(chance)}
    for cell, chance in found.items():
        if not 0 <= chance <= 1:
            raise BoardError(f"the overlay has {chance} at {cell_name(cell)}: give probabilities from 0 to 1")
    return found
