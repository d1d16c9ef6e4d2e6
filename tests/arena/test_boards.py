"""The compiled layouts of the arena are those of `Layout.random` and `Layout.kiss`, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from msat.arena.boards import kiss_numbers, pcg_numbers, protected_cells
from msat.arena.boards._kernels import kiss_boards, pcg_boards
from msat.arena.plan import Plan
from msat.cells import Cell
from msat.layout import Layout, kiss_layouts
from msat.problem._kernels.grid import show_numbers
from tests.conftest import JIT, scaled

SHAPES: list[tuple[int, int, int, Cell]] = [
    (16, 30, 99, (3, 3)),
    (9, 9, 10, (2, 2)),
    (1, 40, 20, (0, 39)),
    (3, 4, 0, (1, 1)),
    (5, 5, 16, (2, 2)),
]


@pytest.mark.kernel
@pytest.mark.parametrize("first", ["open", "safe", "any"])
@pytest.mark.parametrize(("height", "width", "mines", "start"), SHAPES)
@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_pcg(height: int, width: int, mines: int, start: Cell, seed: int, first: str) -> None:
    count = scaled(20)
    protected = protected_cells(height, width, start, first)
    for game, numbers in enumerate(pcg_numbers(mines, seed, 5, count, protected), 5):
        layout = Layout.random(height, width, mines, seed=(seed << 32) + game, start=start, first=first)
        assert np.array_equal(numbers, layout.numbers())


@pytest.mark.kernel
@pytest.mark.parametrize(("height", "width", "mines", "start"), SHAPES)
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_kiss(height: int, width: int, mines: int, start: Cell, seed: int) -> None:
    count = scaled(20)
    protected = protected_cells(height, width, start, "open")
    layouts = list(kiss_layouts(height, width, mines, seed, start, count + 3))[3:]
    for numbers, layout in zip(kiss_numbers(mines, seed, 3, count, protected), layouts, strict=True):
        assert np.array_equal(numbers, layout.numbers())


@pytest.mark.kernel
def test_the_numbers_of_a_mask() -> None:
    layout = Layout.random(5, 7, 20, seed=1)
    numbers = np.full((5, 7), 99, np.int8)
    show_numbers((layout.numbers() == -2).astype(np.int8), numbers)
    assert np.array_equal(numbers, layout.numbers())


@pytest.mark.parametrize("rng", ["pcg", "kiss"])
def test_the_boards_of_a_plan_do_not_depend_on_how_they_are_cut(rng: str) -> None:
    plan = Plan("logic", 9, 9, 10, rng=rng, seed=4, games=30, per_seed=7)
    whole = dict(plan.boards(0, 30))
    assert list(whole) == list(range(30))
    for first, count in [(0, 1), (5, 9), (13, 2), (29, 1)]:
        for game, numbers in plan.boards(first, count):
            assert np.array_equal(numbers, whole[game])
            assert np.array_equal(numbers, plan.layout(game).numbers())


@pytest.mark.skipif(not JIT, reason="uncompiled functions have no signatures")
def test_one_specialisation_each() -> None:
    Plan("logic", 9, 9, 10).boards(0, 1)
    protected = protected_cells(9, 9, (2, 2), "open")
    kiss_numbers(10, 1, 0, 1, protected)
    pcg_numbers(10, 1, 0, 1, protected)
    assert len(kiss_boards.signatures) == len(pcg_boards.signatures) == 1  # type: ignore[attr-defined]
