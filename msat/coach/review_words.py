"""What a review says: a sentence about each decision, and one line about the game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from msat.board import Cell
from msat.coach.sentences import percent
from msat.deadline import Deadline
from msat.errors import BudgetExceeded
from msat.explanation.explanation import Explanation, explain
from msat.wording import are, cell_name, cell_names, clue_name, enumerate_words

if TYPE_CHECKING:
    from msat.board import Board
    from msat.coach.judging import Judgement
    from msat.coach.reviewed import ReviewedMove
    from msat.coach.situations import Situation

__all__ = ["Words", "reason", "summary"]

PROOF_SECONDS = 5.0
"""The time after which a proof is left out."""

NAMED = 3
"""Mistakes that the summary lists; of more it tells how many there are."""


HALF = Fraction(1, 2)


class Words(NamedTuple):
    """What is said about a decision, and the proof that it rests on, if it does on one."""

    reason: str
    clues: frozenset[Cell] = frozenset()
    proof: tuple[str, ...] = ()


def reason(
    situation: Situation, judgement: Judgement, better: Cell | None, fatal: bool, limit: Deadline
) -> Words:
    """What is to be said about a decision; `better` is a move that is better for certain, if there is one."""
    what = cell_names(situation.opened)
    if situation.kind == "mark":
        return Words(_about_mark(situation))
    if situation.kind == "start":
        return Words("the start" + (", on a mine" if fatal else ""))
    if situation.kind == "proven":
        return Words(f"{what} {'was' if len(situation.opened) == 1 else 'were'} proven safe")
    if situation.kind == "blunder":
        return _about_blunder(situation, limit)
    words = _about_risk(situation, judgement, better, limit)
    if situation.marks:
        return words._replace(reason=f"{_about_chord(situation)}; {words.reason}")
    return words


def _about_blunder(situation: Situation, limit: Deadline) -> Words:
    """Of a chord, which flag was wrong for certain; of a click, the proof of its mine."""
    board = situation.analysis.board
    wrong = [cell for cell, mark in situation.marks if mark.verdict == "wrong"]
    if wrong:
        trusted = f"{_chord_on(situation)} trusted {_flags(wrong)} wrong"
        return _proven(board, wrong[0], f"{trusted}: {are(wrong[:1], False)} for certain", limit)
    mined = [cell for cell in situation.opened if cell in situation.analysis.mined]
    if mined:
        return _proven(board, mined[0], f"{are(mined[:1], True)} for certain", limit)
    doubtful = [cell for cell, mark in situation.marks if mark.verdict == "unproven"]
    return Words(
        f"{_chord_on(situation)} trusted the flags at {cell_names(doubtful)}, which cannot all be right"
        if doubtful
        else f"{cell_names(situation.opened)} cannot all be safe"
    )


def _about_risk(situation: Situation, judgement: Judgement, better: Cell | None, limit: Deadline) -> Words:
    """A risk that was needless, or a guess."""
    if situation.kind == "needless":
        risk = percent(1 - situation.safety)
        if better is None or better not in situation.analysis.safe:
            cost = "it cost nothing" if judgement.exact else "whether that cost anything is not certain"
            return Words(f"a risk of {risk}, taken before what was proven safe; {cost}")
        claim = f"a needless risk of {risk}: {cell_name(better)} was proven safe"
        return _proven(situation.analysis.board, better, claim, limit)
    if better is not None:
        return Words(f"{cell_name(better)} was better: {_comparison(situation, judgement, better)}")
    doubt = "" if judgement.exact else " for certain"
    return Words(f"{_guess(situation.safety)}; no cell was safe, and no move was better{doubt}")


def _flags(cells: Sequence[Cell]) -> str:
    one = len(cells) == 1
    return f"the flag{'' if one else 's'} at {cell_names(cells)}, which {'was' if one else 'were'}"


def _chord_on(situation: Situation) -> str:
    cell = situation.move.cell
    return f"the chord on {clue_name(situation.board[cell], cell)}"


def _about_chord(situation: Situation) -> str:
    """The flags that a chord trusted without proof: it is as safe as these are right, all of them."""
    doubtful = [(cell, mark.probability) for cell, mark in situation.marks if mark.verdict != "proven"]
    listed = enumerate_words(
        [
            cell_name(cell) + ("" if chance is None else f" (a mine with {percent(chance)})")
            for cell, chance in doubtful
        ]
    )
    one = len(doubtful) == 1
    text = f"{_chord_on(situation)} trusted the flag{'' if one else 's'} at {listed}"
    unproven = f"{'was' if one else 'were'} not proven"
    if not situation.wrong:
        return f"{text}, which {unproven}"
    if one:
        return f"{text}, which {unproven} and was wrong"
    verb = "was" if len(situation.wrong) == 1 else "were"
    return f"{text}, which {unproven}: {cell_names(situation.wrong)} {verb} wrong"


def _about_mark(situation: Situation) -> str:
    name = cell_name(situation.move.cell)
    mine = 1 - situation.safety
    if situation.move.kind == "unmark":
        return f"the mark at {name} taken back"
    if mine in (0, 1):
        return f"{name} is a mine for certain" if mine else f"a wrong flag: {name} was proven safe"
    return f"{name} is a mine with a chance of {percent(mine)}: not proven"


def _proven(board: Board, cell: Cell, claim: str, limit: Deadline) -> Words:
    """A claim with its proof, if there is time for it."""
    left = limit.left()
    seconds = PROOF_SECONDS if left is None else min(left, PROOF_SECONDS)
    try:
        found: Explanation = explain(board, cell, budget=seconds)
    except BudgetExceeded:
        return Words(claim)
    by = found.reasons()
    return Words(f"{claim}, by {by}" if by else claim, found.clues, tuple(found.lines()))


def _comparison(situation: Situation, judgement: Judgement, better: Cell) -> str:
    """Two moves beside each other: how safe they are, and how often they win."""
    safety = 1 - situation.analysis.exact(*better)
    chances = f"{percent(judgement.best_win)} to win instead of {percent(judgement.win)}"
    if not judgement.exact:
        chances += f" (standard error of the difference {judgement.error:.1%})"
    if safety == situation.safety:
        return f"as safe, and {chances}"
    return f"safe with {percent(safety)} instead of {percent(situation.safety)}, {chances}"


def _guess(safety: Fraction) -> str:
    return "a 50/50" if safety == HALF else f"a guess, safe with {percent(safety)}"


def summary(state: str, moves: Sequence[ReviewedMove], kept: Fraction) -> str:
    """The game in one line.

    >>> summary("playing", [], Fraction(1))
    'nothing was opened yet'
    """
    if not any(move.opened for move in moves):
        return "nothing was opened yet" if state == "playing" else state
    outcome = {"won": "won", "playing": "not finished", "lost": f"lost {_how_lost(moves[-1])}"}[state]
    mistakes = [move for move in moves if move.mistake and not (move.fatal and move.kind != "guess")]
    share = f"you kept {float(kept):.0%} of your chances"
    if kept and kept != 1:
        share = f"you kept {percent(kept)} of your chances"
    if not mistakes:
        if state == "lost" and moves[-1].mistake:
            return f"{outcome}; no other mistake"
        return f"{outcome}; no mistakes" + ("" if state == "lost" else f": {share}")
    first = mistakes[0]
    other = "other " if moves[-1].mistake and moves[-1] is not mistakes[-1] and moves[-1].fatal else ""
    if len(mistakes) == 1:
        return (
            f"{outcome}; your only {other}mistake was move {first.number}, which kept {float(first.kept):.2f}"
        )
    if other:
        before = prod((move.kept for move in moves[:-1]), start=Fraction(1))
        share = f"until then you kept {percent(before)} of your chances"
    if len(mistakes) <= NAMED:
        listed = enumerate_words([str(move.number) for move in mistakes])
        return f"{outcome}; your {other}mistakes were moves {listed}: {share}, the rest is luck"
    return f"{outcome}; {len(mistakes)} {other}mistakes: {share}, the rest is luck"


def _how_lost(move: ReviewedMove) -> str:
    """What lost the game."""
    if move.kind == "start":
        return "at the start"
    if move.kind == "blunder":
        wrong = [cell for cell, mark in move.marks if mark.verdict == "wrong"]
        if wrong:
            return f"by trusting {_flags(wrong)} proven wrong (move {move.number})"
        if move.marks:
            return f"by trusting flags that cannot all be right (move {move.number})"
        return f"by opening what was proven to be a mine (move {move.number})"
    if move.kind == "needless" and move.mistake:
        doubtful = [cell for cell, mark in move.marks if mark.verdict != "proven"]
        chord = f", trusting {_flags(doubtful)} not proven" if doubtful else ""
        return f"to a needless risk of {percent(1 - move.safety)}{chord} (move {move.number})"
    if move.mistake:
        return f"to {_gamble(move.safety)}, though there was a better move"
    return f"to {_gamble(move.safety)} that nothing could avoid"


def _gamble(safety: Fraction) -> str:
    return "a 50/50" if safety == HALF else f"a guess with a risk of {percent(1 - safety)}"
