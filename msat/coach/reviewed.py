"""What `review` finds: a game judged, and each of its decisions.

`review.py` says what the words mean: what a choice *kept* of the chance to win, and what *luck* did then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from msat import svg
from msat.board import Board, Cell
from msat.coach import review_words
from msat.coach.marks import Mark
from msat.coach.sentences import percent
from msat.coach.situations import DecisionKind
from msat.game import Move, State
from msat.notebook import figure
from msat.record import Record
from msat.value import explained
from msat.wording import cell_name, counted

__all__ = ["Review", "ReviewedMove"]


@explained
@dataclass(frozen=True)
class ReviewedMove:
    """One decision, and what it was worth."""

    number: int
    """Of the move, counted from 1."""
    move: Move
    """What was done."""
    board: Board
    """What the player saw before it, marks included."""
    opened: tuple[Cell, ...]
    """The hidden cells that it opened; those of a 0 come on top."""
    kind: DecisionKind
    """"start"; "proven" (a safe cell); "needless" (a risk although a safe cell existed); "blunder" (a cell
    proven to be a mine); "guess" (no safe cell existed); "mark" (nothing was opened)."""
    safety: Fraction
    """The exact probability that what was opened, or marked, was safe, before it was."""
    win: Fraction | float
    """The chance to win after this choice, before its outcome is known: a Fraction where it is exact …"""
    best_win: Fraction | float
    """… and after the best one."""
    win_error: float
    """The standard error of `win`, 0.0 where it is exact …"""
    error: float
    """… and of the difference between the two."""
    luck: Fraction
    """What chance did then: the best chance to win at the next decision over `win`."""
    mistake: bool
    """Whether it kept less than it could beyond doubt: by more than two standard errors, and one point."""
    fatal: bool
    """Whether it lost the game."""
    better: Cell | None
    """The better move, if there was one for certain."""
    reason: str
    """What is to be said about it."""
    clues: frozenset[Cell] = frozenset()
    """The clues of the proof, where the reason is one."""
    proof: tuple[str, ...] = ()
    """The proof, line by line."""
    marks: tuple[tuple[Cell, Mark], ...] = ()
    """Of a chord: the marks that it trusted, and what the numbers said about each."""

    @property
    def cell(self) -> Cell:
        """The cell that was opened, marked, or chorded on."""
        return self.move.cell

    @property
    def wrong_mark(self) -> bool:
        """Whether a cell was marked that was proven safe then."""
        return self.move.kind == "mark" and self.safety == 1

    @property
    def exact(self) -> bool:
        """Whether the chances to win are exact."""
        return isinstance(self.win, Fraction) and isinstance(self.best_win, Fraction)

    @property
    def kept(self) -> Fraction:
        """The share of the chance to win that the choice kept; 1 for the best move."""
        return Fraction(self.win) / Fraction(self.best_win)

    @property
    def remark(self) -> str:
        """What it kept, in a few words.

        "kept 0.94 of a chance to win of 65.6%"
        """
        mistake = "a mistake: " if self.mistake else ""
        return f"{mistake}kept {float(self.kept):.2f} of a chance to win of {percent(self.best_win)}"

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "number": self.number,
            "action": self.move.kind,
            "cell": list(self.cell),
            "opened": [list(cell) for cell in self.opened],
            "kind": self.kind,
            "safety": float(self.safety),
            "win": float(self.win),
            "best_win": float(self.best_win),
            "win_error": self.win_error,
            "error": self.error,
            "exact": self.exact,
            "kept": float(self.kept),
            "luck": float(self.luck),
            "mistake": self.mistake,
            "fatal": self.fatal,
            "better": None if self.better is None else list(self.better),
            "reason": self.reason,
            "clues": [list(cell) for cell in sorted(self.clues)],
            "proof": list(self.proof),
            "marks": [mark.to_object(cell) for cell, mark in self.marks],
        }


@explained
@dataclass(frozen=True)
class Review:
    """A game judged: `moves` one by one, and what they come to; `str()` gives the summary."""

    record: Record = field(repr=False)
    """The game that was judged."""
    moves: tuple[ReviewedMove, ...]
    """One entry for every decision."""
    chance_at_start: Fraction
    """The best chance to win before the first decision …"""
    chance_at_end: Fraction
    """… and after the last: 1 for a game won, 0 for one lost."""

    @cached_property
    def kept(self) -> Fraction:
        """The share of the chance to win that all decisions together kept."""
        return prod((move.kept for move in self.moves), start=Fraction(1))

    @cached_property
    def luck(self) -> Fraction:
        """What chance did after all decisions; 0 if the game was lost."""
        return prod((move.luck for move in self.moves), start=Fraction(1))

    @cached_property
    def luck_before(self) -> Fraction:
        """The same without what lost the game."""
        return prod((move.luck for move in self.moves if not move.fatal), start=Fraction(1))

    @property
    def mistakes(self) -> tuple[int, ...]:
        """The numbers of the moves that were mistakes."""
        return tuple(move.number for move in self.moves if move.mistake)

    @property
    def state(self) -> State:
        """ "won", "lost" or "playing"."""
        return self.record.state

    @property
    def summary(self) -> str:
        """One line that a player understands."""
        return review_words.summary(self.state, self.moves, self.kept)

    def __str__(self) -> str:
        return self.summary

    def __repr__(self) -> str:
        """A line: with everything it would be hundreds, which `to_object` has."""
        return f"<Review of {counted(len(self.moves), 'decision')}: {self.summary}>"

    def _repr_html_(self) -> str:
        worst = min((move for move in self.moves if move.mistake), key=lambda move: move.kept, default=None)
        picture = None
        lines = [
            self.summary,
            f"chance at the start {percent(self.chance_at_start)}, kept {float(self.kept):.3f}",
        ]
        if worst is not None:
            rings = {worst.cell: "choice"} | ({} if worst.better is None else {worst.better: "better"})
            picture = svg.drawn(svg.board, worst.board, highlights=rings, clues=sorted(worst.clues))
            lines.append(f"the picture is the board before move {worst.number}, the costliest mistake")
        told = [move for move in self.moves if move.kind not in ("start", "proven", "mark")]
        rows = [
            [
                str(move.number),
                cell_name(move.cell),
                move.kind,
                percent(move.safety),
                move.remark,
                move.reason,
            ]
            for move in told
        ]
        return figure(picture, lines, ("move", "cell", "kind", "safe", "worth", ""), rows)

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "state": self.state,
            "chance_at_start": float(self.chance_at_start),
            "chance_at_end": float(self.chance_at_end),
            "kept": float(self.kept),
            "luck": float(self.luck),
            "luck_before": float(self.luck_before),
            "mistakes": list(self.mistakes),
            "summary": self.summary,
            "moves": [move.to_object() for move in self.moves],
        }
