"""What time to think is worth: endgames that only the slow player searches, solved exactly.

`best` plays games. Where it judges a guess though at most `--most` layouts are left, its move is compared
with perfect play: both chances to win are exact (`win_probability`), so the difference is what judgement
loses there, without noise.

    python -m bench.thinking --games 3000
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction

import numpy as np

import msat
from msat.arena.boards import kiss_numbers, protected_cells
from msat.board import Board
from msat.engines.passes import LAST_RULE
from msat.strategies._kernels import game as k
from msat.strategies._kernels.exact import go_on_exact
from msat.strategies.best import Best

HEIGHT, WIDTH, MINES, START = 16, 30, 99, (3, 3)


def judged(games: int, layouts: int, most: int) -> list[Board]:
    """The boards of document 000's first puzzles on which a guess was judged though few layouts were left."""
    player = Best(layouts=layouts)
    protected = protected_cells(HEIGHT, WIDTH, START, "open")
    found = []
    for number in range(games):
        [numbers] = kiss_numbers(MINES, number // 100 + 1, number % 100, 1, protected)
        table = k.lay(np.array(numbers, np.int8, order="C"), MINES, *START)
        probability = np.empty(table.board.shape)
        while go_on_exact(table, MINES, LAST_RULE, False, probability) == k.STOPPED:
            board = Board.from_array(table.board, mines=MINES)
            choice = player.choose(board)
            if choice is None:
                break
            if choice.kind == "evaluated" and layouts < msat.analyze(board).solutions <= most:
                found.append(board)
            r, c = choice.cells[0]
            if not k.carry_out(table, k.GUESS, r * WIDTH + c, choice.safety):
                break
    return found


def main() -> None:
    """Print how much judgement loses against perfect play."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--layouts", type=int, default=1000, help="the limit of the fast player")
    parser.add_argument("--most", type=int, default=4000, help="the limit of the slow one")
    options = parser.parse_args()
    boards = judged(options.games, options.layouts, options.most)
    few, many = options.layouts, options.most
    print(f"{len(boards)} guesses judged with {few} to {many} layouts left in {options.games} games")
    perfect = by_judgement = Fraction(0)
    same = solved = 0
    for board in boards:
        choice = Best(layouts=options.layouts).choose(board)
        assert choice is not None
        try:
            best = msat.win_probability(board, every_move=True, most_solutions=options.most)
        except msat.BudgetExceeded:
            continue
        assert best.chances is not None
        solved += 1
        perfect += best.probability
        by_judgement += best.chances[choice.cells[0]]
        same += best.chances[choice.cells[0]] == best.probability
        print(f"\r{solved} solved", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if solved:
        print(f"perfect play wins     {float(perfect / solved):.2%} of {solved} positions")
        share = float(by_judgement / solved)
        print(f"after the judged move {share:.2%}; it is perfect on {same} of them")


if __name__ == "__main__":
    main()
