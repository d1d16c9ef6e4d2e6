"""Strategies: what holds for every one of them. Each has a file of tests for what is particular to it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from msat import Board, Layout, ParameterError, UnknownName, analyze, play, strategies
from msat.strategies import Parameter, Strategy
from msat.strategies._kernels.safest import go_on_exact
from tests.conftest import JIT, scaled

BOARDS = [
    "????/????/???? 3",
    "???/121 2",
    "??/11 1",
    "??1/3?2/??? 3",
    "*2?/??? 2",
    "?1?/???/?2?/??? 3",
    "01?/12?/??? 2",
    "1????????/?????????/?????????/?????????/?????????/????????? 9",
]

VARIANTS = [
    *((name, {}) for name in strategies.names()),
    ("classic", {"probabilities": "exact"}),
    ("classic", {"mode": "text", "end_play": 12}),
    ("classic", {"guess1": False}),
    ("classic", {"guess2": False, "guess1_near": False, "guess1_offset": 0.0}),
    ("chain", {"weigh": "equal"}),
    ("chain", {"most_answers": 3}),
    ("chain", {"seconds": 1e-9}),
    ("subset", {"corners": True, "mine_count": True}),
    ("best", {"layouts": 20, "samples": 12}),
]
"""Every strategy, and some with other parameters."""


def some_layouts(count: int) -> list[Layout]:
    return [Layout.random(8, 9, 12, seed=seed, start=(2, 2)) for seed in range(count)]


def test_unknown_names_list_the_choices() -> None:
    with pytest.raises(UnknownName, match=r"unknown strategy 'bset': choose one of .*logic, .*safest"):
        strategies.get("bset")
    with pytest.raises(UnknownName, match="bset"):
        play(Layout.from_mines(2, 2, []), strategy="bset")


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "values"), VARIANTS, ids=str)
class TestEveryStrategy:
    def test_says_what_it_is(self, name: str, values: dict[str, object]) -> None:
        strategy = strategies.get(name, **values)
        assert strategy.name == name
        assert strategy.changed == values
        assert strategy.summary
        assert "\n" not in strategy.summary

    @pytest.mark.parametrize("text", BOARDS)
    def test_what_it_calls_proven_is(self, name: str, values: dict[str, object], text: str) -> None:
        # There is only the board: no layout that a strategy could look at.
        board = Board.parse(text)
        choice = strategies.get(name, **values).choose(board)
        if choice is None:
            return
        analysis = analyze(board)
        assert choice.cells
        assert set(choice.cells) <= set(board.hidden)
        assert set(choice.mines) <= analysis.mined
        assert choice.reason
        if choice.is_guess:
            assert len(choice.cells) == 1
            assert 0 <= choice.safety <= 1
            assert choice.ranking[0] == (choice.cells[0], choice.safety)
            assert {cell for cell, _ in choice.ranking} <= set(board.hidden) - set(choice.mines)
        else:
            assert choice.safety == 1.0
            assert set(choice.cells) <= analysis.safe

    @pytest.mark.parametrize("text", BOARDS)
    def test_equal_boards_get_equal_choices(self, name: str, values: dict[str, object], text: str) -> None:
        first, second = (strategies.get(name, **values).choose(Board.parse(text)) for _ in range(2))
        assert first == second

    def test_only_guesses_lose(self, name: str, values: dict[str, object]) -> None:
        for layout in some_layouts(scaled(40)):
            record = play(layout, strategies.get(name, **values))
            assert record.strategy == name
            assert record.moves[0].cell == (2, 2)
            mined = [move.cell for move in record.moves if layout.is_mine(move.cell) and move.kind == "open"]
            assert mined in ([], [cell for cell, _ in record.guesses[-1:]])

    @pytest.mark.parametrize(
        ("height", "width", "mines", "first", "games"),
        [(5, 5, 5, "safe", 40), (9, 9, 10, "open", 40), (9, 12, 26, "safe", 20), (16, 30, 99, "open", 6)],
    )
    def test_plays_numbers_as_it_plays_boards(
        self,
        name: str,
        values: dict[str, object],
        height: int,
        width: int,
        mines: int,
        first: str,
        games: int,
    ) -> None:
        if not JIT and height * width > (100 if "samples" in values else 200):
            pytest.skip("takes half a minute with the compiler off; smaller boards run the same kernels")
        strategy = strategies.get(name, **values)
        for seed in range(scaled(games)):
            layout = Layout.random(height, width, mines, seed=seed, start=(2, 2), first=first)
            played = strategy.play_numbers(layout.numbers(), mines, (2, 2), seed)
            expected = Strategy.play_numbers(strategy, layout.numbers(), mines, (2, 2), seed)
            assert played._replace(slow=0) == expected._replace(slow=0), f"seed {seed}"
            assert played.won == play(layout, strategy.for_game(seed)).won

    def test_travels_to_another_process(self, name: str, values: dict[str, object]) -> None:
        strategy = strategies.get(name, **values)
        copy = pickle.loads(pickle.dumps(strategy))
        assert copy.values == strategy.values
        assert copy.choose(Board.parse(BOARDS[-1])) == strategy.choose(Board.parse(BOARDS[-1]))


def test_the_first_move_without_a_start() -> None:
    layout = Layout.from_mines(3, 3, [(2, 2)])
    played = strategies.get("safest").play_numbers(layout.numbers(), 1, None, seed=0)
    assert (played.won, played.moves, played.guesses[0].cell) == (True, 1, (0, 0))


def test_a_start_on_a_mine_loses_at_once() -> None:
    layout = Layout.from_mines(3, 3, [(0, 0)], start=(0, 0))
    played = strategies.get("safest").play_numbers(layout.numbers(), 1, (0, 0), seed=0)
    assert (played.won, played.moves, played.guesses) == (False, 1, ())


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_one_version_of_a_kernel_serves_all_arrays() -> None:
    layout = Layout.random(9, 9, 10, seed=1, start=(2, 2))
    numbers = layout.numbers()
    read_only = layout.numbers()
    read_only.flags.writeable = False
    variants: list[NDArray[Any]] = [numbers, read_only, numbers.astype(np.int64), np.asfortranarray(numbers)]
    player = strategies.get("logic")
    played = {player.play_numbers(array, 10, (2, 2), seed=1)._replace(slow=0) for array in variants}
    assert len(played) == 1
    assert len(go_on_exact.signatures) == 1  # type: ignore[attr-defined]


class TestParameters:
    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"endPlay": 20}, "classic has no parameter 'endPlay': it takes end_play, guess1_offset"),
            ({"end_play": 31}, "end_play=31 is not accepted: give a whole number from 6 to 30"),
            ({"end_play": "many"}, "end_play='many' is not accepted"),
            ({"end_play": 7.5}, "end_play=7.5 is not accepted"),
            ({"end_play": True}, "end_play=True is not accepted"),
            ({"end_play": None}, "end_play=None is not accepted"),
            ({"guess1_offset": 0.21}, "guess1_offset=0.21 is not accepted: give a number from -0.2 to 0.2"),
            ({"guess1_offset": float("nan")}, "guess1_offset=nan is not accepted"),
            ({"guess1": 1}, "guess1=1 is not accepted: give on or off"),
            ({"guess1": "maybe"}, "guess1='maybe' is not accepted: give on or off"),
            ({"mode": "txt"}, "mode='txt' is not accepted: give one of program, text"),
        ],
    )
    def test_what_is_not_accepted(self, values: dict[str, object], message: str) -> None:
        with pytest.raises(ParameterError) as caught:
            strategies.get("classic", **values)
        assert message in str(caught.value)

    def test_none_to_give(self) -> None:
        with pytest.raises(ParameterError, match="logic has no parameter 'depth': it takes none"):
            strategies.get("logic", depth=2)

    def test_text_is_read(self) -> None:
        strategy = strategies.get("classic", end_play="20", guess1="off", guess1_offset="-0.1", mode="text")
        assert strategy.changed == {"end_play": 20, "guess1_offset": -0.1, "guess1": False, "mode": "text"}
        assert repr(strategies.get("classic", end_play=8)) == "Classic(end_play=8)"

    @pytest.mark.parametrize("name", strategies.names())
    def test_defaults_are_accepted_and_explained(self, name: str) -> None:
        strategy = strategies.get(name)
        for parameter in strategy.parameters:
            assert isinstance(parameter, Parameter)
            assert parameter.check(parameter.default) == parameter.default
            assert parameter.help
            assert parameter.accepted
        assert strategies.get(name, **strategy.values).values == strategy.values
