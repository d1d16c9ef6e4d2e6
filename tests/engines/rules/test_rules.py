"""The rules: proven sound, and compared with their definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, groupby

import numpy as np
import pytest

from msat.board import HIDDEN, MINE, Board, Cell
from msat.constants import LAST_RULE, SAFE
from msat.engines.rules._kernels import apply_rules
from msat.engines.rules.deductions import Deduction, deductions
from msat.errors import InconsistentBoard, UnknownName
from tests.conftest import JIT, scaled
from tests.support.oracle import enumerate_layouts
from tests.support.rule_table import SHOWCASES, TABLE, Firing, Form, Position, around, firings, fixpoint

kernel = pytest.mark.kernel
NO_LOG = np.empty((0, 6), dtype=np.int32)
FORM_IDS = [f"rule {form.rule}, {'mine' if form.mine else 'safe'}" for form in TABLE]


def subsets(cells: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
    return map(frozenset, chain.from_iterable(combinations(cells, k) for k in range(len(cells) + 1)))


# The proof: every form in every orientation, over every window.


def counterexample(form: Form) -> tuple[frozenset[Cell], frozenset[Cell]] | None:
    """Hidden cells and mines around the clues of a form where it fires and is wrong, if there are any.

    A form sees its clues' needs and which cells around them are hidden, nothing else; a cell that is off the
    board looks like any other that is not hidden. So these are all cases, at the edge of a board or not.
    """
    for placed in form.orientations:
        clues = placed.clues
        window = frozenset[Cell]().union(*map(around, clues.values())) - set(clues.values())
        for hidden in subsets(window):
            if not placed.fits(hidden):
                continue
            size = {name: len(around(clue) & hidden) for name, clue in clues.items()}
            decided = placed.decided & hidden
            for mines in subsets(hidden):
                need = {name: len(around(clue) & mines) for name, clue in clues.items()}
                if form.condition(need, size) and decided & mines != (decided if form.mine else set()):
                    return hidden, mines
    return None


@pytest.mark.parametrize("form", TABLE, ids=FORM_IDS)
def test_every_form_is_sound_in_every_window(form: Form) -> None:
    assert counterexample(form) is None


def without_x(form: Form) -> Form:
    return replace(form, picture=form.picture.replace("X", "*"))


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(replace(TABLE[2], condition=lambda need, u: need["m"] == u["m"] - 1), id="3, any n"),
        pytest.param(replace(TABLE[3], condition=lambda need, u: need["m"] == need["n"] == 1), id="4, any n"),
        pytest.param(without_x(TABLE[4]), id="5 without X"),
        pytest.param(without_x(TABLE[5]), id="6 without X"),
        pytest.param(
            replace(
                TABLE[7], condition=lambda need, u: need["a"] == need["b"] == 1 and u["a"] == u["b"] == 2
            ),
            id="7, safe, without need(m) = 2",
        ),
        pytest.param(without_x(TABLE[8]), id="8 without X"),
        pytest.param(without_x(TABLE[9]), id="9 without X"),
    ],
)
def test_the_proof_rejects_unsound_forms(form: Form) -> None:
    assert counterexample(form) is not None


def test_orientations_are_as_many_as_defined() -> None:
    assert [len(form.orientations) for form in TABLE] == [1, 1, 8, 8, 4, 4, 4, 4, 4, 4]


WINDOWS = (
    # Clues (#) and the cells around them (.): side by side, two apart and at a corner, first in the open,
    # then with the board's edge on one or more sides.
    ".... .##. ....",
    "..... .#.#. .....",
    "x... ..#. .##. ....",
    ".##. ....",
    "... ##. ...",
    "##. ...",
    ".##.",
    ".#.#. .....",
    ".... #.#. ....",
    "#.#. ....",
    "... #.# ...",
    ".#.#.",
    "..# .## ...",
    ".#. ##. ...",
)


@kernel
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("window", WINDOWS)
def test_the_kernel_is_sound_in_every_window(window: str, turns: int) -> None:
    """All ways to hide cells of the window, all numbers that the clues can show: no layout contradicts."""
    shape = np.rot90(np.array([list(row) for row in window.split()]), turns)
    clues = [(int(r), int(c)) for r, c in np.argwhere(shape == "#")]
    cells = [(int(r), int(c)) for r, c in np.argwhere(shape == ".")]
    places = (slice(None), *np.array(cells).T)
    bits = 1 << np.arange(len(cells))
    layouts = np.arange(1 << len(cells))
    numbers = np.zeros(layouts.size, dtype=np.int64)  # what all clues show, one decimal digit each
    for clue in reversed(clues):
        numbers = 10 * numbers + sum(layouts >> i & 1 for i, cell in enumerate(cells) if cell in around(clue))
    fired = 0
    for hidden in range(0, layouts.size, 1 if JIT else 1 + layouts.size // 16):
        possible = layouts[layouts & ~hidden == 0]
        seen, which = np.unique(numbers[possible], return_inverse=True)
        grids = np.full((seen.size, *shape.shape), SAFE, dtype=np.int8)
        grids[places] = np.where(hidden & bits, HIDDEN, SAFE)
        for digit, clue in enumerate(clues):
            grids[:, *clue] = seen // 10**digit % 10
        for grid in grids:
            count, violated = apply_rules(grid, LAST_RULE, NO_LOG)
            assert violated == -1
            fired += count
        mines = ((grids[places] == MINE) @ bits)[which]
        safe = ((grids[places] == SAFE) @ bits)[which] & hidden
        assert np.array_equal(possible & mines, mines)
        assert not np.any(possible & safe)
    assert fired


# Random positions as they come up in play, and the definition again.


def random_board(random: np.random.Generator, largest: int) -> Board:
    """A random layout with up to `largest` cells a side, some safe cells opened and some mines marked."""
    height, width = random.integers(1, largest + 1, 2)
    mined = random.random((height, width)) < random.choice([0.1, 0.2, 0.3, 0.4])
    opened = random.random((height, width)) < random.choice([0.3, 0.5, 0.7, 0.9])
    marked = random.random((height, width)) < random.choice([0.0, 0.3, 1.0])
    mines = {(int(r), int(c)) for r, c in np.argwhere(mined)}
    numbers = [[len(around((r, c)) & mines) for c in range(width)] for r in range(height)]
    hidden_or_marked = np.where(marked, MINE, HIDDEN)
    return Board.from_array(np.where(mined, hidden_or_marked, np.where(opened, numbers, HIDDEN)), len(mines))


def random_boards(count: int, largest: int, seed: int) -> Iterator[Board]:
    random = np.random.default_rng(seed)
    return (random_board(random, largest) for _ in range(scaled(count)))


def found(board: Board, last_rule: int = LAST_RULE) -> dict[Cell, bool]:
    return {deduction.cell: deduction.mine for deduction in deductions(board, last_rule)}


def applications(found: tuple[Deduction, ...]) -> Iterator[Firing]:
    """The deductions, those of one application of a rule taken together."""
    for (rule, mine, clues), group in groupby(found, lambda each: (each.rule, each.mine, each.clues)):
        yield Firing(rule, mine, clues, frozenset(each.cell for each in group))


def canonical(step: Firing) -> Firing:
    """The step with a and b of rule 7, which are alike, in a fixed order."""
    return step._replace(clues=(step.clues[0], *sorted(step.clues[1:])))


@kernel
def test_each_step_is_an_application_of_the_lowest_rule_that_fires() -> None:
    rules_seen = set()
    showcases = (Board.parse(text) for _, _, text, _ in SHOWCASES)
    for board in chain(showcases, random_boards(800, 7, seed=1)):
        position = Position.of(board)
        for step in applications(deductions(board)):
            rules_seen.add(step.rule)
            possible = [canonical(each) for each in firings(position, step.rule)]
            assert canonical(step) in possible, f"{board!r}: {step}"
            assert possible[0].rule == step.rule, f"{board!r}: {step}, but {possible[0]}"
            position = position.after(step.cells, step.mine)
        assert next(firings(position), None) is None, repr(board)
    assert rules_seen == set(range(1, LAST_RULE + 1))


@kernel
@pytest.mark.parametrize("last_rule", range(1, LAST_RULE + 1))
def test_up_to_each_rule_the_kernel_finds_what_the_definition_finds(last_rule: int) -> None:
    for board in random_boards(150, 6, seed=last_rule):
        assert (found(board, last_rule), False) == fixpoint(board, last_rule), repr(board)


@kernel
def test_deductions_hold_in_every_layout() -> None:
    decided = 0
    for board in random_boards(600, 4, seed=2):
        verdicts = found(board)
        decided += len(verdicts)
        for mines in enumerate_layouts(board):
            assert all((cell in mines) == mine for cell, mine in verdicts.items()), repr(board)
    assert decided


@kernel
def test_the_named_clues_suffice() -> None:
    """Without any other clue, each deduction still follows from what is known before it."""
    for board in random_boards(400, 6, seed=3):
        position = Position.of(board)
        for step in applications(deductions(board)):
            window = frozenset[Cell]().union(*map(around, step.clues)) & position.hidden
            for mines in subsets(window):
                if all(len(around(clue) & mines) == position.need[clue] for clue in step.clues):
                    assert step.cells & mines == (step.cells if step.mine else set()), f"{board!r}: {step}"
            position = position.after(step.cells, step.mine)


@kernel
def test_turning_or_mirroring_the_board_turns_or_mirrors_what_is_found() -> None:
    for board in random_boards(400, 9, seed=4):
        top, right = board.height - 1, board.width - 1
        verdicts = found(board)
        assert found(board.flip_horizontal()) == {(r, right - c): mine for (r, c), mine in verdicts.items()}
        assert found(board.flip_vertical()) == {(top - r, c): mine for (r, c), mine in verdicts.items()}
        assert found(board.rotate()) == {(c, top - r): mine for (r, c), mine in verdicts.items()}


@kernel
def test_a_zero_has_no_mines() -> None:
    """To say that it has them all would be true, and odd."""
    [found] = deductions(Board.parse("?0/ 0"))
    assert str(found) == "r0c0 is safe by rule 1: the 0 at r0c1 has no mines around it"


@kernel
def test_a_deduction_reads_as_a_sentence() -> None:
    sentences = [str(deduction) for deduction in deductions(Board.parse("???/12?/01? 2"))]
    assert sentences[0] == (
        "r0c2 is safe by rule 7: the two mines that the 2 at r1c1 needs are the ones of "
        "the 1 at r1c0 and the 1 at r2c1"
    )


@kernel
@pytest.mark.parametrize("last_rule", [0, 10, -1])
def test_unknown_rules_are_refused(last_rule: int) -> None:
    with pytest.raises(UnknownName, match=f"unknown rule {last_rule}: choose one of 1, 2, .* 9"):
        deductions(Board.parse("?1/ 1"), last_rule)
    with pytest.raises(UnknownName, match=r"last_rule=2\.5 is not a whole number"):
        deductions(Board.parse("?1/ 1"), 2.5)  # type: ignore[arg-type]


# Contradictions.


@kernel
@pytest.mark.parametrize(
    ("text", "message", "clues"),
    [
        ("3?/?0 2", "the 3 at r0c0 has only 2 hidden neighbours", {(0, 0)}),
        ("2*1? 2", "the 2 at r0c0 has only 0 hidden neighbours besides 1 marked mine", {(0, 0)}),
        ("*1/*? 3", "the 1 at r0c1 has 2 marked mines around it", {(0, 1)}),
        ("??0?1 2", "the 1 at r0c4 has at most 0 mines around it by the 0 at r0c2", {(0, 2), (0, 4)}),
        ("???/112 2", "the 1 at r1c1 has at least 2 mines around it by the 2 at r1c2", {(1, 1), (1, 2)}),
    ],
)
def test_a_violated_clue_is_named(text: str, message: str, clues: set[Cell]) -> None:
    with pytest.raises(InconsistentBoard) as caught:
        deductions(Board.parse(text))
    assert str(caught.value) == message
    assert caught.value.clues == clues


def contradiction(board: Board) -> frozenset[Cell]:
    """The clues that the rules find to contradict each other, if any."""
    try:
        deductions(board)
    except InconsistentBoard as error:
        return error.clues
    return frozenset()


def rules_contradict(board: Board, clues: frozenset[Cell]) -> bool:
    """Whether the rules violate a clue when only `clues` are read."""
    grid = board.to_array()
    for cell in board.revealed:
        if cell not in clues:
            grid[cell] = SAFE
    return bool(apply_rules(grid, LAST_RULE, NO_LOG)[1] >= 0)


@kernel
def test_reported_contradictions_are_real_and_as_small_as_the_rules_can_tell() -> None:
    random = np.random.default_rng(5)
    reported = 0
    boards = [
        board.replace({board.revealed[random.integers(len(board.revealed))]: int(random.integers(9))})
        for board in random_boards(1500, 5, seed=6)
        if board.revealed
    ]
    # Here one pass over the clues does not suffice: one becomes superfluous only when another is dropped.
    boards.append(Board.parse("01?10/02?2?/01??1 2"))
    for board in boards:
        clues = contradiction(board)
        if clues:
            reported += 1
            position = Position.of(board)
            window = frozenset[Cell]().union(*map(around, clues)) & position.hidden
            assert not any(
                all(len(around(clue) & mines) == position.need[clue] for clue in clues)
                for mines in subsets(window)
            ), repr(board)
            assert rules_contradict(board, clues), repr(board)
            assert not any(rules_contradict(board, clues - {clue}) for clue in clues), repr(board)
    assert reported


# The kernel's own contract.


@kernel
def test_the_log_and_the_grid_agree_and_logging_changes_nothing() -> None:
    for board in random_boards(200, 9, seed=7):
        plain, logged, partly = (board.to_array() for _ in range(3))
        log = np.full((plain.size, 6), -9, dtype=np.int32)
        short = np.full((1, 6), -9, dtype=np.int32)
        count, violated = apply_rules(logged, LAST_RULE, log)
        assert (
            (count, violated)
            == apply_rules(plain, LAST_RULE, NO_LOG)
            == apply_rules(partly, LAST_RULE, short)
        )
        assert np.array_equal(plain, logged)
        assert np.array_equal(plain, partly)
        replayed = board.to_array()
        replayed.flat[log[:count, 0]] = np.where(log[:count, 1] == 1, MINE, SAFE)
        assert np.array_equal(plain, replayed)
        assert np.all(log[count:] == -9)
        assert count == 0 or np.array_equal(short[0], log[0])


@kernel
def test_cells_known_to_be_safe_count_as_not_hidden() -> None:
    grid = np.array([[SAFE, 1, HIDDEN]], dtype=np.int8)
    assert apply_rules(grid, LAST_RULE, NO_LOG) == (1, -1)
    assert grid.tolist() == [[SAFE, 1, MINE]]


@kernel
@pytest.mark.skipif(not JIT, reason="nothing is compiled in this run")
def test_one_specialisation_is_compiled() -> None:
    deductions(Board.parse("?1/ 1"))
    entry = apply_rules._compile_for_args()  # type: ignore[attr-defined]  # what a call from Python goes to
    assert len(entry.signatures) == 1
