"""Every engine against the oracle, against stated truth, and against the others; and their errors."""

from __future__ import annotations

import os
import pickle
import re
import signal
import time
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import msat
from bench.suites import stuck
from msat.board import Board
from msat.deadline import Deadline
from msat.engines import registry
from msat.engines.registry import load
from msat.engines.solvers import sat
from msat.errors import BudgetExceeded, InconsistentBoard, MissingPackage, UnknownName
from tests.conftest import FULL, scaled
from tests.support.command import ended, python
from tests.support.installing import by_pip
from tests.support.oracle import counts
from tests.support.positions import lattice, scattered, small_boards
from tests.support.shared import cases, needs_cases

SOLVERS = [
    "sat",
    "sat:minicard:native",
    "cpsat",
    pytest.param(
        "ganak",
        marks=pytest.mark.skipif(find_spec("pyganak") is None, reason="pyganak is not installed"),
    ),
]
ENGINES = ["auto", "counting", *SOLVERS]
every_engine = pytest.mark.parametrize("engine", ENGINES)
every_solver = pytest.mark.parametrize("engine", SOLVERS)


def fewer_for_ganak(engine: str, count: int) -> int:
    """Ganak takes some milliseconds for every box."""
    return scaled(max(1, count // 4) if engine == "ganak" else count)


@every_engine
def test_against_the_oracle(engine: str) -> None:
    contradictions = 0
    for board in small_boards(fewer_for_ganak(engine, 400), 41, most_hidden=14):
        every, with_mine = counts(board)
        if not every:
            contradictions += 1
            with pytest.raises(InconsistentBoard):
                msat.analyze(board, engine=engine)
            with pytest.raises(InconsistentBoard):
                load(engine).count(board)
            continue
        a = msat.analyze(board, engine=engine)
        assert a.safe == {cell for cell, mined in with_mine.items() if mined == 0}, board
        assert a.mined == {cell for cell, mined in with_mine.items() if mined == every}, board
        assert a.solutions == every, board
        for cell in board.hidden:
            assert a.exact(*cell) == Fraction(with_mine[cell], every), (board, cell)
            assert a.probability[cell] == pytest.approx(with_mine[cell] / every, abs=1e-12)
        assert all(a.probability[cell] == 1.0 for cell in board.marked)
        assert all(np.isnan(a.probability[cell]) for cell in board.revealed)
    assert contradictions or not FULL


@every_engine
def test_all_are_asked_the_same_questions_alike(engine: str) -> None:
    board = Board.parse("1??/??? 1")
    asked = load(engine)
    for budget in (None, 600, Deadline(600)):
        assert asked.forced(board, budget).tolist() == [[0, 0, 1], [0, 0, 1]]
        assert asked.answer(board, budget).verdict.tolist() == [[0, 0, 1], [0, 0, 1]]
        counted = asked.count(board, budget)
        assert (counted.solutions, counted.probability(0, 1)) == (3, Fraction(1, 3))
        assert counted.probability(0, 2) == 0


def test_all_names_are_compared_here() -> None:
    names = [getattr(engine, "values", [engine])[0] for engine in ENGINES]
    assert {name.partition(":")[0] for name in names} == {*registry.ENGINES}


@every_solver
def test_on_expert_positions(engine: str) -> None:
    for array, mines in stuck(fewer_for_ganak(engine, 60)):
        board = Board.from_array(array, mines)
        a, b = msat.analyze(board), msat.analyze(board, engine=engine)
        assert (b.safe, b.mined, b.solutions) == (a.safe, a.mined, a.solutions), board
        np.testing.assert_allclose(b.probability, a.probability, rtol=0, atol=1e-9)


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_forced_cells_of_linked_boards(engine: str) -> None:
    for seed in range(scaled(4)):
        board = scattered(16, 30, 99, 0.35, seed)
        a, b = msat.analyze(board), msat.analyze(board, engine=engine)
        assert (b.safe, b.mined) == (a.safe, a.mined)


BOARDS = [case for case in cases("truth.json") if "rows" in case]

SLOW = {("ganak", "zomis-17-threes")}
"""Where every probability takes seconds: those that the case states are asked for, not all."""


@needs_cases
@every_engine
@pytest.mark.parametrize("case", BOARDS, ids=[case["id"] for case in BOARDS])
def test_stated_truth(case: dict[str, Any], engine: str) -> None:
    board = Board.parse("\n".join(case["rows"]), mines=case["total_mines"])
    if case["kind"] == "inconsistent_board":
        with pytest.raises(InconsistentBoard):
            msat.analyze(board, engine=engine)
        return
    # What counting says of these is compared with the stated numbers in test_truth.py.
    a, expected = msat.analyze(board, engine=engine), msat.analyze(board)
    assert (a.safe, a.mined) == (expected.safe, expected.mined)
    assert a.solutions == int(case.get("exact_total", expected.solutions)) == expected.solutions
    if (engine, case["id"]) in SLOW:
        for place in case["stated"]["mine_probability"]:
            r, c = map(int, place.split(","))
            assert a.exact(r, c) == expected.exact(r, c)
    else:
        np.testing.assert_allclose(a.probability, expected.probability, rtol=0, atol=1e-12)


def test_all_stated_boards_are_compared() -> None:
    assert not BOARDS or len(BOARDS) >= 100


@every_solver
def test_contradictions_are_reported_alike(engine: str) -> None:
    for text in ("1?/0? 1", "?3? 1", "?1? 0", "?1?? 3", "2???/???1 1", "61*1? 1"):
        with pytest.raises(InconsistentBoard) as expected:
            msat.analyze(Board.parse(text))
        with pytest.raises(InconsistentBoard) as found:
            msat.analyze(Board.parse(text), engine=engine)
        assert str(found.value) == str(expected.value)
        assert found.value.clues == expected.value.clues


@every_solver
def test_an_analysis_survives_pickling(engine: str) -> None:
    a = msat.analyze(Board.parse("??1/3?2/??? 3"), engine=engine)
    b = pickle.loads(pickle.dumps(a))
    assert (b.solutions, b.exact(0, 0), b.safe) == (4, Fraction(1, 2), a.safe)


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("magic", "unknown engine 'magic': choose one of auto, counting, sat, cpsat, ganak"),
        ("sat:magic", "unknown solver 'magic': choose one of .*cadical153"),
        ("sat:glucose4:magic", "unknown encoding 'magic': choose one of direct, .*native"),
        ("sat:a:b:c", "unknown engine 'sat:a:b:c'"),
        ("cpsat:x", "unknown engine 'cpsat:x'"),
    ],
)
def test_unknown_names(engine: str, message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        msat.analyze(Board.parse("?1? 1"), engine=engine)


def test_native_cardinality_needs_a_solver_that_has_it() -> None:
    with pytest.raises(msat.ParameterError, match=r"'cadical153' has no native .*: choose one of gluecard3"):
        msat.analyze(Board.parse("?1? 1"), engine="sat:cadical153:native")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.engines.solvers.ganak.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=by_pip("pyganak", "ganak")):
        msat.analyze(Board.parse("?1? 1"), engine="ganak")
    assert msat.analyze(Board.parse("?1? 1")).solutions == 2


