"""Marks on the command line: opinions that `solve`, `hint` and `explain` judge before they answer."""

from __future__ import annotations

import json

import pytest

from tests.support.command import Cli

WRONG = "**?/111 1"
"""The only mine is at r0c1: the mark at r0c0 is on a safe cell."""

UNPROVEN = "*?/11 1"
"""r0c0 and r0c1 are a mine with one half each."""


class TestSolve:
    def test_a_wrong_mark_is_named_and_numbers_are_not_blamed(self, cli: Cli) -> None:
        assert cli("solve", WRONG) == 0
        assert cli.out.splitlines() == [
            "    0  1  2",
            "0   w  F  +",
            "1   1  1  1",
            "",
            "open r0c2, r0c0, proven safe",
            "the mark at r0c0 is wrong: take the flag off",
            "+ safe   * mine   07 a mine with 7 %   F mark   w a mark that is wrong",
            "2×3, 1 mine, 2 cells hidden",
            "2 proven safe, 0 proven mines",
            "solutions: 1",
        ]

    def test_a_mark_that_is_not_proven_proves_nothing(self, cli: Cli) -> None:
        """It made cells look safe: with the mark for a fact, its neighbour was one."""
        trusting = cli.json("solve", UNPROVEN, "--json", "--marks", "trust")
        judging = cli.json("solve", UNPROVEN, "--json")
        assert [0, 1] in trusting["safe"]
        assert [0, 1] not in judging["safe"]
        assert judging["probability"][0][:2] == [0.5, 0.5]
        plain = cli.json("solve", UNPROVEN.replace("*", "?"), "--json")
        assert judging | {"marks": []} == plain
        assert judging["marks"] == [{"cell": [0, 0], "verdict": "unproven", "probability": 0.5}]
        assert cli("solve", UNPROVEN) == 0
        assert "1 mark is not proven: r0c0 (a mine with 50.0%)\n" in cli.out

    def test_every_mark_is_in_the_answer(self, cli: Cli) -> None:
        answer = cli.json("solve", WRONG, "--json")
        assert answer["marks"] == [
            {"cell": [0, 0], "verdict": "wrong", "probability": 0.0},
            {"cell": [0, 1], "verdict": "proven", "probability": 1.0},
        ]
        assert (answer["safe"], answer["mined"], answer["solutions"]) == ([[0, 0], [0, 2]], [], 1)
        assert answer["probability"] == [[0.0, 1.0, 0.0], [None] * 3]

    def test_marks_may_be_trusted(self, cli: Cli) -> None:
        assert cli("solve", WRONG, "--marks", "trust") == 2
        assert cli.err == "msat: the mark at r0c0 is wrong, by the 1 at r1c1 and the 1 at r1c2\n"
        answer = cli.json("solve", "*?/11 1", "--marks", "trust", "--json")
        assert (answer["safe"], answer["marks"][0]["verdict"]) == ([[0, 1]], "unproven")

    def test_numbers_that_contradict_each_other_are_blamed_without_the_marks(self, cli: Cli) -> None:
        assert cli("solve", "1?*/0?? 1") == 2
        assert cli.err == "msat: these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0\n"

    def test_requests_on_lines(self, cli: Cli) -> None:
        requests = [
            b'"**?/111 1"',
            b'{"board": "**?/111 1", "marks": "trust"}',
            b'{"board": "**?/111 1", "marks": "guess"}',
        ]
        assert cli("solve", "--jsonl", stdin=b"\n".join(requests)) == 0
        judged, trusted, unknown = map(json.loads, cli.out.splitlines())
        assert [mark["verdict"] for mark in judged["marks"]] == ["wrong", "proven"]
        assert trusted["error"]["marks"] == [[0, 0]]
        assert trusted["error"]["clues"] == [[1, 1], [1, 2]]
        assert unknown["error"]["message"] == (
            "unknown way to take marks 'guess': choose one of judge, trust"
        )


class TestHint:
    def test_a_wrong_mark(self, cli: Cli) -> None:
        assert cli("hint", WRONG) == 0
        assert cli.out.splitlines()[:3] == ["    0  1  2", "0  [w] F [+]", "1   1  1  1"]
        assert cli.out.endswith("the mark at r0c0 is wrong: take the flag off\n2×3, 1 mine, 2 cells hidden\n")
        assert [mark["verdict"] for mark in cli.json("hint", WRONG, "--json")["marks"]] == ["wrong", "proven"]

    def test_a_move_that_is_marked(self, cli: Cli) -> None:
        assert cli("hint", "**/11 1") == 0
        assert "it is marked: take the flag off to open it\n" in cli.out

    def test_trust(self, cli: Cli) -> None:
        assert cli("hint", WRONG, "--marks", "trust") == 2
        assert "the mark at r0c0 is wrong" in cli.err


class TestExplain:
    def test_a_marked_cell_is_explained_like_a_hidden_one(self, cli: Cli) -> None:
        answer = cli.json("explain", WRONG, "--cell", "0,1", "--json")
        assert (answer["verdict"], answer["clues"]) == ("mine", [[1, 0], [1, 1], [1, 2]])
        assert cli.json("explain", WRONG, "--cell", "0,0", "--json")["verdict"] == "safe"
        assert cli.json("explain", UNPROVEN, "--cell", "0,0", "--json")["verdict"] == "open"

    def test_without_a_cell_the_wrong_mark_is_explained(self, cli: Cli) -> None:
        assert cli("explain", WRONG) == 0
        assert "\nr0c0 is safe (rule 1): the 1 at r1c0 " in cli.out
        assert "\nthe mark at r0c0 is wrong: take the flag off\n" in cli.out

    def test_trusted_marks_are_suspected_before_numbers(self, cli: Cli) -> None:
        assert cli("explain", WRONG, "--marks", "trust") == 2
        assert cli.out.splitlines()[:2] == ["    0  1  2", "0  [F] F  ?"]
        assert cli.out.splitlines()[-3:] == [
            "take the flag off r0c0",
            "one changed number would do as well: a 0 at r1c2",
            "2×3, 1 mine, 1 cell hidden",
        ]
        assert cli("explain", WRONG, "--marks", "trust", "--json") == 2
        answer = json.loads(cli.out)
        assert answer["blamed_marks"] == [[0, 0]]
        assert answer["repairs"] == [{"cell": [0, 0], "number": None}, {"cell": [1, 2], "number": 0}]
        assert cli.json("explain", "*?/11 1", "--cell", "0,0", "--marks", "trust", "--json")["text"] == [
            "r0c0 is a mine: it is marked, and marks are taken for granted"
        ]


@pytest.mark.parametrize("command", ["solve", "hint", "explain"])
def test_the_choice_is_in_the_help(cli: Cli, command: str) -> None:
    assert cli(command, "--help") == 0
    assert "--marks {judge,trust}" in cli.out
