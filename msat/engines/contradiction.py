"""Why no layout agrees with a board: a minimal set of clues that cannot all be true.

Dropping a clue (keeping the cell as safe, without its number) can only allow more layouts. So clues are
dropped in ever smaller portions as long as the contradiction stays; what remains when single clues have been
tried is minimal: without any one of them the rest can be met. Usually one of them is a mistyped number.

Clues that contradict each other lie in one component, and a total that is too small (or too large) is so
because the least (the most) numbers of mines of all components add up: each question is put to a small part
of the board.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.encode._kernels import build
from msat.encode.problem import Problem
from msat.engines.counting import possible_totals
from msat.errors import Cell, InconsistentBoard

__all__ = ["contradiction"]

SAFE = -3
MOST_LISTED = 8


def contradiction(array: NDArray[np.int8], mines: int, budget: float | None = None) -> InconsistentBoard:
    """The error for a position that no layout agrees with.

    Its clues are minimal; if a budget is given and runs out, they are as few as were found by then.
    """
    broken = _broken_clue(array)
    if broken is not None:
        return InconsistentBoard(_describe_broken(array, broken), clues=[broken])
    search = _Search(array, budget)
    possible = possible_totals(array, budget)
    if not possible:
        clues = search.conflict()
        return InconsistentBoard(f"these clues cannot all be true: {_list_clues(array, clues)}", clues=clues)
    if mines < possible[0]:
        clues = search.excess(lambda totals: totals[0], mines)
    elif mines > possible[-1]:
        clues = search.excess(lambda totals: array.size - totals[-1], array.size - mines)
    else:
        clues = search.gap(mines)
    because = f" together with {_list_clues(array, clues)}" if clues else ""
    return InconsistentBoard(
        f"no layout has {mines} mines in total{because}; possible totals: {_ranges(possible)}",
        clues=clues,
        uses_mine_count=True,
        possible_mines=possible,
    )


class _Search:
    """Looks for few clues of a position that keep a contradiction."""

    def __init__(self, array: NDArray[np.int8], budget: float | None) -> None:
        self._array = array
        self._budget = budget
        self._end = float("inf") if budget is None else time.monotonic() + budget
        problem = Problem.of(Board.from_array(array, 0))
        self._clues = [clue.cell for clue in problem.clues]
        self._components = [[self._clues[k] for k in part.clues] for part in problem.components]

    def conflict(self) -> list[Cell]:
        """Clues that contradict each other."""
        for clues in self._components:
            if not self._totals(clues):
                return self._minimal(clues, lambda some: not self._totals(some))
        raise AssertionError("every component can be met")

    def excess(self, measure: Callable[[list[int]], int], limit: int) -> list[Cell]:
        """Clues whose components together make `measure` of their totals pass a limit.

        `measure` is what the clues demand beyond a board without clues: mines, or safe cells.
        """
        floor = measure(self._totals([]))
        demands = [measure(self._totals(clues)) - floor for clues in self._components]
        total = floor
        kept: list[int] = []
        for i in sorted(range(len(demands)), key=lambda i: -demands[i]):
            if total > limit:
                break
            kept.append(i)
            total += demands[i]
        found: list[Cell] = []
        for i in kept:
            others = total - demands[i]

            def passes(some: Sequence[Cell], others: int = others) -> bool:
                return others + measure(self._totals(some)) - floor > limit

            few = self._minimal(self._components[i], passes)
            total = others + measure(self._totals(few)) - floor
            found += few
        return sorted(found)

    def gap(self, mines: int) -> list[Cell]:
        """Clues that leave out a total between others."""
        return self._minimal(self._clues, lambda some: mines not in self._totals(some))

    def _totals(self, clues: Sequence[Cell]) -> list[int]:
        """The totals that some clues allow on the whole board."""
        array = self._array
        marked = int(np.count_nonzero(array == -2))
        hidden = int(np.count_nonzero(array == -1))
        if not clues:
            return list(range(marked, marked + hidden + 1))
        rows, columns = zip(*clues, strict=True)
        top, left = max(min(rows) - 1, 0), max(min(columns) - 1, 0)
        part = array[top : max(rows) + 2, left : max(columns) + 2]
        reduced = np.where(part >= 0, np.int8(SAFE), part)
        for r, c in clues:
            reduced[r - top, c - left] = array[r, c]
        inside = possible_totals(reduced, self._budget, lowest=SAFE)
        if not inside:
            return []
        outside_marked = marked - int(np.count_nonzero(part == -2))
        outside_hidden = hidden - int(np.count_nonzero(part == -1))
        possible = np.zeros(inside[-1] + 1, bool)
        possible[inside] = True
        totals = np.convolve(possible, np.ones(outside_hidden + 1, bool))
        return [outside_marked + int(n) for n in np.flatnonzero(totals)]

    def _minimal(self, clues: Sequence[Cell], contradicts: Callable[[Sequence[Cell]], bool]) -> list[Cell]:
        """A subset that still contradicts and of which no clue can be dropped."""
        kept = list(clues)
        portion = max(1, len(kept) // 2)
        while True:
            at = 0
            while at < len(kept):
                if time.monotonic() > self._end:
                    return kept
                fewer = kept[:at] + kept[at + portion :]
                if contradicts(fewer):
                    kept = fewer
                else:
                    at += portion
            if portion == 1:
                return kept
            portion = max(1, min(portion, len(kept)) // 2)


def _broken_clue(array: NDArray[np.int8]) -> Cell | None:
    """A clue that its own neighbours contradict."""
    bad = int(build(np.ascontiguousarray(array)).bad)
    return None if bad < 0 else (bad // array.shape[1], bad % array.shape[1])


def _describe_broken(array: NDArray[np.int8], cell: Cell) -> str:
    r, c = cell
    around = array[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2]
    marked = int(np.count_nonzero(around == -2))
    hidden = int(np.count_nonzero(around == -1))
    if marked > array[cell]:
        return f"the {array[cell]} at r{r}c{c} has {marked} known mines around it"
    return (
        f"the {array[cell]} at r{r}c{c} has room for at most {marked + hidden} mines: "
        f"{marked} known and {hidden} hidden neighbours"
    )


def _list_clues(array: NDArray[np.int8], clues: Sequence[Cell]) -> str:
    names = [f"the {array[cell]} at r{cell[0]}c{cell[1]}" for cell in clues]
    if len(names) > MOST_LISTED:
        names[MOST_LISTED - 1 :] = [f"{len(names) - MOST_LISTED + 1} more"]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as text: "3, 5–9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
