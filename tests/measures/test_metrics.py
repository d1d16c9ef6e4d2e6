"""3BV, openings and islands, against pictures, a slow definition and the mirror images of a board."""

from __future__ import annotations

import pytest
from hypothesis import given

import msat
from msat import cells as geometry
from msat.layout import Layout
from tests.support.values import layouts


def regions(cells: set[int], height: int, width: int) -> list[set[int]]:
    """The sets of cells that touch, also by a corner."""
    found = []
    left = set(cells)
    while left:
        region = {left.pop()}
        fresh = set(region)
        while fresh:
            near = {n for cell in fresh for n in geometry.neighbours(height, width, cell)}
            fresh = near & left
            left -= fresh
            region |= fresh
        found.append(region)
    return found


def slow_metrics(layout: Layout) -> tuple[int, int, int]:
    """The definitions, word for word."""
    height, width = layout.shape
    numbers = layout.numbers().ravel()
    zeros = {i for i, number in enumerate(numbers) if number == 0}
    openings = regions(zeros, height, width)
    uncovered = {n for zero in zeros for n in geometry.neighbours(height, width, zero)} | zeros
    alone = {i for i, number in enumerate(numbers) if number > 0} - uncovered
    return len(openings) + len(alone), len(openings), len(regions(alone, height, width))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("...\n...\n...", (1, 1, 0)),
        ("***\n***", (0, 0, 0)),
        (".*.\n***\n.*.", (4, 0, 4)),
        ("...*...", (2, 2, 0)),
        ("..*..\n.....\n..*..", (3, 2, 1)),
        (".*..*.\n......", (10, 0, 1)),
    ],
)
def test_pictures(rows: str, expected: tuple[int, int, int]) -> None:
    layout = Layout.parse(rows)
    assert tuple(msat.metrics(layout)) == slow_metrics(layout)
    assert tuple(msat.metrics(layout)) == expected


@pytest.mark.kernel
@given(layouts())
def test_random_layouts(layout: Layout) -> None:
    assert tuple(msat.metrics(layout)) == slow_metrics(layout)


@pytest.mark.kernel
@given(layouts())
def test_a_mirror_changes_nothing(layout: Layout) -> None:
    assert msat.metrics(layout) == msat.metrics(layout.rotate().flip_horizontal())


def test_values_that_ms_toollib_gives() -> None:
    # 3BV and openings of three expert layouts, as ms_toollib 1.5.20 computes them.
    found = [msat.metrics(Layout.random(16, 30, 99, seed=seed, start=(3, 3))) for seed in (1, 2, 3)]
    assert [(m.bbbv, m.openings) for m in found] == [(174, 10), (170, 9), (194, 11)]
