"""The command `explain`: text, drawing, JSON, and what it says to bad input."""

from __future__ import annotations

import json

import pytest

from msat import Board
from tests.support.command import Cli
from tests.support.positions import scattered

ESCAPE = "\x1b"


def test_a_forced_cell(cli: Cli) -> None:
    assert cli("explain", "???/111 1", "--cell", "0,0") == 0
    assert cli.out.splitlines() == [
        "    0  1  2",
        "0  [+] ?  ?",
        "1   1 [1][1]",
        "",
        "r0c0 is safe (rule 4): the 1 at r1c1 has 1 mine; the 1 at r1c2 puts it in r0c1 and r0c2; "
        "so none is left: r0c0 is safe",
        "2×3, 1 mine, 3 cells hidden",
    ]


def test_an_open_cell(cli: Cli) -> None:
    assert cli("explain", "11?/??? 1", "--cell", "1,0") == 0
    assert cli.out.splitlines() == [
        "    0  1  2",
        "0   1  1  ?",
        "1  [?] ?  ?",
        "",
        "r1c0 is undecided: there are layouts with and without a mine there; it is a mine with 50.00% (1/2)",
        "2×3, 1 mine, 4 cells hidden",
        "",
        "for example, with a mine:",
        "    0  1  2",
        "0   1  1",
        "1  [*]",
        "",
        "for example, without:",
        "    0  1  2",
        "0   1  1",
        "1  [+] *",
        "(blank cells have no mine)",
    ]


def test_a_contradiction(cli: Cli) -> None:
    for cell in ([], ["--cell", "0,1"]):
        assert cli("explain", "1?/0? 1", *cell) == 2
        assert cli.err == "msat: these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0\n"
        assert cli.out.splitlines() == [
            "    0  1",
            "0  [1] ?",
            "1  [·] ?",
            "",
            "  the 1 at r0c0 needs 1 mine; the 0 at r1c0 allows none in r0c1 and r1c1; it has no place",
            "one changed number would make the board possible: a 1 at r1c0",
            "2×2, 1 mine, 2 cells hidden",
        ]


def test_json_of_a_forced_cell(cli: Cli) -> None:
    answer = cli.json("explain", "???/111 1", "--cell", "0,0", "--json")
    assert answer.pop("text")[0].startswith("r0c0 is safe (rule 4): ")
    clues = [[1, 1], [1, 2]]
    assert answer == {
        "cell": [0, 0],
        "verdict": "safe",
        "clues": clues,
        "uses_mine_count": False,
        "smallest": True,
        "rules": [{"rule": 4, "cell": [0, 0], "mine": False, "clues": clues}],
        "probability": None,
        "exact": None,
        "witnesses": None,
        "marks": [],
    }


def test_json_of_an_open_cell(cli: Cli) -> None:
    answer = cli.json("explain", "11?/??? 1", "--cell", "1,0", "--json")
    assert (answer["verdict"], answer["probability"], answer["exact"]) == ("open", 0.5, "1/2")
    assert answer["witnesses"] == [[[1, 0]], [[1, 1]]]


def test_json_of_a_contradiction(cli: Cli) -> None:
    assert cli("explain", "1??/??? 5", "--json") == 2
    assert cli.err.startswith("msat: no layout has 5 mines in total")
    answer = json.loads(cli.out)
    assert answer.pop("text")[-1] == "one changed number would make the board possible: a 3 at r0c0"
    assert answer == {
        "verdict": "contradiction",
        "clues": [[0, 0]],
        "uses_mine_count": True,
        "blamed_marks": [],
        "possible_mines": [1, 2, 3],
        "repairs": [{"cell": [0, 0], "number": 3}],
    }


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (
            ["?1? 1"],
            "explain needs a hidden cell of this board: add --cell ROW,COLUMN such as --cell 0,0, or --all",
        ),
        (["?1? 1", "--cell", "0,1"], "r0c1 is open (it shows 1): ask about a hidden or marked cell"),
        (["?1? 1", "--cell", "1,0"], "(1, 0) is not on the 1×3 board: rows 0 to 0, columns 0 to 2"),
        (
            ["--cell", "1,0"],
            "explain needs a BOARD: a file, '-' for standard input, or a board such as '??/11 1'",
        ),
    ],
)
def test_bad_input(cli: Cli, argv: list[str], complaint: str) -> None:
    assert cli("explain", *argv) == 2
    assert (cli.out, cli.err) == ("", f"msat: {complaint}\n")


def test_a_cell_that_is_no_cell(cli: Cli) -> None:
    assert cli("explain", "?1? 1", "--cell", "a1") == 2
    assert "'a1' is no cell: expected ROW,COLUMN such as 3,3" in cli.err


def test_a_budget_that_does_not_suffice(cli: Cli) -> None:
    assert cli("explain", "???/111 1", "--cell", "0,0", "--budget", "1e-9") == 3
    assert cli.err == "msat: r0c0 was not explained within 1e-09 seconds\n"


class TestTerminals:
    def explain(self, cli: Cli) -> list[str]:
        board = scattered(16, 30, 99, 0.6, seed=1)
        cell = next(cell for cell in board.hidden)
        assert cli("explain", board.to_text("line"), "--cell", f"{cell[0]},{cell[1]}") == 0
        return cli.out.splitlines()[: board.height + 2]

    def test_brackets_fit_where_there_is_room(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "94")
        drawing = self.explain(cli)
        assert any("[" in line for line in drawing)
        assert max(map(len, drawing)) <= 94

    def test_brackets_fit_two_columns_a_cell(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "64")
        drawing = self.explain(cli)
        assert any("[" in line for line in drawing)
        assert max(map(len, drawing)) <= 64

    @pytest.mark.parametrize("columns", ["63", "40", "20"])
    def test_narrow_terminals_have_no_brackets(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: str
    ) -> None:
        monkeypatch.setenv("COLUMNS", columns)
        drawing = self.explain(cli)
        assert not any("[" in line for line in drawing)
        assert max(map(len, drawing)) <= int(columns)

    def test_colour_if_wanted(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLORTERM", "truecolor")
        assert cli("explain", "???/111 1", "--cell", "0,0") == 0
        assert ESCAPE in cli.out
        monkeypatch.setenv("NO_COLOR", "1")
        assert cli("explain", "???/111 1", "--cell", "0,0") == 0
        assert ESCAPE not in cli.out


def test_a_board_from_standard_input(cli: Cli) -> None:
    text = Board.parse("???/111 1").to_text().encode()
    assert cli("explain", "-", "--cell", "0,1", stdin=text) == 0
    assert "r0c1 is a mine (rules 4 and 2)" in cli.out


def test_the_cell_that_is_suggested_can_be_explained(cli: Cli) -> None:
    """It was r0c0, whatever that showed."""
    assert cli("explain", "1?1/??? 1") == 2
    assert "add --cell ROW,COLUMN such as --cell 1,0, or --all" in cli.err
    assert cli("explain", "0/ 0") == 2
    assert "nothing is hidden" in cli.err


def test_one_mark_is_marked(cli: Cli) -> None:
    assert cli("explain", "??1/3?2/??F 3", "--marks", "trust") == 2
    assert "there are 3 mines in all, 1 is marked: 1 too few" in cli.out
