"""A checker of proofs: every step of an explanation, checked by itself, without reading its text.

It knows the rules of the game and arithmetic, and of msat the board and the shape of the steps.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from msat.board import HIDDEN, MINE, Board, Cell
from msat.constants import SAFE
from msat.explanation.arguments import Step, Tried
from msat.explanation.facts import Claim, Fact
from msat.explanation.refutation import Branch, Clash, Refutation
from msat.explanation.sums import Sum
from msat.explanation.totals import Bound, Remainder

__all__ = ["check_proof", "placements", "showing"]


def placements(board: Board, clues: Collection[Cell], total: bool) -> list[frozenset[Cell]]:
    """Every set of mines in hidden cells that meets these clues, and the total if wanted: all are tried."""
    hidden = board.hidden
    around = {clue: set(board.neighbours(clue)) for clue in clues}
    marked = set(board.marked)
    found = []
    left = board.mines - len(marked)
    for size in [left] if total else range(len(hidden) + 1):
        for chosen in combinations(hidden, max(size, 0)) if size >= 0 else ():
            mines = marked.union(chosen)
            if all(len(mines & around[clue]) == board[clue] for clue in clues):
                found.append(frozenset(chosen))
    return found


def check_proof(
    board: Board, clues: Collection[Cell], total: bool, steps: tuple[Step, ...], claim: Claim | None
) -> None:
    """Fail if a step does not follow from the clues (and the total, if it may be used) or the ones before."""
    given = {_clue_fact(board, clue) for clue in clues}
    if total:
        given.add((frozenset(board.hidden), *2 * (board.mines - len(board.marked),)))
    assert steps
    for step in steps:
        if isinstance(step, Remainder):
            given.add(_check_remainder(board, step, given))
        elif isinstance(step, Sum):
            assert {_content(fact) for fact in step.plus + step.minus} <= given
            assert step.claim == claim
            _check_sum(step, claim)
        elif isinstance(step, Refutation):
            assert step.claim == claim
            _check_branch(step.branch, {} if claim is None else {claim[0]: not claim[1]}, given)
        else:
            assert isinstance(step, Tried)
            assert {_content(fact) for fact in step.facts} <= given
    last = steps[-1]
    assert not isinstance(last, Remainder) or (claim is None and _impossible(last.fact()))


Content = tuple[frozenset[Cell], int, int]


def _content(fact: Fact) -> Content:
    return fact.cells, fact.low, fact.high


def _clue_fact(board: Board, clue: Cell) -> Content:
    around = board.neighbours(clue)
    need = board[clue] - sum(board[cell] == MINE for cell in around)
    return frozenset(cell for cell in around if board[cell] == HIDDEN), need, need


def _check_sum(step: Sum, claim: Claim | None) -> None:
    """With the opposite of the claim, the sum of mines is out of reach whatever else is a mine."""
    weight: dict[Cell, int] = {}
    for sign, facts in ((1, step.plus), (-1, step.minus)):
        for fact in facts:
            for cell in fact.cells:
                weight[cell] = weight.get(cell, 0) + sign
    least = sum(f.low for f in step.plus) - sum(f.high for f in step.minus)
    most = sum(f.high for f in step.plus) - sum(f.low for f in step.minus)
    fixed = 0
    if claim is not None:
        cell, mine = claim
        fixed = weight.pop(cell, 0) * (not mine)
    lowest = fixed + sum(number for number in weight.values() if number < 0)
    highest = fixed + sum(number for number in weight.values() if number > 0)
    assert highest < least or lowest > most


def _check_branch(branch: Branch, known: dict[Cell, bool], given: set[Content]) -> None:
    known = dict(known)
    for inference in branch.inferences:
        cells, low, high = _content(inference.fact)
        assert (cells, low, high) in given
        assert inference.cells <= cells
        if inference.mine:
            assert sum(known.get(cell, True) for cell in cells) <= low
        else:
            assert sum(known.get(cell, False) for cell in cells) >= high
        for cell in inference.cells:
            assert cell not in known
            known[cell] = inference.mine
    if isinstance(branch.end, Clash):
        cells, low, high = _content(branch.end.fact)
        assert (cells, low, high) in given
        mines = sum(known.get(cell, False) for cell in cells)
        room = sum(known.get(cell, True) for cell in cells)
        assert mines > high or room < low
        assert branch.end.mines == mines if mines > high else branch.end.room == room
        return
    assert branch.end.cell not in known
    _check_branch(branch.end.mined, known | {branch.end.cell: True}, given)
    _check_branch(branch.end.safe, known | {branch.end.cell: False}, given)


def _check_remainder(board: Board, step: Remainder, given: set[Content]) -> Content:
    """What is left by the total, after checking the bounds that are subtracted from it."""
    cells, low, high = _content(step.total)
    assert (cells, low, high) in given
    least = most = 0
    for bound in step.bounds:
        assert {_content(fact) for fact in bound.facts} <= given
        assert bound.cells <= cells, "groups share no cell"
        cells -= bound.cells
        _check_bound(board, bound)
        least += bound.low
        most += bound.high
    left = _content(step.fact())
    expected_high = high - least if step.least else len(cells)
    expected_low = low - most if step.most else 0
    assert left == (cells, expected_low, expected_high)
    return left


def _check_bound(board: Board, bound: Bound) -> None:
    """Try all placements, clue by clue."""
    found: set[frozenset[Cell]] = {frozenset()}
    seen: frozenset[Cell] = frozenset()
    for fact in bound.facts:
        new = sorted(fact.cells - seen)
        seen |= fact.cells
        found = {
            mines.union(more)
            for mines in found
            for size in range(len(new) + 1)
            if len(mines & fact.cells) + size == fact.low
            for more in combinations(new, size)
        }
    assert (bound.low, bound.high) == (min(map(len, found)), max(map(len, found)))


def _impossible(fact: Fact) -> bool:
    return fact.high < 0 or fact.low > len(fact.cells)


def showing(board: Board, clues: frozenset[Cell]) -> NDArray[np.int8]:
    """The board with only these clues; other revealed cells are safe but show nothing."""
    array = board.to_array()
    shown = np.zeros(array.shape, bool)
    for clue in clues:
        shown[clue] = True
    array[(array >= 0) & ~shown] = SAFE
    return array
