"""How well budgets and Ctrl-C are kept: hard boards, every call.

    python -m bench.budgets                        20 boards × every call that takes a budget × three budgets
    python -m bench.budgets --interrupts           the time from Ctrl-C to KeyboardInterrupt, for every call
    python -m bench.budgets --call explain --board 7

A call may overshoot its budget by a tenth of a second, or by a tenth of it, whichever is more; Ctrl-C ends it
within half a second, and the process goes on to answer. The calls are made one after another in a process
that has made each of them on an easy board before, so that nothing is loaded or compiled in the time that
counts; after each it has to answer the easy board again. Where Linux tells how long a thread was ready to run
and got no processor, that time is taken off: it is other work of the machine, not the call's. What is beyond
its bound is measured twice more, and the least counts: a call can be late by chance, but none is early.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import IO, NamedTuple, cast

import msat
from msat.board import Board
from msat.encode.texts import write_encoding
from msat.game import Game
from msat.layout import Layout
from msat.record import Record

__all__ = ["BOARDS", "CALLS", "allowed", "main"]

BUDGETS = (0.1, 0.5, 2.0)

ATTEMPTS = 3
"""How often a call that took too long is measured."""

BEFORE_CTRL_C = 0.7
"""Seconds that a call has worked before it is interrupted: it is then in the midst of things."""

PATIENCE = 30.0
"""Seconds beyond which a call hangs."""


def lattice(side: int, step: int, density: float, seed: int, wide: int = 1) -> Board:
    """Every `step`-th cell of every `step`-th row open: a frontier as wide as the board."""
    draw = Random(seed)
    cells = [(r, c) for r in range(side) for c in range(side * wide)]
    opened = {cell for cell in cells if cell[0] % step == step // 2 and cell[1] % step == step // 2}
    others = [cell for cell in cells if cell not in opened]
    layout = Layout.from_mines(side, side * wide, draw.sample(others, round(density * len(others))))
    return Board.blank(side, side * wide, layout.mines).replace({c: layout.number(c) for c in opened})


def scattered(height: int, width: int, density: float, share: float, seed: int) -> Board:
    """A share of the safe cells open, anywhere."""
    draw = Random(seed)
    layout = Layout.random(height, width, round(density * height * width), seed=seed)
    numbers = layout.numbers()
    cells = [(r, c) for r in range(height) for c in range(width) if numbers[r, c] >= 0]
    shown = {cell: int(numbers[cell]) for cell in cells if draw.random() < share}
    return Board.blank(height, width, layout.mines).replace(shown)


def _off_by(board: Board, more: int) -> Board:
    return board.replace({}, mines=board.mines + more)


BOARDS: tuple[Callable[[], Board], ...] = (
    lambda: lattice(12, 2, 0.25, 1),
    lambda: lattice(16, 2, 0.25, 2),
    lambda: lattice(20, 2, 0.25, 3),
    lambda: lattice(10, 2, 0.2, 4, wide=3),
    lambda: lattice(60, 2, 0.25, 5),
    lambda: lattice(100, 3, 0.2, 6),
    lambda: _off_by(lattice(14, 2, 0.25, 7), 20),
    lambda: _off_by(lattice(20, 2, 0.25, 8), -20),
    lambda: scattered(16, 30, 0.2, 0.3, 9),
    lambda: scattered(16, 30, 0.2, 0.6, 10),
    lambda: scattered(30, 30, 0.2, 0.15, 11),
    lambda: scattered(30, 30, 0.25, 0.3, 12),
    lambda: scattered(50, 50, 0.2, 0.2, 13),
    lambda: scattered(50, 50, 0.15, 0.5, 14),
    lambda: _off_by(scattered(50, 50, 0.2, 0.5, 15), 60),
    lambda: scattered(100, 100, 0.2, 0.1, 16),
    lambda: scattered(200, 200, 0.2, 0.6, 17),
    lambda: scattered(1000, 1000, 0.15, 0.02, 18),
    lambda: scattered(1000, 1000, 0.15, 0.6, 19),
    lambda: Board.blank(1000, 1000, 150_000),
)
"""Twenty boards that take a while: wide, dense, contradictory by their totals, or large."""


@cache
def _board(number: int) -> Board:
    return BOARDS[number]()


@cache
def _cell(board: Board) -> tuple[int, int]:
    """A hidden cell beside a clue, in the middle of the list of them; any if there is none."""
    touched = [c for c in board.hidden[:20_000] if any(board[n] >= 0 for n in board.neighbours(c))]
    cells = touched or list(board.hidden)
    return cells[len(cells) // 2]


@cache
def _marked(board: Board) -> Board:
    """The board with a mark beside a clue."""
    return board if board.mines == len(board.marked) else board.replace({_cell(board): msat.board.MINE})


@cache
def _layout(board: Board) -> Layout:
    """A layout of the same size with a tenth of mines: logic gets far on it."""
    height, width = board.shape
    return Layout.random(height, width, height * width // 10, seed=1, start=(height // 2, width // 2))


@cache
def _record(board: Board) -> Record:
    """A game on a board of the same size, as far as a hundred cells of it: somebody opened any."""
    height, width = board.shape
    layout = Layout.random(height, width, min(board.mines, height * width - 9), seed=1, start=(0, 0))
    game = Game(layout)
    game.open((0, 0))
    for cell in Random(1).sample(board.hidden[:20_000], min(100, len(board.hidden))):
        if game.state == "playing" and game.board[cell] < 0 and not layout.is_mine(cell):
            game.open(cell)
    return game.record


def _no_guess(board: Board, budget: float | None) -> object:
    """Boards that are too dense for one to be found soon."""
    height, width = board.shape
    mines = height * width // 3 if height > 3 else 1
    return Layout.no_guess(height, width, mines, seed=1, start=(0, 0), first="safe", budget=budget)


Call = Callable[[Board, float | None], object]

CALLS: dict[str, Call] = {
    "analyze": lambda board, budget: msat.analyze(board, budget=budget),
    "analyze counting": lambda board, budget: msat.analyze(board, engine="counting", budget=budget),
    "analyze sat": lambda board, budget: msat.analyze(board, engine="sat", budget=budget),
    "analyze cpsat": lambda board, budget: msat.analyze(board, engine="cpsat", budget=budget),
    "analyze check": lambda board, budget: msat.analyze(board, budget=budget, check=True),
    "probabilities": lambda board, budget: msat.probabilities(board.to_array(), board.mines, budget=budget),
    "sample": lambda board, budget: msat.sample(board, n=3, budget=budget),
    "explain": lambda board, budget: msat.explain(board, _cell(board), budget=budget),
    "explain_contradiction": lambda board, budget: msat.explain_contradiction(board, budget=budget),
    "best_move": lambda board, budget: msat.best_move(board, budget=budget),
    "hint": lambda board, budget: msat.hint(board, 3, budget=budget),
    "walkthrough": lambda board, budget: msat.walkthrough(board, budget=budget),
    "win_probability": lambda board, budget: msat.win_probability(board, budget=budget),
    "judge_marks": lambda board, budget: msat.judge_marks(_marked(board), budget=budget),
    "review": lambda board, budget: msat.review(_record(board), budget=budget),
    "difficulty board": lambda board, budget: msat.difficulty(board, budget=budget),
    "difficulty layout": lambda board, budget: msat.difficulty(_layout(board), budget=budget),
    "no_guess": lambda board, budget: _no_guess(board, budget),
    "encode dimacs": lambda board, budget: write_encoding(board, io.StringIO(), "dimacs", budget=budget),
    "encode opb": lambda board, budget: write_encoding(board, io.StringIO(), "opb", budget=budget),
    "encode cpsat": lambda board, budget: write_encoding(board, io.StringIO(), "cpsat", budget=budget),
}
"""Every call that takes a budget."""


FURTHER: dict[str, Call] = {
    "solutions sat": lambda board, budget: msat.analyze(board, engine="sat").solutions,
    "solutions cpsat": lambda board, budget: msat.analyze(board, engine="cpsat").solutions,
    "solutions counting": lambda board, budget: msat.analyze(board, engine="counting").solutions,
    "board text": lambda board, budget: [Board.parse(board.to_text("line")) for _ in range(1000)],
}
"""Further calls that may take long; they are tried with Ctrl-C."""


def allowed(budget: float) -> float:
    """How far a call may go beyond its budget.

    >>> allowed(0.5), allowed(30)
    (0.1, 3.0)
    """
    return max(0.1, 0.1 * budget)


class Measured(NamedTuple):
    """One call: how far it went beyond its budget, or how long it took to notice Ctrl-C."""

    call: str
    board: int
    budget: float | None
    beyond: float
    outcome: str
    by_the_clock: float
    """The same with the time in which others had the processor."""

    def __str__(self) -> str:
        budget = "" if self.budget is None else f", budget {self.budget:g}"
        seconds = f"{self.beyond:.2f} s ({self.by_the_clock:.2f} by the clock)"
        return f"{self.call}, board {self.board}{budget}: {seconds}, {self.outcome}"


def serve() -> None:
    """What the process does: for every line, make the call that it names on a board, and tell of it."""
    easy = Board.parse("??1/3?2/??? 3")
    calls = CALLS | FURTHER
    answers = os.fdopen(os.dup(1), "w")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # one that comes too late is for nobody
    for line in sys.stdin:
        name, number, budget = json.loads(line)
        with contextlib.suppress(msat.MsatError):
            calls[name](easy, 60.0)
        board = _board(number)
        for prepare in (_marked, _record, _layout):
            prepare(board)
        print("ready", file=answers, flush=True)
        begin = time.monotonic()
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            calls[name](board, budget)
            outcome = "answered"
        except KeyboardInterrupt:
            outcome = "interrupted"
        except msat.MsatError as error:
            outcome = type(error).__name__
        end = time.monotonic()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert msat.analyze(easy).solutions == 4
        print(json.dumps([end - begin, outcome, end]), file=answers, flush=True)


class Process:
    """The process that makes the calls; started anew when a call ends it or hangs."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        process.communicate()
        return process.returncode

    def _line(self, patience: float) -> str:
        """The next line of the process; empty if it ended, or said nothing for so long."""
        assert self._process is not None
        stdout = cast(IO[str], self._process.stdout)
        return stdout.readline() if select.select([stdout], [], [], patience)[0] else ""

    def _delays(self) -> dict[str, int]:
        """For each thread, the nanoseconds in which it was ready to run and others ran, if that is told."""
        assert self._process is not None
        delays = {}
        for path in Path(f"/proc/{self._process.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError, ValueError, IndexError):  # the thread has just ended
                delays[path.parent.name] = int(path.read_text().split()[1])
        return delays

    def measure(self, name: str, board: int, budget: float | None) -> Measured:
        """Make a call; without a budget, press Ctrl-C."""
        if self._process is None:
            code = "import bench.budgets; bench.budgets.serve()"
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=Path(__file__).parents[1],
            )
        process = self._process
        stdin = cast(IO[str], process.stdin)
        stdin.write(json.dumps([name, board, budget]) + "\n")
        stdin.flush()
        if not self._line(300):
            raise SystemExit(f"{name} does not even answer an easy board")
        pressed = 0.0
        stdout = cast(IO[str], process.stdout)
        early = bool(select.select([stdout], [], [], BEFORE_CTRL_C if budget is None else budget)[0])
        before = self._delays()
        if budget is None and not early:
            pressed = time.monotonic()
            process.send_signal(signal.SIGINT)
        line = self._line(PATIENCE + (budget or 0.0))
        after = self._delays()
        waited = max((after[thread] - before.get(thread, 0) for thread in after), default=0) / 1e9
        if not line:
            hangs = process.poll() is None
            status = self._end()
            return Measured(
                name, board, budget, float("inf"), "hangs" if hangs else f"exit status {status}", 0.0
            )
        seconds, outcome, end = json.loads(line)
        beyond = seconds - budget if budget is not None else end - pressed if pressed else 0.0
        own = max(0.0, beyond - waited) if beyond > 0 else beyond
        return Measured(name, board, budget, own, outcome, beyond)


