"""What works with the core alone, and what is said where an extra is missing.

Whoever wants probabilities need not install solvers, viewers and clusters: these are extras, and every test
here runs in a Python that can import nothing but msat, its core, and the standard library.
"""

from __future__ import annotations

import re

import pytest

from tests.support.installing import by_pip
from tests.support.missing import ROOT, beyond_core, core_packages, python_without

GUESS = "???2111/?3?*21*/??4*211/*3*2100/1211000/0000000 8"

ANSWERS = {
    "probabilities": ("print(msat.probabilities([[-1, 1, -1]], mines=1)[0, 0])", "0.5"),
    "analyze": ("print(msat.analyze(board).solutions, *msat.analyze(board).safe)", "4 (2, 2)"),
    "check": ("print(msat.analyze(board, check=True).solutions)", "4"),
    "sat": ("print(msat.analyze(board, engine='sat').solutions)", "4"),
    "analyze_many": ("print([a.solutions for a in msat.analyze_many([board], workers=1)])", "[4]"),
    "deductions": ("print(len(msat.deductions(msat.Board.parse('???/121 2'))))", "3"),
    "explain": ("print(msat.explain(board, (2, 2)).verdict)", "safe"),
    "explain_contradiction": (
        "print(len(msat.explain_contradiction(msat.Board.parse('1?/0? 1')).clues))",
        "2",
    ),
    "judge_marks": ("print(len(msat.judge_marks(msat.Board.parse('F1? 1'))))", "1"),
    "walkthrough": ("print(len(msat.walkthrough(msat.Board.parse('????/1111/0000 2')).steps))", "4"),
    "sample": ("print(len(msat.sample(board, n=3, seed=7)))", "3"),
    "win_probability": ("print(msat.win_probability(board).probability)", "3/4"),
    "best_move": (f"print(msat.best_move(msat.Board.parse({GUESS!r})).win)", "1/2"),
    "play": (
        "print(msat.play(msat.Layout.random(5, 5, 6, seed=3, start=(4, 4)), strategy='logic').state)",
        "playing",
    ),
    "solve": ("print(msat.solve('? ?\\n2 ?', 2, lambda r, c: 2))", "?"),
}
COMMANDS = (
    "solve '??/11 1'",
    "solve '??/11 1' --json",
    f"hint '{GUESS}'",
    "explain '???/111 1' --all",
    "sample '??/11 1'",
    "encode '?1? 1'",
    "encode '?1? 1' --format opb",
    "generate --preset beginner --seed 2",
    "play --preset beginner --seed 2 --strategy logic",
    "sim --strategy logic --preset beginner --games 2 --no-folder --workers 1",
)


def test_the_core_is_what_it_is_meant_to_be() -> None:
    assert {"numpy", "numba", "python-sat", "rich"} <= core_packages()
    assert not {"ortools", "pandas", "textual", "pillow", "matplotlib", "distributed"} & core_packages()
    assert {"ortools", "textual", "pytest"} <= beyond_core()


def test_every_question_is_answered_with_the_core_only() -> None:
    lines = "\n".join(code for code, _ in ANSWERS.values())
    done = python_without(beyond_core(), f"import msat\nboard = msat.Board.parse('??1/3?2/??? 3')\n{lines}")
    assert done.returncode == 0, done.stderr
    assert dict(zip(ANSWERS, done.stdout.splitlines(), strict=True)) == {
        name: shown for name, (_, shown) in ANSWERS.items()
    }


def test_the_commands_work_with_the_core_only() -> None:
    code = "import shlex\nfrom msat.__main__ import main\n" + "\n".join(
        f"print('status', main(shlex.split({command!r})))" for command in COMMANDS
    )
    done = python_without(beyond_core(), code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("status 0\n") == len(COMMANDS)


EXTRAS = [
    (
        "ortools",
        "solve '??/11 1' --engine cpsat",
        "CP-SAT needs the package ortools",
        by_pip("ortools", "cpsat"),
    ),
    (
        "ortools",
        "encode '?1? 1' --format cpsat",
        "CP-SAT needs the package ortools",
        by_pip("ortools", "cpsat"),
    ),
    ("textual", "tui", "the viewer needs the package textual", by_pip("textual", "tui")),
    (
        "pyganak",
        "solve '??/11 1' --engine ganak",
        "engine 'ganak' needs the package pyganak",
        by_pip("pyganak", "ganak"),
    ),
    (
        "PIL",
        "play --preset beginner --seed 2 --gif game.gif",
        "an animation needs Pillow",
        by_pip("pillow", "gif"),
    ),
    (
        "distributed",
        "sim --games 2 --preset beginner --no-folder --scheduler tcp://127.0.0.1:1",
        "the scheduler 'tcp://127.0.0.1:1' needs the package 'distributed'",
        by_pip("distributed", "cluster"),
    ),
    ("pysat", "explain '???/111 1' --cell 0,1", "this Python lacks the package python-sat", ""),
]


@pytest.mark.parametrize(("module", "command", "said", "remedy"), EXTRAS)
def test_a_missing_package_is_one_line_that_says_what_to_install(
    module: str, command: str, said: str, remedy: str
) -> None:
    code = f"import shlex\nfrom msat.__main__ import main\nraise SystemExit(main(shlex.split({command!r})))"
    done = python_without([module], code)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith(f"msat: {said}: ")
    assert re.search(remedy, done.stderr.rstrip()), done.stderr
    assert not (ROOT / "game.gif").exists()


def test_without_numba_kernels_are_plain() -> None:
    code = "import msat\nprint(msat.probabilities([[-1, 1, -1]], mines=1)[0, 0])"
    done = python_without(["numba", "llvmlite"], code, MSAT_KERNELS="auto")
    assert (done.stdout, done.stderr) == ("0.5\n", "")


def test_without_numba_nothing_can_be_compiled() -> None:
    code = "from msat.__main__ import main\nraise SystemExit(main(['solve', '??/11 1']))"
    done = python_without(["numba", "llvmlite"], code, MSAT_KERNELS="compiled")
    assert done.returncode == 2
    assert done.stderr.startswith("msat: MSAT_KERNELS=compiled needs the package numba: ")
