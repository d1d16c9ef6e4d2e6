"""The command `hint`: drawing, sentence, table, JSON, and what it says to bad input."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from msat import Board, Layout, play
from msat.cli import hint
from msat.coach import best_move
from msat.strategies.best.common_layouts import DrawnLayouts
from msat.strategies.best.player import Best
from tests.support.command import Cli
from tests.support.endings import end_with
from tests.support.uncounted import analyze_uncounted

OPEN = "1????????/?????????/?????????/?????????/?????????/????????? 9"


def test_proven_cells(cli: Cli) -> None:
    assert cli("hint", "????/1221/0000 2") == 0
    assert cli.out.splitlines() == [
        "    0  1  2  3",
        "0  [+] ?  ? [+]",
        "1   1  2  2  1",
        "2   ·  ·  ·  ·",
        "",
        "open r0c0, safe by rule 1: the 1 at r1c0 has all its mines: r0c1 (r0c3 is proven safe too)",
        "chance to win: 100% (exactly 1)",
        "3×4, 2 mines, 4 cells hidden",
    ]


def test_proven_cells_do_not_wait_for_an_estimate(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a machine that has compiled nothing compile for it."""
    board = "?1000/?2000/?2000/?1000/?????/?????/?????/?????/????? 9"
    monkeypatch.setattr("msat.coach.best_move.estimate_chances", lambda *_: pytest.fail("games were played"))
    assert cli("hint", board) == 0
    assert cli.out.splitlines()[-2] == (
        "chance to win: not known (cells are proven safe; --seconds 1 would estimate it)"
    )
    monkeypatch.undo()
    assert cli("hint", board, "--seconds", "0.01") == 0
    assert "games played on from here by 'best'" in cli.out


def test_perfect_play(cli: Cli) -> None:
    assert cli("hint", "?1??/???? 2") == 0
    assert cli.out.splitlines() == [
        "    0  1  2  3",
        "0  [?] 1  ?  ?",
        "1   ?  ?  ?  ?",
        "",
        "open r0c0: no cell is proven safe; r0c0 is a mine with 20.0%, and none is safer",
        "it may show 0 (50.0%) or 1 (50.0%); that proves another cell safe with 100%, and the best click "
        "after it is safe with 100%",
        "it wins 30.0% of all games, exactly, as do r0c2, r1c0, r1c2 and r0c3",
        "chance to win: 30.0% (exactly 3/10)",
        "2×4, 2 mines, 7 cells hidden",
        "",
        "move       safe  progress  second     wins",
        "r0c0      80.0%      100%    100%    30.0%",
        "r0c2      80.0%      100%    100%    30.0%",
        "r1c0      80.0%      100%    100%    30.0%",
        "r1c2      80.0%      100%    100%    30.0%",
        "r0c3      50.0%      100%    100%    30.0%",
        "(progress: its number proves another cell safe; second: how safe the next click is then)",
    ]


def test_an_estimate(cli: Cli) -> None:
    assert cli("hint", OPEN) == 0
    lines = cli.out.splitlines()
    assert sum(line.count("[?]") for line in lines) == 1
    assert re.fullmatch(
        r"open r\dc\d: no cell is proven safe; r\dc\d is a mine with \d\d\.\d%, and none is safer", lines[8]
    )
    assert re.fullmatch(
        r"it may show \d \(\d\d\.\d%\), \d \(\d\d\.\d%\), \d \(\d\.\d%\) or 1 more; that proves another cell "
        r"safe with \d\d\.\d%, and the best click after it is safe with \d\d\.\d%",
        lines[9],
    )
    assert re.match(r"it wins \d\d\.\d% of all games ± \d\.\d; r\dc\d wins \d\d\.\d%, ", lines[10])
    played = r"by 200 games played on from here by 'best'; standard error \d\.\d%"
    assert re.fullmatch(rf"chance to win: \d\d\.\d% \({played}\)", lines[11])
    assert lines[12] == "6×9, 9 mines, 53 cells hidden"
    assert lines[14].split() == [
        "move",
        "safe",
        "progress",
        "second",
        "wins",
        "error",
        "difference",
        "(error)",
    ]
    assert lines.pop().startswith("(progress: ")
    assert len(lines[15:]) == 5
    figures = r"r\dc\d( +\d\d\.\d%){4} +\d\.\d%"
    assert re.fullmatch(figures, lines[15])
    for line in lines[16:]:
        assert re.fullmatch(rf"{figures} +[+-]\d+\.\d% \(\d\.\d%\)", line)
    assert max(map(len, lines[14:])) <= 80


