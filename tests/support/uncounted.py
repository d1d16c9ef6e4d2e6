"""Analyses as those of boards that are too wide to be counted, of boards that are not."""

from __future__ import annotations

import pytest

from msat.analysis import Analysis, analyze
from msat.board import Board
from msat.errors import BudgetExceeded

__all__ = ["analyze_uncounted"]


def analyze_uncounted(board: Board, budget: float | None = None) -> Analysis:
    """The forced cells of a board, and nothing else; however little time there is."""
    del budget

    def too_wide(*_: object) -> None:
        raise BudgetExceeded("too wide", 40)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("msat.engines.counting.engine.answer_array", too_wide)
        return analyze(board)
