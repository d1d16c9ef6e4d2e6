"""A count of layouts that shares no code with msat: plain Python, one cell after the other.

Of msat it takes only the board. Unknown cells are taken in an order in which clues close soon; the state is
what each open clue still needs, and for each state there is a polynomial: how many ways there are by the
number of mines. Sweeps from both ends meet in every cell, which gives the layouts with a mine there. Cells
that no clue touches come in at the end, by binomials.
"""

from __future__ import annotations

from collections import defaultdict
from math import comb

from msat.board import HIDDEN, MINE, Board, Cell

__all__ = ["TooWide", "count"]

State = tuple[int, ...]
Ways = dict[int, int]
"""How many ways there are, by the number of mines."""

Table = dict[State, Ways]


class TooWide(Exception):
    """More states than this slow way can afford."""


def count(board: Board, most: int = 20_000) -> tuple[int, dict[Cell, int]]:
    """The number of layouts, and for every hidden cell the number of those with a mine there.

    >>> count(Board.parse("?1?? 2"))
    (2, {(0, 0): 1, (0, 2): 1, (0, 3): 2})
    """
    clues = {cell: board[cell] for cell in board.revealed}
    around = {cell: board.neighbours(cell) for cell in clues}
    need: dict[Cell, int] = {}
    for cell, number in clues.items():
        need[cell] = number - sum(board[each] == MINE for each in around[cell])
        if not 0 <= need[cell] <= sum(board[each] == HIDDEN for each in around[cell]):
            return 0, dict.fromkeys(board.hidden, 0)
    left = board.mines - len(board.marked)
    touching: dict[Cell, list[Cell]] = defaultdict(list)
    for clue in clues:
        for cell in around[clue]:
            if board[cell] == HIDDEN:
                touching[cell].append(clue)
    rest = [cell for cell in board.hidden if cell not in touching]
    parts = [_part(cells, touching, need, most) for cells in _parts(touching, around, board)]
    total = _joined([part[0] for part in parts])
    solutions = _close(total, len(rest), left)
    found: dict[Cell, int] = {}
    for number, (_, with_mine) in enumerate(parts):
        others = _joined([part[0] for k, part in enumerate(parts) if k != number])
        for cell, ways in with_mine.items():
            found[cell] = _close(_times(ways, others), len(rest), left)
    inside = _close(total, len(rest) - 1, left - 1) if rest else 0
    return solutions, {cell: found.get(cell, inside) for cell in board.hidden}


def _close(ways: Ways, rest: int, mines: int) -> int:
    """The ways to place all mines, those beyond `ways` in the rest."""
    return sum(each * comb(rest, mines - used) for used, each in ways.items() if 0 <= mines - used <= rest)


def _times(a: Ways, b: Ways) -> Ways:
    found: Ways = defaultdict(int)
    for m, x in a.items():
        for n, y in b.items():
            found[m + n] += x * y
    return dict(found)


def _joined(parts: list[Ways]) -> Ways:
    found: Ways = {0: 1}
    for part in parts:
        found = _times(found, part)
    return found


def _parts(
    touching: dict[Cell, list[Cell]], around: dict[Cell, tuple[Cell, ...]], board: Board
) -> list[list[Cell]]:
    """The touched cells, those that clues join together, each part in the order in which it is found."""
    parts, seen = [], set()
    for first in touching:
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for cell in part:  # grows while it is walked
            for clue in touching[cell]:
                for each in around[clue]:
                    if board[each] == HIDDEN and each not in seen:
                        seen.add(each)
                        part.append(each)
        orders = part, sorted(part), sorted(part, key=lambda cell: (cell[1], cell[0]))
        parts.append(min(orders, key=lambda order: _cost(order, touching)))
    return parts


def _cost(order: list[Cell], touching: dict[Cell, list[Cell]]) -> int:
    """A measure of how many states a sweep in this order has: 2 to the number of open clues, added up."""
    last = {clue: place for place, cell in enumerate(order) for clue in touching[cell]}
    first: dict[Cell, int] = {}
    for place, cell in enumerate(order):
        for clue in touching[cell]:
            first.setdefault(clue, place)
    return sum(1 << sum(first[clue] <= place < last[clue] for clue in first) for place in range(len(order)))


def _part(
    order: list[Cell], touching: dict[Cell, list[Cell]], need: dict[Cell, int], most: int
) -> tuple[Ways, dict[Cell, Ways]]:
    """The ways of one part, and those with a mine in each of its cells."""
    last = {clue: place for place, cell in enumerate(order) for clue in touching[cell]}
    open_before: list[list[Cell]] = [[]]
    for place, cell in enumerate(order):
        clues = open_before[-1] + [clue for clue in touching[cell] if clue not in open_before[-1]]
        open_before.append([clue for clue in clues if last[clue] > place])

    def step(place: int, state: State, mine: int) -> State | None:
        """What the open clues need after one more cell."""
        needs = dict(zip(open_before[place], state, strict=True))
        for clue in touching[order[place]]:
            needs[clue] = needs.get(clue, need[clue]) - mine
            if needs[clue] < 0 or (last[clue] == place and needs[clue] != 0):
                return None
        return tuple(needs[clue] for clue in open_before[place + 1])

    forward: list[Table] = [{(): {0: 1}}]
    for place in range(len(order)):
        table: dict[State, Ways] = defaultdict(lambda: defaultdict(int))
        for state, ways in forward[place].items():
            for mine in (0, 1):
                after = step(place, state, mine)
                if after is not None:
                    for used, each in ways.items():
                        table[after][used + mine] += each
        if len(table) > most:
            raise TooWide(f"{len(table)} states")
        forward.append(table)
    backward: Table = {(): {0: 1}}
    with_mine: dict[Cell, Ways] = {}
    for place in reversed(range(len(order))):
        before: dict[State, Ways] = defaultdict(lambda: defaultdict(int))
        here: Ways = defaultdict(int)
        for state, ways in forward[place].items():
            for mine in (0, 1):
                after = step(place, state, mine)
                if after is None or after not in backward:
                    continue
                for used, each in backward[after].items():
                    before[state][used + mine] += each
                if mine:
                    for used, each in _times(ways, backward[after]).items():
                        here[used + 1] += each
        backward = before
        with_mine[order[place]] = dict(here)
    return dict(forward[-1].get((), {})), with_mine
