"""Strategies whose decisions are one compiled kernel, and whose whole game is another that calls it.

`choose` and `play_numbers` rest on the same decision kernel, so they play the same game; the second only
leaves out every Python object on the way. A position that is too wide for the fixed room of a kernel goes
the long way (`choose_slowly`), and so does its whole game.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from msat._jit import working_time
from msat.board import Board, Cell, check_board
from msat.cells import whole_number
from msat.engines.counting._kernels.answer import PROVEN_MINE, PROVEN_SAFE
from msat.engines.rules.deductions import proven_words
from msat.errors import ParameterError
from msat.strategies._kernels import game as k
from msat.strategies.choice import Choice
from msat.strategies.strategy import Guess, Played, Strategy

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["SEEDS", "CompiledStrategy", "Decision", "DrawingStrategy", "Ranking", "cells_where"]

KINDS = {
    k.RULE: "rule",
    k.COUNT: "count",
    k.GUESS: "guess",
    k.GUESS1: "guess1",
    k.GUESS2: "guess2",
    k.FRONT: "front",
    k.UNSEEN: "unseen",
    k.POCKET: "pocket",
    k.ENDGAME: "endgame",
    k.EVALUATED: "evaluated",
    k.BLIND: "blind",
    k.SAMPLED: "sampled",
    k.UNAVOIDABLE: "unavoidable",
}
"""The names of the kinds of decisions."""

Ranking = tuple[tuple[Cell, float], ...]

SEEDS = 1 << 62
"""Seeds of games are whole numbers of any size; kernels get their remainder."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a decision kernel said of a board."""

    kind: int
    cell: int
    safety: float
    verdict: NDArray[np.int8]
    ranking: Ranking = ()


def cells_where(mask: NDArray[np.bool_]) -> tuple[Cell, ...]:
    """The cells at which a mask is true, in row-major order.

    >>> cells_where(np.array([[False, True], [True, False]]))
    ((0, 1), (1, 0))
    """
    width = mask.shape[1]
    return tuple([divmod(position, width) for position in mask.ravel().nonzero()[0].tolist()])


class CompiledStrategy(Strategy):
    """A strategy that is told by its kernels."""

    reasons: ClassVar[dict[str, str]]
    """Why a choice of some kind was made, in words."""

    all_rules: ClassVar[bool] = False
    """Whether it opens all that the rules find before it looks any further."""

    def __init_subclass__(cls) -> None:
        # One that decides in another way than the class above need not do as that does.
        if "decide" in vars(cls):
            cls.all_rules = vars(cls).get("all_rules", False)

    @abstractmethod
    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """The decision on a board given as an array, with the ranking of a guess."""

    @abstractmethod
    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The whole game: how it ended, and its table."""

    @abstractmethod
    def choose_slowly(self, board: Board) -> Choice | None:
        """The same choice, or an error that says why there is none, where the kernel has no answer."""

    def choose(self, board: Board) -> Choice | None:
        """What to open on `board`; None where the strategy stops."""
        check_board(board, "choose")
        if self.all_rules and (proven := proven_words(board)) is not None and proven[0]:
            # The very choice that is made below, where rules are applied twice: to decide, and to tell why.
            reasons = tuple([f"proven safe by {words}" for words in proven[0].values()])
            return Choice(tuple(proven[0]), 1.0, reasons[0], (), proven[1], "rule", reasons)
        decision = self.decide(board.to_array(), board.mines)
        if decision.kind == k.UNANSWERED:
            return self.choose_slowly(board)
        if decision.kind == k.STOP:
            return None
        kind = KINDS[decision.kind]
        if kind in ("rule", "count"):
            cells = cells_where(decision.verdict == PROVEN_SAFE)
        else:
            cells = (divmod(int(decision.cell), board.width),)
        mines = cells_where(decision.verdict == PROVEN_MINE)
        reasons = self._rules_of(board, cells) if kind == "rule" else ()
        reason = reasons[0] if reasons else self.reasons[kind]
        return Choice(cells, float(decision.safety), reason, decision.ranking, mines, kind, reasons)

    def _rules_of(self, board: Board, cells: tuple[Cell, ...]) -> tuple[str, ...]:
        """By which rule each of these cells is safe, and why: to name all rules every time tells nothing."""
        proven = proven_words(board)
        if proven is None:
            return ()
        found, usual = proven[0], self.reasons["rule"]
        return tuple([f"proven safe by {found[cell]}" if cell in found else usual for cell in cells])

    def _is_guess(self, choice: Choice) -> bool:
        """Whether it was no proof: some of msat's own round their estimates to 1, and know it."""
        return choice.is_guess

    def play_numbers(self, numbers: NDArray[np.int8], mines: int, start: Cell | None, seed: int) -> Played:
        """Play one game; see `Strategy.play_numbers`."""
        began = working_time()
        if start is not None and numbers[start] < 0:
            return Played(False, 1, (), 0.0)
        r, c = (-1, -1) if start is None else start
        # A copy of its own: one kind of array, so that one version of the kernel is compiled.
        end, table = self.play_compiled(np.array(numbers, np.int8, order="C"), mines, r, c, seed)
        if end == k.UNANSWERED:
            return super().play_numbers(numbers, mines, start, seed)
        _, clicks, count = table.counts.tolist()
        width = numbers.shape[1]
        guesses = tuple(
            Guess(KINDS[kind], divmod(cell, width), safety, True)
            for kind, cell, safety in zip(
                table.kinds[:count].tolist(),
                table.cells[:count].tolist(),
                table.safeties[:count].tolist(),
                strict=True,
            )
        )
        if end == k.LOST:
            guesses = (*guesses[:-1], guesses[-1]._replace(survived=False))
        return Played(end == k.WON, clicks, guesses, working_time() - began)


class DrawingStrategy(CompiledStrategy):
    """A strategy that draws random numbers: those of the game with seed 0, unless it is asked `for_game`."""

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self._seed = 0

    def for_game(self, seed: int) -> Self:
        """The player that draws the random numbers of the game with this seed."""
        player = type(self)(**self._values)
        player._seed = whole_number(seed, "seed", ParameterError) % SEEDS
        return player
