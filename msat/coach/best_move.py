"""`best_move`: what to open on a board, how likely that is to win, why, and what else could be opened.

Where cells are proven safe, these are the answer. Where the position can be searched to its end in about the
time that there is, the answer is perfect play and the chance to win is exact. Everywhere else it is
the choice of `best`, and the chance is an estimate: that of `best` itself to win if it plays on from here, by
games on layouts drawn at random. The safety of a move is known exactly; so games are played only on layouts
in which it is safe, and the chance is its safety times the average chance of these games. An estimate
comes with its standard error, and never passes for exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from msat._jit import hurry, mode
from msat.analysis import Analysis, analyze
from msat.board import HIDDEN, MINE, Board, Cell, check_board
from msat.coach import sentences
from msat.coach.advice import Advice, Alternative
from msat.coach.prospects import prospects
from msat.constants import SAME_RISK
from msat.deadline import Budget, Deadline, checked_seconds
from msat.engines.rules.deductions import first_safe, mines_behind
from msat.errors import BudgetExceeded
from msat.explanation.explanation import explain
from msat.formats.parsed import HIDDEN_BYTE
from msat.interrupting import interruptible
from msat.kinds import flag
from msat.strategies.best.player import Best
from msat.strategies.best.playouts import Playouts, paired_error
from msat.strategies.choice import Choice
from msat.strategies.safest import ranking
from msat.winning import MAX_SOLUTIONS, WinProbability, perfect_play
from msat.wording import argument

__all__ = ["GAMES", "Chance", "advise", "best_move", "estimate_chances", "games_for"]

GAMES = 200
"""The least games played on from each move for an estimate; fewer on boards of …"""

LARGE = 240
"""… more than so many cells, in proportion (a game takes time in proportion), but never fewer than …"""

FEWEST = 10
"""… so many, and none at all, unless there is a time for it, on boards of …"""

HUGE = 12_000
"""… more than so many cells: there even the fewest games would take several seconds."""

PLAYED_TO = 1000
"""The layouts at which games that are played on are searched to their end: more take most of the time."""

FEW_LAYOUTS = 300
"""Positions with more are searched, or played on, by compiled kernels: plain ones would take a minute."""

LAYOUTS = 60_000
"""The layouts up to which perfect play is looked for, more with seconds: to list them takes a moment, too."""

NODES = 50_000
"""The sets of layouts that are looked into for perfect play, in half a second or so …"""

NODES_PER_SECOND = 50_000
"""… and more with every second that is given …"""

RANKING = 4
"""… and so many times as many to rank the other moves, which takes less time than to estimate them."""

MOST_HIDDEN = 3000
"""Hidden cells beyond which perfect play is not looked for: just to take them apart would take a while."""

ALTERNATIVES = 4
"""The most other moves that are told, and estimated, beside the best."""

Result = TypeVar("Result")

_MOST = 1 << 40  # solutions and nodes without a limit
_JUDGING = 1  # the stream of layouts on which moves are judged: not those on which one was chosen


def best_move(
    board: Board, *, seconds: float = 0.0, budget: Budget = None, estimate_proven: bool = True
) -> Advice:
    """What to open on `board`, how likely that is to win, and why.

    Without `seconds` the answer takes about a second on an expert board, depends on nothing but the board,
    and is the move of the player `best`, or one that perfect play finds better. Estimates rest on 200 games
    for each move, 100 on expert boards, fewer on larger ones, and none beyond 12,000 cells: an alternative
    may come out higher, and differences below the errors tell nothing. With `seconds` more of the endgame is
    searched exactly, and never fewer games are played; where a guess is needed, up to half of the time that
    is left goes into choosing, as by `best` with this parameter, and the rest into estimates. Where cells are
    proven safe, nothing is left to be chosen: all of it goes into the chance to win. That takes most of the
    time; without `estimate_proven` it is given there only if few layouts are left, so that it is exact.

    `budget` limits the seconds for all of it: what cannot be searched, judged or estimated by then is left
    out, as are games by plain kernels, and the advice says so. On a board that is won, `cell` is None. If no
    layout agrees, `InconsistentBoard` is raised; if it is not counted, and no cell proven, `BudgetExceeded`.

    >>> import msat
    >>> advice = msat.best_move(msat.Board.parse("?1??/???? 2"))
    >>> advice.cell, advice.safety, advice.win, advice.exact
    ((0, 0), 0.8, Fraction(3, 10), True)
    """
    check_board(board, "best_move")
    seconds = checked_seconds(seconds)
    limit = Deadline.of(budget)
    return advise(analyze(board, budget=limit), seconds, limit, flag(estimate_proven, "estimate_proven"))


def advise(analysis: Analysis, seconds: float, limit: Deadline, estimate_proven: bool = True) -> Advice:
    """The same for a board that has been analysed within the budget."""
    board = analysis.board
    if analysis.safe:
        return _proven(analysis, seconds, limit, estimate_proven)
    if _nothing_left(analysis):
        return Advice(board, None, (), "won", 1.0, Fraction(1), True, 0.0, 0, sentences.WON)
    if not analysis.complete:
        raise _too_wide(analysis, limit)
    if analysis.solutions > FEW_LAYOUTS:
        hurry()
    deadline = Deadline(seconds)
    found = _in_time(lambda: _perfect(analysis, seconds, limit), limit, None)
    if found is not None:
        return _searched(analysis, found, _in_time(lambda: Best().choose(board), limit, None), limit)
    thinking = 0.0 if _is_slow(limit) and seconds < PLAIN_SECONDS else (deadline.left() or 0.0) / 2
    choice = _in_time(lambda: Best(seconds=thinking).choose(board), limit, None) or _safest(analysis)
    if choice.kind == "endgame":  # so it can be searched to its end, in a time like that which it just took
        first = [_first(_safest_cells(analysis))]
        found = _in_time(
            lambda: perfect_play(analysis, _MOST, _MOST, NODES, deadline=limit, first=first), limit, None
        )
        if found is not None:
            return _searched(analysis, found, choice, limit)
    return _guessed(analysis, choice, deadline if seconds else None, limit)


def _in_time(task: Callable[[], Result], limit: Deadline, otherwise: Result) -> Result:
    """The result of a task, or something else where the budget does not suffice."""
    try:
        return interruptible(task, limit)
    except BudgetExceeded:
        return otherwise


def _nothing_left(analysis: Analysis) -> bool:
    """Whether every hidden cell is a mine."""
    return len(analysis.mined) == int(np.count_nonzero(analysis.board.to_array() == HIDDEN))


def _safest(analysis: Analysis) -> Choice:
    """The choice where there is no time to judge further."""
    cell = _first(_safest_cells(analysis))
    return Choice((cell,), _safety(analysis, cell), Best.reasons["guess"])


def _safest_cells(analysis: Analysis) -> NDArray[np.bool_]:
    """Where the hidden cells are that are safest; not as a list, which takes a second for a million cells."""
    risk = np.where(analysis.board.to_array() == HIDDEN, analysis.probability, 2.0)
    return np.asarray(risk <= risk.min() + SAME_RISK)


def _first(cells: NDArray[np.bool_]) -> Cell:
    return divmod(int(cells.argmax()), int(cells.shape[1]))


def _with_safest(analysis: Analysis, cell: Cell, ranked: Sequence[Cell]) -> list[Cell]:
    """The moves to tell beside `cell`: those ranked first, and the safest: everybody asks why not that."""
    told = [other for other in ranked if other != cell][:ALTERNATIVES]
    safest = _safest_cells(analysis)
    if any(safest[each] for each in (cell, *told)):
        return told
    return [*told[: ALTERNATIVES - 1], _first(safest)]


def _too_wide(analysis: Analysis, limit: Deadline) -> BudgetExceeded:
    """The error where nothing is known of any cell that could be opened, with what can be done about it."""
    if limit.seconds is None:
        way = "in the memory that there is; a guess of your own may narrow it"
    else:
        way = f"within {argument('budget', limit.seconds)}: allow more"
    message = f"no cell is proven safe, and the board is too wide to be counted {way}"
    return BudgetExceeded(message, safe=analysis.safe, mined=analysis.mined)


def _perfect(analysis: Analysis, seconds: float, limit: Deadline) -> WinProbability | None:
    """The exact chance to win; None where that takes longer than the time allows."""
    if analysis.board.values.count(HIDDEN_BYTE) > MOST_HIDDEN:
        return None
    nodes = NODES + int(NODES_PER_SECOND * seconds)
    layouts = min(LAYOUTS + int(LAYOUTS * seconds), MAX_SOLUTIONS)
    try:
        first = [] if analysis.safe else [_first(_safest_cells(analysis))]
        return perfect_play(analysis, layouts, nodes, RANKING * nodes, deadline=limit, first=first)
    except BudgetExceeded:
        return None


def _has_few_layouts(analysis: Analysis) -> bool:
    """Whether it can be searched to its end in a moment; a large board would take longer to be counted."""
    small = analysis.complete and analysis.board.values.count(HIDDEN_BYTE) <= MOST_HIDDEN
    return small and analysis.solutions <= FEW_LAYOUTS


def _proven(analysis: Analysis, seconds: float, limit: Deadline, estimate: bool) -> Advice:
    """The advice where cells are proven safe."""
    board = analysis.board
    cells = tuple(sorted(analysis.safe))
    by_rules = _in_time(lambda: first_safe(board), limit, None)
    if by_rules is not None:
        kind, cell = "rule", by_rules.cell
        reason = sentences.by_rule(by_rules, cells, mines_behind(board, by_rules))
    else:
        kind, cell = "count", cells[0]
        reason = sentences.by_count(cell, cells, _in_time(lambda: _numbers(board, cell, limit), limit, ""))
    if not estimate and not _in_time(lambda: _has_few_layouts(analysis), limit, False):
        unknown = f"cells are proven safe; {argument('seconds', 1)} would estimate it"
        return Advice(board, cell, cells, kind, 1.0, None, False, 0.0, 0, reason, unknown)
    deadline = Deadline(seconds)
    found = _in_time(lambda: _perfect(analysis, seconds, limit), limit, None) if analysis.complete else None
    if found is not None:
        return Advice(board, cell, cells, kind, 1.0, found.probability, True, 0.0, 0, reason)
    unknown, [chance] = _estimated(analysis, [((), 1.0)], deadline if seconds else None, limit)
    win, error, games, *_ = chance
    return Advice(board, cell, cells, kind, 1.0, win, False, error, games, reason, unknown)


def _numbers(board: Board, cell: Cell, limit: Deadline) -> str:
    """The numbers that prove a cell safe, in words; nothing where there are too many cells to ask."""
    if board.values.count(HIDDEN_BYTE) > MOST_HIDDEN:
        return ""
    return explain(board, cell, budget=limit).reasons()


def _searched(analysis: Analysis, found: WinProbability, choice: Choice | None, limit: Deadline) -> Advice:
    """The advice where the game is searched to its end: of the moves that win most often, the safest.

    Where it would take too long to search after every other move as well, at most the safest is told: next
    to what perfect play wins, an estimate of what a player wins would compare badly, or by luck too well.
    """
    assert found.move is not None
    chances = found.chances or {}
    equal = [cell for cell, chance in chances.items() if chance == found.probability]
    cell = found.move
    if equal:  # those that win as often as any; of these the safest, and of these the player's choice
        most = max(_safety(analysis, each) for each in equal) - SAME_RISK
        safest = [each for each in equal if _safety(analysis, each) >= most]
        chosen = choice.cells[0] if choice is not None else cell
        cell = next((each for each in (chosen, cell) if each in safest), safest[0])
    safety = _safety(analysis, cell)
    others = [
        Alternative(other, _safety(analysis, other), chance, 0.0, 0, chance - found.probability)
        for other, chance in chances.items()
        if other != cell
    ]
    safer = next(
        (x.cell for x in others if x.safety > safety + SAME_RISK and x.win != found.probability), None
    )
    as_good = sorted(other for other in equal if other != cell)
    reason = sentences.by_perfect_play(cell, safety, found, safer, as_good)
    ranked = _best_first(others)
    kept = _with_safest(analysis, cell, [other.cell for other in ranked])
    told = tuple(other for other in ranked if other.cell in kept)
    win = found.probability
    return _with_prospects(
        analysis,
        Advice(analysis.board, cell, (cell,), "endgame", safety, win, True, 0.0, 0, reason, "", told),
        limit,
    )


def _guessed(analysis: Analysis, choice: Choice, deadline: Deadline | None, limit: Deadline) -> Advice:
    """The advice where the player's own judgement has to do."""
    board = analysis.board
    [cell] = choice.cells
    ranked = choice.ranking
    if len(ranked) <= 1:
        ranked = _in_time(lambda: ranking(analysis, ALTERNATIVES + 1), limit, ranked)
    told_safety = dict(ranked)
    others = [
        (other, told_safety.get(other, _safety(analysis, other)))
        for other in _with_safest(analysis, cell, list(told_safety))
    ]
    moves = [((move,), safety) for move, safety in [(cell, choice.safety), *others]]
    unknown, [(win, error, games, *_), *rest] = _estimated(analysis, moves, deadline, limit)
    told = _best_first(
        Alternative(other, safety, *chance) for (other, safety), chance in zip(others, rest, strict=True)
    )
    if choice.kind in ("evaluated", "sampled"):
        safest, best_safety = max(choice.ranking, key=lambda pair: pair[1])
        safer = safest if best_safety > choice.safety + SAME_RISK else None
        sampled = choice.kind == "sampled"
        tells = _in_time(lambda: prospects(analysis, cell).progress, limit, None)
        reason = sentences.by_evaluation(cell, choice.safety, len(choice.ranking), tells, safer, sampled)
    elif choice.kind == "pocket":
        reason = sentences.by_pocket(cell, choice.safety)
    elif choice.kind == "unavoidable":
        reason = sentences.by_symmetry(cell, choice.safety)
    else:
        reason = sentences.by_safety(cell, choice.safety, choice.kind == "guess")
    kind, safety = choice.kind, choice.safety
    return _with_prospects(
        analysis,
        Advice(board, cell, (cell,), kind, safety, win, False, error, games, reason, unknown, told),
        limit,
    )


