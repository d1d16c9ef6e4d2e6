"""Explanations: right, minimal, from their own clues alone, and readable."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import msat
from msat.board import HIDDEN, MINE, Board, Cell
from msat.constants import LAST_RULE, SAFE
from msat.engines.counting.possible_totals import possible_totals
from msat.engines.rules._kernels import apply_rules
from msat.engines.rules.deductions import deductions
from msat.errors import BudgetExceeded, CellError, CheckFailed, InconsistentBoard
from msat.explanation.arguments import Tried
from msat.explanation.explanation import Explanation
from msat.explanation.facts import facts_of
from msat.explanation.refutation import Refutation, _CaseSearch
from msat.problem.problem import Problem
from tests.conftest import FULL, JIT, scaled
from tests.support.oracle import counts
from tests.support.positions import scattered, small_boards
from tests.support.proofs import check_proof, placements, showing

pytestmark = pytest.mark.kernel


def forces(board: Board, clues: frozenset[Cell], total: bool, cell: Cell, mine: bool) -> bool:
    """Whether these clues force the cell: all placements are tried."""
    return all((cell in mines) == mine for mines in placements(board, clues, total))


def rules_decide(board: Board, clues: frozenset[Cell], cell: Cell) -> bool:
    """Whether the rules decide the cell by these clues alone."""
    array = showing(board, clues)
    apply_rules(array, LAST_RULE, np.empty((0, 6), np.int32))
    return bool(array[cell] != HIDDEN)


def engine_forces(board: Board, clues: frozenset[Cell], total: bool, cell: Cell, mine: bool) -> bool:
    """The same by the counting engine: with the opposite in the cell, nothing is possible."""
    array = showing(board, clues)
    array[cell] = SAFE if mine else MINE
    possible = possible_totals(array, lowest=SAFE)
    return board.mines not in possible if total else not possible


def small_consistent_boards(amount: int, seed: int) -> list[Board]:
    boards = small_boards(amount, seed, most_hidden=9)
    return [board for board in boards if board.hidden and counts(board)[0]]


@pytest.mark.parametrize("seed", range(3))
def test_small_boards_against_all_placements(seed: int) -> None:
    rng = random.Random(seed)
    forced = with_total = tried = 0
    for board in small_consistent_boards(scaled(400), 900 + seed):
        solutions, mined = counts(board)
        for cell in rng.sample(board.hidden, min(2, len(board.hidden))):
            explanation = msat.explain(board, cell)
            expected = {0: "safe", solutions: "mine"}.get(mined[cell], "open")
            assert explanation.verdict == expected, (board, cell)
            if expected == "open":
                assert explanation.probability == Fraction(mined[cell], solutions)
                check_witnesses(explanation)
                continue
            forced += 1
            with_total += explanation.uses_mine_count
            tried += any(isinstance(step, Tried) for step in explanation.steps)
            check_forced_small(explanation)
    if FULL:
        assert forced > 150
        assert with_total > 30
        assert tried <= forced / 50, "proofs without words must stay rare"


def check_forced_small(explanation: Explanation) -> None:
    board, cell, clues = explanation.board, explanation.cell, explanation.clues
    mine, total = explanation.verdict == "mine", explanation.uses_mine_count
    assert clues <= set(board.revealed)
    assert forces(board, clues, total, cell, mine), explanation
    for clue in clues:
        assert not forces(board, clues - {clue}, total, cell, mine), (explanation, clue)
    if total:
        everything = frozenset(board.revealed)
        assert not forces(board, everything, False, cell, mine), "the total is used only where it must be"
    if explanation.smallest and len(clues) <= 4:
        for fewer in combinations(board.revealed, len(clues) - 1) if clues else ():
            assert not forces(board, frozenset(fewer), total, cell, mine), (explanation, fewer)
    check_proof(board, clues, total, explanation.steps, (cell, mine))


def check_witnesses(explanation: Explanation) -> None:
    board = explanation.board
    assert explanation.witnesses is not None
    for layout, mine in zip(explanation.witnesses, (True, False), strict=True):
        assert layout.is_mine(explanation.cell) == mine
        assert layout.mines == board.mines
        assert all(layout.is_mine(cell) for cell in board.marked)
        assert all(layout.number(cell) == board[cell] for cell in board.revealed)


def test_an_open_cell_of_a_board_that_is_too_wide_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_wide(*_: object) -> None:
        raise BudgetExceeded("too wide")

    monkeypatch.setattr("msat.analysis.Analysis.exact", too_wide)
    explanation = msat.explain(Board.parse("1??/??? 1"), (0, 1))
    assert (explanation.verdict, explanation.probability) == ("open", None)
    check_witnesses(explanation)
    assert str(explanation).endswith("without a mine there; the board is too wide to count them")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_expert_boards_against_the_engine(share: float) -> None:
    if not JIT:
        pytest.skip("too large for uncompiled kernels")
    rng = random.Random(share)
    smallest = 0
    for seed in range(5):
        board = scattered(16, 30, 99, share, seed=seed)
        analysis = msat.analyze(board)
        some = sorted(analysis.safe | analysis.mined)
        for cell in rng.sample(some, min(8, len(some))):
            explanation = msat.explain(board, cell)
            mine = cell in analysis.mined
            assert explanation.verdict == ("mine" if mine else "safe")
            clues, total = explanation.clues, explanation.uses_mine_count
            assert engine_forces(board, clues, total, cell, mine), (board, cell)
            for clue in clues:
                assert not engine_forces(board, clues - {clue}, total, cell, mine), (board, cell, clue)
            if total:
                assert not engine_forces(board, frozenset(board.revealed), False, cell, mine)
            smallest += explanation.smallest
            check_proof(board, clues, total, explanation.steps, (cell, mine))
        hidden = [cell for cell in board.hidden if cell not in analysis.safe | analysis.mined]
        for cell in rng.sample(hidden, min(2, len(hidden))):
            explanation = msat.explain(board, cell)
            assert explanation.verdict == "open"
            assert explanation.probability == analysis.exact(*cell)
            check_witnesses(explanation)
    assert smallest >= 30


def test_the_mine_total_on_an_expert_board() -> None:
    if not JIT:
        pytest.skip("too large for uncompiled kernels")
    # All mines are in the first 28 columns and all else there is open: who counts them knows the other two.
    layout = msat.Layout.random(16, 28, 93, seed=3)
    wide = msat.Layout.from_mines(16, 30, layout.cells)
    every = [(r, c) for r in range(16) for c in range(28)]
    opened = {cell: wide.number(cell) for cell in every if not wide.is_mine(cell)}
    board = Board.blank(16, 30, 93).replace(opened)
    corner = (0, 29)
    explanation = msat.explain(board, corner)
    assert (explanation.verdict, explanation.uses_mine_count) == ("safe", True)
    assert not explanation.rules
    assert len(explanation.clues) > 20
    check_proof(board, explanation.clues, True, explanation.steps, (corner, False))
    assert engine_forces(board, explanation.clues, True, corner, False)
    for clue in explanation.clues:
        assert not engine_forces(board, explanation.clues - {clue}, True, corner, False)


def test_rules_are_named_where_they_prove_the_cell_from_these_clues() -> None:
    if not JIT:
        pytest.skip("too large for uncompiled kernels")
    seen: set[int] = set()
    for seed in range(12):
        board = scattered(16, 30, 99, 0.6, seed=seed)
        safe = msat.analyze(board).safe
        direct = {found.cell: found for found in deductions(board) if found.rule > 2}
        for cell, found in direct.items():
            explanation = msat.explain(board, cell)
            clues = frozenset(found.clues)
            for rule in explanation.rules:
                assert set(rule.clues) <= explanation.clues
                assert engine_forces(board, explanation.clues, False, rule.cell, rule.mine)
            if explanation.rules:
                assert (explanation.rules[-1].cell, explanation.rules[-1].mine) == (cell, cell not in safe)
            if rules_decide(board, clues, cell):
                # The rule needs nothing else: it is named, unless fewer clues would do.
                assert explanation.rules or len(explanation.clues) < len(clues), (board, cell)
            if len(explanation.rules) == 1:
                seen.add(explanation.rules[0].rule)
    assert seen >= {3, 5, 6}


@pytest.mark.parametrize(
    ("rule", "text", "cell"),
    [
        (1, "?0/ 0", (0, 0)),
        (2, "?1/ 1", (0, 0)),
        (3, "???/13? 3", (0, 2)),
        (4, "1?/1?/?? 1", (2, 1)),
        (5, "???/?11/??? 1", (0, 0)),
        (6, "???/36?/??? 6", (0, 2)),
        (7, "???/13?/01? 3", (0, 2)),
        (8, "1?/??/11 1", (0, 1)),
        (9, "11/??/2? 2", (2, 1)),
    ],
)
def test_each_rule_by_name(rule: int, text: str, cell: Cell) -> None:
    explanation = msat.explain(Board.parse(text), cell)
    assert [step.rule for step in explanation.rules] == [rule]
    assert f"(rule {rule})" in str(explanation)


@pytest.mark.parametrize(
    ("text", "cell", "expected"),
    [
        (
            "0?/?? 0",
            (0, 1),
            "r0c1 is safe (rule 1): the 0 at r0c0 has no mines: r0c1, r1c0 and r1c1 are safe",
        ),
        (
            "1*/?? 1",
            (1, 0),
            "r1c0 is safe (rule 1): the 1 at r0c0 already has all its mines: r1c0 and r1c1 are safe",
        ),
        (
            "3?/?? 3",
            (0, 1),
            "r0c1 is a mine (rule 2): the 3 at r0c0 needs 3 mines in r0c1, r1c0 and r1c1: "
            "r0c1, r1c0 and r1c1 are mines",
        ),
        (
            "???/11? 1",
            (0, 2),
            "r0c2 is safe (rule 4): the 1 at r1c1 has 1 mine; the 1 at r1c0 puts it in r0c0 and r0c1; "
            "so none is left: r0c2 and r1c2 are safe",
        ),
        (
            "????/1211 2",
            (0, 2),
            "r0c2 is a mine (rule 3): the 2 at r1c1 needs 2 mines; the 1 at r1c0 allows at most 1 of them "
            "in r0c0 and r0c1; the other 1 must be in r0c2: r0c2 is a mine",
        ),
        (
            "???/111 1",
            (0, 1),
            "r0c1 is a mine (rules 4 and 2), by the 1 at r1c0, the 1 at r1c1 and the 1 at r1c2:\n"
            "  suppose r0c1 were safe\n"
            "  then the 1 at r1c0 needs a mine in every cell left: r0c0 is a mine\n"
            "  then the 1 at r1c1 has all its mines: r0c2 is safe\n"
            "  but then the 1 at r1c2 would have room for no mines",
        ),
        (
            "1???/???? 1",
            (1, 3),
            "r1c3 is safe, by the 1 at r0c0 and the mine total:\n"
            "  the 1 at r0c0 has 1 mine in r0c1, r1c0 and r1c1\n"
            "  there is 1 mine in all: that leaves none for the rest of the board\n"
            "  the rest of the board has no mines: r0c2, r0c3, r1c2 and r1c3 are safe",
        ),
        (
            "??/?? 4",
            (0, 0),
            "r0c0 is a mine: the whole board needs 4 mines in r0c0, r0c1, r1c0 and r1c1: "
            "r0c0, r0c1, r1c0 and r1c1 are mines",
        ),
        (
            "1??/??? 1",
            (0, 1),
            "r0c1 is undecided: there are layouts with and without a mine there; "
            "it is a mine with 33.33% (1/3)",
        ),
        ("*1? 1", (0, 0), "r0c0 is a mine: it is marked, and marks are taken for granted"),
    ],
)
def test_texts(text: str, cell: Cell, expected: str) -> None:
    assert str(msat.explain(Board.parse(text), cell)) == expected


def test_a_proof_that_is_too_long_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.explanation.arguments.find_sum", lambda *_: None)
    monkeypatch.setattr("msat.explanation.arguments.refute", lambda *_, **__: None)
    explanation = msat.explain(Board.parse("???/11? 1"), (0, 2))
    assert isinstance(explanation.steps[0], Tried)
    assert str(explanation) == (
        "r0c2 is safe (rule 4), by the 1 at r1c0 and the 1 at r1c1:\n"
        "  a solver has tried all ways to meet them in which r0c2 is a mine: there is none"
    )


def test_cases_as_deep_as_need_be() -> None:
    """Proofs by cases are right also where the shortest is not looked for."""
    seen = 0
    for board in small_consistent_boards(scaled(150), 31):
        analysis = msat.analyze(board)
        facts = facts_of(Problem.of(board))
        for cell in analysis.safe | analysis.mined:
            claim = cell, cell in analysis.mined
            closed = _CaseSearch(facts, branches=100).close_somehow({cell: not claim[1]})
            if closed is not None:
                seen += 1
                steps = (Refutation(claim, closed.branch),)
                check_proof(board, board.revealed, False, steps, claim)
    assert not FULL or seen > 100


class TestErrors:
    def test_a_revealed_cell(self) -> None:
        with pytest.raises(
            CellError, match=r"r0c1 is open \(it shows 1\): ask about a hidden or marked cell"
        ):
            msat.explain(Board.parse("?1? 1"), (0, 1))

    @pytest.mark.parametrize("cell", [(0, 3), (-1, 0), (1, 0)])
    def test_a_cell_off_the_board(self, cell: Cell) -> None:
        with pytest.raises(CellError, match="is not on the 1×3 board: rows 0 to 0, columns 0 to 2"):
            msat.explain(Board.parse("?1? 1"), cell)

    def test_what_is_no_cell(self) -> None:
        with pytest.raises(CellError, match="'a1' is not a cell"):
            msat.explain(Board.parse("?1? 1"), "a1")  # type: ignore[arg-type]

    def test_a_contradictory_board(self) -> None:
        with pytest.raises(InconsistentBoard, match="the 1 at r0c0 and the 0 at r1c0"):
            msat.explain(Board.parse("1?/0? 1"), (0, 1))

    @pytest.mark.parametrize("cell", [(0, 1), (2, 2)])
    def test_a_budget_that_does_not_suffice(self, cell: Cell) -> None:
        board = Board.parse("??1/3?2/??? 3")  # the first cell is open, the second forced
        with pytest.raises(
            BudgetExceeded, match=f"r{cell[0]}c{cell[1]} was not explained within 1e-09 seconds"
        ):
            msat.explain(board, cell, budget=1e-9)
        assert msat.explain(board, cell, budget=60).verdict in ("open", "safe")

    def test_a_minimal_set_is_returned_if_time_ends_before_a_smallest_is_proven(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def give_up(*_: object) -> None:
            raise BudgetExceeded("no time")

        monkeypatch.setattr("msat.explanation.cores.Prover._hit", give_up)
        explanation = msat.explain(Board.parse("???/111 1"), (0, 1))
        assert (explanation.verdict, explanation.smallest) == ("mine", False)
        check_forced_small(explanation)


class WrongAnalysis:
    """What an engine with a fault might answer for 1??/??? 1: the forced cell open, an open one forced."""

    safe = frozenset({(0, 1)})
    mined: frozenset[Cell] = frozenset()


@pytest.mark.parametrize(
    ("cell", "complaint"),
    [
        ((0, 1), "r0c1 is safe by the engine, but SAT finds otherwise: please report 1"),
        ((0, 2), "r0c2 is open by the engine, but SAT finds otherwise: please report 1"),
    ],
)
def test_an_engine_that_errs_is_noticed(monkeypatch: pytest.MonkeyPatch, cell: Cell, complaint: str) -> None:
    monkeypatch.setattr("msat.explanation.explanation.analyze", lambda *_, **__: WrongAnalysis())
    with pytest.raises(CheckFailed, match=complaint):
        msat.explain(Board.parse("1??/??? 1"), cell)


def test_clues_that_are_too_many_to_read_are_counted() -> None:
    board = Board.parse("?1" * 20 + "? 10")
    found = msat.explain(board, (0, 0))
    assert (found.verdict, len(found.clues), found.uses_mine_count) == ("safe", 10, True)
    assert found.reasons() == "10 numbers and the mine total"
    assert str(found).startswith("r0c0 is safe, by 10 numbers and the mine total:\n")
