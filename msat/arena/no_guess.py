"""Layouts that logic alone solves from the start: boards worth playing for people who hate to guess.

Two ways, the quick one first:

- **Rejection.** Random layouts are played by complete logic until one is won. Every layout without a guess is
  equally likely to be found. One in six expert boards will do.
- **Repair.** Where boards are so dense that this would take for ever, the best layout so far is mended: where
  logic is stuck, one or two mines are moved from the edge of the unknown into it or the other way round, or,
  if that does not help, anywhere nearby (a fifty-fifty between walls of known mines is only broken by moving
  a wall). A change that does not lose ground is kept.

What is returned was won by logic from its start to its end; what cannot be found is an error, never a board
that needs a guess. With a difficulty, logic has only the techniques up to one (`msat/coach/techniques.py`),
and what it also wins without that one is passed over; that takes more random layouts, but not long.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import hurry
from msat.arena.boards import pcg_numbers, protected_cells
from msat.cells import HIDDEN, MINE, Cell
from msat.coach.techniques import BY_SUMS, level_of, play_up_to
from msat.constants import LAST_RULE
from msat.deadline import Budget, Deadline
from msat.errors import BudgetExceeded, LayoutError
from msat.interrupting import interruptible
from msat.layout import Layout
from msat.problem._kernels.grid import show_numbers
from msat.strategies._kernels.game import WON, lay
from msat.strategies._kernels.safest import go_on_exact
from msat.wording import argument, counted

__all__ = ["no_guess_layout"]

Mask = NDArray[np.bool_]

_SMALL = 150
"""Cells of a board for which no kernel need be compiled."""

_TRIES = 64
_TRIES_BY_LEVEL = 30_000
_BATCH = 64
_STEPS = 5_000
_STALE = 10
_LARGEST_SEED = (1 << 32) - 1

Progress = Callable[[int, int], None]

NOT_FOUND = "no layout that needs no guess was found"


class _Attempt(NamedTuple):
    """A layout, and how far logic gets on it."""

    mines: Mask
    board: NDArray[np.int8]
    opened: int
    won: bool
    fits: bool  # won, and as hard as it is meant to be


class _LayoutsTried:
    """What was tried so far, for messages and for whoever waits."""

    def __init__(self, most_tries: int, progress: Progress | None) -> None:
        self.most_tries = most_tries
        self.tries = self.repairs = 0
        self._progress = progress

    def note_try(self) -> None:
        self.tries += 1
        self._tell()

    def note_repair(self) -> None:
        self.repairs += 1
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.tries + self.repairs, self.most_tries + _STEPS)

    def __str__(self) -> str:
        repairs = f" and {self.repairs:,} repairs" if self.repairs else ""
        return f"{self.tries:,} tries{repairs}"


def no_guess_layout(
    height: int,
    width: int,
    mines: int,
    seed: int,
    start: Cell,
    first: str = "open",
    difficulty: str | None = None,
    budget: Budget = None,
    progress: Progress | None = None,
) -> Layout:
    """A layout that is solved from `start` without a guess; the same for the same arguments.

    `first` is as for `Layout.random`, except that the start itself never has a mine; `difficulty` is one of
    `gentle`, `normal`, `tricky`, `hard` and `fiendish`. Raises `LayoutError` if no such layout is found, and
    `BudgetExceeded` if that takes longer than the budget. `progress(done, of)` is called after each layout
    that was tried.

    >>> layout = no_guess_layout(9, 9, 20, seed=1, start=(4, 4))
    >>> from msat.player import play
    >>> play(layout, "logic").won, layout.mines
    (True, 20)
    >>> from msat.coach.difficulty import difficulty
    >>> difficulty(no_guess_layout(9, 9, 10, seed=1, start=(4, 4), difficulty="tricky")).name
    'tricky'
    """
    level = None if difficulty is None else level_of(difficulty)
    deadline = Deadline.of(budget)

    def drawn() -> Layout:
        return Layout.random(height, width, mines, seed=seed, start=start, first=first)

    checked = interruptible(drawn, deadline, NOT_FOUND)  # on a large board it takes a while to draw one
    if checked.start is None:
        raise LayoutError(f"a layout without guesses has a first click: give {argument('start', (0, 0))}")
    (height, width), mines, seed, start = checked.shape, checked.mines, index(seed), checked.start
    if seed > _LARGEST_SEED:
        raise LayoutError(f"{argument('seed', seed)} is too large here: give 0 to {_LARGEST_SEED}")
    protected = protected_cells(height, width, start, "safe" if first == "any" else first)
    if mines > protected.size - np.count_nonzero(protected):
        raise LayoutError(f"{mines} mines leave no free start on a {height}×{width} board: one fewer does")
    if height * width > _SMALL or (level is not None and level >= BY_SUMS):
        hurry()

    tried = _LayoutsTried(_TRIES if level is None else _TRIES_BY_LEVEL, progress)
    kind = f"{difficulty or ''} {height}×{width}".lstrip()
    wanted = f"no {kind} layout with {counted(mines, 'mine')} that needs no guess from {start} was found"

    def search() -> Layout | None:
        return _search(protected, mines, seed, start, level, deadline, tried)

    try:
        found = interruptible(search, deadline, wanted)
    except BudgetExceeded:
        raise BudgetExceeded(
            f"{wanted} {deadline.within()}, in {tried}: allow more time, or try fewer mines"
        ) from None
    if found is None:
        raise LayoutError(f"{wanted} in {tried}: try fewer mines, another seed or another start")
    return found


def _search(
    protected: Mask,
    mines: int,
    seed: int,
    start: Cell,
    level: int | None,
    deadline: Deadline,
    tried: _LayoutsTried,
) -> Layout | None:
    """Layouts are drawn until logic solves one, or for a while; then mines of the best of them are moved."""
    height, width = protected.shape
    best: _Attempt | None = None
    tries = tried.most_tries
    for number in range(tries):
        deadline.check(NOT_FOUND)
        if number % _BATCH == 0:
            batch = pcg_numbers(mines, seed, number, min(_BATCH, tries - number), protected)
        attempt = _play(batch[number % _BATCH] == MINE, start, level, deadline)
        tried.note_try()
        if best is None or attempt.opened > best.opened or attempt.fits:
            best = attempt
        if best.fits:
            break
    assert best is not None
    random = Random(seed)
    stale = 0
    while not best.fits:
        if tried.repairs == _STEPS:
            return None
        deadline.check(NOT_FOUND)
        changed = _moved(best, protected, random, desperate=stale > _STALE or best.won)
        attempt = _play(changed, start, level, deadline)
        tried.note_repair()
        stale = 0 if attempt.opened > best.opened else stale + 1
        if attempt.opened >= best.opened or attempt.fits:
            best = attempt
    return Layout(height, width, best.mines.tobytes(), start)


def _play(mines: Mask, start: Cell, level: int | None, deadline: Deadline) -> _Attempt:
    """How far logic gets, with all techniques or those up to a level, which must then be needed."""
    numbers = np.empty(mines.shape, np.int8)
    show_numbers(mines.view(np.int8), numbers)
    won, board = True, numbers
    if level is None or level > BY_SUMS:  # all techniques together are quicker than most of them
        total = int(np.count_nonzero(mines))
        table = lay(numbers, total, *start)
        won = go_on_exact(table, total, LAST_RULE, False, np.empty(mines.shape)) == WON
        board = table.board
    if level is not None and won:
        won, board = play_up_to(numbers, start, level, deadline)
    fits = won and (level in (None, 1) or not play_up_to(numbers, start, level - 1, deadline)[0])
    return _Attempt(mines, board, int(np.count_nonzero(board >= 0)), won, fits)


def _moved(attempt: _Attempt, protected: Mask, random: Random, desperate: bool) -> Mask:
    """The layout with one or two mines moved, so that the total stays."""
    mines = attempt.mines
    unknown = attempt.board == HIDDEN
    edge = unknown & _around(attempt.board >= 0)
    beyond = unknown & ~edge
    if desperate:
        near = _around(unknown)
        sources, targets = near, near if random.random() < 0.5 else np.ones_like(near)
    elif random.random() < 0.5:
        sources, targets = edge, _unless_empty(beyond & ~mines, unknown)
    else:
        sources, targets = _unless_empty(beyond & mines, unknown), edge
    changed = mines.copy()
    for _ in range(1 if random.random() < 0.7 else 2):
        source = _pick(sources & changed, random)
        target = _pick(targets & ~changed & ~protected, random)
        if source is not None and target is not None:
            changed[source], changed[target] = False, True
    return changed


def _around(cells: Mask) -> Mask:
    """The cells and all their neighbours."""
    h, w = cells.shape
    padded = np.pad(cells, 1)
    found = np.zeros_like(cells)
    for i in range(3):
        for j in range(3):
            found |= padded[i : i + h, j : j + w]
    return found


def _unless_empty(cells: Mask, otherwise: Mask) -> Mask:
    return cells if cells.any() else otherwise


def _pick(cells: Mask, random: Random) -> Cell | None:
    """One of the cells. Only `Random.random` is used: Python promises that it never changes."""
    found = np.flatnonzero(cells)
    if not len(found):
        return None
    position = int(found[int(random.random() * len(found))])
    return position // cells.shape[1], position % cells.shape[1]
