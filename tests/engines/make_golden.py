"""Make the golden positions: small boards from seeds, with the answers of the oracle.

python -m tests.engines.make_golden > tests/engines/golden.json
"""

from __future__ import annotations

import json

from tests.support.oracle import counts
from tests.support.positions import small_boards


def main() -> None:
    """Print positions with up to 20 hidden cells, their solutions and how many have a mine in each cell."""
    golden = []
    for board in small_boards(2000, seed=2026, most_hidden=20):
        solutions, with_mine = counts(board)
        if solutions > 1 and len(board.hidden) >= 12 and len(board.revealed) >= 4:
            golden.append(
                {
                    "board": board.to_text("line"),
                    "solutions": solutions,
                    "mines": [[*cell, n] for cell, n in with_mine.items()],
                }
            )
    print("[\n" + ",\n".join(json.dumps(one) for one in golden[:60]) + "\n]")


if __name__ == "__main__":
    main()
