"""Random layouts, by the compiled kernel and by the library: they agree with the board, and they are even.

Every seed is fixed, so that a test that passes once passes always. Counts of layouts are compared with the
oracle's list by Pearson's chi-square, whose limit is far out (a fair draw passes it with all but 1 in 10^6 of
all seeds), and mines per cell with exact probabilities within four standard errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import msat
from msat.board import Board
from msat.deadline import Deadline
from msat.engines.counting import sampling
from msat.engines.counting._kernels import incoming, philox, placing, retrace
from msat.engines.counting._kernels import sample as k
from msat.engines.counting._kernels.answer import ANSWERED, CLUE, COMPONENT, TOTAL, WIDE, answer
from msat.errors import BudgetExceeded, InconsistentBoard, ParameterError, WrongType
from msat.layout import Layout
from msat.problem._kernels.workspace import new_workspace
from tests.conftest import FULL, JIT, scaled
from tests.support.command import Cli
from tests.support.oracle import enumerate_layouts
from tests.support.positions import lattice, scattered, small_boards

pytestmark = pytest.mark.kernel

Masks = NDArray[np.int8]
Draw = Callable[[Board, int, int], Masks]


def by_kernel(board: Board, n: int, seed: int) -> Masks:
    out = np.full((n, *board.shape), 7, np.int8)
    assert k.sample_layouts(board.to_array(), board.mines, n, seed, out) == ANSWERED
    return out


def by_library(board: Board, n: int, seed: int) -> Masks:
    return np.array([layout.to_array() for layout in msat.sample(board, n, seed)], np.int8)


both_ways = pytest.mark.parametrize("draw", [by_kernel, by_library])


def expert_in_play() -> Board:
    """An expert board in the middle of a game: several components, and a rest."""
    layout = Layout.random(16, 30, 99, seed=5, start=(3, 3))
    game = msat.Game(layout)
    game.open((3, 3))
    while safe := msat.analyze(game.board).safe:
        for cell in sorted(safe):
            if game.board[cell] < 0:
                game.open(cell)
    return game.board


def assert_agree(board: Board, masks: Masks) -> None:
    """Every layout has the board's numbers, its marked mines and its total."""
    shown = board.to_array()
    for mask in masks:
        assert mask.sum() == board.mines
        numbers = Layout(*board.shape, mask.tobytes()).numbers()
        assert np.array_equal(numbers[shown >= 0], shown[shown >= 0]), board
        assert mask[shown == -2].all()


def surprise(observed: list[int], n: int) -> float:
    """How far n draws from equally likely layouts are off: chi-square as about a standard normal number."""
    expected = n / len(observed)
    freedom = len(observed) - 1
    chi_square = sum((count - expected) ** 2 / expected for count in observed)
    # Wilson and Hilferty's cube root, good also for few layouts.
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def assert_even(board: Board, masks: Masks) -> None:
    """The oracle's layouts and no others, each about as often."""
    layouts = list(enumerate_layouts(board))
    found = Counter(Layout(*board.shape, mask.tobytes()).cells for mask in masks)
    assert set(found) <= set(layouts), board
    assert surprise([found[layout] for layout in layouts], len(masks)) < 4.8, board


@both_ways
def test_layouts_of_small_boards_are_even(draw: Draw) -> None:
    tried = 0
    for board in small_boards(scaled(400), seed=11, most_hidden=12):
        count = sum(1 for _ in enumerate_layouts(board))
        if 2 <= count <= 100:
            assert_even(board, draw(board, (30 if JIT else 6) * count, 4))
            tried += 1
    assert tried >= scaled(60)


@pytest.mark.parametrize(
    "text",
    [
        "?1?1??????1?1? 5",  # two components that share the mines with the rest: 20 layouts
        "?1?1???1?1???1?1? 6",  # three of them
        "?2?2?2?/???????/?2?2?2? 6",  # one wide component
        "???/?2?/??? 2",  # one box alone
        "???/???/*?? 3",  # a known mine, and no clue
    ],
)
@both_ways
def test_layouts_of_one_board_are_even(draw: Draw, text: str) -> None:
    assert_even(Board.parse(text), draw(Board.parse(text), 4000 if JIT else 300, 1))


@both_ways
def test_every_layout_agrees_with_the_board(draw: Draw) -> None:
    small = small_boards(scaled(100), seed=12)
    boards = [board for board in small if next(enumerate_layouts(board), None) is not None]
    boards.append(scattered(9, 9, 12, 0.3, 2))
    if JIT:
        boards += [scattered(16, 30, 99, 0.4, 1), scattered(40, 40, 300, 0.25, 1), Board.blank(16, 30, 99)]
    for board in boards:
        assert_agree(board, draw(board, 5, 9))


@both_ways
def test_mines_are_as_frequent_as_their_probabilities(draw: Draw) -> None:
    board = expert_in_play() if JIT else scattered(9, 9, 12, 0.3, 2)
    n = 4000 if JIT else 100
    probability = msat.analyze(board).probability
    masks = draw(board, n, 2)
    assert_agree(board, masks[:20])
    hidden = board.to_array() == -1
    p = probability[hidden]
    frequency = masks.mean(axis=0)[hidden]
    assert np.array_equal(frequency[(p == 0) | (p == 1)], p[(p == 0) | (p == 1)])
    assert (np.abs(frequency - p) <= 4 * np.sqrt(p * (1 - p) / n)).all()


