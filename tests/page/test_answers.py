"""What the page answers is what msat answers: chances, proofs, candidates, judged flags."""

from __future__ import annotations

from typing import Any

from msat.analysis import analyze
from msat.board import Board
from msat.coach.marks import judge_marks
from msat.errors import InconsistentBoard
from msat.explanation.explanation import explain
from msat.game import Game
from msat.layout import Layout
from tests.conftest import scaled
from tests.page.driver import Driver
from tests.support.clock import wait_until
from tests.support.command import ended, process
from tests.support.positions import small_boards

EASY = Board.parse("?????/12?21/00?00/?????:3")
GUESS = Board.parse("????????/????????/???32???/???21???/????????:8")


# How many questions are under way at once; those that were cancelled are not.
_COUNTING = """() => {
  const asked = new Set(), fetched = window.fetch;
  window.most = 0;
  window.fetch = (address, options) => {
    const question = { signal: options?.signal };
    asked.add(question);
    window.most = Math.max(window.most, [...asked].filter((each) => !each.signal?.aborted).length);
    const answer = fetched(address, options);
    answer.catch(() => null).then(() => asked.delete(question));
    return answer;
  };
}"""


def _boards(count: int) -> list[Board]:
    """Small boards of every kind, and some expert ones in the middle of a game."""
    boards = [board.without_marks() for board in small_boards(count - 5, seed=20)]
    for seed in range(5):
        game = Game(Layout.random(16, 30, 99, seed=seed, start=(4, 4)))
        game.open((4, 4))
        for cell in sorted(analyze(game.board).safe)[:20]:
            game.open(cell)
        boards.append(game.board)
    return boards


def test_chances_are_those_of_msat(page: Driver) -> None:
    for board in _boards(max(6, scaled(100))):
        try:
            expected = analyze(board).probability
        except InconsistentBoard:
            page.show(board, "impossible")
            assert page.cells("culprit") or page.page.get_by_role("button", name="Set the total").count()
            continue
        page.show(board)
        shown = page.probabilities()
        assert set(shown) == set(board.hidden)
        wrong = {cell: value for cell, value in shown.items() if abs(value - expected[cell]) > 1e-9}
        assert wrong == {}, board


def test_why_lights_the_clues_of_the_proof_in_steps(page: Driver) -> None:
    page.show(EASY)
    found = analyze(EASY)
    proofs = [explain(EASY, cell) for cell in sorted(found.safe | found.mined)]
    proof = max(proofs, key=lambda each: str(each).count(";"))
    forced = proof.cell
    page.cell(*forced).focus()
    page.keys("w")
    page.page.locator(".proof li").first.wait_for()
    assert page.cells("clue") == set(proof.clues)
    assert page.cells("target") == {forced}
    assert page.page.locator(".proof li").count() >= 2
    told = "; ".join(page.page.locator(".proof li > span").all_inner_texts()).lower()
    assert "; ".join(proof.lines()).split(": ", 1)[1].lower() == told
    page.page.locator(".proof .pick").first.click()
    page.settled()
    assert page.cells("current")
    page.keys(["Escape"])
    page.settled()
    assert page.cells("clue") == set()


def test_an_undecided_cell_has_a_layout_with_a_mine_there_and_one_without(page: Driver) -> None:
    board = Board.parse("*???????/????????/???32???/???21???/????????:8")
    page.show(board)
    page.cell(4, 7).focus()
    page.keys("w")
    for name, mine in (("One with a mine there", True), ("One without", False)):
        page.button(name).click()
        page.settled()
        mines = page.cells("witness-mine")
        assert mines | page.cells("witness-free") == set(board.hidden) | set(board.marked)
        assert len(mines) == board.mines
        assert ((4, 7) in mines) is mine
        for row, col in board.revealed:
            around = {(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2)}
            assert len(mines & around) == board[row, col]
    page.button("One without").click()
    page.settled()
    assert page.cells("witness-mine") == set()


def test_a_guess_has_a_table_of_candidates_that_lights_its_cells(page: Driver) -> None:
    page.show(GUESS)
    rows = page.page.locator(".card-candidates tbody tr")
    rows.first.wait_for()
    assert rows.count() >= 2
    assert len(page.cells("best")) == 1
    assert len(page.cells("candidate")) == rows.count() - 1
    rows.nth(1).hover()
    page.settled()
    assert page.cells("pointed") <= page.cells("candidate")
    assert len(page.cells("pointed")) == 1


def test_candidates_come_before_their_chance_to_win(open_page: Any) -> None:
    """A service that was just started plays games slowly: what is known without them is shown at once."""
    page: Driver = open_page()
    kept = []

    def answer(route: Any) -> None:
        if "budget" not in route.request.post_data_json:
            kept.append(route)
            return
        found = route.fetch(headers={**route.request.headers, "accept": "application/json"}).json()
        for move in (found, *found["alternatives"]):
            move["win"] = None
        route.fulfill(json=found)

    page.page.route("**/api/v1/hint", answer)
    page.show(GUESS)
    card = page.page.locator(".card-candidates")
    card.locator("table").wait_for()
    assert "wins" not in card.inner_text()
    assert "Playing games" in card.inner_text()
    wait_until(lambda: bool(page.page.evaluate("1")) and bool(kept))
    kept[0].continue_()
    card.get_by_role("columnheader", name="wins").wait_for()
    assert card.get_by_role("progressbar").count() == 0


