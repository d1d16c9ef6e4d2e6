"""Words in messages: arguments are named as their reader would write them, errors by what went wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import msat
from msat import analyze_many
from msat.errors import MsatError, ParameterError
from msat.wording import argument, as_field, as_keyword, as_option, naming

PACKAGE = Path(msat.__file__).parent
BELOW_THE_COMMAND_LINE = [
    pytest.param(file, id=file.relative_to(PACKAGE).as_posix())
    for file in sorted(PACKAGE.rglob("*.py"))
    if not {"cli", "__main__.py"} & set(file.relative_to(PACKAGE).parts)
]


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        (as_keyword, ("n=3", "resume=True", "values=…")),
        (as_option, ("-n 3", "--resume", "--values")),
        (as_field, ('"n": 3', '"resume": true', '"values"')),
    ],
)
def test_each_reader_has_a_way_of_his_own(
    way: Callable[[str, object], str], expected: tuple[str, ...]
) -> None:
    with naming(way):
        assert (argument("n", 3), argument("resume", True), argument("values")) == expected
    assert argument("n", 3) == "n=3"


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True, None])
def test_a_wrong_number_of_workers(workers: int) -> None:
    with pytest.raises(ParameterError) as error:
        analyze_many([], workers=workers)
    assert str(error.value) == f"workers={workers!r}: expected a whole number from 1 to 1,000"


def raised(file: Path) -> list[str]:
    """The names of all classes that a file raises."""
    found = [node.exc for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Raise)]
    calls = [exc.func if isinstance(exc, ast.Call) else exc for exc in found]
    return [call.id for call in calls if isinstance(call, ast.Name)]


def test_the_root_of_all_errors_is_never_raised_itself() -> None:
    """Whoever catches an error is told what kind it is."""
    assert not [file for file in PACKAGE.rglob("*.py") if MsatError.__name__ in raised(file)]


def texts(file: Path) -> list[str]:
    """All texts of a file but its documentation: no docstrings, nor what stands below a constant."""
    tree = ast.parse(file.read_text("utf-8"))
    remarks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in remarks
    ]
    return [node.value for node in constants if isinstance(node.value, str)]


@pytest.mark.parametrize("file", BELOW_THE_COMMAND_LINE)
def test_the_library_does_not_speak_of_options(file: Path) -> None:
    """In no sentence, but for those of commands that it quotes."""
    for text in texts(file):
        assert not re.search(r"\S\s+--[a-z]", re.sub(r"pip install .*|(['`])msat .*?\1", "", text)), text
