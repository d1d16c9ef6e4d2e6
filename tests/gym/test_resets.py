"""When games of a vector environment begin anew: in all ways that Gymnasium's own has."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence as equal
from gymnasium.vector import AutoresetMode

import msat
from msat.gym import MinesweeperVector


@pytest.mark.parametrize("labels", [None, "observation"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_resets_as_gymnasiums_own(mode: AutoresetMode, labels: str | None) -> None:
    arguments: dict[str, Any] = {"height": 4, "width": 5, "mines": 4, "labels": labels}
    ours: Any = MinesweeperVector(6, autoreset=mode, **arguments)
    name = "msat/Minesweeper-v0"
    theirs: Any = gymnasium.make_vec(
        name, 6, "sync", vector_kwargs={"autoreset_mode": mode}, disable_env_checker=True, **arguments
    )
    assert ours.metadata["autoreset_mode"] == mode
    assert equal(ours.reset(seed=5)[0], theirs.reset(seed=5)[0])
    ends = 0
    for _ in range(40):
        actions = ours.sample_legal().copy()
        seen, *more, infos = ours.step(actions)
        expected, *others, told = theirs.step(actions)
        assert equal(seen, expected)
        for one, other in zip(more, others, strict=True):
            assert np.array_equal(one, other)
        ended = more[1]
        ends += ended.sum()
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert np.array_equal(infos["_final_obs"], told["_final_obs"])
            for i in np.flatnonzero(ended):
                assert equal(infos["final_obs"][i], told["final_obs"][i])
        elif mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(msat.GameError, match=r"has ended: begin it by reset"):
                ours.step(actions)
            seeds = [None, 3, None, 4, 5, 6]
            again = [
                envs.reset(seed=seeds, options={"reset_mask": ended.copy()})[0] for envs in (ours, theirs)
            ]
            assert equal(*again)
    assert ends > 6


def test_only_some_games_begin_anew() -> None:
    envs: Any = MinesweeperVector(3, 5, 5, 4)
    envs.reset(seed=7)
    envs.step(np.array([12, 12, 12]))
    before = envs.reset(options={"reset_mask": np.zeros(3, np.bool_)})
    boards, infos = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(boards[[0, 2]], before[0][[0, 2]])
    assert (boards[1] == msat.HIDDEN).all()
    assert infos["seed"].tolist() == [7 << 32, (8 << 32) + 1, 9 << 32]
    for bad in ([True, False, False], np.ones(2, np.bool_), np.ones(3)):
        with pytest.raises(msat.MsatError, match="expected an array of 3 bool"):
            envs.reset(options={"reset_mask": bad})
