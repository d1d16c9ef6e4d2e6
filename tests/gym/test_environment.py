"""`msat.gym`: the games of `msat.Game` on the layouts of `Layout.random`, by Gymnasium's rules."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import msat
from msat.gym import Minesweeper, MinesweeperVector, Reward
from msat.gym.pictures import EXPLODED, SIDE, picture
from tests.conftest import scaled
from tests.support.installing import by_pip

pytestmark = pytest.mark.kernel

ALL = ("open", "mark", "chord")


def apply(game: msat.Game, action: int) -> None:
    """An action of `ALL`, as a move of a game."""
    kind, cell = divmod(action, game.board.height * game.board.width)
    at = divmod(cell, game.board.width)
    if ALL[kind] == "open":
        game.open(at)
    elif ALL[kind] == "chord":
        game.chord(at)
    elif game.board[at] == msat.MINE:
        game.unmark(at)
    else:
        game.mark(at)


def is_legal(game: msat.Game, action: int) -> bool:
    """Whether an action would change something."""
    moves = len(game.moves)
    try:
        apply(game, action)
    except msat.GameError:
        return False
    legal = len(game.moves) > moves
    if legal:
        game.undo()
    return legal


@pytest.mark.parametrize("first", ["open", "safe", "any"])
@pytest.mark.parametrize("start", [None, (1, 2)])
def test_games_are_those_of_game(first: str, start: tuple[int, int] | None) -> None:
    if start and first == "any":
        return  # refused, see below
    h, w, mines = 5, 6, 5
    reward = Reward(win=10, loss=-5, cell=0.25, useless=-0.5)
    env = Minesweeper(h, w, mines, start=start, first=first, actions=ALL, reward=reward)
    rng = np.random.default_rng(1)
    board, info = env.reset(seed=3)
    ends = set()
    for number in range(max(24, scaled(60))):
        # Until a cell is opened, where the mines are is open: what was marked before is repeated.
        game: msat.Game | None = None
        marked: list[int] = []
        if start:
            layout = msat.Layout.random(h, w, mines, seed=info["seed"], start=start, first=first)
            game = msat.Game(layout)
            game.open(start)
        else:
            assert env.layout is None
        while True:
            legal = np.flatnonzero(info["action_mask"])
            opening = legal[legal < h * w]
            chords = legal[legal >= 2 * h * w]
            action = int(rng.choice(chords if len(chords) else opening if rng.random() < 0.5 else legal))
            if game is not None and action < h * w and number % 3:  # a game that may well be won
                action = next((int(cell) for cell in opening if not game.layout.mask[cell]), action)
            if game is None and action < h * w:
                first_click = divmod(action, w)
                layout = msat.Layout.random(h, w, mines, seed=info["seed"], start=first_click, first=first)
                game = msat.Game(layout)
                for each in marked:
                    apply(game, each)
            before = board.copy()
            board, earned, terminated, truncated, info = env.step(action)
            assert not truncated
            if game is None:
                marked.append(action)
                continue
            apply(game, action)
            assert env.layout is not None
            assert env.layout.mask == game.layout.mask
            assert board.tolist() == game.board.to_array().tolist()
            assert terminated == (game.state != "playing")
            revealed = int((board >= 0).sum() - (before >= 0).sum())
            assert earned == {"won": 10, "lost": -5, "playing": 0}[game.state] + 0.25 * revealed
            if terminated:
                ends.add(game.state)
                break
            mask = info["action_mask"]
            assert [bool(legal) for legal in mask] == [is_legal(game, each) for each in range(3 * h * w)]
            useless = int(rng.integers(3 * h * w))
            if not mask[useless]:
                board, earned, terminated, _, info = env.step(useless)
                assert (earned, terminated) == (-0.5, False)
                assert board.tolist() == game.board.to_array().tolist()
        if number % 2:
            board, info = env.reset()
        else:
            seed = int(rng.integers(1 << 32))
            board, info = env.reset(seed=seed)
            assert info["seed"] >> 32 == seed
    assert ends == {"won", "lost"}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"height": 4, "width": 7, "mines": 6, "start": (3, 3)},
        {"actions": ALL, "reward": {"cell": 0.1}},
        {"labels": "info", "first": "any"},
        {"labels": "observation", "actions": ("open", "mark"), "render_mode": "ansi"},
    ],
)
def test_gymnasium_finds_nothing_wrong(arguments: dict[str, Any]) -> None:
    env = gymnasium.make("msat/Minesweeper-v0", **arguments)
    check_env(env.unwrapped)
    board, info = env.reset(seed=1)
    assert env.observation_space.contains(board)
    for _ in range(30):
        action = env.action_space.sample(info["action_mask"])
        board, _, ended, _, info = env.step(action)
        assert env.observation_space.contains(board)
        if ended:
            _, info = env.reset()


def test_the_arrays_are_the_environments_own_unless_copied() -> None:
    env = Minesweeper(copy=False)
    first, info = env.reset(seed=1)
    second, _, _, _, later = env.step(40)
    assert first is second
    assert first.dtype == np.int8
    assert info["action_mask"] is later["action_mask"]
    copied = Minesweeper()
    first, _ = copied.reset(seed=1)
    second, _, _, _, _ = copied.step(40)
    assert not np.shares_memory(first, second)
    assert (first == -1).all()


def test_a_run_is_that_of_the_arena() -> None:
    env = Minesweeper(9, 9, 10, start=(3, 3))
    plan = msat.arena.Plan("logic", 9, 9, 10, seed=5, games=4)
    seeds = [env.reset(seed=5)[1]["seed"]] + [env.reset()[1]["seed"] for _ in range(3)]
    assert seeds == [5 * 2**32 + i for i in range(4)]
    assert env.layout == plan.layout(3)


def test_without_a_seed_games_differ() -> None:
    seeds = {Minesweeper().reset()[1]["seed"] for _ in range(5)}
    assert len(seeds) == 5


def test_games_that_the_start_wins_are_passed_over() -> None:
    """On a row of five the start opens three; the mine is in one of the two others, and one is left."""
    env = Minesweeper(1, 5, 1, start=(0, 1))
    _, info = env.reset(seed=1)
    for _ in range(20):
        board = env.board.to_array()
        assert (board == -1).sum() > 1
        assert env.layout is not None
        assert env.layout == msat.Layout.random(1, 5, 1, seed=info["seed"], start=(0, 1))
        _, info = env.reset()


def test_labels_are_the_exact_probabilities_whatever_is_marked() -> None:
    for labels in ("info", "observation"):
        env = Minesweeper(6, 7, 8, actions=ALL, labels=labels)
        env.reset(seed=2)
        for action in (24, 42 + 0, 42 + 41):
            seen, _, _, _, info = env.step(action)
            found = info["probability"] if labels == "info" else seen["probability"]
        board = env.board
        expected = msat.probabilities(board.without_marks().to_array(), 8)
        assert np.array_equal(found, np.nan_to_num(expected, nan=0.0))
        assert board.marked


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_a_vector_plays_the_games_of_single_environments(autoreset: str) -> None:
    count, steps = 5, 40
    arguments: dict[str, Any] = {"height": 5, "width": 4, "mines": 3, "actions": ALL, "reward": {"cell": 0.5}}
    envs = gymnasium.make_vec(
        "msat/Minesweeper-v0",
        count,
        vectorization_mode="vector_entry_point",
        autoreset=autoreset,
        labels="info",
        **arguments,
    )
    assert envs.metadata["autoreset_mode"] == AutoresetMode[autoreset.upper()]
    boards, infos = envs.reset(seed=11)
    alone = [Minesweeper(labels="info", **arguments) for _ in range(count)]
    begun = [env.reset(seed=11 + i) for i, env in enumerate(alone)]
    assert [board.tolist() for board, _ in begun] == boards.tolist()
    over = [False] * count
    ends = 0
    for _ in range(steps):
        actions = envs.unwrapped.sample_legal().copy()  # type: ignore[attr-defined]
        assert infos["action_mask"][np.arange(count), actions].all()
        boards, rewards, ended, truncated, infos = envs.step(actions)
        assert not truncated.any()
        assert envs.observation_space.contains(boards)
        for i, env in enumerate(alone):
            if autoreset == "next_step" and over[i]:
                board, info = env.reset()
                assert (rewards[i], ended[i]) == (0, False)
                over[i] = False
            else:
                board, reward, over[i], _, info = env.step(int(actions[i]))
                assert (rewards[i], ended[i]) == (reward, over[i])
                if autoreset == "same_step" and over[i]:
                    assert infos["final_obs"][i].tolist() == board.tolist()
                    assert infos["_final_obs"][i]
                    board, info = env.reset()
            ends += over[i]
            assert boards[i].tolist() == board.tolist()
            assert infos["seed"][i] == info["seed"]
            assert infos["action_mask"][i].tolist() == info["action_mask"].tolist()
            assert np.array_equal(infos["probability"][i], info["probability"])
    assert ends > 3


def test_seeds_of_a_vector() -> None:
    envs = MinesweeperVector(3)
    seeds = [envs.reset(seed=seed)[1]["seed"] >> np.uint64(32) for seed in (7, [9, 8, 7])]
    assert [each.tolist() for each in seeds] == [[7, 8, 9], [9, 8, 7]]
    assert envs.reset()[1]["seed"].tolist() == [(seed << 32) + 1 for seed in (9, 8, 7)]
    first = [envs.reset(seed=4)[0].tolist()] + [envs.step(envs.sample_legal())[0].tolist() for _ in range(5)]
    again = [envs.reset(seed=4)[0].tolist()] + [envs.step(envs.sample_legal())[0].tolist() for _ in range(5)]
    assert first == again


def test_legal_actions_are_drawn_evenly_and_found_where_they_are_few() -> None:
    envs = MinesweeperVector(2, 1, 8, 1, first="any", copy=False)
    _, infos = envs.reset(seed=1)
    drawn = [action for _ in range(400) for action in envs.sample_legal().tolist()]
    assert all(60 < drawn.count(action) < 140 for action in range(8))
    infos["action_mask"][0] = 0
    infos["action_mask"][1] = [0, 0, 0, 0, 0, 0, 1, 0]
    assert {tuple(envs.sample_legal().tolist()) for _ in range(30)} == {(0, 6)}
    wide = MinesweeperVector(1, 40, 40, 10, copy=False)
    _, infos = wide.reset(seed=1)
    infos["action_mask"][:] = 0
    infos["action_mask"][0, [5, 1599]] = 1
    assert {int(wide.sample_legal()[0]) for _ in range(30)} == {5, 1599}


def test_boards_are_rendered_as_text() -> None:
    env = gymnasium.make("msat/Minesweeper-v0", height=1, width=3, mines=1, first="any", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "? ? ?\nmines: 1"
    envs = MinesweeperVector(2, 1, 3, 1, first="any", render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == ("? ? ?\nmines: 1",) * 2
    assert Minesweeper().render() is None


def tiles(image: Any) -> list[list[bytes]]:
    """The pixels of every cell of a picture."""
    rows, columns = (range(0, length, SIDE) for length in image.shape[:2])
    return [[image[r : r + SIDE, c : c + SIDE].tobytes() for c in columns] for r in rows]


def test_boards_are_rendered_as_pictures() -> None:
    every = tiles(picture(np.arange(-2, EXPLODED + 1, dtype=np.int8).reshape(2, -1)))
    assert len({tile for row in every for tile in row}) == 12  # each looks different
    env = gymnasium.make(
        "msat/Minesweeper-v0", height=4, width=5, mines=3, first="safe", render_mode="rgb_array"
    )
    env.reset(seed=3)
    board, *_ = env.step(0)
    image: Any = env.render()
    assert (image.shape, image.dtype) == ((4 * SIDE, 5 * SIDE, 3), np.uint8)
    assert tiles(image) == tiles(picture(board))  # no mine is seen while the game is on
    layout = env.unwrapped.layout  # type: ignore[attr-defined]
    *_, mine = sorted(layout.cells)
    board, _, lost, _, _ = env.step(mine[0] * 5 + mine[1])
    assert lost
    for cell in layout.cells:
        board[cell] = EXPLODED
    assert tiles(env.render()) == tiles(picture(board))
    envs = MinesweeperVector(2, 4, 5, 3, render_mode="rgb_array")
    boards, _ = envs.reset(seed=1)
    assert [tiles(seen) for seen in envs.render() or ()] == [tiles(picture(board)) for board in boards]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"height": 0}, "no board is 0×9"),
    ({"mines": "many"}, "mines='many' is not a whole number"),
    ({"mines": 0}, "0 mines leave nothing to play on a 9×9 board with first='open': give 1 to 72"),
    ({"mines": 73}, "73 mines leave nothing to play on a 9×9 board with first='open': give 1 to 72"),
    ({"mines": 80, "first": "safe", "start": (0, 0)}, "give 1 to 79"),
    ({"start": (9, 0)}, "(9, 0) is not on the 9×9 board"),
    ({"start": (0, 0), "first": "any"}, "would lose games before they begin"),
    ({"first": "lucky"}, "unknown first-click rule 'lucky'"),
    ({"actions": ("open", "flag")}, "unknown action 'flag'"),
    ({"actions": ("mark", "open")}, "expected 'open' first, and each once"),
    ({"actions": ("open", "open")}, "expected 'open' first, and each once"),
    ({"actions": ("open", "chord")}, "chords need marks"),
    ({"actions": 7}, "actions=7: expected some of open, mark, chord"),
    ({"reward": {"gain": 1}}, "unknown part of a reward 'gain': choose one of win, loss, cell, useless"),
    ({"reward": {"win": "1"}}, "reward: win is '1': expected a number"),
    ({"reward": {"win": float("nan")}}, "reward: win is nan: expected a number"),
    ({"reward": 3}, "reward=3: expected a Reward or a mapping"),
    ({"labels": "both"}, "unknown kind of labels 'both'"),
    ({"render_mode": "human"}, "unknown render mode 'human'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[str(wrong) for wrong, _ in WRONG])
@pytest.mark.parametrize("make", [Minesweeper, MinesweeperVector])
def test_what_cannot_be_played_is_refused(make: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(msat.MsatError) as caught:
        make(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Minesweeper().step(0), "no game has begun"),
        (lambda: MinesweeperVector(2).step([0, 0]), "no game has begun"),
        (lambda: Minesweeper().reset(seed=-1), "seed=-1: expected a whole number from 0 to 2^32 − 1"),
        (lambda: Minesweeper().reset(seed=1 << 32), "seed=4294967296: expected"),
        (lambda: MinesweeperVector(2).reset(seed=(1 << 32) - 1), "seed=4294967296: expected"),
        (lambda: MinesweeperVector(2).reset(seed=[1]), "1 seeds are not those of 2 games"),
        (lambda: MinesweeperVector(0), "num_envs=0: expected a whole number from 1 to"),
        (lambda: MinesweeperVector(1 << 30), "num_envs=1073741824: expected"),
        (lambda: MinesweeperVector(np.zeros(2, np.int64)), "num_envs=array([0, 0]): expected"),  # type: ignore[arg-type]
        (lambda: Minesweeper().reset(seed=np.zeros(2, np.int64)), "seed=array([0, 0]): expected"),  # type: ignore[arg-type]
        (lambda: MinesweeperVector(2, autoreset="never"), "unknown way to reset 'never'"),
        (lambda: MinesweeperVector(2, threads=0), "threads=0: expected"),
    ],
)
def test_what_cannot_be_done_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(msat.MsatError) as caught:
        call()
    assert message in str(caught.value)


def test_a_game_that_is_over_is_not_played_on() -> None:
    env = Minesweeper(1, 3, 1, first="safe")
    env.reset(seed=1)
    while not env.step(int(np.flatnonzero(env.board.to_array().ravel() < 0)[0]))[2]:
        pass
    with pytest.raises(msat.GameError, match=r"^the game is over: call reset\(\) first$"):
        env.step(0)
    env.reset()
    assert not (env.board.to_array() >= 0).any()


@pytest.mark.parametrize("action", [-1, 81, 1 << 70, "1", None, 1.5, np.zeros(2, np.int64), int])
def test_an_action_is_a_number_of_a_cell(action: Any) -> None:
    env, envs = Minesweeper(), MinesweeperVector(2)
    env.reset(seed=1)
    envs.reset(seed=1)
    with pytest.raises(msat.ParameterError, match=r"expected (a whole number from )?0 to 80"):
        env.step(action)
    with pytest.raises(msat.ParameterError, match=r"expected (2 whole numbers from )?0 to 80"):
        envs.step([0, action])
    with pytest.raises(msat.ParameterError, match="expected 2 whole numbers"):
        envs.step([0])


def test_without_gymnasium_one_line_says_how_to_get_it() -> None:
    code = """
import sys
sys.modules["gymnasium"] = None
import msat
try:
    import msat.gym
except msat.MissingPackage as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("msat.gym needs the package gymnasium: ")
    assert re.search(by_pip("gymnasium", "gym"), done.stdout.rstrip())


def test_the_examples_of_the_guide_run() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "gym.md").read_text("utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", guide, flags=re.MULTILINE | re.DOTALL)
    assert len(examples) == 3
    for example in examples:
        smaller = example.replace("num_envs=1024", "num_envs=4").replace("5000", "20")
        exec(compile(smaller.replace("range(100)", "range(5)"), "docs/gym.md", "exec"), {})


def test_masks_as_booleans() -> None:
    env = Minesweeper(5, 6, 4, actions=("open", "mark"))
    _, info = env.reset(seed=1)
    info = env.step(0)[4]
    masks = env.action_masks()
    assert masks.dtype == bool
    assert masks.tolist() == (info["action_mask"] == 1).tolist()
    assert not masks[0]
