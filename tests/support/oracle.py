"""The oracle: every layout that agrees with a board, found by trying them all.

Slow and obvious on purpose, and independent: of msat it imports only the board. Meant for boards with up to
about 20 hidden cells; whatever the engines answer there must agree with it exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msat.board import Board, Cell

__all__ = ["counts", "enumerate_layouts"]


def enumerate_layouts(board: Board) -> Iterator[frozenset[Cell]]:
    """Every set of mine cells, marked ones included, that agrees with all clues and with the mine total."""
    hidden = list(board.hidden)
    clues = {cell: frozenset(board.neighbours(cell)) for cell in board.revealed}

    def possible(mines: frozenset[Cell], undecided: frozenset[Cell]) -> bool:
        """Whether no clue, nor the total, has too many mines already or too few cells left to get enough."""
        if not len(mines) <= board.mines <= len(mines) + len(undecided):
            return False
        return all(
            len(mines & around) <= board[clue] <= len(mines & around) + len(undecided & around)
            for clue, around in clues.items()
        )

    def extend(mines: frozenset[Cell], decided: int) -> Iterator[frozenset[Cell]]:
        if not possible(mines, frozenset(hidden[decided:])):
            return
        if decided == len(hidden):
            yield mines
            return
        yield from extend(mines, decided + 1)
        yield from extend(mines | {hidden[decided]}, decided + 1)

    yield from extend(frozenset(board.marked), 0)


def counts(board: Board) -> tuple[int, dict[Cell, int]]:
    """The number of layouts, and for every hidden cell the number of those with a mine there."""
    solutions = 0
    with_mine: Counter[Cell] = Counter()
    for mines in enumerate_layouts(board):
        solutions += 1
        with_mine.update(mines)
    return solutions, {cell: with_mine[cell] for cell in board.hidden}
