"""How fast learners are served: `python -m bench.gym`.

Expert games with random legal actions, drawn evenly, resets included: one environment by `gymnasium.make`;
many stepped together, with observations copied and not; and positions with exact probabilities. Figures are
per second of processor time, the best of several rounds: what one core does, also if others use it meanwhile.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from time import process_time

import gymnasium
import numpy as np

import msat
import msat.gym
from msat._jit import hurry
from msat.board import PRESETS

HEIGHT, WIDTH, MINES = PRESETS["expert"]


def single(steps: int) -> int:
    """Play in one environment; a legal action is found by drawing until one is."""
    env = gymnasium.make("msat/Minesweeper-v0", height=HEIGHT, width=WIDTH, mines=MINES)
    drawn = iter(np.random.default_rng(1).integers(HEIGHT * WIDTH, size=8 * steps).tolist())
    mask = env.reset(seed=1)[1]["action_mask"]
    for _ in range(steps):
        action = next(action for action in drawn if mask[action])
        _, _, ended, _, info = env.step(action)
        mask = env.reset()[1]["action_mask"] if ended else info["action_mask"]
    return steps


def together(steps: int, count: int, copy: bool) -> int:
    """Play in many, each step beginning the games anew that it ended."""
    envs = msat.gym.MinesweeperVector(count, HEIGHT, WIDTH, MINES, autoreset="same_step", copy=copy)
    envs.reset(seed=1)
    for _ in range(steps // count):
        envs.step(envs.sample_legal())
    return steps // count * count


def labelled(count: int) -> int:
    """Positions with labels."""
    return sum(len(part.boards) for part in msat.gym.labelled_positions(count, seed=1))


def layouts(count: int) -> int:
    """`Layout.random` alone."""
    for seed in range(count):
        msat.Layout.random(HEIGHT, WIDTH, MINES, seed=seed, start=(3, 3))
    return count


def games(count: int) -> int:
    """`Game`, of which the first cell is opened."""
    made = [msat.Layout.random(HEIGHT, WIDTH, MINES, seed=seed, start=(3, 3)) for seed in range(count)]
    began = process_time()
    for layout in made:
        msat.Game(layout).open((3, 3))
    return round(count / (process_time() - began))


def milliseconds(way: str, count: int = 60) -> float:
    """What a game of `best` takes, by `msat.play` or as the arena plays it."""
    made = [msat.Layout.random(HEIGHT, WIDTH, MINES, seed=seed, start=(3, 3)) for seed in range(count)]
    player = msat.strategies.get("best")
    began = process_time()
    for layout in made:
        if way == "play":
            msat.play(layout, "best")
        else:
            player.play_numbers(layout.numbers(), MINES, (3, 3), 0)
    return 1000 * (process_time() - began) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--steps", type=int, default=500_000, help="steps of a round (default: 500,000)")
    parser.add_argument("--labels", type=int, default=200_000, help="labelled positions (default: 200,000)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default: 3)")
    asked = parser.parse_args()
    ways: dict[str, Callable[[], int]] = {
        "steps of one environment": lambda: single(asked.steps // 10),
        "steps of 64 together": lambda: together(asked.steps, 64, copy=True),
        "steps of 1024 together": lambda: together(asked.steps, 1024, copy=True),
        "the same, nothing copied": lambda: together(asked.steps, 1024, copy=False),
        "labelled positions": lambda: labelled(asked.labels),
        "layouts by Layout.random": lambda: layouts(2000),
    }
    hurry()
    single(1), together(64, 64, copy=True), labelled(1)  # loads what is compiled
    print(f"expert, per second of processor time, best of {asked.rounds}; load {os.getloadavg()[0]:.1f}\n")
    for way, run in ways.items():
        rates = []
        for _ in range(asked.rounds):
            began = process_time()
            rates.append(run() / (process_time() - began))
        print(f"{way:28} {max(rates):12,.0f}")
    print(f"{'games, first cell opened':28} {max(games(1000) for _ in range(asked.rounds)):12,.0f}")
    both = [(milliseconds("play"), milliseconds("sim")) for _ in range(asked.rounds)]
    played, compiled = map(min, zip(*both, strict=True))
    times = f"{played / compiled:.2f} times"
    print(
        f"\na game of best: {played:.2f} ms by msat.play, with its record, {times} {compiled:.2f} as sim does"
    )


if __name__ == "__main__":
    main()
