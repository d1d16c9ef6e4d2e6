"""What a strategy returns: what is taken for a choice, and what is refused, by whom and in which words."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from msat import Board, Layout, play
from msat.errors import GameError, MsatError, WrongType
from msat.strategies import Choice, Parameter, Strategy
from msat.strategies.choice import checked_choice

BOARD = Board.parse("1??/1?? 1")
HIDDEN = (0, 2)
"""A cell of it."""


class TestTaken:
    @pytest.mark.parametrize(
        "cells",
        [
            (HIDDEN,),
            [HIDDEN],
            iter([HIDDEN]),  # once: a game that asked twice would go on for ever
            np.argwhere(BOARD.to_array() < 0)[1:2],
            ([np.int64(0), np.int8(2)],),
            {HIDDEN},
        ],
    )
    def test_cells_of_any_kind(self, cells: Any) -> None:
        choice = checked_choice("mine", BOARD, Choice(cells, 0.5, "why"))
        assert choice is not None
        assert choice.cells == (HIDDEN,)
        assert {type(number) for cell in choice.cells for number in cell} == {int}

    @pytest.mark.parametrize("cell", [HIDDEN, [0, 2], np.array([0, 2]), (np.int64(0), np.int64(2))])
    def test_a_cell_alone(self, cell: Any) -> None:
        choice = checked_choice("mine", BOARD, cell)
        assert choice is not None
        assert (choice.cells, choice.safety, choice.kind) == ((HIDDEN,), 1.0, "count")

    @pytest.mark.parametrize("safety", [1, True, Fraction(1, 3), np.float32(0.5), 0])
    def test_numbers_of_any_kind(self, safety: Any) -> None:
        assert checked_choice("mine", BOARD, Choice((HIDDEN,), safety, "why")) is not None

    def test_it_goes_on_to_the_end(self) -> None:
        """A generator of cells was used up by the first look at it: nothing was opened, time and again."""

        def once(board: Board) -> Choice:
            return Choice((cell for cell in board.hidden[:1]), 0.5, "the first")  # type: ignore[arg-type]

        assert play(Layout.from_mines(1, 4, [(0, 3)], start=(0, 0)), once).won


class TestRefused:
    @pytest.mark.parametrize(
        ("choice", "message"),
        [
            (Choice((HIDDEN,), 0.5, 7), "with reason=7: give a text"),  # type: ignore[arg-type]
            (Choice((HIDDEN,), 0.5, "x", kind=None), "with kind=None: give a text"),  # type: ignore[arg-type]
            (Choice((HIDDEN,), 0.5, "x", kind="k" * 1001), "with a kind of 1,001 characters: give at most"),
            (Choice((HIDDEN,), "0.5", "x"), "with safety='0.5': give a number from 0 to 1"),  # type: ignore[arg-type]
            (Choice((HIDDEN,), np.array([0.5, 0.5]), "x"), "with safety=array([0.5, 0.5]): give a number"),  # type: ignore[arg-type]
            (Choice((HIDDEN,), float("nan"), "x"), "with safety=nan: give a number from 0 to 1"),
            (Choice((HIDDEN,), 1.0, "x", reasons=(1,)), "with reasons=(1,): give a tuple of texts"),  # type: ignore[arg-type]
            (Choice((HIDDEN,), 1.0, "x", reasons="ab"), "with reasons='ab': give a tuple of texts"),  # type: ignore[arg-type]
            (Choice((HIDDEN,), 1.0, "x", reasons=("a", "b")), "with 2 reasons for 1 cell: give one for each"),
            (
                Choice((HIDDEN, (1, 2)), 0.9, "x"),
                "with 2 cells and safety=0.9: only what is proven may be opened together; guess one cell",
            ),
            (
                Choice(HIDDEN, 0.5, "x"),  # type: ignore[arg-type]
                "chose what is no cell: 0 is not a cell: give (row, column), and several as a tuple of them: "
                "Choice(((0, 2),), …)",
            ),
            (Choice((HIDDEN,), 1.0, "x", mines=5), "with mines=5: give cells, each (row, column)"),  # type: ignore[arg-type]
        ],
    )
    def test_in_words_that_its_author_understands(self, choice: Choice, message: str) -> None:
        with pytest.raises(MsatError, match=re.escape(message)) as caught:
            checked_choice("mine", BOARD, choice)
        assert str(caught.value).startswith("strategy 'mine' ")

    @pytest.mark.parametrize(
        ("mines", "message"),
        [
            (
                ((0, 0),),
                "chose what cannot be done: r0c0 is open and shows 0: only a hidden cell can be marked",
            ),
            (((0, 2), (0, 2)), "chose what cannot be done: (0, 2) is marked already"),
        ],
    )
    def test_marks_that_cannot_be_made(self, mines: Any, message: str) -> None:
        layout = Layout.from_mines(1, 4, [(0, 2)], start=(0, 0))
        with pytest.raises(GameError, match=re.escape(message)):
            play(layout, lambda board: Choice((), 1.0, "mines", mines=mines))


class TestDeclared:
    def test_no_name(self) -> None:
        class Nameless(Strategy):
            def choose(self, board: Board) -> None: ...

        with pytest.raises(WrongType, match="the strategy Nameless has no name: give its class one, such as"):
            Nameless()

    def test_a_name_that_is_none(self) -> None:
        class Numbered(Strategy):
            name = 7  # type: ignore[assignment]

            def choose(self, board: Board) -> None: ...

        with pytest.raises(WrongType, match="the strategy Numbered has the name 7: give its class one"):
            Numbered()

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            (("share",), r"has parameters=\('share',\): give a tuple of Parameter, such as"),
            (Parameter("a", 1, "", low=0, high=1), "has parameters=Parameter.*: give a tuple of Parameter"),
            ((Parameter("a", 1, "", low=0, high=1),) * 2, "declares a parameter twice: a, a"),
        ],
    )
    def test_parameters_that_are_none(self, parameters: Any, message: str) -> None:
        class Declaring(Strategy):
            name = "declaring"

            def choose(self, board: Board) -> None: ...

        Declaring.parameters = parameters
        with pytest.raises(WrongType, match=f"the strategy Declaring {message}"):
            Declaring()
