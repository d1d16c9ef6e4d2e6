"""The command `hint`: drawing, sentence, table, JSON, and what it says to bad input."""

from __future__ import annotations

import pytest

from tests.command import Cli


def test_proven_cells(cli: Cli) -> None:
    assert cli("hint", "????/1221/0000 2") == 0
    assert cli.out.splitlines() == [
        "    0  1  2  3",
        "0  [+] ?  ? [+]",
        "1   1  2  2  1",
        "2   ·  ·  ·  ·",
        "",
        "PROVEN",
        "chance to win: 100% (exactly 1)",
    ]


def test_perfect_play(cli: Cli) -> None:
    assert cli("hint", "?1??/???? 2") == 0
    assert cli.out.splitlines() == ["X"]


def test_an_estimate(cli: Cli) -> None:
    assert cli("hint", "1????????/?????????/?????????/?????????/?????????/????????? 9") == 0
    assert cli.out.splitlines() == ["X"]


def test_a_won_board(cli: Cli) -> None:
    assert cli("hint", "?1/11 1") == 0
    assert cli.out.splitlines() == [
        "    0  1",
        "0   ?  1",
        "1   1  1",
        "",
        "nothing is left to open: the board is won",
        "chance to win: 100% (exactly 1)",
    ]
    answer = cli.json("hint", "?1/11 1", "--json")
    assert (answer["cell"], answer["cells"], answer["kind"], answer["win_exact"]) == (None, [], "won", "1")


def test_json(cli: Cli) -> None:
    answer = cli.json("hint", "?1??/???? 2", "--json")
    assert answer == {}


def test_json_of_an_estimate(cli: Cli) -> None:
    board = "1????????/?????????/?????????/?????????/?????????/????????? 9"
    answer = cli.json("hint", board, "--json", "--seconds", "0.2")
    assert answer["kind"] == "playouts"
    assert answer["win_exact"] is None
    assert answer["games"] >= 1
    assert 0 < answer["win_error"] < 1
    assert answer["alternatives"]
    assert {"cell", "safety", "win", "win_error", "win_exact"} == set(answer["alternatives"][0])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["??/11 9"], "9 mines do not fit"),
        (["1?/0? 1"], "these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0"),
        (["??/11"], "mine"),
        (["hello.txt"], "'hello.txt' is no file, and no board either"),
        ([], "hint needs a BOARD"),
        (["??/11 1", "--seconds", "-1"], "'-1' is no number above 0"),
        (["??/11 1", "--seconds", "soon"], "'soon' is no number above 0"),
    ],
)
def test_bad_input(cli: Cli, argv: list[str], message: str) -> None:
    assert cli("hint", *argv) == 2
    assert cli.out == ""
    assert cli.err.startswith("msat: ")
    assert message in cli.err
    assert cli.err.count("\n") == 1
