"""How long the first answer takes on a machine that has compiled nothing, beside one that has.

    python -m bench.cold                   each command five times, in fresh processes
    python -m bench.cold --runs 1          quicker

Wall clock, and the processor time with all child processes: the median of the runs; and the longest. What is
printed is the table of docs/speed.md.
What appears on a screen (the first frame of a game, the viewer) is waited for in a terminal of its own. The
machine should have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

__all__ = ["main"]

BOARD = ["generate", "--preset", "expert", "--seed", "4", "--board"]
GUESS = "1????????/?????????/?????????/?????????/?????????/????????? 9"
EXACT = "???2111/?3?*21*/??4*211/*3*2100/1211000/0000000 8"
GAME = ["play", "--preset", "expert", "--seed", "4"]


class Took(NamedTuple):
    """What a command took, in seconds."""

    wall: float
    processor: float


def _environment(folder: str) -> dict[str, str]:
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": folder,
        "COLUMNS": "120",
        "LINES": "40",
        "TERM": "xterm",
        "XDG_CACHE_HOME": folder,
    }
    environment.pop("MSAT_KERNELS", None)
    return environment


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _whole(arguments: list[str], folder: str, board: str = "") -> Took:
    """A command from its start to its end, its kernels kept in `folder`."""
    before, began = _used(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "msat", *arguments],
        input=board,
        capture_output=True,
        text=True,
        env=_environment(folder),
    )
    took = time.perf_counter() - began
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr}")
    return Took(took, _used() - before)


def _screen(arguments: list[str], shows: bytes, folder: str) -> Took:
    """A command in a terminal, from its start until that is shown; then it is ended."""
    here, there = pty.openpty()
    before, began = _used(), time.perf_counter()
    command = [sys.executable, "-m", "msat", *arguments]
    process = subprocess.Popen(
        command, stdin=there, stdout=there, stderr=there, env=_environment(folder), start_new_session=True
    )
    os.close(there)
    seen = b""
    while shows not in seen:
        ready, _, _ = select.select([here], [], [], 60)
        data = os.read(here, 65536) if ready else b""
        if not data:
            sys.exit(f"{arguments}: {shows!r} was not shown")
        seen += data
    took = time.perf_counter() - began
    process.kill()
    process.wait()
    os.close(here)
    return Took(took, _used() - before)


def _rows(board: str) -> dict[str, Callable[[str], Took]]:
    return {
        "--version": partial(_whole, ["--version"]),
        "solve, expert": partial(_whole, ["solve", "-"], board=board),
        "explain, expert": partial(_whole, ["explain", "-", "--cell", "3,0"], board=board),
        "encode, expert": partial(_whole, ["encode", "-"], board=board),
        "generate, expert": partial(_whole, BOARD),
        "hint, proven": partial(_whole, ["hint", "-"], board=board),
        "hint, exact": partial(_whole, ["hint", EXACT]),
        "hint, estimated": partial(_whole, ["hint", GUESS]),
        "play, first frame": partial(_screen, GAME, b"mines left"),
        "play, whole game": partial(_whole, [*GAME, "--speed", "0"]),
        "tui, first screen": partial(_screen, ["tui", "--fresh"], b"99 mines"),
    }


def _told(times: list[Took]) -> str:
    wall, processor = (statistics.median(each) for each in zip(*times, strict=True))
    return f"{wall:.2f} | {processor:.2f} | {max(took.wall for took in times):.2f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.cold", description="The first answer, timed.")
    parser.add_argument("--runs", type=int, default=5, help="how often each command is run (default: 5)")
    runs = parser.parse_args().runs
    command = [sys.executable, "-m", "msat", *BOARD]
    board = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as warm:
        took = _whole(["warm"], warm)
        print(
            f"Seconds, the median of {runs} runs, with a load of {load:.1f} before. All kernels from nothing "
            f"(`msat warm`): {took.wall:.1f}, {took.processor:.1f} of the processor.\n"
        )
        print("| | nothing compiled | processor | longest | compiled | processor | longest |")
        print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
        for name, measure in _rows(board).items():
            cold = []
            for _ in range(runs):
                with tempfile.TemporaryDirectory() as empty:
                    cold.append(measure(empty))
            compiled = [measure(warm) for _ in range(runs)]
            print(f"| {name} | {_told(cold)} | {_told(compiled)} |", flush=True)


if __name__ == "__main__":
    main()
