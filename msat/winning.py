"""How likely a position is to be won by perfect play, exactly: `win_probability`.

The position falls apart into independent parts (`engines/endgame/independent.py`). In each, every layout is
listed and the most of them that one strategy can win is searched for (`engines/endgame/_kernels/search.py`);
a game is won if all of its parts are. Cost grows steeply with the number of layouts of a part,
not with their product: parts with a few hundred take milliseconds, with some thousands
seconds. What is beyond the limits is an error, never an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from msat.analysis import Analysis, analyze
from msat.board import Board, Cell, check_board
from msat.cells import whole_number
from msat.constants import HIDDEN, SAFE
from msat.deadline import Budget, Deadline, Interrupts, memory_limit
from msat.engines.endgame._kernels.layouts import TOO_MANY, list_solutions
from msat.engines.endgame.independent import IndependentPart, independent_parts
from msat.engines.endgame.search import EndgameSearch
from msat.errors import BudgetExceeded, ParameterError
from msat.interrupting import interruptible
from msat.kinds import flag
from msat.notebook import figure
from msat.value import explained
from msat.wording import argument, cell_name, counted

__all__ = ["MOST_NODES", "MOST_SOLUTIONS", "WinProbability", "perfect_play", "win_probability"]

MOST_SOLUTIONS = 10_000
"""The layouts that one part may have, unless told otherwise."""

MAX_SOLUTIONS = 500_000
"""The largest limit for them: to list more would take seconds in which Ctrl-C does not come through."""

MOST_NODES = 2_000_000
"""The sets of layouts that may be looked into, unless told otherwise: some seconds."""

MAX_NODES = 10**15
"""The largest limit for these: none, in effect."""

NOT_SEARCHED = "not all layouts were searched"


@explained
@dataclass(frozen=True)
class WinProbability:
    """How many of the layouts that agree with a board perfect play wins, and how it begins."""

    wins: int
    """The layouts that perfect play wins …"""
    solutions: int
    """… of all layouts that agree with the board."""
    move: Cell | None
    """A first move that achieves it; None where nothing is left to be opened."""
    chances: Mapping[Cell, Fraction] | None = field(default=None, hash=False)
    """If asked for: the probability to win after each first move, the best first; no move is a sure mine."""

    @property
    def probability(self) -> Fraction:
        """The probability to win from here with perfect play."""
        return Fraction(self.wins, self.solutions)

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values; whole numbers of layouts may be large, and are texts of digits."""
        chances = None
        if self.chances is not None:
            chances = [
                {"cell": list(cell), "win": float(chance), "win_exact": str(chance)}
                for cell, chance in self.chances.items()
            ]
        return {
            "win": float(self.probability),
            "win_exact": str(self.probability),
            "wins": str(self.wins),
            "solutions": str(self.solutions),
            "cell": None if self.move is None else list(self.move),
            "chances": chances,
        }

    def __reduce__(self) -> tuple[object, ...]:
        chances = None if self.chances is None else dict(self.chances)  # a mapping proxy has no pickle
        return _restored, (self.wins, self.solutions, self.move, chances)

    def _repr_html_(self) -> str:
        chances = list(self.chances.items()) if self.chances is not None else []
        rows = [[cell_name(cell), f"{float(chance):.2%}", str(chance)] for cell, chance in chances]
        return figure(None, [str(self)], ("first move", "wins", "exactly"), rows)

    def __str__(self) -> str:
        first = "" if self.move is None else f", beginning at {cell_name(self.move)}"
        return f"{float(self.probability):.2%} ({self.wins} of {self.solutions} layouts{first})"


def _restored(
    wins: int, solutions: int, move: Cell | None, chances: dict[Cell, Fraction] | None
) -> WinProbability:
    """What was pickled."""
    return WinProbability(wins, solutions, move, None if chances is None else MappingProxyType(chances))


def win_probability(
    board: Board,
    *,
    every_move: bool = False,
    most_solutions: int = MOST_SOLUTIONS,
    most_nodes: int = MOST_NODES,
    budget: Budget = None,
) -> WinProbability:
    """The exact probability to win from here with perfect play, and a move that achieves it.

    With `every_move`, also the probability to win after any other first move. A position with more than
    `most_solutions` layouts in one of its independent parts (500,000 at most), or with more than `most_nodes`
    sets of layouts to look into, or one that needs more memory than 2 GiB, or more seconds than a `budget`,
    raises `BudgetExceeded`, which carries the cells that are proven. A board that no layout agrees with
    raises `InconsistentBoard`.

    >>> import msat
    >>> found = msat.win_probability(msat.Board.blank(3, 3, mines=2))
    >>> found.probability, found.wins, found.solutions, found.move
    (Fraction(2, 3), 24, 36, (0, 1))
    >>> chances = msat.win_probability(msat.Board.parse("1?/?? 1"), every_move=True).chances
    >>> [str(chance) for chance in chances.values()]
    ['1/3', '1/3', '1/3']
    """
    check_board(board, "win_probability")
    limits = _Allowance(
        _limit("most_solutions", most_solutions, MAX_SOLUTIONS), _limit("most_nodes", most_nodes, MAX_NODES)
    )
    every_move = flag(every_move, "every_move")
    deadline = Deadline.of(budget)
    limits.deadline = deadline
    analysis = analyze(board, engine="counting", budget=deadline)

    def search() -> WinProbability:
        found, chances = _search(analysis, limits)
        return replace(found, chances=chances(None)) if every_move else found

    try:
        return interruptible(search, deadline, NOT_SEARCHED)
    except BudgetExceeded as error:
        raise BudgetExceeded(str(error), error.width, analysis.safe, analysis.mined) from None


