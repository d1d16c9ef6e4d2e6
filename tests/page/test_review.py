"""A review in the page has the marks of `msat.review`; the trainer judges as msat does."""

from __future__ import annotations

from pathlib import Path

import pytest

from msat.analysis import analyze
from msat.coach.best_move import best_move
from msat.coach.review import review
from msat.game import Game
from msat.layout import Layout
from msat.record import Record
from msat.replays import write_rawvf
from tests.page.driver import Driver
from tests.support import replay_files as others


def _record() -> Record:
    """A small game, judged exactly, with a needless risk and a fatal guess."""
    game = Game(Layout.parse("....*\n.....\n*....\n....*"))
    game.open((0, 1))
    for cell in [(3, 1), (0, 4)]:
        if game.state == "playing" and game.board[cell] < 0:
            game.open(cell)
    return game.record


def test_the_marks_are_those_of_the_review(page: Driver) -> None:
    record = _record()
    judged = review(record)
    page.drop("game.json", record.to_json())
    page.page.locator(".card-verdict h2").wait_for()
    assert "of your chances" in page.page.locator(".card-verdict").inner_text()
    marked = page.page.locator(".point").evaluate_all("(marks) => marks.map((m) => Number(m.dataset.move))")
    risky = {move.number for move in judged.moves if move.kind in ("guess", "needless", "blunder")}
    assert set(marked) == risky | set(judged.mistakes)
    bad = page.page.locator(".point.bad").evaluate_all("(marks) => marks.map((m) => Number(m.dataset.move))")
    worse = {move.number for move in judged.moves if move.kind in ("needless", "blunder")}
    assert set(bad) == worse | set(judged.mistakes)


def test_keys_walk_through_a_game_and_it_can_be_played_on(page: Driver) -> None:
    record = _record()
    page.drop("game.json", record.to_json())
    page.page.locator(".card-verdict h2").wait_for()
    boards = [Game(record.layout).board, *record.replay()]
    page.keys(["Home"])
    assert page.board() == boards[0]
    page.keys(["ArrowRight"])
    assert page.board() == boards[1]
    risky = [move.number for move in review(record).moves if move.kind in ("guess", "needless", "blunder")]
    page.keys(["Home", "Shift+ArrowRight"])
    assert page.board() == boards[risky[0] - 1]
    assert len(page.cells("chosen")) == 1
    page.keys(["End", "ArrowLeft"])
    assert page.board() == boards[len(record.moves) - 1]
    page.button("Play on from here").click()
    page.page.locator(".counters").wait_for()
    assert page.board() == boards[len(record.moves) - 1]


def test_flags_without_a_mine_are_shown_in_a_review(page: Driver) -> None:
    game = Game(Layout.parse("....*\n.....\n*....\n....*"))
    game.open((0, 1))
    game.mark((0, 4))
    game.mark((3, 0))
    page.drop("game.json", game.record.to_json())
    page.page.locator(".card-flags").wait_for()
    assert page.cells("wrong-flag") == {(3, 0)}
    assert "r3c0" in page.page.locator(".card-flags").inner_text()


@pytest.mark.parametrize("form", ["rawvf", "msor", "evf"])
def test_a_game_of_another_program_is_reviewed(page: Driver, form: str) -> None:
    record = others.played(Layout.random(6, 6, 5, seed=3, start=(2, 2)))
    if form == "evf":
        pytest.importorskip("ms_toollib")
        page.drop_bytes("game.evf", others.BINARY["evf"](record))
    else:
        page.drop("game.txt", write_rawvf(record) if form == "rawvf" else others.msor(record))
    page.page.locator(".timeline").wait_for()
    page.page.locator(".card-verdict h2").wait_for()
    page.keys(["End", "ArrowLeft"])
    assert page.board() == [Game(record.layout).board, *record.replay()][len(record.moves) - 1]


def test_what_is_no_replay_is_told(page: Driver) -> None:
    page.drop("game.rawvf", "RawVF_Version: Rev6.2\nWidth: 3")
    page.page.get_by_role("alert").wait_for()
    assert "no line 'Board:'" in page.page.get_by_role("alert").inner_text()


def test_the_trainer_asks_for_a_safe_cell_and_tells_what_was_missed(page: Driver) -> None:
    page.page.get_by_role("navigation").get_by_role("button", name="Train").click()
    page.button("Gentle").click()
    page.page.get_by_role("heading", name="Find a safe cell").wait_for()
    board = page.board()
    safe = analyze(board).safe
    assert safe
    wrong = next(cell for cell in board.hidden if cell not in safe)
    page.cell(*wrong).click()
    page.page.locator(".card-answer h2.wrong").wait_for()
    assert "You missed" in page.page.locator(".card-answer").inner_text()
    assert page.cells("better") <= safe
    assert page.cells("mistaken") == {wrong}
    page.button("Next").click()
    page.page.get_by_role("heading", name="Find a safe cell").wait_for()
    page.cell(*min(analyze(page.board()).safe)).click()
    page.page.locator(".card-answer h2.right").wait_for()
    assert "1 of 2" in page.page.locator(".card-score").inner_text()


def test_a_first_review_has_an_example(page: Driver) -> None:
    page.page.get_by_role("navigation").get_by_role("button", name="Review").click()
    page.button("See an example").click()
    page.page.locator(".card-verdict .figures").wait_for()
    page.button("Share").click()
    with page.page.expect_download() as download:
        page.button("Save the game").click()
    page.page.keyboard.press("Escape")
    judged = review(Record.from_json(Path(download.value.path()).read_text("utf-8")))
    kinds = {move.kind for move in judged.moves}
    assert {"needless", "guess", "proven"} <= kinds
    assert len(judged.mistakes) == 2
    assert page.page.locator(".point.bad").count() == 2


def test_the_cell_of_the_decision_is_told_of_and_the_end_shows_the_truth_alone(page: Driver) -> None:
    record = _record()
    page.drop("game.json", record.to_json())
    page.page.locator(".card-verdict .figures").wait_for()
    page.settled()
    for kind in ("warm", "dead", "may-open"):
        assert page.cells(kind) == set(), kind
    assert not page.page.locator(".card-details").count()
    page.cell(0, 0).click()
    page.page.locator(".card-details").get_by_role("heading", name="r0c0").wait_for()
    page.page.mouse.move(2, 2)
    for _ in record.moves:
        page.button("Back").click()
        page.settled()
        [chosen] = page.cells("chosen")
        name = f"r{chosen[0]}c{chosen[1]}"
        page.page.locator(".card-details").get_by_role("heading", name=name).wait_for()


def test_a_review_that_was_not_answered_is_asked_again(page: Driver) -> None:
    page.page.route("**/api/v1/review", lambda route: route.abort())
    page.drop("game.json", _record().to_json())
    page.page.get_by_role("heading", name="Not judged").wait_for()
    page.page.unroute("**/api/v1/review")
    page.button("Try again").click()
    page.page.locator(".card-verdict .figures").wait_for()
    assert not page.page.locator(".card-error").count()


def test_the_trainer_has_guesses_where_it_matters_which_one_is_made(page: Driver) -> None:
    page.page.get_by_role("navigation").get_by_role("button", name="Train").click()
    page.button("Guess").click()
    page.page.get_by_role("heading", name="Nothing can be proven").wait_for()
    board = page.board()
    assert not analyze(board).safe
    advice = best_move(board, seconds=0.3)
    assert advice.win is not None
    wins = [each.win for each in advice.alternatives if each.win is not None]
    assert min(wins) < advice.win
    assert advice.cell is not None
    page.cell(*advice.cell).click()
    page.page.locator(".card-answer h2.right").wait_for()
