"""Arrays and many boards: `probabilities` and `analyze_many`, where what counts is the time a board.

Boards of one size are answered together, in compiled calls that several threads share. What that path does
not answer (a frontier that is too wide, another engine) goes to `analyze`, board by board, in processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from msat._jit import hurry
from msat.analysis import Analysis, analyze
from msat.arrays import as_grid, as_stack, as_totals, is_stack
from msat.board import Board
from msat.cells import check_workers
from msat.deadline import NO_MEMORY, Budget, Deadline
from msat.engines.counting._kernels.answer import ANSWERED
from msat.engines.counting.engine import answer_array
from msat.engines.counting.stack import answer_all, answer_quickly
from msat.engines.registry import load
from msat.errors import BoardError, BudgetExceeded, MsatError
from msat.kinds import is_name, several
from msat.wording import argument

__all__ = ["analyze_many", "analyze_together", "probabilities"]

MANY_CELLS = 50_000
"""Cells of all boards of a batch beyond which it is worth to compile: a hundred expert boards."""

TOGETHER = ("auto", "counting")
"""The engines whose fast path answers a stack of boards in one call."""

TOGETHER_CELLS = 1 << 22
"""Cells of all boards that `analyze_many` answers at a time: 40 MB of answers, before they are copied."""


def probabilities(
    array: npt.ArrayLike | Board,
    mines: int | npt.ArrayLike | None = None,
    budget: Budget = None,
    *,
    threads: int = 1,
) -> NDArray[np.float64]:
    """P(mine) of every cell: the fast path, array in, array out.

    `array` holds −1 hidden, −2 known mine, 0…8 revealed; `mines` is the total, known ones included. The
    result is 1.0 at known mines and nan at revealed cells. A `Board` may stand for both.

    A stack of boards of one size, (n, h, w) with one total or n of them, is answered in compiled calls that
    let other threads run; `threads` many share the boards, and `budget` is for all. The answers are those of
    single calls; an error tells the number of the first board that has one, from 0.

    >>> import msat
    >>> msat.probabilities([[-1, 1], [-1, -1]], mines=1)[1].round(3)
    array([0.333, 0.333])
    >>> msat.probabilities([[[-1, 1, -1]], [[-1, 2, -1]]], mines=[1, 2], threads=2)[:, 0, 0]
    array([0.5, 1. ])
    """
    if isinstance(array, Board):
        if mines is not None and mines != array.mines:
            raise BoardError(
                f"{argument('mines', mines)} is not the total of the board, {array.mines}: leave it out"
            )
        mines = array.mines
        array = array.to_array()
    if mines is None:
        raise BoardError(
            "mines=None: an array does not tell its total; give it, such as mines=99, or a Board"
        )
    try:
        if is_stack(array):
            stack = as_stack(array)
            totals = as_totals(mines, stack.shape)
            threads = check_workers(threads, name="threads")
            if stack.size > MANY_CELLS:
                hurry()
            return answer_all(stack, totals, threads, budget)
        grid = as_grid(array)
        if type(mines) is not int or not 0 <= mines <= grid.size:
            mines = Board.from_array(grid, mines).mines  # type: ignore[arg-type]  # says what is wrong, if it is
        return answer_array(grid, mines, budget).probability
    except MemoryError:
        raise BudgetExceeded(NO_MEMORY) from None


def analyze_many(
    boards: Iterable[Board], workers: int = 1, engine: str = "auto", budget: float | None = None
) -> list[Analysis]:
    """Analyse a batch of boards, in order, by so many workers.

    With the engines `auto` and `counting` these are threads, which answer boards of one size together (see
    `probabilities`): two are worth it from some hundred boards on. Boards that are too wide for that, and
    other engines, take processes: these cost a tenth of a second to start, and this one 20 µs a board to
    hear from them; so they pay where a board takes more than that, and all of them more than a second.

    `budget` limits the seconds of each board, as for `analyze`. The answers are the same for any number of
    workers. An error is raised for the first board that has one,
    with a note that tells which board it was.

    >>> import msat
    >>> boards = [msat.Board.parse("?1? 1"), msat.Board.parse("?2? 2")]
    >>> [a.solutions for a in msat.analyze_many(boards)]
    [2, 1]
    """
    workers = check_workers(workers)
    batch = list(several(boards, "boards", "boards, such as a list of them"))
    if sum(board.height * board.width for board in batch if isinstance(board, Board)) > MANY_CELLS:
        hurry()
    found = analyze_together(batch, workers, engine, budget) if is_name(engine, TOGETHER) else {}
    left = [(number, board) for number, board in enumerate(batch) if number not in found]
    found.update(
        zip([number for number, _ in left], _analyze_apart(left, workers, engine, budget), strict=True)
    )
    return [found[number] for number in range(len(batch))]


def analyze_together(
    batch: list[Board], workers: int, engine: str, budget: float | None
) -> dict[int, Analysis]:
    """The analyses of all boards that the fast path answers, by their numbers."""
    Deadline(
        budget
    )  # which says what is wrong with it, if something is: the fast path needs no time to speak of
    by_shape: dict[tuple[int, int], list[int]] = {}
    for number, board in enumerate(batch):
        if isinstance(board, Board):
            by_shape.setdefault(board.shape, []).append(number)
    found: dict[int, Analysis] = {}
    count = load(engine).count
    for (h, w), numbers in by_shape.items():
        size = max(1, TOGETHER_CELLS // (h * w))
        for part in (numbers[start : start + size] for start in range(0, len(numbers), size)):
            values = bytearray().join([batch[number].values for number in part])
            stack = np.frombuffer(values, np.int8).reshape(-1, h, w)
            mines = np.array([batch[number].mines for number in part], np.int64)
            answers = answer_quickly(stack, mines, workers)
            answered = (answers.status == ANSWERED).tolist()
            for number, verdict, probability, good in zip(
                part, answers.verdict, answers.probability, answered, strict=True
            ):
                if good:  # Copies: who keeps one analysis should not keep all of them.
                    board = batch[number]
                    exact = partial(count, board, budget)
                    found[number] = Analysis(board, verdict.copy(), probability.copy(), exact, budget=budget)
    return found


def _analyze_apart(
    numbered: list[tuple[int, Board]], workers: int, engine: str, budget: float | None
) -> list[Analysis]:
    """The analyses of boards one by one, in so many processes."""
    job = partial(_analyze_numbered, engine=engine, budget=budget)
    if workers == 1 or len(numbered) < 2:
        return [job(item) for item in numbered]
    # Several portions per worker, so that one slow board does not leave the others idle.
    portion = max(1, len(numbered) // (8 * workers))
    with ProcessPoolExecutor(min(workers, len(numbered))) as pool:
        try:
            return list(pool.map(job, numbered, chunksize=portion))
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
