"""A trainer: positions to practise on, by difficulty, and what the answer was worth.

*Find a safe cell*: a position in which the easiest step is of the difficulty that was asked for: all that is
easier was done before. *Guess*: a position in which nothing can be proven, and the choice matters. Positions
come from layouts by their seeds: the same seed gives the same exercise.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, Literal

from msat import svg
from msat.analysis import analyze
from msat.board import Board, Cell
from msat.cells import check_cell, default_start
from msat.coach.judging import Judge
from msat.coach.sentences import percent
from msat.coach.techniques import level_of, play_up_to
from msat.coach.walkthrough import easiest_safe
from msat.constants import HIDDEN
from msat.errors import CellError
from msat.explanation.explanation import explain
from msat.game import Game
from msat.layout import Layout
from msat.notebook import figure
from msat.wording import cell_name

__all__ = ["Exercise", "Feedback", "find_exercise", "guess_exercise"]

GAMES = 150
"""Games by which each of two guesses is judged, where the end is too far to be searched."""

MOST_KEPT = Fraction(9, 10)
"""In a position to guess in, one of the cells that could be chosen keeps less than this."""

ALL = 5  # all techniques


@dataclass(frozen=True)
class Feedback:
    """What an answer was worth."""

    right: bool
    """Whether the cell is safe for certain, or as good a guess as the best."""
    kept: Fraction | float
    """What share of the chance to win it keeps."""
    best: Cell
    """A right answer: the cell itself, if it is one."""
    text: tuple[str, ...]
    """What is to be said about it: for a wrong answer also what was missed, and why."""
    clues: frozenset[Cell] = frozenset()
    """The clues of the proof that the text gives."""

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "right": self.right,
            "kept": float(self.kept),
            "best": list(self.best),
            "text": list(self.text),
            "clues": [list(cell) for cell in sorted(self.clues)],
        }


@dataclass(frozen=True)
class Exercise:
    """A position, and what is to be done: open a safe cell, or guess well."""

    board: Board
    """What is seen; mines that are easier to find than what is asked for are marked."""
    task: Literal["find", "guess"]
    seed: int
    difficulty: str | None = None

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values; the answer is not among them."""
        return {
            "board": self.board.to_object(),
            "task": self.task,
            "seed": self.seed,
            "difficulty": self.difficulty,
            "question": self.question,
        }

    def _repr_html_(self) -> str:
        return figure(svg.drawn(svg.board, self.board), [self.question])

    @property
    def question(self) -> str:
        """The task in words."""
        if self.task == "guess":
            return "Nothing can be proven: which cell would you open?"
        return f"Find a safe cell ({self.difficulty})."

    def answer(self, cell: Cell) -> Feedback:
        """What it is worth to open a cell."""
        cell = divmod(check_cell(cell, self.board.height, self.board.width), self.board.width)
        if self.board[cell] != HIDDEN:
            raise CellError(f"{cell_name(cell)} is not hidden: choose a hidden cell")
        return self._guessed(cell) if self.task == "guess" else self._found(cell)

    def _found(self, cell: Cell) -> Feedback:
        analysis = analyze(self.board)
        if cell in analysis.safe:
            proof = explain(self.board, cell)
            return Feedback(True, Fraction(1), cell, ("right", *proof.lines()), proof.clues)
        risk = percent(analysis.exact(*cell))
        wrong = (
            f"{cell_name(cell)} is a mine"
            if cell in analysis.mined
            else f"{cell_name(cell)} is a mine with {risk}"
        )
        missed = easiest_safe(self.board)
        proof = explain(self.board, missed)
        return Feedback(
            False, Fraction(0), missed, (f"{wrong}; you missed this:", *proof.lines()), proof.clues
        )

    def _guessed(self, cell: Cell) -> Feedback:
        analysis = analyze(self.board)
        found = Judge().judge(analysis, (cell,), GAMES, None)
        assert found.best is not None
        kept = Fraction(found.win) / Fraction(found.best_win)
        error = "" if found.exact else f" ± {100 * found.error:.1f}"
        right = found.best_win - found.win <= 2 * found.error
        safety = percent(1 - analysis.exact(*cell))
        text = [f"{cell_name(cell)} is safe with {safety} and wins {percent(found.win)}"]
        if right:
            text.append("nothing is better" + ("" if found.exact else " beyond doubt"))
        else:
            best = percent(found.best_win)
            text.append(
                f"{cell_name(found.best)} wins {best}{error}: you kept {float(kept):.2f} of your chances"
            )
        return Feedback(right, kept, cell if right else found.best, tuple(text))


def find_exercise(difficulty: str, seed: int, height: int = 9, width: int = 9, mines: int = 10) -> Exercise:
    """A position in which a safe cell is found by a step of this difficulty, and by none that is easier.

    >>> exercise = find_exercise("normal", seed=1)
    >>> easiest_safe(exercise.board) in analyze(exercise.board).safe, exercise.question
    (True, 'Find a safe cell (normal).')
    """
    level = level_of(difficulty)
    start = default_start(height, width)
    layout = Layout.no_guess(height, width, mines, seed, start, difficulty=difficulty)
    game = Game(layout)
    game.open(start)
    board = game.board
    if level > 1:
        _, known = play_up_to(layout.numbers(), start, level - 1)
        board = Board.from_array(known, mines)
    return Exercise(board, "find", seed, difficulty)


def guess_exercise(seed: int, height: int = 9, width: int = 9, mines: int = 12) -> Exercise:
    """A position in which a guess is needed, and not every cell is as good as the best.

    >>> exercise = guess_exercise(seed=1)
    >>> analyze(exercise.board).safe
    frozenset()
    """
    start = default_start(height, width)
    for number in count():
        layout = Layout.random(height, width, mines, seed=seed + number * (1 << 32), start=start)
        won, known = play_up_to(layout.numbers(), start, ALL)
        board = Board.from_array(known, mines)
        if not won and _matters(board):
            return Exercise(board, "guess", seed)
    raise AssertionError("one of the layouts will do")


def _matters(board: Board) -> bool:
    """Whether a player could choose badly, among cells that are not the riskiest."""
    analysis = analyze(board)
    hidden = sorted(board.hidden, key=lambda cell: float(analysis.probability[cell]))
    if len(hidden) < 3 or analysis.solutions < 3:
        return False
    judge = Judge()
    kept = []
    for cell in hidden[:4]:
        found = judge.judge(analysis, (cell,), GAMES // 5, None)
        kept.append(Fraction(found.win) / Fraction(found.best_win))
    return min(kept) < MOST_KEPT
