"""Grids and lines with dots: hidden to some programs and 0 to others, so they are read only if asked for."""

from __future__ import annotations

from collections.abc import Callable

from msat.formats import grid, line
from msat.formats.form import Form, Source
from msat.formats.parsed import HIDDEN_BYTE, ParsedBoard

__all__ = ["FORMS"]


def _parser(value: int) -> Callable[[Source], ParsedBoard]:
    cells = {**grid.BOARD_CELLS, ".": value}

    def parse(source: Source) -> ParsedBoard:
        read = line.parse_cells if line.looks_like(source) else grid.parse_cells
        return read(source.lines, cells)

    return parse


def _printer(value: int) -> Callable[[ParsedBoard], str]:
    return lambda board: grid.print_rows(grid.board_rows(board, dot=value), board.mines)


FORMS = tuple(
    Form(
        name,
        f"grid or line, '.' for {meaning}",
        signs=".",
        parse_board=_parser(value),
        print_board=_printer(value),
    )
    for name, meaning, value in (("dot-hidden", "hidden", HIDDEN_BYTE), ("dot-zero", "0", 0))
)
