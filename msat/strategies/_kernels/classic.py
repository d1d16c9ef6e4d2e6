"""Compiled: the decisions of `classic` (document 000): rules 1–9, rule 10, guess 1 and guess 2.

What can be deduced does not depend on the order in which it is: everything that rules 3–9 find, rule 10
finds as well. So all that is proven is opened at once, and only the guesses follow the document step by step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.constants import HIDDEN, MINE, SAME_RISK
from msat.engines.counting._kernels.answer import ANSWERED, PROVEN_MINE, PROVEN_SAFE, answer
from msat.problem._kernels.grid import window
from msat.problem._kernels.workspace import new_workspace
from msat.strategies._kernels import game
from msat.strategies._kernels.game import Table
from msat.strategies._kernels.sequences import survey, weigh_sequences
from msat.strategies._kernels.turns import ONGOING, advance, by_rules, standing

__all__ = ["Settings", "decide_classic", "play_classic"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]

NEAR = 1_000_000  # merit of a guess 1 beside a sequence; above every merit of one away from all
ENCLOSED = 2 * NEAR  # … and of a cell walled off by mines that is certainly safe
FAR = 100
LEAST_SCORE = 8
MERGE_AT_MOST = 50


class Settings(NamedTuple):
    """The parameters of `classic`, as the kernels take them."""

    end_play: int
    offset: float
    near: bool  # guess 1, first use: beside a sequence
    far: bool  # second use: away from all sequences
    guess2: bool
    exact: bool  # exact probabilities instead of equally weighed placements
    program: bool  # as the program that printed the figures, where it differs from its text


@kernel
def _walk(board: Bytes, everything: bool, order: Ints, place: Ints) -> int:
    """List the cells of all sequences in the order in which the document's program comes to them.

    It goes from a hidden cell to the numbers around it, and from each at once to the hidden cells around
    that, depth first. `place[cell]` becomes the index in `order`, −1 for cells in no sequence.
    """
    h, w = board.shape
    place[:] = -1
    path = np.empty(h * w, np.int64)
    step = np.empty(h * w, np.int64)
    count = 0
    for cell in range(h * w):
        if board[cell // w, cell % w] != HIDDEN or place[cell] >= 0:
            continue
        touched = everything
        r0, r1, c0, c1 = window(cell // w, cell % w, h, w)
        for i in range(r0, r1):
            for j in range(c0, c1):
                touched |= board[i, j] >= 0
        if not touched:
            continue
        place[cell] = count
        order[count] = cell
        count += 1
        path[0] = cell
        step[0] = 0
        depth = 1
        while depth:
            at = path[depth - 1]
            # The next pair of (number around the cell, cell around that number), nine by nine.
            pair = step[depth - 1]
            if pair == 81:
                depth -= 1
                continue
            step[depth - 1] += 1
            r = at // w + pair // 27 - 1
            c = at % w + pair // 9 % 3 - 1
            if not (0 <= r < h and 0 <= c < w) or board[r, c] < 0:
                step[depth - 1] = pair - pair % 9 + 9
                continue
            i = r + pair % 9 // 3 - 1
            j = c + pair % 3 - 1
            if 0 <= i < h and 0 <= j < w and board[i, j] == HIDDEN and place[i * w + j] < 0:
                found = i * w + j
                place[found] = count
                order[count] = found
                count += 1
                path[depth] = found
                step[depth] = 0
                depth += 1
    return count


@kernel
def _shows(board: Bytes, r: int, c: int, off_board: int) -> int:
    """1 if the cell is revealed, 0 if not, `off_board` outside."""
    h, w = board.shape
    if not (0 <= r < h and 0 <= c < w):
        return off_board
    return int(board[r, c] >= 0)


@kernel
def _score(board: Bytes, r: int, c: int, program: bool) -> int:
    """How well opening a cell would support numbers two cells away: guess 1's score of a candidate."""
    score = 0
    for d in range(4):
        dr = (d == 1) - (d == 0)
        dc = (d == 3) - (d == 2)
        i = r + 2 * dr
        j = c + 2 * dc
        if _shows(board, i, j, 0) == 0 or board[r + dr, c + dc] != HIDDEN:
            continue
        flanks = _shows(board, i + dc, j + dr, 1) + _shows(board, i - dc, j - dr, 1)
        if program:
            score += 1 if flanks == 0 else 4 + 2 * flanks
        else:
            score += 4 + 2 * flanks
    return score


