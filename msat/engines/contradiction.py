"""Why no layout agrees with a board: a minimal set of clues that cannot all be true.

Dropping a clue (keeping the cell as safe, without its number) can only allow more layouts. So clues are
dropped in ever smaller portions as long as the contradiction stays; what remains when single clues have
been tried is minimal: without any one of them the rest can be met. Usually one of them is a mistyped
number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from msat.encode._kernels import build
from msat.engines.counting import possible_totals
from msat.engines.passes import Budget
from msat.errors import Cell, InconsistentBoard

__all__ = ["contradiction"]

SAFE = -3


def contradiction(array: NDArray[np.int8], mines: int, budget: float | None = None) -> InconsistentBoard:
    """The error for a position that no layout agrees with."""
    clock = Budget(budget)

    def totals_of(clues: Sequence[Cell]) -> list[int]:
        clock.check(0)
        reduced = np.where(array >= 0, np.int8(SAFE), array)
        for cell in clues:
            reduced[cell] = array[cell]
        return possible_totals(reduced, budget, lowest=SAFE)

    broken = _broken_clue(array)
    if broken is not None:
        return InconsistentBoard(_describe_broken(array, broken), clues=[broken])
    every = [(int(r), int(c)) for r, c in zip(*np.nonzero(array >= 0), strict=True)]
    possible = totals_of(every)
    if not possible:
        clues = _minimal(every, lambda some: not totals_of(some))
        return InconsistentBoard(f"these clues cannot all be true: {_list_clues(array, clues)}", clues=clues)
    clues = _minimal(every, lambda some: mines not in totals_of(some))
    because = f" together with {_list_clues(array, clues)}" if clues else ""
    return InconsistentBoard(
        f"no layout has {mines} mines in total{because}; possible totals: {_ranges(possible)}",
        clues=clues,
        uses_mine_count=True,
        possible_mines=possible,
    )


def _minimal(clues: Sequence[Cell], contradicts: Callable[[Sequence[Cell]], bool]) -> list[Cell]:
    """A subset that still contradicts and of which no clue can be dropped."""
    kept = list(clues)
    portion = max(1, len(kept) // 2)
    while True:
        at = 0
        while at < len(kept):
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
