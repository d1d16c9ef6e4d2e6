"""Compile all kernels ahead: `msat warm`, and what the workers do that `_jit.hurry` starts.

Each worker calls everything that has kernels once, on small boards: first what a hint needs, then the rest.
Every other worker takes both from the other end. What one of them is compiling the others wait for
(`_compiler.py`), so that they meet in the middle.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from functools import partial

__all__ = ["TASKS", "main"]


def _answers() -> None:
    from msat.analysis import analyze
    from msat.batch import analyze_many
    from msat.board import Board
    from msat.engines.rules.deductions import deductions

    board = Board.parse("?1????/??????/??2??? 6")
    analyze(board).exact(0, 0)
    analyze_many([board])
    deductions(board)


def _coaching() -> None:
    from msat.analysis import analyze
    from msat.board import Board
    from msat.coach.difficulty import difficulty
    from msat.layout import Layout

    assert not analyze(Board.parse("?1????/??????/??2??? 6")).dead
    difficulty(Layout.random(9, 9, 10, seed=1, start=(4, 4)))


def _contradictions() -> None:
    from msat.board import Board
    from msat.explanation.conflict import explain_contradiction

    explain_contradiction(Board.parse("?1?/?1?/?1? 9"))


def _wide() -> None:
    """What only boards need that are too wide for the fast path."""
    import numpy as np

    from msat.board import Board
    from msat.deadline import Deadline
    from msat.engines.counting import engine

    board = Board.parse("?1????/??????/??2??? 6")
    array = board.to_array()
    probability, verdict = np.empty(array.shape), np.empty(array.shape, np.int8)
    engine._count_wide(array, -2, board.mines, Deadline(None), probability, verdict)


def _samples() -> None:
    import numpy as np

    from msat.board import Board
    from msat.engines.counting._kernels.sample import sample_layouts
    from msat.engines.counting.sampling import sample

    board = Board.parse("?1????/??????/??2??? 6")
    sample(board)
    sample_layouts(board.to_array(), board.mines, 1, 0, np.empty((1, 3, 6), np.int8))


def _thinking() -> None:
    from msat.board import Board
    from msat.strategies.best._kernels.selection import select_layouts

    select_layouts(Board.blank(4, 4, 3).to_array(), 3, 10, 0)


def _endgames() -> None:
    from msat.board import Board
    from msat.engines.endgame._kernels.layouts import list_solutions
    from msat.engines.endgame._kernels.search import rank, search

    _, _, values = list_solutions(Board.blank(3, 3, 2).to_array(), 2, 100)
    search(values, 1000)
    rank(values, 1000)


def _late() -> None:
    from msat.board import Board
    from msat.strategies.best._kernels.rehearsal import rehearse_end

    rehearse_end(Board.blank(3, 3, 2).to_array(), 2)


def _evaluation() -> None:
    from msat.board import Board
    from msat.strategies.best._kernels.evaluate import new_ranked
    from msat.strategies.best._kernels.rehearsal import rehearse_guess

    rehearse_guess(Board.blank(3, 3, 2).to_array(), 2, new_ranked(9))


def _boards() -> None:
    from msat.arena.boards import kiss_numbers, pcg_numbers, protected_cells
    from msat.layout import Layout
    from msat.measures import metrics

    for numbers in (pcg_numbers, kiss_numbers):
        numbers(2, 1, 0, 1, protected_cells(3, 3, (0, 0), "safe"))
    metrics(Layout.random(9, 9, 10, seed=1, start=(4, 4)))
    Layout.no_guess(9, 9, 10, seed=1, start=(4, 4))


def _player(name: str) -> None:
    from msat.layout import Layout
    from msat.strategies import get

    layout = Layout.random(9, 9, 10, seed=1, start=(4, 4))
    get(name).play_numbers(layout.numbers(), layout.mines, (4, 4), 1)


def _hints() -> None:
    from msat.board import Board
    from msat.coach.best_move import best_move
    from msat.winning import win_probability

    win_probability(Board.blank(3, 3, 2))
    best_move(Board.blank(8, 8, 12))


def _learning() -> None:
    from importlib.util import find_spec

    if find_spec("gymnasium") is None:
        return
    from msat.gym import MinesweeperVector, labelled_positions

    envs = MinesweeperVector(1)
    envs.reset(seed=1)
    envs.step(envs.sample_legal())
    next(labelled_positions(1, 4, 4, 3, seed=1))


_PLAYERS = ("safest", "classic", "chain", "local", "subset")


Task = Callable[[], None]

FIRST: tuple[Task, ...] = (_answers, _evaluation, _samples, _thinking, _late, _endgames)
"""What a hint is made of, in parts that have little in common: the last ones need no counting, by which the
first begin. With two workers none waits long for what the other is compiling."""

TASKS: tuple[Task, ...] = (
    *FIRST,
    _hints,
    _wide,
    *(partial(_player, name) for name in _PLAYERS),
    _contradictions,
    _boards,
    _coaching,
    _learning,
)
"""What is called, the most important first."""


def in_order(number: int) -> tuple[Task, ...]:
    """The tasks of a worker, those that a hint needs first; every other worker begins at the other end."""
    if number % 2 == 0:
        return TASKS
    return (*FIRST[::-1], _hints, *TASKS[: len(FIRST) : -1])


def _end_with_parent() -> None:
    """End when the process that started this one does, whose end of the pipe is then closed."""
    # Not by `sys.stdin`: a thread that waits in it lets Python abort when it ends.
    while os.read(0, 1 << 16):
        pass
    os._exit(1)


def main(arguments: list[str]) -> None:
    """Be one of several workers: `NUMBER NICENESS [--parent]`."""
    if "--parent" in arguments:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    number, niceness = map(int, arguments[:2])
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    from msat import _kernel_cache

    for task in in_order(number):
        task()
        if task is _hints:
            _kernel_cache.write(_kernel_cache.first_kept(), b"all that a hint needs is kept")
    _kernel_cache.write(_kernel_cache.all_kept(), b"all kernels are kept")
    _kernel_cache.tidy()


if __name__ == "__main__":
    main(sys.argv[1:])