def perfect_play(
    analysis: Analysis,
    most_solutions: int,
    most_nodes: int,
    ranking_nodes: int,
    moves: Collection[Cell] | None = None,
    deadline: Deadline | None = None,
    first: Collection[Cell] = (),
) -> WinProbability:
    """As `win_probability`, with the chances of every move if `ranking_nodes` more are enough for them.

    With `moves`, only their chances, and those of cells that are proven safe, are looked for. Those of the
    moves in `first` are looked for before all others, and told alone where the nodes suffice for no more.
    """
    limits = _Allowance(most_solutions, most_nodes, deadline=deadline)
    found, chances = _search(analysis, limits)
    limits.nodes = limits.nodes_used + ranking_nodes
    try:
        if first:
            found = replace(found, chances=chances(first))
        return replace(found, chances=chances(moves))
    except BudgetExceeded:
        return found


def _search(
    analysis: Analysis, limits: _Allowance
) -> tuple[WinProbability, Callable[[Collection[Cell] | None], Mapping[Cell, Fraction]]]:
    """Perfect play, and what finds the chances of every move, or of some, if it is called."""
    parts = independent_parts(analysis.board, analysis.safe, analysis.mined)
    searches = [_PartSearch(analysis, part, limits, len(parts) == 1) for part in parts]
    wins = prod(search.wins for search in searches)
    solutions = prod(search.solutions for search in searches)
    move = min(analysis.safe, default=None)
    if move is None and searches:
        move = searches[0].move

    def chances(moves: Collection[Cell] | None) -> Mapping[Cell, Fraction]:
        found = dict.fromkeys(analysis.safe, Fraction(wins, solutions))
        for search in searches:
            for cell, after in search.rank(moves).items():
                found.setdefault(cell, Fraction(wins // search.wins * after, solutions))
        best_first = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return MappingProxyType(dict(best_first))

    return WinProbability(wins, solutions, move), chances


def _limit(name: str, value: int, most: int) -> int:
    number = whole_number(value, name, ParameterError)
    if not 1 <= number <= most:
        raise ParameterError(f"{argument(name, value)}: expected a whole number from 1 to {most:,}")
    return number


@dataclass
class _Allowance:
    """What all parts together may use."""

    solutions: int
    nodes: int
    nodes_used: int = 0
    deadline: Deadline | None = None


class _PartSearch:
    """The search in one part; raises BudgetExceeded where it is beyond the limits."""

    def __init__(self, analysis: Analysis, part: IndependentPart, limits: _Allowance, alone: bool) -> None:
        self._analysis = analysis
        self._limits = limits
        if alone and limits.solutions > MOST_SOLUTIONS:  # then it is quicker to count them than to list them
            self._check_number(analysis.solutions, int(np.isin(part.array, (HIDDEN, SAFE)).sum()))
        with self._memory(), Interrupts() as interrupts:
            count, self._cells, values = list_solutions(part.array, part.mines, limits.solutions)
            interrupts.release()
            self._check_number(limits.solutions + 1 if count == TOO_MANY else count, self._cells.size)
            self._search = EndgameSearch(values)
        self.solutions = int(count)
        """The layouts of the part …"""
        self.wins = self._wins_if(None)
        """… and how many of them perfect play wins."""
        self.move = self._cell(self._search.first_move())
        """A first move that achieves it."""

    def rank(self, moves: Collection[Cell] | None) -> dict[Cell, int]:
        """The layouts won after each first move, or some, that is not a sure mine."""
        columns = {self._cell(column): column for column in range(self._cells.size)}
        after = {
            cell: self._wins_if(column) for cell, column in columns.items() if moves is None or cell in moves
        }
        return {cell: wins for cell, wins in after.items() if wins}

    def _wins_if(self, column: int | None) -> int:
        """The layouts won if a column is opened first, or any, with the nodes that other parts left."""
        limits, before = self._limits, self._search.nodes
        with self._memory():
            wins = self._search.wins_if(column, before + limits.nodes - limits.nodes_used, limits.deadline)
        limits.nodes_used += self._search.nodes - before
        if wins is None:
            if limits.deadline is not None:
                limits.deadline.check(NOT_SEARCHED)
            limit = argument("most_nodes", limits.nodes)
            layouts = f"{_depending(self._cells.size)} have {self.solutions} layouts"
            raise self._exceeded(f"{layouts}: too many to search with {limit}")
        return wins

    def _check_number(self, solutions: int, cells: int) -> None:
        """Refuse more layouts than are allowed."""
        if solutions > self._limits.solutions:
            limit = argument("most_solutions", self._limits.solutions)
            raise self._exceeded(f"{_depending(cells)} have too many layouts to list with {limit}")

    @contextmanager
    def _memory(self) -> Iterator[None]:
        """Tell where it is memory that does not suffice."""
        try:
            yield
        except MemoryError:
            limit = f"more than {memory_limit() >> 20:,} MiB of memory"
            raise self._exceeded(f"to search all layouts takes {limit}, or than there is") from None

    def _cell(self, column: int) -> Cell:
        return divmod(int(self._cells[column]), self._analysis.board.width)

    def _exceeded(self, message: str) -> BudgetExceeded:
        return BudgetExceeded(message, safe=self._analysis.safe, mined=self._analysis.mined)


def _depending(cells: int) -> str:
    return f"{counted(cells, 'cell')} that depend on each other"