def _with_prospects(analysis: Analysis, advice: Advice, limit: Deadline) -> Advice:
    """Advice on a guess, with what each of its moves may lead to, if there is time to find that."""
    advice = replace(advice, analysis=analysis)
    if advice.board.height * advice.board.width > HUGE:
        return advice
    return _in_time(lambda: _add_prospects(analysis, advice), limit, advice)


def _add_prospects(analysis: Analysis, advice: Advice) -> Advice:
    assert advice.cell is not None
    others = tuple(
        replace(other, **prospects(analysis, other.cell)._asdict(), dead=other.cell in analysis.dead)
        for other in advice.alternatives
    )
    own, dead = prospects(analysis, advice.cell), advice.cell in analysis.dead
    return replace(advice, **own._asdict(), dead=dead, alternatives=others)


PLAIN_SECONDS = 10
"""The fewest seconds in which plain kernels play games: one takes several of them on a large board."""


def _is_slow(limit: Deadline) -> bool:
    """Whether games would be played by plain kernels, although there is a budget."""
    return limit.seconds is not None and mode() == "plain"


def games_for(board: Board) -> int:
    """The games for an estimate, by the board alone: the same board gets the same answer.

    >>> [games_for(Board.blank(side, side, 1)) for side in (9, 16, 22, 100, 200)]
    [200, 187, 99, 10, 0]
    """
    cells = board.height * board.width
    return 0 if cells > HUGE else max(FEWEST, min(GAMES, GAMES * LARGE // cells))


Chance = tuple[float | None, float, int, float | None, float]
"""The chance to win (None if it is not known), its standard error, the games that it rests on; and by how
much it is above that of the first move, with the standard error of that."""

_NOT_KNOWN: Chance = (None, 0.0, 0, None, 0.0)

Moves = Sequence[tuple[tuple[Cell, ...], float]]
"""The cells that each move opens, and their safety."""


def _estimated(
    analysis: Analysis, moves: Moves, deadline: Deadline | None, limit: Deadline
) -> tuple[str, list[Chance]]:
    """The chances of moves, by as many games as there is time for; by plain kernels only if it is given."""
    none = [_NOT_KNOWN] * len(moves)
    if _is_slow(limit):  # they would take all of it
        if deadline is None or (deadline.seconds or 0.0) < PLAIN_SECONDS:
            few = argument("seconds", PLAIN_SECONDS)
            return f"kernels are not compiled, so no games are played without {few}", none
        limit = deadline if limit.allows(deadline.left() or 0.0) else limit
    late, games = (f"not estimated {limit.within()}", none), games_for(analysis.board)
    return _in_time(lambda: estimate_chances(analysis, moves, games, deadline, limit), limit, late)


def estimate_chances(
    analysis: Analysis,
    moves: Moves,
    games: int,
    deadline: Deadline | None,
    limit: Deadline | None = None,
) -> tuple[str, list[Chance]]:
    """Why there are no chances, or ''; and the chance of each move: the cells it opens, and their safety.

    A move that opens nothing plays the board on as it is. Each gets so many games, and with a deadline at
    least one, and more until then; fewer only if the limit ends them.
    """
    board = analysis.board.replace(dict.fromkeys(analysis.mined, MINE))
    games = games or (deadline is not None)
    none = [_NOT_KNOWN] * len(moves)
    if not games:
        return f"not estimated on a board this large without {argument('seconds', 10)} or so", none
    playouts = Playouts(board.to_array(), board.mines, Best(layouts=PLAYED_TO).limits, _JUDGING)
    if not playouts.possible:
        return "the board is too wide for games to be played on", none
    positions = [tuple(r * board.width + c for r, c in cells) for cells, _ in moves]
    openings = [cells if len(cells) > 1 else cells[0] if cells else None for cells in positions]
    estimates = playouts.estimate(openings, games, deadline, limit)
    first, likely = estimates[0], moves[0][1]
    found = []
    for (_, safety), estimate in zip(moves, estimates, strict=True):
        chance = _NOT_KNOWN
        if estimate.games:
            win = safety * estimate.chance
            chance = (win, safety * estimate.error, estimate.games, None, 0.0)
            if first.games:
                error = paired_error(first, estimate, likely, safety)
                chance = (*chance[:3], win - likely * first.chance, error)
        found.append(chance)
    if not first.games and limit is not None and limit.over():
        return f"not estimated {limit.within()}", none
    return "" if first.games else "no layout was drawn in which the move is safe", found


def _best_first(moves: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Those with the best chances to win first; among equals the safest."""
    return tuple(
        sorted(moves, key=lambda move: (-1 if move.win is None else move.win, move.safety), reverse=True)
    )


def _safety(analysis: Analysis, cell: Cell) -> float:
    return 1.0 - float(analysis.probability[cell])
