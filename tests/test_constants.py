"""The constants of `msat.constants`: each stands there and nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from msat import constants
from msat.strategies import classic

PACKAGE = Path(constants.__file__).parent
MODULES = sorted(set(PACKAGE.rglob("*.py")) - {Path(constants.__file__)})
SHARED = {name for name in vars(constants) if name.isupper()}


def assigned(source: str) -> set[str]:
    """The shared names to which a module assigns something of its own at its top level."""
    assignments = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    names = {
        node.id
        for each in assignments
        for target in each.targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name)
    }
    return names & SHARED


def test_the_reader_sees_an_assignment() -> None:
    assert assigned("LAST_RULE = 10\nOTHER = 1\nMINE, SAFE = 1, 2") == {"LAST_RULE", "MINE", "SAFE"}


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_no_module_has_a_value_of_its_own_under_the_same_name(file: Path) -> None:
    assert not assigned(file.read_text("utf-8"))


def test_classic_keeps_the_rules_of_its_document() -> None:
    assert classic.RULES == 9
