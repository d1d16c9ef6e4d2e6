"""Questions about a position, answered: `analyze` and `Analysis`. Arrays and many boards: `msat/batch.py`.

This layer checks what comes in, picks the engine and puts answers into the form of the public API. The
engines do the work; see `msat/engines/`. Solvers are heavy packages: each is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property, partial
from math import isnan, log10
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from msat import svg
from msat.board import MINE, Board, Cell, check_board
from msat.cells import cells_object
from msat.deadline import NO_MEMORY, Budget, Deadline
from msat.engines.counting._kernels.answer import PROVEN_MINE, PROVEN_SAFE
from msat.engines.counting.numbers import NUMBERS, Numbers, exact_numbers, numbers_of_cells
from msat.engines.protocol import Counts
from msat.engines.registry import ENGINES, load
from msat.errors import BudgetExceeded, CellError, InconsistentBoard, WrongType
from msat.kinds import flag, several
from msat.notebook import figure
from msat.wording import cell_name, quoted, shown

__all__ = ["ENGINES", "Analysis", "analyze"]

LONGEST_NUMBER = 4000
"""Digits up to which a JSON answer holds a number: Python's own reader takes no more than 4300."""


class Analysis:
    """What follows from a board.

    >>> import msat
    >>> a = msat.analyze(msat.Board.parse("??1/3?2/??? 3"))
    >>> a.solutions, a.exact(0, 0)
    (4, Fraction(1, 2))
    """

    _board: Board
    _complete: bool
    _verdict: NDArray[np.int8]
    _start_counting: Callable[[], Counts]
    _budget: Budget

    def __init__(
        self,
        board: Board,
        verdict: NDArray[np.int8],
        probability: NDArray[np.float64] | None,
        count: Callable[[], Counts],
        complete: bool = True,
        budget: Budget = None,
    ) -> None:
        self.__dict__.update(
            _board=board, _complete=complete, _verdict=verdict, _start_counting=count, _budget=budget
        )
        if probability is not None:
            self.__dict__["probability"] = _locked(probability)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an analysis is a value: its {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an analysis is a value: its {name!r} cannot be removed")

    def __repr__(self) -> str:
        return f"<Analysis of {self.board!r}: {len(self.safe)} safe, {len(self.mined)} mined>"

    @property
    def board(self) -> Board:
        """The board that was analysed."""
        return self._board

    @property
    def complete(self) -> bool:
        """Whether there are counts and probabilities; if not, the forced cells are all that is known."""
        return self._complete

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Every hidden cell that no layout has a mine in: proven, the mine total included."""
        return self._cells(PROVEN_SAFE)

    @cached_property
    def mined(self) -> frozenset[Cell]:
        """Every hidden, unmarked cell that every layout has a mine in."""
        return self._cells(PROVEN_MINE)

    @cached_property
    def solutions(self) -> int:
        """The number of layouts that agree with the board, exactly."""
        with self._telling_what_is_proven():
            return self._count.solutions

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """P(mine) of every hidden cell, 1.0 at known mines, nan at revealed cells.

        In an analysis that is not `complete`, also nan at hidden cells that are not forced.
        """
        rows = self.board.to_array()
        probability = np.where(rows == MINE, 1.0, np.nan)
        with self._telling_what_is_proven():
            for cell in self.board.hidden:
                probability[cell] = self._count.probability(*cell)
        return _locked(probability)

    @overload
    def exact(self, r: int, c: int) -> Fraction: ...
    @overload
    def exact(self, r: Cell) -> Fraction: ...

    def exact(self, r: int | Cell, c: int | None = None) -> Fraction:
        """The probability of a mine at a cell that is not revealed, exactly; by row and column, or by cell.

        >>> import msat
        >>> a = msat.analyze(msat.Board.parse("1??/??? 1"))
        >>> a.exact(0, 1), a.exact((0, 2))
        (Fraction(1, 3), Fraction(0, 1))
        """
        r, c = _row_and_column(r, c)
        value = self.board[r, c]
        if value >= 0:
            raise CellError(
                f"{cell_name((r, c))} is revealed (it shows {value}): give a hidden or marked cell"
            )
        if value == MINE:
            return Fraction(1)
        with self._telling_what_is_proven():
            return self._count.probability(r, c)

    @cached_property
    def rest_probability(self) -> float | None:
        """P(mine) of a hidden cell that no clue touches; None if there is no such cell."""
        for cell in self.board.hidden:
            if all(self.board[n] < 0 for n in self.board.neighbours(cell)):
                return float(self.probability[cell])
        return None

    @overload
    def numbers(self, r: int, c: int) -> tuple[Fraction, ...]: ...
    @overload
    def numbers(self, r: Cell) -> tuple[Fraction, ...]: ...

    def numbers(self, r: int | Cell, c: int | None = None) -> tuple[Fraction, ...]:
        """For a cell that is not revealed: the chance that it is safe and shows 0, 1, … 8, exactly.

        The nine chances add up to the cell's safety.

        >>> import msat
        >>> a = msat.analyze(msat.Board.parse("1??/??? 1"))
        >>> [str(chance) for chance in a.numbers(0, 1)]
        ['0', '2/3', '0', '0', '0', '0', '0', '0', '0']
        """
        r, c = _row_and_column(r, c)
        if self.exact(r, c) == 1:  # which also refuses a cell that is revealed
            return (Fraction(0),) * NUMBERS
        with self._telling_what_is_proven():
            found = exact_numbers(self.board.to_array(), self.board.mines, (r, c), self._budget)
        return tuple(Fraction(layouts, self.solutions) for layouts in found)

    @cached_property
    def number_chances(self) -> NDArray[np.float64]:
        """`numbers` of all cells at once, in doubles: an array (h, w, 9), nan at revealed cells."""
        chances = self._numbers.chance.copy()
        chances[self.board.to_array() >= 0] = np.nan
        return _locked(chances)

    @property
    def opening(self) -> NDArray[np.float64]:
        """The chance of a 0, which opens all around it, in every hidden cell; nan at revealed cells."""
        return self.number_chances[:, :, 0]

    @cached_property
    def dead(self) -> frozenset[Cell]:
        """Hidden cells that would show the same number in every layout in which they are safe.

        To open one tells nothing but that it is safe. A cell that is never safe is a mine, and not dead.

        >>> import msat
        >>> sorted(msat.analyze(msat.Board.parse("1??/??? 1")).dead)
        [(0, 1), (1, 0), (1, 1)]
        """
        rows, columns = np.nonzero(np.count_nonzero(self._numbers.possible, axis=2) == 1)
        return frozenset(zip(rows.tolist(), columns.tolist(), strict=True))

    @cached_property
    def _numbers(self) -> Numbers:
        with self._telling_what_is_proven():
            if not self.complete:
                self._count  # says why there are no counts  # noqa: B018
            return numbers_of_cells(self.board.to_array(), self.board.mines, self.probability, self._budget)

    def to_object(self, fields: Collection[str] | None = None) -> dict[str, Any]:
        """Plain JSON values, or just those fields that are asked for: what they do not need is not computed.

        They are documented in the help of `msat solve`. Where the board could not be counted, what depends on
        that is None.

        >>> import msat
        >>> msat.analyze(msat.Board.parse("1??/??? 1")).to_object(["safe", "solutions"])
        {'safe': [[0, 2], [1, 2]], 'solutions': 3}
        """
        if fields is not None:
            fields = frozenset(map(str, several(fields, "fields", "the names of fields, or None")))
        return {name: _FIELDS[name](self) for name in _FIELDS if fields is None or name in fields}

    @cached_property
    def known_probability(self) -> NDArray[np.float64]:
        """The probabilities, or where the board could not be counted those of the cells that are forced."""
        try:
            return self.probability
        except BudgetExceeded:
            known = np.where(self.board.to_array() == MINE, 1.0, np.nan)
            known[self._verdict == PROVEN_SAFE] = 0.0
            known[self._verdict == PROVEN_MINE] = 1.0
            return _locked(known)

    def _cells(self, verdict: int) -> frozenset[Cell]:
        rows, columns = np.nonzero(self._verdict == verdict)
        return frozenset(zip(rows.tolist(), columns.tolist(), strict=True))

    @cached_property
    def _count(self) -> Counts:
        try:
            return self._start_counting()
        except MemoryError:
            raise BudgetExceeded(NO_MEMORY) from None
        except BudgetExceeded as error:
            # Whoever asks for the next number is told the same at once: the budget is used up.
            self.__dict__["_start_counting"] = partial(_unavailable, error)
            raise

    @contextmanager
    def _telling_what_is_proven(self) -> Iterator[None]:
        """Let a count that ends at its budget say which cells are known all the same."""
        try:
            yield
        except BudgetExceeded as error:
            raise BudgetExceeded(str(error), error.width, self.safe, self.mined) from None

    def __eq__(self, other: object) -> bool:
        """Whether it is of the same board, and found as much: an answer depends on nothing else."""
        if not isinstance(other, Analysis):
            return NotImplemented
        return (self.board, self.complete) == (other.board, other.complete)

    def __hash__(self) -> int:
        return hash((self.board, self.complete))

    def _repr_html_(self) -> str:
        picture = svg.drawn(svg.board, self.board, overlay=self.known_probability)
        lines = [f"proven safe: {len(self.safe)}", f"proven mines: {len(self.mined)}"]
        try:
            lines.insert(0, f"layouts: {shown(self.solutions)}")
        except BudgetExceeded:
            return figure(picture, ["layouts: too many to be counted", *lines])
        if self.board.hidden and not self.safe:
            cell = min(self.board.hidden, key=lambda each: (float(self.probability[each]), each))
            lines.append(f"least risk: {cell_name(cell)}, {float(self.probability[cell]):.2%}")
        return figure(picture, lines)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "probability" in state:
            _locked(state["probability"])  # which pickles do not tell

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for large in (
            "_count",
            "_numbers",
            "number_chances",
            "known_probability",
        ):  # made anew on demand
            state.pop(large, None)
        return state


def _locked(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """The array, which nobody can change from now on: an answer is a value."""
    array.flags.writeable = False
    return array


def _solutions_field(analysis: Analysis) -> int | str | None:
    try:
        return _portable(analysis.solutions)
    except BudgetExceeded:
        return None


def _logarithm_field(analysis: Analysis) -> float | None:
    try:
        return log10(analysis.solutions)
    except BudgetExceeded:
        return None


def _probability_field(analysis: Analysis) -> list[list[float | None]]:
    probability = analysis.known_probability
    rows = probability.astype(object)
    rows[np.isnan(probability)] = None  # JSON has no nan
    found: list[list[float | None]] = rows.tolist()
    return found


def _rest_field(analysis: Analysis) -> float | None:
    try:
        rest = analysis.rest_probability
    except BudgetExceeded:
        return None
    return None if rest is None or isnan(rest) else rest


_FIELDS: dict[str, Callable[[Analysis], Any]] = {
    "height": lambda analysis: analysis.board.height,
    "width": lambda analysis: analysis.board.width,
    "mines": lambda analysis: analysis.board.mines,
    "safe": lambda analysis: cells_object(analysis.safe),
    "mined": lambda analysis: cells_object(analysis.mined),
    "probability": _probability_field,
    "solutions": _solutions_field,
    "solutions_log10": _logarithm_field,
    "rest_probability": _rest_field,
}
"""How the fields of an answer are made, in the order in which they are sent."""


def _portable(number: int) -> int | str:
    """`number`, as text where it is so long that readers of JSON refuse it.

    >>> _portable(10**3999) == 10**3999, _portable(10**4000) == "1" + "0" * 4000
    (True, True)
    """
    return number if number < 10**LONGEST_NUMBER else str(number)


def _row_and_column(r: int | Cell, c: int | None) -> Cell:
    """A cell, given as one or as two numbers."""
    if c is not None:
        return r, c  # type: ignore[return-value]  # the board looks at it
    if not isinstance(r, tuple | list) or len(r) != 2:
        raise WrongType(f"{quoted(r)} is not a cell: give a row and a column, or a cell (row, column)")
    return r[0], r[1]


def analyze(board: Board, engine: str = "auto", budget: Budget = None, check: bool = False) -> Analysis:
    """Every forced cell and the probability of every other, exactly.

    The engines answer alike: `counting` (what `auto` uses) by dynamic programming, `sat` and `cpsat` by
    solvers, `ganak` by the model counter of that name. The last three find forced cells at once, and count
    when counts or probabilities are first asked for. `sat:glucose4` is `sat` with another solver than its
    own, `sat:glucose4:totalizer` also with another encoding.

    `budget` limits the time, in seconds, of this call and of the first exact number asked for. What needs
    more raises `BudgetExceeded`, which carries the cells that were proven. Where a frontier is too wide to be
    counted, `auto` asks the SAT engine for the forced cells; the analysis is then not `complete`. A board
    that no layout agrees with raises `InconsistentBoard`.

    With `check`, all of the answer is proven a second time in another way (see `msat/check.py`), within the
    same budget; what does not agree raises `CheckFailed`, which prints the position to report.

    >>> import msat
    >>> board = msat.Board.parse("1??/??? 1")
    >>> sorted(msat.analyze(board).safe)
    [(0, 2), (1, 2)]
    >>> msat.analyze(board, engine="sat").solutions
    3
    """
    check_board(board, "analyze")
    if not flag(check, "check"):
        return _analyze(board, engine, budget)
    from msat.check import check_answer, check_contradiction

    deadline = Deadline.of(budget)
    try:
        analysis = _analyze(board, engine, budget, deadline)
    except InconsistentBoard:
        check_contradiction(board, deadline)
        raise
    if analysis.complete:
        # Which is checked as well, in the same time.
        analysis.__dict__["_count"] = load(engine).count(board, deadline)
    check_answer(analysis, engine, deadline)
    return analysis


def _analyze(board: Board, engine: str, budget: Budget, deadline: Deadline | None = None) -> Analysis:
    """The answer of an engine, not checked. `budget` is for what is asked later; for now too, by default."""
    asked = load(engine)
    try:
        found = asked.answer(board, deadline or budget)
    except MemoryError:
        raise BudgetExceeded(NO_MEMORY) from None
    if found.uncounted is not None:
        uncounted = partial(_unavailable, found.uncounted)
        return Analysis(board, found.verdict, found.probability, uncounted, complete=False)
    exact = partial(asked.count, board, budget)
    return Analysis(board, found.verdict, found.probability, exact, budget=budget)


def _unavailable(error: BudgetExceeded) -> Counts:
    raise BudgetExceeded(str(error), error.width)
