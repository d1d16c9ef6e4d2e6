"""How long explanations take, and how long they are: `python -m bench.explain`.

    python -m bench.explain                  all 500 stuck expert positions, about a minute
    python -m bench.explain --positions 50   the first of them

Explained is every forced cell that rules 1–2 do not find; a time covers all that `msat.explain` does: the
analysis, a minimal set of clues, a smallest one, the rules, and the steps of the proof. Next to it:

- contradictions: the same positions with one number changed so that no layout is left; their time includes
  the search for repairs;
- counted out: expert boards with all cells open but the mines and two columns, which only someone who
  counts all mines knows to be safe. Such proofs take dozens of clues from all over the board.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import msat
from bench.suites import stuck
from msat.board import Board
from msat.engines.rules.deductions import deductions
from msat.explanation.explanation import Explanation
from msat.layout import Layout


def explain_all(board: Board) -> list[tuple[float, Explanation]]:
    """The explanation of every forced cell beyond rules 1–2, each with its time."""
    easy = {found.cell for found in deductions(board, last_rule=2)}
    analysis = msat.analyze(board)
    found = []
    for cell in sorted((analysis.safe | analysis.mined) - easy):
        begin = time.perf_counter()
        explanation = msat.explain(board, cell)
        found.append((time.perf_counter() - begin, explanation))
    return found


def contradict(board: Board, rng: random.Random) -> float | None:
    """The time to explain the board with one number changed; None if that is still possible."""
    cell = rng.choice(board.revealed)
    wrong = board.replace({cell: rng.choice([n for n in range(9) if n != board[cell]])})
    begin = time.perf_counter()
    try:
        msat.explain_contradiction(wrong)
    except msat.MsatError:
        return None
    return time.perf_counter() - begin


def counted_out(seed: int) -> float:
    """The time to explain a cell that only the mine total decides."""
    layout = Layout.random(16, 28, 93, seed=seed)
    wide = Layout.from_mines(16, 30, layout.cells)
    every = [(r, c) for r in range(16) for c in range(28)]
    opened = {cell: wide.number(cell) for cell in every if not wide.is_mine(cell)}
    board = Board.blank(16, 30, 93).replace(opened)
    begin = time.perf_counter()
    assert msat.explain(board, (0, 29)).uses_mine_count
    return time.perf_counter() - begin


def way(explanation: Explanation) -> str:
    """How the last step of a proof goes."""
    step = explanation.steps[-1]
    cases = any(line.lstrip().startswith("if ") for line in step.lines())
    return type(step).__name__ + (" with cases" if cases else "")


def add_times(table: Table, name: str, seconds: Sequence[float]) -> None:
    """A row of times."""
    quantiles = [f"{1e3 * float(np.percentile(seconds, q)):.1f}" for q in (50, 95, 100)]
    table.add_row(name, str(len(seconds)), *quantiles)


def main() -> None:
    """Explain the positions and print what it took."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.explain", description="Time explanations on stuck expert positions."
    )
    parser.add_argument("--positions", type=int, default=500, metavar="N", help="how many (500)")
    options = parser.parse_args()
    console = Console()
    rng = random.Random(0)
    msat.explain(Board.parse("1???/???? 1"), (1, 3))  # these compile and import what is timed
    msat.explain_contradiction(Board.parse("1??/??? 5"))

    found: list[tuple[float, Explanation]] = []
    contradictions: list[float] = []
    for array, mines in track(stuck(options.positions), "explaining", console=console, transient=True):
        board = Board.from_array(array, mines)
        found += explain_all(board)
        seconds = contradict(board, rng)
        if seconds is not None:
            contradictions.append(seconds)

    times = Table(title="milliseconds")
    for heading in ("", "n", "median", "p95", "max"):
        times.add_column(heading, justify="left" if heading == "" else "right")
    add_times(times, "forced cells", [seconds for seconds, _ in found])
    add_times(times, "contradictions", contradictions)
    add_times(times, "counted out", [counted_out(seed) for seed in range(20)])
    console.print(times)

    explanations = [explanation for _, explanation in found]
    sizes = Counter(len(explanation.clues) for explanation in explanations)
    console.print("clues:", ", ".join(f"{size}: {sizes[size]}" for size in sorted(sizes)))
    ways = Counter(map(way, explanations))
    console.print("proofs:", ", ".join(f"{name}: {number}" for name, number in ways.most_common()))
    by_total = sum(explanation.uses_mine_count for explanation in explanations)
    proven = sum(explanation.smallest for explanation in explanations)
    ruled = sum(bool(explanation.rules) for explanation in explanations)
    console.print(
        f"of {len(found)}: proven smallest {proven}, by rules {ruled}, by the mine total {by_total}"
    )


if __name__ == "__main__":
    main()
