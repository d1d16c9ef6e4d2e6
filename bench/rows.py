"""Whether anything became slower: the rows of `msat bench` in two checkouts, by turns, in one run.

    git worktree add ../before 2f307d1
    python -m bench.rows ../before
    python -m bench.rows ../before --only counting,safest,best --runs 8

Both are timed by this Python, each with the msat of its own folder; kernels of both are compiled first. A
position counts with the least processor time of all rounds of all runs, a row with the sum over the positions
that both got through. What differs by no more than 3 % is said to be the same. The exit status is 1 if a row
became slower by more, or an answer differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["main"]

SAME = 0.03

Row = tuple[str, str, str]


def _msat(folder: Path, *arguments: str) -> str:
    """What a command prints that is run with the msat of a checkout."""
    environment = {**os.environ, "MSAT_KERNELS": "compiled", "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "msat", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def _least(best: dict[Row, list[float]], report: dict[str, Any]) -> None:
    """Note the least time of every position of every row."""
    for row in report["rows"]:
        for times in row["times"]:
            known = best.setdefault((row["suite"], row["player"], row["question"]), [])
            known += times[len(known) :]
            for position, taken in enumerate(times):
                known[position] = min(known[position], taken)


def main() -> None:
    """Run both by turns and compare."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.rows", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path, help="the checkout to compare with")
    parser.add_argument("--runs", type=int, default=5, help="how often each is run (default: 5)")
    parser.add_argument("--seconds", default="40", help="about how long a run takes (default: 40)")
    parser.add_argument(
        "--only", default="counting,rules,safest,classic,best", help="see `msat bench --help`"
    )
    parser.add_argument("--suite", action="append", default=[], help="see `msat bench --help`")
    asked = parser.parse_args()
    folders = {"before": asked.before.resolve(), "now": Path(__file__).parents[1]}
    for folder in folders.values():
        _msat(folder, "warm")
    suites = [part for suite in asked.suite for part in ("--suite", suite)]
    best: dict[str, dict[Row, list[float]]] = {name: {} for name in folders}
    digests: dict[str, dict[str, str]] = {name: {} for name in folders}
    for run in range(asked.runs):
        for name, folder in folders.items():
            options = ["--json", "--seconds", asked.seconds, "--only", asked.only, *suites]
            report = json.loads(_msat(folder, "bench", *options))
            _least(best[name], report)
            digests[name] |= {suite["name"]: suite["digest"] for suite in report["suites"]}
        print(f"run {run + 1} of {asked.runs}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    slower = False
    print(f"{'row':44} {'n':>4} {'before':>10} {'now':>10} {'ratio':>6}   ms a position, or a game")
    for row in sorted(best["before"].keys() & best["now"].keys()):
        pairs = list(zip(best["before"][row], best["now"][row], strict=False))
        before, now = (sum(times) / len(pairs) for times in zip(*pairs, strict=True))
        ratio = now / before
        slower |= ratio > 1 + SAME
        word = "same" if abs(ratio - 1) <= SAME else "slower" if ratio > 1 else "faster"
        told = f"{1e3 * before:10.4f} {1e3 * now:10.4f} {ratio:6.3f}"
        print(f"{', '.join(row):44} {len(pairs):4} {told}   {word}")
    differ = [suite for suite in digests["now"] if digests["before"].get(suite) != digests["now"][suite]]
    print(f"answers differ: {', '.join(differ)}" if differ else "answers are the same")
    sys.exit(slower or bool(differ))


if __name__ == "__main__":
    main()
