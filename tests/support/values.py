"""Random boards, layouts and games for property tests, of every shape from 1×1 on."""

from __future__ import annotations

from hypothesis import strategies as st

from msat.board import MINE, Board, Cell
from msat.game import Game
from msat.layout import Layout

__all__ = ["boards", "cells", "games", "layouts"]

SIDES = st.integers(1, 7)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Any legal values, also ones that contradict each other."""
    height, width = draw(SIDES), draw(SIDES)
    values = st.lists(st.integers(-2, 8), min_size=width, max_size=width)
    rows = draw(st.lists(values, min_size=height, max_size=height))
    return Board.from_array(rows, mines=draw(st.integers(0, height * width)))


def cells(height: int, width: int) -> st.SearchStrategy[Cell]:
    """A cell of a board of this size."""
    return st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Any mines, with and without a start."""
    height, width = draw(SIDES), draw(SIDES)
    mines = draw(st.sets(cells(height, width)))
    return Layout.from_mines(height, width, mines, start=draw(st.none() | cells(height, width)))


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game in which random cells were opened, marked and unmarked, as far as the rules allow."""
    layout = draw(layouts())
    game = Game(layout, strategy=draw(st.sampled_from([None, "random"])))
    tries = st.tuples(
        st.sampled_from(["open", "chord", "mark", "unmark"]), cells(layout.height, layout.width)
    )
    for kind, cell in draw(st.lists(tries, max_size=20)):
        if game.state != "playing":
            break
        marked = cell in game.board.marked
        if kind == "open" and not marked:
            game.open(cell, draw(st.none() | st.floats(0, 1)), draw(st.text(max_size=5)))
        elif kind == "chord" and game.board[cell] >= 0:
            if sum(game.board[other] == MINE for other in game.board.neighbours(cell)) == game.board[cell]:
                game.chord(cell)
        elif kind == "mark" and cell in game.board.hidden:
            game.mark(cell)
        elif kind == "unmark" and marked:
            game.unmark(cell)
    return game
