"""Layouts that need no guess: each is solved here by opening only what `analyze` proves to be safe."""

from __future__ import annotations

import pytest

import msat
from msat.arena.no_guess import no_guess_layout
from msat.cells import Cell
from msat.game import Game
from msat.layout import Layout
from tests.conftest import JIT
from tests.support.command import Cli

needs_speed = pytest.mark.skipif(not JIT, reason="hundreds of games are too many for uncompiled kernels")


def solved_by_logic(layout: Layout) -> bool:
    assert layout.start is not None
    game = Game(layout)
    game.open(layout.start)
    while game.state == "playing" and (safe := msat.analyze(game.board).safe):
        for cell in sorted(safe):
            if game.state == "playing":
                game.open(cell)
    return game.state == "won"


@needs_speed
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("height", "width", "mines", "start", "first"),
    [
        (9, 9, 10, (0, 0), "safe"),
        (16, 30, 99, (3, 3), "open"),
        (16, 30, 99, (0, 0), "any"),
        (16, 30, 130, (8, 15), "open"),  # by repair: rejection would take ages
        (24, 30, 180, (3, 3), "open"),
        (4, 5, 1, (0, 0), "open"),
    ],
)
def test_logic_solves_them(height: int, width: int, mines: int, start: Cell, first: str, seed: int) -> None:
    layout = Layout.no_guess(height, width, mines, seed=seed, start=start, first=first)
    assert (layout.shape, layout.mines, layout.start) == ((height, width), mines, start)
    assert solved_by_logic(layout)
    if first == "open":
        assert layout.number(start) == 0
    assert layout == Layout.no_guess(height, width, mines, seed=seed, start=start, first=first)


@needs_speed
def test_rejection_gives_the_first_game_that_needs_no_guess() -> None:
    layout = Layout.no_guess(16, 30, 99, seed=5, start=(3, 3))
    for game in range(64):
        tried = Layout.random(16, 30, 99, seed=(5 << 32) + game, start=(3, 3))
        if solved_by_logic(tried):
            assert tried == layout
            break
    else:
        pytest.fail("no layout among the first 64")


@needs_speed
def test_none_is_found_where_there_is_none() -> None:
    # Whatever the mine's place, the first cell shows a 1 and the three others look alike.
    seen: list[tuple[int, int]] = []
    tried = "64 tries and 5,000 repairs"
    with pytest.raises(
        msat.LayoutError, match=rf"no 2×2 layout with 1 mine .* from \(0, 0\) was found in {tried}"
    ):
        no_guess_layout(2, 2, 1, 1, (0, 0), "safe", progress=lambda *done: seen.append(done))
    assert seen == [(done, 5064) for done in range(1, 5065)]


@needs_speed
def test_a_budget_says_what_was_tried() -> None:
    message = r"^no hard 2×2 layout with 1 mine .* was found within 0 seconds, in 0 tries: allow more time"
    with pytest.raises(msat.BudgetExceeded, match=message):
        Layout.no_guess(2, 2, 1, seed=1, start=(0, 0), first="safe", difficulty="hard", budget=0)


@pytest.mark.parametrize(
    ("mines", "seed", "start", "first", "message"),
    [
        (17, 1, (1, 1), "open", "17 mines do not fit"),
        (25, 1, (1, 1), "any", "25 mines leave no free start"),
        (5, 1 << 32, (1, 1), "open", "seed=4294967296 is too large"),
        (5, 1, (5, 5), "open", r"\(5, 5\) is not on the 5×5 board"),
        (5, 1, (1, 1), "clear", "unknown first-click rule 'clear'"),
    ],
)
def test_bad_input(mines: int, seed: int, start: Cell, first: str, message: str) -> None:
    with pytest.raises(msat.MsatError, match=message):
        Layout.no_guess(5, 5, mines, seed=seed, start=start, first=first)


@needs_speed
def test_the_command(cli: Cli) -> None:
    options = ("--size", "16x16x60", "--seed", "3", "--no-guess")
    assert cli("generate", *options, "--format", "json") == 0
    assert Layout.parse(cli.out) == Layout.no_guess(16, 16, 60, seed=3, start=(3, 3))
    assert cli("generate", *options, "--rng", "kiss") == 2
    assert "--no-guess needs --rng pcg" in cli.err
