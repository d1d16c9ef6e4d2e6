"""The constants of `msat.constants`: one value each, wherever a module has them under the same name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from msat import constants
from msat.engines.rules.deductions import RULES
from msat.strategies import classic

PACKAGE = Path(constants.__file__).parent
MODULES = sorted(set(PACKAGE.rglob("*.py")) - {Path(constants.__file__)})
SHARED = {name: value for name, value in vars(constants).items() if name.isupper()}


def assigned(source: str) -> dict[str, object]:
    """What a module's top level assigns to names of shared constants."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id in SHARED:
                    found[target.id] = eval(ast.unparse(node.value), {}, dict(SHARED))
    return found


def test_the_reader_sees_an_assignment() -> None:
    assert assigned("LAST_RULE = 10\nOTHER = 1\nNO_LIMIT = 1 << 3") == {"LAST_RULE": 10, "NO_LIMIT": 8}


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_no_module_has_another_value_under_the_same_name(file: Path) -> None:
    for name, value in assigned(file.read_text("utf-8")).items():
        assert value == SHARED[name], f"{name} = {value}"


def test_the_last_rule_is_the_last_that_is_described() -> None:
    assert max(rule.number for rule in RULES) == constants.LAST_RULE


def test_classic_keeps_the_rules_of_its_document() -> None:
    assert classic.RULES == 9
