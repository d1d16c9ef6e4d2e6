"""`logic` and `safest`, the players on exact answers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from msat import Board, InconsistentBoard, Layout, analyze, play, strategies
from msat.board import Cell
from msat.engines.counting._kernels.answer import PROVEN_MINE, PROVEN_SAFE
from msat.strategies._kernels.game import GUESS
from msat.strategies.compiled import KINDS, CompiledStrategy, Decision, cells_where
from msat.strategies.logic import Logic
from msat.strategies.safest import Safest
from tests.conftest import scaled


class TestLogic:
    def test_opens_all_safe_cells_at_once(self) -> None:
        choice = strategies.get("logic").choose(Board.parse("????/1221/0000 2"))
        assert choice is not None
        assert choice.cells == ((0, 0), (0, 3))
        assert choice.mines == ((0, 1), (0, 2))

    def test_stops_rather_than_guesses(self) -> None:
        assert strategies.get("logic").choose(Board.parse("??/11 1")) is None
        record = play(Layout.from_mines(2, 2, [(0, 0)], start=(1, 1)), strategy="logic")
        assert not record.won
        assert [move.cell for move in record.moves] == [(1, 1)]
        assert not record.guesses


class TestSafest:
    def test_takes_the_least_risky_cell(self) -> None:
        # The 1 puts one mine on three cells; of the other four, two hold one.
        board = Board.parse("1???/???? 2")
        choice = strategies.get("safest").choose(board)
        assert choice is not None
        assert choice.safety == pytest.approx(0.75)
        assert choice.cells[0] in {(0, 2), (0, 3), (1, 2), (1, 3)}
        assert [safety for _, safety in choice.ranking] == sorted(
            (safety for _, safety in choice.ranking), reverse=True
        )
        assert choice.ranking[0] == (choice.cells[0], choice.safety)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("????/????/???? 3", (0, 0)),  # a corner, the first in reading order
            ("0????/????? 0", (0, 1)),
            ("?*?*?/*****/????? 8", (2, 0)),
        ],
    )
    def test_ties(self, text: str, expected: Cell) -> None:
        choice = strategies.get("safest").choose(Board.parse(text))
        assert choice is not None
        assert choice.cells[0] == expected

    def test_a_cell_that_teaches_nothing_comes_last_among_equals(self) -> None:
        # (0, 0) is walled off by known mines: its number is known beforehand. All cells are equally risky.
        choice = strategies.get("safest").choose(Board.parse("?*???/**??? 4"))
        assert choice is not None
        assert choice.cells == ((0, 2),)
        assert choice.ranking[-1][0] == (0, 0)

    def test_nothing_to_open(self) -> None:
        assert strategies.get("safest").choose(Board.parse("??/?? 4")) is None

    @pytest.mark.parametrize(
        "text", ["1???/???? 2", "?1?/???/?2?/??? 3", "????/????/???? 3", "??1/1??/??? 2"]
    )
    def test_its_safety_is_the_exact_probability(self, text: str) -> None:
        board = Board.parse(text)
        choice = Safest().choose(board)
        assert choice is not None
        analysis = analyze(board)
        for cell, safety in choice.ranking:
            assert safety == pytest.approx(1 - float(analysis.exact(*cell)))


@pytest.mark.parametrize("player", [Logic(), Safest()], ids=lambda player: player.name)
class TestTheLongWay:
    """What a kernel has no room for is answered by the engine: the same choice."""

    @pytest.mark.parametrize("text", ["????/1221/0000 2", "???/121 2", "??/11 1", "1???/???? 2", "??/?? 4"])
    def test_chooses_alike(self, player: Logic | Safest, text: str) -> None:
        board = Board.parse(text)
        quick, slow = player.choose(board), player.choose_slowly(board)
        if quick is None:
            assert slow is None
        else:
            assert slow is not None
            assert set(quick.cells) <= set(slow.cells)
            assert (quick.safety, quick.ranking, quick.is_guess) == (slow.safety, slow.ranking, slow.is_guess)

    def test_a_contradiction_is_an_error(self, player: Logic | Safest) -> None:
        with pytest.raises(InconsistentBoard):
            player.choose(Board.parse("?1?/3?1 2"))


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["best", "logic", "safest"])
def test_what_all_rules_find_is_what_the_kernel_decides(name: str) -> None:
    """They are asked first for their reasons, and what they find is not decided once more."""
    player = strategies.get(name)
    assert isinstance(player, CompiledStrategy)
    tried = 0
    for seed in range(scaled(12)):
        layout = Layout.random(9, 12, 22, seed=seed, start=(3, 3))
        for board in play(layout, "safest").replay():
            choice = player.choose(board)
            decision = player.decide(board.to_array(), board.mines)
            by_rules = KINDS.get(decision.kind) == "rule"
            assert by_rules == (choice is not None and choice.kind == "rule")
            if by_rules and choice is not None:
                tried += 1
                assert choice.cells == cells_where(decision.verdict == PROVEN_SAFE)
                assert choice.mines == cells_where(decision.verdict == PROVEN_MINE)
    assert tried > scaled(12)


def test_a_player_made_of_another_decides_by_itself() -> None:
    class Contrary(Safest):
        name = "contrary"

        def decide(self, array: NDArray[np.int8], mines: int) -> Decision:
            return Decision(GUESS, 0, 0.5, np.zeros(array.shape, np.int8))

    choice = Contrary().choose(Board.parse("???/111 1"))
    assert choice is not None
    assert (choice.cells, choice.kind) == (((0, 0),), "guess")
