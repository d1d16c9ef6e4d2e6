"""How long the rules take: `python -m bench.rules`.

The positions are expert games as they come up in play: opened at the start, played on with rules 1 and 2
until these say nothing more, mines not marked. Each is solved again from scratch up to every rule, once from
compiled code (as the other kernels call it) and once from Python (with the cost of the call).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel
from msat.board import PRESETS
from msat.constants import LAST_RULE
from msat.engines.rules._kernels import apply_rules
from msat.engines.rules.deductions import deductions
from msat.game import Game
from msat.layout import Layout

POSITIONS = 500
START = (8, 15)
ROUNDS = 30
NO_LOG = np.empty((0, 6), dtype=np.int32)


def stuck_boards() -> Iterator[NDArray[np.int8]]:
    """Expert positions, from seeds 0, 1, …, at which rules 1 and 2 find no safe cell."""
    for seed in count():
        game = Game(Layout.random(*PRESETS["expert"], seed=seed, start=START, first="open"))
        game.open(START)
        safe = [START]
        while safe and game.state == "playing":
            safe = [found.cell for found in deductions(game.board, last_rule=2) if not found.mine]
            for cell in safe:
                game.open(cell)
        if game.state == "playing":
            yield game.board.to_array()


@kernel
def solve_all(boards: NDArray[np.int8], last_rule: int, log: NDArray[np.int32]) -> int:
    """Apply the rules to every board, in place; the number of deductions."""
    found = 0
    for i in range(boards.shape[0]):
        found += apply_rules(boards[i], last_rule, log)[0]
    return found


def solve_each(boards: NDArray[np.int8], last_rule: int, log: NDArray[np.int32]) -> int:
    """The same, called from Python."""
    return sum(apply_rules(board, last_rule, log)[0] for board in boards)


def main() -> None:
    boards = np.stack(list(islice(stuck_boards(), POSITIONS)))
    print(f"{POSITIONS} stuck expert positions, best of {ROUNDS} rounds, µs per position\n")
    print("rules   compiled   from Python   deductions per position")
    for last_rule in range(1, LAST_RULE + 1):
        best = {}
        for solve in (solve_all, solve_each):
            seconds = []
            for _ in range(ROUNDS):
                work = boards.copy()
                began = perf_counter()
                found = solve(work, last_rule, NO_LOG)
                seconds.append(perf_counter() - began)
            best[solve] = 1e6 * min(seconds) / POSITIONS
        print(f"1–{last_rule}   {best[solve_all]:10.2f} {best[solve_each]:13.2f} {found / POSITIONS:25.2f}")


if __name__ == "__main__":
    main()