def test_a_move_that_seems_better_is_explained() -> None:
    advice = best_move.best_move(Board.parse(OPEN))
    one, *others = advice.alternatives
    lower = [replace(other, difference=-0.01) for other in others]
    for difference, told in ((0.01, True), (0.0, False), (-0.01, False)):
        first = replace(one, difference=difference)
        *_, last = hint._table(replace(advice, alternatives=(first, *lower)))
        assert (last == "(a difference of less than about twice its error tells nothing)") == told


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (1.0, r"above 8\d\.\d% \(all of 200 games .* by 'best' were won, if the move is safe\)"),
        (0.0, r"below 1\.\d% \(none of 200 games played on from here by 'best' was won\)"),
    ],
)
def test_games_that_all_end_alike(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, chance: float, told: str
) -> None:
    end_with(chance, monkeypatch)
    assert cli("hint", OPEN) == 0
    assert re.search(f"^chance to win: {told}$", cli.out, re.MULTILINE)
    answer = cli.json("hint", OPEN, "--json")
    assert answer["win"] == chance * answer["safety"]


def test_a_board_without_chances(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is told, why the rest is not as well, and no column is empty."""
    monkeypatch.setattr(Best, "choose", Best.choose_slowly)
    monkeypatch.setattr(DrawnLayouts, "_draw", lambda *_: False)
    assert cli("hint", OPEN) == 0
    assert cli.out.splitlines()[8:] == [
        "open r0c8: no cell is proven safe; r0c8 is a mine with 16.0%, and none is safer",
        "it may show 0 (57.9%), 1 (35.6%), 2 (6.2%) or 1 more; that proves another cell safe with 57.9%, and "
        "the best click after it is safe with 93.7%",
        "how often it wins is not known: the board is too wide for games to be played on",
        "chance to win: not known (the board is too wide for games to be played on)",
        "6×9, 9 mines, 53 cells hidden",
        "",
        "move       safe  progress  second",
        "r0c8      84.0%     57.9%   93.7%",
        "r5c0      84.0%     57.9%   93.7%",
        "r5c8      84.0%     57.9%   93.7%",
        "r0c2      84.0%     19.5%   93.9%",
        "r0c3      84.0%     39.3%   90.8%",
        "(progress: its number proves another cell safe; second: how safe the next click is then)",
    ]
    answer = cli.json("hint", OPEN, "--json")
    assert (answer["win"], answer["win_error"], answer["games"]) == (None, None, 0)


def test_a_budget_for_counting(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is handed on, and the message that it did not suffice names the option."""
    monkeypatch.setattr(best_move, "analyze", analyze_uncounted)
    assert cli("hint", OPEN, "--budget", "1.5") == 3
    assert cli.err == (
        "msat: no cell is proven safe, and the board is too wide to be counted "
        "within --budget 1.5: allow more\n"
    )


class TestNarrowTerminals:
    """One character a cell leaves no room for brackets, and colour may be missing: signs tell the move."""

    @pytest.fixture(autouse=True)
    def narrow(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "18")
        monkeypatch.setenv("NO_COLOR", "1")

    def test_a_guess(self, cli: Cli) -> None:
        assert cli("hint", "?1??????/???????? 2", "--json") == 0
        row, column = json.loads(cli.out)["cell"]
        assert cli("hint", "?1??????/???????? 2") == 0
        lines = cli.out.splitlines()
        assert lines[0] == "  01234567"
        assert [(r, c) for r in (0, 1) for c in range(8) if lines[1 + r][2 + c] == "@"] == [(row, column)]

    def test_proven_cells(self, cli: Cli) -> None:
        assert cli("hint", "????0000/12210000/00000000 2") == 0
        assert cli.out.splitlines()[:4] == ["  01234567", "0 +??+····", "1 1221····", "2 ········"]

    def test_in_blocks_of_columns(self, cli: Cli) -> None:
        assert cli("hint", f"{'0' * 21}1?/{'0' * 21}1? 1") == 0
        lines = cli.out.splitlines()
        assert lines[:4] == [
            "            1",
            "  0123456789012345",
            "0 ················",
            "1 ················",
        ]
        assert lines[5:9] == ["  1   2", "  6789012", "0 ·····1@", "1 ·····1?"]

    def test_sentences_are_broken_between_words(self, cli: Cli) -> None:
        assert cli("hint", "?1?????/??????? 2") == 0
        sentences = cli.out.splitlines()[4:]
        told = sentences[: sentences.index("")]
        assert max(map(len, told)) <= 18
        assert "is safe with" in " ".join(told)
        assert "chance to win: " in " ".join(told)


def test_a_won_board(cli: Cli) -> None:
    assert cli("hint", "?1/11 1") == 0
    assert cli.out.splitlines() == [
        "    0  1",
        "0   ?  1",
        "1   1  1",
        "",
        "nothing is left to open: the board is won",
        "chance to win: 100% (exactly 1)",
        "2×2, 1 mine, 1 cell hidden",
    ]
    answer = cli.json("hint", "?1/11 1", "--json")
    assert (answer["cell"], answer["cells"], answer["kind"], answer["win_exact"]) == (None, [], "won", "1")


def test_json(cli: Cli) -> None:
    answer = cli.json("hint", "?1??/???? 2", "--json")
    others = answer.pop("alternatives")
    assert answer == {
        "cell": [0, 0],
        "cells": [[0, 0]],
        "kind": "endgame",
        "safety": pytest.approx(0.8),
        "win": 0.3,
        "win_error": 0.0,
        "win_exact": "3/10",
        "games": 0,
        "progress": 1.0,
        "second": 1.0,
        "dead": False,
        "reasons": [
            "no cell is proven safe; r0c0 is a mine with 20.0%, and none is safer",
            "it may show 0 (50.0%) or 1 (50.0%); that proves another cell safe with 100%, and the best click "
            "after it is safe with 100%",
            "it wins 30.0% of all games, exactly, as do r0c2, r1c0, r1c2 and r0c3",
        ],
        "reason": "r0c0 is safe with a chance of 80.0% and begins perfect play, which wins 3 of 10 layouts; "
        "r0c2, r0c3, r1c0, r1c2 and r1c3 win as often",
        "marks": [],
    }
    assert others[3] == {
        "cell": [0, 3],
        "safety": 0.5,
        "win": 0.3,
        "win_error": 0.0,
        "win_exact": "3/10",
        "games": 0,
        "progress": 1.0,
        "second": 1.0,
        "dead": False,
        "difference": 0.0,
        "difference_error": 0.0,
    }


def test_json_of_an_estimate(cli: Cli) -> None:
    answer = cli.json("hint", OPEN, "--json", "--seconds", "0.5")
    assert answer["kind"] == "sampled"
    assert answer["win_exact"] is None
    assert answer["games"] >= 1
    assert 0 < answer["win_error"] < 1
    assert answer["alternatives"]
    fields = ["cell", "safety", "win", "win_error", "win_exact", "games", "progress", "second", "dead"]
    assert [*fields, "difference", "difference_error"] == list(answer["alternatives"][0])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["??/11 9"], "9 mines do not fit"),
        (["1?/0? 1"], "these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0"),
        (["??/11"], "mine"),
        (["hello"], "'hello' is no file, and no board either"),
        (["hello.txt"], "'hello.txt': no such file"),
        (["missing/file"], "'missing/file': no such file"),
        (
            ["??/11 1", "--bogus"],
            "unknown option '--bogus' ('msat hint --help' shows what is possible)",
        ),
        (["??/11", "--mines", "x"], "argument --mines: 'x' is no whole number, such as 10"),
        (["?1/11 0"], "no layout has 0 mines"),
        (["??/22 1"], "no layout has 1 mine in total"),
        (["??/11 1", "--seconds", "99999999"], "'99999999' is no time to think: expected seconds above 0"),
        ([], "hint needs a BOARD"),
        (["??/11 1", "--level", "6"], "--level 6 is no level of a hint: give 1 to 5"),
        (["??/11 1", "--level", "x"], "argument --level: 'x' is no whole number"),
        (["??/11 1", "--seconds", "-1"], "'-1' is no time to think"),
        (["??/11 1", "--seconds", "soon"], "'soon' is no time to think"),
    ],
)
def test_bad_input(cli: Cli, argv: list[str], message: str) -> None:
    assert cli("hint", *argv) == 2
    assert cli.out == ""
    assert cli.err.startswith("msat: ")
    assert message in cli.err
    assert cli.err.count("\n") == 1


