"""Questions about a position, answered: `analyze`, `probabilities`, `analyze_many`.

This layer checks what comes in, picks the engine and puts answers into the form of the public API. The
engines do the work; see `msat/engines/`. Solvers are heavy packages: each is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from msat._jit import hurry
from msat.board import MINE, Board, Cell, check_board
from msat.cells import check_workers
from msat.deadline import Deadline
from msat.engines.counting._kernels.answer import PROVEN_MINE, PROVEN_SAFE
from msat.engines.counting.engine import answer_array
from msat.engines.counting.numbers import NUMBERS, Numbers, exact_numbers, numbers_of_cells
from msat.engines.protocol import Counts
from msat.engines.registry import ENGINES, load
from msat.errors import BudgetExceeded, CellError, InconsistentBoard, MsatError
from msat.wording import cell_name

__all__ = ["ENGINES", "Analysis", "analyze", "analyze_many", "probabilities"]

MANY_CELLS = 50_000
"""Cells of all boards of a batch beyond which it is worth to compile: a hundred expert boards."""

_INT8 = np.dtype(np.int8)


class Analysis:
    """What follows from a board.

    >>> import msat
    >>> a = msat.analyze(msat.Board.parse("??1/3?2/??? 3"))
    >>> a.solutions, a.exact(0, 0)
    (4, Fraction(1, 2))
    """

    def __init__(
        self,
        board: Board,
        verdict: NDArray[np.int8],
        probability: NDArray[np.float64] | None,
        count: Callable[[], Counts],
        complete: bool = True,
        budget: float | None = None,
    ) -> None:
        self.board = board
        """The board that was analysed."""
        self.complete = complete
        """Whether there are counts and probabilities; if not, the forced cells are all that is known."""
        self._verdict = verdict
        self._start_counting = count
        self._budget = budget
        if probability is not None:
            self.__dict__["probability"] = probability

    def __repr__(self) -> str:
        return f"<Analysis of {self.board!r}: {len(self.safe)} safe, {len(self.mined)} mined>"

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
        return probability

    def exact(self, r: int, c: int) -> Fraction:
        """The probability of a mine at a cell that is not revealed, exactly."""
        value = self.board[r, c]
        if value >= 0:
            raise CellError(
                f"{cell_name((r, c))} is revealed (it shows {value}): exact() takes hidden or marked cells"
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

    def numbers(self, r: int, c: int) -> tuple[Fraction, ...]:
        """For a cell that is not revealed: the chance that it is safe and shows 0, 1, … 8, exactly.

        The nine chances add up to the cell's safety.

        >>> import msat
        >>> a = msat.analyze(msat.Board.parse("1??/??? 1"))
        >>> [str(chance) for chance in a.numbers(0, 1)]
        ['0', '2/3', '0', '0', '0', '0', '0', '0', '0']
        """
        if self.exact(r, c) == 1:  # which also refuses a cell that is revealed
            return (Fraction(0),) * NUMBERS
        with self._telling_what_is_proven():
            found = exact_numbers(self.board.to_array(), self.board.mines, (r, c), self._budget)
        return tuple(Fraction(layouts, self.solutions) for layouts in found)

    @property
    def number_chances(self) -> NDArray[np.float64]:
        """`numbers` of all cells at once, in doubles: an array (h, w, 9), nan at revealed cells."""
        chances = self._numbers.chance.copy()
        chances[self.board.to_array() >= 0] = np.nan
        return chances

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
        if not self.complete:
            self._count  # says why there are no counts  # noqa: B018
        with self._telling_what_is_proven():
            return numbers_of_cells(self.board.to_array(), self.board.mines, self.probability, self._budget)

    def _cells(self, verdict: int) -> frozenset[Cell]:
        rows, columns = np.nonzero(self._verdict == verdict)
        return frozenset(zip(rows.tolist(), columns.tolist(), strict=True))

    @cached_property
    def _count(self) -> Counts:
        return self._start_counting()

    @contextmanager
    def _telling_what_is_proven(self) -> Iterator[None]:
        """Let a count that ends at its budget say which cells are known all the same."""
        try:
            yield
        except BudgetExceeded as error:
            raise BudgetExceeded(str(error), error.width, self.safe, self.mined) from None

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for large in ("_count", "_numbers"):  # and made again on demand
            state.pop(large, None)
        return state


def analyze(board: Board, engine: str = "auto", budget: float | None = None, check: bool = False) -> Analysis:
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
    if not check:
        return _analyze(board, engine, budget)
    from msat.check import check_answer, check_contradiction

    deadline = Deadline(budget)
    try:
        analysis = _analyze(board, engine, budget)
    except InconsistentBoard:
        check_contradiction(board, deadline)
        raise
    check_answer(analysis, engine, deadline)
    return analysis


def _analyze(board: Board, engine: str, budget: float | None) -> Analysis:
    """The answer of an engine, not checked."""
    asked = load(engine)
    found = asked.answer(board, budget)
    if found.uncounted is not None:
        uncounted = partial(_unavailable, found.uncounted)
        return Analysis(board, found.verdict, found.probability, uncounted, complete=False)
    exact = partial(asked.count, board, budget)
    return Analysis(board, found.verdict, found.probability, exact, budget=budget)


def probabilities(array: npt.ArrayLike, mines: int, budget: float | None = None) -> NDArray[np.float64]:
    """P(mine) of every cell: the fast path, array in, array out.

    `array` holds −1 hidden, −2 known mine, 0…8 revealed; `mines` is the total, known ones included. The
    result is 1.0 at known mines and nan at revealed cells.

    >>> import msat
    >>> msat.probabilities([[-1, 1], [-1, -1]], mines=1)[1].round(3)
    array([0.333, 0.333])
    """
    grid = _as_grid(array)
    if type(mines) is not int or not 0 <= mines <= grid.size:
        mines = Board.from_array(grid, mines).mines  # says what is wrong, or takes another kind of integer
    return answer_array(grid, mines, budget).probability


def analyze_many(
    boards: Iterable[Board], workers: int = 1, engine: str = "auto", budget: float | None = None
) -> list[Analysis]:
    """Analyse a batch of boards, in order, with so many worker processes.

    The answers are the same for any number of workers. An error is raised for the first board that has one,
    with a note that tells which board it was.

    >>> import msat
    >>> boards = [msat.Board.parse("?1? 1"), msat.Board.parse("?2? 2")]
    >>> [a.solutions for a in msat.analyze_many(boards)]
    [2, 1]
    """
    workers = check_workers(workers)
    batch = list(boards)
    if sum(board.height * board.width for board in batch) > MANY_CELLS:
        hurry()
    job = partial(_analyze_numbered, engine=engine, budget=budget)
    if workers == 1 or len(batch) < 2:
        return [job(item) for item in enumerate(batch)]
    # Several portions per worker, so that one slow board does not leave the others idle.
    portion = max(1, len(batch) // (8 * workers))
    with ProcessPoolExecutor(min(workers, len(batch))) as pool:
        try:
            return list(pool.map(job, enumerate(batch), chunksize=portion))
        except BaseException:
            # Leaving the block waits for what is running: do not let that take long.
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise


def _analyze_numbered(item: tuple[int, Board], engine: str, budget: float | None) -> Analysis:
    number, board = item
    try:
        return analyze(board, engine, budget)
    except MsatError as error:
        error.add_note(f"in board {number} of the batch: {board!r}")
        raise


def _as_grid(array: npt.ArrayLike) -> NDArray[np.int8]:
    """The array as the kernels take it; an error that says what is wrong where it is no board."""
    # Not `dtype is`: arrays that come from a pickle or another process have a dtype object of their own.
    if type(array) is np.ndarray and array.dtype == _INT8 and array.ndim == 2 and array.size:
        # The kernel checks the values of int8 itself. It is compiled for arrays that can be written to,
        # though it leaves this one alone.
        return array if array.flags.carray else array.copy()
    try:
        found = np.asarray(array)
    except ValueError:  # ragged rows
        return Board.from_array(array, 0).to_array()
    # A wider type must not be cut down to a legal value.
    whole = found.ndim == 2 and found.size and found.dtype.kind == "i"
    if whole and found.min() >= MINE and found.max() <= 8:
        return found.astype(np.int8, order="C")
    return Board.from_array(array, 0).to_array()


def _unavailable(error: BudgetExceeded) -> Counts:
    raise BudgetExceeded(str(error), error.width)
