"""Files for other tools: read back by readers of our own, solved and counted by independent means."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

import msat
from msat.board import Board
from msat.encode.binary import binary_sum, bounded
from msat.encode.cardinality import ENCODINGS, NATIVE
from msat.encode.cpsat import to_text
from msat.encode.dimacs import to_dimacs, write_dimacs
from msat.encode.opb import to_opb, write_opb
from msat.errors import InconsistentBoard
from msat.problem.problem import Problem
from tests.conftest import FULL, scaled
from tests.support.command import Cli
from tests.support.oracle import counts
from tests.support.positions import small_boards

Clauses = list[frozenset[int]]

BOARDS = ["??1/3?2/??? 3", "1??/??? 1", "?????/?212?/????? 5", "?1?? 3", "1?/0? 1"]


def parse_dimacs(text: str) -> tuple[Clauses, list[int], dict[str, int]]:
    """Clauses, shown variables and what the comments say, by a reader that knows only the format."""
    clauses: Clauses = []
    shown: list[int] = []
    meaning: dict[str, int] = {}
    for line in text.splitlines():
        if line.startswith("c p show "):
            shown = [int(word) for word in line.split()[3:-1]]
        elif match := re.fullmatch(r"c (\d+) = (.*)", line):
            meaning[match[2]] = int(match[1])
        elif line.startswith("p cnf "):
            variables, size = map(int, line.split()[2:])
        elif not line.startswith("c"):
            *literals, end = map(int, line.split())
            assert end == 0
            clauses.append(frozenset(literals))
    assert len(clauses) == size
    assert max((abs(x) for clause in clauses for x in clause), default=0) <= variables
    return clauses, shown, meaning


def follow(clauses: Clauses, *literals: int) -> tuple[Clauses, set[int]] | None:
    """Make literals true and follow unit clauses: what is left, and what is true; None if that cannot be."""
    true: set[int] = set()
    queue = [*literals, *(x for clause in clauses if len(clause) == 1 for x in clause)]
    while queue:
        literal = queue.pop()
        if -literal in true:
            return None
        true.add(literal)
        clauses = [clause - {-literal} for clause in clauses if literal not in clause]
        queue += [x for clause in clauses if len(clause) == 1 for x in clause if x not in true]
        if frozenset() in clauses:
            return None
    return clauses, true


def count_models(clauses: Clauses, shown: list[int], *literals: int) -> int:
    """Projected models by plain case distinction: a counter that shares no code with any engine."""
    followed = follow(clauses, *literals)
    if followed is None:
        return 0
    clauses, true = followed
    free = [x for x in shown if x not in true and -x not in true]
    if free:
        return sum(count_models(clauses, free[1:], literal) for literal in (free[0], -free[0]))
    if not clauses:
        return 1
    literal = next(iter(clauses[0]))
    return int(any(count_models(clauses, [], x) for x in (literal, -literal)))


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != NATIVE])
@pytest.mark.parametrize("text", BOARDS)
def test_dimacs_is_counted_by_a_stranger(text: str, encoding: str) -> None:
    board = Board.parse(text)
    clauses, shown, _ = parse_dimacs(to_dimacs(Problem.of(board), encoding=encoding, form="cells"))
    assert count_models(clauses, shown) == counts(board)[0]


def test_dimacs_of_random_boards_is_counted_by_a_stranger() -> None:
    for board in small_boards(scaled(40), 51, most_hidden=9):
        clauses, shown, _ = parse_dimacs(to_dimacs(Problem.of(board), encoding="direct", form="cells"))
        assert count_models(clauses, shown) == counts(board)[0], board


@pytest.mark.parametrize("form", ["cells", "boxes"])
def test_dimacs_gives_another_solver_the_same_forced_cells(form: str) -> None:
    seen = 0
    for board in small_boards(scaled(60), 52, most_hidden=10):
        text = to_dimacs(Problem.of(board), encoding="seqcounter", form=form)
        _, _, meaning = parse_dimacs(text)
        with Solver("glucose3", bootstrap_with=CNF(from_string=text)) as solver:
            try:
                a = msat.analyze(board)
            except InconsistentBoard:
                assert not solver.solve()
                continue
            assert solver.solve()
            for what, variable in meaning.items():
                if match := re.fullmatch(r"mine at r(\d+)c(\d+)|at least 1 mine in r(\d+)c(\d+)", what):
                    cell = tuple(int(x) for x in match.groups() if x is not None)
                    seen += 1
                    assert solver.solve([variable]) == (cell not in a.safe)
                    assert solver.solve([-variable]) == (cell not in a.mined)
    assert seen or not FULL


def test_a_clue_is_switched_off_by_deleting_its_unit() -> None:
    text = to_dimacs(Problem.of(Board.parse("1?/0? 1")), encoding="direct", form="cells")
    clauses, shown, meaning = parse_dimacs(text)
    assert count_models(clauses, shown) == 0
    without = [clause for clause in clauses if clause != {meaning["the clue 0 at r1c0 holds"]}]
    assert count_models(without, shown) == 2


Equation = tuple[dict[int, int], str, int]


def parse_opb(text: str) -> tuple[int, list[Equation], dict[str, int]]:
    """Variables, constraints and what the comments say, by a reader of the oldest grammar of OPB.

    That of the pseudo-Boolean evaluations of 2005, which minisat+ has: no negated variables, `=` and `>=`,
    at least one term in a sum, all variables announced.
    """
    first, *lines = text.splitlines()
    match = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", first)
    assert match is not None
    variables = int(match[1])
    constraints: list[Equation] = []
    meaning: dict[str, int] = {}
    for line in lines:
        if line.startswith("*"):
            if remark := re.fullmatch(r"\* x(\d+) = (.*)", line):
                meaning[remark[2]] = int(remark[1])
            continue
        parts = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)(>=|=) (-?\d+) ;", line)
        assert parts is not None, line
        terms = {int(x): int(factor) for factor, x in re.findall(r"([+-]\d+) x(\d+) ", parts[1])}
        assert len(terms) == parts[1].count("x")
        assert max(terms) <= variables
        constraints.append((terms, parts[2], int(parts[3])))
    assert len(constraints) == int(match[2])
    return variables, constraints, meaning


def count_opb(variables: int, constraints: list[Equation]) -> int:
    """How many solutions there are, by trying everything."""
    count = 0
    for values in product((0, 1), repeat=variables):
        totals = (
            (sum(f * values[x - 1] for x, f in terms.items()), sign, n) for terms, sign, n in constraints
        )
        count += all(total == n if sign == "=" else total >= n for total, sign, n in totals)
    return count


@pytest.mark.parametrize("selectors", [False, True])
@pytest.mark.parametrize("text", [*BOARDS[:2], *BOARDS[3:], "11 0", "00 0", "1*1? 2", "2* 1"])
def test_opb_has_the_same_solutions(text: str, selectors: bool) -> None:
    problem = Problem.of(Board.parse(text))
    expected = counts(problem.board)[0]
    variables, constraints, meaning = parse_opb(to_opb(problem, form="cells", selectors=selectors))
    assert count_opb(variables, constraints) == expected
    assert any("holds" in what for what in meaning) == selectors
    by_box = count_opb(*parse_opb(to_opb(problem, form="boxes", selectors=selectors))[:2])
    assert (by_box > 0) == (expected > 0)
    assert by_box <= expected


@pytest.mark.parametrize("form", ["cells", "boxes"])
def test_opb_of_random_boards_by_another_solver(form: str) -> None:
    from ortools.sat.python import cp_model

    for board in small_boards(scaled(40), 54, most_hidden=10):
        variables, constraints, _ = parse_opb(to_opb(Problem.of(board), form=form))
        model = cp_model.CpModel()
        x = [model.new_bool_var("") for _ in range(variables)]
        for terms, sign, bound in constraints:
            total = sum(factor * x[number - 1] for number, factor in terms.items())
            model.add(total == bound if sign == "=" else total >= bound)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert (solver.solve(model) == cp_model.OPTIMAL) == (counts(board)[0] > 0), board


def test_a_sum_of_opb_is_switched_off_by_its_selector() -> None:
    text = to_opb(Problem.of(Board.parse("1?/0? 1")), form="cells", selectors=True)
    variables, constraints, meaning = parse_opb(text)
    assert count_opb(variables, constraints) == 0
    zero = meaning["the clue 0 at r1c0 holds"]
    without = [entry for entry in constraints if entry != ({zero: 1}, ">=", 1)]
    assert count_opb(variables, without) == 2


def test_the_command_takes_marks_for_opinions(cli: Cli) -> None:
    for options, solvable in (([], True), (["--marks", "trust"], False)):
        assert cli("encode", "*?/11 1", *options) == 0  # either cell may have the mine …
        assert ("marked, and taken for mines: r0c0" in cli.out) != solvable
        assert cli("encode", "?*0/?20 2", *options) == 0  # … but this mark is wrong
        with Solver("glucose3", bootstrap_with=CNF(from_string=cli.out)) as solver:
            assert solver.solve() == solvable


def test_comments_name_the_marks_and_count_in_words() -> None:
    problem = Problem.of(Board.parse("*2?? 2"))
    for text in (to_opb(problem, form="boxes"), to_dimacs(problem, encoding="direct", form="boxes")):
        assert "marked, and taken for mines: r0c0\n" in text
        assert "at least 1 mine in r0c2\n" in text
        assert "mine in the cell that no clue touches\n" in text


@pytest.mark.parametrize("name", ["minisat+", "clasp"])
def test_opb_is_read_by_programs_that_may_be_there(name: str, tmp_path: Path) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    file = tmp_path / "board.opb"
    for board, selectors in product(small_boards(6, 55, most_hidden=10), (False, True)):
        file.write_text(to_opb(Problem.of(board), form="cells", selectors=selectors))
        said = subprocess.run([program, str(file)], capture_output=True, text=True, check=False).stdout
        assert ("s SATISFIABLE" in said) == (counts(board)[0] > 0), f"{board}\n{said}"
        assert ("s UNSATISFIABLE" in said) == (counts(board)[0] == 0), f"{board}\n{said}"


def test_the_cp_sat_model_reads_back() -> None:
    from ortools.sat.python import cp_model

    rng = random.Random(53)
    for text in BOARDS:
        board = Board.parse(text)
        written = to_text(Problem.of(board))
        model = cp_model.CpModel()
        assert model.proto.parse_text_format(written)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = rng.randrange(100)
        status = solver.solve(model)
        assert (status == cp_model.OPTIMAL) == (counts(board)[0] > 0), text


def test_the_command_writes_every_format(cli: Cli, tmp_path: Path) -> None:
    board = "??1/3?2/??? 3"
    problem = Problem.of(Board.parse(board))
    cli("encode", board)
    assert cli.out == to_dimacs(problem, encoding="direct", form="cells")
    cli("encode", board, "--encoding", "totalizer", "--variables", "boxes")
    assert cli.out == to_dimacs(problem, encoding="totalizer", form="boxes")
    cli("encode", board, "--format", "opb")
    assert cli.out == to_opb(problem, form="cells")
    cli("encode", board, "--format", "opb", "--selectors", "--variables", "boxes")
    assert cli.out == to_opb(problem, form="boxes", selectors=True)
    file = tmp_path / "board.txtpb"
    cli("encode", board, "--format", "cpsat", "--out", str(file))
    assert cli.out == ""
    assert file.read_text(encoding="utf-8") == to_text(problem)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "smt"], "unknown format 'smt': choose one of dimacs, opb, cpsat"),
        (["--encoding", "magic"], "unknown encoding 'magic': choose one of direct"),
        (["--encoding", "native"], "'native' has no clauses"),
        (["--variables", "rows"], "unknown form 'rows'"),
        (["--format", "opb", "--encoding", "direct"], "--encoding direct needs --format dimacs"),
        (["--selectors"], "--selectors needs --format opb: dimacs has them anyway"),
        (["--format", "cpsat", "--variables", "cells"], "--variables cells needs --format dimacs or opb"),
    ],
)
def test_the_command_complains_in_one_line(cli: Cli, options: list[str], message: str) -> None:
    assert cli("encode", "?1? 1", *options) == 2
    assert message in cli.err
    assert cli.err.count("\n") == 1


class TestTheTotalInBinary:
    @pytest.mark.parametrize("size", range(9))
    def test_every_bound_is_counted(self, size: int) -> None:
        literals = list(range(1, size + 1))
        for low, high in product(range(-1, size + 3), repeat=2):
            clauses: list[list[int]] = []
            digits, top = binary_sum(literals, clauses, size)
            clauses += bounded(digits, low, high, unless=[-(top + 1)])
            with Solver("cadical153", bootstrap_with=clauses) as solver:
                solver.add_clause([top + 1])
                models = set()
                while solver.solve():
                    model = {abs(literal): literal > 0 for literal in solver.get_model() or []}
                    models.add(tuple(model.get(x, False) for x in literals))
                    solver.add_clause([x if not model.get(x, False) else -x for x in literals])
            expected = [bits for bits in product([False, True], repeat=size) if low <= sum(bits) <= high]
            assert sorted(models) == sorted(expected)

    def test_it_says_nothing_where_it_is_switched_off(self) -> None:
        clauses: list[list[int]] = []
        digits, top = binary_sum([1, 2, 3], clauses, 3)
        clauses += bounded(digits, 2, 2, unless=[-(top + 1)])
        with Solver("cadical153", bootstrap_with=clauses) as solver:
            assert solver.solve([1, 2, 3, -(top + 1)])
            assert not solver.solve([1, 2, 3, top + 1])

    def test_it_grows_with_the_number_of_literals_and_no_faster(self) -> None:
        for size in (100, 1000, 10_000):
            clauses: list[list[int]] = []
            _, top = binary_sum(range(1, size + 1), clauses, size)
            assert len(clauses) <= 14 * size + 100
            assert top <= 3 * size + 100


def _size_of(form: str, side: int) -> int:
    text = io.StringIO()
    problem = Problem.of(Board.blank(side, side, side * side // 5))
    if form == "opb":
        write_opb(problem, text, form="boxes")
    else:
        write_dimacs(problem, text, encoding="direct", form="cells")
    return len(text.getvalue())


@pytest.mark.parametrize("form", ["dimacs", "opb"])
def test_files_grow_with_the_board_and_hardly_faster(form: str) -> None:
    # Numbers get longer, hence hardly; a square would be a factor of 16.
    assert _size_of(form, 80) < 4 * 1.4 * _size_of(form, 40)


def test_a_formula_that_would_be_too_large(monkeypatch: pytest.MonkeyPatch, cli: Cli, tmp_path: Path) -> None:
    from msat.encode import dimacs

    problem = Problem.of(Board.blank(6, 6, 5))
    header = next(
        line for line in to_dimacs(problem, encoding="direct", form="cells").splitlines() if line[0] == "p"
    )
    clauses = int(header.split()[-1]) - 1  # but for the total's selector
    monkeypatch.setattr(dimacs, "MAX_CLAUSES", clauses)
    assert to_dimacs(problem, encoding="direct", form="cells")
    monkeypatch.setattr(dimacs, "MAX_CLAUSES", clauses - 1)
    assert cli("encode", Board.blank(6, 6, 5).to_text("line")) == 2
    assert cli.out == ""
    assert f"more than {clauses - 1} clauses in DIMACS: choose another encoding" in cli.err
