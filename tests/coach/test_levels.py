"""Hint levels: what each gives away, and that it gives away no more; prospects against all layouts."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

import msat
from msat.board import Board, Cell
from msat.coach.prospects import prospects
from msat.errors import InconsistentBoard, ParameterError, WrongType
from tests.coach.test_techniques import clues_of
from tests.conftest import FULL, scaled
from tests.support.oracle import counts
from tests.support.person import settled
from tests.support.positions import small_boards

pytestmark = pytest.mark.kernel


def boards(count: int, seed: int) -> list[Board]:
    found = []
    for board in small_boards(count, seed, most_hidden=12):
        try:
            msat.analyze(board)
        except InconsistentBoard:
            continue
        found.append(board)
    return found


def named(text: str) -> set[Cell]:
    """The cells that a text names."""
    return {(int(r), int(c)) for r, c in re.findall(r"r(\d+)c(\d+)", text)}


def test_no_level_gives_away_more_than_it_says() -> None:
    kinds = set()
    for board in boards(scaled(150), seed=7):
        one, two, three, four, five = (msat.hint(board, level) for level in range(1, 6))
        assert len({found.kind for found in (one, two, three, four, five)}) == 1
        kinds.add(one.kind)
        analysis = msat.analyze(board)
        expected = "proven" if analysis.safe else "guess"
        assert one.kind == ("won" if len(analysis.mined) == len(board.hidden) else expected)
        if one.kind == "won":
            continue
        assert set(one.to_object()) == {"level", "kind", "text"}
        assert set(two.to_object()) == {"level", "kind", "text", "window"}
        for found in (one, two):
            assert not named(str(found))
            assert found.cell is None
            assert not found.clues
            assert not found.candidates
        assert three.cell is None
        assert four.cell is not None
        assert four.cell == five.cell
        assert two.window == five.window
        assert two.window is not None
        (top, left), (bottom, right) = two.window
        assert top <= four.cell[0] <= bottom
        assert left <= four.cell[1] <= right
        for first, last, length in ((top, bottom, board.height), (left, right, board.width)):
            assert 0 <= first <= last < length
            assert min(3, length) <= last - first + 1 <= 5
        if one.kind == "proven":
            assert four.cell in analysis.safe
            assert not named(str(three)) - three.clues
            clues = [clues_of(board)[clue] for clue in three.clues]
            if three.uses_mine_count:
                clues.append((frozenset(board.hidden), board.mines - len(board.marked)))
            assert settled(clues)[four.cell] is False  # level 3's clues alone prove level 4's cell
        else:
            assert four.cell in three.candidates
            assert list(three.candidates) == sorted(three.candidates)
            assert five.advice is not None
            assert five.text == five.advice.reasons
            assert len(five.text) == 3
    if FULL:
        assert kinds == {"proven", "guess", "won"}


def test_what_follows_a_click_is_as_by_trying_all_layouts() -> None:
    asked = 0
    for board in boards(scaled(120), seed=8):
        analysis = msat.analyze(board)
        for cell in board.hidden[:3]:
            if cell in analysis.mined:
                continue
            all_layouts = progress = Fraction(0)
            second = Fraction(0)
            for number in range(9):
                after = board.replace({cell: number})
                layouts, mined = counts(after)
                if not layouts:
                    continue
                all_layouts += layouts
                proven = 0 in mined.values() or all(mines == layouts for mines in mined.values())
                progress += layouts * proven
                second += layouts if proven else layouts - min(mined.values())
            found = prospects(analysis, cell)
            assert found.progress == pytest.approx(float(progress / all_layouts))
            assert found.second == pytest.approx(float(second / all_layouts))
            asked += 1
    if FULL:
        assert asked > 100


def test_dead_cells_and_unavoidable_guesses_are_named() -> None:
    advice = msat.best_move(Board.parse("?1/?? 1"))
    assert advice.dead
    assert advice.reasons[1] == "it is dead: if it is safe it shows 1 in any case, which tells nothing new"
    advice = msat.best_move(Board.parse("?1? 1"))
    assert (
        advice.reasons[0]
        == "no cell is proven safe, and r0c0 is a 50/50 that nothing can avoid: none is safer"
    )
    assert advice.dead
    assert advice.reasons[1].endswith("; not its number, but that it is safe settles what comes next")
    faced = replace(advice, kind="unavoidable")
    assert faced.reasons[0] == (
        "no cell is proven safe, and r0c0 is a 50/50 that nothing opened elsewhere will ever lower"
    )


def test_what_is_refused() -> None:
    board = Board.parse("??/11 1")
    for level in (0, 6, -1):
        with pytest.raises(ParameterError, match=f"level={level} is no level of a hint: give 1 to 5"):
            msat.hint(board, level)
    with pytest.raises(ParameterError, match="level='2' is not a whole number"):
        msat.hint(board, "2")  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="hint takes a Board"):
        msat.hint("??/11 1")  # type: ignore[arg-type]


def test_a_guess_is_told_from_one_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one, and a list of all hidden cells, took four times the budget on a large board."""

    def unexpected(*_: object, **__: object) -> None:
        raise AssertionError("the board is analysed again")

    monkeypatch.setattr("msat.coach.guess_words.analyze", unexpected)
    monkeypatch.setattr("msat.coach.best_move.analyze", unexpected)
    board = msat.Board.blank(40, 40, 300)
    monkeypatch.setattr(msat.Board, "hidden", property(unexpected))
    text = msat.hint(board, 5, budget=60).text
    assert len(text) == 3
    assert "none is safer" in text[0]
