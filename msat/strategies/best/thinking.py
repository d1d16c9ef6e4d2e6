"""Time to think: a second opinion on an evaluated guess, by a search of some of the layouts.

A board may have far too many layouts to search (`engines/endgame/_kernels/search.py`). But a few thousand of
them, drawn at random and searched as if there were no others, tell which candidate leads to the better game.
They flatter all of them: few layouts are soon told apart, and a cell that is safe in all of them passes for
proven. That they do alike, nearly, and the less the more are drawn. What can never be told apart is drawn
together (`_kernels/selection.py`). So candidates are compared by score × share^TRUST: their evaluation, and
the share of the layouts drawn that is won after them.

It pays off late in the game, and does no better than the evaluation on boards with too many layouts:
docs/strength.md has the figures, also of playouts, which cost ten times as much for less.

Everything derives from the board, so with a number of layouts the answer is the same everywhere; with seconds
it depends on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, floor, inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.board import HIDDEN
from msat.constants import SAME_SCORE
from msat.deadline import Deadline, Interrupts
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.endgame.search import EndgameSearch, check_search_memory
from msat.strategies.best._kernels.selection import select_layouts
from msat.strategies.best.common_layouts import seed_of

__all__ = ["MOST_LAYOUTS", "Candidate", "Effort", "most_digits", "think"]

MANY, DIGITS_FOR_FEW, DIGITS_FOR_MANY = 3000, 8, 40
"""Boards with more than 10^40 layouts are not thought about, with fewer samples than MANY not beyond 10^8."""

MOST_HIDDEN = 1000
"""Nor are boards with more hidden cells: to prepare for drawing alone would take a tenth of a second."""

MOST_CANDIDATES = 6
"""How many are compared: those that the evaluation prefers."""

WIDTH, NARROW = 2, 20
"""How many moves the search tries at a guess, if one in so many layouts is drawn: then more are no better."""

TRUST = 4
"""How much the share of layouts won counts beside the evaluation; from 1 to 8 it makes no difference."""

FIRST_LAYOUTS, MOST_LAYOUTS = 1000, 128_000
"""With seconds: how many are drawn at first, and at the most."""

GROWTH = 3
"""With less time left than so many times what the last search took, one of twice as many is not begun."""

NODES_PER_LAYOUT = 50
"""A guard; most boards take about one for each layout drawn."""

_STREAM = 2  # 1 is that of estimates, see `coach/best_move.py`


class Effort(NamedTuple):
    """How many layouts to search, and how many seconds to take; 0 is no limit, but one there must be."""

    layouts: int = 0
    seconds: float = 0.0


class Candidate(NamedTuple):
    """A cell, as its position, its score, which is what the evaluation thinks of it, and how safe it is."""

    cell: int
    score: float
    safety: float


class _CountedBoard(NamedTuple):
    """A board, its mines, and the logarithm of the number of its layouts."""

    grid: NDArray[np.int8]  # always of one kind: for another one kernels would be compiled once more
    mines: int
    log_layouts: float


def most_digits(effort: Effort) -> int:
    """Boards with more than 10 to this power of layouts are not worth it."""
    return DIGITS_FOR_FEW if 0 < effort.layouts < MANY and not effort.seconds else DIGITS_FOR_MANY


def think(
    board: NDArray[np.int8],
    mines: int,
    candidates: Sequence[Candidate],
    effort: Effort,
    log_layouts: float,
    in_order: bool = True,
) -> list[int] | None:
    """The order of the candidates, as indices; None where nothing was searched to its end.

    They come in the order of their scores, which are positive, and `board`, which has so many layouts, has
    its proven mines marked. Not `in_order`, which takes less time, only the best is moved to the front.
    """
    if np.count_nonzero(board == HIDDEN) > MOST_HIDDEN:
        return None
    position = _CountedBoard(np.array(board, np.int8, order="C"), mines, log_layouts)
    compared = candidates[:MOST_CANDIDATES]
    if effort.seconds:
        _shares(position, compared, 1, Deadline(None), in_order)  # so that kernels are loaded before
    deadline = Deadline(effort.seconds or None)
    shares = None
    took = 0.0
    for layouts in _sizes(effort):
        if not deadline.allows(GROWTH * took):
            break
        before = deadline.left() or 0.0
        found = _shares(position, compared, layouts, deadline, in_order)
        if found is None:
            break
        shares = found
        took = before - (deadline.left() or 0.0)
    if shares is None:
        return None
    merits = [_merit(*pair) for pair in zip(compared, shares, strict=True)]
    order = sorted(range(len(compared)), key=merits.__getitem__, reverse=True)
    return order + list(range(len(compared), len(candidates)))


def _sizes(effort: Effort) -> Iterator[int]:
    """How many layouts to search, one after the other."""
    if not effort.seconds:
        if effort.layouts:
            yield effort.layouts
        return
    most = effort.layouts or MOST_LAYOUTS
    layouts = min(FIRST_LAYOUTS, most)
    while True:
        yield layouts
        if layouts == most:
            return
        layouts = min(2 * layouts, most)


def _shares(
    position: _CountedBoard, candidates: Sequence[Candidate], layouts: int, deadline: Deadline, in_order: bool
) -> list[float] | None:
    """What share of so many layouts is won after each move; None where time or memory do not suffice.

    Not `in_order`, it is 0 for those that are no better than one before, which is found out sooner.
    """
    grid, mines, log_layouts = position
    width = WIDTH if log_layouts > log(NARROW * layouts) else None
    shares: list[float] = []
    best = -inf
    try:
        with Interrupts():
            check_search_memory(2 * layouts, int(np.count_nonzero(grid == HIDDEN)))
            drawn = select_layouts(grid, mines, layouts, seed_of(grid, mines, _STREAM))
            status, cells, values, families = drawn
            if status != ANSWERED:
                return None
            search = EndgameSearch(values, families, width)
        for candidate in candidates:
            column = int(np.searchsorted(cells, candidate.cell))
            # That a guess is safe in more or fewer of the layouts drawn is luck: how safe it is is known.
            safe = int(np.count_nonzero(values[:, column] >= 0))
            weight = candidate.safety / max(1, safe)
            need = (
                0
                if in_order
                else floor((1 - SAME_SCORE) * exp((best - log(candidate.score)) / TRUST) / weight) + 1
            )
            wins = search.wins_if(column, NODES_PER_LAYOUT * layouts, deadline, need)
            if wins is None or deadline.over():
                return None
            shares.append(weight * wins if wins >= need else 0.0)
            best = max(best, _merit(candidate, shares[-1]))
    except MemoryError:
        return None
    return shares


def _merit(candidate: Candidate, share: float) -> float:
    """The logarithm of score × share^TRUST."""
    return log(candidate.score) + TRUST * log(share) if share else -inf
