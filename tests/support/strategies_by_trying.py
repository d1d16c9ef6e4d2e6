"""The most layouts that a strategy can win, found by trying every cell in every situation.

Slow and obvious on purpose, and independent: of msat it imports only the board. A situation is what a player
sees, not a set of layouts; no cell is passed over because it teaches nothing, and nothing is taken apart. The
only shortcut is that a cell without any risk is opened at once.
"""

from __future__ import annotations

from msat.board import Board, Cell
from tests.support.oracle import enumerate_layouts

__all__ = ["most_wins", "most_wins_among", "wins_after", "wins_after_all"]

MINE = -1

Layout = dict[Cell, int]
"""What every hidden cell would turn out to be."""

Seen = frozenset[tuple[Cell, int]]
"""The cells that were opened, and what they showed."""


class _Game:
    def __init__(self, layouts: list[Layout]) -> None:
        self.layouts = layouts
        self.hidden = list(layouts[0])
        self.to_open = sum(value != MINE for value in layouts[0].values())
        self.known: dict[Seen, int] = {}

    def after(self, cell: Cell, seen: Seen, layouts: list[Layout]) -> int:
        """The most wins if this cell is opened next."""
        wins = 0
        for number in {layout[cell] for layout in layouts} - {MINE}:
            now = seen | {(cell, number)}
            if now not in self.known:
                agreeing = [layout for layout in layouts if layout[cell] == number]
                self.known[now] = self.most_wins(now, agreeing)
            wins += self.known[now]
        return wins

    def most_wins(self, seen: Seen, layouts: list[Layout]) -> int:
        if len(seen) == self.to_open:
            return len(layouts)
        opened = {cell for cell, _ in seen}
        closed = [cell for cell in self.hidden if cell not in opened]
        free = [cell for cell in closed if all(layout[cell] != MINE for layout in layouts)]
        return max(self.after(cell, seen, layouts) for cell in free[:1] or closed)


def _of_board(board: Board) -> _Game:
    return _Game(
        [
            {
                cell: MINE if cell in mines else len(mines.intersection(board.neighbours(cell)))
                for cell in board.hidden
            }
            for mines in enumerate_layouts(board)
        ]
    )


def most_wins_among(layouts: list[Layout]) -> int:
    """The most that a strategy wins of these layouts, all with equally many mines, if there are no others."""
    return _Game(layouts).most_wins(frozenset(), layouts)


def most_wins(board: Board) -> tuple[int, int]:
    """(layouts, the most of them that a strategy wins)."""
    game = _of_board(board)
    return len(game.layouts), game.most_wins(frozenset(), game.layouts)


def wins_after(board: Board) -> dict[Cell, int]:
    """For every hidden cell, the most layouts that are won if it is opened first."""
    game = _of_board(board)
    return {cell: game.after(cell, frozenset(), game.layouts) for cell in board.hidden}


def wins_after_all(board: Board, cells: tuple[Cell, ...]) -> int:
    """The most layouts that are won if all of these hidden cells are opened before one is looked at."""
    game = _of_board(board)
    agreeing: dict[Seen, list[Layout]] = {}
    for layout in game.layouts:
        if all(layout[cell] != MINE for cell in cells):
            agreeing.setdefault(frozenset((cell, layout[cell]) for cell in cells), []).append(layout)
    return sum(game.most_wins(seen, layouts) for seen, layouts in agreeing.items())
