"""A page as tests use it: cells by row and column, waiting for answers; what must never happen is noted."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from msat.board import HIDDEN, MINE, Board, Cell
from tests.support.clock import PATIENCE, wait_until
from tests.support.command import process

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Request

PORTABLE = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What chromium needs to run as root, without a screen and without a network."""

PAGE_PATIENCE = float(os.environ.get("MSAT_PAGE_PATIENCE", PATIENCE / 3))
"""Seconds after which a test gives up what will never come."""

WIDE = {"width": 1280, "height": 800}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

_CELLS = """() => [...document.querySelectorAll('msat-board [role=gridcell]')].map(({ dataset }) =>
  [Number(dataset.row), Number(dataset.col), dataset.value, dataset.probability ?? null])"""

_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def line_of(board: Board) -> str:
    """A board as the page's addresses have it."""
    return board.to_text("line").strip().replace(" ", ":")


class Served:
    """`msat serve`, which can be stopped and started again at the same address."""

    def __init__(self, *options: str) -> None:
        self._options = options
        self._port = "0"
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._process = process("serve", "--port", self._port, "--workers", "1", *self._options)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().decode().strip()
        self._port = self.address.rsplit(":", 1)[1]
        wait_until(self._ready)

    def stop(self) -> None:
        """Stop, as a reader of Ctrl-C does."""
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE)

    def _ready(self) -> bool:
        try:
            with urlopen(f"{self.address}/readyz") as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


