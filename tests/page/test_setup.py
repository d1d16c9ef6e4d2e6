"""Setting up a position: by mouse, by keys alone, by touch, by paste, by file; undo and redo."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from msat.board import Board
from msat.game import Game
from msat.layout import Layout
from tests.page.driver import Driver, line_of

if TYPE_CHECKING:
    from collections.abc import Callable

BOARD = Board.parse("?????/12?21/00?00/?????:3")


def test_a_first_visit_finds_a_position_that_is_answered(page: Driver) -> None:
    page.answered()
    assert page.board().shape == (16, 30)
    for name in ("Paint your own", "Play", "Review a game"):
        assert page.page.locator(".hero").get_by_role("button", name=name).is_visible()


def test_the_board_stays_below_the_pointer_that_paints(page: Driver) -> None:
    before = page.cell(2, 20).bounding_box()
    page.brush("1")
    page.cell(2, 20).click()
    page.settled()
    assert page.cell(2, 20).bounding_box() == before
    page.page.mouse.move(2, 2)
    page.page.locator(".hero").wait_for(state="detached")


def test_looking_changes_nothing(page: Driver) -> None:
    page.show(BOARD)
    page.cell(0, 0).click()
    assert page.board() == BOARD


def test_keys_alone_paint(page: Driver) -> None:
    page.show(Board.blank(3, 4, 5))
    page.cell(0, 0).focus()
    page.keys("12")  # the cursor moves on
    page.keys(["ArrowDown", "f", "0", "ArrowLeft", "h"])
    assert page.board() == Board.parse("12??/??*0/????:5")
    page.keys(["Home", "8", "End", "7", "Delete"])
    assert page.board() == Board.parse("?2??/??*0/8??7:5")


def test_size_and_total_are_typed_and_what_fits_is_kept(page: Driver) -> None:
    page.show(BOARD)
    page.page.get_by_role("spinbutton", name="rows").fill("3")
    page.page.get_by_role("spinbutton", name="rows").press("Enter")
    page.page.get_by_role("spinbutton", name="columns").fill("4")
    page.page.get_by_role("spinbutton", name="columns").press("Enter")
    page.page.get_by_role("spinbutton", name="mines").fill("5")
    page.page.get_by_role("spinbutton", name="mines").press("Enter")
    assert page.board() == Board.parse("????/12?2/00?0:5")
    page.page.get_by_role("spinbutton", name="columns").fill("5")
    page.page.get_by_role("spinbutton", name="columns").press("Enter")
    assert page.board() == Board.parse("?????/12?2?/00?0?:5")


def test_undo_and_redo_of_a_random_walk(page: Driver) -> None:
    chance = random.Random(20)
    first = page.board()
    page.show(BOARD)
    page.cell(0, 0).focus()
    for _ in range(200):
        page.keys([chance.choice("012345678hf"), chance.choice(["ArrowUp", "ArrowDown", "ArrowLeft"])])
    ended = page.board()
    assert ended != BOARD
    page.keys(["Control+z"] * 210)
    assert page.board() == first
    page.keys(["Control+y"])
    assert page.board() == BOARD
    page.keys(["Control+Shift+z"] * 210)
    assert page.board() == ended


PASTED = (
    "grid",
    "line",
    "json",
    "mine",
    "labelled",
    "array",
    "drawing",
    "board",
    "link",
    "white-hidden",
    "blank-hidden",
)


def _started(number: int) -> Board:
    """A board in the middle of a game, each of another width."""
    game = Game(Layout.random(6, 7 + number, 9, seed=number, start=(2, 2)))
    game.open((2, 2))
    return game.board


def test_ten_forms_are_pasted_one_after_the_other(page: Driver) -> None:
    boards = [_started(number) for number in range(len(PASTED) + 2)]
    texts = [board.to_text(form) for board, form in zip(boards, PASTED, strict=False)]
    glued = boards[-2].to_text("line").split()
    texts.append(f"{glued[0]}\nmines: 9".replace("/", "\n").replace("?", "#"))  # rows without spaces
    texts.append(f"https://example.org/#{line_of(boards[-1])}")  # the page's own link, from anywhere
    assert len(set(texts)) == 13
    for board, text in zip(boards, texts, strict=True):
        page.paste(text)
        page.shows(board)
        assert page.board() == board
    page.keys(["Control+z"] * 12)
    page.shows(boards[0])


def test_what_was_not_read_is_forgotten_with_the_next_success(page: Driver) -> None:
    page.show(BOARD)

    def fail() -> None:
        page.paste("no board at all")
        page.page.locator(".notice.bad").wait_for()

    def write_a_one() -> None:
        page.cell(0, 0).focus()
        page.page.keyboard.press("1")

    fail()
    page.paste("??/11:1")
    page.shows(Board.parse("??/11:1"))
    assert page.page.locator(".notice").count() == 0
    acts: list[Callable[[], None]] = [
        lambda: page.page.keyboard.press("Control+z"),
        lambda: page.button("Clear").click(),
        write_a_one,
    ]
    for act in acts:
        fail()
        act()
        page.page.locator(".notice").wait_for(state="detached")


def test_a_text_that_can_be_read_in_two_ways_asks_which(page: Driver) -> None:
    board = _started(3)
    page.paste(board.to_text("dot-hidden"))
    page.button("Dots are hidden").click()
    page.shows(board)
    assert page.page.locator(".notice").count() == 0


def test_a_link_of_the_web_analyser_is_opened(open_page: Any) -> None:
    board = _started(4)
    link = board.to_text("link")
    page: Driver = open_page(link[link.index("?") :].strip())
    page.shows(board)


def test_of_texts_that_are_pasted_at_once_the_last_one_stays(page: Driver) -> None:
    boards = [_started(number) for number in range(6)]
    for board, form in zip(boards, ("json", "line", "mine", "array", "grid", "labelled"), strict=True):
        page.paste(board.to_text(form))
    page.shows(boards[-1])
    page.paste(boards[0].to_text("json"))
    page.show(boards[1])  # a link that comes while a text is still read is not overwritten by it
    page.settled()
    assert page.board() == boards[1]


def test_a_file_is_dropped_and_a_text_without_a_total_takes_one_that_is_possible(page: Driver) -> None:
    page.show(Board.blank(2, 2, 1))
    page.drop("board.txt", BOARD.to_text("grid"))
    page.page.wait_for_function("() => document.querySelector('msat-board').position.height === 4")
    page.paste("???\n111")
    page.page.wait_for_function("() => document.querySelector('msat-board').position.height === 2")
    assert page.board().mines == 1  # not the 3 of the board before: no layout has them
    assert "does not say how many mines" in page.page.locator(".notice").inner_text()


def test_the_text_field_shows_the_position_and_reads_what_is_typed(page: Driver) -> None:
    page.show(BOARD)
    field = page.page.get_by_label("Position")
    assert Board.parse(field.input_value()) == BOARD
    field.fill("??\n11\nmines: 1")
    page.page.wait_for_function("() => document.querySelector('msat-board').position.height === 2")
    assert page.board() == Board.parse("??/11:1")
    field.fill("no board at all")
    page.page.locator("textarea[aria-invalid]").wait_for()
    assert page.board() == Board.parse("??/11:1")


def test_the_address_holds_the_position(page: Driver) -> None:
    page.show(Board.parse("???/111:1"))
    page.cell(0, 0).focus()
    page.keys("f")
    page.page.wait_for_function("() => location.hash === '#*??/111:1'")
    page.page.reload()
    page.answered()
    assert page.board() == Board.parse("*??/111:1")


def test_a_link_is_opened_also_when_the_page_notes_its_position_at_that_moment(page: Driver) -> None:
    page.show(BOARD)
    page.page.evaluate(
        "(link) => { const { hash } = location; location.hash = link; history.replaceState(0, '', hash); }",
        "#???/111:1",
    )
    page.page.wait_for_function("() => document.querySelector('msat-board').position.height === 2")
    page.page.wait_for_function("() => location.hash === '#???/111:1'")


@pytest.mark.parametrize("text", ["1?/8?:3", "1??/???:5"])
def test_an_impossible_board_says_why_and_marks_the_culprits(page: Driver, text: str) -> None:
    from msat.analysis import analyze
    from msat.errors import InconsistentBoard

    board = Board.parse(text)
    with pytest.raises(InconsistentBoard) as wrong:
        analyze(board)
    page.page.evaluate("(link) => { location.hash = link; }", f"#{text}")
    page.answered("impossible")
    assert page.cells("culprit") >= set(wrong.value.clues) - set(board.marked)
    assert "cannot be" in page.page.locator(".card-verdict").inner_text()


def test_letters_are_keys_with_caps_lock_too(page: Driver) -> None:
    page.show(Board.blank(1, 4, 2))
    page.cell(0, 0).focus()
    page.keys(["F", "1", "H", "ArrowLeft", "F"])
    assert page.board() == Board.parse("*1*?:2")


def test_another_position_is_told_of_where_it_is_worth_it(page: Driver) -> None:
    page.show(Board.parse("???/?1?/???:1"))
    page.cell(0, 0).click()
    page.page.locator(".card-details").get_by_role("heading", name="r0c0").wait_for()
    page.paste(BOARD.to_text("line"))
    page.shows(BOARD)
    page.button(
        "Why?"
    ).click()  # about a cell that is safe, not about the one that was chosen on the board before
    page.page.locator(".card-why .proof").wait_for()
    assert "is safe" in page.page.locator(".card-why h2").inner_text()


def test_what_is_held_over_the_page_is_told_where_to_drop(page: Driver) -> None:
    def held(kind: str) -> bool:
        page.page.evaluate(
            "(kind) => void document.body.dispatchEvent(new DragEvent(kind, { bubbles: true }))", kind
        )
        shown = page.page.evaluate("() => getComputedStyle(document.body, '::after').content")
        return "Drop a position" in shown

    assert held("dragover")
    assert not held("dragleave")
    assert held("dragover")
    page.drop("board.txt", BOARD.to_text("line"))
    page.shows(BOARD)
    assert "Drop" not in page.page.evaluate("() => getComputedStyle(document.body, '::after').content")
