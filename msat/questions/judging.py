"""Marks that a person put down, as questions take them: as opinions, unless they are to be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from msat.board import Board, Cell
from msat.deadline import Budget
from msat.formats.parsed import HIDDEN_BYTE
from msat.wording import cell_name, cell_names, counted

if TYPE_CHECKING:
    from msat.coach.marks import Mark
    from msat.tui.board import BoardView
    from msat.tui.console import Terminal

__all__ = ["WAYS", "Judged", "judge"]

WAYS = ("judge", "trust")
"""How marks are taken."""


class Judged(NamedTuple):
    """A board with marks, what they are worth, and the board that is answered from."""

    board: Board
    trusted: Board
    marks: dict[Cell, Mark]
    trusting: bool
    """Whether all marks are taken for mines."""

    @property
    def wrong(self) -> list[Cell]:
        """Marks where no layout has a mine; none where marks are trusted."""
        return self._those("wrong")

    @property
    def doubtful(self) -> list[Cell]:
        """Marks where some layouts have a mine, and some not; none where marks are trusted."""
        return self._those("unproven")

    def _those(self, verdict: str) -> list[Cell]:
        return [] if self.trusting else [cell for cell, mark in self.marks.items() if mark.verdict == verdict]

    def view(self, terminal: Terminal, **shown: Any) -> BoardView:
        """The board for a terminal, with its marks as they are judged."""
        from msat.tui.board import BoardView

        return BoardView(
            self.board,
            terminal.signs,
            styled=terminal.styled,
            wrong=self.wrong,
            doubtful=self.doubtful,
            **shown,
        )

    @property
    def summary(self) -> str:
        """Size, mines and hidden cells; by it the drawing of a board is read back with its mine total."""
        height, width = self.board.shape
        hidden = counted(self.trusted.values.count(HIDDEN_BYTE), "cell")
        return f"{height}×{width}, {counted(self.board.mines, 'mine')}, {hidden} hidden"

    def lines(self) -> Iterator[str]:
        """What there is to say about marks that are not proven, wrong ones first."""
        if wrong := self.wrong:
            s, are = ("s", "are") if wrong[1:] else ("", "is")
            yield f"the mark{s} at {cell_names(wrong)} {are} wrong: take the flag{s} off"
        if doubtful := self.doubtful:
            shown = [f"{cell_name(cell)} ({_chance(self.marks[cell])})" for cell in doubtful[:4]]
            more = f" and {len(doubtful) - 4} more" if doubtful[4:] else ""
            yield f"{counted(len(doubtful), 'mark is', 'marks are')} not proven: {', '.join(shown)}{more}"

    def fields(self) -> list[dict[str, Any]]:
        """Every mark as plain JSON values."""
        return [mark.to_object(cell) for cell, mark in self.marks.items()]


def _chance(mark: Mark) -> str:
    return "not counted" if mark.probability is None else f"a mine with {float(mark.probability):.1%}"


def judge(board: Board, way: str, budget: Budget = None) -> Judged:
    """Judge the marks of a board; what they are worth is told also where they are trusted."""
    trusting = way == "trust"
    if not board.marked:
        return Judged(board, board, {}, trusting)

    from msat.coach.marks import judge_marks, trusted

    if trusting:
        from msat.analysis import analyze

        analyze(board, budget=budget)  # whatever makes it impossible, marks included, is told first
    marks = judge_marks(board, budget)
    return Judged(board, board if trusting else trusted(board, marks), marks, trusting)