WIDE = lattice(40, 40, 320, 2, seed=1)
"""A board that nobody can count: many clues are open at once wherever it is cut."""


@every_solver
def test_counting_ends_at_its_budget(engine: str) -> None:
    count = load(engine).count
    with pytest.raises(BudgetExceeded, match=r"within 0\.5 seconds"):
        count(WIDE, 0.5)  # without one it would take years
    assert count(Board.parse("?1? 1"), None).solutions == 2


def test_a_count_that_ends_at_its_budget_tells_what_was_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    count = sat.count
    monkeypatch.setattr(sat, "count", lambda board, budget, **names: count(board, 0, **names))
    a = msat.analyze(Board.parse("1??/??? 1"), engine="sat")
    for ask in (lambda: a.solutions, lambda: a.probability, lambda: a.exact(0, 1)):
        with pytest.raises(BudgetExceeded, match="within 0 seconds") as info:
            ask()
        assert (info.value.safe, info.value.mined) == (a.safe, a.mined)
        assert info.value.safe == {(0, 2), (1, 2)}


LINKED = Board.from_array(np.vstack([lattice(10, 24, 48, 2, seed=0).to_array(), np.full((10, 24), -1)]), 96)
"""A board with many forced cells that no rule finds, half of it away from all clues."""


@pytest.mark.parametrize("engine", ["sat", "sat:glucose4", "cpsat"])
def test_forced_cells_end_at_the_budget_with_what_was_proven(engine: str) -> None:
    known = msat.analyze(LINKED)
    msat.analyze(LINKED, engine=engine)  # what is loaded late is loaded now
    with pytest.raises(BudgetExceeded, match="within 0 seconds"):
        msat.analyze(LINKED, engine=engine, budget=0)
    for budget in (0.02, 0.04, 0.08):
        found = analyze_in_time(LINKED, engine, budget)
        assert found.safe <= known.safe
        assert found.mined <= known.mined


