"""Explanations for the terminal and as plain JSON values.

On the board, what a proof uses stands in brackets, which needs no colour; where the terminal is too narrow
for brackets, it is highlighted, and named in the text in any case.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msat.board import Cell
from msat.cli.judging import Judged
from msat.explanation.conflict import Contradiction
from msat.explanation.explanation import Explanation
from msat.layout import Layout
from msat.tui.board import BoardView
from msat.tui.console import Terminal
from msat.tui.legend import legend_lines

if TYPE_CHECKING:
    from msat.coach.walkthrough import Walkthrough

__all__ = [
    "fields_of_contradiction",
    "fields_of_explanation",
    "show_board",
    "show_contradiction",
    "show_explanation",
    "show_walkthrough",
]

NEARBY = (4, 9)
"""Rows and columns around a cell that are shown of a witness, where the board is larger."""


def show_board(view: BoardView, terminal: Terminal) -> None:
    """The board, and what its signs mean where some are not self-evident."""
    for line in view.lines(terminal.width):
        terminal.line(line)
    for text in legend_lines(view, terminal.width):
        terminal.wrapped(text, "label")


def show_explanation(explanation: Explanation, judged: Judged, terminal: Terminal) -> None:
    """The board with cell and clues in brackets, and the text; for an open cell also both witnesses."""
    cell = explanation.cell
    view = judged.view(terminal, clues=explanation.clues, moves={cell: explanation.verdict})
    show_board(view, terminal)
    terminal.line()
    first, *rest = explanation.lines()
    terminal.wrapped(first, "answer")
    for line in rest:
        terminal.wrapped(line)
    for line in judged.lines():
        terminal.wrapped(line)
    for layout, title in zip(explanation.witnesses or (), ("with a mine:", "without:"), strict=False):
        terminal.line()
        terminal.line(f"for example, {title}")
        _show_witness(explanation, layout, terminal)
    if explanation.witnesses:
        terminal.wrapped("(blank cells have no mine)", "label")


def _show_witness(explanation: Explanation, layout: Layout, terminal: Terminal) -> None:
    """A layout: all of it, or of a large one what is near the cell."""
    cell = explanation.cell
    board = explanation.board.without_marks()
    view = BoardView(board, terminal.signs, layout=layout, bare=True, moves={cell: "safe"})
    pitch = view.pitch(terminal.width)
    rows, columns = [
        range(max(0, at - reach), min(size, at + reach + 1)) if size > 2 * reach + 1 else range(size)
        for at, reach, size in zip(cell, NEARBY, board.shape, strict=True)
    ]
    for line in view.window(rows, columns, pitch):
        terminal.line(line)


def show_walkthrough(found: Walkthrough, judged: Judged, terminal: Terminal) -> None:
    """The board with all that is forced, and the steps that find it."""
    moves = {**dict.fromkeys(found.safe, "safe"), **dict.fromkeys(found.mined, "mine")}
    show_board(judged.view(terminal, moves=moves), terminal)
    terminal.line()
    *steps, last = found.lines()
    for line in steps:
        indent = " " * (3 + len(line) - len(line.lstrip()))
        for part in (
            [line]
            if terminal.width is None
            else textwrap.wrap(line, terminal.width, subsequent_indent=indent)
        ):
            terminal.line(part)
    terminal.wrapped(last, "answer")
    for line in judged.lines():
        terminal.wrapped(line)


def show_contradiction(contradiction: Contradiction, terminal: Terminal) -> None:
    """The board with the clues and marks in brackets, and why they contradict each other.

    What contradicts what is not told here: it is the error with which the command ends.
    """
    culprits = contradiction.clues | contradiction.marks
    show_board(BoardView(contradiction.board, terminal.signs, clues=culprits), terminal)
    terminal.line()
    for line in contradiction.lines()[1:]:
        terminal.wrapped(line)


def fields_of_explanation(explanation: Explanation, judged: Judged) -> dict[str, Any]:
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
        "marks": judged.fields(),
    }


def fields_of_contradiction(contradiction: Contradiction) -> dict[str, Any]:
    """A contradiction as a plain JSON value; the fields are documented in the help of `explain`."""
    repairs = contradiction.repairs
    return {
        "verdict": "contradiction",
        "clues": _cells(contradiction.clues),
        "blamed_marks": _cells(contradiction.marks),
        "uses_mine_count": contradiction.uses_mine_count,
        "possible_mines": list(contradiction.error.possible_mines),
        "repairs": None
        if repairs is None
        else [{"cell": list(cell), "number": None if number < 0 else number} for cell, number in repairs],
        "text": contradiction.lines(),
    }


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]
