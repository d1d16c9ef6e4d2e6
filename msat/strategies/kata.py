"""`kata`, the player of document 004 (docs/sources.md): five strategies, simplest first; it never guesses.

What, in its order: (1) numbers that are met, or need all their hidden cells; (2) no mines left, or as many as
hidden cells; (3) the 1-n pattern; (4) *rules*, sets of cells with their number of mines, generated from each
other by differences of subsets and unions of disjoint sets; (5) an exhaustive search over blocks, the cells
that always appear together. The search is answered by counting, which finds what listing all combinations
finds, so that nothing that can be deduced is missed in the end.
Cost: about 40 ms for an expert game. It is plain Python: a strategy need not be compiled to be played.
When it loses: never by a mine; it stops where no cell is proven safe, like `logic`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from msat import cells as geometry
from msat.analysis import analyze
from msat.board import HIDDEN, MINE, Board, check_board
from msat.strategies.choice import Choice
from msat.strategies.parameter import Parameter
from msat.strategies.strategy import Strategy

__all__ = ["Kata"]

Rules = dict[int, int]
"""Sets of cells, a bit for each position, with their number of mines."""


@dataclass(frozen=True)
class _MarkedBoard:
    """A board with what was marked on it so far."""

    board: Board

    def around(self, position: int) -> tuple[int, ...]:
        return geometry.neighbours(self.board.height, self.board.width, position)

    def marked(self, mines: frozenset[int]) -> _MarkedBoard:
        return _MarkedBoard(self.board.replace({divmod(i, self.board.width): MINE for i in mines}))

    def value(self, position: int) -> int:
        byte = self.board.values[position]
        return byte - 256 if byte > 8 else byte

    @cached_property
    def hidden(self) -> frozenset[int]:
        return frozenset(i for i in range(len(self.board.values)) if self.value(i) == HIDDEN)

    @cached_property
    def clues(self) -> dict[int, tuple[frozenset[int], int]]:
        """Per number that touches hidden cells: these cells, and how many of them are mines."""
        found = {}
        for i in range(len(self.board.values)):
            if self.value(i) >= 0:
                cells = self.hidden.intersection(self.around(i))
                if cells:
                    found[i] = cells, self.value(i) - sum(self.value(j) == MINE for j in self.around(i))
        return found

    @property
    def contradictory(self) -> bool:
        """Whether some number cannot be met."""
        return any(not 0 <= need <= len(cells) for cells, need in self.clues.values())

    def beyond(self, position: int, step: int) -> set[int]:
        """The three cells on the far side of `position`, seen from the cell at `position - step`."""
        width = self.board.width
        r, c = divmod(position, width)
        if step in (1, -1):
            return {i for i in self.around(position) if i % width == c + step}
        return {i for i in self.around(position) if i // width == r + step // width}


Found = tuple[frozenset[int], frozenset[int]]
"""What a strategy proves: safe cells and mines, by their positions."""

_NOTHING: Found = frozenset(), frozenset()


def _trivial(position: _MarkedBoard) -> Found:
    clues = position.clues.values()
    safe = frozenset().union(*(cells for cells, need in clues if need == 0))
    mines = frozenset().union(*(cells for cells, need in clues if need == len(cells)))
    return safe, mines


def _mines_left(position: _MarkedBoard) -> Found:
    left = position.board.mines - len(position.board.marked)
    if left == 0:
        return position.hidden, frozenset()
    return (frozenset(), position.hidden) if left == len(position.hidden) else _NOTHING


def _one_and_n(position: _MarkedBoard) -> Found:
    """Beside a 1, a number whose far side leaves it one mine short: the near side of the 1 is safe."""
    width = position.board.width
    safe: set[int] = set()
    for one, (cells, need) in position.clues.items():
        if need != 1:
            continue
        for step in (1, -1, width, -width):
            other = one + step
            if other not in position.around(one) or other not in position.clues:
                continue
            far = position.beyond(other, step) & position.hidden
            if len(far) == position.clues[other][1] - 1:
                safe |= position.beyond(one, -step) & cells
    return frozenset(safe), frozenset()


def _generated(start: Rules, most: int) -> Rules:
    """All rules that follow by differences and unions, until there are `most`."""
    rules = dict(start)
    waiting = list(rules)
    while waiting and len(rules) < most:
        one = waiting.pop()
        for other in list(rules):
            if one == other:
                continue
            if one & other == one:
                new, mines = other & ~one, rules[other] - rules[one]
            elif one & other == other:
                new, mines = one & ~other, rules[one] - rules[other]
            elif one & other == 0 and any(third & one and third & other for third in start):
                # A union of sets that no rule touches both of can only be taken apart again.
                new, mines = one | other, rules[one] + rules[other]
            else:
                continue
            if new not in rules:
                rules[new] = mines
                waiting.append(new)
    return rules


def _set_generation(position: _MarkedBoard, most: int) -> Found:
    start = {sum(1 << i for i in cells): need for cells, need in position.clues.values()}
    safe = mines = 0
    for cells, need in _generated(start, most).items():
        if need == 0:
            safe |= cells
        elif need == cells.bit_count():
            mines |= cells
    return (
        frozenset(i for i in position.hidden if safe >> i & 1),
        frozenset(i for i in position.hidden if mines >> i & 1),
    )


def _exhaustive_search(position: _MarkedBoard) -> Found:
    analysis = analyze(position.board)
    width = position.board.width
    return frozenset(r * width + c for r, c in analysis.safe), frozenset()


class Kata(Strategy):
    """Document 004's player.

    >>> choice = Kata().choose(Board.parse("???/121 2"))
    >>> choice.cells, choice.reason
    (((0, 1),), 'set generation')
    >>> print(Kata().choose(Board.parse("??/11 1")))
    None
    """

    name: ClassVar[str] = "kata"
    summary: ClassVar[str] = "five ways to deduce, from trivial to exhaustive, never a guess"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("most_rules", 300, "rules after which set generation ends", low=1, high=100_000),
    )

    def choose(self, board: Board) -> Choice | None:
        """What the first strategy that finds a safe cell finds; marks on the way start over."""
        check_board(board, "choose")
        most = int(self._values["most_rules"])
        steps: tuple[tuple[str, Callable[[_MarkedBoard], Found]], ...] = (
            ("trivial", _trivial),
            ("all mines found", _mines_left),
            ("1-n pattern", _one_and_n),
            ("set generation", lambda position: _set_generation(position, most)),
            ("exhaustive search", _exhaustive_search),
        )
        position = _MarkedBoard(board)
        while True:
            if position.contradictory:
                analyze(board)  # raises, and says what contradicts
            tried = ((reason, step(position)) for reason, step in steps)
            reason, (safe, mines) = next((found for found in tried if any(found[1])), ("", _NOTHING))
            if not safe and not mines:
                return None
            position = position.marked(mines)
            if safe:
                marked = tuple(cell for cell in position.board.marked if board[cell] == HIDDEN)
                opened = tuple(divmod(i, board.width) for i in sorted(safe))
                kind = "count" if reason == "exhaustive search" else "rule"
                return Choice(opened, 1.0, reason, mines=marked, kind=kind)
