"""Rules 1–9: the deductions that a person makes, each with its rule and the clues that it rests on.

They see one to three clues at a time and never the mine total, so they do not find everything; what they find
costs microseconds, which is why every engine lets them go first, and it can be explained in one sentence.
`RULES` describes them for the command line and the documentation; the compiled code that applies them is
`msat.engines.rules._kernels`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msat.board import Board
from msat.cells import Cell, neighbours, whole_number
from msat.constants import HIDDEN, LAST_RULE, MINE, SAFE
from msat.errors import InconsistentBoard, UnknownName
from msat.wording import cell_name, clue_name, counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["RULES", "Deduction", "Rule", "deductions"]


@dataclass(frozen=True)
class Rule:
    """One rule: its number, whether what it finds are mines, and how to describe it.

    In `picture`, a letter is a clue, `?` a cell that the rule decides, `-` a hidden cell, `X` one that is not
    hidden (revealed, a known mine, or off the board), and `*` any cell. `reason` is the sentence for one
    deduction; {0}, {1} and {2} stand for its clues. Rule 7 has two entries: for mines and for safe cells.
    """

    number: int
    mine: bool
    name: str
    description: str
    picture: str
    reason: str


RULES: tuple[Rule, ...] = (
    Rule(
        number=1,
        mine=False,
        name="enough mines",
        description="a clue that has all its mines: its hidden neighbours are safe",
        picture="* * ?\n* m ?\n* * ?",
        reason="{0} has all its mines",
    ),
    Rule(
        number=2,
        mine=True,
        name="no other place",
        description="a clue that needs as many mines as it has hidden neighbours: they are all mines",
        picture="* * ?\n* m ?\n* * ?",
        reason="{0} needs a mine in every hidden neighbour",
    ),
    Rule(
        number=3,
        mine=True,
        name="a pair with at most one mine",
        description="m can spare one hidden neighbour, and n allows one mine in the pair that they share: "
        "the others around m are mines",
        picture="* - - *\n* m n *\n? ? * *",
        reason="{0} can spare only one hidden neighbour, and {1} allows one mine in the pair that they share",
    ),
    Rule(
        number=4,
        mine=False,
        name="a pair with a mine",
        description="m needs one mine, and n has its one mine in the pair that they share: "
        "the others around m are safe",
        picture="* - - X\n* m n X\n? ? X X",
        reason="the mine that {0} needs is in the pair it shares with {1}",
    ),
    Rule(
        number=5,
        mine=False,
        name="neighbours that need the same",
        description="m and n need equally many mines, and all hidden neighbours of n touch m: "
        "those beyond m are safe",
        picture="X * * ?\nX n m ?\nX * * ?",
        reason="{0} and {1} need equally many mines, and the hidden cells of the second all touch the first",
    ),
    Rule(
        number=6,
        mine=True,
        name="neighbours that spare the same",
        description="m and n can spare equally many hidden neighbours, and all those of n touch m: "
        "those beyond m are mines",
        picture="X * * ?\nX n m ?\nX * * ?",
        reason="{0} and {1} can spare equally many hidden cells, and those of the second all touch the first",
    ),
    Rule(
        number=7,
        mine=True,
        name="a corner that needs three",
        description="m needs three mines, and a and b allow it one each: the third is in the opposite corner",
        picture="X a -\nb m -\n- - ?",
        reason="of the three mines that {0} needs, {1} and {2} allow it one each elsewhere",
    ),
    Rule(
        number=7,
        mine=False,
        name="a corner that needs two",
        description="m needs two mines, and a and b give it one each: the opposite corner is safe",
        picture="X a -\nb m -\n- - ?",
        reason="the two mines that {0} needs are the ones of {1} and {2}",
    ),
    Rule(
        number=8,
        mine=False,
        name="two apart that need the same",
        description="m and n, two apart, need equally many mines, and all hidden neighbours of m touch n: "
        "the others around n are safe",
        picture="X X * ? ?\nX m * n ?\nX X * ? ?",
        reason="{0} and {1} need equally many mines, and the hidden cells of the first all touch the second",
    ),
    Rule(
        number=9,
        mine=True,
        name="two apart that spare the same",
        description="m and n, two apart, can spare equally many hidden neighbours, and all those of m touch "
        "n: the others around n are mines",
        picture="X X * ? ?\nX m * n ?\nX X * ? ?",
        reason="{0} and {1} can spare equally many hidden cells, and those of the first all touch the second",
    ),
)
"""All rules, in the order in which they are tried."""

_REASON = {(rule.number, rule.mine): rule.reason for rule in RULES}


@dataclass(frozen=True)
class Deduction:
    """One cell that a rule has decided.

    `clues` are the clue cells that it rests on, in the order in which the rule names them (m; m, n; m, a, b),
    and `numbers` what is written there. It holds given what was known before: the revealed and marked cells,
    and the deductions before this one.
    """

    cell: Cell
    mine: bool
    rule: int
    clues: tuple[Cell, ...]
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        verdict = "a mine" if self.mine else "safe"
        reason = "{0} has no mines around it" if self.numbers == (0,) else _REASON[self.rule, self.mine]
        reason = reason.format(*map(clue_name, self.numbers, self.clues))
        return f"{cell_name(self.cell)} is {verdict} by rule {self.rule}: {reason}"


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
    import numpy as np

    from msat.engines.rules._kernels import apply_rules

    last_rule = whole_number(last_rule, "last_rule", UnknownName)
    if not 1 <= last_rule <= LAST_RULE:
        raise UnknownName.of("rule", last_rule, map(str, range(1, LAST_RULE + 1)))
    log = np.empty((len(board.hidden), 6), dtype=np.int32)
    count, violated = apply_rules(board.to_array(), last_rule, log)
    rows: list[list[int]] = log[:count].tolist()
    if violated >= 0:
        raise _contradiction(board, last_rule, _ancestry(board, rows, violated))
    found = []
    for cell, mine, rule, *clues in rows:
        cells = tuple(divmod(clue, board.width) for clue in clues if clue >= 0)
        numbers = tuple(board[clue] for clue in cells)
        found.append(Deduction(divmod(cell, board.width), bool(mine), rule, cells, numbers))
    return tuple(found)


def _ancestry(board: Board, rows: list[list[int]], violated: int) -> set[int]:
    """The clues that led to the violated one: those that decided its surroundings, theirs, and so on."""
    clues = {violated}
    surroundings = set(neighbours(board.height, board.width, violated))
    for cell, _mine, _rule, *used in reversed(rows):
        if cell in surroundings:
            for clue in used:
                if clue >= 0:
                    clues.add(clue)
                    surroundings.update(neighbours(board.height, board.width, clue))
    return clues


def _contradiction(board: Board, last_rule: int, suspects: set[int]) -> InconsistentBoard:
    """The error for a board on which the rules violate a clue, with as few clues as they need for that."""
    import numpy as np

    from msat.engines.rules._kernels import apply_rules

    no_log = np.empty((0, 6), dtype=np.int32)
    array = board.to_array()
    to_try = [set(np.flatnonzero(array >= 0).tolist()) - suspects, *({clue} for clue in sorted(suspects))]
    while to_try:
        kept = []
        for dropped in to_try:
            trial = array.copy()
            trial.flat[list(dropped)] = SAFE
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
