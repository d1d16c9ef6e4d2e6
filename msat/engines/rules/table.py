"""The rules, as a table: what each says, what it looks like, and the sentence for what it finds.

This is where rules are told; nothing else repeats how many there are, or what they say. The compiled code
that applies them is `_kernels.py` beside this file. `tests/engines/rules/test_table.py` holds the two
together; `tests/support/rule_table.py` has every rule once more, as a picture that the compiled one is
compared with. They are document 000's (docs/sources.md), made sound.
"""

from __future__ import annotations

from dataclasses import dataclass

from msat.constants import LAST_RULE

__all__ = ["ALL_RULES", "RULES", "Rule", "form_with", "rule_of"]

ALL_RULES = f"rules 1–{LAST_RULE}"
"""All of them, in words."""


@dataclass(frozen=True)
class Rule:
    """One form of a rule: the rule's number, whether what it finds are mines, and how to describe it.

    In `picture`, a letter is a clue, `?` a cell that the rule decides, `-` a hidden cell, `X` one that is not
    hidden (revealed, a known mine, or off the board), and `*` any cell. `reason` is the sentence for one
    deduction; {0}, {1} and {2} stand for its clues. A rule with several entries has as many `form`s, which
    are numbered from 0: rule 7 has one for mines and one for safe cells.
    """

    number: int
    mine: bool
    name: str
    description: str
    picture: str
    reason: str
    form: int = 0


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
        form=1,
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

_BY_FORM = {(rule.number, rule.form): rule for rule in RULES}
_BY_VERDICT = {(rule.number, rule.mine): rule.form for rule in RULES}


def rule_of(number: int, form: int = 0) -> Rule:
    """The entry of a rule's form.

    >>> rule_of(7, 1).name
    'a corner that needs two'
    """
    return _BY_FORM[number, form]


def form_with(number: int, mine: bool) -> int:
    """The form of a rule that finds mines, or safe cells: the log of the kernel tells no more than that.

    >>> form_with(7, False)
    1
    """
    return _BY_VERDICT[number, mine]
