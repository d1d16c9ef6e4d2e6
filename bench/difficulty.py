"""Whether layouts are as hard as they are called, how long they take to be made, and where sums end.

Run by `python -m bench.coach levels making sums`.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np

import msat
from msat.board import MINE, PRESETS, Board, Cell
from msat.coach.techniques import BY_SUMS, NAMES, forced_by, play_up_to
from msat.constants import HIDDEN, SAFE
from msat.errors import LayoutError
from msat.layout import Layout
from tests.support.person import Technique, all_clues, pairs, singles, solves, sums

__all__ = ["Answer", "any_sums", "levels", "making"]

Answer = tuple[bool, str]
"""Whether all is as promised, and the figures."""

_PERSONS: dict[str, tuple[list[Technique] | None, list[Technique]]] = {
    "gentle": ([singles], []),
    "normal": ([singles, pairs], [singles]),
    "tricky": ([singles, pairs, sums(3), sums(4), sums(5)], [singles, pairs]),
    "hard": ([singles, pairs, all_clues], [singles, pairs, sums(5)]),
    "fiendish": (None, [singles, pairs, all_clues]),
}
"""Who solves layouts of a difficulty, and who does not."""


def levels(count: int) -> Answer:
    """Layouts of every difficulty, played by persons who know only some techniques."""
    wrong = 0
    for name, (solving, failing) in _PERSONS.items():
        for seed in range(count):
            layout = Layout.no_guess(8, 8, 10, seed=seed, start=(3, 3), difficulty=name)
            wrong += solving is not None and not solves(layout, solving)
            wrong += bool(failing) and solves(layout, failing)
            wrong += not msat.play(layout, "logic").won or msat.difficulty(layout).name != name
    return not wrong, f"{count} layouts of each of {len(_PERSONS)} difficulties: {wrong} wrong"


def making(count: int) -> Answer:
    """How long layouts of every difficulty take to be made."""
    lines, failed = [], 0
    for preset, size in PRESETS.items():
        for name in NAMES:
            took = []
            for seed in range(count):
                begin = time.process_time()
                try:
                    Layout.no_guess(*size, seed=seed, start=(3, 3), difficulty=name)
                except LayoutError:
                    failed += 1
                took.append(time.process_time() - begin)
            lines.append(f"{preset:>13} {name:>9}: {median(took):7.2f} s, at most {max(took):7.2f} s")
            print(lines[-1], flush=True)
    return not failed, f"{count} layouts of each kind, {failed} not found"


def any_sums(count: int) -> Answer:
    """Where sums of five numbers end, and numbers force more: how often would longer sums do?

    Some numbers added as often as one likes and others subtracted leave a cell no choice exactly if the
    opposite is impossible even where mines may be cut in pieces: a linear programme.
    """
    stuck = more = cells = summed = 0
    for seed in range(count):
        layout = Layout.random(16, 16, 56, seed=seed, start=(8, 8))
        done, known = play_up_to(layout.numbers(), (8, 8), BY_SUMS)
        if done:
            continue
        stuck += 1
        safe, mined = forced_by(known)
        more += bool(safe or mined)
        board = Board.from_array(np.where(known == SAFE, HIDDEN, known), layout.mines)
        unknown = {(r, c) for r, c in np.argwhere(known == HIDDEN).tolist()}
        for cell in safe | mined:
            cells += 1
            summed += _follows_by_sums(board, unknown, cell, cell in mined)
    text = f"{stuck} boards where sums of five numbers end, {more} where numbers force more: {cells} cells"
    return summed == cells, f"{text}, {summed} of them by longer sums"


def _follows_by_sums(board: Board, unknown: set[Cell], cell: Cell, mine: bool) -> bool:
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    share = {each: solver.NumVar(0, 1, str(each)) for each in unknown}
    for clue in board.revealed:
        around = [each for each in board.neighbours(clue) if each in unknown]
        known = sum(board[each] == MINE for each in board.neighbours(clue))
        if around:
            solver.Add(sum(share[each] for each in around) == board[clue] - known)
    (solver.Minimize if mine else solver.Maximize)(share[cell])
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    most = share[cell].solution_value()
    return bool(most > 1e-6 if mine else most < 1 - 1e-6)