@pytest.mark.skipif(not JIT, reason="takes minutes uncompiled")
def test_numbers_beyond_doubles_are_drawn_exactly_as_often() -> None:
    board = scattered(40, 40, 300, 0.25, 1)
    counted = sampling._Sampler.of(board)
    assert any(component.peak_bits > 53 for component in counted._pass.components)
    n = 3000
    p = msat.analyze(board).probability
    hidden = board.to_array() == -1
    frequency = by_library(board, n, 1).mean(axis=0)
    off = np.abs(frequency - p)[hidden] - 4 * np.sqrt(p * (1 - p) / n)[hidden]
    assert (off <= 1e-12).all()


class TestStreams:
    """The random numbers behind the layouts."""

    @pytest.mark.parametrize(
        ("counter", "key", "words"),
        [
            ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
            ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
            (
                [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
                [0xA4093822, 0x299F31D0],
                "d16cfe09 94fdcceb 5001e420 24126ea1",
            ),
        ],
    )
    def test_are_philox_as_published(self, counter: list[int], key: list[int], words: str) -> None:
        stream = np.array([*counter, *key, 0, 0, 0, 0, 4], np.uint64)
        assert " ".join(f"{philox.word(stream):08x}" for _ in range(4)) == words

    @pytest.mark.parametrize("bound", [1, 2, 3, 1000, (1 << 30) + 1, 1 << 31])
    def test_numbers_below_a_bound_are_even(self, bound: int) -> None:
        stream = np.empty(philox.STREAM, np.uint64)
        philox.seek(stream, 1, 2, 3)
        n = scaled(3000)
        drawn = [philox.below(stream, bound) for _ in range(n)]
        assert 0 <= min(drawn) <= max(drawn) < bound
        error = ((bound * bound - 1) / 12 / n) ** 0.5
        assert abs(sum(drawn) / n - (bound - 1) / 2) <= 4 * error

    @pytest.mark.parametrize("bound", [1, 2, 3, 2**32, 2**32 + 1, 3**100])
    def test_numbers_of_any_size_are_even(self, bound: int) -> None:
        stream = np.empty(philox.STREAM, np.uint64)
        philox.seek(stream, 1, 2, 3)
        n = scaled(3000)
        drawn = [sampling._number_below(stream, bound) for _ in range(n)]
        assert 0 <= min(drawn) <= max(drawn) < bound
        mean = sum(drawn) / n / bound
        assert abs(mean - (bound - 1) / (2 * bound)) <= 4 / (12 * n) ** 0.5


@both_ways
def test_a_layout_depends_on_the_board_the_seed_and_its_number_alone(draw: Draw) -> None:
    board = scattered(9, 9, 12, 0.3, 2)
    many = draw(board, 6, 3)
    assert np.array_equal(draw(board, 2, 3), many[:2])
    assert np.array_equal(draw(board, 6, 3), many)
    assert len({mask.tobytes() for mask in many}) > 1
    assert not np.array_equal(draw(board, 6, 4), many)


def test_all_64_bits_of_the_seed_count() -> None:
    board = Board.blank(9, 9, 10)
    seeds = [0, 1, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1]
    assert len({msat.sample(board, seed=seed)[0] for seed in seeds}) == len(seeds)


def test_neither_batches_nor_blocks_change_a_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    board = scattered(40, 40, 300, 0.25, 1) if JIT else scattered(9, 9, 12, 0.3, 2)
    whole = msat.sample(board, 12, seed=8)
    monkeypatch.setattr(sampling, "BATCH_CELLS", 5 * board.height * board.width)
    assert msat.sample(board, 12, seed=8) == whole
    monkeypatch.setattr(sampling, "WHOLE", 0)
    assert msat.sample(board, 12, seed=8) == whole


def test_the_kernel_answers_what_counting_answers() -> None:
    seen = set()
    boards = [*small_boards(scaled(1000), seed=13), Board.parse("????/13?1/???? 3")]
    for board in boards:
        array, verdict = board.to_array(), np.empty(board.shape, np.int8)
        status = k.sample_layouts(array, board.mines, 1, 0, np.empty((1, *board.shape), np.int8))
        probability = np.empty(board.shape)
        found, _ = answer(array, -2, board.mines, 9, probability, verdict, new_workspace(0))
        assert status == found, board
        seen.add(status)
    assert COMPONENT in seen
    assert not FULL or seen == {ANSWERED, CLUE, COMPONENT, TOTAL}


@pytest.mark.skipif(not JIT, reason="takes minutes uncompiled")
def test_a_frontier_too_wide_for_the_kernel_is_left_to_the_library() -> None:
    board = lattice(60, 12, 150, 2, 4)
    out = np.empty((1, *board.shape), np.int8)
    assert k.sample_layouts(board.to_array(), board.mines, 1, 0, out) == WIDE
    assert_agree(board, by_library(board, 3, 0))


def test_no_layouts_are_an_empty_list() -> None:
    assert msat.sample(Board.parse("?1? 1"), 0) == []


def test_a_board_that_contradicts_itself_has_no_samples() -> None:
    impossible = [board for board in small_boards(300, 14) if next(enumerate_layouts(board), None) is None]
    assert len(impossible) > 30
    for board in impossible[: scaled(len(impossible))]:
        with pytest.raises(InconsistentBoard) as told:
            msat.sample(board, 0)
        with pytest.raises(InconsistentBoard) as expected:
            msat.analyze(board)
        assert str(told.value) == str(expected.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, "n=-1 is negative: give 0 or more"),
        ({"n": 1.5}, "n=1.5 is not a whole number"),
        ({"seed": "7"}, "seed='7' is not a whole number"),
        ({"seed": True}, "seed=True is not a whole number"),
        ({"seed": -1}, "seed=-1 is not a 64-bit seed: give 0 to 2^64 − 1"),
        ({"seed": 1 << 64}, f"seed={1 << 64} is not a 64-bit seed: give 0 to 2^64 − 1"),
        ({"budget": -1}, "budget=-1: expected seconds, at least 0, or None"),
    ],
)
def test_what_is_no_request_is_told(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as told:
        msat.sample(Board.parse("?1? 1"), **arguments)
    assert str(told.value) == message


def test_a_text_is_no_board() -> None:
    not_a_board: Any = "?1? 1"
    with pytest.raises(WrongType, match=r"sample takes a Board, not '\?1\? 1'"):
        msat.sample(not_a_board)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    board = Board.blank(3, 3, 2)
    two: Any = np.int64(2)
    three: Any = np.uint8(3)
    assert msat.sample(board, two, three) == msat.sample(board, 2, 3)


def test_the_budget_is_kept_while_counting() -> None:
    with pytest.raises(BudgetExceeded, match=r"^not counted within 0 seconds"):
        msat.sample(scattered(9, 9, 12, 0.3, 2), budget=0)


def test_the_budget_is_kept_while_drawing() -> None:
    counted = sampling._Sampler.of(Board.blank(9, 9, 10), Deadline(None))
    with pytest.raises(BudgetExceeded, match=r"^not all layouts were drawn within 0 seconds: ask for fewer"):
        list(counted.draw(3, 0, Deadline(0)))


@pytest.mark.skipif(not JIT, reason="uncompiled kernels have no signatures")
def test_every_kernel_is_compiled_for_one_signature() -> None:
    for board in (scattered(9, 9, 12, 0.3, 2), Board.blank(2, 2, 1), scattered(30, 30, 180, 0.25, 3)):
        by_kernel(board, 2, 1)
        msat.sample(board, 2, (1 << 64) - 1)
    kernels: list[Any] = [
        k.sample_layouts,
        incoming.incoming_steps,
        placing.place,
        philox.seek,
        philox.fill,
        retrace.replay_layers,
        retrace.retrace_layers,
    ]
    for kernel in kernels:
        # A part of other kernels is called from Python by an entry of its own.
        called = kernel if kernel.signatures else kernel._compile_for_args()
        assert len(called.signatures) == 1, kernel


class TestCommand:
    def test_prints_layouts_that_agree(self, cli: Cli) -> None:
        board = Board.parse("??1/3?2/??? 3")
        assert cli("sample", "??1/3?2/??? 3", "-n", "3", "--seed", "7") == 0
        layouts = [Layout.parse(text) for text in cli.out.split("\n\n")]
        assert layouts == msat.sample(board, 3, seed=7)

    def test_json_is_a_layout_a_line(self, cli: Cli) -> None:
        assert cli("sample", "??1/3?2/??? 3", "-n", "2", "--seed", "7", "--json") == 0
        layouts = [Layout.parse(line) for line in cli.out.splitlines()]
        assert layouts == msat.sample(Board.parse("??1/3?2/??? 3"), 2, seed=7)

    def test_none_is_nothing(self, cli: Cli) -> None:
        assert cli("sample", "?1? 1", "-n", "0") == 0
        assert cli.out == ""

    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            (["?1? 1", "-n", "-2"], "msat: -n -2 is negative: give 0 or more\n"),
            (
                ["?1? 1", "-n", "x"],
                "msat: argument -n/--n: 'x' is no whole number, such as 10 ('msat sample ",
            ),
            (
                ["?1? 1", "--seed", "x"],
                "msat: argument --seed: 'x' is no whole number, such as 10 ('msat sample ",
            ),
            (["?1? 2", "--seed", "1"], "msat: "),
            (["?1? 1", "--seed", "-1"], "msat: --seed -1 is not a 64-bit seed: give 0 to 2^64 − 1\n"),
        ],
    )
    def test_bad_input_is_one_line(self, cli: Cli, argv: list[str], message: str) -> None:
        assert cli("sample", *argv) == 2
        assert cli.out == ""
        assert cli.err.startswith(message)
        assert cli.err.count("\n") == 1

    def test_help_has_examples(self, cli: Cli) -> None:
        assert cli("sample", "--help") == 0
        assert "examples:\n  msat sample " in cli.out