FINDABLE = "????/1111/0000 2"
GUESS = "?1??/???? 2"


def test_levels_of_a_proof(cli: Cli) -> None:
    told = []
    for level in range(1, 6):
        assert cli("hint", FINDABLE, "--level", str(level)) == 0
        told.append(cli.out.splitlines())
    assert [lines[5:] for lines in told] == [
        ["there is something to find"],
        ["look at rows 0 to 2, columns 0 to 2"],
        ["the 1 at r1c0 and the 1 at r1c1 prove it"],
        ["r0c2 is safe"],
        [
            "r0c2 is safe (rule 4): the 1 at r1c1 has 1 mine; the 1 at r1c0 puts it in r0c0 and r0c1; "
            "so none is left: r0c2 is safe"
        ],
    ]
    assert [sum(line.count("[") for line in lines) for lines in told] == [0, 9, 2, 3, 3]


def test_levels_of_a_guess(cli: Cli) -> None:
    found = [cli.json("hint", GUESS, "--level", str(level), "--json") for level in range(1, 6)]
    assert [sorted(each) for each in found] == [
        ["kind", "level", "text"],
        ["kind", "level", "text", "window"],
        ["candidates", "kind", "level", "text", "window"],
        ["candidates", "cell", "kind", "level", "marks", "text", "window"],
        ["advice", "candidates", "cell", "kind", "level", "marks", "text", "window"],
    ]
    assert found[0]["text"] == ["nothing can be proven: a guess is needed"]
    assert found[3]["cell"] == found[4]["advice"]["cell"] == [0, 0]
    assert found[4]["text"] == found[4]["advice"]["reasons"]
    assert cli("hint", GUESS, "--level", "5") == 0
    assert "move       safe  progress  second     wins" in cli.out


