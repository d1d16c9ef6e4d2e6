"""What answers hold: one type a question, for the description of the service and for who checks it.

The answers themselves are made by the library (`to_object()`); `tests/service/` holds them to these types, in
which nothing may be that is not told here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from msat.questions.requests import QUESTIONS

__all__ = ["REPLIES", "Problem"]

Cell: TypeAlias = Annotated[list[int], Meta(min_length=2, max_length=2)]
Chance: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Digits: TypeAlias = Annotated[str, Meta(pattern="^[0-9]+$", description="A whole number, as large as it is.")]


class Reply(Struct, kw_only=True, forbid_unknown_fields=True):
    """What all answers have in common: there is nothing in them that is not described."""


class MarkJudged(Reply, kw_only=True):
    """A mark, judged by the numbers alone."""

    cell: Cell
    verdict: Literal["proven", "wrong", "unproven"]
    probability: Chance | None


class BestCell(Reply, kw_only=True):
    """The safest cell to open."""

    cell: Cell
    safety: Chance


class AnalyzeReply(Reply, kw_only=True):
    """What follows from a board; only the `fields` that were asked for."""

    height: int | UnsetType = UNSET
    width: int | UnsetType = UNSET
    mines: int | UnsetType = UNSET
    safe: Annotated[
        list[Cell] | UnsetType, Meta(description="Proven to have no mine, mine total included.")
    ] = UNSET
    mined: Annotated[list[Cell] | UnsetType, Meta(description="Proven to have a mine.")] = UNSET
    probability: Annotated[
        list[list[Chance | None]] | UnsetType,
        Meta(description="Of a mine, row by row: null where revealed, 1 at known mines."),
    ] = UNSET
    solutions: Annotated[Digits | UnsetType, Meta(description="How many layouts agree with the board.")] = (
        UNSET
    )
    solutions_log10: float | UnsetType = UNSET
    rest_probability: Annotated[
        Chance | UnsetType | None,
        Meta(description="Of cells that no clue touches; null if there are none."),
    ] = UNSET
    best: Annotated[BestCell | UnsetType | None, Meta(description="null if all hidden cells are mines.")] = (
        UNSET
    )
    marks: list[MarkJudged] | UnsetType = UNSET


class CellChances(Reply, kw_only=True):
    """What a hidden cell may show."""

    cell: Cell
    probability: Annotated[Chance, Meta(description="Of a mine.")]
    opening: Annotated[Chance, Meta(description="Of a 0.")]
    numbers: Annotated[
        list[Chance], Meta(min_length=9, max_length=9, description="Of being safe and showing 0 to 8.")
    ]
    dead: Annotated[bool, Meta(description="Whether it shows the same in every layout in which it is safe.")]


class CellsReply(Reply, kw_only=True):
    """What every hidden cell may show."""

    cells: list[CellChances]
    marks: list[MarkJudged]


class Candidate(Reply, kw_only=True):
    """Another move."""

    cell: Cell
    safety: Chance
    win: Annotated[Chance | None, Meta(description="The chance to win.")]
    win_error: Annotated[float | None, Meta(description="Its standard error; 0 where it is exact.")]
    win_exact: str | None
    games: int
    progress: float | None
    second: float | None
    dead: bool
    difference: float | None
    difference_error: float | None


class Advised(Reply, kw_only=True):
    """A move, and why."""

    cell: Cell | None
    cells: list[Cell]
    kind: str
    safety: Chance
    win: Annotated[Chance | None, Meta(description="The chance to win.")]
    win_error: Annotated[float | None, Meta(description="Its standard error; 0 where it is exact.")]
    win_exact: str | None
    games: int
    progress: float | None
    second: float | None
    dead: bool
    reason: str
    reasons: list[str]
    alternatives: list[Candidate]


class HintReply(Reply, kw_only=True):
    """A move and alternatives; with `level`, just as much as that gives away."""

    kind: str
    cell: Cell | UnsetType | None = UNSET
    cells: list[Cell] | UnsetType = UNSET
    safety: Chance | UnsetType = UNSET
    win: Annotated[Chance | UnsetType | None, Meta(description="The chance to win.")] = UNSET
    win_error: float | UnsetType | None = UNSET
    win_exact: str | UnsetType | None = UNSET
    games: int | UnsetType = UNSET
    progress: float | UnsetType | None = UNSET
    second: float | UnsetType | None = UNSET
    dead: bool | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    reasons: list[str] | UnsetType = UNSET
    alternatives: list[Candidate] | UnsetType = UNSET
    level: int | UnsetType = UNSET
    text: list[str] | UnsetType = UNSET
    window: Annotated[
        list[Cell] | UnsetType, Meta(description="The first and the last cell of where to look.")
    ] = UNSET
    clues: list[Cell] | UnsetType = UNSET
    uses_mine_count: bool | UnsetType = UNSET
    candidates: list[Cell] | UnsetType = UNSET
    advice: Advised | UnsetType = UNSET
    marks: list[MarkJudged] | UnsetType = UNSET


class RuleStep(Reply, kw_only=True):
    """A cell that a rule decides."""

    rule: int
    cell: Cell
    mine: bool
    clues: list[Cell]


class WalkStep(Reply, kw_only=True):
    """A step of everything that is forced."""

    technique: int
    technique_name: str
    clues: list[Cell]
    uses_mine_count: bool
    safe: list[Cell]
    mined: list[Cell]
    text: list[str]


class ExplainReply(Reply, kw_only=True):
    """Why a cell is what it is; without a cell, `steps` to everything that is forced."""

    clues: Annotated[
        list[Cell] | int,
        Meta(description="A minimal set of clues; without a cell, how many the hardest takes."),
    ]
    marks: list[MarkJudged]
    cell: Cell | UnsetType = UNSET
    verdict: Literal["safe", "mine", "open"] | UnsetType = UNSET
    uses_mine_count: bool | UnsetType = UNSET
    smallest: bool | UnsetType = UNSET
    rules: list[RuleStep] | UnsetType = UNSET
    text: list[str] | UnsetType = UNSET
    probability: Chance | UnsetType | None = UNSET
    exact: str | UnsetType | None = UNSET
    witnesses: Annotated[
        list[list[Cell]] | UnsetType | None,
        Meta(description="Of an open cell: the mines of a layout with one there, and of one without."),
    ] = UNSET
    difficulty: str | UnsetType | None = UNSET
    technique: int | UnsetType = UNSET
    steps: list[WalkStep] | UnsetType = UNSET


class MoveChance(Reply, kw_only=True):
    """The chance to win after a first move."""

    cell: Cell
    win: Chance
    win_exact: str


class WinReply(Reply, kw_only=True):
    """Perfect play."""

    win: Chance
    win_exact: str
    wins: Digits
    solutions: Digits
    cell: Annotated[Cell | None, Meta(description="How it begins.")]
    chances: list[MoveChance] | None
    marks: list[MarkJudged]


class LayoutObject(Reply, kw_only=True):
    """Where the mines are."""

    height: int
    width: int
    mines: int
    start: Cell | None
    rows: Annotated[list[str], Meta(description="A star for a mine.")]


class SampleReply(Reply, kw_only=True):
    """Layouts that agree with the board."""

    layouts: list[LayoutObject]
    marks: list[MarkJudged]


class EncodeReply(Reply, kw_only=True):
    """The text for a solver."""

    format: str
    text: str


class GenerateReply(Reply, kw_only=True):
    """A layout, and its board after the first click."""

    seed: Annotated[int | str, Meta(description="A text of digits beyond 53 bits.")]
    start: Cell
    layout: LayoutObject
    board: Annotated[str, Meta(description="In one-line notation.")]
    state: Literal["playing", "won", "lost"]


class ConvertReply(Reply, kw_only=True):
    """The board in other forms."""

    height: int
    width: int
    mines: int
    forms: dict[str, str]
    link: Annotated[str, Meta(description="To the board on the page of this service.")]


class ReviewedDecision(Reply, kw_only=True):
    """One decision, and what it was worth."""

    number: int
    action: str
    cell: Cell
    opened: list[Cell]
    kind: str
    safety: float
    win: float
    best_win: float
    win_error: float
    error: float
    exact: bool
    kept: float
    luck: float
    mistake: bool
    fatal: bool
    better: Cell | None
    reason: str
    clues: list[Cell]
    proof: list[str]


class ReviewReply(Reply, kw_only=True):
    """A game, judged."""

    state: Literal["playing", "won", "lost"]
    chance_at_start: float
    chance_at_end: float
    kept: float
    luck: float
    luck_before: float
    mistakes: list[int]
    summary: str
    moves: list[ReviewedDecision]


class BatchItem(Reply, kw_only=True):
    """The answer to one question of a batch."""

    status: int
    body: dict[str, Any]


class BatchReply(Reply, kw_only=True):
    """The answers, in the order of the questions."""

    answers: list[BatchItem]


class Problem(Struct, kw_only=True):
    """What went wrong (RFC 9457), and what the error carries."""

    type: str
    title: str
    status: int
    detail: str
    error: str | UnsetType = UNSET
    clues: Annotated[
        list[Cell] | UnsetType,
        Meta(description="Clues that cannot all be right, none of which can be left out."),
    ] = UNSET
    marks: list[Cell] | UnsetType = UNSET
    uses_mine_count: bool | UnsetType = UNSET
    possible_mines: list[int] | UnsetType = UNSET
    text: Annotated[list[str] | UnsetType, Meta(description="Of explain: why the board is impossible.")] = (
        UNSET
    )
    repairs: Annotated[
        list[dict[str, Any]] | UnsetType | None,
        Meta(description="Of explain: single changes that would make it possible."),
    ] = UNSET
    width: int | UnsetType = UNSET
    safe: Annotated[list[Cell] | UnsetType, Meta(description="Proven until then.")] = UNSET
    mined: Annotated[list[Cell] | UnsetType, Meta(description="Proven until then.")] = UNSET


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
