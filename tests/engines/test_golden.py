"""Golden positions: exact counts that never change, proven by the oracle, here once more."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import msat
from msat.board import Board
from tests.support.oracle import counts

GOLDEN: list[dict[str, Any]] = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN, ids=[case["board"] for case in GOLDEN])
def test_golden_positions(case: dict[str, Any]) -> None:
    board = Board.parse(case["board"])
    with_mine = {(r, c): n for r, c, n in case["mines"]}
    assert counts(board) == (case["solutions"], with_mine), board
    a = msat.analyze(board)
    assert a.solutions == case["solutions"], board
    assert {cell: a.exact(*cell) for cell in with_mine} == {
        cell: Fraction(n, case["solutions"]) for cell, n in with_mine.items()
    }, board
