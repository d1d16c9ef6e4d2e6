"""A player with a few techniques and nothing else, slow and obvious: what each of them alone can solve.

Independent of the solver: of msat it imports only the game. Each technique looks at the clues that are open
and names cells that are safe or mines; the player opens and notes them, and begins again with the easiest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product

from pysat.solvers import Solver

from msat.board import Cell
from msat.game import Game
from msat.layout import Layout

__all__ = [
    "Clue",
    "Technique",
    "all_clues",
    "by_sum",
    "connected",
    "pairs",
    "settled",
    "singles",
    "solves",
    "sums",
]

Clue = tuple[frozenset[Cell], int]
"""Unknown cells, and how many of them are mines."""

Found = dict[Cell, bool]
"""What was found: whether a cell is a mine."""

Technique = Callable[[Sequence[Clue]], Found]


def settled(clues: Iterable[Clue]) -> Found:
    """All that some clues settle together, by trying every way to place mines."""
    chosen = list(clues)
    cells = sorted(frozenset[Cell]().union(*(cells for cells, _ in chosen)))
    can: dict[Cell, set[bool]] = {cell: set() for cell in cells}

    def place(at: int, mines: frozenset[Cell]) -> None:
        rest = frozenset(cells[at:])
        if any(not len(mines & around) <= need <= len((mines | rest) & around) for around, need in chosen):
            return
        if at == len(cells):
            for cell in cells:
                can[cell].add(cell in mines)
            return
        place(at + 1, mines)
        place(at + 1, mines | {cells[at]})

    place(0, frozenset())
    return {cell: True in kinds for cell, kinds in can.items() if len(kinds) == 1}


def connected(clues: Sequence[Clue], size: int) -> Iterator[tuple[Clue, ...]]:
    """All sets of so many clues that hang together by cells they share."""
    for chosen in combinations(clues, size):
        reached, waiting = chosen[0][0], list(chosen[1:])
        while waiting:
            touching = [clue for clue in waiting if clue[0] & reached]
            if not touching:
                break
            reached = reached.union(*(cells for cells, _ in touching))
            waiting = [clue for clue in waiting if clue not in touching]
        else:
            yield chosen


def singles(clues: Sequence[Clue]) -> Found:
    """What one clue settles."""
    return {cell: mine for clue in clues for cell, mine in settled([clue]).items()}


def pairs(clues: Sequence[Clue]) -> Found:
    """What two clues settle."""
    return {cell: mine for two in connected(clues, 2) for cell, mine in settled(two).items()}


def by_sum(clues: Sequence[Clue]) -> Found:
    """What some clues settle if each is added or subtracted once."""
    found: Found = {}
    cells = frozenset[Cell]().union(*(cells for cells, _ in clues))
    for signs in product((1, -1), repeat=len(clues)):
        total = sum(sign * need for sign, (_, need) in zip(signs, clues, strict=True))
        weight = {
            c: sum(sign for sign, (around, _) in zip(signs, clues, strict=True) if c in around) for c in cells
        }
        for cell in cells:
            others = [w for other, w in weight.items() if other != cell]
            least, most = sum(w for w in others if w < 0), sum(w for w in others if w > 0)
            fits = [mine for mine in (False, True) if least <= total - mine * weight[cell] <= most]
            if len(fits) == 1:
                found[cell] = fits[0]
    return found


def sums(most: int) -> Technique:
    """Sums of three up to so many clues."""

    def technique(clues: Sequence[Clue]) -> Found:
        for size in range(3, most + 1):
            for chosen in connected(clues, size):
                if found := by_sum(chosen):
                    return found
        return {}

    return technique


def all_clues(clues: Sequence[Clue]) -> Found:
    """What all clues settle together, by a SAT solver; the mine total is not among them."""
    cells = sorted(frozenset[Cell]().union(*(cells for cells, _ in clues)))
    number = {cell: i for i, cell in enumerate(cells, 1)}
    found: Found = {}
    with Solver("cadical153") as solver:
        for around, need in clues:
            literals = [number[cell] for cell in around]
            for many in combinations(literals, need + 1):
                solver.add_clause([-literal for literal in many])
            for many in combinations(literals, len(literals) - need + 1):
                solver.add_clause(many)
        for cell in cells:
            can = [mine for mine in (False, True) if solver.solve([number[cell] if mine else -number[cell]])]
            if len(can) == 1:
                found[cell] = can[0]
    return found


def solves(layout: Layout, techniques: Sequence[Technique]) -> bool:
    """Whether these techniques solve a layout from its start."""
    assert layout.start is not None
    game = Game(layout)
    game.open(layout.start)
    mines: set[Cell] = set()
    while game.state == "playing":
        board = game.board
        clues = []
        for clue in board.revealed:
            around = set(board.neighbours(clue))
            unknown = frozenset(around.difference(board.revealed, mines))
            if unknown:
                clues.append((unknown, board[clue] - len(around & mines)))
        found = next(filter(None, (technique(clues) for technique in techniques)), {})
        if not found:
            return False
        for cell, mine in found.items():
            assert layout.is_mine(cell) == mine, f"{cell} was taken for the other"
            if mine:
                mines.add(cell)
            elif game.state == "playing":
                game.open(cell)
    return True
