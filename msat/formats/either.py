"""Forms that say what a sign means which is hidden to some programs and 0 to others, such as `dot-zero`.

They are read as a grid or a line is, and only if they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from msat.formats import grid, line
from msat.formats.form import Form, Source
from msat.formats.parsed import HIDDEN_BYTE, ParsedBoard
from msat.formats.signs import BLANK, EITHER, Either

__all__ = ["FORMS"]

_VALUES = {"hidden": HIDDEN_BYTE, "zero": 0}
_PRINTED = {"hidden": "?", "zero": "0"}


def _parser(asked: dict[str, int]) -> Callable[[Source], ParsedBoard]:
    def parse(source: Source) -> ParsedBoard:
        if line.looks_like(source):
            return line.parse_rows(source.lines, asked)
        return grid.parse_rows(source.lines, asked, "clues")

    return parse


def _printer(either: Either, meaning: str) -> Callable[[ParsedBoard], str]:
    def write(board: ParsedBoard) -> str:
        sign = either.signs[0]
        rows = [row.replace(_PRINTED[meaning], sign) for row in grid.board_rows(board)]
        if sign == BLANK:  # between bars no blank gets lost
            return "\n".join([*(f"|{'|'.join(row)}|" for row in rows), f"mines: {board.mines}"])
        return grid.print_rows(rows, board.mines)

    return write


FORMS = tuple(
    Form(
        f"{either.name}-{meaning}",
        f"grid or line, {either.shown} for {'hidden' if value else '0'}",
        signs=either.signs.strip(),
        parse_board=_parser({either.name: value}),
        print_board=_printer(either, meaning),
    )
    for either in EITHER
    for meaning, value in _VALUES.items()
)
