"""`labelled_positions`: positions of careful play with the probabilities that `msat.probabilities` finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import msat
from msat.gym import labelled_positions
from msat.gym import labels as labels_module
from msat.gym._kernels import games
from tests.conftest import scaled

pytestmark = pytest.mark.kernel


def all_of(count: int, **arguments: Any) -> tuple[Any, Any, Any]:
    """All portions in one."""
    parts = list(labelled_positions(count, **arguments))
    boards, probability, numbers = (np.concatenate(each) for each in zip(*parts, strict=True))
    assert len(boards) == len(probability) == len(numbers) == count
    return boards, probability, numbers


@pytest.mark.parametrize("arguments", [{}, {"start": (3, 3)}, {"first": "any"}, {"first": "safe"}])
def test_labels_are_exact_and_positions_those_of_games(arguments: dict[str, Any]) -> None:
    boards, probability, numbers = all_of(
        max(60, scaled(300)), height=6, width=7, mines=9, seed=6, portion=70, **arguments
    )
    assert np.array_equal(msat.probabilities(boards, 9), probability, equal_nan=True)
    assert numbers[0] >= 0
    assert (np.diff(numbers) >= 0).all()
    guesses = 0
    for board, chances, game, after, same in zip(
        boards[:-1], probability[:-1], numbers[:-1], boards[1:], numbers[1:] == numbers[:-1], strict=True
    ):
        assert (board == -1).sum() > 9
        assert (board != -2).all()
        if same:
            opened = (board == -1) & (after != -1)
            least = np.nanmin(chances)
            assert opened.any()
            assert np.nanmin(chances[opened]) <= least + 1e-9
            guesses += least > 0
        if "start" in arguments:
            layout = msat.Layout.random(6, 7, 9, seed=(6 << 32) + int(game), start=(3, 3))
            assert (layout.numbers()[board >= 0] == board[board >= 0]).all()
    assert guesses


def test_positions_depend_on_the_seed_alone() -> None:
    small: dict[str, Any] = {"height": 4, "width": 5, "mines": 4}
    one = all_of(30, seed=1, portion=7, **small)
    for portion in (1, 30, 1000):
        for found, expected in zip(all_of(30, seed=1, portion=portion, **small), one, strict=True):
            assert np.array_equal(found, expected, equal_nan=True)
    assert not np.array_equal(all_of(30, seed=2, **small)[0], one[0])


def test_what_the_fast_path_leaves_open_is_answered_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel stops at such a position. Here it is made to: by a total that does not fit, now and then."""
    small: dict[str, Any] = {"height": 6, "width": 6, "mines": 6, "seed": 3}
    expected = all_of(40, **small)
    kernel: Any = vars(labels_module)["label_positions"]
    stops = []

    def stopping(settings: Any, state: Any, *arguments: Any) -> int:
        *arrays, first, labelled, boards = arguments[:6]
        rest = arguments[6:]
        until = min(first + 3, len(boards))
        done = kernel(settings, state, *arrays, first, labelled, boards[:until], *rest)
        if done == len(boards):
            return int(done)
        if state[games.PHASE] != games.PLAYING:
            return stopping(settings, state, *arrays, done, False, boards, *rest)
        wrong = settings.copy()
        wrong[games.MINES] = 36
        stops.append(done)
        assert kernel(wrong, state, *arrays, done, False, boards, *rest) == done
        return int(done)

    monkeypatch.setattr(labels_module, "label_positions", stopping)
    for found, exact in zip(all_of(40, **small), expected, strict=True):
        assert np.array_equal(found, exact, equal_nan=True)
    assert stops


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "count=0: expected a whole number from 1 to"),
        ({"seed": -1}, "seed=-1: expected a whole number from 0 to 2^32 − 1"),
        ({"portion": 0}, "portion=0: expected a whole number from 1 to"),
        ({"mines": 480}, "480 mines leave nothing to play"),
    ],
)
def test_what_makes_no_positions_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(msat.MsatError) as caught:
        labelled_positions(**{"count": 1, "seed": 1, **arguments})
    assert message in str(caught.value)
