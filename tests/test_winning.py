"""Perfect play: the exact probability to win, against stated cases and against trying every strategy."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

import numba
import numpy as np
import pytest

import msat
from msat import winning
from msat.board import MINE, Board
from msat.constants import SETTLED
from msat.engines.endgame import search as sliced
from msat.engines.endgame._kernels import cliques as clique_kernels
from msat.engines.endgame._kernels import layouts as layout_kernels
from msat.engines.endgame._kernels import search, search_memory, sets
from msat.engines.endgame._kernels.layouts import TOO_MANY, list_solutions
from msat.engines.endgame._kernels.search_memory import OVER, RUNNING
from msat.engines.endgame.independent import independent_parts
from msat.layout import Layout
from tests.conftest import CHECKED, JIT, scaled
from tests.support.oracle import enumerate_layouts
from tests.support.positions import small_boards
from tests.support.shared import cases, needs_cases
from tests.support.strategies_by_trying import most_wins, most_wins_among, wins_after

pytestmark = pytest.mark.kernel

ENDGAMES = [
    case
    for case in cases("truth.json")
    if case["kind"] == "endgame_solution_count_and_optimal_wins" and case["verified"]
]

# First clicks unprotected: (height, width, mines), layouts, the most of them that can be won.
BLANK = [((3, 3, 2), 36, 24), ((3, 3, 3), 84, 33), ((4, 4, 2), 120, 102), ((4, 4, 3), 560, 400)]


def late_positions(count: int, seed: int) -> Iterator[Board]:
    """Small boards of which few cells are hidden, some mines marked, some cells safe but not opened."""
    rng = random.Random(seed)
    for _ in range(count):
        height, width = rng.choice([(1, 9), (2, 6), (3, 4), (3, 5), (4, 4)])
        every = [(r, c) for r in range(height) for c in range(width)]
        mined = rng.sample(every, rng.randint(0, 6))
        layout = Layout.from_mines(height, width, mined)
        safe = [cell for cell in every if cell not in mined]
        shown = {
            cell: layout.number(cell) for cell in rng.sample(safe, max(0, len(safe) - rng.randint(0, 6)))
        }
        marked = dict.fromkeys(mined[: rng.choice([0, 0, 1])], MINE)
        yield Board.blank(height, width, len(mined)).replace(shown | marked)


def pockets(count: int) -> Board:
    """So many independent fifty-fifties in a row, each with walls of numbers on both sides."""
    return Board.parse("\n".join([("?11" * count)[:-2]] * 2), mines=count)


def search_whole(board: Board) -> tuple[int, int]:
    """(layouts, wins) by one search, the board not taken apart before."""
    count, _, values = list_solutions(board.to_array(), board.mines, 100_000)
    status, wins, _, _ = search.search(values, 10_000_000)
    assert status == search.SOLVED
    return count, wins


@needs_cases
@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
@pytest.mark.parametrize("case", ENDGAMES, ids=[case["id"] for case in ENDGAMES])
def test_stated_endgames(case: dict[str, Any]) -> None:
    board = Board.parse("\n".join(case["rows"]), mines=case["total_mines"])
    found = msat.win_probability(board, every_move=True)
    assert (found.solutions, found.wins) == (int(case["exact_total"]), case["exact_optimal_wins"])
    assert found.chances is not None
    column, row = case["stated"]["best_cell_xy"]
    assert found.chances[row, column] == found.probability
    assert found.move is not None
    assert found.chances[found.move] == found.probability


@pytest.mark.parametrize(("size", "solutions", "wins"), BLANK if JIT else BLANK[:2])
def test_blank_boards(size: tuple[int, int, int], solutions: int, wins: int) -> None:
    board = Board.blank(*size)
    found = msat.win_probability(board)
    assert (found.solutions, found.wins) == (solutions, wins)
    if not CHECKED:  # trying all strategies runs no kernel, and takes ten seconds
        assert most_wins(board) == (solutions, wins)
    assert found.probability == Fraction(wins, solutions)


@pytest.mark.parametrize("seed", range(4))
def test_every_move_is_worth_what_trying_all_strategies_finds(seed: int) -> None:
    for board in late_positions(scaled(60), seed):
        found = msat.win_probability(board, every_move=True)
        expected = {cell: wins for cell, wins in wins_after(board).items() if wins}
        assert found.chances is not None
        assert {cell: chance * found.solutions for cell, chance in found.chances.items()} == expected, board
        assert (found.solutions, found.wins) == most_wins(board), board
        assert list(found.chances.values()) == sorted(found.chances.values(), reverse=True), board
        if found.move is None:
            assert not expected, board
        else:
            assert expected[found.move] == found.wins, board


def test_the_kernels_agree_with_each_other_on_every_move() -> None:
    for board in late_positions(scaled(60), seed=10):
        _, cells, values = list_solutions(board.to_array(), board.mines, 100_000)
        status, wins, column, _ = search.search(values, 1_000_000)
        ranked_status, after, _ = search.rank(values, 1_000_000)
        assert status == ranked_status == search.SOLVED
        if column < 0:
            assert not after.any(), board
        else:
            assert after[column] == after.max() == wins, board
        assert set(cells.tolist()) == {r * board.width + c for r, c in board.hidden}


def test_every_layout_is_listed_once_with_its_numbers() -> None:
    for board in small_boards(scaled(400), seed=3, most_hidden=12):
        expected = {
            tuple(
                -1 if cell in mines else len(mines.intersection(board.neighbours(cell)))
                for cell in board.hidden
            )
            for mines in enumerate_layouts(board)
        }
        count, _, values = list_solutions(board.to_array(), board.mines, 100_000)
        listed = [tuple(row) for row in values.tolist()]
        assert count == len(listed) == len(expected), board
        assert set(listed) == expected, board
        if count > 0:
            assert list_solutions(board.to_array(), board.mines, count - 1)[0] == TOO_MANY, board


def test_taking_a_board_apart_changes_nothing() -> None:
    """Two boards side by side with a wall between them: parts, factors and one large search agree."""
    apart = 0
    late = list(late_positions(max(80, scaled(200)), seed=20))
    for one, other in zip(late[::2], late[1::2], strict=False):
        if one.height != other.height:
            continue
        wall = np.full((one.height, 2), SETTLED, np.int8)
        both = np.hstack([one.to_array(), wall, other.to_array()])
        count, _, values = list_solutions(both, one.mines + other.mines, 100_000)
        status, wins, _, _ = search.search(values, 10_000_000)
        assert status == search.SOLVED
        found = [msat.win_probability(board) for board in (one, other)]
        if count == prod(part.solutions for part in found):  # the total does not couple them
            assert wins == prod(part.wins for part in found), (one, other)
            apart += count > 1
    assert apart > 0


def test_whole_boards_by_parts_and_in_one_search() -> None:
    boards = [pockets(n) for n in range(1, 5)]
    boards += [board for board in late_positions(scaled(100), seed=30) if board.hidden]
    for board in boards:
        found = msat.win_probability(board)
        assert (found.solutions, found.wins) == search_whole(board), board


def test_parts_multiply_to_all_layouts() -> None:
    several = 0
    for board in [pockets(3), *late_positions(scaled(300), seed=40)]:
        known = msat.analyze(board)
        parts = independent_parts(board, known.safe, known.mined)
        counts = [list_solutions(part.array, part.mines, 100_000)[0] for part in parts]
        assert prod(counts) == known.solutions, board
        several += len(parts) > 1
    assert several > 0


def test_a_product_of_parts_far_beyond_what_could_be_listed() -> None:
    found = msat.win_probability(pockets(60))
    assert (found.wins, found.solutions) == (1, 2**60)
    assert found.move == (0, 0)


def test_cells_that_only_a_safe_cell_joins_are_one_part() -> None:
    # Two mines are in the two pairs, so the cell between them is safe; what it shows tells of both pairs.
    board = Board.parse("?1???1?/ 2")
    known = msat.analyze(board)
    assert known.safe == {(0, 3)}
    assert len(independent_parts(board, known.safe, known.mined)) == 1
    found = msat.win_probability(board)
    assert (found.solutions, found.wins) == (4, 3) == most_wins(board)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("*1/11 1", None),  # won, the mine marked …
        ("?1/11 1", None),  # … and not marked
        ("00/00 0", None),
        ("??/?? 0", (0, 0)),
        ("??/?? 4", None),
        ("?10/?10/??0 1", (2, 0)),  # logic alone wins
    ],
)
def test_what_needs_no_luck_is_won(text: str, move: tuple[int, int] | None) -> None:
    found = msat.win_probability(Board.parse(text), every_move=True)
    assert found.probability == 1
    assert found.move == move
    assert found.chances is not None
    assert [cell for cell, chance in found.chances.items() if chance == 1][:1] == ([move] if move else [])


def test_a_fifty_fifty_in_words() -> None:
    found = msat.win_probability(Board.parse("?1/?1 1"))
    assert str(found) == "50.00% (1 of 2 layouts, beginning at r0c0)"
    assert found.chances is None


def test_contradictory_boards() -> None:
    with pytest.raises(msat.InconsistentBoard):
        msat.win_probability(Board.parse("3?/11 1"))


def test_too_many_layouts_are_an_error_that_carries_what_is_proven() -> None:
    with pytest.raises(msat.BudgetExceeded, match=r"^480 cells that depend on each other .*=10000$"):
        msat.win_probability(Board.blank(16, 30, 99))
    board = Board.parse("??????/??????/?11???/01???? 5")
    with pytest.raises(msat.BudgetExceeded, match=r"most_solutions=20$") as error:
        msat.win_probability(board, most_solutions=20)
    known = msat.analyze(board)
    assert (error.value.safe, error.value.mined) == (known.safe, known.mined)


def test_too_many_layouts_are_counted_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winning, "list_solutions", None)
    with pytest.raises(msat.BudgetExceeded, match=r"^480 cells that depend on each other .*=500000$"):
        msat.win_probability(Board.blank(16, 30, 99), most_solutions=500_000)


def test_too_little_memory_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.blank(3, 3, mines=2)
    monkeypatch.setattr("msat.deadline.MEMORY_LIMIT", 10_000)
    with pytest.raises(msat.BudgetExceeded, match="takes more than 0 MiB of memory, or than there is"):
        msat.win_probability(board)


def test_memory_that_runs_out_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def list_solutions(*_: object) -> None:
        raise MemoryError("Allocation failed (probably too large).")

    monkeypatch.setattr(winning, "list_solutions", list_solutions)
    with pytest.raises(msat.BudgetExceeded, match="takes more than 2,048 MiB of memory, or than there is"):
        msat.win_probability(Board.blank(3, 3, mines=2))


def test_the_limits_are_exact() -> None:
    board = Board.blank(3, 3, mines=2)
    assert msat.win_probability(board, most_solutions=36).wins == 24
    with pytest.raises(msat.BudgetExceeded, match="most_solutions=35"):
        msat.win_probability(board, most_solutions=35)
    _, _, values = list_solutions(board.to_array(), board.mines, 36)
    _, wins, _, nodes = search.search(values, 1_000_000)
    assert wins == 24
    assert search.search(values, nodes)[:2] == (search.SOLVED, 24)
    assert search.search(values, nodes - 1)[0] == OVER
    assert search.rank(values, nodes - 1)[0] == OVER
    assert msat.win_probability(board, most_nodes=nodes).wins == 24
    with pytest.raises(msat.BudgetExceeded, match=f"^9 cells .* have 36 layouts: .*most_nodes={nodes - 1}$"):
        msat.win_probability(board, most_nodes=nodes - 1)


def test_what_is_no_board() -> None:
    with pytest.raises(msat.WrongType, match=r"^win_probability takes a Board, not '\?\?/11 1': Board.parse"):
        msat.win_probability("??/11 1")  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", ["most_solutions", "most_nodes"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, 10**16])
def test_limits_that_are_none(limit: str, value: object) -> None:
    with pytest.raises(msat.ParameterError, match=f"^{limit}={value}"):
        msat.win_probability(Board.blank(2, 2, 1), **{limit: value})  # type: ignore[arg-type]


def test_a_search_in_slices_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.blank(3, 3, mines=3)
    whole = msat.win_probability(board, every_move=True)
    monkeypatch.setattr(sliced, "SLICE", 40)
    assert msat.win_probability(board, every_move=True) == whole


def test_of_a_clique_only_one_layout_is_won() -> None:
    """A clique has rivals only, and there are no more wins than cliques, whatever layouts are left."""
    rng = random.Random(3)
    smaller = 0
    for board in late_positions(scaled(150), seed=11):
        count, _, values = list_solutions(board.to_array(), board.mines, 1000)
        if count < 1:
            continue
        cliques, clique = clique_kernels.cover(values, np.array([0, count]))
        assert sorted(set(clique)) == list(range(cliques))
        for i in range(count):
            for j in range(i):
                told_apart = (values[i] != values[j]) & (values[i] >= 0) & (values[j] >= 0)
                assert clique[i] != clique[j] or not told_apart.any()
        smaller += cliques < count
        chosen = np.array(sorted(rng.sample(range(count), rng.randint(1, count))))
        for rows in (np.arange(count), chosen):
            wins = most_wins_among([{(0, j): v for j, v in enumerate(row)} for row in values[rows].tolist()])
            assert 1 <= wins <= len(set(clique[rows]))
            assert search.search(values[rows], 1_000_000)[1] == wins
    assert smaller >= scaled(20)


def test_a_search_for_less_than_the_most_wins() -> None:
    for board in late_positions(scaled(40), seed=12):
        count, _, values = list_solutions(board.to_array(), board.mines, 1000)
        for column in range(values.shape[1]) if count > 0 else ():
            wins = sliced.EndgameSearch(values).wins_if(column, 1_000_000)
            assert wins is not None
            for need in range(count + 2):
                found = sliced.EndgameSearch(values).wins_if(column, 1_000_000, need=need)
                assert found is not None
                assert found == wins if wins >= need else wins <= found < need


def test_an_arena_that_was_enlarged_remembers() -> None:
    board = Board.blank(3, 3, mines=3)
    _, _, values = list_solutions(board.to_array(), board.mines, 100)
    memory = search_memory.new_memory(values, np.array([0, len(values)]), 1_000_000)
    assert search.wins_if(memory, search.ANY, 0) == 33
    used = memory.state[search_memory.NODES]
    for _ in range(2):
        memory = search_memory.enlarged(memory)
        assert search.wins_if(memory, search.ANY, 0) == 33
    assert memory.state[search_memory.NODES] == used
    assert memory.state[search_memory.STATUS] == RUNNING


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
def test_an_arena_grows_as_it_must() -> None:
    board = Board.blank(4, 5, mines=4)
    _, _, values = list_solutions(board.to_array(), board.mines, 5000)
    memory = search_memory.new_memory(values, np.array([0, len(values)]), 10_000_000)
    search.wins_if(memory, search.ANY, 0)
    assert memory.state[search_memory.STATUS] == search_memory.FULL
    rotated = search_whole(board.rotate())
    assert search_whole(board) == rotated
    assert rotated[0] == 4845


@pytest.mark.skipif(not JIT, reason="uncompiled kernels have no signatures")
def test_every_kernel_of_the_search_has_one_signature() -> None:
    """Two of the recursive kernel would call each other, and crash when loaded from numba's cache."""
    board = Board.blank(3, 3, mines=2)
    msat.win_probability(board, every_move=True)
    _, _, values = list_solutions(board.to_array(), board.mines, 100)
    search.search(values, 100)
    search.rank(values, 100)
    for module in (search, clique_kernels, layout_kernels, search_memory, sets):
        for kernel in vars(module).values():
            signatures = getattr(kernel, "signatures", [])
            assert len({tuple(map(numba.types.unliteral, types)) for types in signatures}) <= 1, kernel


@pytest.mark.parametrize("every_move", [False, True])
def test_what_was_found_can_be_pickled_and_hashed(every_move: bool) -> None:
    found = msat.win_probability(Board.parse("1???/???? 2"), every_move=every_move)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert hash(again) == hash(found)
    assert list(again.chances or ()) == list(found.chances or ())
