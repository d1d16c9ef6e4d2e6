"""What the types of answers share: cells, chances, whole numbers as text, marks that were judged."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

__all__ = ["Cell", "CellList", "Chance", "Digits", "MarkJudged", "Marks", "Reply"]

Cell: TypeAlias = Annotated[list[int], Meta(min_length=2, max_length=2, title="Cell")]
CellList: TypeAlias = list[Cell]
Chance: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Digits: TypeAlias = Annotated[str, Meta(pattern="^[0-9]+$")]


class Reply(Struct, kw_only=True, forbid_unknown_fields=True):
    """What all answers have in common: there is nothing in them that is not described."""


class MarkJudged(Reply, kw_only=True):
    """A mark (a flag) of the board, judged by the numbers alone."""

    cell: Annotated[Cell, Meta(description="Where it is.")]
    verdict: Annotated[
        Literal["proven", "wrong", "unproven"],
        Meta(description="proven: every layout has a mine there; wrong: none has; unproven: some have."),
    ]
    probability: Annotated[
        Chance | None,
        Meta(description="The chance of a mine there; null if it could not be counted in time."),
    ]


Marks: TypeAlias = Annotated[
    list[MarkJudged],
    Meta(
        description="Every mark of the board, judged by the numbers; those that are not proven count as "
        "hidden cells, unless the question says to trust them."
    ),
]
