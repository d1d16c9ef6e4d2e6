"""Hints in levels: a nudge, not the answer. Each level gives away no more than it says.

1 is there something to find, or must I guess? 2 in which part of the board? 3 which numbers (for a guess:
which candidates)? 4 which cell? 5 the proof (for a guess: why). Nothing that a higher level tells is in a
lower one, neither in its words nor in its fields. The numbers of level 3 prove the cell of level 4.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from msat import svg
from msat.analysis import Analysis, analyze
from msat.board import HIDDEN, Board, Cell, check_board
from msat.cells import whole_number
from msat.coach.advice import Advice
from msat.coach.best_move import advise
from msat.coach.walkthrough import easiest_safe
from msat.deadline import Budget, Deadline, checked_seconds
from msat.errors import BudgetExceeded, ParameterError
from msat.explanation.explanation import explain
from msat.interrupting import interruptible
from msat.notebook import figure
from msat.value import explained
from msat.wording import argument, cell_name, cell_names, counted

__all__ = ["LEVELS", "Hint", "Window", "hint"]

LEVELS = 5

SMALLEST, LARGEST = 3, 5
"""The sides of the window of level 2."""

Window = tuple[Cell, Cell]
"""A part of the board: its first and its last cell."""


@explained
@dataclass(frozen=True)
class Hint:
    """As much as a level gives away; what it does not is None or empty."""

    board: Board
    """The board that was asked about."""
    level: int
    """How much it gives away, from 1 (whether there is something to find) to 5 (everything)."""
    kind: Literal["proven", "guess", "won"]
    """Whether something can be found, a guess is needed, or nothing is left."""
    text: tuple[str, ...]
    """The hint in words."""
    window: Window | None = None
    """From level 2 on: where to look."""
    clues: frozenset[Cell] = frozenset()
    """From level 3 on: the numbers that prove it …"""
    uses_mine_count: bool = False
    """… and whether the mine total is needed besides."""
    candidates: tuple[Cell, ...] = ()
    """From level 3 on, for a guess: the cells that come into question, in reading order."""
    cell: Cell | None = None
    """From level 4 on: the cell to open."""
    advice: Advice | None = None
    """At level 5, for a guess: all about it."""

    def _repr_html_(self) -> str:
        rings = dict.fromkeys(self.candidates, "clue")
        if self.cell is not None:
            rings[self.cell] = "choice"
        arrows = [(clue, self.cell) for clue in sorted(self.clues)] if self.cell is not None else []
        if not rings and self.window is not None:
            (top, left), (bottom, right) = self.window
            looked = ((r, c) for r in range(top, bottom + 1) for c in range(left, right + 1))
            rings = {cell: "clue" for cell in looked if self.board[cell] < 0 and not self.clues}
        picture = svg.drawn(svg.board, self.board, highlights=rings, clues=sorted(self.clues), arrows=arrows)
        return figure(picture, self.text)

    def __str__(self) -> str:
        return "\n".join(self.text)

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values; only what the level gives away."""
        found: dict[str, Any] = {"level": self.level, "kind": self.kind, "text": list(self.text)}
        if self.window is not None:
            found["window"] = [list(cell) for cell in self.window]
        if self.level >= 3 and self.kind == "proven":
            found["clues"] = [list(cell) for cell in sorted(self.clues)]
            found["uses_mine_count"] = self.uses_mine_count
        if self.candidates:
            found["candidates"] = [list(cell) for cell in self.candidates]
        if self.cell is not None:
            found["cell"] = list(self.cell)
        if self.advice is not None:
            found["advice"] = self.advice.to_object()
        return found


