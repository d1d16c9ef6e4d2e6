"""Links and saved games that mean harm: refused with a message, and nothing is run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from msat.board import Board
from msat.game import Game
from msat.layout import Layout
from tests.page.driver import Driver

SCRIPT = "<img src=x onerror=window.hurt=1><script>window.hurt=1</script><svg onload=window.hurt=1>"
KEPT = Board.parse("?????/12?21/00?00/?????:3")


def _boards() -> Iterator[str]:
    """Positions as JSON with a script in each field, and sizes that cannot be."""
    honest: dict[str, Any] = {"height": 2, "width": 2, "mines": 1, "rows": ["??", "11"]}
    for field in honest:
        yield json.dumps({**honest, field: SCRIPT})
    yield json.dumps({**honest, "rows": [SCRIPT, SCRIPT]})
    yield json.dumps({**honest, "height": -3})
    yield json.dumps({**honest, "width": 1_000_000})


LINKS = [
    SCRIPT,
    quote(SCRIPT),
    f"board={SCRIPT}&mode={SCRIPT}",
    f"analysis={quote(SCRIPT)}",
    f"javascript:window.hurt=1&{SCRIPT}={SCRIPT}",
    "?" * 1_000_000 + "/:1",  # a million columns
    "/".join("?" * 1001) + ":1",  # more rows than any board has
    "??/??:-5",
    "??/??:5",
    "??/?:1",
    "9x9x10",
    "%00%00/%00:1",
    "%E0%A4%A",
    "__proto__=1&constructor=2&board=__proto__",
    *map(quote, _boards()),
]


def _refused(page: Driver) -> str:
    """The message; nothing was run, and the board is what it was."""
    notice = page.page.locator(".notice.bad")
    notice.wait_for()
    told = notice.inner_text()
    page.button("Dismiss").click()
    assert page.page.evaluate("() => window.hurt") is None
    assert page.page.locator("#app :is(script, iframe, object, [onerror], [onload])").count() == 0
    return told


def test_a_hostile_link_is_refused_with_a_message_and_runs_nothing(page: Driver) -> None:
    page.show(KEPT)
    for link in LINKS:
        page.page.evaluate("(link) => { location.hash = link; }", link)
        assert len(_refused(page)) < 2000, link[:100]
        assert page.board() == KEPT, link[:100]


@pytest.mark.parametrize("link", [f"?board={quote(SCRIPT)}#mode=play", f"?analysis={quote(SCRIPT)}"])
def test_a_page_that_is_opened_by_a_hostile_link_runs_nothing(open_page: Any, link: str) -> None:
    _refused(open_page(link))


def test_ten_megabytes_are_refused(page: Driver) -> None:
    page.show(KEPT)
    page.page.evaluate("() => { location.hash = '#' + 'x'.repeat(10 * 1024 * 1024); }")
    _refused(page)
    page.paste("?" * (10 << 20))
    _refused(page)
    page.drop("game.json", '{"format": "msat-record", "moves": "' + "x" * (10 << 20) + '"}')
    _refused(page)
    page.paste(KEPT.to_text("json"))  # and it goes on
    page.shows(KEPT)


def _record() -> dict[str, Any]:
    game = Game(Layout.parse("....*\n.....\n*....\n....*"))
    game.open((0, 1))
    game.open((3, 1))
    found: dict[str, Any] = json.loads(game.record.to_json())
    return found


def _records() -> Iterator[str]:
    """Saved games with something wrong in each field that the page reads."""
    honest = _record()
    layout, first = honest["layout"], honest["moves"][0]
    for field in layout:
        yield json.dumps({**honest, "layout": {**layout, field: SCRIPT}})
    for change in (
        {"height": -4},
        {"width": 1_000_000},
        {"width": 1_000_000, "rows": ["." * 1_000_000] * 4},
        {"mines": 10**30},
        {"rows": [SCRIPT] * 4},
        {"rows": None},
        {"start": [99, 99]},
    ):
        yield json.dumps({**honest, "layout": {**layout, **change}})
    for wrong in (
        None,
        SCRIPT,
        {"kind": SCRIPT, "cell": [0, 0]},
        {**first, "cell": [SCRIPT, SCRIPT]},
        {**first, "cell": [-1, 0]},
        {**first, "cell": [0, 10**9]},
    ):
        yield json.dumps({**honest, "moves": [wrong]})
    yield json.dumps({**honest, "moves": [first, first]})  # cannot be made twice
    yield json.dumps({**honest, "layout": None})
    yield json.dumps({**honest, "moves": SCRIPT})
    yield '{"format": "msat-record", "moves": ' + "[" * 100_000
    flagged = [{"kind": kind, "cell": [0, 0]} for kind in ("mark", "unmark")]
    large = {"height": 1000, "width": 1000, "mines": 0, "start": None, "rows": ["." * 1000] * 1000}
    yield json.dumps({**honest, "layout": large, "moves": flagged * 100})


def test_a_hostile_record_is_refused_with_a_message_and_the_game_before_stays(page: Driver) -> None:
    page.drop("game.json", json.dumps(_record()))
    page.page.locator(".card-verdict h2").wait_for()
    board = page.board()
    for text in _records():
        page.drop("game.json", text)
        assert "This was not read" in _refused(page), text[:300]
    assert page.board() == board
    assert "of your chances" in page.page.locator(".card-verdict").inner_text()


def test_what_a_record_tells_besides_its_moves_is_never_run(page: Driver) -> None:
    record = _record()
    record |= {"strategy": SCRIPT, SCRIPT: SCRIPT, "__proto__": {"hurt": 1}}
    record["moves"] = [{**move, "reason": SCRIPT} for move in record["moves"]]
    page.drop(f"{SCRIPT}.json", json.dumps(record))
    page.page.locator(".card-verdict h2, .card-error, .notice").first.wait_for()
    assert page.page.evaluate("() => window.hurt ?? {}.hurt") is None
    assert len(page.board().revealed) > 0


def test_something_that_is_neither_a_board_nor_a_game_is_refused(page: Driver) -> None:
    page.show(KEPT)
    for text in (SCRIPT, "\0" * 1000, '{"format": "other"}', "[[[[", "data:text/html," + SCRIPT):
        page.paste(text)
        _refused(page)
        page.drop("board.txt", text)
        _refused(page)
    assert page.board() == KEPT
