"""Games: what a move reveals, what is refused, and that every move can be taken back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msat.board import HIDDEN, MINE, Board, Cell
from msat.errors import CellError, GameError, WrongType
from msat.game import Game, Move
from msat.layout import Layout
from tests.support.values import cells, games, layouts

LAYOUT = Layout.parse("....\n....\n...*\n*...")
"""Opened at its top left corner it shows all but its lower right corner and its mines."""


def says(message: str) -> str:
    """`message`, to be found as it is."""
    return re.escape(message)


def test_a_new_game_shows_nothing() -> None:
    game = Game(LAYOUT)
    assert game.board == Board.blank(4, 4, mines=2)
    assert (game.state, game.exploded, game.moves) == ("playing", None, ())
    assert game.layout is LAYOUT


def test_a_game_is_played_on_a_layout() -> None:
    with pytest.raises(WrongType, match=says("a game is played on a Layout, not on '..*': Layout.parse")):
        Game("..*")  # type: ignore[arg-type]


def test_a_cell_opened_by_hand_claims_nothing() -> None:
    game = Game(LAYOUT)
    game.open((2, 0))
    assert game.moves == (Move("open", (2, 0), None),)


def test_opening_a_zero_opens_its_surroundings() -> None:
    game = Game(LAYOUT)
    revealed = game.open((0, 0))
    assert game.board == Board.parse("0000/0011/111?/???? 2")
    assert revealed == game.board.revealed
    assert game.state == "playing"


def test_opening_a_number_opens_it_alone() -> None:
    game = Game(LAYOUT)
    assert game.open((2, 0)) == ((2, 0),)
    assert game.board[2, 0] == 1


def test_opening_an_open_cell_is_no_move() -> None:
    game = Game(LAYOUT)
    game.open((0, 0))
    assert game.open((1, 1)) == ()
    assert len(game.moves) == 1


def test_a_game_is_won_when_every_safe_cell_is_open() -> None:
    game = Game(LAYOUT)
    for cell in [(0, 0), (3, 1), (3, 2)]:
        game.open(cell)
        assert game.state == "playing"
    game.open((3, 3))
    assert game.state == "won"
    assert game.board.hidden == ((2, 3), (3, 0))


def test_a_game_is_lost_on_a_mine_which_stays_hidden() -> None:
    game = Game(LAYOUT)
    game.open((0, 0))
    before = game.board
    assert game.open((2, 3), probability=0.5) == ()
    assert (game.state, game.exploded) == ("lost", (2, 3))
    assert game.board == before
    assert game.undo() == Move("open", (2, 3), 0.5)
    assert (game.state, game.exploded) == ("playing", None)


def test_a_board_full_of_mines_is_won_from_the_start() -> None:
    assert Game(Layout.parse("**")).state == "won"


def test_marks_come_and_go() -> None:
    game = Game(LAYOUT)
    game.mark((3, 0))
    assert game.board[3, 0] == MINE
    assert game.board.mines == 2
    game.unmark((3, 0))
    assert game.board[3, 0] == HIDDEN
    assert [move.kind for move in game.moves] == ["mark", "unmark"]


def test_a_flood_stops_at_marks() -> None:
    game = Game(LAYOUT)
    game.mark((0, 1))
    game.open((0, 0))
    assert game.board[0, 1] == MINE
    assert game.board[0, 3] == 0
    game.undo()
    assert game.board.marked == ((0, 1),)


@given(layouts(), st.data())
def test_many_at_once_are_the_same_as_one_after_the_other(layout: Layout, data: st.DataObject) -> None:
    marked = data.draw(st.lists(cells(*layout.shape), max_size=3, unique=True))
    opened = data.draw(st.lists(cells(*layout.shape).filter(lambda cell: cell not in marked), max_size=12))
    singly, together = Game(layout), Game(layout)
    if together.state == "playing":
        together.mark_all(marked)
        for cell in marked:
            singly.mark(cell)
    together.open_all(opened, 0.5, map(str, opened))
    for cell in opened:
        if singly.state == "playing":
            singly.open(cell, 0.5, str(cell))
    assert together == singly
    assert (together.board, together.state, together.exploded) == (
        singly.board,
        singly.state,
        singly.exploded,
    )
    assert together.record.state == together.record.game().state
    while together.moves:
        together.undo()
    assert together.board == Board.blank(layout.height, layout.width, layout.mines)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (lambda game: game.open((0, 1)), "(0, 1) is marked as a mine: unmark((0, 1)) first to open it"),
        (lambda game: game.mark((0, 1)), "(0, 1) is marked already: unmark((0, 1)) takes the mark away"),
        (lambda game: game.mark((2, 0)), "r2c0 is open and shows 1: only a hidden cell can be marked"),
        (lambda game: game.unmark((0, 0)), "(0, 0) is not marked: there is nothing to take away"),
        (lambda game: game.unmark((2, 0)), "(2, 0) is not marked: there is nothing to take away"),
        (
            lambda game: game.open((0, 0), probability=1.5),
            "probability=1.5 is not one: give a number between 0 and 1",
        ),
        (lambda game: game.open((0, 0), probability=float("nan")), "probability=nan is not one"),
        (lambda game: game.apply(Move("open", (2, 0))), "(2, 0) is open already"),
        (
            lambda game: game.mark_all([(2, 0)]),
            "r2c0 is open and shows 1: only a hidden cell can be marked",
        ),
        (lambda game: game.mark_all([(0, 1)]), "(0, 1) is marked already"),
        (lambda game: game.open_all([(0, 1)]), "(0, 1) is marked as a mine"),
        (lambda game: game.open_all([(0, 0)], 1.5), "probability=1.5 is not one"),
        (lambda game: game.open_all([(0, 0), (0, 2)], None, ["one"]), "1 reasons are not those of 2 cells"),
    ],
)
def test_moves_that_are_refused(move: Callable[[Game], object], message: str) -> None:
    game = Game(LAYOUT)
    game.open((2, 0))
    game.mark((0, 1))
    board, moves = game.board, game.moves
    with pytest.raises(GameError, match=says(message)):
        move(game)
    assert (game.board, game.moves) == (board, moves)


@pytest.mark.parametrize(("last", "state"), [((0, 2), "lost"), ((0, 0), "won")])
def test_after_the_end_a_move_can_only_be_taken_back(last: Cell, state: str) -> None:
    game = Game(Layout.parse("..*"))
    game.open(last)
    for move in (game.open, game.mark, game.unmark):
        with pytest.raises(GameError, match=says(f"the game is {state}: undo() takes the last move back")):
            move((0, 2))
    with pytest.raises(GameError, match=says(f"the game is {state}")):
        game.mark_all([(0, 1)])
    game.undo()
    assert game.board == Board.blank(1, 3, mines=1)
    with pytest.raises(GameError, match="there is no move to take back"):
        game.undo()


@pytest.mark.parametrize("cell", [(4, 0), (0, -1)])
def test_a_cell_off_the_board_is_an_error(cell: Cell) -> None:
    game = Game(LAYOUT)
    for move in (game.open, game.mark, game.unmark):
        with pytest.raises(CellError, match=says(f"{cell} is not on the 4×4 board")):
            move(cell)


def test_a_game_shows_itself_short() -> None:
    game = Game(Layout.parse("..*"))
    game.mark((0, 2))
    assert repr(game) == "<Game: playing after 1 move on 1×3 with 1 mine>"


@given(games())
def test_taking_everything_back_leads_to_the_blank_board(game: Game) -> None:
    moves = list(game.moves)
    while game.moves:
        assert game.undo() == moves.pop()
        again = Game(game.layout)
        for move in game.moves:
            again.apply(move)
        assert (again.board, again.state) == (game.board, game.state)
    blank = Game(game.layout)
    assert not moves
    assert (game.board, game.state, game.exploded) == (blank.board, blank.state, None)


@given(st.data())
def test_a_flood_is_the_least_closed_set(data: st.DataObject) -> None:
    layout = data.draw(layouts())
    game = Game(layout)
    cell = data.draw(cells(layout.height, layout.width))
    if layout.is_mine(cell):
        return
    # The slow and obvious way: open around zeros until nothing changes.
    expected = {cell}
    while True:
        around = {n for c in expected if layout.number(c) == 0 for n in game.board.neighbours(c)}
        if around <= expected:
            break
        expected |= around
    assert game.open(cell) == tuple(sorted(expected))
    assert all(game.board[c] == layout.number(c) for c in expected)


def test_moves_between_won_games_do_not_leak() -> None:
    first, second = Game(LAYOUT), Game(LAYOUT)
    first.open((0, 0))
    assert second.board == Board.blank(4, 4, mines=2)


def test_a_chord_opens_all_around_or_explodes() -> None:
    layout = Layout.parse("*..\n...\n..*")
    game = Game(layout)
    game.open((1, 1))
    for cell in ((0, 0), (2, 2)):
        game.mark(cell)
    before = game.board
    revealed = game.chord((1, 1))
    assert set(revealed) == {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}
    assert game.state == "won"
    assert game.undo() == Move("chord", (1, 1))
    assert (game.board, game.state) == (before, "playing")
    game.unmark((0, 0))
    game.mark((0, 1))
    wrong = game.board
    assert game.chord((1, 1)) == ()
    assert (game.state, game.exploded, game.board) == ("lost", (0, 0), wrong)
    game.undo()
    assert (game.state, game.exploded) == ("playing", None)


def test_a_chord_that_opens_nothing_is_no_move() -> None:
    game = Game(Layout.parse("..*"))
    game.open((0, 1))
    game.mark((0, 2))
    game.open((0, 0))
    game.undo()
    assert game.chord((0, 1)) == ((0, 0),)
    game = Game(Layout.parse("0*.".replace("0", ".")))
    game.open((0, 0))
    game.mark((0, 1))
    moves = game.moves
    assert game.chord((0, 0)) == ()
    assert game.moves == moves
    with pytest.raises(GameError, match=r"\(0, 0\) is open all around already"):
        game.apply(Move("chord", (0, 0)))
