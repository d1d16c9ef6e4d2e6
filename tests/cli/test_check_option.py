"""`solve --check`: says that it checked, and reports a position that it cannot confirm."""

from __future__ import annotations

import pytest

from msat.errors import CheckFailed
from tests.support.command import Cli


def test_a_checked_answer_says_so(cli: Cli) -> None:
    assert cli("solve", "??1/3?2/??? 3", "--check") == 0
    assert cli.out.splitlines()[-1] == "checked: every answer was proven a second way"
    assert "solutions: 4" in cli.out


def test_json_is_the_same(cli: Cli) -> None:
    board = "??1/3?2/??? 3"
    assert cli.json("solve", board, "--check", "--json") == cli.json("solve", board, "--json")


def test_a_failed_check_is_one_line_with_the_position(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise CheckFailed(
            "r0c0 is said to be safe, but a mine there is possible: please report ??1/3?2/??? 3"
        )

    monkeypatch.setattr("msat.check.check_answer", fail)
    assert cli("solve", "??1/3?2/??? 3", "--check") == 2
    assert cli.out == ""
    assert cli.err.endswith("please report ??1/3?2/??? 3\n")


def test_not_for_the_service(cli: Cli) -> None:
    assert cli("solve", "--jsonl", "--check") == 2
    assert cli.err == "msat: --check is for one board: leave out --jsonl\n"
