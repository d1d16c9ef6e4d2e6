"""`flood=False`: every action opens what it names, and nothing by itself."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import msat
from msat.gym import Minesweeper, MinesweeperVector

pytestmark = pytest.mark.kernel


def test_a_zero_opens_its_own_cell_alone() -> None:
    env = Minesweeper(5, 6, 3, flood=False)
    env.reset(seed=3)
    board, earned, ended, _, info = env.step(14)
    assert (board[2, 2], earned, ended) == (0, 0.0, False)  # `first` still keeps its neighbours free of mines
    assert (board >= 0).sum() == 1
    assert info["action_mask"].tolist() == [cell != 14 for cell in range(30)]
    flooding = Minesweeper(5, 6, 3)
    flooding.reset(seed=3)
    assert flooding.step(14)[0][1:4, 1:4].min() >= 0
    assert flooding.layout == env.layout


def test_a_game_is_won_cell_by_cell() -> None:
    env = Minesweeper(5, 6, 3, flood=False, start=(2, 2), reward={"cell": 1, "win": 100})
    board, _ = env.reset(seed=3)
    assert (board >= 0).sum() == 1
    assert env.layout is not None
    safe = [cell for cell in range(30) if not env.layout.mask[cell] and cell != 14]
    steps = [env.step(cell)[1:3] for cell in safe]
    assert steps == [(1.0, False)] * 25 + [(101.0, True)]


def test_a_chord_on_a_zero_opens_what_is_around_it() -> None:
    env = Minesweeper(5, 6, 3, flood=False, start=(2, 2), actions=("open", "mark", "chord"))
    _, info = env.reset(seed=3)
    assert np.flatnonzero(info["action_mask"][60:]).tolist() == [14]
    board, _, _, _, _ = env.step(60 + 14)
    assert np.argwhere(board >= 0).tolist() == [[r, c] for r in (1, 2, 3) for c in (1, 2, 3)]


def test_labels_and_several_games() -> None:
    envs = MinesweeperVector(3, 5, 6, 3, flood=False, labels="info")
    envs.reset(seed=3)
    boards, _, _, _, infos = envs.step(np.array([14, 14, 14]))
    assert (boards >= 0).sum() == 3
    assert np.array_equal(infos["probability"], np.nan_to_num(msat.probabilities(boards, 3)))
    check_env(gymnasium.make("msat/Minesweeper-v0", flood=False).unwrapped)


def test_yes_or_no() -> None:
    for make in (Minesweeper, MinesweeperVector):
        with pytest.raises(msat.WrongType, match=r"^flood=array"):
            make(flood=np.zeros(2))  # type: ignore[arg-type]
