"""All placements of mines in each sequence of a board, one by one: slow and obvious, for comparison.

A sequence is a set of hidden cells joined by shared numbers. Of msat this imports only the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msat.board import HIDDEN, MINE, Board, Cell

__all__ = ["Placements", "sequences"]

Placements = list[frozenset[Cell]]


def _clues(board: Board) -> list[tuple[frozenset[Cell], int]]:
    found = []
    for cell in board.revealed:
        around = board.neighbours(cell)
        hidden = frozenset(other for other in around if board[other] == HIDDEN)
        if hidden:
            found.append((hidden, board[cell] - sum(board[other] == MINE for other in around)))
    return found


def sequences(board: Board) -> Iterator[tuple[frozenset[Cell], Placements]]:
    """Every sequence with every way to meet its numbers; the mine total is not looked at."""
    clues = _clues(board)
    groups: list[frozenset[Cell]] = []
    for hidden, _ in clues:
        touching = [group for group in groups if group & hidden]
        groups = [group for group in groups if not group & hidden]
        groups.append(hidden.union(*touching))
    for group in groups:
        cells = sorted(group)
        within = [(hidden, need) for hidden, need in clues if hidden <= group]
        tried = (
            frozenset(cell for cell, mine in zip(cells, mines, strict=True) if mine)
            for mines in product((0, 1), repeat=len(cells))
        )
        yield group, [mines for mines in tried if all(len(mines & cells) == need for cells, need in within)]
