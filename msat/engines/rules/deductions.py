"""What the rules find: the deductions that a person makes, each with its rule and the clues that it rests on.

They see one to three clues at a time and never the mine total, so they do not find everything; what they find
costs microseconds, which is why every engine lets them go first, and it can be explained in one sentence.
`table.py` tells what each rule says; the compiled code that applies them is `_kernels.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msat.board import Board
from msat.cells import Cell, neighbours, whole_number
from msat.constants import HIDDEN, LAST_RULE, MINE, SAFE
from msat.engines.rules.table import form_with, rule_of
from msat.errors import InconsistentBoard, UnknownName, WrongType
from msat.formats.parsed import HIDDEN_BYTE
from msat.notebook import figure
from msat.value import explained
from msat.wording import cell_name, clue_name, counted, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Deduction", "apply_and_log", "deductions", "first_safe", "mines_behind", "proven_words"]


@explained
@dataclass(frozen=True)
class Deduction:
    """One cell that a rule has decided.

    It holds given what was known before: the revealed and marked cells, and the deductions before this one.
    """

    cell: Cell
    """The cell that is decided."""
    mine: bool
    """Whether it is a mine; if not, it is safe."""
    rule: int
    """The number of the rule, the easiest first."""
    clues: tuple[Cell, ...]
    """The clue cells that it rests on, in the order in which the rule names them (m; m, n; m, a, b) …"""
    numbers: tuple[int, ...]
    """… and what is written there."""
    form: int = 0
    """Which form of the rule it is, as the table numbers them."""

    def _repr_html_(self) -> str:
        return figure(None, [str(self)])

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "cell": list(self.cell),
            "mine": self.mine,
            "rule": self.rule,
            "clues": [list(clue) for clue in self.clues],
            "numbers": list(self.numbers),
            "text": self.words,
        }

    @property
    def words(self) -> str:
        """The rule, and why it holds here."""
        return _words(self.rule, self.form, self.numbers, self.clues)

    def __str__(self) -> str:
        return f"{cell_name(self.cell)} is {'a mine' if self.mine else 'safe'} by {self.words}"


def deductions(board: Board, last_rule: int = LAST_RULE) -> tuple[Deduction, ...]:
    """Everything that rules 1 … `last_rule` find, in the order found: always the lowest rule that applies.

    A clue that cannot get its number of mines raises `InconsistentBoard`, whose `clues` contradict each
    other; none of them can be dropped without the rules losing sight of the contradiction.

    >>> for deduction in deductions(Board.parse("???/111 1")):
    ...     print(deduction)
    r0c0 is safe by rule 4: the mine that the 1 at r1c1 needs is in the pair it shares with the 1 at r1c2
    r0c1 is a mine by rule 2: the 1 at r1c0 needs a mine in every hidden neighbour
    r0c2 is safe by rule 1: the 1 at r1c2 has all its mines
    """
    if not isinstance(board, Board):
        raise WrongType(f"deductions takes a Board, not {quoted(board)}: Board.parse reads one")
    last_rule = whole_number(last_rule, "last_rule", UnknownName)
    if not 1 <= last_rule <= LAST_RULE:
        raise UnknownName.of("rule", last_rule, map(str, range(1, LAST_RULE + 1)))
    found, violated = apply_and_log(board, board.to_array(), last_rule)
    if violated is not None:
        raise _contradiction(board, last_rule, _ancestry(board, found, violated))
    return found


def apply_and_log(
    board: Board, array: NDArray[np.int8], last_rule: int = LAST_RULE
) -> tuple[tuple[Deduction, ...], Cell | None]:
    """What the rules find on an array that has all or some of the board's clues, and a clue that is violated.

    The array is changed. This is the only place that knows what the rows of the kernel's log hold.

    >>> board = Board.parse("?2*? 3")
    >>> found, violated = apply_and_log(board, board.to_array())
    >>> [str(each) for each in found], violated
    (['r0c0 is a mine by rule 2: the 2 at r0c1 needs a mine in every hidden neighbour'], None)
    """
    rows, violated = _log(board, array, last_rule)
    width = board.width
    found = [_deduction(board.values, width, row) for row in rows]
    return tuple(found), None if violated < 0 else divmod(violated, width)


def first_safe(board: Board) -> Deduction | None:
    """The first deduction that finds a safe cell; None where there is none, or a clue is violated.

    For who needs only one: on a large board there are thousands, each of which takes a while to be made.

    >>> print(first_safe(Board.parse("???/111 1")))
    r0c0 is safe by rule 4: the mine that the 1 at r1c1 needs is in the pair it shares with the 1 at r1c2
    """
    rows, violated = _log(board, board.to_array(), LAST_RULE)
    safe = (row for row in rows if not row[1])
    row = next(safe, None) if violated < 0 else None
    return None if row is None else _deduction(board.values, board.width, row)


def mines_behind(board: Board, deduction: Deduction) -> tuple[Deduction, ...]:
    """The mines without a flag, found before, that a deduction by rule 1 counts: those around its clue.

    >>> board = Board.parse("?10/?10/110 1")
    >>> found = first_safe(board)
    >>> print(found, *mines_behind(board, found), sep="\\n")
    r0c0 is safe by rule 1: the 1 at r0c1 has all its mines
    r1c0 is a mine by rule 2: the 1 at r2c0 needs a mine in every hidden neighbour
    """
    if deduction.rule != 1:
        return ()
    around = set(board.neighbours(deduction.clues[0]))
    rows, _ = _log(board, board.to_array(), LAST_RULE)
    found = []
    for row in rows:
        cell = divmod(row[0], board.width)
        if cell == deduction.cell:
            break
        if row[1] and cell in around:
            found.append(_deduction(board.values, board.width, row))
    return tuple(found)


def _deduction(values: bytes, width: int, row: Sequence[int]) -> Deduction:
    """What a row of the log says."""
    cell, mine, rule, *clues = row
    cells, numbers = _read_clues(values, width, clues)
    return Deduction(divmod(cell, width), bool(mine), rule, cells, numbers, form_with(rule, bool(mine)))


def proven_words(board: Board) -> tuple[dict[Cell, str], tuple[Cell, ...]] | None:
    """The cells that the rules find safe, each with the words of its deduction, and the mines that they find.

    Both are in row-major order; it is None where a clue is violated. For who plays on: what the mines rest on
    is not made, which takes longer than all the rules do.

    >>> safe, mined = proven_words(Board.parse("???/111 1"))
    >>> safe[0, 2], mined
    ('rule 1: the 1 at r1c2 has all its mines', ((0, 1),))
    """
    rows, violated = _log(board, board.to_array(), LAST_RULE)
    if violated >= 0:
        return None
    rows.sort()
    width, values = board.width, board.values
    safe, mined = {}, []
    for cell, mine, rule, clue, second, third in rows:
        if mine:
            mined.append(divmod(cell, width))
        elif second < 0:  # as with nearly all
            safe[divmod(cell, width)] = _words_of_one(rule, width, clue, values[clue])
        else:
            cells, numbers = _read_clues(values, width, [clue, second, third])
            safe[divmod(cell, width)] = _words(rule, form_with(rule, False), numbers, cells)
    return safe, tuple(mined)


def _log(board: Board, array: NDArray[np.int8], last_rule: int) -> tuple[list[list[int]], int]:
    """Apply the rules to an array of the board; the rows of the log, and a clue that is violated, or −1."""
    import numpy as np

    from msat.engines.rules._kernels import apply_rules

    log = np.empty((board.values.count(HIDDEN_BYTE), 6), dtype=np.int32)
    count, violated = apply_rules(array, last_rule, log)
    return log[:count].tolist(), int(violated)


def _read_clues(values: bytes, width: int, clues: list[int]) -> tuple[tuple[Cell, ...], tuple[int, ...]]:
    """The clues of a row of the log, of which −1 is none, and their numbers."""
    clues = [clue for clue in clues if clue >= 0]
    return tuple([divmod(clue, width) for clue in clues]), tuple([values[clue] for clue in clues])


# Games on boards of one size meet most of these again and again; some megabytes at most.
@lru_cache(maxsize=1 << 14)
def _words(rule: int, form: int, numbers: tuple[int, ...], clues: tuple[Cell, ...]) -> str:
    """A rule, and why it holds at these clues."""
    reason = "{0} has no mines around it" if numbers == (0,) else rule_of(rule, form).reason
    return f"rule {rule}: {reason.format(*map(clue_name, numbers, clues))}"


@lru_cache(maxsize=1 << 14)
def _words_of_one(rule: int, width: int, clue: int, number: int) -> str:
    """The same of a rule that finds a safe cell by one clue, given by its position."""
    return _words(rule, form_with(rule, False), (number,), (divmod(clue, width),))


def _ancestry(board: Board, found: tuple[Deduction, ...], violated: Cell) -> set[Cell]:
    """The clues that led to the violated one: those that decided its surroundings, theirs, and so on."""
    clues = {violated}
    surroundings = set(board.neighbours(violated))
    for deduction in reversed(found):
        if deduction.cell in surroundings:
            clues.update(deduction.clues)
            surroundings.update(*map(board.neighbours, deduction.clues))
    return clues


def _contradiction(board: Board, last_rule: int, suspects: set[Cell]) -> InconsistentBoard:
    """The error for a board on which the rules violate a clue, with as few clues as they need for that."""
    import numpy as np

    from msat.engines.rules._kernels import apply_rules

    no_log = np.empty((0, 6), dtype=np.int32)
    array = board.to_array()
    to_try = [{*board.revealed} - suspects, *({clue} for clue in sorted(suspects))]
    while to_try:
        kept = []
        for dropped in to_try:
            trial = array.copy()
            for clue in dropped:
                trial[clue] = SAFE
            if apply_rules(trial.copy(), last_rule, no_log)[1] >= 0:
                array = trial
            else:
                kept.append(dropped)
        # Fewer clues can let the rules see more, since on a board without layouts their order matters. So a
        # clue that had to stay may be dropped once others are gone.
        to_try = kept if len(kept) < len(to_try) else []
    clues = [divmod(clue, board.width) for clue in np.flatnonzero(array >= 0).tolist()]
    count, violated = apply_rules(array, last_rule, no_log)
    return InconsistentBoard(_complaint(board, array, violated, clues, decided=count > 0), clues)


def _complaint(board: Board, array: NDArray[np.int8], violated: int, clues: list[Cell], decided: bool) -> str:
    """What is wrong with the violated clue, in one line; `decided` tells whether other clues take part."""
    cell = divmod(violated, board.width)
    around = [int(array.flat[other]) for other in neighbours(board.height, board.width, violated)]
    mines, hidden = around.count(MINE), around.count(HIDDEN)
    complaint = clue_name(board[cell], cell)
    if decided:
        others = " and ".join(clue_name(board[clue], clue) for clue in clues if clue != cell)
        limit = ("at least", mines) if mines > board[cell] else ("at most", mines + hidden)
        return f"{complaint} has {limit[0]} {counted(limit[1], 'mine')} around it by {others}"
    if mines > board[cell]:
        return f"{complaint} has {mines} marked mines around it"
    marked = f" besides {counted(mines, 'marked mine')}" if mines else ""
    return f"{complaint} has only {counted(hidden, 'hidden neighbour')}{marked}"
