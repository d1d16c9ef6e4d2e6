"""Every gesture of setting up and of playing: by mouse, by keys alone, by touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msat.analysis import analyze
from msat.board import HIDDEN, MINE, Board, Cell
from msat.game import Game
from msat.layout import Layout
from tests.page.driver import PHONE, Driver

BRUSHES = {"Hidden": HIDDEN, "Flag": MINE} | {str(number): number for number in range(9)}
BLANK = Board.blank(4, 12, 9)


def _row(page: Driver, row: int) -> list[int]:
    board = page.board()
    return [board[row, col] for col in range(board.width)]


def _tab_to(page: Driver, name: str, key: str = "Tab") -> None:
    """Press Tab until something of this name has the focus."""
    for _ in range(60):
        page.keys([key])
        label = page.page.evaluate(
            """() => {
              const element = document.activeElement;
              const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent;
              return (label ?? element.textContent).trim();
            }"""
        )
        if label.startswith(name):
            return
    raise AssertionError(f"{name} was not reached by {key}")


# Setting up


def test_the_mouse_sets_up_a_position(page: Driver) -> None:
    page.show(BLANK)
    for col, name in enumerate(BRUSHES):
        page.brush(name)
        page.cell(0, col).click()
    assert _row(page, 0) == [*BRUSHES.values(), HIDDEN]

    page.brush("3")
    page.cell(1, 0).hover()
    page.page.mouse.down()
    page.cell(1, 9).hover()  # at once: the cells between are painted, too
    page.page.mouse.up()
    assert _row(page, 1) == [3] * 10 + [HIDDEN] * 2
    page.button("Undo").click()
    assert _row(page, 1) == [HIDDEN] * 12  # a stroke is one step
    page.button("Redo").click()
    assert _row(page, 1) == [3] * 10 + [HIDDEN] * 2

    page.cell(2, 0).hover()
    page.page.mouse.down(button="right")
    page.cell(2, 3).hover()
    page.page.mouse.up(button="right")
    page.cell(2, 1).click(button="right")
    assert _row(page, 2)[:5] == [MINE, HIDDEN, MINE, MINE, HIDDEN]

    page.brush("Look")
    page.cell(3, 0).click()  # only looks
    turned = []
    for _ in range(11):
        page.page.mouse.wheel(0, -100)
        turned.append(_row(page, 3)[0])
    assert turned == [*range(9), MINE, HIDDEN]
    page.page.mouse.wheel(0, 100)
    page.page.mouse.wheel(0, 100)
    assert _row(page, 3)[0] == 8

    page.button("Clear").click()
    assert page.board() == BLANK


def test_keys_alone_set_up_a_position(page: Driver) -> None:
    page.show(BLANK)
    _tab_to(page, "row 0, column 0")
    page.keys("0")
    page.settled()  # the welcome goes, and the focus stays
    assert page.page.evaluate("() => document.activeElement.dataset.col") == "1"
    page.keys("12345678fh")
    assert _row(page, 0) == [*range(9), MINE, HIDDEN, HIDDEN]
    page.keys(["ArrowDown", "Home", "1", "ArrowUp", "ArrowLeft", "Delete", "Backspace"])
    assert _row(page, 0)[:3] == [HIDDEN, HIDDEN, 2]  # forwards, and backwards
    assert _row(page, 1)[0] == 1
    page.keys(["Control+End", "5", "Control+z", "Control+Shift+z", "Control+z"])
    assert page.board()[3, 11] == HIDDEN
    page.keys(["Control+y"])
    assert page.board()[3, 11] == 5

    _tab_to(page, "Look")
    page.keys(["ArrowRight"] * 3)  # Hidden, Flag, 0
    page.keys(["ArrowDown"] * 4)
    page.settled()
    assert page.page.get_by_role("radio", checked=True).get_attribute("aria-label") == "4"
    _tab_to(page, "row ", "Shift+Tab")
    page.keys(["Control+Home", " ", "ArrowDown", "Enter"])  # the brush paints, and the cursor stays
    assert [page.board()[cell] for cell in [(0, 0), (1, 0), (2, 0)]] == [4, 4, HIDDEN]

    for name, typed in (("rows", "2"), ("columns", "3"), ("mines", "1")):
        page.settled()
        _tab_to(page, name)
        page.keys(["Control+a", typed, "Enter"])
    assert page.board() == Board.parse("4?2/4??:1")
    _tab_to(page, "Settings", "Shift+Tab")
    page.keys(["Enter"])
    assert page.page.locator("dialog[open]").count() == 1
    page.keys(["Escape"])
    assert page.page.locator("dialog[open]").count() == 0


def test_fingers_set_up_a_position(open_page: Any) -> None:
    page: Driver = open_page(**PHONE)
    page.show(BLANK)
    page.button("Dismiss the welcome").tap()
    for col, name in enumerate(BRUSHES):
        page.page.get_by_role("radio", name=name, exact=True).tap()
        page.cell(0, col).tap()
    assert _row(page, 0) == [*BRUSHES.values(), HIDDEN]

    page.page.get_by_role("radio", name="2", exact=True).tap()
    page.touch([(2, 0), (2, 1), (2, 4), (3, 4)])
    assert _row(page, 2) == [2] * 5 + [HIDDEN] * 7
    assert _row(page, 3)[4] == 2
    page.button("Undo").tap()
    assert _row(page, 2) == [HIDDEN] * 12

    page.page.get_by_role("radio", name="Look", exact=True).tap()
    page.cell(3, 1).tap()
    page.settled()
    assert "r3c1" in page.page.locator(".card-details").inner_text()
    page.touch([(3, 1)], hold=600)
    assert _row(page, 3)[1] == MINE
    page.touch([(3, 1)], hold=600)
    assert _row(page, 3)[1] == HIDDEN

    mines = page.page.get_by_role("spinbutton", name="mines")
    mines.tap()
    mines.fill("7")
    mines.press("Enter")
    assert page.board().mines == 7


# Playing: a beginner's game of a fixed seed, whose first cell is in the middle

START = (4, 4)
LAYOUT = Layout.random(9, 9, 10, seed=7, start=START, first="open")
CELLS = [(row, col) for row in range(9) for col in range(9)]


def _around(cell: Cell) -> list[Cell]:
    return [
        each for each in CELLS if each != cell and max(abs(each[0] - cell[0]), abs(each[1] - cell[1])) == 1
    ]


def _opened(page: Driver) -> None:
    """Wait for the layout, which the first cell asks for."""
    page.page.wait_for_function("() => document.querySelectorAll('msat-board .open').length > 0")


def _chordable(board: Board) -> Cell:
    """A number with all its mines marked, and something left to open."""
    for cell in CELLS:
        values = [board[each] for each in _around(cell)]
        if board[cell] > 0 and values.count(MINE) == board[cell] and HIDDEN in values:
            return cell
    raise AssertionError("there is none")


def _marked_game() -> Game:
    game = Game(LAYOUT)
    game.open(START)
    for cell in sorted(analyze(game.board).mined):
        game.mark(cell)
    return game


def _plays(
    page: Driver, act: Callable[[Cell], None], flag: Callable[[Cell], None], undo: Callable[[], None]
) -> None:
    """Open, flag, take a flag away, chord, die, and take that back; the page follows `msat.Game`."""
    act(START)
    _opened(page)
    game = _marked_game()
    for cell in sorted(game.board.marked):
        flag(cell)
    assert page.board() == game.board
    marked = min(game.board.marked)
    act(marked)  # a flag keeps its cell closed
    assert page.board() == game.board
    flag(marked)
    assert page.board()[marked] == HIDDEN
    flag(marked)
    page.settled()
    assert page.page.get_by_label("mines left").inner_text() == str(10 - len(game.board.marked))

    number = _chordable(game.board)
    act(number)
    game.chord(number)
    assert page.board() == game.board
    act(min(set(LAYOUT.cells) - set(game.board.marked)))
    page.page.get_by_role("heading", name="That was a mine").wait_for()
    undo()
    assert page.board() == game.board


def _begun(page: Driver) -> Driver:
    page.page.get_by_role("navigation").get_by_role("button", name="Play").click()
    page.button("Beginner").click()
    page.page.get_by_label("seed").fill("7")
    page.page.get_by_label("seed").press("Enter")
    assert page.board() == Board.blank(9, 9, 10)
    return page


def test_the_mouse_plays(page: Driver) -> None:
    _begun(page)
    _plays(
        page,
        lambda cell: page.cell(*cell).click(),
        lambda cell: page.cell(*cell).click(button="right"),
        lambda: page.page.locator("header").get_by_role("button", name="Undo").click(),
    )
    expected = _marked_game()
    number = _chordable(expected.board)
    expected.chord(number)

    def both() -> None:
        page.cell(*number).hover()
        page.page.mouse.down(button="right")
        page.page.mouse.down()
        page.page.mouse.up()
        page.page.mouse.up(button="right")

    def middle() -> None:
        page.cell(*number).click(button="middle")

    for chord in (middle, both):
        page.page.locator("header").get_by_role("button", name="Undo").click()
        assert page.board() == _marked_game().board
        chord()
        assert page.board() == expected.board, chord
    page.page.mouse.wheel(0, -100)  # no number changes by the wheel in a game
    assert page.board() == expected.board
    page.page.locator(".counters").get_by_role("button", name="New game").click()
    assert page.board() == Board.blank(9, 9, 10)


def test_keys_alone_play(page: Driver) -> None:
    at = [0, 0]

    def go(cell: Cell) -> None:
        page.keys(["ArrowDown"] * (cell[0] - at[0]) + ["ArrowUp"] * (at[0] - cell[0]))
        page.keys(["ArrowRight"] * (cell[1] - at[1]) + ["ArrowLeft"] * (at[1] - cell[1]))
        at[:] = cell

    def act(cell: Cell) -> None:
        go(cell)
        page.keys(" ")

    def flag(cell: Cell) -> None:
        go(cell)
        page.keys("f")

    _tab_to(page, "Play")
    page.keys(["Enter"])
    _tab_to(page, "Beginner")
    page.keys(["Enter"])
    _tab_to(page, "seed")
    page.page.keyboard.type("7")
    page.keys(["Enter"])
    _tab_to(page, "row 0, column 0", "Shift+Tab")
    _plays(page, act, flag, lambda: page.keys(["Control+z"]))
    page.keys("i")
    page.page.locator('.ladder[aria-label="Level 1 of 5"]').wait_for()
    before = page.board()
    page.keys("s")
    page.page.wait_for_function(
        "(open) => document.querySelectorAll('msat-board .open').length > open", arg=len(before.revealed)
    )
    page.keys("u")
    assert page.board() == before
    page.keys("n")
    assert page.board() == Board.blank(9, 9, 10)


def test_fingers_play(open_page: Any) -> None:
    page: Driver = _begun(open_page(**PHONE))

    def rest(cell: Cell) -> None:
        page.touch([cell], hold=600)

    header = page.page.locator("header")
    _plays(
        page,
        lambda cell: page.cell(*cell).tap(),
        rest,
        lambda: header.get_by_role("button", name="Undo").tap(),
    )
    page.button("Tap opens").tap()  # and now the other way round
    mine = min(set(LAYOUT.cells) - set(page.board().marked))
    page.cell(*mine).tap()
    assert page.board()[mine] == MINE
    page.cell(*mine).tap()
    assert page.board()[mine] == HIDDEN
    rest(mine)
    page.page.get_by_role("heading", name="That was a mine").wait_for()


def test_two_fingers_zoom_and_paint_nothing(open_page: Any) -> None:
    page: Driver = open_page(**PHONE)
    board = Board.blank(9, 9, 10)
    page.button("Paint your own").tap()
    page.brush("3")
    assert page.board() == board
    size = "document.querySelector('msat-board').cellSize"
    before = page.page.evaluate(size)
    page.pinch((2, 2), (6, 6), by=1.6)
    assert page.page.evaluate(size) > 1.3 * before
    assert page.board() == board  # what the first finger had painted is taken back
    page.button("Fit the board").tap()
    page.settled()
    assert page.page.evaluate(size) == before
    page.touch([(5, 5)])
    assert page.board()[5, 5] == 3


def test_a_pinch_leaves_the_page_and_fitting_brings_the_board_back(open_page: Any) -> None:
    page: Driver = open_page(**PHONE)
    page.button("Paint your own").tap()
    page.settled()
    scrolled = "() => { window.scrollTo(0, 40); return window.scrollY; }"
    before = page.page.evaluate(scrolled)
    page.pinch((2, 2), (6, 6), by=0.6)  # smaller: nothing is left to be moved on the board itself
    assert page.page.evaluate("() => window.scrollY") == before
    page.pinch((2, 2), (6, 6), by=4)
    page.page.locator(".fit").evaluate("(bar) => bar.scrollIntoView({ block: 'start' })")
    box = page.page.locator("msat-board").bounding_box()
    assert box is not None
    assert box["y"] < 0
    page.button("Fit the board").tap()
    page.settled()
    box = page.page.locator("msat-board").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 740


def test_words_are_those_of_the_means_in_use(open_page: Any) -> None:
    phone: Driver = open_page("#mode=play", **PHONE)
    phone.page.get_by_role("heading", name="Tap anywhere to begin").wait_for()
    session = phone.context.new_cdp_session(phone.page)
    session.send(
        "Emulation.setTouchEmulationEnabled", {"enabled": False}
    )  # as while a whole page is pictured
    assert not phone.page.evaluate("() => matchMedia('(pointer: coarse)').matches")
    phone.page.evaluate("() => window.dispatchEvent(new Event('resize'))")
    phone.settled()
    assert phone.page.get_by_role("heading", name="Tap anywhere to begin").count() == 1
    assert phone.button("Tap opens").is_visible()

    both: Driver = open_page("#mode=play")  # a screen that can be touched, with a mouse
    heading = both.page.get_by_role("heading", name="Click anywhere to begin")
    heading.wait_for()
    assert not both.button("Tap opens").is_visible()
    press = """(kind) => document.body.dispatchEvent(
      new PointerEvent('pointerdown', { pointerType: kind, bubbles: true }))"""
    both.page.evaluate(press, "touch")
    both.page.get_by_role("heading", name="Tap anywhere to begin").wait_for()
    assert both.button("Tap opens").is_visible()
    both.page.evaluate(press, "mouse")
    heading.wait_for()


# Looking


def test_why_is_walked_through_by_keys_and_by_buttons(page: Driver) -> None:
    page.show(Board.parse("?????/12?21/00?00/?????:3"))
    page.cell(0, 2).focus()
    page.keys("w")
    sentences = page.page.locator(".proof li")
    sentences.first.wait_for()
    count = sentences.count()
    assert count >= 2
    now = page.page.locator(".proof li[aria-current=step]")
    assert now.count() == 0
    for number in range(count):
        page.keys("w")
        page.settled()
        assert now.inner_text() == sentences.nth(number).inner_text()
    page.keys("w")
    page.settled()
    assert now.count() == 0
    page.keys(["Shift+W"])
    page.settled()
    assert now.inner_text() == sentences.nth(count - 1).inner_text()
    page.button("Previous").click()
    page.settled()
    assert now.inner_text() == sentences.nth(count - 2).inner_text()
    page.button("Next").click()
    page.settled()
    assert now.inner_text() == sentences.nth(count - 1).inner_text()
    page.button("Show all").click()
    page.settled()
    assert now.count() == 0
