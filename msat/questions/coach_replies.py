"""What answers of the coach hold: hints, explanations, reviews. The rest is in `replies.py`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from msat.questions.reply import Cell, CellList, Chance, MarkJudged, Marks, Reply

__all__ = ["ExplainReply", "HintReply", "Repair", "ReviewReply"]

Win: TypeAlias = Annotated[
    Chance | None,
    Meta(
        description="The chance to win after it; null where it was not asked for, or could not be estimated."
    ),
]
WinError: TypeAlias = Annotated[
    float | None,
    Meta(description="The standard error of `win`; 0 where it is exact, null where there is none."),
]
WinExact: TypeAlias = Annotated[
    str | None, Meta(description="The chance as a fraction, such as 3/10, where it is exact; else null.")
]
Games: TypeAlias = Annotated[
    int, Meta(description="The games that an estimate of `win` rests on; 0 where it is exact, or not known.")
]
MoveProgress: TypeAlias = Annotated[
    float | None,
    Meta(description="Of a guess: the chance, if it is safe, that its number proves another safe, or wins."),
]
Second: TypeAlias = Annotated[
    float | None, Meta(description="Of a guess: how safe the best click after it is then, on average.")
]
Dead: TypeAlias = Annotated[
    bool, Meta(description="Whether it shows the same number wherever it is safe, and so tells nothing.")
]
Safety: TypeAlias = Annotated[
    Chance, Meta(description="The chance that the cell has no mine; 1 where that is proven.")
]
Reason: TypeAlias = Annotated[str, Meta(description="Why, in one sentence.")]
Reasons: TypeAlias = Annotated[
    list[str],
    Meta(description="Why, in sentences: of a guess what it risks, what it may show, and how often it wins."),
]
AllSafe: TypeAlias = Annotated[
    CellList, Meta(description="All cells that are proven safe, if there are any; else just `cell`.")
]
TheMove: TypeAlias = Annotated[
    Cell | None, Meta(description="The cell to open; null if nothing is left to open.")
]
FOUND = (
    "rule, count (proven), endgame, pocket (searched to the end), unavoidable (the same risk whenever it is "
    "taken), evaluated, sampled (compared with others), blind, guess (the safest), won (nothing is left)"
)
NULL_WIN = "; null where `win` is"


class Candidate(Reply, kw_only=True):
    """Another move."""

    cell: Annotated[Cell, Meta(description="The cell that would be opened.")]
    safety: Safety
    win: Win
    win_error: WinError
    win_exact: WinExact
    games: Games
    progress: MoveProgress
    second: Second
    dead: Dead
    difference: Annotated[
        float | None,
        Meta(description=f"How far its chance to win is above that of the move, mostly below 0{NULL_WIN}."),
    ]
    difference_error: Annotated[
        float | None,
        Meta(
            description="The standard error of `difference`, mostly smaller than those of the chances, since "
            f"all moves play the same layouts{NULL_WIN}."
        ),
    ]


Alternatives: TypeAlias = Annotated[
    list[Candidate],
    Meta(description="Other moves that rank high, those that win most first; none where cells are proven."),
]


class Advised(Reply, kw_only=True):
    """A move, and why: what a hint without a level has."""

    cell: TheMove
    cells: AllSafe
    kind: Annotated[str, Meta(description=f"How it was found: {FOUND}.")]
    safety: Safety
    win: Win
    win_error: WinError
    win_exact: WinExact
    games: Games
    progress: MoveProgress
    second: Second
    dead: Dead
    reason: Reason
    reasons: Reasons
    alternatives: Alternatives


class HintReply(Reply, kw_only=True):
    """A move and alternatives; with `level`, just as much as that gives away.

    Without `level` there are all fields from `kind` to `alternatives`, and `marks`. With it there are
    `level`, `kind` and `text`, from 2 on also `window`, from 3 on `clues` and `uses_mine_count` (of a guess
    `candidates`), from 4 on `cell` and `marks`, and at 5 of a guess `advice`.
    """

    kind: Annotated[
        str,
        Meta(description=f"With `level`: proven, guess or won. Without: how it was found, as {FOUND}."),
    ]
    cell: TheMove | UnsetType = UNSET
    cells: AllSafe | UnsetType = UNSET
    safety: Safety | UnsetType = UNSET
    win: Win | UnsetType = UNSET
    win_error: WinError | UnsetType = UNSET
    win_exact: WinExact | UnsetType = UNSET
    games: Games | UnsetType = UNSET
    progress: MoveProgress | UnsetType = UNSET
    second: Second | UnsetType = UNSET
    dead: Dead | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET
    reasons: Reasons | UnsetType = UNSET
    alternatives: Alternatives | UnsetType = UNSET
    level: Annotated[int | UnsetType, Meta(description="The level that was asked for.")] = UNSET
    text: Annotated[list[str] | UnsetType, Meta(description="The hint in words, line by line.")] = UNSET
    window: Annotated[
        CellList | UnsetType,
        Meta(description="Where to look: the first (top left) and the last (bottom right) cell of a part."),
    ] = UNSET
    clues: Annotated[
        CellList | UnsetType, Meta(description="The numbers that prove the cell, none of them needlessly …")
    ] = UNSET
    uses_mine_count: Annotated[
        bool | UnsetType, Meta(description="… and whether the mine total is needed besides.")
    ] = UNSET
    candidates: Annotated[
        CellList | UnsetType,
        Meta(description="Of a guess: the cells that come into question, in reading order."),
    ] = UNSET
    advice: Annotated[Advised | UnsetType, Meta(description="Of a guess: all about it.")] = UNSET
    marks: Marks | UnsetType = UNSET


class RuleStep(Reply, kw_only=True):
    """A cell that one of the numbered rules decides."""

    rule: Annotated[int, Meta(description="The number of the rule.")]
    cell: Annotated[Cell, Meta(description="The cell that it decides.")]
    mine: Annotated[bool, Meta(description="Whether that is a mine; else it is safe.")]
    clues: Annotated[CellList, Meta(description="The numbers that the rule looks at.")]


class WalkStep(Reply, kw_only=True):
    """A step of everything that is forced."""

    technique: Annotated[
        int,
        Meta(
            description="How hard it is: 1 counting one number, 2 two numbers, 3 several by sums, 4 case by "
            "case, 5 the mine count."
        ),
    ]
    technique_name: Annotated[str, Meta(description="The same in words.")]
    clues: Annotated[CellList, Meta(description="The numbers that it looks at, none of them needlessly …")]
    uses_mine_count: Annotated[bool, Meta(description="… and whether the mine total is needed besides.")]
    safe: Annotated[CellList, Meta(description="The cells that it proves safe …")]
    mined: Annotated[CellList, Meta(description="… and those that it proves to be mines.")]
    text: Annotated[list[str], Meta(description="The proof in words, line by line.")]


class ExplainReply(Reply, kw_only=True):
    """Why a cell is what it is; without a cell, `steps` to everything that is forced.

    With a cell there are the fields from `cell` to `witnesses`; without, `difficulty`, `technique` and
    `steps`. Both have `clues` and `marks`.
    """

    clues: Annotated[
        CellList | int,
        Meta(
            description="With a cell: a minimal set of clues that forces it, none if it is not forced. "
            "Without: how many numbers the hardest step takes."
        ),
    ]
    marks: Marks
    cell: Annotated[Cell | UnsetType, Meta(description="The cell that was asked about.")] = UNSET
    verdict: Annotated[
        Literal["safe", "mine", "open"] | UnsetType,
        Meta(description="safe: a mine in no layout; mine: in every one; open: in some of them."),
    ] = UNSET
    uses_mine_count: Annotated[
        bool | UnsetType, Meta(description="Whether the proof needs the mine total beside the clues.")
    ] = UNSET
    smallest: Annotated[
        bool | UnsetType, Meta(description="Whether no set of fewer clues would do, as far as was searched.")
    ] = UNSET
    rules: Annotated[
        list[RuleStep] | UnsetType,
        Meta(description="How numbered rules get from the clues to the cell; empty where they do not."),
    ] = UNSET
    text: Annotated[
        list[str] | UnsetType,
        Meta(description="The explanation in words: what it is, then why, line by line."),
    ] = UNSET
    probability: Annotated[
        Chance | UnsetType | None,
        Meta(description="Of an open cell: the chance of a mine; null else, or if it cannot be counted."),
    ] = UNSET
    exact: Annotated[
        str | UnsetType | None, Meta(description="The same as a fraction, such as 1/2; or null.")
    ] = UNSET
    witnesses: Annotated[
        list[CellList] | UnsetType | None,
        Meta(
            description="Of an open cell: the mines of a layout with a mine there, and of one without; else "
            "null."
        ),
    ] = UNSET
    difficulty: Annotated[
        str | UnsetType | None,
        Meta(
            description="What the hardest step takes: gentle, normal, tricky, hard or fiendish; null if "
            "nothing is forced."
        ),
    ] = UNSET
    technique: Annotated[
        int | UnsetType,
        Meta(description="The technique of the hardest step, 1 to 5; 0 if nothing is forced."),
    ] = UNSET
    steps: Annotated[
        list[WalkStep] | UnsetType,
        Meta(description="Everything that is forced, step by step, each the easiest that was possible then."),
    ] = UNSET


class Repair(Reply, kw_only=True):
    """A single change that would make an impossible board possible."""

    cell: Annotated[Cell, Meta(description="Where.")]
    number: Annotated[
        int | None, Meta(description="The number that would have to be there; null: take the mark off.")
    ]


class ReviewedDecision(Reply, kw_only=True):
    """One decision, and what it was worth."""

    number: Annotated[int, Meta(description="Of the move in the record, counted from 1.")]
    action: Annotated[str, Meta(description="What was done: open, chord, mark or unmark.")]
    cell: Annotated[Cell, Meta(description="Where.")]
    opened: Annotated[
        CellList, Meta(description="The hidden cells that were opened by it; those around a 0 come on top.")
    ]
    kind: Annotated[
        str,
        Meta(
            description="start; proven (a safe cell); needless (a risk although a safe cell existed); "
            "blunder (a proven mine); guess (no safe cell existed); mark (nothing was opened)."
        ),
    ]
    safety: Annotated[
        float, Meta(description="The chance that what was opened, or marked, was safe, as known before it.")
    ]
    win: Annotated[
        float, Meta(description="The chance to win after this choice, its outcome not known yet …")
    ]
    best_win: Annotated[float, Meta(description="… and after the best choice.")]
    win_error: Annotated[float, Meta(description="The standard error of `win`; 0 where it is exact …")]
    error: Annotated[float, Meta(description="… and of the difference of `win` and `best_win`.")]
    exact: Annotated[bool, Meta(description="Whether both chances are exact.")]
    kept: Annotated[
        float, Meta(description="The share of the chance to win that the choice kept; 1 is best.")
    ]
    luck: Annotated[
        float,
        Meta(
            description="What chance did then: the best chance to win at the next decision, divided by `win`."
        ),
    ]
    mistake: Annotated[bool, Meta(description="Whether the choice gave something away, beyond doubt.")]
    fatal: Annotated[bool, Meta(description="Whether it lost the game.")]
    better: Annotated[Cell | None, Meta(description="A better move, if there was one for certain.")]
    reason: Annotated[str, Meta(description="What is to be said about it, in words.")]
    clues: Annotated[CellList, Meta(description="The numbers of the proof, where the reason is one …")]
    proof: Annotated[list[str], Meta(description="… and the proof, line by line.")]
    marks: Annotated[
        list[MarkJudged],
        Meta(description="Of a chord: the flags that it trusted, each judged by the numbers."),
    ]


class ReviewReply(Reply, kw_only=True):
    """A game, judged: `chance_at_start` × `kept` × `luck` = `chance_at_end`."""

    state: Annotated[Literal["playing", "won", "lost"], Meta(description="How the game ended, if it did.")]
    chance_at_start: Annotated[float, Meta(description="The best chance to win before the first decision …")]
    chance_at_end: Annotated[
        float, Meta(description="… and after the last: 1 for a game won, 0 for one lost.")
    ]
    kept: Annotated[
        float, Meta(description="The share of the chance to win that all decisions together kept.")
    ]
    luck: Annotated[float, Meta(description="What chance did after all decisions; 0 if the game was lost …")]
    luck_before: Annotated[float, Meta(description="… and the same without the move that lost the game.")]
    mistakes: Annotated[list[int], Meta(description="The `number` of every move that was a mistake.")]
    summary: Annotated[str, Meta(description="All of it in one sentence.")]
    moves: Annotated[list[ReviewedDecision], Meta(description="Every decision, in order.")]
