"""Playouts: how often a move wins, found by playing the game on from it, on layouts drawn at random.

All layouts that agree with a board are equally likely. So a few hundred of them, drawn evenly and each played
to its end by a player that does not see them, tell the chance of that player to win after a move, with an
error that is known. Moves are compared on the same layouts: luck that meets all of them cancels out.

Most candidates for a guess are soon seen to be worse than others, so playouts go by *successive halving*: in
each round all candidates left play as many layouts as its share of the effort allows, then the worse half is
dropped. The differences that matter, a point or so, are still smaller than the noise of a thousand games.
That is why a result counts only beside what the player's own evaluation expects: every candidate starts with
PRIOR imaginary games, won in proportion to its score, at the rate at which all candidates won on average.

Nothing is random but the layouts, and these derive from the board: the same board has the same playouts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from msat._jit import Interrupts
from msat.board import HIDDEN, MINE
from msat.engines._kernels.answer import ANSWERED
from msat.engines._kernels.sample import sample_layouts
from msat.strategies._kernels import game as k

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["PRIOR", "Effort", "Estimate", "Player", "Playouts", "paired_error"]

PRIOR = 1000.0
"""The games that a candidate's own score counts for.

Measured by 400 playouts a guess on intermediate boards, the moves judged on fresh layouts: with 100, noise
changed 68 moves of 303 and cost 0.53 ± 0.09 points a guess; with 1000, 9 of 180 changed, for 0.01 ± 0.06.
"""

DRAWS = 100
"""Layouts that are drawn at most for each game asked for: a move that is nearly always a mine gets fewer."""

PASSED_OVER, LOST, WON = range(3)
"""How a move fared on a layout; passed over are layouts with a mine under it, and those beyond its games."""

BATCH = 64
"""Layouts that are drawn at once: they share the count of the board, which takes as long as several draws."""


class Player(Protocol):
    """Who plays the games on."""

    def play_from(self, table: Table, mines: int) -> int:
        """Play the game on the table to its end; how it ended, as `_kernels/game.py` lists it."""


class Effort(NamedTuple):
    """How much to play: so many games, or so many seconds; what is 0 sets no limit."""

    games: int = 0
    seconds: float = 0.0


@dataclass
class Estimate:
    """The games played on from a move, and how many of them were won."""

    wins: int = 0
    games: int = 0
    outcomes: bytearray = field(default_factory=bytearray, repr=False)
    """For each layout in turn, where they are kept: whether it was PASSED_OVER, LOST or WON."""

    @property
    def chance(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def error(self) -> float:
        """The standard error of that share, as if one game more had been won and one lost.

        The addition hardly shows, but where all games ended alike it keeps the error from being none.

        >>> round(Estimate(100, 200).error, 4), round(Estimate(0, 200).error, 4)
        (0.0352, 0.0049)
        """
        share = (self.wins + 1) / (self.games + 2)
        return sqrt(share * (1 - share) / (self.games + 2))

    def expected(self, score: float, rate: float) -> float:
        """The share of games won, with the imaginary games of a score that is worth `rate` wins a point."""
        return (self.wins + PRIOR * rate * score) / (self.games + PRIOR)


class Playouts:
    """Games played on from one board: int8, −1 hidden, −2 known mine, 0…8 revealed.

    Where a mine is proven it is best marked: then the playouts do not depend on which ones a user has marked.
    `stream` tells apart the layouts on which a move is chosen from those on which it is judged afterwards.
    A game on that becomes too wide for the compiled player, which hardly happens, counts as lost.
    """

    def __init__(self, board: NDArray[np.int8], mines: int, player: Player, stream: int = 0) -> None:
        self._board = board
        self._mines = mines
        self._player = player
        hidden, marked = (int(np.count_nonzero(board == value)) for value in (HIDDEN, MINE))
        self._left = hidden - (mines - marked)
        described = f"{stream} {mines} {board.shape}".encode() + board.tobytes()
        digest = blake2b(described, digest_size=7).digest()  # a seed that leaves room to count batches
        self._seed = int.from_bytes(digest, "little")
        self._drawn = -1
        self._batch = np.empty((BATCH, *board.shape), np.int8)
        self.possible = self._draw(0)
        """Whether layouts can be drawn: there are some, and the board is not too wide for the kernels."""

    def estimate(self, moves: Sequence[int | None], games: int, end: float | None = None) -> list[Estimate]:
        """How often each move wins if it is no mine; None as a move plays the board on as it is.

        Layouts with a mine under a move are passed over: how likely that is is known exactly, and to draw it
        at random would only add noise. Each move gets `games` games, and more until the `end` on the clock
        `time.perf_counter`; moves share the layouts that they are safe in. A move that hardly any layout is
        safe for may get fewer games.
        """
        estimates = [Estimate() for _ in moves]
        layout = 0
        with Interrupts() as interrupts:
            while True:
                timed = end is not None and time.perf_counter() < end
                due = [timed or (x.games < games and layout < DRAWS * games) for x in estimates]
                if not any(due):
                    return estimates
                self._draw(layout // BATCH)
                numbers = self._batch[layout % BATCH]
                for move, estimate, wanted in zip(moves, estimates, due, strict=True):
                    outcome = PASSED_OVER
                    if wanted and (move is None or numbers.flat[move] != MINE):
                        outcome = WON if self._wins(numbers, move) else LOST
                        estimate.wins += outcome == WON
                        estimate.games += 1
                    estimate.outcomes.append(outcome)
                    interrupts.release()
                layout += 1

    def rank(self, cells: Sequence[int], scores: Sequence[float], effort: Effort) -> tuple[list[int], int]:
        """The order of `cells`, as indices, that successive halving finds, and the games played for it.

        `scores` are the player's own, with which cells come first that are equal. `effort` is that of all.
        """
        estimates = [Estimate() for _ in cells]
        left = sorted(range(len(cells)), key=lambda x: -scores[x])
        dropped: list[int] = []
        rounds = (len(cells) - 1).bit_length()
        began = time.perf_counter()
        layout = 0
        for turn in range(1, rounds + 1):
            last = layout + effort.games // (rounds * len(left)) if effort.games else inf
            end = began + effort.seconds * turn / rounds if effort.seconds else inf
            moves = [cells[x] for x in left]
            layout = self._play(moves, [estimates[x] for x in left], layout, last, end)
            expected = _expected(estimates, scores)
            left.sort(key=lambda x: -expected[x])
            half = (len(left) + 1) // 2
            dropped = left[half:] + dropped
            left = left[:half]
        return left + dropped, sum(estimate.games for estimate in estimates)

    def _play(
        self, moves: Sequence[int | None], estimates: Sequence[Estimate], first: int, last: float, end: float
    ) -> int:
        """Play every move on the layouts from `first` to before `last`, or until `end`; the next layout."""
        layout = first
        with Interrupts() as interrupts:
            while layout < last and time.perf_counter() < end:
                self._draw(layout // BATCH)
                numbers = self._batch[layout % BATCH]
                for move, estimate in zip(moves, estimates, strict=True):
                    estimate.wins += self._wins(numbers, move)
                    estimate.games += 1
                    interrupts.release()
                layout += 1
        return layout

    def _wins(self, numbers: NDArray[np.int8], move: int | None) -> bool:
        table = k.lay(numbers, self._mines, -1, -1)
        table.board[:] = self._board
        table.counts[k.LEFT] = self._left
        if move is not None:
            r, c = divmod(move, numbers.shape[1])
            if numbers[r, c] == MINE:
                return False
            table.counts[k.LEFT] -= k.open_cell(numbers, table.board, r, c, table.stack)
        return self._player.play_from(table, self._mines) == k.WON

    def _draw(self, batch: int) -> bool:
        """Have the layouts of a batch ready; False where they cannot be drawn."""
        if batch != self._drawn:
            mined = np.empty_like(self._batch)
            if sample_layouts(self._board, self._mines, BATCH, self._seed + batch, mined) != ANSWERED:
                return False
            self._batch = _numbers(mined)
            self._drawn = batch
        return True


def paired_error(one: Estimate, other: Estimate, one_weight: float, other_weight: float) -> float:
    """The standard error of the difference between two weighted shares of games won, on the same layouts.

    Luck that meets both moves cancels out, so it is mostly smaller than the errors of both would suggest. As
    in `Estimate.error`, one game more that only one of them wins keeps it from being none.

    >>> one, other = (Estimate(2, 4, bytearray(outcomes)) for outcomes in ([1, 2, 1, 2], [2, 1, 2, 1]))
    >>> round(paired_error(one, one, 1, 1), 2), round(paired_error(one, other, 1, 1), 2)
    (0.24, 0.55)
    """
    variance = 0.0
    residuals = []
    for estimate, weight in ((one, one_weight), (other, other_weight)):
        outcomes = np.frombuffer(estimate.outcomes, np.uint8)
        residual = np.where(outcomes == WON, 1 - estimate.chance, -estimate.chance) * weight / estimate.games
        residuals.append(np.where(outcomes == PASSED_OVER, 0.0, residual))
        variance += (weight / (estimate.games + 2)) ** 2
    return sqrt(variance + float(((residuals[0] - residuals[1]) ** 2).sum()))


def _expected(estimates: Sequence[Estimate], scores: Sequence[float]) -> list[float]:
    """What share of games each candidate is expected to win, its score taken into account."""
    wins = sum(estimate.wins for estimate in estimates)
    weight = sum(estimate.games * score for estimate, score in zip(estimates, scores, strict=True))
    rate = wins / weight if weight else 1.0
    return [estimate.expected(score, rate) for estimate, score in zip(estimates, scores, strict=True)]


def _numbers(mined: NDArray[np.int8]) -> NDArray[np.int8]:
    """What the cells of layouts (1 for a mine) show: the mines around, −2 at mines.

    >>> _numbers(np.array([[[1, 0, 0], [0, 0, 0]]], np.int8)).tolist()
    [[[-2, 1, 0], [1, 1, 0]]]
    """
    _, height, width = mined.shape
    padded = np.pad(mined, ((0, 0), (1, 1), (1, 1)))
    around = np.zeros_like(mined)
    for r in range(3):
        for c in range(3):
            around += padded[:, r : r + height, c : c + width]
    around[mined == 1] = MINE
    return around