def test_a_level_of_a_board_that_is_won(cli: Cli) -> None:
    assert cli.json("hint", "?1/11 1", "--level", "4", "--json") == {
        "level": 4,
        "kind": "won",
        "text": ["nothing is left to open: the board is won"],
        "marks": [],
    }


def test_low_levels_do_not_tell_which_marks_are_wrong(cli: Cli) -> None:
    """The mark at r0c2 is on a safe cell."""
    marked = "??*?/1111/0000 2"
    told = []
    for level in range(1, 6):
        assert cli("hint", marked, "--level", str(level)) == 0
        told.append(cli.out.splitlines()[1])
    assert told[0] == "0   ?  ?  F  ?"
    assert len({line.replace("[", " ").replace("]", " ") for line in told[:3]}) == 1
    assert "marks" not in cli.json("hint", marked, "--level", "3", "--json")
    [mark] = cli.json("hint", marked, "--level", "4", "--json")["marks"]
    assert mark == {"cell": [0, 2], "verdict": "wrong", "probability": 0.0}


def test_the_move_comes_first_and_equal_moves_are_named(cli: Cli) -> None:
    """It began with what is not proven, and one of four moves that win equally often was called best."""
    assert cli("hint", "???2111/?3?*21*/??4*211/*3*2100/1211000/0000000 8") == 0
    answer = cli.out.split("\n\n")[1]
    assert answer.startswith("open r0c2: no cell is proven safe")
    assert "50.0% of all games, exactly, as do r1c2, r2c0 and r2c1; r0c0 wins 33.3%" in answer
    assert "(dead: its number is the same in any case, and tells nothing)" in cli.out
    assert cli("hint", "??1/3?2/??? 3") == 0
    assert "\nopen r2c2, safe by the 3 at r1c0 and the mine total\n" in cli.out


def test_a_guess_on_an_expert_board_fits_a_small_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of moves scrolled the board, and with it the move, away."""
    record = play(Layout.random(16, 30, 99, seed=11, start=(3, 3)), "logic")
    monkeypatch.setenv("COLUMNS", "80")
    board = record.game().board.to_text("line")
    assert cli("hint", board) == 0
    assert "\nmove  " in cli.out
    assert len(cli.out.splitlines()) > 30
    monkeypatch.setenv("LINES", "24")
    assert cli("hint", board) == 0
    assert "open r" in cli.out
    assert len(cli.out.splitlines()) <= 23
