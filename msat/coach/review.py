"""`review`: a game judged decision by decision. What was a mistake, and what was bad luck?

Before every decision there is a best chance to win, and after the choice, before its outcome is known, there
is the chance that it left. Their quotient is what the player *kept*. What the board then shows makes the next
best chance larger or smaller: that is *luck*. Multiplied along the game,

    chance at the start × kept × luck  =  1 for a game won, 0 for one lost,

exactly, since every factor cancels with the next; for a game that stops in the middle it is the chance that
is left. Marks are no facts: each decision is judged by the numbers that were open, and by the mine total.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from types import NoneType

from msat._jit import hurry
from msat.analysis import Analysis, analyze
from msat.batch import MANY_CELLS
from msat.board import Cell
from msat.coach import review_words
from msat.coach.best_move import HUGE
from msat.coach.judging import Judge, Judgement, joint_safety
from msat.coach.reviewed import Review, ReviewedMove
from msat.coach.situations import Situation, analyze_before, situations_of
from msat.deadline import Budget, Deadline, checked_seconds
from msat.errors import BudgetExceeded, WrongType
from msat.interrupting import interruptible
from msat.kinds import given
from msat.record import Record
from msat.wording import quoted

__all__ = ["review"]

CERTAIN_GAMES = 40, 100
"""The fewest and the most games by which a position is estimated in which nothing is at stake …"""

CONTESTED_GAMES = 150, 300
"""… and one in which the choice may have been a mistake: these many for each of two moves."""

CELLS = 2_000_000
"""Games times cells that a review may take in all, between these limits: some seconds on an expert board."""

EXPERT_CELLS = 480
"""On boards with more cells the limits are lower in proportion, but never lower than …"""

FEWEST = 10
"""… so many games."""

DOUBT = 2
"""A mistake is told only if it is larger than so many standard errors …"""

POINT = Fraction(1, 100)
"""… and if it gave away more of the chance to win than this share."""

Progress = Callable[[int, int], None]


def review(
    record: Record, seconds: float | None = None, progress: Progress | None = None, *, budget: Budget = None
) -> Review:
    """Judge every decision of a game: what it kept of the chance to win, and what luck did.

    Any record will do: of a person or a strategy, with or without claims and marks, finished or not. Chances
    are exact where the end can be searched, else estimates; these rest on fewer games the more decisions
    there are, so that a game of 30 takes some seconds on an expert board. With `seconds` never fewer are
    played, and more until then. `progress(done, of)` is called after each decision, from the last to the
    first. `budget` limits the seconds for all of it: a game that takes longer raises `BudgetExceeded`.

    >>> import msat
    >>> game = msat.Game(msat.Layout.from_mines(2, 3, [(0, 2), (1, 0)]))
    >>> for cell in [(0, 1), (1, 2), (1, 1), (0, 0)]:
    ...     _ = game.open(cell)
    >>> found = msat.review(game.record)
    >>> found.chance_at_start * found.kept * found.luck
    Fraction(1, 1)
    >>> found.moves[0].kind, found.moves[1].kind, str(found.moves[1].safety)
    ('start', 'guess', '3/5')
    """
    if not isinstance(record, Record):
        raise WrongType(f"review takes a Record, not {quoted(record)}: Record.load and Game.record have one")
    given(progress, (Callable, NoneType), "progress", "a function of two numbers, or None")
    seconds = 0.0 if seconds is None else checked_seconds(seconds)
    area = record.layout.height * record.layout.width
    if area > HUGE:
        raise BudgetExceeded(
            f"a board of {area:,} cells is too large to be reviewed: at most {HUGE:,} are not"
        )
    if area * len(record.moves) > MANY_CELLS:
        hurry()
    record.state  # noqa: B018  # a record that does not replay is refused here
    limit = Deadline.of(budget)

    def judge() -> Review:
        situations = situations_of(record, limit)
        judgements, last = _judge_all(record, situations, seconds, progress, limit)
        return _assemble(record, situations, judgements, last, limit)

    try:
        return interruptible(judge, limit)
    except BudgetExceeded as error:
        if not limit.over():
            raise
        raise BudgetExceeded(f"the game was not reviewed {limit.within()}: allow more", error.width) from None


def _games(record: Record, situations: Sequence[Situation]) -> tuple[int, int]:
    """The games for a position where nothing is at stake, and for each move of one where something is."""
    area = record.layout.height * record.layout.width
    contested = sum(situation.contested for situation in situations)
    certain = 1 + sum(situation.kind in ("start", "proven") for situation in situations)
    fewest, most = CERTAIN_GAMES
    worth = CONTESTED_GAMES[0] / fewest
    share = CELLS / area / (certain + 2 * worth * contested)
    scale = min(1.0, EXPERT_CELLS / area)

    def limited(games: float, fewest: int, most: int) -> int:
        return max(FEWEST, round(min(max(games, scale * fewest), scale * most)))

    return limited(share, fewest, most), limited(worth * share, *CONTESTED_GAMES)


def _judge_all(
    record: Record,
    situations: Sequence[Situation],
    seconds: float,
    progress: Progress | None,
    limit: Deadline,
) -> tuple[dict[int, Judgement], Fraction]:
    """The judgement of every move that opens something, by its number, and the chance that is left."""
    certain_games, contested_games = _games(record, situations)
    judge = Judge(limit)
    deadline = Deadline(seconds)
    openings = [situation for situation in situations if situation.opened]
    unfinished = record.state == "playing"
    shares = [certain_games + 2 * contested_games * situation.contested for situation in openings]
    of, left = len(openings) + unfinished, sum(shares) + certain_games * unfinished

    def ask(analysis: Analysis, opened: tuple[Cell, ...], games: int, share: int) -> Judgement:
        nonlocal left
        allowed = (deadline.left() or 0.0) * share / left if seconds else None
        left -= share
        return judge.judge(analysis, opened, games, allowed)

    last = Fraction(record.state == "won")
    if unfinished:
        board = record.game().board.without_marks()
        last = Fraction(
            ask(
                analyze_before(board, len(record.moves) + 1, limit), (), certain_games, certain_games
            ).best_win
        )
        if progress is not None:
            progress(1, of)
    found: dict[int, Judgement] = {}
    for situation, share in zip(reversed(openings), reversed(shares), strict=True):
        games = contested_games if situation.contested else certain_games
        if situation.kind == "start":
            judgement = _judge_start(record, situation, lambda a, o: ask(a, o, games, share))  # noqa: B023
        else:
            judgement = ask(situation.analysis, situation.opened, games, share)
        found[situation.number] = judgement
        if progress is not None:
            progress(unfinished + len(found), of)
    return found, last


def _judge_start(
    record: Record, situation: Situation, ask: Callable[[Analysis, tuple[Cell, ...]], Judgement]
) -> Judgement:
    """The chance to win from such a start; there is nothing to be chosen.

    A start that is given, and begins with an opening, is taken for one that was made to: the chance is that
    of all layouts with an opening there. One that shows another number was only made safe.
    """
    cell = situation.move.cell
    board = situation.analysis.board
    given = Fraction(1)
    if situation.safety == 1 and record.layout.number(cell) == 0:
        found = ask(analyze(board.replace({cell: 0})), ())
    else:
        found = ask(situation.analysis, (cell,))
        given = situation.safety / joint_safety(situation.analysis, (cell,))
    win = found.win * given if isinstance(found.win, Fraction) else found.win * float(given)
    return Judgement(win, win, cell, found.win_error * float(given))


def _assemble(
    record: Record,
    situations: Sequence[Situation],
    judgements: dict[int, Judgement],
    last: Fraction,
    limit: Deadline,
) -> Review:
    """The review, from the last decision to the first: each needs the chance at the next."""
    moves: list[ReviewedMove] = []
    after = last
    for situation in reversed(situations):
        fatal = record.state == "lost" and situation is situations[-1]
        judgement = judgements.get(situation.number)
        if judgement is None:  # a mark changes nothing
            chance: Fraction | float = moves[-1].best_win if moves else last
            judgement = Judgement(chance, chance, None)
        win, best_win = Fraction(judgement.win), Fraction(judgement.best_win)
        lost = best_win - win
        mistake = lost > DOUBT * judgement.error and lost > POINT * best_win
        certain = mistake or (judgement.exact and lost > 0)
        better = judgement.best if certain else None
        words = review_words.reason(situation, judgement, better, fatal, limit)
        moves.append(
            ReviewedMove(
                number=situation.number,
                move=situation.move,
                board=situation.board,
                opened=situation.opened,
                kind=situation.kind,
                safety=situation.safety,
                win=judgement.win,
                best_win=judgement.best_win,
                win_error=judgement.win_error,
                error=judgement.error,
                luck=after / win if win else Fraction(0),
                mistake=mistake,
                fatal=fatal,
                better=better,
                reason=words.reason,
                clues=words.clues,
                proof=words.proof,
                marks=situation.marks,
            )
        )
        after = best_win
    return Review(record, tuple(reversed(moves)), after, last)
