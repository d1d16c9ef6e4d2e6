"""Every command's output at four widths: the exact text, which a person has looked at.

`MSAT_SNAPSHOTS=write` replaces the texts in `screens/`; look at what has changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from msat import Game, Layout, play
from tests.support.command import Cli

SCREENS = Path(__file__).parent / "screens"
WIDTHS = (60, 80, 100, 120)
RUN = ["--preset", "beginner", "--no-folder", "--workers", "1"]
ENDGAME = "???2111/?3?*21*/??4*211/*3*2100/1211000/0000000 8"


def early() -> str:
    """An expert board after the first click."""
    game = Game(Layout.random(16, 30, 99, seed=7, start=(3, 3)))
    game.open((3, 3))
    return game.board.to_text("line")


def late() -> str:
    """An expert board as far as logic gets; its end can be searched."""
    return play(Layout.random(16, 30, 99, seed=9, start=(3, 3)), "logic").game().board.to_text("line")


def flagged() -> str:
    """A beginner's board with marks: one proven, one wrong, one that may be either."""
    game = Game(Layout.random(9, 9, 10, seed=2, start=(3, 3)))
    game.open((3, 3))
    for cell in ((0, 0), (2, 6), (0, 8)):
        game.mark(cell)
    return game.board.to_text("line")


def saved() -> str:
    """A game that was lost, in a file."""
    play(Layout.random(9, 9, 10, seed=12, start=(3, 3)), "safest").save("game.json")
    return "game.json"


SCREENS_BY_NAME: dict[str, Callable[[], list[str]]] = {
    "solve_early": lambda: ["solve", early()],
    "solve_late": lambda: ["solve", late()],
    "solve_marks": lambda: ["solve", flagged()],
    "hint_late": lambda: ["hint", late()],
    "hint_marks": lambda: ["hint", flagged()],
    "explain_safe": lambda: ["explain", early(), "--cell", "4,6"],
    "explain_undecided": lambda: ["explain", early(), "--cell", "5,3"],
    "explain_marks": lambda: ["explain", flagged()],
    "explain_contradiction": lambda: ["explain", "1??2111/?3?*21*/?04*211/*3*2100/1211000/0000000 8"],
    "play": lambda: ["play", "--preset", "beginner", "--seed", "2"],
    "play_expert": lambda: ["play", "--preset", "expert", "--seed", "4", "--heatmap"],
    "sample": lambda: ["sample", "??1/3?2/??? 3", "-n", "2"],
    "hint_guess": lambda: ["hint", ENDGAME],
    "hint_level": lambda: ["hint", early(), "--level", "2"],
    "hint_proof": lambda: ["hint", early(), "--level", "5"],
    "explain_all": lambda: ["explain", flagged(), "--all"],
    "solve_cells": lambda: ["solve", ENDGAME, "--cells"],
    "watch": lambda: ["watch", saved(), "--by", "guess"],
    "review": lambda: ["review", saved()],
    "generate": lambda: ["generate", "--preset", "expert", "--seed", "4", "--board"],
    "encode": lambda: ["encode", "??1/3?2/??? 3", "--format", "opb"],
    "convert": lambda: ["convert", "??1/3?2/??? 3", "-", "--to", "grid"],
    "sim": lambda: ["sim", *RUN, "--games", "200"],
    "compare": lambda: ["compare", "safest", "logic", *RUN, "--games", "200"],
    "sweep": lambda: ["sweep", "start", "--values", "0,0 3,3", *RUN, "--games", "200"],
}
TIMES = re.compile(r"(Time: ).*")
"""What differs from run to run."""
LONGEST = {"play_expert": 60}
"""Lines at the end that are compared, where there are very many."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCREENS_BY_NAME)
def test_exact_text(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.chdir(tmp_path)
    status = cli(*SCREENS_BY_NAME[name]())
    shown = cli.out + cli.err
    assert status == (2 if "contradiction" in name else 0)
    lines = cli.out.splitlines()
    assert max(map(len, lines)) <= width, "a line would wrap"
    last = lines[-LONGEST.get(name, len(lines)) :]
    text = TIMES.sub(r"\1…", "\n".join(last) + "\n" + cli.err)
    file = SCREENS / f"{name}_{width}.txt"
    if os.environ.get("MSAT_SNAPSHOTS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), shown


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["solve_early", "solve_marks", "hint_late", "explain_undecided"])
def test_colours_change_no_text_but_that_of_percents(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, width: int
) -> None:
    """On dark and light alike: the theme's colours are tested for both; here, that they hide nothing."""
    monkeypatch.setenv("COLUMNS", str(width))
    argv = SCREENS_BY_NAME[name]()
    assert cli(*argv) == 0
    plain = cli.out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("LINES", "100")
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert cli(*argv) == 0
    assert "\x1b[" in cli.out
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", cli.out)
    assert max(map(len, coloured.splitlines())) <= width
    if name.startswith("solve") and 64 <= width < 94:
        return  # in two columns a cell, percents are shown in colours, and letters without
    signs = str.maketrans("■⚑⚐✱✗✹", "?FF*wX")
    legend = re.compile(r"(\+ safe| *w a mark|F a? ?mark).*")
    assert [line for line in plain.splitlines() if not legend.match(line)] == [
        line for line in coloured.translate(signs).splitlines() if not legend.match(line)
    ]


def test_an_expert_answer_fits_80_by_24(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the prompt below it; a count of 96 digits scrolled the board away."""
    monkeypatch.setenv("COLUMNS", "80")
    assert cli("solve", early()) == 0
    assert len(cli.out.splitlines()) <= 23
