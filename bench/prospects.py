"""How the table of `msat/strategies/_kernels/prospect.py` is made: boards of games, and how these ended.

`best` plays games. Each board on which it evaluates a guess is measured, and its game played on from there to
a chance to win (`onward`). A logistic regression then tells how the chance depends on the measures. Printed
are the table, and how well it predicts boards of games that it was not fitted to.

    python -m bench.prospects                    # the table as it is: ten minutes on one core
    python -m bench.prospects --games 2000       # a quick look
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from msat.arena.boards import kiss_numbers, protected_cells
from msat.engines._kernels.answer import PROVEN_MINE
from msat.engines.passes import LAST_RULE
from msat.strategies._kernels import game as k
from msat.strategies._kernels.best import decide_best
from msat.strategies._kernels.exact import go_on_exact
from msat.strategies._kernels.guess import new_ranked
from msat.strategies._kernels.living import mark_dead
from msat.strategies._kernels.onward import MINED, TO_THE_END, onward
from msat.strategies._kernels.parts import take_apart
from msat.strategies._kernels.prospect import MEASURES, measure
from msat.strategies.best import Best

__all__ = ["main"]

Floats = NDArray[np.float64]

KINDS = (  # height, width, mines, start, how the start is protected, share of the games
    (16, 30, 99, (3, 3), "open", 0.5),
    (16, 30, 99, (0, 0), "safe", 0.25),
    (16, 16, 40, (0, 0), "safe", 0.2),
    (9, 9, 10, (0, 0), "safe", 0.05),
)
FIRST_SEED = 5001  # far from those that players are compared on
LIMITS = Best().limits


def boards(games: int) -> Iterator[tuple[int, Floats, float]]:
    """(game, measures, the chance to win that its layout gave) for every board with an evaluated guess."""
    for height, width, mines, start, protection, share in KINDS:
        protected = protected_cells(height, width, start, protection)
        probability = np.empty((height, width))
        area = height * width
        ranked, room = new_ranked(area), new_ranked(area)
        for game in range(round(games * share)):
            [numbers] = kiss_numbers(mines, FIRST_SEED + game // 100, game % 100, 1, protected)
            table = k.lay(np.array(numbers, np.int8, order="C"), mines, *start)
            while go_on_exact(table, mines, LAST_RULE, False, probability) == k.STOPPED:
                kind, cell, _, _ = decide_best(
                    table.board, mines, probability, table.verdict, *LIMITS, ranked
                )
                if kind == k.EVALUATED:
                    table.board[table.verdict == PROVEN_MINE] = k.MINE
                    _, parts = take_apart(table.board, mines, LIMITS.states)
                    dead = np.empty(area, np.int8)
                    mark_dead(parts.flat, height, width, dead)
                    measures = np.empty(len(MEASURES))
                    measure(parts, probability, dead, measures)
                    chance = onward(table.board, mines, cell, table.numbers, TO_THE_END, LIMITS, room)
                    yield game, measures, 0.0 if chance == MINED else chance
                if kind == k.STOP or not k.carry_out(table, kind, cell, 0.0):
                    break
            print(f"\r{height}×{width} {protection}: {game + 1:,} games", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)


def fit(measures: Floats, chances: Floats) -> Floats:
    """The weights of a logistic regression, by Newton's method."""
    weights = np.zeros(measures.shape[1])
    for _ in range(10):
        expected = predict(measures, weights)
        curvature = (measures * (expected * (1 - expected))[:, np.newaxis]).T @ measures
        weights += np.linalg.solve(curvature, measures.T @ (chances - expected))
    return weights


def predict(measures: Floats, weights: Floats) -> Floats:
    """The chances that the weights expect."""
    expected: Floats = 1 / (1 + np.exp(-(measures @ weights)))
    return expected


def main() -> None:
    """Play, fit, and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.prospects",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=160_000)
    options = parser.parse_args()
    found = list(boards(options.games))
    measures = np.array([row for _, row, _ in found])
    chances = np.array([chance for _, _, chance in found])
    held = np.array([game % 10 == 0 for game, _, _ in found])
    weights = fit(measures[~held], chances[~held])
    print(f"{chances.size:,} boards of {options.games:,} games\n")
    for name, weight in zip(MEASURES, weights, strict=True):
        print(f"{weight:8.4f}  {name}")
    expected = predict(measures[held], weights)
    spread = np.mean((chances[held] - chances[~held].mean()) ** 2)
    left = np.mean((chances[held] - expected) ** 2)
    print(f"\non boards not used: squared error {left:.4f}, with one chance for all {spread:.4f}")
    print("expected  came out  boards")
    for tenth in np.array_split(np.argsort(expected), 10):
        print(f"{expected[tenth].mean():8.3f}  {chances[held][tenth].mean():8.3f}  {tenth.size:6}")


if __name__ == "__main__":
    main()
