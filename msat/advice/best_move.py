"""`best_move`: what to open on a board, how likely that is to win, why, and what else could be opened.

Where cells are proven safe, these are the answer. Where the position can be searched to its end in about the
time that there is, the answer is perfect play and the chance to win is exact. Everywhere else it is
the choice of `best`, and the chance is an estimate: that of `best` itself to win if it plays on from here, by
games on layouts drawn at random. The safety of a move is known exactly; so games are played only on layouts
in which it is safe, and the chance is its safety times the share of these games that are won. An estimate
comes with its standard error, and never passes for exact.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from msat.advice import sentences
from msat.analysis import Analysis, analyze
from msat.board import MINE, Board, Cell, check_board
from msat.engines.rules import deductions
from msat.errors import BudgetExceeded, ParameterError
from msat.strategies.best import Best
from msat.strategies.playouts import Playouts
from msat.strategies.safest import ranking
from msat.strategies.strategy import Choice
from msat.winning import MOST_SOLUTIONS, WinProbability, perfect_play
from msat.wording import argument

__all__ = ["GAMES", "Advice", "Alternative", "best_move"]

GAMES = 200
"""The games played on from each move for an estimate, unless there is a time for it; fewer on boards of …"""

LARGE = 1000
"""… more than so many cells, in proportion, but never fewer than FEWEST."""

FEWEST = 10

NODES = 50_000
"""The sets of layouts that are looked into for perfect play, in half a second or so …"""

NODES_PER_SECOND = 50_000
"""… and more with every second that is given."""

ALTERNATIVES = 4
"""The most other moves that are told, and estimated, beside the best."""

MOST_SECONDS = 86_400
_MOST = 1 << 40  # solutions and nodes without a limit
_JUDGING = 1  # the stream of layouts on which moves are judged: not those on which one was chosen
_SAME = 1e-9  # safeties are sums of doubles: what differs less is equal


@dataclass(frozen=True)
class Alternative:
    """Another move, and what it would be worth."""

    cell: Cell
    safety: float
    win: Fraction | float | None
    """The chance to win after it: exact or estimated as that of the best move, and on the same layouts."""
    win_error: float
    """The standard error of an estimate; 0.0 where the chance is exact."""
    games: int = 0
    """The games that an estimate rests on; 0 where the chance is exact, or not known."""

    @property
    def chance(self) -> str:
        """The chance to win in words."""
        return sentences.chance(self.win, self.safety, self.games)


@dataclass(frozen=True)
class Advice:
    """What to open on a board, and why."""

    board: Board
    cell: Cell | None
    """The cell to open; None where nothing is left to open."""
    cells: tuple[Cell, ...]
    """All cells that are proven safe, where there are any: they may all be opened. Else just the cell."""
    kind: str
    """How it was found: "rule", "count" (proven), "endgame", "pocket" (searched to the end),
    "unavoidable" (to be faced at the same risk whenever), "evaluated", "playouts" (compared with others),
    "blind", "guess" (the safest), or "won"."""
    safety: float
    """The probability that the cell is free of a mine; 1.0 only where that is proven."""
    win: Fraction | float | None
    """The chance to win: a Fraction, by perfect play, where it is exact; else a float: the safety, times the
    share of games that the player `best` won after the move; None where that is not known."""
    exact: bool
    """Whether `win` is exact."""
    win_error: float
    """The standard error of an estimate; 0.0 where the chance is exact."""
    games: int
    """The games that an estimate rests on; 0 where the chance is exact, or not known."""
    reason: str
    """Why, in one sentence."""
    alternatives: tuple[Alternative, ...] = ()
    """Other moves, the best first as the player ranks them; none where cells are proven safe."""

    def __str__(self) -> str:
        error = f" ± {100 * self.win_error:.1f}" if self.games else ""
        return f"{self.reason}; chance to win: {self.chance}{error}"

    @property
    def chance(self) -> str:
        """The chance to win in words."""
        return sentences.chance(self.win, self.safety, self.games)


def best_move(board: Board, *, seconds: float = 0.0) -> Advice:
    """What to open on `board`, how likely that is to win, and why.

    Without `seconds` the answer takes about a second on an expert board, depends on nothing but the board,
    and is the move of the player `best`, or one that perfect play finds better. Estimates rest on 200 games
    for each move: an alternative may come out higher, and differences below the errors tell nothing. With
    `seconds` more of the endgame is searched exactly; where that does not suffice, half of the time that is
    left goes into choosing, as by `best` with this parameter, and half into estimates. Where cells are proven
    safe, nothing is left to be chosen: all of it goes into the chance to win.

    On a board that is won, `cell` is None. A board that no layout agrees with raises `InconsistentBoard`; one
    that is too wide to be counted, and has no proven safe cell, raises `BudgetExceeded`.

    >>> import msat
    >>> advice = msat.best_move(msat.Board.parse("?1??/???? 2"))
    >>> advice.cell, advice.safety, advice.win, advice.exact
    ((0, 0), 0.8, Fraction(3, 10), True)
    """
    check_board(board, "best_move")
    seconds = _checked(seconds)
    analysis = analyze(board)
    if analysis.safe:
        return _proven(analysis, seconds)
    if len(analysis.mined) == len(board.hidden):
        return Advice(board, None, (), "won", 1.0, Fraction(1), True, 0.0, 0, sentences.WON)
    if not analysis.complete:
        raise BudgetExceeded("the board is too wide for advice, and no cell of it is proven safe")
    end = time.perf_counter() + seconds
    found = _perfect(board, seconds)
    if found is not None:
        return _searched(analysis, found, Best().choose(board))
    choice = Best(seconds=max(0.0, end - time.perf_counter()) / 2).choose(board)
    assert choice is not None  # there are cells to open, and they can be counted
    if choice.kind == "endgame":  # so it can be searched to its end, in a time like that which it just took
        return _searched(analysis, perfect_play(board, _MOST, _MOST, NODES), choice)
    return _guessed(analysis, choice, max(0.0, end - time.perf_counter()))


def _checked(seconds: float) -> float:
    try:
        number = float(seconds)
    except (TypeError, ValueError):
        number = -1.0
    if isinstance(seconds, str | bool) or not 0 <= number <= MOST_SECONDS:
        expected = f"a number of seconds from 0 to {MOST_SECONDS}"
        raise ParameterError(f"{argument('seconds', seconds)} is not accepted: give {expected}")
    return number


def _perfect(board: Board, seconds: float) -> WinProbability | None:
    """The exact chance to win; None where that takes longer than the time allows."""
    nodes = NODES + int(NODES_PER_SECOND * seconds)
    try:
        return perfect_play(board, MOST_SOLUTIONS, nodes, nodes)
    except BudgetExceeded:
        return None


def _proven(analysis: Analysis, seconds: float) -> Advice:
    """The advice where cells are proven safe."""
    board = analysis.board
    cells = tuple(sorted(analysis.safe))
    by_rules = next((found for found in deductions(board) if not found.mine), None)
    if by_rules is not None:
        kind, cell, reason = "rule", by_rules.cell, sentences.by_rule(by_rules, cells)
    else:
        kind, cell, reason = "count", cells[0], sentences.by_count(cells[0], cells)
    end = time.perf_counter() + seconds
    found = _perfect(board, seconds) if analysis.complete else None
    if found is not None:
        return Advice(board, cell, cells, kind, 1.0, found.probability, True, 0.0, 0, reason)
    [(win, error, games)] = _estimates(analysis, [(None, 1.0)], max(0.0, end - time.perf_counter()))
    return Advice(board, cell, cells, kind, 1.0, win, False, error, games, reason)


def _searched(analysis: Analysis, found: WinProbability, choice: Choice | None) -> Advice:
    """The advice where the game is searched to its end: the player's choice, if it is one of the best moves.

    Where it would take too long to search after every other move as well, no other moves are told: next to
    what perfect play wins, an estimate of what a player wins would compare badly, or by luck too well.
    """
    assert found.move is not None
    chances = found.chances or {}
    cell = found.move
    if choice is not None and chances.get(choice.cells[0]) == found.probability:
        [cell] = choice.cells
    safety = _safety(analysis, cell)
    others = [
        Alternative(other, _safety(analysis, other), chance, 0.0)
        for other, chance in chances.items()
        if other != cell
    ]
    safer = next((x.cell for x in others if x.safety > safety + _SAME and x.win != found.probability), None)
    reason = sentences.by_perfect_play(cell, safety, found, safer)
    told = tuple(others[:ALTERNATIVES])
    win = found.probability
    return Advice(analysis.board, cell, (cell,), "endgame", safety, win, True, 0.0, 0, reason, told)


def _guessed(analysis: Analysis, choice: Choice, seconds: float) -> Advice:
    """The advice where the player's own judgement has to do."""
    board = analysis.board
    [cell] = choice.cells
    ranked = choice.ranking if len(choice.ranking) > 1 else ranking(analysis)
    others = [(other, safety) for other, safety in ranked if other != cell][:ALTERNATIVES]
    moves = [(cell, choice.safety), *others]
    (win, error, games), *rest = _estimates(analysis, moves, seconds)
    told = tuple(
        Alternative(other, safety, *estimate) for (other, safety), estimate in zip(others, rest, strict=True)
    )
    if choice.kind in ("evaluated", "playouts"):
        safest, best_safety = max(choice.ranking, key=lambda pair: pair[1])
        safer = safest if best_safety > choice.safety + _SAME else None
        played = choice.kind == "playouts"
        reason = sentences.by_evaluation(board, cell, choice.safety, len(choice.ranking), safer, played)
    elif choice.kind == "pocket":
        reason = sentences.by_pocket(cell, choice.safety)
    elif choice.kind == "unavoidable":
        reason = sentences.by_symmetry(cell, choice.safety)
    else:
        reason = sentences.by_safety(cell, choice.safety)
    return Advice(board, cell, (cell,), choice.kind, choice.safety, win, False, error, games, reason, told)


def _games(board: Board) -> int:
    """The games for an estimate, by the board alone: the same board gets the same answer.

    >>> _games(Board.blank(16, 30, 99)), _games(Board.blank(100, 100, 2000))
    (200, 20)
    """
    return max(FEWEST, min(GAMES, GAMES * LARGE // (board.height * board.width)))


def _estimates(
    analysis: Analysis, moves: Sequence[tuple[Cell | None, float]], seconds: float
) -> list[tuple[float | None, float, int]]:
    """(chance, standard error, games) of each move with its safety, on the same layouts; None: not known."""
    board = analysis.board.replace(dict.fromkeys(analysis.mined, MINE))
    playouts = Playouts(board.to_array(), board.mines, Best(), _JUDGING)
    if not playouts.possible:
        return [(None, 0.0, 0)] * len(moves)
    cells = [None if move is None else move[0] * board.width + move[1] for move, _ in moves]
    estimates = playouts.estimate(cells, _games(board), seconds)
    return [
        (safety * found.chance, safety * found.error, found.games) if found.games else (None, 0.0, 0)
        for (_, safety), found in zip(moves, estimates, strict=True)
    ]


def _safety(analysis: Analysis, cell: Cell) -> float:
    return 1.0 - float(analysis.probability[cell])
