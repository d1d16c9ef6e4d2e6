"""`play`: one game by a strategy."""

from __future__ import annotations

import re
from typing import Any

import pytest

from msat import (
    Board,
    CellError,
    Game,
    GameError,
    Layout,
    ParameterError,
    WrongType,
    analyze,
    play,
    strategies,
)
from msat.strategies import Choice
from msat.strategies.best import Best


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

    def test_a_cell_alone_and_what_claims_to_be_sure(self) -> None:
        class Alone(strategies.Strategy):
            name = "alone"
            summary = "what is safe, else the first cell; a cell alone, or a choice of it"

            def choose(self, board: Board) -> Choice | None:
                known = analyze(board)
                cell = min(known.safe or board.hidden)
                if len(board.hidden) % 2:
                    return cell  # type: ignore[return-value]
                return Choice((cell,), float(1 - known.exact(*cell)), "why")

        layout = Layout.random(9, 9, 20, seed=5, start=(3, 3))
        record = play(layout, Alone())
        played = Alone().play_numbers(layout.numbers(), 20, (3, 3), 0)
        assert record.guesses
        assert len(record.moves) > len(record.guesses) + 2
        assert [(guess.cell, guess.safety) for guess in played.guesses] == list(record.guesses)

    @pytest.mark.parametrize(
        ("choice", "error", "message"),
        [
            (Choice((), 1.0, "x"), GameError, "'stubborn' chose no cell"),
            (Choice(((0, 0),), 1.0, "x"), GameError, "'stubborn' chose (0, 0), which is open already"),
            (Choice(((0, 0), (0, 1)), 1.0, "x", kind="count"), GameError, "which is open already"),
            (
                Choice(((2, 1), (3, 0)), 1.0, "x"),
                CellError,
                "'stubborn' chose what is no cell: (3, 0) is not on",
            ),
            (Choice((), 1.0, "x", mines=("r",)), CellError, "'stubborn' chose what is no cell: 'r' is not"),  # type: ignore[arg-type]
            (Choice(7, 1.0, "x"), GameError, "'stubborn' made a choice with cells=7: give cells, each (row"),  # type: ignore[arg-type]
            ("r0c0", WrongType, "'stubborn' chose 'r0c0': give a cell such as (3, 4), a msat.strategies"),
            ((9, 9), CellError, "'stubborn' chose what is no cell: (9, 9) is not on"),
            ((0, 0), GameError, "'stubborn' chose (0, 0), which is open already"),
        ],
    )
    def test_a_choice_that_leads_nowhere(self, choice: Any, error: type[Exception], message: str) -> None:
        """Made again and again, it would never end the game."""

        class Stubborn(strategies.Strategy):
            name = "stubborn"
            summary = "always the same choice"

            def choose(self, board: Board) -> Choice | None:
                return choice  # type: ignore[no-any-return]

        layout = Layout.from_mines(3, 3, [(2, 2), (2, 0)], start=(0, 0))
        with pytest.raises(error, match=re.escape(message)):
            play(layout, Stubborn())
        with pytest.raises(error, match=re.escape(message)):
            Stubborn().play_numbers(layout.numbers(), 2, (0, 0), 0)

    def test_marks_alone_are_a_choice(self) -> None:
        """A strategy may mark what is proven before it opens anything."""

        class MarksFirst:
            name = "marks first"

            def choose(self, board: Board) -> Choice | None:
                if (2, 2) in board.hidden:
                    return Choice((), 1.0, "a mine", mines=((2, 2),))
                return Choice(((2, 0),), 1.0, "the rest", kind="rule")

        assert play(Layout.from_mines(3, 3, [(2, 2), (2, 1)], start=(0, 0)), MarksFirst()).won

    def test_parameters_behind_the_name(self) -> None:
        layout = Layout.from_mines(3, 3, [(2, 2)], start=(0, 0))
        assert play(layout, "tests.support.arena_players:Slow:pause=0").strategy == "slow"
        assert play(layout, "kata:most_rules=200").strategy == "kata"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("logic:", r"^'logic:': '' is no parameter: expected NAME=VALUE such as seconds=1$"),
            ("logic:x=1", r"^logic has no parameter 'x': it takes none$"),
            ("best:layouts=0", r"^layouts='0' is not accepted: give a whole number from 1 to 100,000$"),
        ],
    )
    def test_parameters_that_are_none(self, text: str, message: str) -> None:
        with pytest.raises(ParameterError, match=message):
            play(Layout.from_mines(2, 2, []), text)

    @pytest.mark.parametrize("wrong", [3, None, Board, strategies.Strategy])
    def test_what_is_no_strategy(self, wrong: Any) -> None:
        with pytest.raises(WrongType, match=r"is no strategy: give a name \(.*logic.*safest"):
            play(Layout.from_mines(1, 3, [(0, 1)]), wrong)

    def test_what_is_no_layout(self) -> None:
        with pytest.raises(WrongType, match="a game is played on a Layout, not on 'x'"):
            play("x")  # type: ignore[arg-type]


class TestRankings:
    def test_who_does_not_look_at_rankings_gets_the_same_record(self) -> None:
        for seed in range(4):
            layout = Layout.random(16, 16, 40, seed=seed, start=(3, 3))
            choices: list[Choice] = []
            watched = play(layout, "best", lambda _, choice: choices.append(choice))  # noqa: B023
            assert play(layout, "best").moves == watched.moves
            assert all(len(choice.ranking) > 0 for choice in choices if choice.is_guess)

    def test_a_player_made_of_best_may_look_at_them(self) -> None:
        seen = []

        class Looks(Best):
            name = "looks"

            def choose(self, board: Board) -> Choice | None:
                choice = super().choose(board)
                if choice is not None and choice.kind == "evaluated":
                    seen.append(len(choice.ranking))
                return choice

        layout = Layout.random(16, 30, 99, seed=4, start=(3, 3))
        assert play(layout, Looks()).moves == play(layout, "best").moves
        assert max(seen) > 1
