"""Analyses and errors as plain JSON values: what `solve --json` prints and the service answers.

The fields are documented for users in the help of `solve`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from msat.analysis import Analysis
from msat.board import Cell
from msat.errors import BudgetExceeded, InconsistentBoard, MsatError
from msat.strategies.safest import ranking

__all__ = ["answer_of", "error_of"]


def answer_of(analysis: Analysis) -> dict[str, Any]:
    """What is known about a board."""
    board = analysis.board
    ranked = ranking(analysis)
    return {
        "height": board.height,
        "width": board.width,
        "mines": board.mines,
        "safe": _cells(analysis.safe),
        "mined": _cells(analysis.mined),
        "probability": [
            [None if math.isnan(risk) else risk for risk in row] for row in analysis.probability.tolist()
        ],
        "solutions": analysis.solutions,
        "rest_probability": analysis.rest_probability,
        "best": {"cell": list(ranked[0][0]), "safety": ranked[0][1]} if ranked else None,
    }


def error_of(error: MsatError) -> dict[str, Any]:
    """What went wrong, with the details that the error carries."""
    described: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, InconsistentBoard):
        described["clues"] = _cells(error.clues)
        described["uses_mine_count"] = error.uses_mine_count
        described["possible_mines"] = list(error.possible_mines)
    if isinstance(error, BudgetExceeded):
        described["width"] = error.width
    return described


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]
