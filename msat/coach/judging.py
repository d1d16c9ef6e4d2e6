"""How good a choice is: the chance to win after it beside that after the best move, both before it is made.

Where the position can be searched to its end, both are exact. Elsewhere both are estimated by games that
`best` plays on, on the same layouts; the best move is then the choice of that player, which it made on other
layouts: whoever took the larger of several estimates for the best would find mistakes where there are none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from sys import float_info

from msat.analysis import Analysis, analyze
from msat.board import Board, Cell
from msat.coach.best_move import LAYOUTS, MOST_HIDDEN, estimate_chances
from msat.constants import SAFE
from msat.deadline import Deadline
from msat.engines.counting.exact import ExactCount
from msat.engines.rules.deductions import first_safe
from msat.errors import BudgetExceeded
from msat.formats.parsed import HIDDEN_BYTE
from msat.strategies.best.player import Best
from msat.winning import MAX_SOLUTIONS, perfect_play

__all__ = ["Judge", "Judgement", "easiest_safe_cell", "joint_safety"]

NODES = 20_000
"""The sets of layouts that are looked into for each position, a fifth of a second or so …"""

NODES_PER_SECOND = 50_000
"""… and more with every second that is given to it."""

MOST_OUTCOMES = 200
"""Boards that cells which are opened at once may lead to, if each is to be searched."""


@dataclass(frozen=True)
class Judgement:
    """What a choice is worth, and the best move."""

    win: Fraction | float
    """The chance to win after the choice: a Fraction where it is exact …"""
    best_win: Fraction | float
    """… and after the best move, which is never less."""
    best: Cell | None
    """A best move; None where only mines are left."""
    win_error: float = 0.0
    """The standard error of `win`, 0.0 where it is exact …"""
    error: float = 0.0
    """… and of the difference."""

    @property
    def exact(self) -> bool:
        """Whether both chances are exact."""
        return isinstance(self.win, Fraction) and isinstance(self.best_win, Fraction)


def joint_safety(analysis: Analysis, cells: tuple[Cell, ...], limit: Deadline | None = None) -> Fraction:
    """The chance that none of these hidden cells has a mine, exactly.

    >>> joint_safety(analyze(Board.parse("?1??/???? 2")), ((0, 0), (1, 0)))
    Fraction(3, 5)
    """
    if any(cell in analysis.mined for cell in cells):
        return Fraction(0)
    risky = [cell for cell in cells if cell not in analysis.safe]
    if len(risky) <= 1:
        return 1 - analysis.exact(*risky[0]) if risky else Fraction(1)
    array = analysis.board.to_array()
    for cell in risky:
        array[cell] = SAFE
    try:
        return Fraction(ExactCount(array, analysis.board.mines, limit).solutions, analysis.solutions)
    except ValueError:  # a clue is left without room for its mines
        return Fraction(0)


def easiest_safe_cell(analysis: Analysis) -> Cell:
    """One of the cells that are proven safe: the one that the simplest rule finds, if one does."""
    by_rules = first_safe(analysis.board)
    return min(analysis.safe, default=(0, 0)) if by_rules is None else by_rules.cell


class Judge:
    """Judges the choices of one game, from the last position to the first.

    What can be searched to its end is found from there: once a position is beyond it, so are those before.
    With a limit, what is not judged by then is a BudgetExceeded.
    """

    def __init__(self, limit: Deadline | None = None) -> None:
        self._in_reach = True
        self._limit = limit or Deadline(None)

    def judge(
        self, analysis: Analysis, opened: tuple[Cell, ...], games: int, seconds: float | None
    ) -> Judgement:
        """What it is worth to open some hidden cells; with none, only the best move is looked for.

        Estimates rest on so many games for each move, and with `seconds` on more until these are over; a
        search may take that much longer, too.
        """
        deadline = None if seconds is None else Deadline(seconds)
        risky = tuple(cell for cell in opened if cell not in analysis.safe)
        if self._in_reach and analysis.board.values.count(HIDDEN_BYTE) <= MOST_HIDDEN:
            found = _searched(analysis, risky, seconds or 0.0, self._limit)
            self._limit.check("the move was not judged")
            if found is not None:
                return found
            self._in_reach = False
        return _estimated(analysis, risky, games, deadline, self._limit)


def _searched(
    analysis: Analysis, risky: tuple[Cell, ...], seconds: float, limit: Deadline
) -> Judgement | None:
    """The judgement by perfect play; None where that takes too long."""
    nodes = NODES + int(NODES_PER_SECOND * seconds)
    layouts = min(LAYOUTS + int(LAYOUTS * seconds), MAX_SOLUTIONS)
    try:
        found = perfect_play(analysis, layouts, nodes, nodes, risky[:1] if len(risky) == 1 else (), limit)
        best = easiest_safe_cell(analysis) if analysis.safe else found.move
        win = found.probability
        if any(cell in analysis.mined for cell in risky):
            win = Fraction(0)
        elif len(risky) == 1:
            if found.chances is None:
                return None
            win = found.chances[risky[0]]
        elif risky:
            win = _after_several(analysis.board, risky, layouts, nodes, limit) / analysis.solutions
    except BudgetExceeded:
        return None
    return Judgement(win, found.probability, best)


def _after_several(
    board: Board, cells: tuple[Cell, ...], layouts: int, nodes: int, limit: Deadline
) -> Fraction:
    """The layouts that are won, on average, if cells are opened before any of their numbers is looked at."""
    boards = [board]
    for cell in cells:
        array = [each.replace({cell: number}) for each in boards for number in range(9)]
        boards = [each for each in array if _solutions(each, limit)]
        if len(boards) > MOST_OUTCOMES:
            raise BudgetExceeded("cells that are opened at once lead to too many boards")
    won = Fraction(0)
    for each in boards:
        analysis = analyze(each, budget=limit)
        won += perfect_play(analysis, layouts, nodes, 0, (), limit).probability * analysis.solutions
    return won


def _solutions(board: Board, limit: Deadline) -> int:
    limit.check("the move was not judged")
    try:
        return analyze(board, budget=limit).solutions
    except ValueError:
        return 0


def _estimated(
    analysis: Analysis, risky: tuple[Cell, ...], games: int, deadline: Deadline | None, limit: Deadline
) -> Judgement:
    """The judgement by games that are played on."""
    if analysis.safe:
        best: Cell | None = easiest_safe_cell(analysis)
        moves: list[tuple[tuple[Cell, ...], float]] = [((), 1.0)]
    else:
        choice = Best().choose(analysis.board)
        assert choice is not None  # there are cells to open, and they can be counted
        best = choice.cells[0]
        moves = [((best,), choice.safety)]
    hopeless = any(cell in analysis.mined for cell in risky)
    if risky and not hopeless and risky != (best,):
        moves.append((risky, float(joint_safety(analysis, risky, limit))))
    limit.check("the move was not judged")
    unknown, chances = estimate_chances(analysis, moves, games, deadline, limit)
    if unknown:
        raise BudgetExceeded(unknown)
    # Whatever is possible can be won: perfect play wins at least one layout.
    least = max(1 / analysis.solutions, float_info.min)
    best_win, win_error = max(chances[0][0] or 0.0, least), chances[0][1]
    win, error = best_win, 0.0
    if hopeless:
        return Judgement(Fraction(0), best_win, best, 0.0, win_error)
    if len(moves) == 2:
        win, win_error = max(chances[1][0] or 0.0, least), chances[1][1]
        error = chances[1][4]
    return Judgement(win, max(win, best_win), best, win_error, error)
