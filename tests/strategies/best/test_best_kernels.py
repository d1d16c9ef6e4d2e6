"""The compiled parts of `best`, each against every layout of small boards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import MINE, Board, Cell
from msat.problem._kernels.boxes import REST
from msat.strategies._kernels import game
from msat.strategies.best._kernels.components import Parts, log_layouts, outside, take_apart
from msat.strategies.best._kernels.dead_cells import mark_dead
from msat.strategies.best._kernels.endgames import decide_late
from msat.strategies.best._kernels.evaluate import _look_around
from msat.strategies.best._kernels.trial import new_room, try_cell
from msat.strategies.best._kernels.value import NOT_YET_OPENED, TOP, worth
from tests.conftest import scaled
from tests.support.oracle import enumerate_layouts
from tests.support.positions import small_boards
from tests.support.strategies_by_trying import most_wins

pytestmark = pytest.mark.kernel

STATES = 1024
NEVER = 0.0  # a worth below which no trial is cut short

POCKETS = ["?1/?1 1", "???1/12?1 2", "?3?1/???1 3", "?2?1/?2?1 2", "?2?1/???1 2", "1??1/?2?1 2"]
"""Cells whose mines are known in number, behind a wall of numbers."""

OPENED = ["01??/01?? 2", "01???/01??? 3", "01????/01???? 3"]
"""Boards on which nothing is proven safe although they show a 0; drawn at random, hardly any is like that."""


@dataclass
class Position:
    """A board on which nothing is proven safe, its proven mines marked, and all of its layouts."""

    board: Board
    layouts: list[frozenset[Cell]]
    parts: Parts
    dead: NDArray[np.int8]

    @property
    def grid(self) -> NDArray[np.int8]:
        return self.board.to_array()

    def at(self, cell: Cell) -> int:
        return cell[0] * self.board.width + cell[1]

    def shown(self, cell: Cell, layouts: list[frozenset[Cell]]) -> dict[int, list[frozenset[Cell]]]:
        """The layouts in which `cell` is safe, by the number that it shows."""
        by_number = defaultdict(list)
        for mines in layouts:
            if cell not in mines:
                by_number[len(mines.intersection(self.board.neighbours(cell)))].append(mines)
        return by_number


def positions(count: int, seed: int) -> Iterator[Position]:
    yield from map(position, filter(stuck, small_boards(count, seed, most_hidden=14)))


def stuck(board: Board) -> bool:
    """Whether a board is possible, not solved, and nothing on it is proven safe."""
    layouts = list(enumerate_layouts(board))
    unsure = frozenset(board.hidden) - frozenset.intersection(*layouts) if layouts else frozenset()
    return bool(unsure) and unsure <= frozenset.union(*layouts)


def position(board: Board) -> Position:
    layouts = list(enumerate_layouts(board))
    board = board.replace(dict.fromkeys(frozenset.intersection(*layouts), MINE))
    fits, parts = take_apart(board.to_array(), board.mines, STATES)
    assert fits
    dead = np.empty(board.height * board.width, np.int8)
    mark_dead(parts.flat, board.height, board.width, dead)
    return Position(board, layouts, parts, dead)


def component_cells(position: Position, component: int) -> list[Cell]:
    box_of = position.parts.flat.box_of
    return [
        cell
        for cell in position.board.hidden
        if box_of[position.at(cell)] >= 0 and position.parts.component[box_of[position.at(cell)]] == component
    ]


def test_layouts_are_counted_by_parts() -> None:
    for position in positions(max(150, scaled(600)), seed=1):
        assert log_layouts(position.parts) == pytest.approx(log(len(position.layouts)), abs=1e-9)


def test_what_lies_outside_a_component_weighs_its_mine_counts() -> None:
    compared = 0
    for position in positions(max(150, scaled(600)), seed=2):
        parts = position.parts
        rest = [cell for cell in position.board.hidden if parts.flat.box_of[position.at(cell)] == REST]
        for i in range(parts.low.size):
            cells = component_cells(position, i)
            by_mines = defaultdict(list)
            for mines in position.layouts:
                by_mines[len(mines.intersection(cells))].append(mines)
            skip = np.zeros(parts.low.size, np.int64)
            skip[i] = 1
            ways, mined = np.empty((2, len(cells) + 1))
            outside(parts, skip, len(rest), ways, mined)
            poly = parts.poly[parts.poly_at[i] : parts.poly_at[i + 1]]
            placements = np.zeros(len(cells) + 1)
            placements[parts.low[i] : parts.low[i] + poly.size] = poly
            expected = np.array([len(by_mines[m]) for m in range(len(cells) + 1)])
            weights = placements * ways
            assert weights / weights.sum() == pytest.approx(expected / expected.sum()), position.board
            for m, found in by_mines.items():
                if rest and found:
                    held = sum(len(mines.intersection(rest)) for mines in found)
                    assert mined[m] / ways[m] == pytest.approx(held / len(found) / len(rest))
            compared += len(by_mines) > 1
    assert compared


def test_a_dead_cell_has_one_number() -> None:
    marked = 0
    for position in positions(max(150, scaled(600)), seed=3):
        for cell in position.board.hidden:
            if position.dead[position.at(cell)]:
                assert len(position.shown(cell, position.layouts)) == 1, (position.board, cell)
                marked += 1
    assert marked


def top_worth(safeties: list[float], safe: int) -> float:
    """The worth of a board by its safest cells, and so many that are proven safe and teach something."""
    top = np.zeros(TOP)
    best = sorted([*safeties, *[1.0] * safe], reverse=True)[:TOP]
    top[: len(best)] = best
    return float(worth(top))


def test_a_trial_knows_chances_and_safeties_after_it() -> None:
    """Chances of all numbers; and, where the trial concerns all components, what is safest after each.

    Whether a cell lives is told by simple reasons only. So the worth lies between that of the cells which can
    teach something and that of all. Without an opening, any number but 0 is worth a little less.
    """
    tried = 0
    judged: Counter[tuple[bool, bool]] = Counter()
    boards = [position(Board.parse(text)) for text in OPENED]
    for here in [*positions(max(60, scaled(250)), seed=4), *boards]:
        board, grid = here.board, here.grid
        opened = bool((grid == 0).any())
        probability = msat.analyze(board).probability
        around = _look_around(here.parts, grid, here.dead, probability)
        room = new_room(here.parts, STATES)
        for cell in board.hidden:
            by_number = here.shown(cell, here.layouts)
            numbers, _ = try_cell(here.parts, grid, here.at(cell), around, room, NEVER)
            assert numbers == len(by_number), (board, cell)
            safe = sum(map(len, by_number.values()))
            expected = [len(by_number[number]) / safe for number in range(9)]
            assert room.chance.tolist() == pytest.approx(expected), (board, cell)
            tried += 1
            if numbers == 1 or not room.joined.all():
                continue
            others = [other for other in board.hidden if other != cell]
            for number, layouts in by_number.items():
                if not layouts:
                    continue
                safety = {o: sum(o not in mines for mines in layouts) / len(layouts) for o in others}
                unsure = {o: chance for o, chance in safety.items() if 0 < chance < 1}
                living = [chance for o, chance in unsure.items() if len(here.shown(o, layouts)) > 1]
                teaching = sum(
                    chance == 1 and not unsure.keys().isdisjoint(board.neighbours(o))
                    for o, chance in safety.items()
                )
                least, most = top_worth(living, teaching), top_worth(list(unsure.values()), teaching)
                factor = 1.0 if opened or number == 0 else NOT_YET_OPENED
                value = room.value[number] / factor
                assert least - 1e-9 <= value <= most + 1e-9, (board, cell, number)
                judged[opened, number == 0] += 1
    assert tried
    assert len(judged) >= 3, judged  # with an opening, none of these shows a 0 where all can be told


def beside_a_field(pocket: Board) -> Board:
    """The pocket, a column of numbers, and a field with far too many layouts to be listed."""
    height, width = pocket.height, pocket.width
    mines = next(enumerate_layouts(pocket))
    field = [(r, c) for r in range(height) for c in range(width + 1, width + 12)]
    layout = msat.Layout.from_mines(height, width + 12, [*mines, *field[:: max(2, height)]])
    shown = [*pocket.revealed, *((r, width) for r in range(height))]
    return Board.blank(height, width + 12, layout.mines).replace(
        {cell: layout.number(cell) for cell in shown}
    )


@pytest.mark.parametrize("text", POCKETS)
def test_a_pocket_is_played_as_if_it_were_alone(text: str) -> None:
    pocket = Board.parse(text)
    layouts, wins = most_wins(pocket)
    board = beside_a_field(pocket)
    known = msat.analyze(board)
    grid = board.replace(dict.fromkeys(known.mined, MINE)).to_array()
    fits, parts = take_apart(grid, board.mines, STATES)
    assert fits
    kind, cell, chance = decide_late(parts, grid, board.mines, 200, 10_000)
    assert kind == game.POCKET
    assert chance == pytest.approx(wins / layouts)
    row, column = divmod(cell, board.width)
    assert (row, column) in pocket.hidden
    chances = msat.win_probability(pocket, every_move=True).chances
    assert chances is not None
    assert chances[row, column] == msat.win_probability(pocket).probability
