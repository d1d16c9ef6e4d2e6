"""Explanations for the terminal and as plain JSON values.

On the board, what a proof uses stands in brackets, which needs no colour; where the terminal is too narrow
for brackets, it is highlighted, and named in the text in any case.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.segment import Segment

from msat.cli.complaint import complain
from msat.explanation.conflict import Contradiction
from msat.explanation.explanation import Explanation
from msat.layout import Layout
from msat.questions.judging import Judged
from msat.tui.board import BoardView
from msat.tui.console import Terminal
from msat.tui.legend import legend_lines
from msat.tui.theme import Signs

if TYPE_CHECKING:
    from msat.coach.walkthrough import Walkthrough

__all__ = [
    "show_board",
    "show_contradiction",
    "show_explanation",
    "show_walkthrough",
]

NEARBY = (2, 4)
"""Rows and columns around a cell that are shown of a witness, where the board is larger …"""

GAP = 4
"""… and columns between two of them, where they stand side by side."""


def show_board(view: BoardView, terminal: Terminal) -> int:
    """The board, and what its signs mean where some are not self-evident; how many lines that took."""
    board, legend = list(view.lines(terminal.width)), legend_lines(view, terminal.width)
    for line in board:
        terminal.line(line)
    for text in legend:
        terminal.wrapped(text, "label")
    return len(board) + terminal.rows(*legend)


def show_explanation(explanation: Explanation, judged: Judged, terminal: Terminal) -> None:
    """The board with cell and clues in brackets, and the text; for an open cell also both witnesses."""
    cell = explanation.cell
    view = judged.view(terminal, clues=explanation.clues, moves={cell: explanation.verdict})
    show_board(view, terminal)
    terminal.line()
    first, *rest = explanation.lines()
    style = {"safe": "safe", "mine": "proven mine"}.get(explanation.verdict, "move")
    terminal.answer(first, _verdict(first), style)
    for line in rest:
        terminal.wrapped(line)
    for line in (*judged.lines(), judged.summary):
        terminal.wrapped(line)
    if explanation.witnesses is not None:
        _show_witnesses(explanation, explanation.witnesses, terminal)


def _verdict(text: str) -> str:
    """What is said of a cell, without why."""
    return re.split(r"[(:,;]", text, maxsplit=1)[0].strip()


def _show_witnesses(explanation: Explanation, layouts: tuple[Layout, Layout], terminal: Terminal) -> None:
    """Both layouts, or of large ones what is near the cell; side by side on a terminal, if they fit."""
    titles = ("for example, with a mine:", "for example, without:")
    room = None if terminal.width is None else (terminal.width - GAP) // 2
    left, right = (
        [[Segment(title)], *_near(explanation, layout, terminal.signs, room)]
        for title, layout in zip(titles, layouts, strict=True)
    )
    terminal.line()
    edge = max(map(Segment.get_line_length, left)) + GAP
    if terminal.width is not None and edge + max(map(Segment.get_line_length, right)) <= terminal.width:
        for one, other in zip(left, right, strict=True):
            terminal.line([*one, Segment(" " * (edge - Segment.get_line_length(one))), *other])
    else:
        for line in (*left, [], *right):
            terminal.line(line)
    terminal.wrapped("(blank cells have no mine)", "label")


def _near(
    explanation: Explanation, layout: Layout, signs: Signs, room: int | None
) -> Iterator[list[Segment]]:
    """The lines of a layout; where there is not any amount of room, as far as it is near the cell."""
    cell = explanation.cell
    board = explanation.board.without_marks()
    view = BoardView(board, signs, layout=layout, bare=True, moves={cell: "safe"})
    if room is None:
        return view.lines()
    rows, columns = (
        range(max(0, at - reach), min(size, at + reach + 1))
        for at, reach, size in zip(cell, NEARBY, board.shape, strict=True)
    )
    pitch = next((p for p in (3, 2) if view.margin + p * len(columns) < room), 1)
    return view.window(rows, columns, pitch)


def show_walkthrough(found: Walkthrough, judged: Judged, terminal: Terminal) -> None:
    """The board with all that is forced, and the steps that find it."""
    moves = {**dict.fromkeys(found.safe, "safe"), **dict.fromkeys(found.mined, "mine")}
    show_board(judged.view(terminal, moves=moves), terminal)
    terminal.line()
    *steps, last = found.lines()
    for line in steps:
        indent = " " * (3 + len(line) - len(line.lstrip()))
        width = terminal.width or len(line)
        for part in textwrap.wrap(line, width, subsequent_indent=indent):
            terminal.line(part)
    terminal.wrapped(last, "answer")
    for line in (*judged.lines(), judged.summary):
        terminal.wrapped(line)


def show_contradiction(contradiction: Contradiction, terminal: Terminal) -> None:
    """The board with the clues and marks in brackets, and why they contradict each other.

    What contradicts what is the error of the command, and comes before its proof.
    """
    culprits = contradiction.clues | contradiction.marks
    show_board(BoardView(contradiction.board, terminal.signs, clues=culprits), terminal)
    terminal.line()
    complain(contradiction.error)
    for line in contradiction.lines()[1:]:
        terminal.wrapped(line)
    board = contradiction.board
    terminal.wrapped(Judged(board, board, {}, trusting=True).summary)
