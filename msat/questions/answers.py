"""Results and errors as plain JSON values: what `--json` prints and the service answers.

The fields are documented for users in the help of each command.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from msat.analysis import Analysis
from msat.cells import cells_object
from msat.errors import BudgetExceeded, InconsistentBoard, MsatError
from msat.questions.judging import Judged
from msat.questions.requests import ANSWER_FIELDS

if TYPE_CHECKING:
    from msat.coach.advice import Advice
    from msat.coach.cell_facts import CellFacts
    from msat.coach.levels import Hint

__all__ = [
    "TELLING",
    "analysis_answer",
    "cells_answer",
    "counting_failure",
    "details_of",
    "error_of",
    "hint_answer",
]

TELLING = 4
"""The level of a hint from which on marks are judged: before, that would give cells away."""


def counting_failure(analysis: Analysis) -> BudgetExceeded | None:
    """Why the number of solutions is missing: forced cells may be known where counting fails."""
    try:
        analysis.solutions  # noqa: B018  # kept, if it is found
    except BudgetExceeded as error:
        return error
    return None


def analysis_answer(
    analysis: Analysis, judged: Judged, fields: Collection[str] | None = None, *, raw: bool = False
) -> dict[str, Any]:
    """What is known about a board: `fields`, or everything; None is what could not be counted.

    If it is `raw`, probabilities stay an array, with nan for None, which whoever writes JSON anyway can take.
    """
    if raw:
        wanted = ANSWER_FIELDS if fields is None else fields
        answer = analysis.to_object([name for name in wanted if name != "probability"])
        if "probability" in wanted:
            answer["probability"] = analysis.known_probability
            answer = {name: answer[name] for name in ANSWER_FIELDS if name in answer}
    else:
        answer = analysis.to_object(fields)
    if fields is None or "best" in fields:
        answer["best"] = _best(analysis)
    if fields is None or "marks" in fields:
        answer["marks"] = judged.fields()
    return answer


def _best(analysis: Analysis) -> dict[str, Any] | None:
    from msat.strategies.safest import ranking

    ranked = ranking(analysis, most=1)
    return {"cell": list(ranked[0][0]), "safety": ranked[0][1]} if ranked else None


def cells_answer(facts: Iterable[CellFacts]) -> list[dict[str, Any]]:
    """What every hidden cell may show."""
    return [each.to_object() for each in facts]


def hint_answer(found: Advice | Hint, judged: Judged) -> dict[str, Any]:
    """A move, or a hint; marks are told of where that does not give more away than was asked for."""
    level = getattr(found, "level", TELLING)
    return found.to_object() | ({} if level < TELLING else {"marks": judged.fields()})


def error_of(error: MsatError) -> dict[str, Any]:
    """What went wrong, with the details that the error carries."""
    return {"type": type(error).__name__, "message": str(error)} | details_of(error)


def details_of(error: MsatError) -> dict[str, Any]:
    """The cells and numbers that an error carries."""
    if isinstance(error, InconsistentBoard):
        return {
            "clues": cells_object(error.clues),
            "marks": cells_object(error.marks),
            "uses_mine_count": error.uses_mine_count,
            "possible_mines": list(error.possible_mines),
            **error.explanation,
        }
    if isinstance(error, BudgetExceeded):
        return {
            "width": error.width,
            "safe": cells_object(error.safe),
            "mined": cells_object(error.mined),
        }
    return {}
