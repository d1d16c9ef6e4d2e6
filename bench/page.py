"""What the page costs a person: `python -m bench.page`.

From a painted cell to new chances on an expert board, the service included; and how long a key takes on a
board of 100×100 until it is drawn. Both in chromium, on this machine as it is loaded: no test.
"""

from __future__ import annotations

import statistics

from playwright.sync_api import sync_playwright

from tests.page.conftest import CHROMIUM
from tests.page.driver import PORTABLE, Driver, Served

__all__ = ["main"]

ROUNDS = 60

# The observer of the page's own board sees the painted cell, and the answer when the cells have it; an answer
# may be there with the very frame that shows the cell.
_ANSWER = """(key) => new Promise((done) => {
  const board = document.querySelector('msat-board');
  const before = board.position;
  const began = performance.now();
  const watch = new MutationObserver(() => {
    if (board.position === before || board.dataset.state !== 'answered') return;
    watch.disconnect();
    done(performance.now() - began);
  });
  watch.observe(board, { attributes: true, subtree: true, attributeFilter: ['data-state', 'data-value'] });
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
})"""

_DRAWN = """(key) => new Promise((done) => {
  const began = performance.now();
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""


def _shown(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    slow = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{name:48} {statistics.median(ordered):6.1f} ms median, {slow:6.1f} ms at 95 %")


def main() -> None:
    """Measure, and print."""
    assert CHROMIUM is not None, "there is no chromium: apt-get install chromium"
    with Served() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=PORTABLE)
        page = Driver(browser, served)
        page.open()
        page.answered()  # the landing position: an expert game whose last twelve columns are hidden
        times = []
        for row in range(5):
            page.cell(row, 18).focus()
            times += [page.page.evaluate(_ANSWER, "f") for _ in range(12)]  # the cursor moves on
        _shown("a painted cell on an expert board, to chances", times[5:])
        page.page.evaluate("(link) => { location.hash = link; }", "#" + "/".join(["?" * 100] * 100) + ":1500")
        page.page.wait_for_function("() => document.querySelector('msat-board').position.height === 100")
        page.cell(2, 2).focus()
        times = [page.page.evaluate(_DRAWN, "1" if turn % 2 else "ArrowDown") for turn in range(ROUNDS)]
        _shown("a key on a board of 100×100, to the next frame", times[5:])
        browser.close()


if __name__ == "__main__":
    main()
