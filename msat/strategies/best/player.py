"""`best`: the strongest player: exact endgames, and guesses judged by where they lead.

What: opens what is proven safe. Else, in this order: where few layouts are left, perfect play by exhaustive
search; a closed pocket, by the same search; a risk that nothing opened elsewhere can lower, taken at once;
else the cell whose guess leads to the best boards: every living cell that is almost as safe as the safest is
tried with every number that it may show, and the board that this leaves is analysed and judged. Where no cell
can teach anything any more, the safest.
About guesses late in the game it thinks: it searches some of the layouts, drawn at random, as if these were
all, and takes the candidate that does best by that and by its evaluation (`thinking.py`). With more
`samples`, or with `seconds`, it searches more of them, also at earlier guesses, and larger endgames.
Cost: about 2.1 ms for an expert game; with `seconds`, up to that time for every guess that it thinks about.
When it loses: mostly by guesses early in the game that any player has to make, and by those that are left
over when nothing can be told apart any more. `docs/strength.md` has the figures.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, log
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from msat.board import MINE, Board
from msat.constants import DAY, LAST_RULE
from msat.deadline import Deadline
from msat.engines.counting._kernels.answer import PROVEN_MINE
from msat.engines.rules.table import ALL_RULES
from msat.strategies._kernels import game as k
from msat.strategies._kernels.safest import decide_exact, go_on_exact
from msat.strategies.best._kernels.decide import SearchLimits, decide_best
from msat.strategies.best._kernels.evaluate import Ranked, new_ranked
from msat.strategies.best.thinking import MOST_LAYOUTS, Candidate, Effort, most_digits, think
from msat.strategies.choice import BY_COUNTING, Choice
from msat.strategies.compiled import CompiledStrategy, Decision, Ranking
from msat.strategies.parameter import Parameter
from msat.strategies.safest import Safest

if TYPE_CHECKING:
    from msat.strategies._kernels.game import Table

__all__ = ["Best"]

_STATES = 4096
_NODES_PER_LAYOUT = 20
_LAYOUTS_PER_SECOND = 20_000  # more with time to think: from there on perfect play replaces judgement …
_MOST_LAYOUTS = 50_000
_NODES_PER_SECOND = 100_000  # … as far as the time suffices for the search


class Best(CompiledStrategy):
    """The strongest player.

    >>> choice = Best().choose(Board.parse("1???/???? 2"))
    >>> choice.kind, choice.cells
    ('endgame', ((0, 1),))
    """

    name: ClassVar[str] = "best"
    summary: ClassVar[str] = "exact endgames, and guesses judged by the boards that they lead to"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "layouts", 3000, "endgames with at most so many layouts are searched exactly", low=1, high=100_000
        ),
        Parameter(
            "nearly",
            0.9,
            "candidates for a guess have at least this share of the best safety",
            low=0.5,
            high=1.0,
        ),
        Parameter(
            "seconds",
            0.0,
            "thinking time for a guess, for larger endgames and larger samples; 0 plays fast, by `samples`",
            low=0,
            high=DAY,
        ),
        Parameter(
            "samples",
            1000,
            "layouts of larger boards to draw and search, 1000 or more; 0 never thinks",
            low=0,
            high=MOST_LAYOUTS,
        ),
    )
    all_rules: ClassVar[bool] = True
    reasons: ClassVar[dict[str, str]] = {
        "rule": f"proven safe by {ALL_RULES}",
        "count": BY_COUNTING,
        "endgame": "best by perfect play to the end",
        "pocket": "best by perfect play in a closed pocket",
        "unavoidable": "a risk that nothing opened elsewhere will ever lower",
        "evaluated": "leads to the best boards",
        "sampled": "best by evaluation, and by a search of some of the layouts",
        "blind": "safest, where no cell teaches anything",
        "guess": "safest, on a board too wide to look further",
    }

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        layouts, seconds = int(self._values["layouts"]), float(self._values["seconds"])
        samples = int(self._values["samples"])
        timed = layouts + int(_LAYOUTS_PER_SECOND * seconds) if seconds else samples
        most = max(layouts, min(timed, _MOST_LAYOUTS))
        nodes = max(_NODES_PER_LAYOUT * layouts, int(_NODES_PER_SECOND * seconds))
        if samples and not seconds:
            nodes = _NODES_PER_LAYOUT * most
        nearly = float(self._values["nearly"])
        self._reach = SearchLimits(most, nodes, nearly, _STATES)
        self.limits = SearchLimits(layouts, _NODES_PER_LAYOUT * layouts, nearly, _STATES)
        """How far it searches without time to think."""
        self._effort = Effort(0 if seconds else samples, seconds)
        self._thinks_up_to = most_digits(self._effort) * log(10) if any(self._effort) else -inf
        self._ranks = True

    def unranked(self) -> Best:
        """The same player whose rankings hold the cell that it chose: the others need not be evaluated."""
        if type(self) is not Best:  # somebody's own, who may look at them
            return self
        player = Best(**self._values)
        player._ranks = False
        return player

    def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
        """All cells that are proven safe, or the best guess."""
        verdict = np.empty(array.shape, np.int8)
        probability = np.empty(array.shape, np.float64)
        kind, cell, safety = decide_exact(array, mines, LAST_RULE, False, probability, verdict)
        if kind != k.STOP:
            return Decision(kind, cell, safety, verdict)
        ranked = new_ranked(array.size)
        kind, cell, tried = self._guess(array, mines, probability, verdict, ranked, self._ranks)
        if kind == k.STOP:
            return Decision(kind, cell, 0.0, verdict)
        safety = 1.0 - float(probability.ravel()[cell])
        ranking: Ranking = ((divmod(cell, array.shape[1]), safety),)
        if tried and self._ranks:
            if kind == k.EVALUATED:
                _sort(ranked, np.argsort(-ranked.scores[:tried], kind="stable"))
            cells = ranked.cells[:tried].tolist()
            safeties = ranked.safeties[:tried].tolist()
            ranking = tuple((divmod(x, array.shape[1]), q) for x, q in zip(cells, safeties, strict=True))
        return Decision(kind, cell, safety, verdict, ranking)

    def _guess(
        self,
        board: NDArray[np.int8],
        mines: int,
        probability: NDArray[np.float64],
        verdict: NDArray[np.int8],
        ranked: Ranked,
        in_order: bool,
    ) -> tuple[int, int, int]:
        """(kind, cell, candidates that `ranked` holds).

        These have the right scores if they are to be put in order, and are, where the kind is SAMPLED.
        """
        deadline = Deadline(self._effort.seconds)
        right = inf if in_order else self._thinks_up_to
        kind, cell, _, tried, layouts = decide_best(
            board, mines, probability, verdict, self._reach, ranked, right
        )
        if kind == k.EVALUATED and tried > 1 and layouts <= self._thinks_up_to:
            grid = np.where(verdict == PROVEN_MINE, np.int8(MINE), board)
            _sort(ranked, np.argsort(-ranked.scores[:tried], kind="stable"))
            columns = (column[:tried].tolist() for column in (ranked.cells, ranked.scores, ranked.safeties))
            candidates = [Candidate(*row) for row in zip(*columns, strict=True)]
            # Half of the time is kept for thinking in any case: kernels may just have been loaded.
            seconds = max(deadline.left() or 0.0, self._effort.seconds / 2)
            effort = self._effort._replace(seconds=seconds)
            order = think(grid, mines, candidates, effort, layouts, in_order)
            if order is not None:
                _sort(ranked, np.array(order))
                return k.SAMPLED, int(ranked.cells[0]), tried
        return kind, cell, tried

    def play_compiled(
        self, numbers: NDArray[np.int8], mines: int, r: int, c: int, seed: int
    ) -> tuple[int, Table]:
        """The game in a compiled call for every guess, and one for all that is proven in between."""
        table = k.lay(numbers, mines, r, c)
        return self.play_from(table, mines), table

    def play_from(self, table: Table, mines: int) -> int:
        """Play the game on the table to its end; how it ended, as `_kernels/game.py` lists it."""
        probability = np.empty(table.board.shape, np.float64)
        ranked = new_ranked(table.board.size)
        while True:
            end = go_on_exact(table, mines, LAST_RULE, False, probability)
            if end != k.STOPPED:
                return end
            kind, cell, _ = self._guess(table.board, mines, probability, table.verdict, ranked, False)
            if kind == k.STOP:
                return k.STOPPED
            safety = 1.0 - float(probability.ravel()[cell])
            if not k.carry_out(table, kind, cell, safety):
                return k.LOST

    def choose_slowly(self, board: Board) -> Choice | None:
        """On boards too wide for the fast path the safest cell; an inconsistent board is an error there."""
        choice = Safest().choose_slowly(board)
        if choice is None or not choice.is_guess:
            return choice
        return replace(choice, reason=self.reasons["guess"])


def _sort(ranked: Ranked, order: NDArray[np.int64]) -> None:
    """Put the first of the candidates into another order."""
    for values in ranked:
        values[: order.size] = values[order]
