"""What time to think is worth, told with far less noise than by games won.

`endgames`: `best` plays games. Where it judges a guess though at most `--most` layouts are left, its move and
the one that it finds by thinking (`samples=`) are compared with perfect play: all chances to win are exact
(`win_probability`), so the differences are what judgement loses there, and thinking.

`guesses`: wherever thinking changes a guess, both moves are played on, each to the end of the
game, on layouts that neither has seen. The average difference is what thinking gains.

    python -m bench.thinking endgames --games 3000 --samples 1000
    python -m bench.thinking guesses --games 300 --samples 3000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import numpy as np

import msat
from msat.arena.boards import kiss_numbers, protected_cells
from msat.board import MINE, Board
from msat.constants import LAST_RULE
from msat.strategies._kernels import game as k
from msat.strategies._kernels.safest import go_on_exact
from msat.strategies.best.player import Best
from msat.strategies.best.playouts import Playouts
from msat.strategies.choice import Choice

__all__ = ["main"]

HEIGHT, WIDTH, MINES, START = 16, 30, 99, (3, 3)
JUDGING = 99  # a stream of layouts that no player looks at


def judged(first_seed: int, games: int, player: Best) -> Iterator[tuple[Board, Choice]]:
    """The guesses that a player evaluates in games on document 000's puzzles (docs/sources.md)."""
    protected = protected_cells(HEIGHT, WIDTH, START, "open")
    for number in range(games):
        [numbers] = kiss_numbers(MINES, first_seed + number // 100, number % 100, 1, protected)
        table = k.lay(np.array(numbers, np.int8, order="C"), MINES, *START)
        probability = np.empty(table.board.shape)
        while go_on_exact(table, MINES, LAST_RULE, False, probability) == k.STOPPED:
            board = Board.from_array(table.board, mines=MINES)
            choice = player.choose(board)
            if choice is None:
                break
            if choice.kind == "evaluated":
                yield board, choice
            r, c = choice.cells[0]
            if not k.carry_out(table, k.GUESS, r * WIDTH + c, choice.safety):
                break


def endgames(options: argparse.Namespace) -> None:
    """Print how much judgement and thinking lose against perfect play."""
    few, many = options.layouts, options.most
    thinker = Best(layouts=few, samples=min(options.samples, few))  # more would be searched exactly
    found = [
        (board, choice)
        for board, choice in judged(options.seed, options.games, Best(layouts=few, samples=0))
        if few < msat.analyze(board).solutions <= many
    ]
    print(f"{len(found)} guesses judged with {few} to {many} layouts left in {options.games} games")
    perfect = Fraction(0)
    losses: dict[str, list[Fraction]] = {"judged": [], "thought": []}
    for board, choice in found:
        try:
            best = msat.win_probability(board, every_move=True, most_solutions=many)
        except msat.BudgetExceeded:
            continue
        assert best.chances is not None
        perfect += best.probability
        thought = thinker.choose(board)
        assert thought is not None
        for name, move in (("judged", choice), ("thought", thought)):
            losses[name].append(best.probability - best.chances[move.cells[0]])
        _tell(f"{len(losses['judged'])} solved")
    print(file=sys.stderr)
    for name, lost in losses.items():
        if not lost:
            return
        if name == "judged":
            print(f"perfect play wins {float(perfect / len(lost)):.2%} of {len(lost)} positions")
        points = 100 * np.array(lost, float)
        error = points.std() / sqrt(points.size)
        none = lost.count(Fraction(0))
        print(f"the {name} move loses {points.mean():.2f} ± {error:.2f} points, none on {none} of them")


def guesses(options: argparse.Namespace) -> None:
    """Print what thinking about guesses gains."""
    thinker = Best(samples=options.samples)
    gains: list[float] = []
    changed = 0
    for board, choice in judged(options.seed, options.games, Best(samples=0)):
        gains.append(0.0)
        thought = thinker.choose(board)
        if thought is not None and thought.cells != choice.cells:
            changed += 1
            grid = board.replace(dict.fromkeys(choice.mines, MINE)).to_array()
            moves = [*choice.cells, *thought.cells]
            playouts = Playouts(grid, MINES, thinker.limits, JUDGING)
            quick, slow = playouts.estimate([WIDTH * r + c for r, c in moves], options.judge)
            gains[-1] = thought.safety * slow.chance - choice.safety * quick.chance
        _tell(f"{len(gains)} guesses, {changed} changed")
    print(file=sys.stderr)
    mean, error = np.mean(gains), np.std(gains) / sqrt(len(gains))
    print(f"{len(gains)} guesses in {options.games} games, {changed} of them changed")
    print(f"gained {100 * mean:+.3f} ± {100 * error:.3f} points a guess (one standard error)")


def _tell(progress: str) -> None:
    print(f"\r{progress}", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Measure one of the two."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.thinking",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=["endgames", "guesses"])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="of the first hundred games")
    parser.add_argument("--layouts", type=int, default=1000, help="endgames: the limit of the fast player")
    parser.add_argument("--most", type=int, default=4000, help="endgames: the limit of the slow one")
    parser.add_argument(
        "--samples", type=int, default=3000, help="the thinker's; endgames: at most --layouts"
    )
    parser.add_argument("--judge", type=int, default=400, help="guesses: layouts on which both are judged")
    options = parser.parse_args()
    (endgames if options.what == "endgames" else guesses)(options)


if __name__ == "__main__":
    main()
