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
        description="The board, marks included: text in any form of msat, such as ??1/3?2/??? 3; or an "
        'object, {"height": 3, "width": 3, "mines": 3, "rows": ["??1", "3?2", "???"]}; or rows of numbers '
        "(-1 hidden, -2 marked, 0 to 8 revealed) with `mines`.",
        examples=["??1/3?2/??? 3"],
    ),
]
Budget: TypeAlias = Annotated[
    float | None,
    Meta(
        description="Seconds after which to give up (504, with what was proven); null: as many as the "
        "service allows, which is also the most."
    ),
]
Side: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SIDE)]


class Question(Struct, kw_only=True, forbid_unknown_fields=True):
    """What all questions have in common: unknown fields are refused."""


class BoardQuestion(Question, kw_only=True):
    """A question about a board."""

    board: BoardValue
    mines: Annotated[
        int | None, Meta(description="All mines of the board, marked ones included, if it does not say.")
    ] = None
    form: Annotated[
        str | None,
        Meta(
            description="The name of the board's text form, if that is not to be recognised: see convert.",
            examples=["grid"],
        ),
    ] = None


class MarkedQuestion(BoardQuestion, kw_only=True):
    """A question about a board on which marks are opinions."""

    marks: Annotated[
        Literal["judge", "trust"],
        Meta(
            description="How marks are taken. judge: by the numbers, so that only proven ones count; trust: "
            "all are mines."
        ),
    ] = "judge"
    budget: Budget = None


class Analyze(MarkedQuestion, kw_only=True):
    """Forced cells, probabilities, counts; marks judged."""

    engine: Annotated[
        str,
        Meta(
            description="Who answers: auto, counting, sat, cpsat or ganak. All give the same answers.",
            examples=["auto"],
        ),
    ] = "auto"
    fields: Annotated[
        list[AnswerField] | None, Meta(description="Only these fields are computed and sent; null: all.")
    ] = None


class Cells(MarkedQuestion, kw_only=True):
    """What every hidden cell may show, and whether that would tell anything."""


class Hint(MarkedQuestion, kw_only=True):
    """The move, its chance to win, and alternatives."""

    seconds: Annotated[
        float,
        Meta(
            ge=0,
            le=86_400,
            description="Time to think. 0: about a second for a guess, and no estimate of the chance to win "
            "where cells are proven safe, unless few layouts are left.",
        ),
    ] = 0.0
    level: Annotated[
        int | None,
        Meta(
            description="How much is given away: 1 is there something to find? 2 in which part? 3 by which "
            "numbers? 4 which cell? 5 the proof. null: the move, its chance to win and alternatives."
        ),
    ] = None


class Explain(MarkedQuestion, kw_only=True):
    """Why a cell is forced, or witnesses; without a cell every forced cell, easiest first."""

    cell: Annotated[
        tuple[int, int] | None,
        Meta(
            description="The hidden cell that is asked about, [row, column] from 0; null: all that "
            "are forced.",
            examples=[[0, 0]],
        ),
    ] = None


class Win(MarkedQuestion, kw_only=True):
    """The exact probability to win with perfect play."""

    every_move: Annotated[bool, Meta(description="Also the chance after every first move.")] = False


class Sample(MarkedQuestion, kw_only=True):
    """Layouts that agree with the board, each as likely as any other."""

    n: Annotated[int, Meta(ge=0, le=10_000, description="How many layouts.")] = 1
    seed: Annotated[int, Meta(ge=0, description="Same seed, same layouts.")] = 0


class Encode(MarkedQuestion, kw_only=True):
    """The board in the language of solvers."""

    format: Annotated[
        Literal["dimacs", "opb", "cpsat"],
        Meta(
            description="The language: DIMACS CNF for SAT solvers and model counters, OPB for pseudo-Boolean "
            "solvers, or the text of a CP-SAT model."
        ),
    ] = "dimacs"
    variables: Annotated[
        Literal["cells", "boxes"] | None,
        Meta(
            description="dimacs, opb. cells (default): one variable a cell; boxes: the mines of each box, "
            "which is what has the same clues, in order encoding."
        ),
    ] = None
    encoding: Annotated[
        str | None,
        Meta(description="dimacs: how clues become clauses, such as seqcounter; null: by their size."),
    ] = None


class Generate(Question, kw_only=True):
    """A layout, and its board after the first click."""

    preset: Annotated[
        str | None,
        Meta(description="A size by its name: beginner, intermediate or expert, which is also the default."),
    ] = None
    height: Annotated[Side | None, Meta(description="Or a size by its rows, …")] = None
    width: Annotated[Side | None, Meta(description="… its columns …")] = None
    mines: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="… and its mines: all three, or none.")
    ] = None
    seed: Annotated[
        int | None, Meta(description=f"Same seed, same layout, 0 to {MAX_SEED}; null: a random one.")
    ] = None
    start: Annotated[
        tuple[int, int] | None,
        Meta(description="The first click, [row, column] from 0; null: near a corner."),
    ] = None
    first: Annotated[
        Literal["open", "safe", "any"],
        Meta(
            description="What is free of mines. open: the 3×3 around the start; safe: it alone; any: nothing."
        ),
    ] = "open"
    no_guess: Annotated[bool, Meta(description="Only a layout that logic alone solves.")] = False
    difficulty: Annotated[
        Literal["gentle", "normal", "tricky", "hard", "fiendish"] | None,
        Meta(
            description="A layout without guesses whose hardest step takes: gentle one number, normal two, "
            "tricky sums of several, hard cases, fiendish the mine count."
        ),
    ] = None
    budget: Budget = None


class Convert(BoardQuestion, kw_only=True):
    """The board in other forms, and a link to it; or a game, also that of another program."""

    board: Annotated[
        str | dict[str, Any] | list[list[int]],
        Meta(
            description="A board, as everywhere; or a game: as text, msat's own, RAWVF or .msor; or a file, "
            '{"name": "game.avf", "base64": "…"}, whose ending tells what it is: also AVF, EVF, RMV and MVF, '
            "where the service has ms_toollib, and MBF. A game has the forms record and rawvf, too.",
            examples=["??1/3?2/??? 3"],
        ),
    ]
    to: Annotated[
        str | list[str] | None, Meta(description="A form, or several; null: all.", examples=["line"])
    ] = None


class Review(Question, kw_only=True):
    """A played game, judged move by move."""

    record: Annotated[
        str | dict[str, Any],
        Meta(
            description="A game: its object (see games), or that as text; or a replay, RAWVF or "
            ".msor, as text; or a file, as for convert."
        ),
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
