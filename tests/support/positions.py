"""Positions for tests, made from seeds: small ones for the oracle, larger ones as they come up in play."""

from __future__ import annotations

import random
from collections.abc import Iterator

from msat.board import HIDDEN, MINE, Board, Cell
from msat.layout import Layout

__all__ = ["lattice", "scattered", "small_boards"]


def _show(layout: Layout, opened: set[Cell], marked: set[Cell], mines: int) -> Board:
    rows = [
        [
            layout.number((r, c)) if (r, c) in opened else MINE if (r, c) in marked else HIDDEN
            for c in range(layout.width)
        ]
        for r in range(layout.height)
    ]
    return Board.from_array(rows, mines)


def small_boards(count: int, seed: int, most_hidden: int = 16) -> Iterator[Board]:
    """Random boards for the oracle: all small sizes and densities, some cells opened, some mines marked.

    Most agree with a layout. In some the total is another one, at times far off or extreme; in some a clue is
    changed: these may be contradictory.
    """
    rng = random.Random(seed)
    made = 0
    while made < count:
        height, width = rng.randint(1, 7), rng.randint(1, 7)
        area = height * width
        mines = rng.choice([0, area, rng.randint(0, area), rng.randint(0, max(1, area // 3))])
        every = [(r, c) for r in range(height) for c in range(width)]
        mined = rng.sample(every, min(mines, area))
        layout = Layout.from_mines(height, width, mined)
        safe = [cell for cell in every if not layout.is_mine(cell)]
        opened = set(rng.sample(safe, rng.randint(0, len(safe))))
        marked = {cell for cell in mined if rng.random() < rng.choice([0, 0.3, 0.9])}
        if area - len(opened) - len(marked) > most_hidden:
            continue
        total = layout.mines
        kind = rng.random()
        if kind < 0.1:
            total = rng.randint(0, area)
        elif kind < 0.2:
            total = min(area, max(0, total + rng.choice([-1, 1])))
        board = _show(layout, opened, marked, total)
        if kind > 0.9 and opened:
            board = board.replace({rng.choice(sorted(opened)): rng.randint(0, 8)})
        made += 1
        yield board


def scattered(height: int, width: int, mines: int, share: float, seed: int) -> Board:
    """A board with a share of its safe cells opened at random: long, dense frontiers."""
    rng = random.Random(seed)
    layout = Layout.random(height, width, mines, seed=seed)
    safe = [(r, c) for r in range(height) for c in range(width) if not layout.is_mine((r, c))]
    return _show(layout, set(rng.sample(safe, round(share * len(safe)))), set(), mines)


def lattice(height: int, width: int, mines: int, step: int, seed: int) -> Board:
    """A board with every `step`-th cell of every `step`-th row open."""
    rng = random.Random(seed)
    every = [(r, c) for r in range(height) for c in range(width)]
    opened = {(r, c) for r, c in every if r % step == step // 2 and c % step == step // 2}
    layout = Layout.from_mines(
        height, width, rng.sample([cell for cell in every if cell not in opened], mines)
    )
    return _show(layout, opened, set(), mines)