def hint(board: Board, level: int = 1, *, seconds: float = 0.0, budget: Budget = None) -> Hint:
    """A hint that gives away as much as its level says, from 1 to 5.

    `seconds` and `budget` are those of `best_move`, which is asked where a guess is needed.

    >>> import msat
    >>> board = msat.Board.parse("????/1111/0000 2")
    >>> print(msat.hint(board, 1))
    there is something to find
    >>> msat.hint(board, 3).cell, sorted(msat.hint(board, 3).clues), msat.hint(board, 4).cell
    (None, [(1, 0), (1, 1)], (0, 2))
    """
    check_board(board, "hint")
    number = whole_number(level, "level", ParameterError)
    if not 1 <= number <= LEVELS:
        raise ParameterError(f"{argument('level', level)} is no level of a hint: give 1 to {LEVELS}")
    seconds = checked_seconds(seconds)
    deadline = Deadline.of(budget)
    analysis = analyze(board, budget=deadline)
    if len(analysis.mined) == int(np.count_nonzero(board.to_array() == HIDDEN)):
        return Hint(board, number, "won", ("nothing is left to open: the board is won",))
    if analysis.safe:
        if number == 1:
            return Hint(board, 1, "proven", ("there is something to find",))
        return _proven(analysis, number, deadline)
    if number == 1:
        return Hint(board, 1, "guess", ("nothing can be proven: a guess is needed",))
    return _guess(advise(analysis, seconds, deadline), number)


def _proven(analysis: Analysis, level: int, deadline: Deadline) -> Hint:
    """A hint about the safe cell that is easiest to find."""
    board = analysis.board
    try:
        cell = interruptible(lambda: easiest_safe(board, deadline), deadline)
        proof = explain(board, cell, deadline)
    except BudgetExceeded:
        message = f"the easiest of {counted(len(analysis.safe), 'safe cell')} was not found"
        raise BudgetExceeded(
            f"{message} {deadline.within()}", safe=analysis.safe, mined=analysis.mined
        ) from None
    window = _window(board, [proof.cell, *proof.clues], proof.cell)
    part = f"look at {_in_words(window)}"
    if level == 2:
        return Hint(board, 2, "proven", (part,), window)
    numbers = f"{proof.reasons()} {'prove' if len(proof.clues) + proof.uses_mine_count > 1 else 'proves'} it"
    text = {3: (numbers,), 4: (f"{cell_name(proof.cell)} is safe",), 5: tuple(proof.lines())}[level]
    return Hint(
        board,
        level,
        "proven",
        text,
        window,
        proof.clues,
        proof.uses_mine_count,
        cell=proof.cell if level >= 4 else None,
    )


def _guess(advice: Advice, level: int) -> Hint:
    """A hint about a guess."""
    assert advice.cell is not None
    board, cell = advice.board, advice.cell
    window = _window(board, [cell], cell)
    if level == 2:
        return Hint(board, 2, "guess", (f"a guess is needed, best in {_in_words(window)}",), window)
    candidates = tuple(sorted([cell, *(other.cell for other in advice.alternatives)]))
    if level == 3:
        text: tuple[str, ...] = (f"a guess is needed; what comes into question: {cell_names(candidates)}",)
    else:
        text = (f"{cell_name(cell)} is the best guess",) if level == 4 else advice.reasons
    return Hint(
        board,
        level,
        "guess",
        text,
        window,
        candidates=candidates,
        cell=cell if level >= 4 else None,
        advice=advice if level == LEVELS else None,
    )


def _window(board: Board, cells: list[Cell], focus: Cell) -> Window:
    """A window of 3×3 to 5×5 with all of the cells, if they fit into one, and in any case with that in focus.

    It has another hidden cell as well, if there is one nearby, and the focus can be anywhere in it.
    """
    for least in range(SMALLEST, LARGEST + 1):
        (top, bottom), (left, right) = (
            _span([cell[i] for cell in cells], least, focus[i], board.shape[i], focus[1 - i]) for i in (0, 1)
        )
        inside = itertools.product(range(top, bottom + 1), range(left, right + 1))
        if sum(board[cell] == HIDDEN for cell in inside) > 1:
            break
    return (top, left), (bottom, right)


def _span(values: list[int], least: int, focus: int, length: int, shift: int) -> tuple[int, int]:
    """The first and the last row, or column, of a window; where there is a choice, `shift` makes it."""
    low, high = min(values), max(values)
    size = min(max(high - low + 1, least), LARGEST)
    if high - low >= size:
        low = focus - shift % size
    elif high - low + 1 < size:
        low -= shift % (size - (high - low))
    low = max(0, min(low, length - size))
    return low, min(low + size, length) - 1


def _in_words(window: Window) -> str:
    (top, left), (bottom, right) = window
    return f"rows {top} to {bottom}, columns {left} to {right}"
