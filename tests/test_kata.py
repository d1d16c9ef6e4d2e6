"""`msat.solve`: the public cases of the exercise, and what it must do beyond them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from msat import Board, BoardError, InconsistentBoard, Layout, MsatError, solve
from tests.support.oracle import counts

CASES = Path(__file__).parents[2] / "shared" / "cases" / "kata.json"


def load_cases() -> list[Any]:
    if not CASES.exists():
        reason = f"the public cases are not here: {CASES.name} is expected in ../shared/cases"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="kata.json")]
    return [pytest.param(case, id=case["id"]) for case in json.loads(CASES.read_text("utf-8"))["cases"]]


def opener(solution: str) -> Callable[[int, int], int]:
    """An `open_cell` that answers from a solved text, and fails at a mine or when asked twice."""
    rows = [row.split() for row in solution.split("\n")]
    asked: set[tuple[int, int]] = set()

    def open_cell(r: int, c: int) -> int:
        assert (r, c) not in asked, f"{(r, c)} was opened twice"
        assert rows[r][c] != "x", f"{(r, c)} is a mine"
        asked.add((r, c))
        return int(rows[r][c])

    return open_cell


def never(r: int, c: int) -> int:
    raise AssertionError(f"{(r, c)} must not be opened")


@pytest.mark.parametrize("case", load_cases())
def test_public_cases(case: dict[str, Any]) -> None:
    assert solve(case["map"], case["mines"], opener(case["solution"])) == case["expected"]


def test_the_example_of_the_source_document() -> None:
    text = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? ? 0 ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?\n0 0 0 ? ? ?"
    solved = "1 x 1 1 x 1\n2 2 2 1 2 2\n2 x 2 0 1 x\n2 x 2 1 2 2\n1 1 1 1 x 1\n0 0 0 1 1 1"
    assert solve(text, 6, opener(solved)) == solved


def test_the_spacing_of_the_text_is_kept() -> None:
    assert solve("  ? ?  ?\n 1 1 1\n", 1, opener("1 x 1\n1 1 1")) == "  1 x  1\n 1 1 1\n"
    assert solve("???\n111", 1, opener("1 x 1\n1 1 1")) == "1x1\n111"


def test_only_the_mine_total_decides() -> None:
    # Two cells that no clue touches: safe if the clue's mine is the only one, open to doubt otherwise.
    solved = "x 1 0 0\n1 1 0 0"
    assert solve("? 1 ? ?\n1 1 ? ?", 1, opener(solved)) == solved
    assert solve("? ?\n1 1", 1, never) == "?"


def test_nothing_left_to_do() -> None:
    assert solve("0 0\n0 0", 0, never) == "0 0\n0 0"
    assert solve("? ?\n? ?", 4, never) == "x x\nx x"


@pytest.mark.parametrize("seed", range(20))
def test_question_mark_exactly_where_several_layouts_remain(seed: int) -> None:
    layout = Layout.random(4, 5, 5, seed=seed, start=(0, 0))
    solved = "\n".join(
        " ".join("x" if layout.is_mine((r, c)) else str(layout.number((r, c))) for c in range(5))
        for r in range(4)
    )
    shown = [["?"] * 5 for _ in range(4)]
    answer = opener(solved)
    opened: dict[tuple[int, int], int] = {}

    def open_cell(r: int, c: int) -> int:
        opened[r, c] = answer(r, c)
        return opened[r, c]

    shown[0][0] = str(layout.number((0, 0)))
    text = "\n".join(map(" ".join, shown))
    result = solve(text, 5, open_cell)
    last = Board.parse(text, mines=5).replace(opened)
    solutions, with_mine = counts(last)
    assert result == (solved if solutions == 1 else "?")
    assert 0 not in with_mine.values(), "a safe cell was left closed"


@pytest.mark.parametrize("value", [9, -1, "1", None, 1.0, True])
def test_open_cell_must_return_a_number_that_a_cell_can_show(value: Any) -> None:
    with pytest.raises(
        BoardError, match=r"open_cell\(0, 0\) returned .*: expected the number shown there, 0 to 8"
    ):
        solve("? 0", 0, lambda r, c: value)


def test_numbers_that_contradict_are_told_from_a_contradictory_text() -> None:
    with pytest.raises(InconsistentBoard, match="the numbers that open_cell returned contradict the board"):
        solve("0 ?\n? ?", 0, lambda r, c: 3)
    with pytest.raises(InconsistentBoard) as raised:
        solve("? 1\n0 1", 1, never)
    assert "open_cell" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "? ?\n?", "? 9", "? a", "??/11", "? ?\nmines: 1"])
def test_text_that_is_no_board(text: str) -> None:
    with pytest.raises(MsatError):
        solve(text, 1, never)
