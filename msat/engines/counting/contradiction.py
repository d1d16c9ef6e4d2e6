"""Why no layout agrees with a board: a minimal set of clues that cannot all be true.

Dropping a clue (keeping the cell as safe, without its number) can only allow more layouts. So clues are
dropped in ever smaller portions as long as the contradiction stays; what remains when single clues have been
tried is minimal: without any one of them the rest can be met. Usually one of them is a mistyped number.

Clues that contradict each other lie in one component, and a total that is too small (or too large) is so
because the least (the most) numbers of mines of all components add up: each question is put to a small part
of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from msat.board import Board, Cell
from msat.constants import HIDDEN, LAST_RULE, MINE, SAFE
from msat.deadline import Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED, WIDE
from msat.engines.counting._kernels.mine_range import mine_range
from msat.engines.counting._kernels.tape import Tape, new_tape
from msat.engines.counting.blame import blamed_marks
from msat.engines.counting.possible_totals import possible_totals
from msat.errors import BudgetExceeded, InconsistentBoard
from msat.interrupting import interruptible
from msat.problem._kernels.boxes import build
from msat.problem._kernels.workspace import new_workspace
from msat.problem.problem import Problem
from msat.wording import cell_name, clue_name, counted, enumerate_words

__all__ = ["contradiction"]

Clues = NDArray[np.int64]
"""Where some clues stand: row · width + column."""

NO_CLUES = np.empty(0, np.int64)

Bounds = tuple[int, int]
"""The fewest and the most mines."""

MOST_STATES = 1 << 18
"""States that the bounds of a component may take by the quick way."""

MOST_LISTED = 8


def contradiction(array: NDArray[np.int8], mines: int, budget: Budget = None) -> InconsistentBoard:
    """The error for a position that no layout agrees with.

    Its marks and clues are minimal; if a budget is given and runs out, they are as few as were found by then,
    or none, and it tells so.
    """
    deadline = Deadline.of(budget)
    try:
        found = interruptible(lambda: _contradiction(array, mines, deadline), deadline)
    except BudgetExceeded:
        said = f"no layout agrees with the board; why was not found {deadline.within()}"
        return InconsistentBoard(said, minimal=False)
    if not found.minimal:
        found.args = (f"{found} (fewer may suffice: that was not found out {deadline.within()})",)
    return found


def _contradiction(array: NDArray[np.int8], mines: int, deadline: Deadline) -> InconsistentBoard:
    array, marks, all_tried = blamed_marks(array, mines, deadline)
    broken = _broken_clue(array)
    if broken is not None:
        said = _blame(marks, _list_clues(array, [broken])) if marks else _describe_broken(array, broken)
        return InconsistentBoard(said, clues=[broken], marks=marks, minimal=all_tried)
    search = _ClueReduction(array, deadline)
    possible = possible_totals(array, deadline)
    if not possible:
        clues = search.conflict()
        listed = _list_clues(array, clues)
        said = _blame(marks, listed) if marks else f"these clues cannot all be true: {listed}"
        return InconsistentBoard(said, clues=clues, marks=marks, minimal=all_tried and search.all_tried)
    if mines < possible[0]:
        clues = search.excess(lambda bounds: bounds[0], mines)
    elif mines > possible[-1]:
        clues = search.excess(lambda bounds: array.size - bounds[1], array.size - mines)
    else:
        clues = search.gap(mines)
    if marks:
        said = _blame(
            marks, f"the mine total {mines}" + (f" and {_list_clues(array, clues)}" if clues else "")
        )
    else:
        because = f" together with {_list_clues(array, clues)}" if clues else ""
        said = f"no layout has {counted(mines, 'mine')} in total{because}"
    return InconsistentBoard(
        f"{said}; possible totals: {_ranges(possible)}",
        clues=clues,
        uses_mine_count=True,
        possible_mines=possible,
        marks=marks,
        minimal=all_tried and search.all_tried,
    )


class _ClueReduction:
    """Looks for few clues of a position that keep a contradiction."""

    def __init__(self, array: NDArray[np.int8], deadline: Deadline) -> None:
        self._array = array
        self._deadline = deadline
        self.all_tried = True
        """Whether there was time to try to do without each clue."""
        self._marked = int(np.count_nonzero(array == MINE))
        self._hidden = int(np.count_nonzero(array == HIDDEN))
        self._tape = self._new_tape(1 << 12)
        problem = Problem.of(Board.from_array(array, 0), deadline=deadline)
        width = array.shape[1]
        self._clues: Clues = np.array([r * width + c for r, c in (k.cell for k in problem.clues)], np.int64)
        self._components = [self._clues[list(part.clues)] for part in problem.components]

    def conflict(self) -> list[Cell]:
        """Clues that contradict each other."""
        for clues in self._components:
            if self._bounds(clues) is None:
                return self._cells(self._minimal(clues, lambda some: self._bounds(some) is None))
        raise AssertionError("every component can be met")

    def excess(self, measure: Callable[[Bounds], int], limit: int) -> list[Cell]:
        """Clues whose components together make `measure` of their bounds pass a limit.

        `measure` is what the clues demand beyond a board without clues: mines, or safe cells.
        """
        floor = measure((self._marked, self._marked + self._hidden))

        def demand(clues: Clues) -> int:
            bounds = self._bounds(clues)
            assert bounds is not None, "there are totals that agree with all clues"
            return measure(bounds) - floor

        demands = [demand(clues) for clues in self._components]
        total = floor
        kept: list[int] = []
        for i in sorted(range(len(demands)), key=lambda i: -demands[i]):
            if total > limit:
                break
            kept.append(i)
            total += demands[i]
        found: list[Clues] = []
        for i in kept:
            others = total - demands[i]

            def passes(some: Clues, others: int = others) -> bool:
                return others + demand(some) > limit

            few = self._minimal(self._components[i], passes)
            total = others + demand(few)
            found.append(few)
        return self._cells(np.sort(np.concatenate([NO_CLUES, *found])))

    def gap(self, mines: int) -> list[Cell]:
        """Clues that leave out a total between others."""
        return self._cells(self._minimal(self._clues, lambda some: mines not in self._totals(some)))

    def _cells(self, clues: Clues) -> list[Cell]:
        width = self._array.shape[1]
        return [(int(at) // width, int(at) % width) for at in clues]

    def _part(self, clues: Clues) -> tuple[NDArray[np.int8], int, int]:
        """The part of the board that some clues touch, without other numbers, and the marked and hidden
        cells outside it."""
        array = self._array
        if not clues.size:
            return array[:0], self._marked, self._hidden
        rows, columns = np.divmod(clues, array.shape[1])
        top, left = max(int(rows.min()) - 1, 0), max(int(columns.min()) - 1, 0)
        part = array[top : int(rows.max()) + 2, left : int(columns.max()) + 2]
        marked = self._marked - int(np.count_nonzero(part == MINE))
        hidden = self._hidden - int(np.count_nonzero(part == HIDDEN))
        reduced = np.where(part >= 0, np.int8(SAFE), part)
        reduced[rows - top, columns - left] = array[rows, columns]
        return reduced, marked, hidden

    def _bounds(self, clues: Clues) -> Bounds | None:
        """The fewest and the most mines that some clues allow on the whole board; None if they contradict."""
        part, marked, hidden = self._part(clues)
        if not part.size:
            return marked, marked + hidden
        status, fewest, most = mine_range(part, SAFE, LAST_RULE, self._tape)
        while status == WIDE and self._tape.low.size < MOST_STATES:
            self._tape = self._new_tape(4 * self._tape.low.size)
            status, fewest, most = mine_range(part, SAFE, LAST_RULE, self._tape)
        if status == WIDE:
            totals = self._totals(clues)
            return (totals[0], totals[-1]) if totals else None
        return (marked + fewest, marked + most + hidden) if status == ANSWERED else None

    def _new_tape(self, states: int) -> Tape:
        return new_tape(self._array.size + 2, states, 2 * states, 1, new_workspace(0))

    def _totals(self, clues: Clues) -> list[int]:
        """The totals that some clues allow on the whole board."""
        part, marked, hidden = self._part(clues)
        if not part.size:
            return list(range(marked, marked + hidden + 1))
        inside = possible_totals(part, self._deadline, lowest=SAFE)
        if not inside:
            return []
        possible = np.zeros(inside[-1] + 1, bool)
        possible[inside] = True
        totals = np.convolve(possible, np.ones(hidden + 1, bool))
        return [marked + int(n) for n in np.flatnonzero(totals)]

    def _minimal(self, clues: Clues, contradicts: Callable[[Clues], bool]) -> Clues:
        """A subset that still contradicts, and of which no clue can be dropped unless the time is over."""
        kept = clues
        portion = max(1, len(kept) // 2)
        try:
            while True:
                before = len(kept)
                at = 0
                while at < len(kept):
                    self._deadline.check("not minimal")
                    fewer = np.concatenate((kept[:at], kept[at + portion :]))
                    if contradicts(fewer):
                        kept = fewer
                    else:
                        at += portion
                if portion == 1:
                    break
                # Where most clues are needed, portions of any size waste questions about nearly the whole
                # board.
                few_dropped = 4 * len(kept) > 3 * before
                portion = 1 if few_dropped else max(1, min(portion, len(kept)) // 2)
        except BudgetExceeded:
            self.all_tried = False
        return kept


def _broken_clue(array: NDArray[np.int8]) -> Cell | None:
    """A clue that its own neighbours contradict."""
    bad = int(build(np.ascontiguousarray(array)).bad)
    return None if bad < 0 else (bad // array.shape[1], bad % array.shape[1])


def _describe_broken(array: NDArray[np.int8], cell: Cell) -> str:
    r, c = cell
    clue = clue_name(array[cell], cell)
    around = array[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2]
    marked = int(np.count_nonzero(around == MINE))
    hidden = int(np.count_nonzero(around == HIDDEN))
    if marked > array[cell]:
        return f"{clue} has {counted(marked, 'known mine')} around it"
    if not marked + hidden:
        return f"{clue} has no hidden cell and no mine around it"
    room = counted(marked + hidden, "mine")
    return f"{clue} has room for at most {room}: {marked} known and {counted(hidden, 'hidden neighbour')}"


def _blame(marks: Sequence[Cell], causes: str) -> str:
    """That marks are wrong, and by what."""
    names = _shortened([cell_name(cell) for cell in marks])
    if not marks[1:]:
        return f"the mark at {names} is wrong, by {causes}"
    return f"the marks at {names} cannot all be right, by {causes}"


def _list_clues(array: NDArray[np.int8], clues: Sequence[Cell]) -> str:
    return _shortened([clue_name(array[cell], cell) for cell in clues])


def _shortened(names: list[str]) -> str:
    """Names in a row; of very many only the first."""
    if len(names) > MOST_LISTED:
        names = [*names[: MOST_LISTED - 1], f"{len(names) - MOST_LISTED + 1} more"]
    return enumerate_words(names)


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as text: "3, 5–9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