@kernel
def _open_merit(board: Bytes, place: Ints, certain: bool, settings: Settings, merit: Ints) -> int:
    """Guess 1: the merit of every cell in no sequence (0: not to be chosen); the first best cell, or −1."""
    h, w = board.shape
    best = -1
    for r in range(h):
        for c in range(w):
            cell = r * w + c
            merit[cell] = 0
            if board[r, c] != HIDDEN or place[cell] >= 0:
                continue
            hidden = 0
            listed = 0
            r0, r1, c0, c1 = window(r, c, h, w)
            for i in range(r0, r1):
                for j in range(c0, c1):
                    if board[i, j] == HIDDEN and (i != r or j != c):
                        hidden += 1
                        listed += place[i * w + j] >= 0
            if hidden == 0:
                merit[cell] = ENCLOSED if certain else 0
            elif listed == 0:
                merit[cell] = FAR - hidden if settings.far else 0
            elif settings.near and (listed > 1 or not settings.program):
                score = _score(board, r, c, settings.program)
                if score >= LEAST_SCORE:
                    merit[cell] = NEAR + 1000 * score + 10 * listed + 8 - hidden
            if merit[cell] > 0 and (best < 0 or merit[cell] > merit[best]):
                best = cell
    return best


@kernel
def _support(board: Bytes, place: Ints, r: int, c: int, program: bool) -> int:
    """Guess 2: how much a cell is connected to what is open (orthogonal 2, diagonal 1).

    The program counts marked mines as open; its text wants orphans, which no cell of a sequence touches
    orthogonally, to come last.
    """
    h, w = board.shape
    support = 0
    orphan = True
    r0, r1, c0, c1 = window(r, c, h, w)
    for i in range(r0, r1):
        for j in range(c0, c1):
            straight = i == r or j == c
            if board[i, j] >= 0 or (program and board[i, j] == MINE):
                support += 2 if straight else 1
            elif board[i, j] == HIDDEN and straight and (i != r or j != c) and place[i * w + j] >= 0:
                orphan = False
    return support - 100 if orphan and not program else support


