"""A service that goes away and comes back, large boards, pictures, and the page beside another port."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from msat.analysis import analyze
from msat.board import Board
from msat.formats.registry import ALL
from tests.page.driver import Driver, Served
from tests.support.clock import wait_until

STATIC = Path(__file__).parents[2] / "msat" / "service" / "static"


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A plain server of files on a port of its own, and the folder that it serves."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", tmp_path
        server.shutdown()


def test_the_page_works_with_the_service_on_another_port(browser: Any, elsewhere: tuple[str, Path]) -> None:
    address, folder = elsewhere
    with Served("--allow-origin", address) as served:
        shutil.copytree(STATIC, folder, dirs_exist_ok=True)
        where = f'<meta name="msat-service" content="{served.address}" />'
        index = folder / "index.html"
        index.write_text(index.read_text("utf-8").replace("<head>", f"<head>{where}"), "utf-8")
        page = Driver(browser, served)
        page.address = address
        page.open()
        board = Board.parse("?????/12?21/00?00/?????:3")
        page.paste(board.to_text("json"))  # asked beforehand: another origin, and JSON
        page.shows(board)
        expected = analyze(board).probability
        assert {cell: round(chance, 9) for cell, chance in page.probabilities().items()} == {
            cell: round(float(expected[cell]), 9) for cell in board.hidden
        }
        page.page.get_by_role("navigation").get_by_role("button", name="Play").click()
        page.cell(4, 4).click()  # answered as a stream of events
        page.page.locator("msat-board .open").first.wait_for()
        page.close()
    asked = [each for each in page.complaints if served.address not in each]
    assert asked == []


def test_a_page_from_elsewhere_that_was_not_allowed_gets_no_answer(
    browser: Any, elsewhere: tuple[str, Path], served: Served
) -> None:
    address, folder = elsewhere
    shutil.copytree(STATIC, folder, dirs_exist_ok=True)
    where = f'<meta name="msat-service" content="{served.address}" />'
    index = folder / "index.html"
    index.write_text(index.read_text("utf-8").replace("<head>", f"<head>{where}"), "utf-8")
    page = Driver(browser, served)
    page.address = address
    page.open()
    page.page.locator(".notice.lost").wait_for()
    assert page.cells("warm") == set()
    page.close()


def test_the_service_comes_and_goes_while_somebody_paints(browser: Any) -> None:
    with Served() as served:
        page = Driver(browser, served)
        page.open()
        page.show(Board.blank(6, 6, 9))
        page.cell(0, 0).focus()
        typed = "112f1h" * 6
        for number, key in enumerate(typed):
            if number % 12 == 3:
                served.stop()
            if number % 12 == 8:
                served.start()
            page.keys(key)
        rows = typed.replace("f", "*").replace("h", "?")
        board = Board.parse("/".join(rows[row : row + 6] for row in range(0, 36, 6)) + ":9")
        assert page.board() == board
        page.keys(["Control+z"] * sum(key != "h" for key in typed))  # hiding what is hidden is no step
        page.shows(Board.blank(6, 6, 9))
        page.keys("1")
        page.answered()
        page.close()
    assert [each for each in page.complaints if "ERR_CONNECTION" not in each] == []


def test_nothing_is_lost_while_the_service_is_gone(browser: Any) -> None:
    with Served() as served:
        page = Driver(browser, served)
        page.open()
        page.show(Board.blank(5, 5, 5))
        served.stop()
        page.cell(0, 0).focus()
        page.keys("111")
        page.page.locator(".notice.lost").wait_for()
        page.keys("h1")
        assert page.board() == Board.parse("111?1/?????/?????/?????/?????:5")
        served.start()
        page.page.locator("msat-board[data-state=answered]").wait_for()
        expected = analyze(page.board()).probability
        shown = page.probabilities()
        assert all(abs(shown[cell] - expected[cell]) < 1e-9 for cell in page.board().hidden)
        assert not page.page.locator(".notice.lost").count()
        page.close()
        refused = [each for each in page.complaints if "ERR_CONNECTION" not in each]
        assert refused == []


def test_a_large_board_stays_usable(page: Driver) -> None:
    page.page.evaluate("(link) => { location.hash = link; }", "#" + "/".join(["?" * 100] * 100) + ":1500")
    page.page.wait_for_function("() => document.querySelector('msat-board').position.height === 100")
    page.settled()
    cells = page.page.locator("msat-board [role=gridcell]")
    assert 100 <= cells.count() <= 2500  # only what can be seen is in the document
    page.cell(2, 2).focus()
    page.keys(["1", "ArrowDown", "2"])
    page.settled()
    assert page.cell(2, 2).get_attribute("data-value") == "1"
    assert page.cell(3, 3).get_attribute("data-value") == "2"
    page.keys(["Control+End"])
    page.settled()
    assert page.cell(99, 99).is_visible()
    page.keys(["Control+Home"])
    page.settled()
    assert page.page.evaluate("() => document.activeElement.dataset.row") == "0"


def test_the_board_can_be_used_alone(page: Driver) -> None:
    page.page.evaluate(
        """async () => {
          const { MsatBoard } = await import('/board.js');
          const board = document.createElement('msat-board');
          board.setAttribute('position', '??1/3?2/???:3');
          board.id = 'alone';
          document.body.append(board);
          return board instanceof MsatBoard;
        }"""
    )
    alone = page.page.locator("#alone [role=gridcell]")
    assert alone.count() == 9
    assert alone.nth(2).get_attribute("data-value") == "1"


def _svg(page: Driver) -> str:
    page.button("Share").click()
    with page.page.expect_download() as download:
        page.button("SVG").click()
    page.page.keyboard.press("Escape")
    with open(download.value.path(), encoding="utf-8") as text:
        return text.read()


def test_pictures_of_the_board_are_saved(page: Driver) -> None:
    page.show(Board.parse("?????/12?21/00?00/?????:3"))
    page.button("Share").click()
    for name, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with page.page.expect_download() as download:
            page.button(name).click()
        with open(download.value.path(), "rb") as file:
            assert file.read(4) == begins
    page.page.keyboard.press("Escape")
    page.show(Board.parse("3?/??:3"), "answered")
    plain = _svg(page).count("<rect")
    page.show(Board.parse("3?/1?:3"), "impossible")
    culprits = page.cells("culprit")
    assert culprits
    assert _svg(page).count("<rect") == plain + len(culprits)  # they are framed
    page.show(Board.parse("?????/12?21/00?00/?????:3"))
    page.button("Share").click()
    with page.page.expect_download() as download:
        page.button("Save: JSON").click()
    with open(download.value.path(), encoding="utf-8") as text:
        assert Board.parse(text.read()) == Board.parse("?????/12?21/00?00/?????:3")


_KEEP_WHAT_IS_SAVED = """() => {
  window.saved = null;
  HTMLAnchorElement.prototype.click = () => undefined;
  URL.createObjectURL = (blob) => {
    void blob.text().then((text) => { window.saved = text; });
    return 'blob:none';
  };
}"""


def test_every_form_that_msat_writes_can_be_copied_and_saved(page: Driver) -> None:
    board = Board.parse("??1/3?2/???:3")
    page.show(board)
    page.button("Share").click()
    offered = page.page.locator("#share select option").evaluate_all("(all) => all.map((one) => one.value)")
    direct = {"grid", "line", "json", "array", "mine", "link"}
    assert direct | set(offered) == {form.name for form in ALL if form.print_board is not None}
    for name in offered:
        page.page.get_by_label("Another form").select_option(name)
        page.settled()
        # What is saved, not its way through the browser, which holds back many downloads one after the other.
        page.page.evaluate(_KEEP_WHAT_IS_SAVED)
        page.page.locator("#share .forms li").last.get_by_role("button").last.click()
        wait_until(lambda: page.page.evaluate("() => window.saved !== null"))
        text = page.page.evaluate("() => window.saved")
        assert Board.parse(text, mines=3, form=name) == board, name


def test_copying_is_told_in_the_dialog_also_without_a_clipboard(open_page: Any) -> None:
    page: Driver = open_page()
    page.page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.show(Board.parse("??1/3?2/???:3"))
    page.button("Share").click()
    page.page.get_by_role("button", name="Copy: One line").click()
    page.page.locator("#share .told", has_text="Copied").wait_for()
    page.page.keyboard.press("Escape")
    page.button("Share").click()
    page.settled()
    assert not page.page.locator("#share .told").count()  # it was about what is past
    page.page.keyboard.press("Escape")
    field = page.page.locator("#text-of-board")
    field.fill("")
    field.press("Control+v")
    assert field.input_value() == "??1/3?2/???:3"


def test_what_was_kept_by_others_does_not_keep_the_page_from_starting(page: Driver) -> None:
    for kept in ('{"game": {"height": "abc", "width": 1e9}, "zoom": -5, "theme": 3}', "[]", '"x"', "{"):
        page.page.evaluate(
            "(kept) => ['settings', 'position', 'game'].forEach((name) => "
            "localStorage.setItem(`msat.${name}`, kept))",
            kept,
        )
        page.page.goto("about:blank")
        page.open().answered()
        page.page.get_by_role("navigation").get_by_role("button", name="Play").click()
        assert page.board() == Board.blank(16, 16, 40)
