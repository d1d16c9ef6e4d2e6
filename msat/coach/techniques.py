"""Techniques: how hard it is to find what is forced, from one number to the count of all mines.

A *knowledge* is the board as an array, with what was found so far: −1 unknown, −2 mine, −3 safe but not
opened, 0…8 revealed. The first three techniques look at so many numbers at once (`_kernels/techniques.py`);
*case by case* is all that the numbers force together, and *the mine count* is all that is forced. Sums end at
five numbers: with longer ones next to nothing would be left for cases (`docs/essays/explanations.md`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from msat.board import Cell
from msat.coach._kernels.techniques import MOST_SUMMED, climb, find_clues, list_clues
from msat.constants import HIDDEN, MINE, SAFE
from msat.deadline import Deadline
from msat.engines.counting._kernels.answer import ANSWERED, PROVEN_MINE, PROVEN_SAFE
from msat.engines.counting.engine import count_array
from msat.errors import UnknownName
from msat.kinds import is_name

__all__ = [
    "BY_CASES",
    "BY_COUNT",
    "BY_SUMS",
    "NAMES",
    "TECHNIQUES",
    "Knowledge",
    "easiest_clues",
    "forced_by",
    "level_of",
    "note_forced",
    "play_up_to",
]

Knowledge = NDArray[np.int8]

TECHNIQUES = (
    "counting one number",
    "two numbers",
    "three numbers or more, by sums",
    "case by case",
    "the mine count",
)
"""In the order of their difficulty, counted from 1 …"""

NAMES = ("gentle", "normal", "tricky", "hard", "fiendish")
"""… and what a board is called whose hardest step needs each."""

BY_SUMS, BY_CASES, BY_COUNT = 3, 4, 5


def level_of(name: str) -> int:
    """The number of the technique that a difficulty of this name needs.

    >>> level_of("gentle"), level_of("fiendish")
    (1, 5)
    """
    if not is_name(name, NAMES):
        raise UnknownName.of("difficulty", name, NAMES)
    return NAMES.index(name) + 1


def easiest_clues(known: Knowledge) -> tuple[Cell, ...]:
    """The fewest clues, at most five, that settle an unknown cell; none where that takes more.

    One and two clues settle whatever they can; more do by sums.

    >>> easiest_clues(np.array([[-1, -1, -1], [1, 1, -1]], np.int8))
    ((1, 0), (1, 1))
    """
    chosen = np.empty(MOST_SUMMED, np.int64)
    number = find_clues(known, 1, MOST_SUMMED, chosen)
    at = list_clues(known).at[chosen[:number]]
    return tuple(sorted(divmod(int(x), known.shape[1]) for x in at))


def forced_by(
    known: Knowledge,
    clues: Iterable[Cell] | None = None,
    mines: int | None = None,
    deadline: Deadline | None = None,
) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """(safe, mines): the unknown cells that some clues settle, or all; with the mine total or without it.

    >>> forced_by(np.array([[-1, -1, -1], [1, 1, -1]], np.int8), [(1, 0), (1, 1)])
    (frozenset({(0, 2), (1, 2)}), frozenset())
    """
    grid = known
    if clues is not None:
        grid = np.where(known >= 0, np.int8(SAFE), known)
        for clue in clues:
            grid[clue] = known[clue]
    total = mines
    if total is None:
        # Without the total: as many cells far away as there are unknown ones, and as many mines in all.
        h, w = known.shape
        unknown = int(np.count_nonzero(known == HIDDEN))
        rows = -(-unknown // w) + 1
        far = np.full((h + 1 + rows, w), HIDDEN, np.int8)
        far[:h], far[h] = grid, SAFE
        grid, total = far, unknown + int(np.count_nonzero(known == MINE))
    found = count_array(np.ascontiguousarray(grid), total, deadline, lowest=SAFE)
    assert found.status == ANSWERED  # whoever knows these things knows a layout that agrees
    verdict = np.where(known == HIDDEN, found.verdict[: known.shape[0]], 0)
    safe, mined = (
        frozenset((r, c) for r, c in np.argwhere(verdict == proven).tolist())
        for proven in (PROVEN_SAFE, PROVEN_MINE)
    )
    return safe, mined


def note_forced(known: Knowledge, safe: Iterable[Cell], mined: Iterable[Cell]) -> None:
    """Write what was found into a knowledge."""
    for cells, value in ((safe, SAFE), (mined, MINE)):
        for cell in cells:
            known[cell] = value


def play_up_to(
    numbers: NDArray[np.int8], start: Cell, level: int, deadline: Deadline | None = None
) -> tuple[bool, Knowledge]:
    """Whether a layout is solved from its start by the techniques up to a level, and how far they get."""
    known = np.full(numbers.shape, HIDDEN, np.int8)
    known[start] = SAFE
    mines = int(np.count_nonzero(numbers == MINE))
    while climb(numbers, known, min(level, BY_SUMS)):
        found = frozenset[Cell](), frozenset[Cell]()
        if level >= BY_CASES:
            found = forced_by(known, deadline=deadline)
        if level >= BY_COUNT and not any(found):
            found = forced_by(known, None, mines, deadline)
        if not any(found):
            return False, known
        note_forced(known, *found)
    return True, known
