"""What answers hold: one type a question, for the description of the service and for who checks it.

The answers themselves are made by the library (`to_object()`); `tests/service/` holds them to these types, in
which nothing may be that is not told here, in words that suffice to write a client: every field has some. The
answers of the coach are in `coach_replies.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from msat.questions.coach_replies import ExplainReply, HintReply, Repair, ReviewReply
from msat.questions.reply import Cell, CellList, Chance, Digits, Marks, Reply
from msat.questions.requests import QUESTIONS

__all__ = ["REPLIES", "Problem"]


class BestCell(Reply, kw_only=True):
    """The safest cell to open."""

    cell: Annotated[Cell, Meta(description="Where it is.")]
    safety: Annotated[Chance, Meta(description="The chance that it has no mine; 1 where that is proven.")]


class AnalyzeReply(Reply, kw_only=True):
    """What follows from a board; only the `fields` that were asked for."""

    height: Annotated[int | UnsetType, Meta(description="The rows of the board.")] = UNSET
    width: Annotated[int | UnsetType, Meta(description="The columns of the board.")] = UNSET
    mines: Annotated[int | UnsetType, Meta(description="All mines of the board, marked ones included.")] = (
        UNSET
    )
    safe: Annotated[
        CellList | UnsetType,
        Meta(description="Every hidden cell that is proven to have no mine, the mine total included."),
    ] = UNSET
    mined: Annotated[
        CellList | UnsetType, Meta(description="Every hidden cell that is proven to have a mine.")
    ] = UNSET
    probability: Annotated[
        list[list[Chance | None]] | UnsetType,
        Meta(
            description="The chance of a mine, row by row, a number for each cell: null where it is "
            "revealed, 1 at marks that are proven, or trusted."
        ),
    ] = UNSET
    solutions: Annotated[
        Digits | UnsetType,
        Meta(description="How many layouts of the mines agree with the board: digits, since it may be huge."),
    ] = UNSET
    solutions_log10: Annotated[
        float | UnsetType, Meta(description="The decimal logarithm of `solutions`, as a plain number.")
    ] = UNSET
    rest_probability: Annotated[
        Chance | UnsetType | None,
        Meta(description="The chance of a mine of each cell that no clue touches; null if there are none."),
    ] = UNSET
    best: Annotated[
        BestCell | UnsetType | None,
        Meta(description="The safest cell to open; null if all hidden cells are mines."),
    ] = UNSET
    marks: Marks | UnsetType = UNSET


class CellChances(Reply, kw_only=True):
    """What a hidden cell may show."""

    cell: Annotated[Cell, Meta(description="Which cell.")]
    probability: Annotated[Chance, Meta(description="The chance of a mine.")]
    opening: Annotated[Chance, Meta(description="The chance of a 0, which opens its neighbours as well.")]
    numbers: Annotated[
        list[Chance],
        Meta(
            min_length=9,
            max_length=9,
            description="The chances of being safe and showing 0, 1, … 8; with "
            "`probability` they add up to 1.",
        ),
    ]
    dead: Annotated[
        bool,
        Meta(
            description="Whether it shows the same number in every layout in which it is safe: opening it "
            "tells nothing."
        ),
    ]


class CellsReply(Reply, kw_only=True):
    """What every hidden cell may show."""

    cells: Annotated[list[CellChances], Meta(description="An entry for every hidden cell, in reading order.")]
    marks: Marks


class MoveChance(Reply, kw_only=True):
    """The chance to win after a first move."""

    cell: Annotated[Cell, Meta(description="The cell that is opened first.")]
    win: Annotated[Chance, Meta(description="The chance to win with perfect play after it.")]
    win_exact: Annotated[str, Meta(description="The same as a fraction, such as 3/10.")]


class WinReply(Reply, kw_only=True):
    """Perfect play: how many of the layouts that agree with the board it wins."""

    win: Annotated[Chance, Meta(description="The chance to win with perfect play: `wins` of `solutions`.")]
    win_exact: Annotated[str, Meta(description="The same as a fraction, such as 3/4.")]
    wins: Annotated[Digits, Meta(description="The layouts that perfect play wins, as digits …")]
    solutions: Annotated[Digits, Meta(description="… of all layouts that agree with the board.")]
    cell: Annotated[
        Cell | None, Meta(description="A first move that achieves it; null if nothing is left to open.")
    ]
    chances: Annotated[
        list[MoveChance] | None,
        Meta(description="With `every_move`: the chance after each first move, the best first; else null."),
    ]
    marks: Marks


class LayoutObject(Reply, kw_only=True):
    """Where the mines are."""

    height: Annotated[int, Meta(description="The number of rows.")]
    width: Annotated[int, Meta(description="The number of columns.")]
    mines: Annotated[int, Meta(description="The number of mines.")]
    start: Annotated[
        Cell | None, Meta(description="The first click that the layout was made for; null if for none.")
    ]
    rows: Annotated[
        list[str], Meta(description="A text a row, a character a cell: * is a mine, a dot is none.")
    ]


class SampleReply(Reply, kw_only=True):
    """Layouts that agree with the board."""

    layouts: Annotated[
        list[LayoutObject], Meta(description="As many as were asked for, each drawn anew: some may be equal.")
    ]
    marks: Marks


class EncodeReply(Reply, kw_only=True):
    """The text for a solver."""

    format: Annotated[str, Meta(description="The format that was asked for.")]
    text: Annotated[
        str,
        Meta(description="The problem, to be written to a file; its comments say which variable is what."),
    ]


class GenerateReply(Reply, kw_only=True):
    """A layout, and its board after the first click."""

    seed: Annotated[
        int | str,
        Meta(description="What gives the same layout again; digits in a text where it is 2^53 or more."),
    ]
    start: Annotated[Cell, Meta(description="The first click, which `board` shows.")]
    layout: Annotated[LayoutObject, Meta(description="Where the mines are.")]
    board: Annotated[
        str, Meta(description="What the player sees after it, in one line, as `board` of other questions.")
    ]
    state: Annotated[
        Literal["playing", "won", "lost"],
        Meta(description="Of the game after it: it may be won at once, or, with `first` any, lost."),
    ]


class ConvertReply(Reply, kw_only=True):
    """The board in other forms."""

    height: Annotated[int, Meta(description="The rows of the board.")]
    width: Annotated[int, Meta(description="The columns of the board.")]
    mines: Annotated[int, Meta(description="All mines of the board.")]
    forms: Annotated[dict[str, str], Meta(description="The text of each form, by its name.")]
    link: Annotated[
        str, Meta(description="To the board on the page of this service: put its address in front.")
    ]


class BatchItem(Reply, kw_only=True):
    """The answer to one question of a batch."""

    status: Annotated[int, Meta(description="200 for an answer; else that of the problem.")]
    body: Annotated[
        dict[str, Any],
        Meta(description="The answer, as the question alone would have got it, or a problem (see errors)."),
    ]


class BatchReply(Reply, kw_only=True):
    """The answers, in the order of the questions."""

    answers: Annotated[
        list[BatchItem], Meta(description="One for each question, in the order of `requests`.")
    ]


class Problem(Reply, kw_only=True, forbid_unknown_fields=False):
    """What went wrong (RFC 9457), and what the error carries."""

    type: Annotated[str, Meta(description="Which problem it is: a link into /docs.")]
    title: Annotated[str, Meta(description="The same in words, always equal for one type.")]
    status: Annotated[int, Meta(description="The status of the reply.")]
    detail: Annotated[str, Meta(description="What is wrong with this very request, to be shown to a person.")]
    error: Annotated[
        str | UnsetType, Meta(description="The name of the library's error, where it is one.")
    ] = UNSET
    clues: Annotated[
        CellList | UnsetType,
        Meta(
            description="Of a contradiction: clues that cannot all be right, none of which can be left out."
        ),
    ] = UNSET
    marks: Annotated[CellList | UnsetType, Meta(description="Marks that take part in it.")] = UNSET
    uses_mine_count: Annotated[
        bool | UnsetType, Meta(description="Whether the mine total takes part in it.")
    ] = UNSET
    possible_mines: Annotated[
        list[int] | UnsetType,
        Meta(description="Mine totals with which the board would be possible, where that is what is wrong."),
    ] = UNSET
    text: Annotated[
        list[str] | UnsetType, Meta(description="Of explain: why the board is impossible, line by line.")
    ] = UNSET
    repairs: Annotated[
        list[Repair] | UnsetType | None,
        Meta(
            description="Of explain: single changes that would make it possible; null if there was no time "
            "to look for them."
        ),
    ] = UNSET
    width: Annotated[
        int | UnsetType,
        Meta(
            description="Of a budget: how wide the board is to the counting engine; 0 if that is not known."
        ),
    ] = UNSET
    safe: Annotated[
        CellList | UnsetType, Meta(description="Of a budget: cells that were proven safe until then …")
    ] = UNSET
    mined: Annotated[CellList | UnsetType, Meta(description="… and cells that were proven mines.")] = UNSET


REPLIES: dict[str, type[Reply]] = {
    "analyze": AnalyzeReply,
    "cells": CellsReply,
    "hint": HintReply,
    "explain": ExplainReply,
    "win": WinReply,
    "sample": SampleReply,
    "encode": EncodeReply,
    "generate": GenerateReply,
    "convert": ConvertReply,
    "review": ReviewReply,
    "batch": BatchReply,
}
"""The answer to every question."""

assert REPLIES.keys() == {*QUESTIONS, "batch"}
