"""The questions that can be asked in JSON: one type each, from which all that is known of them is read.

Validation, defaults and the OpenAPI description (`msat/service/openapi.py`) come from these types, so that
they cannot disagree. Values that only the library can judge (is this text a board?) are left to it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from msat.limits import MAX_SEED, MAX_SIDE

__all__ = [
    "ANSWER_FIELDS",
    "QUESTIONS",
    "Analyze",
    "Batch",
    "BoardQuestion",
    "Cells",
    "Convert",
    "Encode",
    "Explain",
    "Generate",
    "Hint",
    "Question",
    "Review",
    "Sample",
    "Win",
]

AnswerField: TypeAlias = Literal[
    "height",
    "width",
    "mines",
    "safe",
    "mined",
    "probability",
    "solutions",
    "solutions_log10",
    "rest_probability",
    "best",
    "marks",
]

ANSWER_FIELDS: tuple[str, ...] = AnswerField.__args__  # type: ignore[attr-defined]
"""The fields of an analysis, in the order in which they are sent."""

BoardValue: TypeAlias = Annotated[
    str | dict[str, Any] | list[list[int]],
    Meta(
        description="Text in any form of msat, the object of the json form, or rows of numbers: -1 hidden, "
        "-2 known mine, 0 to 8 revealed.",
        examples=["??1/3?2/??? 3"],
    ),
]
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=86_400)]
Budget: TypeAlias = Annotated[
    float | None, Meta(description="Seconds after which to give up; null: as many as the service allows.")
]
Cell: TypeAlias = Annotated[tuple[int, int], Meta(description="Row and column, from 0.", examples=[[0, 0]])]
Side: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SIDE)]


class Question(Struct, kw_only=True, forbid_unknown_fields=True):
    """What all questions have in common: unknown fields are refused."""


class BoardQuestion(Question, kw_only=True):
    """A question about a board."""

    board: BoardValue
    mines: Annotated[
        int | None, Meta(description="The mine total, marked ones included, if the board does not say.")
    ] = None
    form: Annotated[
        str | None, Meta(description="The text form, if it is not to be recognised.", examples=["grid"])
    ] = None


class MarkedQuestion(BoardQuestion, kw_only=True):
    """A question about a board on which marks are opinions."""

    marks: Annotated[
        Literal["judge", "trust"],
        Meta(description="Marks: judged by the numbers, or all taken for mines."),
    ] = "judge"
    budget: Budget = None


class Analyze(MarkedQuestion, kw_only=True):
    """Forced cells, probabilities, counts; marks judged."""

    engine: Annotated[str, Meta(description="auto, counting, sat, cpsat or ganak.", examples=["auto"])] = (
        "auto"
    )
    fields: Annotated[
        list[AnswerField] | None, Meta(description="Only these fields are computed and sent; null: all.")
    ] = None


class Cells(MarkedQuestion, kw_only=True):
    """What every hidden cell may show, and whether that would tell anything."""


class Hint(MarkedQuestion, kw_only=True):
    """The move, its chance to win, and alternatives."""

    seconds: Annotated[
        float,
        Meta(ge=0, le=86_400, description="Time to think; 0: games for about a second."),
    ] = 0.0
    level: Annotated[
        int | None,
        Meta(description="How much is given away, from 1 (is there something to find?) to 5 (the proof)."),
    ] = None


class Explain(MarkedQuestion, kw_only=True):
    """Why a cell is forced, or witnesses; without a cell every forced cell, easiest first."""

    cell: Cell | None = None


class Win(MarkedQuestion, kw_only=True):
    """The exact probability to win with perfect play."""

    every_move: Annotated[bool, Meta(description="Also the chance after every first move.")] = False


class Sample(MarkedQuestion, kw_only=True):
    """Layouts that agree with the board, each as likely as any other."""

    n: Annotated[int, Meta(ge=0, le=10_000)] = 1
    seed: Annotated[int, Meta(ge=0)] = 0


class Encode(BoardQuestion, kw_only=True):
    """The board in the language of solvers."""

    format: Literal["dimacs", "opb", "cpsat"] = "dimacs"
    variables: Annotated[
        Literal["cells", "boxes"] | None,
        Meta(
            description="dimacs, opb: one variable a cell (default), or the mines of a box in order encoding."
        ),
    ] = None
    encoding: Annotated[str | None, Meta(description="dimacs: how clues become clauses.")] = None
    budget: Budget = None


class Generate(Question, kw_only=True):
    """A layout, and its board after the first click."""

    preset: Annotated[str | None, Meta(description="beginner, intermediate, expert, …")] = None
    height: Side | None = None
    width: Side | None = None
    mines: Annotated[int, Meta(ge=0)] | None = None
    seed: Annotated[
        int | None, Meta(description=f"Same seed, same layout, 0 to {MAX_SEED}; null: a random one.")
    ] = None
    start: Annotated[tuple[int, int] | None, Meta(description="The first click; null: near a corner.")] = None
    first: Annotated[
        Literal["open", "safe", "any"],
        Meta(description="What is free of mines: the 3×3 around the start, it alone, or neither."),
    ] = "open"
    no_guess: Annotated[bool, Meta(description="Only a layout that logic alone solves.")] = False
    difficulty: Annotated[
        Literal["gentle", "normal", "tricky", "hard", "fiendish"] | None,
        Meta(description="Of a layout without guesses: what its hardest step takes."),
    ] = None
    budget: Budget = None


class Convert(BoardQuestion, kw_only=True):
    """The board in other forms, and a link to it."""

    to: Annotated[
        str | list[str] | None, Meta(description="A form, or several; null: all.", examples=["line"])
    ] = None


class Review(Question, kw_only=True):
    """A played game, judged move by move."""

    record: Annotated[
        str | dict[str, Any],
        Meta(description="A saved game: its text, or its object; or a replay, RAWVF or .msor, as text."),
    ]
    seconds: Annotated[
        float | None,
        Meta(description="Time to search and to play games in; null: by the number of decisions."),
    ] = None
    budget: Budget = None


class Batch(Question, kw_only=True):
    """Many questions at once, answered in order, each with its own status."""

    requests: Annotated[
        list[dict[str, Any]],
        Meta(
            description="Questions, each with its `path`, such as analyze, beside its own fields.",
            examples=[[{"path": "analyze", "board": "?1? 1", "fields": ["safe"]}]],
        ),
    ]


QUESTIONS: dict[str, type[Question]] = {
    "analyze": Analyze,
    "cells": Cells,
    "hint": Hint,
    "explain": Explain,
    "win": Win,
    "sample": Sample,
    "encode": Encode,
    "generate": Generate,
    "convert": Convert,
    "review": Review,
}
"""Every question by its name, which is also its path in the service."""
