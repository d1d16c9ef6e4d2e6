"""Every command's output at four widths: the exact text, which a person has looked at.

`MSAT_SNAPSHOTS=write` replaces the texts in `screens/`; look at what has changed.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.color import ColorSystem

from msat import Game, Layout, _kernel_cache, bench, play
from msat.bench.report import ReportRow, SuiteAnswers
from msat.cli.complaint import complain
from msat.service.server import Server
from msat.tui.theme import STYLES
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
    """A game that was won, in a file."""
    play(Layout.random(9, 9, 10, seed=12, start=(3, 3)), "safest").save("game.json")
    return "game.json"


def lost() -> str:
    """A game that was lost at its only guess, in a file."""
    play(Layout.random(16, 16, 40, seed=55, start=(3, 3)), "safest").save("lost.json")
    return "lost.json"


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
    "watch_lost": lambda: ["watch", lost(), "--by", "guess"],
    "hint_lost": lambda: ["hint", lost(), "--move", "90"],
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


def exact(text: str, name: str, width: int) -> None:
    """Compare a text with the one that is kept, or keep it."""
    file = SCREENS / f"{name}_{width}.txt"
    if os.environ.get("MSAT_SNAPSHOTS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


SERIES: dict[str, Callable[[], list[list[str]]]] = {
    "hint_levels_proven": lambda: [["hint", early(), "--level", level] for level in "134"],
    "hint_levels_guess": lambda: [["hint", ENDGAME, "--level", level] for level in "12345"],
    "hint_levels_marks": lambda: [["hint", flagged(), "--level", level] for level in "1245"],
}
"""Commands whose answers belong together."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SERIES)
def test_exact_text_of_series(cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = ""
    for argv in SERIES[name]():
        assert cli(*argv) == 0, cli.err
        assert max(map(len, cli.out.splitlines())) <= width
        shown += f"$ msat {argv[0]} {' '.join(argv[2:])}\n{cli.out}\n"
    exact(shown, name, width)


COMPLAINTS = [
    ["slove", "??/11 1"],
    ["fly"],
    ["hint"],
    ["hint", "??/11", "1"],
    ["hint", "??/11 1", "--levl", "2"],
    ["play", "expert"],
    ["hint", "??1/3?2/???"],
    ["hint", "game.avf"],
    ["solve", "1?/0? 1"],
    ["solve", "??/11 9"],
    ["solve", ".1/11 1"],
    ["solve", "?z/11 1"],
    ["solve", "?1\n11 1\n1"],
    ["solve", "| |1|F|\n| |1|1|", "--mines", "1"],
    ["solve", "0 1 2 3\n? ? ? 1\n? ? ? 2", "--mines", "1"],
    ["explain", "??/11 1", "--cell", "5,5"],
    ["explain", "??/11 1", "--cell", "a"],
    ["generate", "--preset", "exprt"],
    ["generate", "--difficulty", "trickey"],
    ["play", "--strategy", "bst"],
    ["play", "--size", "9x9"],
    ["watch", "nothing.json"],
    ["review", "??/11 1"],
    ["sample", "??/11 1", "-n", "-1"],
    ["encode", "??/11 1", "--format", "cnf"],
    ["convert", "??/11 1", "board.doc"],
    ["report", "nowhere"],
    ["bench", "--suite", "huge"],
    ["serve", "--port", "99999"],
]


@pytest.mark.parametrize("width", WIDTHS)
def test_exact_text_of_complaints(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, width: int
) -> None:
    """As a terminal shows them: one paragraph, broken between words."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    shown = ""
    for argv in COMPLAINTS:
        assert cli(*argv) == 2
        assert cli.out == ""
        assert max(map(len, cli.err.splitlines())) <= width
        shown += f"$ msat {shlex.join(argv)}\n{cli.err}\n"
    exact(shown, "complaints", width)


def bench_report(scale: float = 1.0) -> bench.Report:
    """A run of the bench that took just these times."""

    def row(suite: str, player: str, question: str, letters: str, each: float, of: int) -> ReportRow:
        times = [[scale * each * (1 + k / 10) for k in range(len(letters))] for _ in range(3)]
        return ReportRow(suite, player, question, of, times, letters, [1.0] * 3)

    rows = [
        row("beginner", "rules", "forced", "=" * 60, 2e-5, 60),
        row("beginner", "counting", "probabilities", "=" * 60, 9e-6, 60),
        row("beginner", "safest", "games", "w" * 480 + "l" * 20, 3e-5, 500),
        row("intermediate", "ganak", "probabilities", "=" * 12, 0.031, 60),
    ]
    digests = [SuiteAnswers(name, "bb622fe1060ad112", ["a"] * 60) for name in ("beginner", "intermediate")]
    return bench.Report("1", {}, digests, rows, {"ganak": "ganak: the package pyganak is missing"})


@pytest.mark.parametrize("width", WIDTHS)
def test_exact_text_of_bench(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, width: int) -> None:
    """The table was cut off, or wrapped, below 106 columns."""
    monkeypatch.setenv("COLUMNS", str(width))
    before = tmp_path / "before.json"
    before.write_text(bench_report(0.5).to_json(), "utf-8")
    monkeypatch.setattr(bench, "run", lambda *_: bench_report())
    assert cli("bench", "--against", str(before)) == 0
    assert max(map(len, cli.out.splitlines())) <= width
    exact("\n".join(line.rstrip() for line in cli.out.splitlines()) + "\n", "bench", width)


@pytest.mark.parametrize("width", WIDTHS)
def test_exact_text_of_what_is_told_about_the_machine(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, width: int
) -> None:
    """`warm` and `report`, with the folder of kernels and the pages that they name."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_kernel_cache, "cache_folder", lambda: Path("kernels"))
    monkeypatch.setattr(_kernel_cache, "can_keep", lambda: True)
    monkeypatch.setattr(_kernel_cache, "is_kept", lambda _: True)
    monkeypatch.setattr(_kernel_cache, "count_kept", lambda: (312, 312))
    assert cli("warm") == 0
    shown = f"$ msat warm\n{cli.out}"
    assert cli("sim", *RUN[:2], *RUN[3:], "--games", "20", "--out", "run") == 0
    assert cli("report", "run") == 0
    shown += f"$ msat report run\n{cli.out}{cli.err}"
    assert cli("report", "run", "--out", "page.html") == 0
    exact(f"{shown}$ msat report run --out page.html\n{cli.out}{cli.err}", "machine", width)


@pytest.mark.parametrize("width", WIDTHS)
def test_exact_text_of_serve(cli: Cli, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """The address is all of it: programs that start the service read it."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(Server, "run", lambda self, sockets: (self._announce(), sockets[0].close()))
    assert cli("serve", "--port", "0") == 0
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+\n", cli.out)
    assert cli.err == ""


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


@pytest.mark.parametrize("position", [early, late])
@pytest.mark.parametrize("command", ["solve", "hint"])
def test_an_expert_answer_fits_80_by_24(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str, position: Callable[[], str]
) -> None:
    """With the prompt below it; a count of 96 digits, or the reasons of a guess, scrolled the board away."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    assert cli(command, position()) == 0
    assert len(cli.out.splitlines()) <= 23
    if (command, position) == ("hint", late):  # what is left is what matters: the move, its risk, its chance
        assert "open r8c3: no cell is proven safe; r8c3 is a mine with 9.8%" in cli.out
        assert "it wins 85.3% of all games" in cli.out


ANSWERS = {
    "solve_early": ("safe", "open r4c6, r4c7, r4c8, r0c4, r0c6"),
    "solve_late": ("move", "r12c1"),
    "hint_marks": ("safe", "open r2c6"),
    "hint_late": ("move", "open r8c3"),
    "hint_proof": ("safe", "r4c6 is safe"),
    "hint_level": ("answer", "look at rows 3 to 5, columns 4 to 6"),
    "explain_safe": ("safe", "r4c6 is safe"),
    "explain_undecided": ("move", "r5c3 is undecided"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_the_first_thing_one_sees(cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It wears the colours that the board shows its cell in; it was bold, as was all of a long sentence."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "60")
    assert cli(*SCREENS_BY_NAME[name]()) == 0
    style, text = ANSWERS[name]
    assert STYLES[style].render(text, color_system=ColorSystem.TRUECOLOR) in cli.out


def test_a_complaint_is_told_from_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a terminal: in red, and broken between words."""
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    complain("these clues cannot\nall be true")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    complain("these clues cannot\nall be true")
    assert capsys.readouterr().err == (
        "msat: these clues cannot all be true\n\x1b[1;31mmsat:\x1b[0m these clues cannot all\nbe true\n"
    )
