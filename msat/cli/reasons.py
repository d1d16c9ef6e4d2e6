"""Explanations for the terminal and as plain JSON values.

On the board, what a proof uses stands in brackets, which needs no colour; where the terminal is too narrow
for brackets, it is highlighted, and named in the text in any case.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from rich.text import Text

from msat.board import MINE, Board, Cell
from msat.cli.drawing import draw, fits
from msat.explanation.conflict import Contradiction
from msat.explanation.explanation import Explanation

__all__ = [
    "draw_contradiction",
    "draw_explanation",
    "draw_ringed",
    "fields_of_contradiction",
    "fields_of_explanation",
    "ringed_fits",
]


def draw_explanation(explanation: Explanation, width: int | None) -> Iterator[str | Text]:
    """The board with cell and clues in brackets, and the text; for an open cell also both witnesses."""
    board, cell = explanation.board, explanation.cell
    if explanation.verdict == "mine":
        board = board.replace({cell: MINE})
    signs = {cell: "+"} if explanation.verdict == "safe" else {}
    yield from draw_ringed(board, width, {cell, *explanation.clues}, signs)
    yield ""
    yield from explanation.lines()
    for layout, title in zip(explanation.witnesses or (), ("with a mine there", "without"), strict=False):
        yield ""
        yield f"{title}, for example:"
        mined = board.replace(dict.fromkeys(layout.cells, MINE))
        yield from draw_ringed(mined, width, {cell}, {} if layout.is_mine(cell) else {cell: "+"})


def draw_contradiction(contradiction: Contradiction, width: int | None) -> Iterator[str | Text]:
    """The board with the clues in brackets, and the text."""
    yield from draw_ringed(contradiction.board, width, contradiction.clues, {})
    yield ""
    yield from contradiction.lines()


def fields_of_explanation(explanation: Explanation) -> dict[str, Any]:
    """An explanation as a plain JSON value; the fields are documented in the help of `explain`."""
    probability, witnesses = explanation.probability, explanation.witnesses
    return {
        "cell": list(explanation.cell),
        "verdict": explanation.verdict,
        "clues": _cells(explanation.clues),
        "uses_mine_count": explanation.uses_mine_count,
        "smallest": explanation.smallest,
        "rules": [
            {"rule": step.rule, "cell": list(step.cell), "mine": step.mine, "clues": _cells(step.clues)}
            for step in explanation.rules
        ],
        "text": explanation.lines(),
        "probability": None if probability is None else float(probability),
        "exact": None if probability is None else str(probability),
        "witnesses": None if witnesses is None else [_cells(layout.cells) for layout in witnesses],
    }


def fields_of_contradiction(contradiction: Contradiction) -> dict[str, Any]:
    """A contradiction as a plain JSON value; the fields are documented in the help of `explain`."""
    repairs = contradiction.repairs
    return {
        "verdict": "contradiction",
        "clues": _cells(contradiction.clues),
        "uses_mine_count": contradiction.uses_mine_count,
        "possible_mines": list(contradiction.error.possible_mines),
        "repairs": None
        if repairs is None
        else [{"cell": list(cell), "number": number} for cell, number in repairs],
        "text": contradiction.lines(),
    }


def draw_ringed(
    board: Board, width: int | None, ringed: Collection[Cell], signs: Mapping[Cell, str]
) -> Iterator[Text]:
    """The board with some cells in brackets, where there is room for them, and some shown by another sign."""
    lines = list(draw(board, width, fresh=ringed, signs=signs))
    if not ringed_fits(board, width):
        yield from lines
        return
    header, *rows = lines
    yield header
    for r, line in enumerate(rows):
        signs_of_line = [*line.plain, " "]
        for c in range(board.width):
            at = len(line.plain) - 1 - 3 * (board.width - 1 - c)
            if (r, c) in ringed:
                signs_of_line[at - 1], signs_of_line[at + 1] = "[", "]"
        line.append(" ")
        line.plain = "".join(signs_of_line)  # as long as before: the styles keep their places
        line.rstrip()
        yield line


def ringed_fits(board: Board, width: int | None) -> bool:
    """Whether there is room for brackets; the closing one of the last column needs a column of its own."""
    return fits(board, None if width is None else width - 1)


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]
