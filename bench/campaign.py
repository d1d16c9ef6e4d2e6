"""A campaign: very many positions of every kind through all engines, against a count that shares no code.

    python -m bench.campaign --positions 1000000 --seed 1              into campaign-1, both processors
    python -m bench.campaign --positions 1000000 --seed 1 --cpsat 10   CP-SAT on a tenth (the default)
    python -m bench.campaign --seed 1 --summary                        what is in campaign-1 so far

Position n of a seed depends on both alone. What is finished is kept: started again, the campaign goes on. For
each position every engine is asked for all that is exact (the number of layouts, the forced cells), the
compiled fast path for its probabilities, and the independent count (`bench/independent.py`; for small boards
also trying every layout) for all of that. Whatever differs is a mismatch, which the ledger quotes. The ledger
tells how many positions of which kind each engine has answered.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import msat
from bench.independent import TooWide, count
from msat.arena.done import Done
from msat.arena.journal import Journal, line_of, read_lines
from msat.arena.workforce import crew_size, work
from msat.board import HIDDEN, MINE, Board, Cell
from msat.layout import Layout
from tests.support.oracle import counts as counts_by_trying

__all__ = ["KINDS", "Verdict", "main", "position", "try_position"]

BUDGET = 20.0
"""Seconds that an engine has for a position; what it does not answer in time is counted as that."""


class Verdict(NamedTuple):
    """What is exact about a position: None of it where no layout agrees with it."""

    solutions: int
    safe: frozenset[Cell]
    mined: frozenset[Cell]


# The positions


def _played(height: int, width: int, mines: int, draw: Random, least: float = 0.0) -> Board:
    """A game on the way: safe cells opened at random from the start on, with what their zeros uncover."""
    start = (draw.randrange(height), draw.randrange(width))
    layout = Layout.random(height, width, mines, seed=draw.getrandbits(63), start=start)
    game = msat.Game(layout)
    game.open(start)
    wanted = draw.uniform(least, 1.0) * (height * width - mines)
    left = [(r, c) for r in range(height) for c in range(width) if not layout.is_mine((r, c))]
    draw.shuffle(left)
    near = _beside(game.board.revealed, layout)
    opened = len(game.board.revealed)
    while game.state == "playing" and opened < wanted:
        # Mostly beside what is open, as people play; at times anywhere.
        among = near if near and draw.random() < 0.9 else left
        place = draw.randrange(len(among))
        among[place], among[-1] = among[-1], among[place]
        revealed = game.open(among.pop())
        opened += len(revealed)
        near += _beside(revealed, layout)
    if draw.random() < 0.3:
        for cell in sorted(layout.cells):
            if draw.random() < 0.5 and game.state == "playing":
                game.mark(cell)
    return game.board


def _beside(cells: Iterable[Cell], layout: Layout) -> list[Cell]:
    """The safe cells around some cells, those again included."""
    height, width = layout.shape
    return [
        (r, c)
        for row, column in cells
        for r in range(max(row - 1, 0), min(row + 2, height))
        for c in range(max(column - 1, 0), min(column + 2, width))
        if not layout.is_mine((r, c))
    ]


def _scattered(height: int, width: int, mines: int, draw: Random) -> Board:
    layout = Layout.random(height, width, mines, seed=draw.getrandbits(63))
    share = draw.uniform(0.02, 0.9)
    cells = {
        (r, c): layout.number((r, c))
        for r in range(height)
        for c in range(width)
        if not layout.is_mine((r, c)) and draw.random() < share
    }
    return Board.blank(height, width, mines).replace(cells)


def _lattice(height: int, width: int, draw: Random) -> Board:
    step = draw.choice((2, 2, 3, 4))
    opened = {(r, c) for r in range(draw.randrange(step), height, step) for c in range(0, width, step)}
    others = [(r, c) for r in range(height) for c in range(width) if (r, c) not in opened]
    layout = Layout.from_mines(height, width, draw.sample(others, draw.randint(0, len(others))))
    return Board.blank(height, width, layout.mines).replace({cell: layout.number(cell) for cell in opened})


def _small(draw: Random) -> Board:
    """Few cells, any density, any share opened: for trying every layout."""
    while True:
        height, width = draw.randint(1, 7), draw.randint(1, 7)
        mines = draw.choice((0, height * width, draw.randint(0, height * width)))
        board = _scattered(height, width, mines, draw)
        if len(board.hidden) <= 14:
            return board


def _changed(board: Board, draw: Random) -> Board:
    """The board with another total, or another clue: most such boards contradict themselves."""
    if board.revealed and draw.random() < 0.5:
        return board.replace({draw.choice(sorted(board.revealed)): draw.randint(0, 8)})
    marked = len(board.marked)
    return board.replace({}, mines=draw.randint(marked, marked + len(board.hidden)))


KINDS: dict[str, Callable[[Random], Board]] = {
    "small": _small,
    "small, changed": lambda draw: _changed(_small(draw), draw),
    "beginner": lambda draw: _played(9, 9, 10, draw),
    "endgame": lambda draw: _played(16, 30, 99, draw, least=0.9),
    "beginner, changed": lambda draw: _changed(_played(9, 9, 10, draw), draw),
    "narrow": lambda draw: _scattered(draw.randint(1, 2), draw.randint(20, 60), draw.randint(2, 12), draw),
    "intermediate": lambda draw: _played(16, 16, 40, draw),
    "lattice": lambda draw: _lattice(draw.randint(3, 8), draw.randint(3, 12), draw),
    "scattered": lambda draw: _scattered(draw.randint(5, 12), draw.randint(5, 12), draw.randint(3, 25), draw),
    "expert": lambda draw: _played(16, 30, 99, draw),
}
"""How positions are made; the kinds take turns."""


def position(seed: int, number: int) -> tuple[str, Board]:
    """A position of the campaign, and its kind.

    >>> position(1, 7)[0], position(1, 7) == position(1, 7)
    ('lattice', True)
    """
    kind = list(KINDS)[number % len(KINDS)]
    return kind, KINDS[kind](Random(f"{seed} {number}"))


# What is asked


def _by_engine(board: Board, engine: str) -> Verdict | str | None:
    try:
        analysis = msat.analyze(board, engine=engine, budget=BUDGET)
        return Verdict(analysis.solutions, analysis.safe, analysis.mined)
    except msat.InconsistentBoard:
        return None
    except msat.BudgetExceeded:
        return "not in time"


def _verdict(board: Board, found: tuple[int, dict[Cell, int]]) -> Verdict | None:
    solutions, with_mine = found
    if not solutions:
        return None
    safe = frozenset(cell for cell in board.hidden if with_mine[cell] == 0)
    mined = frozenset(cell for cell in board.hidden if with_mine[cell] == solutions)
    return Verdict(solutions, safe, mined)


def _fast_path(board: Board, found: tuple[int, dict[Cell, int]]) -> str:
    """How the probabilities of the compiled fast path compare with the exact numbers."""
    solutions, with_mine = found
    try:
        rows = msat.probabilities(board.to_array(), board.mines)
    except msat.InconsistentBoard:
        return "agrees" if not solutions else "mismatch"
    except msat.BudgetExceeded:
        return "not in time"
    if not solutions:
        return "mismatch"
    for cell, value in np.ndenumerate(rows):
        r, c = cell
        known = board[r, c]
        if known == MINE:
            right = value == 1.0
        elif known != HIDDEN:
            right = bool(np.isnan(value))
        else:
            right = abs(value - float(Fraction(with_mine[r, c], solutions))) < 1e-9
        if not right:
            return "mismatch"
    return "agrees"


def try_position(board: Board, engines: list[str], kind: str = "small") -> dict[str, str]:
    """For every way to answer: "agrees", "mismatch" or "not in time"."""
    try:
        found = count(board)
    except TooWide:
        return dict.fromkeys([*engines, "fast path"], "not counted")
    truth = _verdict(board, found)
    outcome = {"fast path": _fast_path(board, found)}
    if kind.startswith("small") and len(board.hidden) <= 14:
        outcome["trying all"] = "agrees" if counts_by_trying(board) == found else "mismatch"
    for engine in engines:
        answer = _by_engine(board, engine)
        if isinstance(answer, str):
            outcome[engine] = answer
        else:
            outcome[engine] = "agrees" if answer == truth else "mismatch"
    return outcome


class Portion(NamedTuple):
    """Some positions that were tried."""

    line: str
    counts: Counter[str]
    mismatches: list[str]
    tried: int


def try_portion(seed: int, cpsat: int, first: int, number: int) -> Portion:
    """Try positions in a row."""
    counts: Counter[str] = Counter()
    mismatches = []
    for n in range(first, first + number):
        kind, board = position(seed, n)
        # By turns of all kinds, so that each of them gets its share.
        engines = ["counting", "sat"] + (["cpsat"] if cpsat and n // len(KINDS) % cpsat == 0 else [])
        for engine, outcome in try_position(board, engines, kind).items():
            counts[f"{kind}|{engine}|{outcome}"] += 1
            if outcome == "mismatch":
                mismatches.append(f"{engine}, position {n}: {board.to_text('line').strip()}")
    line = line_of({"game": first, "count": number, "counts": counts, "mismatches": mismatches})
    return Portion(line, counts, mismatches, number)


# The ledger


_WAYS = ("counting", "sat", "cpsat", "fast path", "trying all")


class Ledger:
    """What the campaign found so far."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.mismatches: list[str] = []
        self.tried = 0

    def add(self, counts: dict[str, int], mismatches: list[str], tried: int) -> None:
        """Count some positions."""
        self.counts.update(counts)
        self.mismatches += mismatches
        self.tried += tried

    def table(self) -> str:
        """The counts by kind and engine, as Markdown, and every mismatch."""
        cells: dict[tuple[str, str], Counter[str]] = {}
        for key, number in self.counts.items():
            kind, engine, outcome = key.split("|")
            cells.setdefault((kind, engine), Counter())[outcome] += number
        engines = [each for each in _WAYS if any(each == engine for _, engine in cells)]
        lines = ["| positions | " + " | ".join(engines) + " |", "|---|" + "---:|" * len(engines)]
        for kind in [*KINDS, "all"]:
            row = []
            for engine in engines:
                found: Counter[str] = Counter()
                for (k, e), counter in cells.items():
                    if e == engine and kind in (k, "all"):
                        found += counter
                others = [f"{n:,} {name}" for name, n in sorted(found.items()) if name != "agrees"]
                row.append(", ".join([f"{found['agrees']:,}", *others]))
            lines.append(f"| {kind} | " + " | ".join(row) + " |")
        lines.append("")
        lines.append(f"{self.tried:,} positions, {len(self.mismatches):,} mismatches")
        return "\n".join([*lines, *self.mismatches]) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Run the campaign; 1 if there is a mismatch."""
    parser = argparse.ArgumentParser(prog="python -m bench.campaign", description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=10_000, help="how many (default: 10,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpsat", type=int, default=10, help="ask CP-SAT one time in so many; 0: never")
    parser.add_argument("--workers", type=int, help="processes (default: one per processor)")
    parser.add_argument("--folder", type=Path, help="where it is kept (default: campaign-SEED)")
    parser.add_argument("--summary", action="store_true", help="only print what is there")
    args = parser.parse_args(argv)
    folder = args.folder or Path(f"campaign-{args.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"ledger-{args.seed}-{args.cpsat}.jsonl"
    ledger, done = Ledger(), Done(args.positions)
    for _, found in read_lines(file, checked=True):
        _take(found, ledger, done)
    if not args.summary and not done.complete:
        begin, before = time.monotonic(), ledger.tried
        with Journal(file) as journal:

            def accept(portion: Portion) -> bool:
                journal.append(portion.line)
                ledger.add(portion.counts, portion.mismatches, portion.tried)
                speed = (ledger.tried - before) / (time.monotonic() - begin)
                if sys.stderr.isatty():
                    print(f"\r{ledger.tried:,} positions, {speed:.1f} a second", end="", file=sys.stderr)
                return True

            work(partial(try_portion, args.seed, args.cpsat), done.missing(), accept, crew_size(args.workers))
        speed = (ledger.tried - before) / (time.monotonic() - begin)
        print(f"\r{ledger.tried - before:,} positions, {speed:.1f} a second", file=sys.stderr)
    print(ledger.table(), end="")
    (folder / "ledger.md").write_text(ledger.table(), encoding="utf-8")
    return 1 if ledger.mismatches else 0


def _take(found: Any, ledger: Ledger, done: Done) -> None:
    """Take up a line of an earlier run; a damaged one is tried again."""
    if isinstance(found, dict) and all(done.add(found["game"] + k) for k in range(found["count"])):
        ledger.add(found["counts"], found["mismatches"], found["count"])


if __name__ == "__main__":
    sys.exit(main())
