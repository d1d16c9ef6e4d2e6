"""How long the first answer takes on a machine that has compiled nothing, beside one that has.

    python -m bench.cold                   each command several times, in fresh processes

Wall clock and processor time, the median of several runs; the machine should have nothing else to do.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

__all__ = ["main"]

RUNS = 5
BOARD = ["generate", "--preset", "expert", "--seed", "4", "--board"]
EXACT = "???2111/?3?*21*/??4*211/*3*2100/1211000/0000000 8"

COMMANDS = {
    "--version": ["--version"],
    "solve, expert": ["solve", "-"],
    "explain, expert": ["explain", "-", "--cell", "0,0"],
    "hint, exact": ["hint", EXACT],
    "hint, estimated": ["hint", "-"],
    "play, expert, whole game": ["play", "--preset", "expert", "--seed", "4", "--speed", "0"],
}


def _run(arguments: list[str], folder: str, board: str) -> tuple[float, float]:
    """Wall clock and processor time of a command whose kernels are kept in `folder`."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
    environment.pop("MSAT_KERNELS", None)
    before = os.times()
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "msat", *arguments],
        input=board,
        capture_output=True,
        text=True,
        env=environment,
    )
    took = time.perf_counter() - began
    after = os.times()
    if done.returncode not in (0, 2):
        sys.exit(f"{arguments}: {done.stderr}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return took, used


def main() -> None:
    """Measure and print."""
    board = subprocess.run(
        [sys.executable, "-m", "msat", *BOARD], capture_output=True, text=True, check=True
    ).stdout
    with tempfile.TemporaryDirectory() as warm:
        took, used = _run(["warm"], warm, "")
        print(f"all kernels from nothing: {took:.1f} s, {used:.1f} s of processor time")
        print(f"{'':28}{'nothing compiled':>24}{'compiled':>24}")
        for name, arguments in COMMANDS.items():
            cells = []
            for compiled in (False, True):
                times = []
                for _ in range(RUNS if compiled or "estimated" not in name else 1):
                    with tempfile.TemporaryDirectory() as cold:
                        times.append(_run(arguments, warm if compiled else str(Path(cold)), board))
                walls, used_times = zip(*times, strict=True)
                cells.append(f"{statistics.median(walls):.2f} s ({statistics.median(used_times):.2f} s)")
            print(f"{name:28}{cells[0]:>24}{cells[1]:>24}")


if __name__ == "__main__":
    main()
