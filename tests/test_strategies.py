"""Strategies, and `play`: what holds for every strategy, and what is particular to each."""

from __future__ import annotations

import pytest

from msat import Board, Game, Layout, UnknownName, analyze, play, strategies
from msat.board import Cell
from msat.strategies import Choice

BOARDS = [
    "????/????/???? 3",
    "???/121 2",
    "??/11 1",
    "??1/3?2/??? 3",
    "*2?/??? 2",
    "?1?/???/?2?/??? 3",
    "01?/12?/??? 2",
]


def some_layouts(count: int) -> list[Layout]:
    return [Layout.random(8, 9, 12, seed=seed, start=(2, 2)) for seed in range(count)]


def test_unknown_names_list_the_choices() -> None:
    with pytest.raises(UnknownName, match="unknown strategy 'bset': choose one of logic, safest"):
        strategies.get("bset")
    with pytest.raises(UnknownName, match="bset"):
        play(Layout.from_mines(2, 2, []), strategy="bset")


@pytest.mark.parametrize("name", strategies.names())
class TestEveryStrategy:
    def test_says_what_it_is(self, name: str) -> None:
        strategy = strategies.get(name)
        assert strategy.name == name
        assert strategy.summary
        assert "\n" not in strategy.summary

    @pytest.mark.parametrize("text", BOARDS)
    def test_chooses_hidden_cells_and_tells_their_safety(self, name: str, text: str) -> None:
        board = Board.parse(text)
        choice = strategies.get(name).choose(board)
        if choice is None:
            return
        analysis = analyze(board)
        assert choice.cells
        assert set(choice.cells) <= set(board.hidden)
        assert len(choice.cells) == 1 or choice.safety == 1.0
        assert set(choice.mines) <= analysis.mined
        for cell in choice.cells:
            assert (choice.safety == 1.0) == (cell in analysis.safe)
            assert choice.safety == pytest.approx(1 - float(analysis.exact(*cell)))

    @pytest.mark.parametrize("text", BOARDS)
    def test_equal_boards_get_equal_choices(self, name: str, text: str) -> None:
        assert strategies.get(name).choose(Board.parse(text)) == strategies.get(name).choose(
            Board.parse(text)
        )

    def test_plays_to_an_end(self, name: str) -> None:
        for layout in some_layouts(10):
            record = play(layout, strategy=name)
            assert record.strategy == name
            assert record.layout == layout
            assert record.moves[0].cell == (2, 2)

    def test_proven_cells_never_lose(self, name: str) -> None:
        for layout in some_layouts(10):
            record = play(layout, strategy=name)
            if not record.guesses:
                assert not any(layout.is_mine(move.cell) for move in record.moves if move.kind == "open")


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


class TestPlay:
    def test_without_a_start_the_strategy_chooses(self) -> None:
        record = play(Layout.from_mines(3, 3, [(2, 2)]))
        assert record.moves[0].cell == (0, 0)
        assert [probability for _, probability in record.guesses] == [pytest.approx(8 / 9)]
        assert record.won

    def test_the_start_is_no_guess(self) -> None:
        record = play(Layout.from_mines(3, 3, [(2, 2)], start=(0, 0)))
        assert record.won
        assert not record.guesses

    def test_a_lost_game(self) -> None:
        record = play(Layout.from_mines(1, 2, [(0, 0)]))
        assert not record.won
        assert [cell for cell, _ in record.guesses] == [(0, 0)]

    def test_every_decision_is_shown(self) -> None:
        shown: list[tuple[str, Choice]] = []

        def watch(game: Game, choice: Choice) -> None:
            shown.append((game.state, choice))

        layout = Layout.random(8, 9, 12, seed=3, start=(2, 2))
        record = play(layout, on_move=watch)
        assert shown[0][1].cells == ((2, 2),)
        assert [state for state, _ in shown[:-1]] == ["playing"] * (len(shown) - 1)
        assert shown[-1][0] == ("won" if record.won else "lost")

    def test_a_strategy_of_your_own(self) -> None:
        class Stubborn:
            name = "stubborn"
            summary = "always the first hidden cell"

            def choose(self, board: Board) -> Choice | None:
                return Choice((board.hidden[0],), 0.5, "I like it")

        record = play(Layout.from_mines(1, 3, [(0, 1)]), Stubborn())
        assert [(move.cell, move.reason) for move in record.moves] == [
            ((0, 0), "I like it"),
            ((0, 1), "I like it"),
        ]
        assert not record.won
