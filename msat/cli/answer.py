"""Analyses and errors as plain JSON values: what `solve --json` prints and the service answers.

The fields are documented for users in the help of `solve`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msat.analysis import Analysis
from msat.board import Cell
from msat.errors import BudgetExceeded, InconsistentBoard, MsatError
from msat.strategies.safest import ranking

__all__ = ["LONGEST_NUMBER", "answer_of", "count_of", "error_of"]

LONGEST_NUMBER = 4000
"""Digits up to which a JSON answer holds a number: Python's own reader takes no more than 4300."""


def count_of(analysis: Analysis) -> tuple[int | None, BudgetExceeded | None]:
    """The number of solutions, or why it is missing: forced cells may be known where counting fails."""
    try:
        return analysis.solutions, None
    except BudgetExceeded as error:
        return None, error


def answer_of(analysis: Analysis, solutions: int | None) -> dict[str, Any]:
    """What is known about a board; `solutions` is None where they could not be counted."""
    board = analysis.board
    ranked = ranking(analysis)
    rest = analysis.rest_probability
    return {
        "height": board.height,
        "width": board.width,
        "mines": board.mines,
        "safe": _cells(analysis.safe),
        "mined": _cells(analysis.mined),
        "probability": _with_null(analysis.probability),
        "solutions": None if solutions is None else _portable(solutions),
        "solutions_log10": None if solutions is None else math.log10(solutions),
        "rest_probability": None if rest is None or math.isnan(rest) else rest,
        "best": {"cell": list(ranked[0][0]), "safety": ranked[0][1]} if ranked else None,
    }


def error_of(error: MsatError) -> dict[str, Any]:
    """What went wrong, with the details that the error carries."""
    described: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, InconsistentBoard):
        described["clues"] = _cells(error.clues)
        described["marks"] = _cells(error.marks)
        described["uses_mine_count"] = error.uses_mine_count
        described["possible_mines"] = list(error.possible_mines)
    if isinstance(error, BudgetExceeded):
        described["width"] = error.width
        described["safe"] = _cells(error.safe)
        described["mined"] = _cells(error.mined)
    return described


def _with_null(probability: NDArray[np.float64]) -> list[list[float | None]]:
    """The rows of an array, with None for nan, which JSON does not have."""
    rows = probability.astype(object)
    rows[np.isnan(probability)] = None
    found: list[list[float | None]] = rows.tolist()
    return found


def _portable(number: int) -> int | str:
    """`number`, as text where it is so long that readers of JSON refuse it.

    >>> _portable(10**3999) == 10**3999, _portable(10**4000) == "1" + "0" * 4000
    (True, True)
    """
    return number if number < 10**LONGEST_NUMBER else str(number)


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]