def analyze_in_time(board: Board, engine: str, budget: float) -> msat.Analysis | BudgetExceeded:
    """The analysis, or the error that carries what was proven."""
    try:
        return msat.analyze(board, engine=engine, budget=budget)
    except BudgetExceeded as error:
        return error


def test_auto_finds_forced_cells_where_nothing_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msat.deadline.MEMORY_LIMIT", 8 << 20)
    a = msat.analyze(WIDE)
    by_sat = msat.analyze(WIDE, engine="sat")
    assert not a.complete
    assert (a.safe, a.mined) == (by_sat.safe, by_sat.mined)
    for cell in WIDE.hidden:
        expected = 0.0 if cell in a.safe else 1.0 if cell in a.mined else None
        risk = a.probability[cell]
        assert np.isnan(risk) if expected is None else risk == expected
    with pytest.raises(BudgetExceeded, match=r"not available: a frontier with .* clues") as info:
        _ = a.solutions
    assert info.value.width > 20
    with pytest.raises(BudgetExceeded, match="not available"):
        a.exact(*WIDE.hidden[0])
    with pytest.raises(BudgetExceeded, match="MiB"):
        msat.analyze(WIDE, engine="counting")
    assert msat.analyze(Board.parse("?1? 1")).complete


UNDONE = "not all forced cells were found|the board was not taken in"
"""How far a machine comes in a short time: a busy one no further than to the reading of a large board."""


def test_auto_leaves_time_for_forced_cells() -> None:
    found = analyze_in_time(WIDE, "auto", 0.4)
    if isinstance(found, BudgetExceeded):  # unless the machine is very fast
        assert re.match(f"({UNDONE}) within 0.4 seconds", str(found))
    else:
        with pytest.raises(BudgetExceeded, match=r"not counted within 0\.4 seconds"):
            _ = found.solutions


def test_messages_quote_the_budget_and_not_the_share_of_a_step() -> None:
    with pytest.raises(BudgetExceeded, match=rf"({UNDONE}|not counted) within 0\.4 seconds"):
        _ = msat.analyze(WIDE, budget=0.4).solutions


INTERRUPTED = """
import msat
from msat.engines.registry import load
count = load({engine!r}).count
count(msat.Board.parse("?1? 1"), None)
try:
    print("ready", flush=True)
    count(msat.Board.parse({board!r}), None)
except KeyboardInterrupt:
    print("interrupted", msat.analyze(msat.Board.parse("?1? 1"), engine={engine!r}).solutions, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("engine", [*SOLVERS, "sat:glucose4"])
def test_ctrl_c_stops_a_running_solver(engine: str) -> None:
    counting = python("-c", INTERRUPTED.format(board=WIDE.to_text("line"), engine=engine))
    assert counting.stdout is not None
    assert counting.stdout.readline() == b"ready\n"
    time.sleep(0.5)  # to where the solver runs, on most machines; a signal before that has to do the same
    counting.send_signal(signal.SIGINT)
    _, output, errors = ended(counting)
    assert output == "interrupted 2\n", errors


def test_late_counts_of_a_batch() -> None:
    boards = [Board.parse("?1? 1"), Board.parse("??1/3?2/??? 3")]
    found: list[Any] = msat.analyze_many(boards, workers=2, engine="sat")
    assert [a.solutions for a in found] == [2, 4]
