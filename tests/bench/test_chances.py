"""Chances instead of games: they have the same average, and two runs are compared board by board."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from bench.chances import main
from msat.arena.boards import pcg_numbers, protected_cells
from msat.strategies.best.player import Best

BOARDS = ["--preset", "beginner", "--first", "safe", "--start", "0,0", "--seed", "5"]
GAMES = 600


def run(*arguments: str) -> None:
    main([*BOARDS, *arguments])


def test_chances_are_those_of_games(tmp_path: Path) -> None:
    """Within four standard errors of what is won on the very same boards."""
    run("--games", str(GAMES), "--out", str(tmp_path / "run.npz"))
    chances = np.load(tmp_path / "run.npz")["chances"]
    player = Best(samples=0)
    boards = pcg_numbers(10, 5, 0, GAMES, protected_cells(9, 9, (0, 0), "safe"))
    won = np.array([player.play_numbers(numbers, 10, (0, 0), 0).won for numbers in boards], float)
    assert chances.size == GAMES
    assert chances.std() < won.std()
    difference = won - chances
    assert abs(difference.mean()) < 4 * difference.std() / sqrt(GAMES)


def test_runs_are_compared_board_by_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.npz"
    run("--games", "300", "--closed", "--out", str(file))
    kept = dict(np.load(file))
    assert 0 < np.isnan(kept["chances"]).sum() < 300
    run("--games", "250", "--closed", "--workers", "2", "--against", str(file))
    assert "+0.000 ± 0.000 points, 0.0% differ" in capsys.readouterr().out
    np.savez(file, chances=kept["chances"] - 0.01, settings=kept["settings"])
    run("--games", "300", "--closed", "--against", str(file))
    assert "+1.000 ± 0.000 points, 100.0% differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--start", "0"], "'0' is no cell: write row,column"),
        (["--start", "9,0"], "--start 9,0 is not on a 9×9 board"),
        (["--games", "0"], "must be 1 or more"),
        (["--seed", "-1"], "--seed -1 is out of range"),
        (["--closed", "--first", "open"], "say --first safe"),
        (["--out", "nowhere/run.npz"], "there is no folder nowhere"),
        (["--against", "nothing.npz"], "--against nothing.npz: there is no run"),
        (["--against", __file__], "there is no run of bench.chances in it"),
        (["--games", "1", "--closed", "--seed", "1"], "ask for more --games"),
    ],
)
def test_what_is_wrong_is_told(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_only_the_same_boards_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.npz"
    run("--games", "20", "--out", str(file))
    for arguments, message in (
        (["--games", "21"], "20 games, 21 are asked for"),
        (["--games", "20", "--closed"], "was played on other boards"),
        (["--games", "20", "--seed", "6"], '"seed": 5'),
    ):
        with pytest.raises(SystemExit):
            run(*arguments, "--against", str(file))
        assert message in capsys.readouterr().err
