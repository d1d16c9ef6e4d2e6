"""The table of rules: it says what the compiled rules do, has as many, and is the only list of them."""

from __future__ import annotations

import re
import runpy
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

import msat
from msat.board import Board
from msat.constants import LAST_RULE
from msat.engines.rules._kernels import apply_rules
from msat.engines.rules.deductions import deductions
from msat.engines.rules.table import ALL_RULES, RULES, rule_of
from tests.conftest import scaled
from tests.support.command import ROOT
from tests.support.positions import small_boards
from tests.support.rule_table import SHOWCASES, TABLE

kernel = pytest.mark.kernel


@kernel
@pytest.mark.parametrize(("rule", "mine", "text", "cells"), SHOWCASES)
def test_a_board_for_each_rule(rule: int, mine: bool, text: str, cells: str) -> None:
    board = Board.parse(text)
    (first, *_), *_ = (list(group) for _, group in groupby(deductions(board), lambda each: each.clues))
    assert (first.rule, first.mine) == (rule, mine)
    together = [each.cell for each in deductions(board) if (each.rule, each.clues) == (rule, first.clues)]
    assert {f"r{r}c{c}" for r, c in together} == set(cells.split())
    assert rule == 1 or deductions(board, rule - 1) == ()
    entry = rule_of(first.rule, first.form)
    assert (entry.number, entry.mine) == (rule, mine)


def test_each_form_is_described_once() -> None:
    assert [(rule.number, rule.mine) for rule in RULES] == [(form.rule, form.mine) for form in TABLE]
    assert [(rule, mine) for rule, mine, *_ in SHOWCASES] == [(form.rule, form.mine) for form in TABLE]
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert len({len(row) for row in rule.picture.split("\n")}) == 1, rule.name


def test_rules_and_their_forms_are_numbered_without_a_gap() -> None:
    numbers = [number for number, _ in groupby(RULES, lambda rule: rule.number)]
    assert numbers == list(range(1, LAST_RULE + 1))
    for number, forms in groupby(RULES, lambda rule: rule.number):
        assert [rule.form for rule in forms] == list(range(sum(rule.number == number for rule in RULES)))


def test_no_two_forms_of_a_rule_share_a_verdict() -> None:
    """The kernel's log tells the rule and the verdict, so such forms would share a reason.

    Who adds one has the kernel log the form, which `apply_and_log` passes on to the `Deduction`.
    """
    assert len({(rule.number, rule.mine) for rule in RULES}) == len(RULES)


@kernel
def test_the_kernel_has_as_many_rules_as_the_table() -> None:
    """Allowed one more, it uses none; and it uses all of these."""
    seen = set()
    for board in (*(Board.parse(text) for _, _, text, _ in SHOWCASES), *small_boards(scaled(500), seed=3)):
        log = np.empty((len(board.hidden), 6), np.int32)
        grids = board.to_array(), board.to_array()
        found = apply_rules(grids[0], LAST_RULE + 1, log)
        assert found == apply_rules(grids[1], LAST_RULE, np.empty((0, 6), np.int32))
        assert np.array_equal(*grids)
        seen |= {int(rule) for rule in log[: found[0], 2]}
    assert seen == {rule.number for rule in RULES}


OWN_RULES = {"strategies/classic.py"}
"""Follows a document that has nine, however many msat may have."""


def test_nothing_else_says_how_many_there_are() -> None:
    """But for kernels, whose comments are a part of what is compiled."""
    package = Path(msat.__file__).parent
    told = re.compile(rf"(?<!\[)\b1 ?(?:–|-|to|…) ?{LAST_RULE}\b")  # digits in patterns are none
    assert told.search(ALL_RULES)
    for file in package.rglob("*.py"):
        if "_kernels" not in file.as_posix() and file.relative_to(package).as_posix() not in OWN_RULES:
            assert not told.search(file.read_text("utf-8")), f"{file} says how many rules there are"


def test_the_page_for_players_has_every_rule() -> None:
    """By its number and name, with a picture of a board on which it is the first to say something."""
    page = (ROOT / "docs/howto/rules.md").read_text("utf-8")
    row = r"^\| (\d) \| !\[\]\(\.\./pictures/rule-(\S+)\.svg\) \| \*\*(.+?)\.?\*\*"
    rows = re.findall(row, page, re.MULTILINE)
    assert [(int(number), name[0].lower() + name[1:]) for number, _, name in rows] == [
        (rule.number, rule.name) for rule in RULES
    ]
    boards = runpy.run_path(str(ROOT / "docs/make_drawings.py"))
    for (number, picture, _), rule in zip(rows, RULES, strict=True):
        first = deductions(Board.parse(boards["RULES"][picture]))[0]
        assert (first.rule, first.mine) == (int(number), rule.mine)