def measured(
    process: Process, names: list[str], boards: list[int], budgets: list[float] | list[None]
) -> Iterator[Measured]:
    """All calls, each as often as it takes."""
    for name in names:
        for board in boards:
            for budget in budgets:
                found = process.measure(name, board, budget)
                for _ in range(ATTEMPTS - 1):
                    if found.beyond <= bound(budget):
                        break
                    found = min(found, process.measure(name, board, budget), key=lambda one: one.beyond)
                yield found


def bound(budget: float | None) -> float:
    """How long after the end of its budget, or after Ctrl-C, a call may end."""
    return 0.5 if budget is None else allowed(budget)


def main(argv: list[str] | None = None) -> int:
    """Measure, and print the longest of every call; 1 if something is beyond its bound."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.budgets", description="How budgets and Ctrl-C are kept."
    )
    parser.add_argument("--call", action="append", help="only this one; may be given several times")
    parser.add_argument("--board", action="append", type=int, help="only this one, from 0")
    parser.add_argument("--budget", action="append", type=float, help="seconds (default: 0.1, 0.5 and 2)")
    parser.add_argument("--interrupts", action="store_true", help="press Ctrl-C instead")
    args = parser.parse_args(argv)
    names = args.call or list(CALLS | FURTHER if args.interrupts else CALLS)
    boards = args.board or list(range(len(BOARDS)))
    budgets = [None] if args.interrupts else args.budget or list(BUDGETS)
    longest: dict[str, Measured] = {}
    number = beyond = 0
    print("| call | longest | board | outcome |\n|---|---:|---:|---|")
    with Process() as process:
        for name in names:
            for found in measured(process, [name], boards, budgets):
                number += 1
                if found.beyond > bound(found.budget):
                    beyond += 1
                    print(f"  {found}", file=sys.stderr, flush=True)
                if name not in longest or found.beyond > longest[name].beyond:
                    longest[name] = found
            worst = longest[name]
            print(f"| {name} | {worst.beyond:.2f} s | {worst.board} | {worst.outcome} |", flush=True)
    what = "time after Ctrl-C" if args.interrupts else "overshoot"
    most = max(longest.values(), key=lambda one: one.beyond)
    print(f"\n{number:,} calls, the longest {what} {most.beyond:.2f} s ({most}); {beyond} beyond the bound")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