def test_the_chance_to_win_waits_for_a_service_that_compiles(open_page: Any) -> None:
    """Before that it is not told at all, and nobody asked again afterwards."""
    page: Driver = open_page()
    asked = []
    compiling = True

    def answer(route: Any) -> None:
        asked.append(route.request.post_data_json)
        found = route.fetch(headers={**route.request.headers, "accept": "application/json"}).json()
        if compiling:
            for move in (found, *found["alternatives"]):
                move["win"] = None
        route.fulfill(json=found)

    page.page.route("**/api/v1/hint", answer)
    page.page.route(
        "**/readyz", lambda route: route.fulfill(json={"status": "ready", "compiling": compiling})
    )
    page.show(GUESS)
    card = page.page.locator(".card-candidates")
    card.get_by_text("compiling, once on its machine").wait_for()
    assert len(asked) == 1
    compiling = False
    card.get_by_role("columnheader", name="wins").wait_for()
    assert len(asked) == 2


def test_details_follow_the_pointer_and_show_the_numbers(page: Driver) -> None:
    page.show(GUESS)
    page.cell(0, 0).hover()
    page.page.locator(".bars").wait_for()
    numbers = [float(each) for each in analyze(GUESS).numbers(0, 0)]
    shares = page.page.locator(".bars li").evaluate_all(
        "(bars) => bars.map((bar) => Number(bar.style.getPropertyValue('--share')))"
    )
    most = max(numbers)
    assert [round(share, 6) for share in shares] == [round(number / most, 6) for number in numbers]
    told = page.page.locator(".bars .share").all_inner_texts()
    likely = f"{most / sum(numbers):.0%}".rstrip("%")  # as the sentences about a guess: if it is safe
    assert sum(numbers) < 0.99
    assert likely in told
    assert "r0c0" in page.page.locator(".card-details").inner_text()


def test_a_cell_has_the_name_that_the_command_line_gives_it(page: Driver) -> None:
    board = Board.parse("??1/3?2/???:3")
    _, printed, _ = ended(process("solve", "??1/3?2/??? 3"))
    drawn = printed.splitlines()
    assert "open r2c2, proven safe" in drawn
    page.show(board)
    edges = page.page.locator("msat-board .edge-top").inner_text().split()
    assert edges == drawn[0].split() == ["0", "1", "2"]
    edges = page.page.locator("msat-board .edge-left").inner_text().split()
    assert edges == [line.split()[0] for line in drawn[1:4]]
    page.button("Why?").click()
    page.page.locator(".card-why .proof").wait_for()
    assert page.page.locator(".card-why h2").inner_text() == "r2c2 is safe"
    page.page.keyboard.press("w")  # goes on with the cell that the button asked about
    page.page.locator(".card-why .now").wait_for()
    assert page.page.locator(".card-why h2").inner_text() == "r2c2 is safe"


def test_flags_are_judged(page: Driver) -> None:
    board = Board.parse("*????/12*21/00?00/?????:3")
    page.show(board)
    for cell, mark in judge_marks(board).items():
        assert cell in page.cells(f"mark-{mark.verdict}"), (cell, mark)


def test_what_is_not_certain_is_never_rounded_to_certainty(page: Driver) -> None:
    page.show(Board.blank(20, 20, 1))
    assert page.cell(0, 0).inner_text() == "<1"
    page.show(Board.blank(20, 20, 399))
    assert page.cell(0, 0).inner_text() == ">99"


def test_painting_fast_asks_one_question_at_a_time_and_ends_right(open_page: Any) -> None:
    page: Driver = open_page()
    page.page.evaluate(_COUNTING)
    page.show(Board.blank(16, 30, 99))
    page.cell(5, 5).focus()
    page.keys("111111111111")
    page.answered()
    board = page.board()
    expected = analyze(board).probability
    assert all(abs(chance - expected[cell]) < 1e-9 for cell, chance in page.probabilities().items())
    assert page.page.evaluate("() => window.most") == 1


def test_low_and_high_chances_have_colours_of_their_own(page: Driver) -> None:
    board = Board.parse("????????/????????/???32???/???21???/????????:8")
    page.show(board)
    chances = page.probabilities()
    ends = [min(chances, key=chances.__getitem__), max(chances, key=chances.__getitem__)]
    colours = [page.cell(*cell).evaluate("(cell) => getComputedStyle(cell).backgroundColor") for cell in ends]
    assert len(set(colours)) == 2


def test_an_impossible_board_offers_what_would_make_it_possible(page: Driver) -> None:
    page.show(Board.parse("?????/12?21/00?00/?4???:3"), state="impossible")
    page.button("r3c1 is a 0").click()
    page.answered()
    assert page.board()[3, 1] == 0


def test_candidates_come_although_the_numbers_cannot_be_told(open_page: Any) -> None:
    page: Driver = open_page()
    problem = {"status": 504, "title": "too long", "detail": "the budget was not enough"}
    page.page.route("**/api/v1/cells", lambda route: route.fulfill(status=504, json=problem))
    page.show(GUESS)
    page.page.locator(".card-candidates table").wait_for()
    assert not page.page.locator(".bars").count()
