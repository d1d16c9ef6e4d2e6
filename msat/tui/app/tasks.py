"""What the viewer asks its solver: plain functions with plain answers, which travel between processes.

All of them judge marks by the numbers first, unless marks are to be trusted: no answer is misled by a wrong
flag.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat.analysis import analyze
from msat.board import HIDDEN, MINE, Board, Cell
from msat.coach.best_move import HUGE, best_move
from msat.coach.guess_words import guess_in_short
from msat.coach.levels import hint
from msat.coach.marks import judge_marks, trusted
from msat.coach.review import review as judge_game
from msat.coach.reviewed import Review
from msat.coach.sentences import move_first
from msat.coach.trainer import Exercise, Feedback, find_exercise, guess_exercise
from msat.errors import BudgetExceeded
from msat.explanation.conflict import explain_contradiction
from msat.explanation.explanation import explain
from msat.layout import Layout
from msat.measures import metrics
from msat.record import Record
from msat.strategies import Choice, get
from msat.strategies.choice import BY_COUNTING
from msat.tui.board import Overlay
from msat.tui.step import proven_by
from msat.wording import cell_name, cell_names, clue_name, counted

__all__ = [
    "GUESS",
    "Believed",
    "Known",
    "Told",
    "allowed",
    "answer",
    "choose",
    "contradiction",
    "exercise",
    "known",
    "measure",
    "nudge",
    "review",
    "suggest",
    "why",
]

ANALYSIS = 20.0
"""Seconds for what is told of a board without being asked."""

GUESS = "guess"
"""What is trained, if not one of the difficulties."""


@dataclass(frozen=True)
class Told:
    """What is said, and what it speaks of."""

    text: str
    clues: frozenset[Cell] = frozenset()
    moves: Mapping[Cell, Literal["safe", "mine", "open"]] = field(default_factory=dict)
    cell: Cell | None = None
    """Where the cursor goes."""
    spare: str = ""
    """The line of the text that is missed least, where there is no room for all of it …"""
    brief: str = ""
    """… and what to say instead of all of it, where there is no room without that line either."""


class Believed(NamedTuple):
    """A board, and whether its marks are taken for mines."""

    board: Board
    trust: bool

    def judged(self) -> Board:
        """The board to answer from."""
        return self.board if self.trust else trusted(self.board, judge_marks(self.board))


@dataclass(frozen=True, eq=False)
class Known:
    """What is known about the cells of a board that are not open."""

    overlay: Overlay
    chances: NDArray[np.float64] | None = None
    """Of each, the chance that it is safe and shows 0, 1, … 8; None where that is not counted."""
    dead: frozenset[Cell] = frozenset()
    """Those that would show the same number in every layout in which they are safe."""


def known(asked: Believed) -> Known:
    """What is known about the hidden cells of a board, and about its marks."""
    board = asked.board
    try:
        marks = {} if asked.trust else judge_marks(board, ANALYSIS)
        found = analyze(trusted(board, marks), budget=ANALYSIS)
        overlay = Overlay.of(found, marks)
    except BudgetExceeded as error:
        return Known(Overlay(error.safe, error.mined))
    if not found.complete or board.height * board.width > HUGE:
        return Known(overlay)
    return Known(overlay, found.number_chances, found.dead)


def choose(asked: Believed, strategy: str, guess1: bool, guess2: bool) -> Choice | None:
    """What a strategy would do on a board, with one or both kinds of guesses turned off."""
    board = asked.judged()
    player = get(strategy)
    named = {parameter.name for parameter in player.parameters}
    switches = {name: on for name, on in (("guess1", guess1), ("guess2", guess2)) if name in named}
    choice = allowed(get(strategy, **switches).choose(board), board, guess1, guess2)
    if choice is not None and choice.reason == BY_COUNTING:
        choice = replace(choice, reason=proven_by(board, choice.cells[0]) or choice.reason)
    return choice


def allowed(choice: Choice | None, board: Board, guess1: bool, guess2: bool) -> Choice | None:
    """The choice, or the best that the strategy ranked below it, if its kind of guess is turned off.

    >>> guess = Choice(((0, 3),), 0.8, "", ranking=(((0, 3), 0.8), ((0, 0), 0.5)))
    >>> allowed(guess, Board.parse("?1?? 1"), guess1=False, guess2=True).cells
    ((0, 0),)
    """
    if choice is None or not choice.is_guess:
        return choice
    ranking = (*((cell, choice.safety) for cell in choice.cells), *choice.ranking)
    for cell, safety in ranking:
        touched = any(board[each] >= 0 for each in board.neighbours(cell))
        if guess2 if touched else guess1:
            return replace(choice, cells=(cell,), safety=safety)
    return None


def suggest(asked: Believed) -> Told:
    """What to open, why, and how likely that is to win."""
    advice = best_move(asked.judged())
    what: Literal["safe", "open"] = "safe" if advice.safety == 1.0 else "open"
    moves = dict.fromkeys(advice.cells, what)
    first, *told = advice.reasons
    told.insert(0, move_first(advice.cell, first))
    if what == "safe":  # of a guess, the reasons tell it
        error = f" ± {100 * advice.win_error:.1f}" if advice.games else ""
        told[-1] += f"; chance to win: {advice.chance}{error}"  # on no line of its own: 80×24 has two
    spare = told[1] if told[2:] else ""  # of a guess: what it may show
    brief = guess_in_short(advice) if advice.is_guess else ""
    return Told("\n".join(told), moves=moves, cell=advice.cell, spare=spare, brief=brief)


def nudge(asked: Believed, level: int) -> Told:
    """A hint that gives away as much as its level says."""
    found = hint(asked.judged(), level)
    ringed = set(found.clues)
    if level == 2 and found.window is not None:
        (top, left), (bottom, right) = found.window
        ringed = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
    cells = {found.cell} if found.cell else set(found.candidates)
    what: Literal["safe", "open"] = "safe" if found.kind == "proven" else "open"
    said = f"{level} of 5: "
    brief = "" if found.advice is None else f"{said}{guess_in_short(found.advice)}"
    moves = dict.fromkeys(cells, what)
    return Told(f"{said}{found}", frozenset(ringed), moves, found.cell, brief=brief)


def why(asked: Believed, cell: Cell) -> Told:
    """Why a cell is what it is, a marked one too; of a number, what it forces."""
    board, judged = asked.board, asked.judged()
    if board[cell] >= 0:
        return _forced_by(judged, cell)
    explanation = explain(judged if asked.trust else judged.replace({cell: HIDDEN}), cell)
    text = str(explanation)
    if board[cell] == MINE and explanation.verdict == "safe":
        text = f"the mark at {cell_name(cell)} is wrong: {text}"
    return Told(text, explanation.clues, {cell: explanation.verdict})


def _forced_by(board: Board, clue: Cell) -> Told:
    """What a number says about the cells around it: by itself, and together with all others."""
    around = board.neighbours(clue)
    hidden = [cell for cell in around if board[cell] == HIDDEN]
    left = board[clue] - sum(board[cell] == MINE for cell in around)
    name = clue_name(board[clue], clue)
    if not hidden:
        return Told(f"{name} has no hidden cell left around it", frozenset([clue]))
    found = analyze(board)
    safe, mined = ([cell for cell in hidden if cell in cells] for cells in (found.safe, found.mined))
    open_cells = [cell for cell in hidden if cell not in found.safe and cell not in found.mined]
    said = [f"{name} needs {counted(left, 'more mine')} in {counted(len(hidden), 'hidden cell')}"]
    start = "so " if left in (0, len(hidden)) else "with the other numbers, "  # by itself, or not
    for cells, what in ((safe, "safe"), (mined, "mined"), (open_cells, "undecided")):
        if cells:
            said.append(f"{start}{cell_names(cells)} {'is' if len(cells) == 1 else 'are'} {what}")
            start = ""
    moves: dict[Cell, Literal["safe", "mine", "open"]] = dict.fromkeys(safe, "safe")
    moves.update(dict.fromkeys(mined, "mine"))
    return Told("; ".join(said), frozenset([clue]), moves)


def contradiction(asked: Believed) -> tuple[Told, str]:
    """Why a board is impossible, and what would repair it."""
    found = explain_contradiction(asked.board)
    lines = found.lines()
    repairs = found.repair_lines()
    proof = lines[: len(lines) - len(repairs)]
    return Told("\n".join(proof), found.clues | found.marks), "; ".join(repairs)


def measure(layout: Layout) -> int:
    """The 3BV of a layout."""
    return metrics(layout).bbbv


def exercise(kind: str, seed: int) -> Exercise:
    """A position to practise on: of a difficulty, or one in which a guess is needed."""
    return guess_exercise(seed) if kind == GUESS else find_exercise(kind, seed)


def answer(exercise: Exercise, cell: Cell) -> Feedback:
    """What an answer to it is worth."""
    return exercise.answer(cell)


def review(record: Record) -> Review:
    """Every decision of a game judged."""
    return judge_game(record)