class Driver:
    """One page in a context of its own: nothing is kept from another test."""

    def __init__(self, browser: Browser, served: Served, **context: Any) -> None:
        settings: dict[str, Any] = {"viewport": WIDE, "reduced_motion": "reduce", **context}
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PAGE_PATIENCE * 1000)
        self.page = self.context.new_page()
        self.address = served.address
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self._unheard = ("Failed to load resource",)  # the service's own problems, which the page tells
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("request", self._request)

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not text.startswith(self._unheard):
            self.complaints.append(f"{kind}: {text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.complaints.append(f"a foreign origin was asked: {request.url}")
        if "/api/" in request.url:
            self.asked.append(request.url.rsplit("/", 1)[1])

    def open(self, link: str = "") -> Driver:
        """Open the page; a link without an answer to wait for is opened as it is."""
        self.page.goto(f"{self.address}/{link}")
        self.page.locator("msat-board [role=gridcell]").first.wait_for()
        return self

    def show(self, board: Board, state: str = "answered") -> None:
        """Open a link to a board, and wait for its answers."""
        line = line_of(board)
        # The address may be this very link: an address that does not change opens nothing.
        self.page.evaluate(
            "(link) => { history.replaceState(null, '', '#'); location.hash = link; }", f"#{line}"
        )
        self.shows(board, state)

    def shows(self, board: Board, state: str = "answered") -> None:
        """Wait until a board is there, with its answers."""
        shown = "document.querySelector('msat-board').position.toLine()"
        with self._telling(f"{line_of(board)} was not shown"):
            self.page.wait_for_function(f"(line) => {shown} === line", arg=line_of(board))
        self.answered(state)

    def close(self) -> None:
        """Close it, with its context."""
        self.context.close()

    def cell(self, row: int, col: int) -> Locator:
        """A cell by its place."""
        return self.page.locator(f'msat-board [data-row="{row}"][data-col="{col}"]')

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def brush(self, name: str) -> None:
        """Take a brush."""
        self.page.get_by_role("radio", name=name, exact=True).click()

    def settled(self) -> None:
        """Wait until what was done is drawn."""
        self.page.evaluate(_FRAMES)

    def answered(self, state: str = "answered") -> None:
        """Wait for the answers about what is on the board now."""
        self.settled()
        with self._telling(f"it was not {state}"):
            self.page.locator(f"msat-board[data-state={state}]").wait_for()

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        """Say what the page shows if something never comes."""
        from playwright.sync_api import TimeoutError as NeverCame

        try:
            yield
        except NeverCame as error:
            state = self.page.locator("msat-board").get_attribute("data-state")
            panel = self.page.locator(".panel").inner_text()
            link = self.page.evaluate("() => location.hash")
            raise AssertionError(f"{what}: {state}, {link[:200]}\n{panel}\nasked: {self.asked}") from error

    def board(self) -> Board:
        """What the cells show."""
        self.settled()
        rows: dict[int, dict[int, int]] = {}
        for row, col, value, _ in self.page.evaluate(_CELLS):
            number = {"hidden": HIDDEN, "flag": MINE, "mine": HIDDEN}.get(value)
            rows.setdefault(row, {})[col] = int(value) if number is None else number
        mines = int(self.page.evaluate("() => document.querySelector('msat-board').position.mines"))
        return Board.from_array(
            [[rows[row][col] for col in sorted(rows[row])] for row in sorted(rows)], mines
        )

    def probabilities(self) -> dict[Cell, float]:
        """The chances that cells carry; nan where one is missing."""
        return {
            (row, col): math.nan if chance is None else float(chance)
            for row, col, value, chance in self.page.evaluate(_CELLS)
            if value in ("hidden", "flag")
        }

    def cells(self, kind: str) -> set[Cell]:
        """The cells that have a class, such as `clue`."""
        found = self.page.locator(f"msat-board .{kind}").evaluate_all(
            "(cells) => cells.map((cell) => [Number(cell.dataset.row), Number(cell.dataset.col)])"
        )
        return {(row, col) for row, col in found}

    def keys(self, keys: Iterable[str]) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def paste(self, text: str) -> None:
        """Paste a text into the page, not into a field."""
        self.page.evaluate(
            """(text) => {
              const data = new DataTransfer();
              data.setData('text/plain', text);
              const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
              document.body.dispatchEvent(event);
            }""",
            text,
        )

    def drop(self, name: str, text: str) -> None:
        """Drop a file onto the page."""
        self.page.evaluate(
            """([name, text]) => {
              const data = new DataTransfer();
              data.items.add(new File([text], name));
              document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
            }""",
            [name, text],
        )

    def drop_bytes(self, name: str, data: bytes) -> None:
        """Drop a file that is no text onto the page."""
        self.page.evaluate(
            """([name, bytes]) => {
              const data = new DataTransfer();
              data.items.add(new File([new Uint8Array(bytes)], name));
              document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
            }""",
            [name, list(data)],
        )

    def pinch(self, one: Cell, two: Cell, by: float) -> None:
        """Put a finger on a cell, then a second one, and move both apart by so many times their distance."""
        session = self.context.new_cdp_session(self.page)
        points = []
        for cell in (one, two):
            box = self.cell(*cell).bounding_box()
            assert box is not None
            points.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        middle = [(points[0][axis] + points[1][axis]) / 2 for axis in (0, 1)]

        def send(kind: str, count: int, scale: float = 1) -> None:
            touches = [
                {
                    "x": middle[0] + (x - middle[0]) * scale,
                    "y": middle[1] + (y - middle[1]) * scale,
                    "id": number,
                }
                for number, (x, y) in enumerate(points[:count])
            ]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        send("touchStart", 1)
        send("touchStart", 2)
        for step in range(1, 5):
            send("touchMove", 2, 1 + (by - 1) * step / 4)
        send("touchEnd", 0)
        self.settled()

    def touch(self, path: Iterable[Cell], hold: float = 0) -> None:
        """Put a finger down, move it over cells, hold it so many milliseconds, and lift it."""
        session = self.context.new_cdp_session(self.page)
        for number, at in enumerate(path):
            box = self.cell(*at).bounding_box()
            assert box is not None
            point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
            kind = "touchMove" if number else "touchStart"
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        if hold:
            self.page.wait_for_timeout(hold)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.settled()
