"""The coach at the command line: facts about cells, walk-throughs, difficulties, watched reviews."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import msat
from msat.coach.techniques import NAMES
from tests.conftest import JIT
from tests.support.command import Cli


def test_what_every_cell_may_show(cli: Cli) -> None:
    assert cli("solve", "1???/????/???? 2", "--cells") == 0
    assert cli.out.splitlines()[-10:] == [
        "chances in percent: of a mine, and of being safe and showing each number",
        "cell              mine     0     1     2",
        "r0c1 and 1 more   33.3        50.0  16.7",
        "r0c2 and 1 more   12.5  16.7  45.8  25.0",
        "r0c3 and 1 more   12.5  50.0  37.5",
        "r1c1              33.3        25.0  41.7",
        "r1c2              12.5   4.2  33.3  50.0",
        "r1c3              12.5  25.0  62.5",
        "r2c0              12.5  25.0  54.2   8.3",
        "r2c2              12.5  25.0  45.8  16.7",
    ]
    assert cli("solve", "1?/?? 1", "--cells") == 0
    assert cli.out.splitlines()[-1] == "r0c1 and 2 more   33.3  66.7  dead"


def test_what_every_cell_may_show_as_json(cli: Cli) -> None:
    text = "1???/????/???? 2"
    answer = cli.json("solve", text, "--cells", "--json")
    analysis = msat.analyze(msat.Board.parse(text))
    assert len(answer["cells"]) == 11
    for each in answer["cells"]:
        cell = tuple(each["cell"])
        assert each["numbers"] == pytest.approx([float(x) for x in analysis.numbers(*cell)])
        assert each["opening"] == each["numbers"][0]
        assert each["dead"] == (cell in analysis.dead)
        assert each["probability"] == analysis.probability[cell]
    assert "cells" not in cli.json("solve", text, "--json")
    assert cli("solve", "--jsonl", "--cells") == 2
    assert cli.err == "msat: --cells is for one board: leave out --jsonl\n"


def test_everything_that_is_forced(cli: Cli) -> None:
    assert cli("explain", "????/1111/0000 2", "--all") == 0
    assert cli.out.splitlines() == [
        "    0  1  2  3",
        "0  [*][+][+][*]",
        "1   1  1  1  1",
        "2   ·  ·  ·  ·",
        "",
        "1. the 1 at r1c1 has 1 mine; the 1 at r1c0 puts it in r0c0 and r0c1; so none is left: r0c2 is safe",
        "2. the 1 at r1c3 needs 1 mine in r0c3: r0c3 is a mine",
        "3. the 1 at r1c2 already has all its mines: r0c1 is safe",
        "4. the 1 at r1c0 needs 1 mine in r0c0: r0c0 is a mine",
        "normal: the hardest step takes two numbers",
        "3×4, 2 mines, 4 cells hidden",
    ]
    answer = cli.json("explain", "????/1111/0000 2", "--all", "--json")
    assert (answer["difficulty"], answer["technique"], answer["clues"]) == ("normal", 2, 2)
    assert [step["safe"] for step in answer["steps"]] == [[[0, 2]], [], [[0, 1]], []]


def test_a_board_on_which_nothing_is_forced_or_that_is_impossible(cli: Cli) -> None:
    assert cli("explain", "??/?? 2", "--all") == 0
    assert cli.out.splitlines()[-2] == "nothing can be proven: a guess is needed"
    assert cli("explain", "1?/0? 1", "--all") == 2
    assert cli.err.startswith("msat: these clues cannot all be true")
    assert cli("explain", "??/11 1", "--all", "--cell", "0,0") == 2


@pytest.mark.skipif(not JIT, reason="takes many layouts")
@pytest.mark.parametrize("name", NAMES)
def test_layouts_of_a_difficulty(cli: Cli, name: str) -> None:
    wanted = ("--no-guess", "--difficulty", name)
    assert cli("generate", "--size", "8x8x10", "--seed", "3", "--start", "3,3", *wanted) == 0
    assert msat.difficulty(msat.Layout.parse(cli.out)).name == name


def test_a_difficulty_that_there_is_not(cli: Cli) -> None:
    assert cli("generate", "--seed", "3", "--no-guess", "--difficulty", "easy") == 2
    assert cli.err == (
        "msat: unknown difficulty 'easy': choose one of gentle, normal, tricky, hard, fiendish\n"
    )
    assert cli("generate", "--seed", "3", "--rng", "kiss", "--difficulty", "hard") == 2


def test_a_game_watched_with_its_review(cli: Cli, tmp_path: Path) -> None:
    game = msat.Game(msat.Layout.parse(".*..\n.*.*"))
    for cell in [(1, 2), (0, 2)]:
        game.open(cell)
    game.mark((0, 1))
    game.open((1, 0))
    file = tmp_path / "game.json"
    game.record.save(file)
    assert cli("watch", str(file), "--review") == 0
    told = re.findall(r"^\d+\. (.*)$", cli.out, re.MULTILINE)
    assert told == [
        "open r1c2; kept 1.00 of a chance to win of 21.4%",
        "open r0c2; a mistake: kept 0.50 of a chance to win of 40.0%; "
        "a needless risk of 60.0%: r0c0 was proven safe, by the 3 at r1c2 and the mine total",
        "open r1c0; mark 1 mine; kept 1.00 of a chance to win of 50.0%",
    ]


def test_results_are_plain_values_as_the_command_line_prints_them(cli: Cli) -> None:
    text = "??1/3?2/??? 3"
    board = msat.Board.parse(text)
    printed = cli.json("solve", text, "--json")
    assert {key: printed[key] for key in msat.analyze(board).to_object()} == msat.analyze(board).to_object()
    printed = cli.json("explain", text, "--cell", "2,2", "--json")
    assert printed == msat.explain(board, (2, 2)).to_object() | {"marks": []}
    printed = cli.json("hint", text, "--json")
    assert printed == msat.best_move(board).to_object() | {"marks": []}
    found = msat.win_probability(msat.Board.parse("1?/?? 1"), every_move=True).to_object()
    assert (found["win_exact"], found["wins"], found["solutions"], found["cell"]) == ("1/3", "1", "3", [0, 1])
    assert [each["cell"] for each in found["chances"]] == [[0, 1], [1, 0], [1, 1]]
    assert cli("explain", "1?/0? 1", "--json") == 2
    contradiction = msat.explain_contradiction(msat.Board.parse("1?/0? 1"))
    assert json.loads(cli.out) == contradiction.to_object()


def test_a_game_of_a_result_folder_is_reviewed(cli: Cli, tmp_path: Path) -> None:
    run = tmp_path / "run"
    wanted = ("--size", "3x4x3", "--games", "3", "--start", "0,0", "--first", "safe", "--strategy", "safest")
    assert cli("sim", *wanted, "--out", str(run)) == 0
    found = cli.json("review", str(run), "--game", "1", "--json")
    assert found["moves"][0]["cell"] == [0, 0]
    assert cli("review", str(run)) == 2
    assert "say which by --game N" in cli.err
