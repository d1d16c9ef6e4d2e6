"""The positions of public projects, explained: each verdict has its reason, each contradiction its clues."""

from __future__ import annotations

from typing import Any

import pytest

import msat
from msat.board import Board
from msat.errors import InconsistentBoard
from tests.support.proofs import check_proof
from tests.support.shared import cases, needs_cases

pytestmark = needs_cases

BOARDS = [case for case in cases("truth.json") if "rows" in case and case.get("total_mines") is not None]


@pytest.mark.parametrize("case", BOARDS, ids=[case["id"] for case in BOARDS])
def test_a_stated_position(case: dict[str, Any]) -> None:
    board = Board.parse("\n".join(case["rows"]), mines=case["total_mines"])
    try:
        analysis = msat.analyze(board)
    except InconsistentBoard:
        found = msat.explain_contradiction(board)
        if found.steps:
            check_proof(board, found.clues, found.uses_mine_count, found.steps, None)
        return
    some = sorted(analysis.safe)[:2] + sorted(analysis.mined)[:2]
    for cell in some:
        explanation = msat.explain(board, cell)
        mine = cell in analysis.mined
        assert explanation.verdict == ("mine" if mine else "safe")
        check_proof(board, explanation.clues, explanation.uses_mine_count, explanation.steps, (cell, mine))
    for cell in [cell for cell in board.hidden if cell not in analysis.safe | analysis.mined][:1]:
        assert msat.explain(board, cell).probability == analysis.exact(*cell)