@kernel
def _sequence_cell(
    board: Bytes, order: Ints, count: int, place: Ints, probability: Floats, settings: Settings, support: Ints
) -> int:
    """Guess 2: the cell of lowest probability, the best supported, the first that the walk came to."""
    w = board.shape[1]
    same = SAME_RISK if settings.exact else 0.0
    best = -1
    for n in range(count):
        cell = order[n]
        r = cell // w
        c = cell % w
        support[cell] = _support(board, place, r, c, settings.program)
        if best < 0:
            best = cell
            continue
        ahead = probability[best // w, best % w] - probability[r, c]
        if ahead > same or (abs(ahead) <= same and support[cell] > support[best]):
            best = cell
    return best


@kernel
def _deduce(
    board: Bytes,
    mines: int,
    last_rule: int,
    settings: Settings,
    grid: Bytes,
    verdict: Bytes,
    probability: Floats,
) -> tuple[int, int, float]:
    """All that follows: (kind, hidden cells in no sequence, their P(mine)); `grid` gets the mines found.

    STOP means that no safe cell was found, and that `probability` is that of `grid`.
    """
    h, w = board.shape
    kind = by_rules(board, last_rule, grid, verdict)
    if kind != game.STOP:
        return kind, 0, 0.0
    least = np.zeros(h * w, np.int64)
    most = np.zeros(h * w, np.int64)
    merge = MERGE_AT_MOST if settings.program else 0
    while True:
        free = 0
        lists = 0
        if settings.exact:
            workspace = new_workspace(0)
            status, _ = answer(grid, int(MINE), mines, last_rule, probability, verdict, workspace)
            if status != ANSWERED:
                return game.UNANSWERED, 0, 0.0
        else:
            found = survey(grid, mines)
            if not found.fits:
                return game.UNANSWERED, 0, 0.0
            lists = found.low.size
            free = weigh_sequences(found, settings.end_play, merge, probability, verdict, least, most)
        safe = False
        marked = 0
        left = mines
        for r in range(h):
            for c in range(w):
                safe |= verdict[r, c] == PROVEN_SAFE
                if verdict[r, c] == PROVEN_MINE:
                    grid[r, c] = MINE
                    marked += 1
                left -= grid[r, c] == MINE
        # Marks change what the caps allow, and how many cells are hidden; they change no exact answer.
        if safe or marked == 0 or settings.exact:
            break
    for r in range(h):
        for c in range(w):
            if board[r, c] == HIDDEN and grid[r, c] == MINE:
                verdict[r, c] = PROVEN_MINE
    if safe:
        return game.COUNT, 0, 0.0
    risk = 0.0
    if free > 0:
        both = 0
        for i in range(lists):
            both += least[i] + most[i]
        risk = max(0, left - both // 2) / free
    return game.STOP, free, risk


@kernel(apart=True)
def decide_classic(
    board: Bytes,
    mines: int,
    last_rule: int,
    settings: Settings,
    verdict: Bytes,
    probability: Floats,
    order: Ints,
    merit: Ints,
    support: Ints,
) -> tuple[int, int, float]:
    """What `classic` does on a board: (kind, cell, safety), `verdict` filled.

    For a guess, `order` lists the cells of sequences (−1 after the last); `probability` and then `support`
    rank them for guess 2. After a guess 1, `merit` ranks the cells it chose from (0: not to be chosen).
    """
    h, w = board.shape
    grid = np.empty((h, w), np.int8)
    kind, free, risk = _deduce(board, mines, last_rule, settings, grid, verdict, probability)
    if kind != game.STOP:
        return kind, -1, 1.0
    hidden = 0
    for r in range(h):
        for c in range(w):
            hidden += grid[r, c] == HIDDEN
    place = np.empty(h * w, np.int64)
    count = _walk(grid, hidden <= settings.end_play, order, place)
    order[count:] = -1
    if settings.exact:
        free = hidden - count
        for cell in range(h * w):
            if grid[cell // w, cell % w] == HIDDEN and place[cell] < 0:
                risk = probability[cell // w, cell % w]
    best = _sequence_cell(grid, order, count, place, probability, settings, support)
    lowest = 1.0 if best < 0 else probability[best // w, best % w]
    if free > 0 and (settings.near or settings.far):
        shifted = risk + settings.offset
        if shifted < lowest or not settings.guess2:
            stated = shifted if settings.program else risk
            cell = _open_merit(grid, place, stated == 0.0, settings, merit)
            if cell >= 0:
                return game.GUESS1, cell, min(1.0, 1.0 - stated)
    if best >= 0 and settings.guess2:
        return game.GUESS2, best, 1.0 - lowest
    return game.STOP, -1, 0.0


@kernel(apart=True)
def play_classic(
    numbers: Bytes, mines: int, r: int, c: int, last_rule: int, settings: Settings
) -> tuple[int, Table]:
    """A whole game: how it ended, and its table."""
    h, w = numbers.shape
    table = game.lay(numbers, mines, r, c)
    probability = np.empty((h, w), np.float64)
    order = np.empty(h * w, np.int64)
    merit = np.empty(h * w, np.int64)
    support = np.empty(h * w, np.int64)
    end = standing(table)
    while end == ONGOING:
        kind, cell, safety = decide_classic(
            table.board, mines, last_rule, settings, table.verdict, probability, order, merit, support
        )
        end = advance(table, kind, cell, safety)
    return end, table
