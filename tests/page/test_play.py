"""Playing: by mouse, keys and touch; hints, undo after death, the solver, and on to review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from msat.analysis import analyze
from msat.board import Board, Cell
from msat.coach.levels import hint
from msat.layout import Layout
from tests.page.driver import Driver

if TYPE_CHECKING:
    from playwright.sync_api import Route


@pytest.fixture
def game(page: Driver) -> Driver:
    """A beginner's game of a fixed seed, nothing opened yet."""
    return begin(page)


def begin(page: Driver, seed: int = 7) -> Driver:
    page.page.get_by_role("navigation").get_by_role("button", name="Play").click()
    page.button("Beginner").click()
    page.page.get_by_label("seed").fill(str(seed))
    page.page.get_by_label("seed").press("Enter")
    assert page.board() == Board.blank(9, 9, 10)
    return page


def layout(seed: int = 7, start: Cell = (4, 4)) -> Layout:
    return Layout.random(9, 9, 10, seed=seed, start=start, first="open")


def opened(page: Driver) -> None:
    """Wait for the layout, which the first click asks for."""
    page.page.wait_for_function("() => document.querySelectorAll('msat-board .open').length > 0")


def mine_of(laid: Layout) -> Cell:
    return min(laid.cells)


def _all() -> list[Cell]:
    return [(row, col) for row in range(9) for col in range(9)]


def test_a_mine_ends_the_game_and_undo_takes_it_back(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    before = game.board()
    game.cell(*mine_of(layout())).click()
    game.page.get_by_role("heading", name="That was a mine").wait_for()
    assert game.cells("exploded") == {mine_of(layout())}
    assert game.cells("shown-mine") == set(layout().cells)
    game.page.locator(".card-ending").get_by_role("button", name="Undo").click()
    assert game.board() == before
    assert game.cells("exploded") == set()


def test_hints_give_away_one_level_after_the_other(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    board = game.board()
    for level in range(1, 6):
        game.keys("i")
        game.page.locator(f'.ladder[aria-label="Level {level} of 5"]').wait_for()
        expected = hint(board, level)
        assert game.cells("clue") == set(expected.clues)
        assert game.cells("target") == ({expected.cell} if expected.cell else set())
    game.button("Open it").click()
    assert game.board() != board


def test_the_solver_plays_a_step_until_a_guess_and_to_the_end(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    before = game.board()
    game.button("Step").click()
    game.page.wait_for_function(
        "(count) => document.querySelectorAll('msat-board .open').length > count", arg=len(_open(before))
    )
    game.button("Until a guess").click()
    game.page.locator(".notice, .card-ending").first.wait_for()
    assert not analyze(game.board()).safe
    if not game.page.locator(".card-ending").count():
        game.button("To the end").click()
    game.page.locator(".card-ending").wait_for()
    game.button("Review this game").click()  # its record replays: no move was made after the end
    game.page.locator(".card-verdict").wait_for()


def _open(board: Board) -> list[Cell]:
    return [cell for cell in _all() if board[cell] >= 0]


def test_the_same_board_again_and_a_new_one(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    began = game.board()
    game.cell(*mine_of(layout())).click()
    game.button("Same board again").click()
    assert game.board() == began
    game.page.locator(".counters").get_by_role("button", name="New game").click()
    assert game.board() == Board.blank(9, 9, 10)


def test_a_board_without_guesses_is_solved_by_logic(page: Driver) -> None:
    begin(page)
    page.page.get_by_label("no guessing needed").check()
    page.cell(4, 4).click()
    opened(page)
    page.button("Until a guess").click()
    page.page.get_by_role("heading", name="Won").wait_for()


def test_a_game_goes_to_the_analyser_and_back_and_is_kept(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    board = game.board()
    game.button("Analyse this").click()
    game.answered()
    assert game.board() == board
    game.page.get_by_role("navigation").get_by_role("button", name="Play").click()
    assert game.board() == board
    game.page.wait_for_function("() => location.hash.endsWith('&mode=play')")
    game.page.reload()
    opened(game)
    assert game.board() == board
    assert game.page.locator(".counters").is_visible()


def test_any_position_can_be_played_on(page: Driver) -> None:
    board = Board.parse("?????/12?21/00?00/?????:3")
    page.show(board)
    page.button("Play on").click()
    page.page.locator(".counters").wait_for()
    opened(page)
    assert {cell for cell in board.revealed if page.board()[cell] == board[cell]} == set(board.revealed)


def test_who_moves_does_not_wait_for_a_hint(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    game.page.route("**/api/v1/hint", lambda _: None)  # it never comes
    game.keys("i")
    game.page.locator(".card-work").wait_for()
    safe = min(cell for cell in game.board().hidden if cell not in layout().cells)
    game.cell(*safe).click()
    game.settled()
    assert game.board()[safe] >= 0
    assert not game.page.locator(".card-work").count()


def test_who_flags_while_mines_are_laid_still_gets_a_game(game: Driver) -> None:
    waiting: list[Route] = []
    game.page.route("**/api/v1/generate", lambda route: waiting.append(route))
    game.cell(4, 4).click()
    game.page.locator(".card-work").wait_for()
    game.cell(0, 0).focus()
    game.keys("f")
    waiting[0].continue_()
    opened(game)


def test_a_seed_is_kept_with_its_board_and_what_is_none_is_refused(game: Driver) -> None:
    game.cell(4, 4).click()
    opened(game)
    game.cell(*mine_of(layout())).click()
    game.button("Same board again").click()
    game.page.locator(".card-options summary").click()
    game.page.evaluate("() => window.dispatchEvent(new Event('resize'))")
    game.settled()  # drawn anew, as with every tick of the clock: what was opened stays open
    assert "This board: seed 7" in game.page.locator(".card-options").inner_text()
    before = game.board()
    for wrong in ("seven", "-1", "1e3", "9" * 16):
        game.page.get_by_label("seed", exact=True).fill(wrong)
        game.page.get_by_label("seed", exact=True).press("Enter")
        game.settled()
        assert wrong in game.page.get_by_role("alert").inner_text()
        assert game.board() == before
