"""The rules in explanations: which rules get from a set of clues to a cell, if they do.

A rule is named only if it proves the cell from the clues of the explanation alone. So the rules are shown a
board with just these clues; what they then find on the way to the cell is a chain of deductions.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from msat.board import Board, Cell
from msat.constants import SAFE
from msat.engines.rules.deductions import Deduction, apply_and_log
from msat.explanation.facts import Claim

__all__ = ["rules_used", "suggested_by_rules"]


def suggested_by_rules(board: Board, cell: Cell) -> frozenset[Cell]:
    """The clues by which the rules decide a cell on the full board; none where they do not.

    The rules may have decided other cells before, so these clues need not suffice.

    >>> sorted(suggested_by_rules(Board.parse("???/111 1"), (0, 0)))
    [(1, 1), (1, 2)]
    """
    found, _ = apply_and_log(board, board.to_array())
    return frozenset(clue for deduction in found if deduction.cell == cell for clue in deduction.clues)


def rules_used(board: Board, clues: Collection[Cell], claim: Claim) -> tuple[Deduction, ...]:
    """The chain of deductions from these clues to the claim; empty if the rules do not get there.

    >>> board = Board.parse("???/111 1")
    >>> [str(step) for step in rules_used(board, [(1, 1), (1, 2)], ((0, 0), False))]
    ['r0c0 is safe by rule 4: the mine that the 1 at r1c1 needs is in the pair it shares with the 1 at r1c2']
    """
    array = board.to_array()
    shown = np.zeros(array.shape, bool)
    for clue in clues:
        shown[clue] = True
    array[(array >= 0) & ~shown] = SAFE
    log, _ = apply_and_log(board, array)
    last = next((i for i, row in enumerate(log) if (row.cell, row.mine) == claim), None)
    if last is None:
        return ()
    chain = [log[last]]
    needed = _surroundings(board, log[last].clues)
    for row in reversed(log[:last]):
        # Cells decided by the same application of the same rule are not what it rests on.
        if row.cell in needed and not any(
            (row.rule, row.clues) == (later.rule, later.clues) for later in chain
        ):
            chain.append(row)
            needed |= _surroundings(board, row.clues)
    return tuple(reversed(chain))


def _surroundings(board: Board, clues: Collection[Cell]) -> set[Cell]:
    return {around for clue in clues for around in board.neighbours(clue)}
