"""For everybody: no serious fault in any mode, light or dark; a focus that can be seen; nothing overflows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from msat.board import Board
from tests.page.driver import PHONE, Driver

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
GUESS = Board.parse("????????/?*??????/???32???/???21???/????????:8")


def _faults(page: Driver) -> list[str]:
    """What axe calls serious or critical, with the element that it is about."""
    page.page.evaluate("(source) => (0, eval)(source)", AXE.read_text("utf-8"))
    found = page.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"][:2]
    ]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in web/")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_in_any_mode(open_page: Any, scheme: str) -> None:
    page: Driver = open_page(color_scheme=scheme, bypass_csp=True)
    page.show(GUESS)
    page.page.locator(".card-candidates").wait_for()
    faults = {"analyse": _faults(page)}
    page.button("Why?").click()
    page.page.locator(".proof").wait_for()
    faults["why"] = _faults(page)
    page.button("Settings").click()
    faults["settings"] = _faults(page)
    page.button("Close").click()
    page.button("Help").click()
    faults["help"] = _faults(page)
    page.button("Close").click()
    page.page.evaluate(
        "() => document.querySelector('msat-board').dispatchEvent("
        "new CustomEvent('msat-zoom', { detail: { zoom: 1.5, ended: true } }))"
    )
    page.button("Fit the board").wait_for()
    faults["zoomed"] = _faults(page)
    page.button("Fit the board").click()
    for mode, ready in (("Play", ".counters"), ("Review", ".card-welcome"), ("Train", ".card-question")):
        page.page.get_by_role("navigation").get_by_role("button", name=mode).click()
        page.page.locator(ready).wait_for()
        faults[mode] = _faults(page)
    assert {mode: found for mode, found in faults.items() if found} == {}


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in web/")
def test_a_first_visit_on_a_dark_phone_can_be_read(open_page: Any) -> None:
    page: Driver = open_page(color_scheme="dark", bypass_csp=True, **PHONE)
    page.answered()
    assert _faults(page) == []


@pytest.mark.parametrize("mode", ["analyse", "play", "review", "train"])
def test_a_phone_is_wide_enough(open_page: Any, mode: str) -> None:
    page: Driver = open_page(f"#mode={mode}", **PHONE)
    page.settled()
    assert page.page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_an_expert_board_needs_no_scrolling(page: Driver) -> None:
    page.show(Board.blank(16, 30, 99))
    box = page.page.locator("msat-board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1280
    assert box["y"] + box["height"] <= 800
    assert not page.page.evaluate("() => document.querySelector('msat-board').scrolls")


def test_the_focus_goes_everywhere_by_keys_and_can_be_seen(page: Driver) -> None:
    page.show(GUESS)
    page.page.evaluate("() => document.activeElement.blur()")
    seen: set[str] = set()
    for _ in range(60):
        page.page.keyboard.press("Tab")
        name, visible = page.page.evaluate(
            """() => {
              const element = document.activeElement;
              const style = getComputedStyle(element);
              const parent = getComputedStyle(element.closest('.filer, .plot') ?? element);
              const seen = (each) => each.outlineStyle !== 'none' || each.boxShadow !== 'none';
              const shown = [style, parent].some(seen);
              const label = element.getAttribute('aria-label') ?? element.textContent.trim();
              return [element === document.body ? 'BODY' : element.id || label, shown];
            }"""
        )
        if name == "BODY":
            break
        seen.add(name)
        assert visible, name
    assert {"Analyse", "Play", "Review", "Train", "Undo", "Share", "Settings", "Look"} <= seen
    assert any(name.startswith("row ") for name in seen)


def test_help_begins_at_its_beginning(page: Driver) -> None:
    page.button("Help").click()
    dialog = page.page.locator("#help")
    assert dialog.evaluate("(help) => help.scrollTop") == 0
    page.page.keyboard.press("Escape")
    assert not dialog.is_visible()


def test_the_board_is_a_grid_for_screen_readers(page: Driver) -> None:
    page.show(GUESS)
    grid = page.page.get_by_role("grid")
    assert grid.get_attribute("aria-rowcount") == "5"
    assert grid.get_attribute("aria-colcount") == "8"
    label = page.cell(2, 3).get_attribute("aria-label")
    assert label == "row 2, column 3: 3"
    assert "mine" in (page.cell(0, 0).get_attribute("aria-label") or "")
    assert page.page.locator("[aria-live=polite]").inner_text() != ""


@pytest.mark.parametrize("mode", ["analyse", "play", "review", "train"])
def test_what_a_finger_is_to_hit_is_large_enough(open_page: Any, mode: str) -> None:
    page: Driver = open_page(f"#mode={mode}", **PHONE)
    page.settled()
    sizes = page.page.locator("button:visible, select:visible, summary:visible").evaluate_all(
        """(all) => all.filter((one) => !one.closest('.chip, .pick')).map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return [one.getAttribute('aria-label') ?? one.textContent, Math.min(width, height)];
        })"""
    )
    assert [name for name, size in sizes if size < 24] == []  # WCAG 2.5.8


def test_the_sentence_that_is_read_can_be_read_in_colours_of_the_system(open_page: Any) -> None:
    page: Driver = open_page(forced_colors="active")
    page.show(GUESS)
    page.page.locator(".card-candidates table").wait_for()
    page.button("Why?").click()
    page.button("Step by step").click()
    page.page.locator(".proof .now").wait_for()
    colours = page.page.locator(".proof .now :is(.chip, .pick)").evaluate_all(
        "(all) => all.map(getComputedStyle).map((style) => [style.color, style.backgroundColor])"
    )
    assert colours
    assert set(map(tuple, colours)) == {("rgb(0, 0, 0)", "rgb(255, 255, 255)")}
